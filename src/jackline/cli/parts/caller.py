"""Who runs a command: an agent, from the session whose client started it, or a person."""

from __future__ import annotations

from typing import NamedTuple

from jackline import host
from jackline.cli.parts import choice, person
from jackline.cli.parts.setting import Setting
from jackline.clients.marks import mark_of
from jackline.policy.person import above
from jackline.store.session_index import SessionEntry, living, newest


class Caller(NamedTuple):
    """`agent`: an agent seems to speak, from `session` where that is known."""

    agent: bool
    session: SessionEntry | None = None


def _newest(setting: Setting, found: list[SessionEntry]) -> SessionEntry | None:
    """Of several sessions in one client, that of this project that was heard last."""
    here = [one for one in found if one.root == str(setting.root)] or found
    return newest(here)


def caller(setting: Setting) -> Caller:
    """Look at the processes above us, nearest first, and at the marks of a model's shell."""
    live = living(setting.store)
    at, _ = above(chain := host.ancestors(limit=64), live)
    if at >= 0:
        return Caller(True, _newest(setting, [one for one in live if (one.pid, one.start) == chain[at][:2]]))
    if live and mark_of(setting.env):
        return Caller(True, _newest(setting, [one for one in live if one.root == str(setting.root)]))
    return Caller(False)


def session_of(setting: Setting, who: Caller, name: str) -> SessionEntry:
    """The session a command is about: an agent's own, or the one a person means."""
    if not who.agent:
        return choice.one(setting, name)
    if who.session is None:
        raise person.Refused("the session you run in is not known here · ask the person to do it with --session")
    if name and not who.session.sid.startswith(name):
        raise person.Refused(f"session {name} is not yours ({who.session.sid} is) · leave out --session")
    return who.session
