"""The import roots of third-party packages, recorded when Jackline was installed and filled in by the door.

The door's interpreter runs with `-S` and sees no site-packages; who needs one calls `open_roots` first.
"""

from __future__ import annotations

import sys

ROOTS: list[str] = []


def open_roots() -> None:
    """Put the recorded roots behind the interpreter's own, once."""
    for root in ROOTS:
        if root not in sys.path:
            sys.path.append(root)
