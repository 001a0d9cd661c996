"""`jackline lock`: run a command while nobody else holds the same lock of the task, and see who holds which."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from typing import Any, NoReturn

import click

from jackline import host, processes
from jackline.cli.parts import choice, person
from jackline.cli.parts.caller import caller, session_of
from jackline.cli.parts.command import Command, Family
from jackline.cli.parts.exits import DONE, FOUND
from jackline.cli.parts.printer import Printer, clean, foreign, table, text
from jackline.cli.parts.setting import Setting, pass_setting
from jackline.cli.parts.shape import Shape
from jackline.cli.parts.verb import Verb
from jackline.services import locks
from jackline.services.locks import Lock
from jackline.store import format
from jackline.store.session_index import SessionEntry

VERB = Verb(
    group="Look",
    order=120,
    brief="Run a command while nobody else holds the same lock of the task",
    authority="open",
)

LOCK: dict[str, Shape] = {"key": "str", "owner": "str", "pid": "int", "until": "int", "free": "bool", "*": "any"}
"""What is told of every lock."""

PAUSE_S = 0.1
"""How often `--wait` asks again."""
GRACE_S = 5.0
"""What a command has to end when its time is up."""
TIME_UP, NOT_RUN, NOT_FOUND, SIGNAL = 124, 126, 127, 128
"""Exit codes of a command that was ended or could not run, as `timeout` and shells have them."""


@click.group(
    cls=Family,
    examples=[
        ("jackline lock run db -- make migrate", "not while another agent migrates"),
        ("jackline lock list", "who holds which lock, and until when"),
    ],
)
def command() -> None:
    """Locks of a task keep agents from doing the same work at the same time."""


class Held(click.ClickException):
    """Somebody else has the lock."""

    exit_code = FOUND

    def __init__(self, lock: Lock) -> None:
        way = "do something else, or wait for it with --wait SECONDS"
        by = f"held by {lock.owner} (process {lock.pid}) until {_clock(lock.until)}"
        super().__init__(f"{lock.key} · {by} · {way}")
        self.lock = lock


def _work(session: SessionEntry) -> str:
    return str(session.state().get("core", {}).get("workId", "w001"))


def _clock(ms: int) -> str:
    return time.strftime("%H:%M:%S", time.localtime(ms / 1000))


def _wanted(setting: Setting, key: str, owner: str, minutes: float) -> Lock:
    """The lock as we would hold it."""
    now, pid = host.now() // 1_000_000, host.pid()
    until = now + int(minutes * 60_000)
    where = locks.here(str(setting.store))
    return Lock(key, owner, pid, processes.start_ticks(pid), where, now, until, host.entropy(8).hex())


def _taken(
    setting: Setting, session: SessionEntry, work: str, key: str, owner: str, minutes: float, wait: float
) -> Lock:
    """Our lock; `Held` says who has it, when it was not to be had in time."""
    format.check(str(setting.store))
    until = time.monotonic() + wait
    while True:
        wanted = _wanted(setting, key, owner, minutes)
        try:
            found = locks.take(session.folder, work, wanted)
        except ValueError as fault:
            raise click.UsageError(str(fault)) from None
        if found.token == wanted.token:
            return found
        if time.monotonic() >= until:
            raise Held(found)
        time.sleep(PAUSE_S)


def _row(setting: Setting, one: Lock) -> dict[str, Any]:
    """A lock as data; `free`: it may be taken over."""
    free = one.is_free(locks.here(str(setting.store)), host.now() // 1_000_000)
    told = {"key": one.key, "owner": one.owner, "pid": one.pid, "since": one.since, "until": one.until}
    return {**told, "free": free}


def _fail(code: int, words: str) -> int:
    sys.stderr.write(clean(words) + "\n")
    return code


def _start(words: tuple[str, ...]) -> subprocess.Popen[bytes]:
    """The command, in a group of its own unless a person may type into it."""
    group = None if sys.stdin is not None and sys.stdin.isatty() else 0
    return subprocess.Popen(words, process_group=group)


def _tell(child: subprocess.Popen[bytes], number: int) -> None:
    """A signal for the command, and for what it started where it has a group."""
    try:
        if os.getpgid(child.pid) == child.pid:
            os.killpg(child.pid, number)
        else:
            child.send_signal(number)
    except (ProcessLookupError, PermissionError):
        return


def _attend(child: subprocess.Popen[bytes], until: int) -> int:
    """See a command to its end, or end it when its time is up: somebody else may take the lock then."""

    def passed_on(number: int, _: object) -> None:
        _tell(child, number)

    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
        signal.signal(number, passed_on)
    try:
        code = child.wait(max(until / 1000 - time.time(), 0))
    except subprocess.TimeoutExpired:
        _tell(child, signal.SIGTERM)
        try:
            child.wait(GRACE_S)
        except subprocess.TimeoutExpired:
            _tell(child, signal.SIGKILL)
            child.wait()
        return _fail(TIME_UP, f"the command was ended: its lock ended at {_clock(until)} · --minutes gives it longer")
    return code if code >= 0 else SIGNAL - code


def _run(session: SessionEntry, work: str, mine: Lock, words: tuple[str, ...]) -> int:
    """Run a command that holds our lock, and give the lock back."""
    try:
        try:
            child = _start(words)
        except FileNotFoundError:
            return _fail(NOT_FOUND, f"{words[0]} · there is no such command · nothing was run")
        except (OSError, ValueError) as fault:
            return _fail(NOT_RUN, f"{words[0]} · {fault} · nothing was run")
        mine = locks.hand_on(session.folder, work, mine, child.pid)
        return _attend(child, mine.until)
    finally:
        locks.give_back(session.folder, work, mine)


@command.command(
    cls=Command,
    shape={**LOCK, "taken": "bool"},
    context_settings={"allow_interspersed_args": False, "ignore_unknown_options": False},
    examples=[
        ("jackline lock run db -- make migrate", "its exit code is that of the command"),
        ("jackline lock run --minutes 5 --wait 60 scan -- ./scan.sh", "wait a minute for it, hold it five at most"),
    ],
)
@click.argument("key", metavar="KEY")
@click.argument("words", metavar="-- COMMAND…", nargs=-1, required=True, type=click.UNPROCESSED)
@click.option("--minutes", type=click.FloatRange(0, locks.MINUTES, min_open=True), default=30, help="How long at most.")
@click.option("--wait", type=click.FloatRange(0, 3600), default=0, metavar="SECONDS", help="Wait so long for it.")
@click.option("--agent", metavar="ID", default="", help="Who asks, as a01; shown to others.")
@click.option("--json", "as_json", is_flag=True, help="Who holds it, as data, where it is not to be had.")
@choice.option
@pass_setting
def run(
    setting: Setting,
    key: str,
    words: tuple[str, ...],
    minutes: float,
    wait: float,
    agent: str,
    name: str,
    as_json: bool,
) -> NoReturn:
    """Run COMMAND while nobody else holds KEY; exit with its code, or 1 when somebody does.

    The command is an argument list, no shell reads it. It is ended when its time is up, since another may have the
    lock then. A lock whose process is gone, or whose time is past, is taken over.
    """
    words = words[1:] if words[0] == "--" else words
    if not words:
        raise click.UsageError("no command behind KEY")
    who = caller(setting)
    session = session_of(setting, who, name)
    owner = f"{agent or ('an agent' if who.agent else person.name())} in session {session.sid}"
    work = _work(session)
    try:
        mine = _taken(setting, session, work, key, owner, minutes, wait)
    except Held as fault:
        if not as_json:
            raise
        Printer().data({**_row(setting, fault.lock), "taken": False})
        raise click.exceptions.Exit(FOUND) from None
    raise click.exceptions.Exit(_run(session, work, mine, words))


@command.command(name="list", cls=Command, shape=[LOCK], examples=[("jackline lock list --json", "as data")])
@choice.option
@click.option("--json", "as_json", is_flag=True, help="As data.")
@pass_setting
def list_(setting: Setting, name: str, as_json: bool) -> int:
    """List the locks of the task, and whether they may be taken over."""
    session = choice.one(setting, name)
    rows = [_row(setting, one) for one in locks.known(session.folder, _work(session))]
    printer = Printer()
    if as_json:
        printer.data(rows)
        return DONE
    if not rows:
        printer.line("nobody holds a lock")
        return DONE
    shown = [
        (
            text((row["key"], "name")),
            foreign(row["owner"]),
            str(row["pid"]),
            _clock(row["until"]),
            text(("free", "allow") if row["free"] else ("held", "ask")),
        )
        for row in rows
    ]
    printer.show(table(["key", "by", "process", "until", ""], shown))
    return DONE
