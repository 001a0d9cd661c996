"""The mark that our entries were changed behind our back: what changes things waits for a person (design section 5)."""

from __future__ import annotations

from jackline import system

NAME = "tampered"


def read(store: str) -> str:
    """What was found changed; "" when nothing is marked."""
    path = f"{store}/{NAME}"
    if not system.exists(path):
        return ""
    try:
        return system.read(path, limit=4096).decode("utf-8", "replace").strip() or "hook configuration was changed"
    except OSError:
        return "hook configuration was changed"


def mark(store: str, what: str) -> None:
    system.replace(f"{store}/{NAME}", what.encode("utf-8", "replace"))


def clear(store: str) -> None:
    """A person looked and repaired (`jackline doctor --repair`)."""
    system.unlink(f"{store}/{NAME}")
