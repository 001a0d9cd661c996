"""The import roots of third-party packages, recorded when Jackline was installed and filled in by the entry point.

The entry point's interpreter runs with `-S` and sees no site-packages; who needs one calls `open_roots` first.
"""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

ROOTS: list[str] = []


def take(name: str, value: str = "") -> Any:
    """A module by name, or a value of one that holds values alone. The bundle has a quicker way instead."""
    made = __import__(name, None, None, ("*",))
    return getattr(made, value) if value else made


def open_roots() -> None:
    """Put the recorded roots behind the interpreter's own, once."""
    for root in ROOTS:
        if root not in sys.path:
            sys.path.append(root)
