"""Which file scripts wait: one mark a script, `<session>/scripts/pending/<key>`, made before it runs.

A mark is taken away when the script passed, or when nothing that it asks for is left. So whoever is killed between
leaves it, and what waits is never forgotten.
"""

from __future__ import annotations

from jackline import system
from jackline.scripts.status import FOLDER, PENDING, file_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable


def marks(place: str) -> frozenset[str]:
    """The file names of the scripts that wait."""
    try:
        at = system.descend(place, (FOLDER, PENDING))
    except OSError:
        return frozenset()
    try:
        return frozenset([name for name in system.names(at) if name[:1] != "."])
    finally:
        system.close(at)


def waits(place: str, key: str) -> bool:
    return file_name(key) in marks(place)


def add(place: str, keys: Iterable[str]) -> None:
    """Mark scripts as pending. OSError when it cannot be written: then nothing may run."""
    names = [file_name(key) for key in keys]
    if not names:
        return
    at = system.descend(place, (FOLDER, PENDING), create=True)
    try:
        for name in names:
            system.claim(name, at=at)
    finally:
        system.close(at)


def remove(place: str, key: str) -> None:
    """The script passed, or nothing is left for it."""
    try:
        at = system.descend(place, (FOLDER, PENDING))
    except OSError:
        return
    try:
        system.unlink(file_name(key), at=at)
    finally:
        system.close(at)
