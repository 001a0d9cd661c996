"""Where results of validators lie, and whether there are others than before: all that a prompt asks of them."""

from __future__ import annotations

from jackline.file_stat import of
from jackline.store.ids import slot

FOLDER = "validators"


def place(store: str, root: str) -> str:
    """Where the results of a worktree lie."""
    return f"{store}/{FOLDER}/{slot(root)}"


def newest(store: str, root: str) -> str:
    """What stands for the results there are: it is another one as soon as a validator ended."""
    return f"{of(place(store, root))[1]:x}"
