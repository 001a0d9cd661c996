"""`jackline gc`: remove old sessions, and what nothing leads to any more."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import click

from jackline import file_stat, folders, host, system
from jackline.cli.parts import person
from jackline.cli.parts.command import Command
from jackline.cli.parts.exits import DONE, FOUND
from jackline.cli.parts.printer import Printer, table, text
from jackline.cli.parts.setting import Setting, pass_setting
from jackline.cli.parts.verb import Verb
from jackline.cli.sessions import ago, forgotten, size
from jackline.hook_table import load
from jackline.runtime.hook_table_cache import hook_table
from jackline.runtime.request import Store
from jackline.services import compiled
from jackline.store import session_index
from jackline.store.ids import slot
from jackline.store.session_index import SessionEntry

VERB = Verb(
    group="Keep",
    order=10,
    brief="Remove old sessions",
    authority="human-only",
)

DAY_MS = 86_400_000
REPORT_DAYS = 30
"""Age at which a crash report goes."""


class Rubbish(NamedTuple):
    """What may go: sessions, hook tables of worktrees that are gone, crash reports, half-written files; each a path."""

    sessions: list[SessionEntry]
    wirings: list[str]
    reports: list[str]
    halves: list[str]


def expired(found: Sequence[SessionEntry], now: int, days: int, most: int) -> list[SessionEntry]:
    """Sessions that go: idle for longer than `days`, or beyond the newest `most` of their project. None that lives."""
    kept: dict[str, int] = {}
    gone = []
    for one in found:  # newest first
        count = kept.get(one.root, 0)
        old = now - (one.last or one.born) > days * DAY_MS
        if (old or count >= most) and not one.live:
            gone.append(one)
        else:
            kept[one.root] = count + 1
    return gone


def _wirings(setting: Setting) -> list[str]:
    """Hook tables of folders that are gone."""
    folder = f"{setting.store}/wirings"
    found = []
    for name in system.names(folder):
        table = load(f"{folder}/{name}") if name.endswith(".bin") else None
        if table is not None and table.root and slot(table.root) == name[:-4] and not system.is_dir(table.root):
            found.append(f"{folder}/{name}")
    return found


def _reports(setting: Setting, now: int) -> list[str]:
    folder = f"{setting.store}/crash"
    paths = [f"{folder}/{name}" for name in system.names(folder)]
    return [path for path in paths if now - file_stat.of(path)[1] // 1_000_000 > REPORT_DAYS * DAY_MS]


def _halves(folder: str, now: int) -> list[str]:
    """What killed processes left beside the files they were writing (see `system.replace`)."""
    found = []
    for name, kind in folders.entries(folder):
        path = f"{folder}/{name}"
        if kind == "d":
            found += _halves(path, now)
        elif name[0] == "." and name.endswith(".tmp") and now - file_stat.of(path)[1] // 1_000_000 > DAY_MS:
            found.append(path)
    return found


def find(setting: Setting, *, everywhere: bool, days: int | None, most: int | None) -> Rubbish:
    """What may go, by the project's configuration unless told otherwise."""
    limits = hook_table(Store(str(setting.store), dry=True), str(setting.root)).gc
    found = session_index.sessions(setting.store, None if everywhere else setting.root)
    now = host.now() // 1_000_000
    gone = expired(found, now, days or limits["maxAgeDays"], most or limits["maxSessions"])
    return Rubbish(gone, _wirings(setting), _reports(setting, now), _halves(str(setting.store), now))


def remove(rubbish: Rubbish) -> list[str]:
    """Remove it; what could not be, as sentences."""
    faults = []
    for one in rubbish.sessions:
        try:
            session_index.forget(one)
        except OSError as fault:
            if system.exists(one.folder):
                faults.append(f"{one.folder} · {fault.strerror or fault}")
            else:  # the worktree is gone: only the records were left
                for path in one.records:
                    system.unlink(path)
    beside = [f"{path[:-4]}.{end}" for path in rubbish.wirings for end in ("parts", "trusted", *compiled.KINDS)]
    for path in (*rubbish.wirings, *beside, *rubbish.reports, *rubbish.halves):
        system.unlink(path)
    return faults


def _show(printer: Printer, setting: Setting, rubbish: Rubbish, verb: str) -> None:
    now = host.now() // 1_000_000
    rows = [
        (
            text((one.sid, "head")),
            text((one.client or "unidentified", "name")),
            ago(one.last or one.born, now),
            size(one.size),
            setting.short(one.root),
        )
        for one in rubbish.sessions
    ]
    if rows:
        printer.show(table(["session", "client", "idle", "log", "project"], rows))
    counts = (
        (len(rubbish.sessions), "session"),
        (len(rubbish.wirings), "hook table"),
        (len(rubbish.reports), "crash report"),
        (len(rubbish.halves), "half-written file"),
    )
    told = ", ".join(f"{count} {name}{'s' if count > 1 else ''}" for count, name in counts if count)
    printer.line(f"{verb} {told}" if told else "Nothing is old enough to go.")


@click.command(
    cls=Command,
    shape={
        "sessions": ["str"],
        "wirings": ["str"],
        "reports": ["str"],
        "halves": ["str"],
        "faults": ["str"],
        "*": "any",
    },
    examples=[
        ("jackline gc --dry-run", "what would go"),
        ("jackline gc --everywhere --days 30", "sessions of every project, idle for a month"),
    ],
)
@click.option("--everywhere", is_flag=True, help="Sessions of every project.")
@click.option("--days", type=click.IntRange(min=1), help="Idle for longer than this; default: gc.maxAgeDays.")
@click.option("--keep", type=click.IntRange(min=1), help="At most so many a project; default: gc.maxSessions.")
@click.option("--dry-run", is_flag=True, help="Only show what would go.")
@click.option("--json", "as_json", is_flag=True, help="As data.")
@person.yes_option
@pass_setting
def command(
    setting: Setting, everywhere: bool, days: int | None, keep: int | None, dry_run: bool, as_json: bool, yes: bool
) -> int:
    """Remove sessions by age and count, hook tables of folders that are gone, old crash reports and half-written files.

    A session whose client still runs is never removed.
    """
    rubbish = find(setting, everywhere=everywhere, days=days, most=keep)
    printer = Printer()
    if not dry_run:
        count = len(rubbish.sessions)
        person.require(setting, "gc", yes=yes, ask=f"Remove {count} session{'s' * (count != 1)} and what is left over?")
    faults = [] if dry_run else remove(rubbish)
    if rubbish.sessions and not dry_run:
        forgotten(str(setting.store), [one.sid for one in rubbish.sessions])
    if as_json:
        printer.data(
            {
                **rubbish._replace(sessions=[])._asdict(),
                "sessions": [one.sid for one in rubbish.sessions],
                "faults": faults,
            }
        )
    else:
        _show(printer, setting, rubbish, "would remove" if dry_run else "removed")
        for fault in faults:
            printer.line(("✗ ", "bad"), fault)
    return FOUND if faults else DONE
