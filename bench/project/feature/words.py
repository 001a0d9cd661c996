"""What the house asks for, by place."""

from __future__ import annotations

PLACES = {
    "src": "Every function has annotations, and a sentence where its name does not say it all.",
    "tests": "A test's name says what holds; it uses real files.",
    "docs": "One sentence per line; whatever can be listed is checked.",
}


def named(path: str) -> list[str]:
    """The places a path speaks of."""
    return [part for part in path.split("/") if part in PLACES]
