"""Counts and firsts as files claimed one by one: no counter is ever read, changed and written back."""

from __future__ import annotations

from jackline import system

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jackline.store.sessions import Place


def _folder(place: Place, name: str) -> int:
    try:
        return system.descend_at(place.fd, name)
    except FileNotFoundError:
        return system.descend_at(place.fd, name, create=True)


def first(place: Place, kind: str, name: str, data: bytes = b"") -> bool:
    """Whether nobody in this session claimed `kind/name` before: it is ours then. True when it cannot be told."""
    try:
        folder = _folder(place, kind)
    except OSError:
        return True
    try:
        return system.claim(name, data, at=folder)
    except OSError:
        return True
    finally:
        system.close(folder)


def next_number(place: Place, kind: str, prefix: str, start: int = 1, limit: int = 100_000, data: bytes = b"") -> int:
    """Claim and return the lowest free number at or above `start`; 0 when `limit` of them are taken."""
    folder = _folder(place, kind)
    try:
        number = start
        while number < start + limit:
            if system.claim(f"{prefix}{number}", data, at=folder):
                return number
            number += 1
        return 0
    finally:
        system.close(folder)


def read(place: Place, kind: str, name: str, limit: int = 1 << 20) -> bytes:
    """What a claim holds; empty when there is none."""
    try:
        folder = system.descend_at(place.fd, kind)
    except OSError:
        return b""
    try:
        return system.read(name, at=folder, limit=limit, follow=False)
    except OSError:
        return b""
    finally:
        system.close(folder)


def write(place: Place, kind: str, name: str, data: bytes) -> None:
    """Say something anew, whatever was claimed before. OSError when it cannot be written."""
    folder = _folder(place, kind)
    try:
        system.replace(name, data, at=folder)
    finally:
        system.close(folder)
