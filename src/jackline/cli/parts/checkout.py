"""A checkout as it lies there, trusted or not: a store that is thrown away, in which all of it is trusted.

Nobody trusts more than before: the real store is read and not written.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from jackline.cli.parts.setting import Setting
from jackline.compiler import trust
from jackline.compiler.collect import survey, trust_all, user_folder

OWN = (trust.NAME, f"{trust.NAME}.lock", trust.COPIES, "authority.jsonl", "authority.jsonl.lock", "wirings", "config")
"""What the store that is thrown away has for itself; all else it shares with the real one, to read."""


def _furnish(store: Path, made: Path) -> None:
    """The store once more, what trust is made of as a copy and the rest as it is."""
    for name in sorted(os.listdir(store)) if store.is_dir() else ():
        if name not in OWN:
            (made / name).symlink_to(store / name)
    if (store / trust.NAME).is_file():
        shutil.copy(store / trust.NAME, made / trust.NAME)
    if (store / trust.COPIES).is_dir():
        shutil.copytree(store / trust.COPIES, made / trust.COPIES)
    config = user_folder(str(store))
    if config:
        (made / "config").symlink_to(config)


@contextmanager
def trusted(setting: Setting) -> Iterator[Setting]:
    """The setting with a store in which this checkout's hooks are trusted as they are; it is gone afterwards."""
    folder = Path(tempfile.mkdtemp(prefix="jackline-as-checked-out-"))
    try:
        _furnish(setting.store, folder)
        root, store = str(setting.root), str(folder)
        trust_all(store, root, survey(root, store), "as checked out")
        yield setting._replace(store=folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
