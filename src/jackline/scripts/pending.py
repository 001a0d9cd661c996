"""Which file scripts wait: `pendingHooks` in `status.json`, where a script stands before it runs.

It is taken out when it passed, or when nothing that it asks for is left. So whoever is killed in between leaves it
there, and the file is true at every moment: nothing else says who waits.
"""

from __future__ import annotations

from jackline.scripts import status

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable


def keys(place: str) -> frozenset[str]:
    """The scripts that wait."""
    return frozenset(status.read(place).pending)


def add(place: str, names: Iterable[str]) -> None:
    """Let scripts wait. OSError when it cannot be written: then nothing may run."""
    more = tuple(names)
    if more:
        status.update(place, waits=more)


def remove(place: str, key: str) -> None:
    """The script passed, or nothing is left for it."""
    status.update(place, done=(key,))
