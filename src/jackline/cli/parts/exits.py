"""Exit codes of every command."""

from __future__ import annotations

DONE, FOUND, WRONG, OURS = 0, 1, 2, 3
"""Done, found something, wrong use, our bug."""
