"""What sub-agents leave for others: real files in a folder of their own, `<feature>/output/<folder>/<type>/<agent>/`.

A sub-agent may write there, so a file is words of an agent. It is read through no link, whole or not at all, and
bounded.
"""

from __future__ import annotations

from jackline import system
from jackline.jsonio import loads
from jackline.store.sessions import safe_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import NamedTuple
else:
    from jackline._record import NamedTuple

LIMIT = 1 << 20
"""Bytes of one output."""


class Output(NamedTuple):
    """One file: its content, or why there is none to take (`fault`)."""

    name: str
    data: bytes = b""
    fault: str = ""


def parts(feature: str, folder: str, kind: str, agent: str) -> tuple[str, ...]:
    """The way from the session's folder to that of a sub-agent, name by name; a type that is no name has a digest."""
    return (feature, "output", safe_name(folder), safe_name(kind), agent)


def make_folder(session: str, way: tuple[str, ...]) -> str:
    """Make a sub-agent's folder; "" when it is there, else why not. Then the agent makes it."""
    try:
        system.close(system.descend(session, way, create=True))
    except OSError as fault:
        return fault.strerror or str(fault)
    return ""


# --- reading -----------------------------------------------------------------------------------------------------


def _fault(name: str, data: bytes, judged: Sequence[str]) -> str:
    """What is wrong with a content whatever it is for. `judged`: names of those that have rules of their own."""
    if not data.strip():
        return "is empty"
    if name.endswith(".json") and name not in judged:
        try:
            loads(data.decode("utf-8-sig"))
        except (ValueError, RecursionError):
            return "is no JSON"
    return ""


def _look(at: int, name: str, judged: Sequence[str]) -> Output:
    """A regular file below an open folder; no link is followed, no pipe waited for."""
    try:
        if system.size_at(at, name) > LIMIT:
            return Output(name, fault=f"is larger than {LIMIT >> 20} MB")
        data = system.read(name, at=at, limit=LIMIT + 1, follow=False)
    except FileNotFoundError:
        return Output(name, fault="is not there")
    except OSError as fault:
        return Output(name, fault="is a link, and none is followed" if fault.errno == 40 else "is no regular file")
    return Output(name, data, _fault(name, data, judged))


def read(
    session: str, way: tuple[str, ...], names: Sequence[str], more: Sequence[str] = (), judged: Sequence[str] = ()
) -> list[Output]:
    """Files of a sub-agent by name, as they are; those of `more` only where they are there."""
    try:
        at = system.descend(session, way)
    except OSError:  # no folder, or a link on the way to it
        return [Output(name, fault="is not there") for name in names]
    try:
        here = [name for name in more if name not in names and system.exists_at(at, name)]
        return [_look(at, name, judged) for name in (*names, *here)]
    finally:
        system.close(at)


def every(session: str, way: tuple[str, ...], most: int) -> list[Output]:
    """All that a sub-agent left in its folder, by name, hidden files aside; at most so many."""
    try:
        at = system.descend(session, way)
    except OSError:
        return []
    try:
        return [_look(at, name, ()) for name in [name for name in system.names(at) if name[0] != "."][:most]]
    finally:
        system.close(at)
