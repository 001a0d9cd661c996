"""A person's word: verbs that loosen something refuse by themselves when an agent seems to speak (design section 9).

Refused below a client's process that a live session of this store recorded, and where the environment carries a mark
of a model's shell while any session lives; without a controlling terminal `--yes` is needed.
"""

from __future__ import annotations

import os
import pwd
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import click

from jackline import host
from jackline.adapters.marks import mark_of
from jackline.adapters.router import process_client
from jackline.cli.exits import FOUND, WRONG
from jackline.cli.printer import clean
from jackline.cli.setting import Setting
from jackline.processes import Process
from jackline.store import format
from jackline.store.listing import Listed, living

VERBS = (
    "approve",
    "reject",
    "trust",
    "uninstall",
    "pause",
    "eject",
    "gc",
    "state rebuild",
    "work new",
    "sessions forget",
    "guard allow",
    "intents expand",
    "intents new",
    "intents status (opening an intent)",
    "doctor --repair",
    "init (changing an existing entry)",
)
"""The verbs of this version that are a person's."""

NEVER = frozenset(
    (
        *("systemd", "init", "login", "sshd", "sshd-session", "su", "sudo", "tmux", "tmux: server", "screen", "SCREEN"),
        *("zellij", "script", "gnome-terminal-", "konsole", "kitty", "alacritty", "xterm", "wezterm-gui", "foot"),
        *("terminator", "tilix", "ghostty", "urxvt", "xfce4-terminal", "ptyxis-agent", "Terminal", "iTerm2"),
    )
)
"""Processes that are no client even where one was recorded: somebody tried the door by hand below them. Counting them
would lock the person out of the whole terminal."""

SAFER = "run it in a terminal that no agent started (not inside the client, nor in its integrated terminal)"


class Refused(click.ClickException):
    """Somebody who may not have asked."""

    exit_code = WRONG


def _named(process: Process, session: Listed) -> str:
    return session.client or process_client(process) or process.name


def objection(verb: str, live: Sequence[Listed], ancestors: Sequence[Process], env: Mapping[str, str]) -> str:
    """Why an agent seems to ask for `verb`, "" when nothing speaks for it. Three parts: what, rule, safer way."""
    by_process = {(one.pid, one.start): one for one in live}
    for process in ancestors:
        session = by_process.get((process.pid, process.start))
        if session is not None and process.name not in NEVER:
            why = f"below {_named(process, session)} (pid {process.pid}), which has session {session.sid}"
            return f"`jackline {verb}` is a person's verb · {why} · {SAFER}"
    mark = mark_of(env) if live else ""
    if mark:
        why = f"${mark} marks a model's shell, and session {live[0].sid} ({live[0].client}) is alive"
        return f"`jackline {verb}` is a person's verb · {why} · {SAFER}"
    return ""


def has_terminal() -> bool:
    """Whether this process has a controlling terminal (a redirected stdin is no matter)."""
    try:
        os.close(os.open("/dev/tty", os.O_RDWR | os.O_NOCTTY | os.O_CLOEXEC))
    except OSError:
        return False
    return True


def allowed(setting: Setting, verb: str) -> None:
    """Raise `Refused` when an agent seems to ask, and `Newer` when this version may not write."""
    ancestors = host.ancestors(limit=64)
    why = objection(verb, living(setting.store), ancestors, setting.env)
    if why:
        raise Refused(why)
    format.check(str(setting.store))


def require(setting: Setting, verb: str, *, yes: bool, ask: str = "", need: str = "--yes") -> None:
    """Let a person pass: nobody else, and after a question (`ask`) where there is a terminal to answer on."""
    allowed(setting, verb)
    if yes:
        return
    if not has_terminal():
        raise Refused(f"`jackline {verb}` · no terminal to ask on · add {need} to say that a person wants it")
    if ask and not confirmed(ask):
        raise Declined


class Declined(click.ClickException):
    """The person said no."""

    exit_code = FOUND

    def __init__(self) -> None:
        super().__init__("nothing was changed")


def confirmed(question: str) -> bool:
    """Ask on the controlling terminal, whatever stdin is; only y and yes are a yes."""
    with open("/dev/tty", "r+b", buffering=0) as terminal:
        terminal.write(f"{clean(question)} [y/N] ".encode())
        answer = terminal.readline(64)
    return answer.strip().lower() in (b"y", b"yes")


def name() -> str:
    """Who speaks, for the records of what was allowed."""
    try:
        return pwd.getpwuid(os.getuid()).pw_name
    except KeyError:
        return str(os.getuid())


def yes_option(function: Callable[..., Any]) -> Callable[..., Any]:
    """`--yes`, as every person verb has it."""
    return click.option("--yes", is_flag=True, help="Do not ask; needed where there is no terminal.")(function)
