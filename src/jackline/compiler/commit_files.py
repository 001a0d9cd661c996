"""What a commit holds of the files of units; of a file of rows, each row by itself."""

from __future__ import annotations

from collections.abc import Sequence

from jackline import git
from jackline.compiler import row_files
from jackline.compiler.row_files import MARK


def contents(top: str, commit: str, names: Sequence[str]) -> dict[str, bytes]:
    """The content of each name at a commit, by its path from `top`; those that are not there are left out. GitError."""
    forms = {name: form for name in names if (form := row_files.form_of(name))}
    files = [name for name in names if name not in forms]
    found = git.blobs(top, commit, [*files, *dict.fromkeys(name.rpartition(MARK)[0] for name in forms)])
    made = {name: found[name] for name in files if name in found}
    for name, form in forms.items():
        file, _, row = name.rpartition(MARK)
        good = row_files.rows(found[file], form).good if file in found else {}
        if row in good:
            made[name] = good[row]
    return made
