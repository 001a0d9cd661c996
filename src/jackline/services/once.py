"""What is done once in a session, whoever of several comes first: a mark for each in its folder `once`."""

from __future__ import annotations

from jackline import system

FOLDER = ("once",)


def is_first(session: str, mark: str) -> bool:
    """Whether nobody did this in the session before: it is done now. OSError when that cannot be noted."""
    at = system.descend(session, FOLDER, create=True)
    try:
        return system.claim(mark, at=at)
    finally:
        system.close(at)


def may_tell(session: str, mark: str) -> bool:
    """The same for something to be told: what cannot be noted is not told, else it would be at every event."""
    try:
        return is_first(session, mark)
    except OSError:
        return False


def was_before(session: str, mark: str) -> bool:
    """Whether somebody did this in the session."""
    try:
        at = system.descend(session, FOLDER)
    except OSError:
        return False
    try:
        return system.exists_at(at, mark)
    finally:
        system.close(at)
