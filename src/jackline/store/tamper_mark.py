"""The mark that our entries were changed behind our back: what changes things waits for a person (design section 5).

Its first line says what was found; each further one names a file, and behind a tab the clients that read it.
"""

from __future__ import annotations

from jackline import system

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import NamedTuple
else:
    from jackline._record import NamedTuple

NAME = "tampered"
LIMIT = 1 << 16
BACK = "`jackline doctor --repair` puts them back"


class File(NamedTuple):
    """A client's file that is not as we left it, and the clients that read it, with blanks between them."""

    path: str
    client: str


def _lines(store: str) -> list[str]:
    path = f"{store}/{NAME}"
    if not system.exists(path):
        return []
    try:
        found = system.read(path, limit=LIMIT).decode("utf-8", "replace").strip().split("\n")
    except OSError:
        found = [""]
    return [found[0] or "hook configuration was changed", *found[1:]]


def read(store: str) -> str:
    """What was found changed; "" when nothing is marked."""
    lines = _lines(store)
    return lines[0] if lines else ""


def files(store: str) -> list[File]:
    """The files it was found in; none where that is not known."""
    return [File(path, client) for path, tab, client in [line.partition("\t") for line in _lines(store)[1:]] if tab]


def ways(found: Iterable[File]) -> str:
    """The two ways on, as a person types them."""
    told = [BACK]
    for clients in dict.fromkeys([one.client for one in found]):
        names = " ".join([f"--client {name}" for name in clients.split()])
        told.append(f"`jackline uninstall {names}` leaves them out")
    return ", ".join(told)


def mark(store: str, what: str, found: Sequence[File] = ()) -> None:
    lines = [what.replace("\n", " "), *[f"{one.path}\t{one.client}" for one in found if "\n" not in one.path]]
    system.replace(f"{store}/{NAME}", "\n".join(lines).encode("utf-8", "replace"))


def clear(store: str) -> None:
    """A person looked and chose (`jackline doctor --repair`, `jackline uninstall`)."""
    system.unlink(f"{store}/{NAME}")
