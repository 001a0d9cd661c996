"""A person's word: verbs that loosen something ask by themselves for a human while a client lives (design section 9).

What is decided of whom stands in `policy.person`; here its facts are gathered, and whoever is refused or asked for a
code is told what to type. Without a session that lives only `--yes` is needed where there is no terminal.
"""

from __future__ import annotations

import os
import pwd
import shlex
import sys
from collections.abc import Callable
from typing import Any

import click

from jackline import host, processes
from jackline.cli.parts.exits import FOUND, WRONG
from jackline.cli.parts.printer import clean
from jackline.cli.parts.setting import Setting
from jackline.clients.marks import mark_of
from jackline.clients.router import process_client
from jackline.policy.person import Facts, Finding, decide
from jackline.store import authority, codes, format
from jackline.store.approvals import TRIES
from jackline.store.session_index import living

SAFER = "run it in a terminal that no agent started (not inside the client, nor in its integrated terminal)"
VOUCHER = "JACKLINE_PROMPT"
"""The variable in which a typed prompt's process has its word."""
PASSED = "jackline.person"
"""Where a command notes that a person spoke: a code and a word count once, a command may ask twice."""


class Refused(click.ClickException):
    """Somebody who may not have asked."""

    exit_code = WRONG


def has_terminal() -> bool:
    """Whether this process has a controlling terminal (a redirected stdin is no matter)."""
    try:
        os.close(os.open("/dev/tty", os.O_RDWR | os.O_NOCTTY | os.O_CLOEXEC))
    except OSError:
        return False
    return True


def _facts(setting: Setting) -> Facts:
    chain = host.lineage(limit=64)
    made = processes.terminal_made(chain[0].terminal) if chain else 0
    return Facts(chain, living(setting.store), mark_of(setting.env), made)


def finding(setting: Setting) -> Finding:
    """What the processes above us, our terminal and the sessions that live say of who speaks."""
    return decide(_facts(setting))


def _told(setting: Setting, found: Finding) -> tuple[str, str]:
    """The session that a finding is about, and its client's process, as a person knows them."""
    session, process = found.session, found.process
    if session is None:
        return "", ""
    client = session.client or (process_client(process) or process.name if process is not None else "a client")
    return f"session {session.sid} ({client} in {setting.short(session.root)}, pid {session.pid})", client


def _typed(verb: str) -> str:
    """The command as it was typed, for who is to type it elsewhere."""
    words = [clean(word) for word in sys.argv[1:]]
    return f"jackline {shlex.join(words)}" if words else f"jackline {verb}"


def objection(setting: Setting, verb: str, found: Finding) -> str:
    """Why an agent seems to ask for `verb`, "" when none does. Three parts: what, rule, what a person types instead."""
    if found.answer != "refuse" or found.session is None:
        return ""
    session, client = _told(setting, found)
    why = {
        "below": f"below {client} (pid {found.session.pid}), which has session {found.session.sid}",
        "mark": f"${mark_of(setting.env)} marks a model's shell, and {session} is alive",
        "terminal": f"no terminal, and {session} is alive",
    }[found.why]
    return (
        f"`jackline {verb}` is a human-only command · {why} · {SAFER}, or type `{_typed(verb)}` as a prompt "
        "in that session"
    )


WHY = {
    "young": "is older than this terminal",
    "orphan": "is alive, and this command was not started from its own terminal",
    "editor": "runs in the program that made this terminal",
}


def _ask_code(setting: Setting, verb: str, found: Finding) -> None:
    """Let nobody pass but who knows the code that a client shows to its person."""
    from jackline.compiler import bundle_sums

    bundle_sums.renew(str(setting.store))  # an entry point of the version before knows of no code
    session, _ = _told(setting, found)
    pid = found.session.pid if found.session is not None else 0
    say(f"`jackline {verb}` is a human-only command · {session} {WHY[found.why]}")
    say(f"Type `jackline code` there as a prompt: it shows a code to you alone. Or type `{_typed(verb)}` there.")
    say(f"Where nobody can type there: use a terminal that was open before it, or end it first (kill {pid}).")
    for left in range(TRIES - 1, -1, -1):
        typed = answered("code: ")
        if not typed:
            raise Declined
        code = codes.spend(str(setting.store), typed, host.now() // 1_000_000)
        if code is not None:
            authority.append(str(setting.store), "CODE_USED", name(), {"sid": code.sid, "verb": verb})
            return
        say(f"no session showed this code, or its time is over · {left} more tries")
    raise Refused(f"`jackline {verb}` · three wrong codes · type `jackline code` in the session for a new one")


def is_vouched(setting: Setting) -> bool:
    """Whether a typed prompt of a session started this very command line."""
    word, line = setting.env.get(VOUCHER, ""), codes.line(str(setting.root), sys.argv[1:])
    return bool(word) and codes.honour(str(setting.store), word, line, host.now() // 1_000_000) is not None


def allowed(setting: Setting, verb: str, *, code: bool = True) -> None:
    """Raise `Refused` when an agent seems to ask, and `Newer` when this version may not write.

    `code`: who needs one is asked for it; without, they pass, since what they typed is one.
    """
    notes = click.get_current_context().find_root().meta
    if PASSED not in notes:
        if is_vouched(setting):
            notes[PASSED] = "prompt"
        else:
            found = finding(setting)
            why = objection(setting, verb, found)
            if why:
                raise Refused(why)
            if found.answer == "code" and code:
                _ask_code(setting, verb, found)
            notes[PASSED] = "terminal"
    format.check(str(setting.store))


def require(setting: Setting, verb: str, *, yes: bool, ask: str = "", need: str = "--yes") -> None:
    """Let a person pass: nobody else, and after a question (`ask`) where there is a terminal to answer on."""
    allowed(setting, verb)
    typed = click.get_current_context().find_root().meta[PASSED] == "prompt"
    if yes or (typed and not ask):
        return
    if not has_terminal():
        asked = f"{clean(ask)} · " if ask else ""
        raise Refused(f"`jackline {verb}` · {asked}no terminal to ask on · add {need} to say that a person wants it")
    if ask and not confirmed(ask):
        raise Declined


class Declined(click.ClickException):
    """The person said no."""

    exit_code = FOUND

    def __init__(self) -> None:
        super().__init__("nothing was changed")


def confirmed(question: str) -> bool:
    """Ask on the controlling terminal, whatever stdin is; only y and yes are a yes."""
    return answered(f"{clean(question)} [y/N] ").lower() in ("y", "yes")


def answered(question: str) -> str:
    """A line that the person types on the controlling terminal; "" where they type none."""
    with open("/dev/tty", "r+b", buffering=0) as terminal:
        terminal.write(question.encode())
        return terminal.readline(64).decode("utf-8", "replace").strip()


def say(words: str) -> None:
    """A sentence on the controlling terminal, wherever our output goes."""
    with open("/dev/tty", "wb", buffering=0) as terminal:
        terminal.write(clean(words).encode() + b"\n")


def name() -> str:
    """Who speaks, for the records of what was allowed."""
    try:
        return pwd.getpwuid(os.getuid()).pw_name
    except KeyError:
        return str(os.getuid())


def yes_option(function: Callable[..., Any]) -> Callable[..., Any]:
    """`--yes`, as every person verb has it."""
    return click.option("--yes", is_flag=True, help="Do not ask; needed where there is no terminal.")(function)
