"""What a commit holds of the files of units; of a file of rows, each row by itself."""

from __future__ import annotations

from collections.abc import Sequence

from jackline import git
from jackline.compiler import validator_rows
from jackline.compiler.validator_rows import MARK


def contents(top: str, commit: str, names: Sequence[str]) -> dict[str, bytes]:
    """The content of each name at a commit, by its path from `top`; those that are not there are left out. GitError."""
    named = [name for name in names if validator_rows.is_row(name)]
    files = [name for name in names if name not in named]
    found = git.blobs(top, commit, [*files, *dict.fromkeys(name.rpartition(MARK)[0] for name in named)])
    made = {name: found[name] for name in files if name in found}
    for name in named:
        file, _, row = name.rpartition(MARK)
        good = validator_rows.rows(found[file]).good if file in found else {}
        if row in good:
            made[name] = good[row]
    return made
