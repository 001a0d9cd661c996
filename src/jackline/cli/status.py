"""`jackline status`: one screen on what holds here now, judged by events seen and not by what is configured."""

from __future__ import annotations

from typing import Any, NamedTuple

import click

from jackline import host, system
from jackline.cli.parts import logbreaks, subfolders, tampering
from jackline.cli.parts.command import Command
from jackline.cli.parts.exits import DONE, FOUND
from jackline.cli.parts.printer import Printer, table, text
from jackline.cli.parts.setting import Setting, pass_setting
from jackline.cli.parts.trustwatch import watched
from jackline.cli.parts.verb import Verb
from jackline.cli.sessions import ago
from jackline.clients.specs import SPEAKS
from jackline.compiler import bundle_sums, unit_words
from jackline.compiler.collect import survey
from jackline.hook_table import load, path_of
from jackline.install import activity, doctor, installs, precommit, restore
from jackline.install.installs import Install
from jackline.model import EVENTS
from jackline.runtime.hook_table_cache import hook_table
from jackline.runtime.request import Store
from jackline.store import approvals, pauses, session_index, tamper_mark
from jackline.version import VERSION

VERB = Verb(
    group="Begin",
    order=40,
    brief="One screen: clients, last events, trust, pauses",
    authority="open",
)

Row = tuple[str, str, str]
"""What it is about, how it is (good, warn, bad, quiet), and a sentence."""


GRADES = {"ok": "good", "warn": "warn", "bad": "bad"}


class Client(NamedTuple):
    """One client's entries: where they stand, what is missing or changed and what to do, the last event seen (ms)."""

    client: str
    scope: str
    path: str
    entries: int
    differences: list[str]
    cure: str
    last: int


def clients(setting: Setting) -> list[Client]:
    """What is installed and concerns this project."""
    found = []
    for install in installs.load(setting.store):
        if install.root and install.root != str(setting.root):
            continue
        wrong = [f"{one.event or 'file'} {one.what}" for one in restore.compare(install, setting.store)]
        cure = tamper_mark.ways([tamper_mark.File(install.path, install.client)]) if wrong else ""
        for name in install.client.split():
            last = int(activity.last(setting.store, name) * 1000)
            found.append(Client(name, install.scope, install.path, len(install.wanted), wrong, cure, last))
    return found


def _client(setting: Setting, one: Client, now: int) -> Row:
    where = f"{one.scope} · {setting.short(one.path)}"
    if one.differences:
        some = ", ".join(one.differences[:3]) + (" …" if len(one.differences) > 3 else "")
        return one.client, "bad", f"{some} in {setting.short(one.path)} · {one.cure}"
    if not one.last:
        return one.client, "warn", f"configured, but no event was ever seen · {where}"
    return one.client, "good", f"last event {ago(one.last, now)} ago · {where}"


def _project(setting: Setting) -> list[Row]:
    found = survey(str(setting.root), str(setting.store))
    watching: list[Row] = [("trust", "warn", line) for line in watched(str(setting.store), str(setting.root))]
    if not found.standings and not found.told:
        return [("trust", "quiet", "nothing here needs it"), *watching]
    released = found.branch.record.released if found.branch else ()
    left: list[Row] = [("trust", "quiet", line) for line in unit_words.left(found.standings, released)]
    told = found.told
    if not told:
        count = sum(one.state == "trusted" for one in found.standings)
        return [("trust", "good", f"{count} unit{'s' * (count != 1)} of this project trusted"), *left, *watching]
    return [*[("trust", "bad" if found.holds else "warn", line) for line in told], *left, *watching]


def _table(setting: Setting) -> list[Row]:
    kept = load(path_of(str(setting.store), setting.slot))
    table = hook_table(Store(str(setting.store), dry=True), str(setting.root))
    count = len({row.slug for event in EVENTS for row in table.rows(event)})
    if table.faults:
        what = "not all of it compiles; what does not is in force as it was before"
        return [("hook table", "bad", f"{what} · {table.faults[0]}")]
    observed = sorted({row.slug for event in EVENTS for row in table.rows(event) if row.mode != "enforce"})
    modes = f"; not enforcing: {', '.join(observed)}" if observed else ""
    fresh = "" if kept is not None else "; compiled at the first event"
    return [("hook table", "warn" if observed else "good", f"{count} features{modes}{fresh}")]


def _foreign_entry_point(setting: Setting) -> Row:
    """Why the entry point's files are none that this version wrote."""
    if bundle_sums.is_current(str(setting.store)):
        return ("entry-point", "bad", f"a file of it in {setting.short(setting.store)} is damaged · jackline compile")
    return (
        "entry-point",
        "warn",
        "it is of another version of Jackline or Python than this command · jackline compile",
    )


def _entry_point(setting: Setting) -> list[Row]:
    """Whether anything answers: what clients start is there, and as this version writes it."""
    store = str(setting.store)
    found: list[Row] = [
        ("entry-point", GRADES[one.grade], f"{one.what} · {one.cure}")
        for one in [*doctor.interpreter(setting.store), *doctor.environment(setting.store, setting.env)]
        if one.grade != "ok"
    ]
    if not system.exists(f"{store}/door.py"):
        found.append(("entry-point", "bad", f"{setting.short(store)}/door.py is gone: no hook answers · jackline init"))
    elif not bundle_sums.intact(store):
        found.append(_foreign_entry_point(setting))
    return found


def _below(setting: Setting) -> list[Row]:
    """Hooks of folders below the root: they are trusted by themselves."""
    found: list[Row] = []
    for part in subfolders.parts(setting):
        grade = "bad" if part.table.holds else "warn"
        told = part.lines(part.table.told)
        found += [("trust", grade, line) for line in told]
        if not told:
            found.append(("trust", "good", f"the hooks of {part.inner} are added for calls below it"))
    return found


def _git_hook(setting: Setting) -> list[Row]:
    kept = load(path_of(str(setting.store), setting.slot))
    found = precommit.diagnose(kept, setting.root, setting.store, setting.env)
    return [
        ("git hook", GRADES[one.grade], one.what + (f" · {one.cure}" if one.cure and one.grade != "ok" else ""))
        for one in found
    ]


def _sessions(setting: Setting, now: int) -> list[Row]:
    found = session_index.sessions(setting.store, setting.root)
    alive = sum(one.live for one in found)
    if not found:
        return [("sessions", "quiet", "none was seen here yet")]
    last = f"the newest {found[0].sid}, seen {ago(found[0].last, now)} ago" if found[0].last else "none with a log"
    return [("sessions", "quiet", f"{alive} alive, {len(found) - alive} ended; {last}")]


def _mine(setting: Setting) -> list[Install]:
    return [one for one in installs.load(setting.store) if one.root in ("", str(setting.root))]


def rows(setting: Setting) -> list[Row]:
    """Everything there is to say, in a fixed order."""
    now = host.now() // 1_000_000
    store = str(setting.store)
    if not system.is_dir(store):
        return [("store", "bad", f"{setting.short(store)} is not there · jackline init")]
    found = [_client(setting, one, now) for one in clients(setting)]
    if not found:
        found.append(("clients", "bad", "nothing is installed for this project or this person · jackline init"))
    found += _entry_point(setting) + _project(setting) + _below(setting)
    found += _table(setting) + _git_hook(setting) + _sessions(setting, now)
    found += logbreaks.status(setting)
    found += [("paused", "warn", pauses.words(one, now)) for one in pauses.load(store, now, str(setting.root))]
    waits = len(approvals.waiting(store, now))
    if waits:
        found.append(("approvals", "warn", f"{waits} call{'s wait' if waits > 1 else ' waits'} · jackline approvals"))
    mark = tampering.sentence(setting)
    if mark:
        found.append(("TAMPERED", "bad", mark))
    for finding in doctor.drift(setting.site, setting.store, _mine(setting)):
        if finding.grade != "ok":
            found.append(("drift", GRADES[finding.grade], f"{finding.what} · {finding.cure}"))
    return found


SIGNS = {"good": "✓", "warn": "!", "bad": "✗", "quiet": "·"}


def _data(setting: Setting, found: list[Row]) -> dict[str, Any]:
    return {
        "version": VERSION,
        "root": str(setting.root),
        "store": str(setting.store),
        "clients": [one._asdict() for one in clients(setting)] if system.is_dir(str(setting.store)) else [],
        "rows": [{"about": about, "grade": grade, "what": what} for about, grade, what in found],
    }


@click.command(
    cls=Command,
    shape={
        "version": "str",
        "root": "str",
        "store": "str",
        "clients": ["object"],
        "rows": [{"about": "str", "grade": "str", "what": "str"}],
    },
    examples=[
        ("jackline status", "one screen"),
        ("jackline status --json", "for a prompt or a status bar; exit code 1 when something does not hold"),
    ],
)
@click.option("--json", "as_json", is_flag=True, help="As data.")
@pass_setting
def command(setting: Setting, as_json: bool) -> int:
    """Show what holds here now: clients, trust, hook table, sessions, pauses, tampering, drift."""
    found = rows(setting)
    printer = Printer()
    if as_json:
        printer.data(_data(setting, found))
    else:
        printer.heading(f"Jackline {VERSION}", f"  {setting.short(setting.root)}")
        cells = [
            (text((SIGNS[grade], grade)), text((about, "name" if about in SPEAKS else "quiet")), text(what))
            for about, grade, what in found
        ]
        printer.show(table([{"no_wrap": True}, {"no_wrap": True}, {}], cells, head=False), indent=2)
    return FOUND if any(grade == "bad" for _, grade, _ in found) else DONE
