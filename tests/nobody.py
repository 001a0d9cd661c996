"""Run something as somebody who is not root, also where the tests are run by root."""

from __future__ import annotations

import os
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

T = TypeVar("T")
NOBODY = 65534


def as_nobody(work: Callable[[], T], *folders: Path) -> T:
    """What `work` returns, called in a child without privileges; `folders` are its own for that."""
    if os.getuid() != 0:
        return work()
    for folder in folders:
        for above in (folder, *folder.parents[:4]):
            above.chmod(above.stat().st_mode | 0o755)
        for path in (folder, *folder.rglob("*")):
            os.chown(path, NOBODY, NOBODY, follow_symlinks=False)
    out, into = os.pipe()
    child = os.fork()
    if child == 0:
        code = 1
        try:
            os.close(out)
            os.setgroups([])
            os.setresgid(NOBODY, NOBODY, NOBODY)
            os.setresuid(NOBODY, NOBODY, NOBODY)
            os.write(into, pickle.dumps(work()))
            code = 0
        finally:
            os._exit(code)
    os.close(into)
    with os.fdopen(out, "rb") as told:
        data = told.read()
    assert os.waitpid(child, 0)[1] == 0, "it failed without privileges"
    found: T = pickle.loads(data)
    return found
