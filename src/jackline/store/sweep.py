"""Remove what killed processes left beside the files they were writing."""

from __future__ import annotations

from jackline import file_stat, system

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jackline.store.sessions import Place

FOLDERS = ("agents", "turns", "calls")
AGE_NS = 60_000_000_000
"""Nobody writes one file for so long."""


def _sweep(at: int, now: int) -> None:
    for name in system.names(at):
        if name[0] == "." and name.endswith(".tmp") and now - file_stat.modified_ns(at, name) > AGE_NS:
            system.unlink(name, at=at)


def sweep(place: Place, now: int) -> None:
    """Sweep a session's folder and those below it in which files are claimed."""
    _sweep(place.fd, now)
    for folder in FOLDERS:
        try:
            at = system.descend_at(place.fd, folder)
        except OSError:
            continue
        try:
            _sweep(at, now)
        finally:
            system.close(at)
