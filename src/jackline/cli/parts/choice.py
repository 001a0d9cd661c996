"""Which session a command is about: the newest of the project, or the one a person names."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from jackline.cli.parts.setting import Setting
from jackline.store.session_index import SessionEntry, sessions

ALL = "all"


def option(function: Callable[..., Any]) -> Callable[..., Any]:
    """`--session`, as every command about one has it."""
    what = "Beginning of a session's id, or of the client's own; default: the newest of this project."
    return click.option("--session", "name", metavar="ID", default="", help=what)(function)


def chosen(setting: Setting, name: str) -> list[SessionEntry]:
    """The sessions meant, newest first: at most one, but for `all`. UsageError when a name means none or several."""
    here = sessions(setting.store, setting.root)
    if not name:
        return here[:1]
    if name == ALL:
        return here
    everywhere = here + [one for one in sessions(setting.store) if one.root != str(setting.root)]
    found = [one for one in everywhere if one.sid.startswith(name)] or [
        one for one in everywhere if one.key.startswith(name)
    ]
    if not found:
        raise click.UsageError(f"no session {name!r} · jackline sessions lists them")
    if len(found) > 1 and not (len({one.folder for one in found}) == 1 or found[0].sid == name):
        raise click.UsageError(f"{name!r} means {len(found)} sessions: {', '.join(one.sid for one in found[:5])}")
    return found[:1]


def one(setting: Setting, name: str) -> SessionEntry:
    """Exactly one session; UsageError when there is none."""
    found = chosen(setting, "" if name == ALL else name)
    if not found:
        raise click.UsageError(f"no session was seen in {setting.root} yet")
    return found[0]
