"""`jackline sessions work`: the unit of work a session is at, or a new one."""

from __future__ import annotations

from typing import Any

import click

from jackline.cli.parts import choice, person, session_rows
from jackline.cli.parts.command import Command
from jackline.cli.parts.exits import DONE
from jackline.cli.parts.printer import Printer, table, text
from jackline.cli.parts.setting import Setting, pass_setting
from jackline.policy.phases import following
from jackline.runtime.lifecycle import NO_PLAN
from jackline.services import budget
from jackline.services.work import phase_of
from jackline.store import tasks
from jackline.store.session_index import SessionEntry


def _facts(store: str, session: SessionEntry) -> dict[str, Any]:
    stored = session.state()
    core, plan = stored.get("core", {}), stored.get("plan", {})
    work = str(core.get("workId", "w001"))
    known = tasks.read(store, session.sid, work)
    made = {
        "session": session.sid,
        "work": work,
        "phase": phase_of(known, core, int(core.get("lastTurnId") or 0)),
        "turn": core.get("lastTurnId", 0),
        "plan": plan.get("status", "none"),
        "planFile": plan.get("currentPath", ""),
        "complete": bool(plan.get("complete", False)),
    }
    if known.get("spent"):
        made["used"] = budget.used(known)
    if budget.is_capped(known, int(core.get("lastTurnId", 0))):
        made["blocked"] = f"{budget.sentence(known)}: the person's next prompt goes on"
    return made


def _told(value: Any) -> str:
    """A fact as a person reads it."""
    if not isinstance(value, dict):
        return str(value)
    return ", ".join(f"{count} {budget.WORDS[name]}" for name, count in value.items())


def _begin(store: str, session: SessionEntry) -> str:
    """Write the new unit into the log, and from there into the state."""
    core = session.state().get("core", {})
    old = str(core.get("workId", "w001"))
    new = following(old)
    phase = {"phase": "UNINITIALIZED", "phasePrevious": str(core.get("phase", "UNINITIALIZED")), "phaseSeq": 1}
    patch = {"core": {"workId": new, **phase, "phaseWork": new}, "plan": NO_PLAN}
    kind = "WORK_NEW"
    session_rows.announce(store, session, kind, {"from": old, "to": new}, patch, work=new)
    return new


def _new(setting: Setting, session: SessionEntry, printer: Printer, *, yes: bool, as_json: bool) -> None:
    person.require(setting, "sessions work --new", yes=yes)
    work = _begin(str(setting.store), session)
    if as_json:
        printer.data({"session": session.sid, "work": work})
    else:
        printer.line(f"session {session.sid} is at {work}")


@click.command(
    "work",
    cls=Command,
    shape={
        "session": "str",
        "work": "str",
        "phase?": "str",
        "turn?": "int",
        "plan?": "str",
        "planFile?": "str",
        "complete?": "bool",
        "used?": {"*": "int"},
        "blocked?": "str",
    },
    examples=[
        ("jackline sessions work", "where the newest session of this project is"),
        ("jackline sessions work --new", "begin the next unit of work, with a plan of its own"),
        ("jackline sessions work --new --session 9aa53425", "in that session"),
    ],
)
@choice.option
@click.option("--new", is_flag=True, help="Begin the next one: its phases start anew, and it gets a plan of its own.")
@click.option("--json", "as_json", is_flag=True, help="As data.")
@person.yes_option
@pass_setting
def command(setting: Setting, name: str, new: bool, as_json: bool, yes: bool) -> int:
    """Show the unit of work of a session, its phase and its plan; or begin a new one."""
    session, printer = choice.one(setting, name), Printer()
    if new:
        _new(setting, session, printer, yes=yes, as_json=as_json)
        return DONE
    facts = _facts(str(setting.store), session)
    if as_json:
        printer.data(facts)
    else:
        rows = [(text((key, "quiet")), _told(value)) for key, value in facts.items()]
        printer.show(table([{}, {}], rows, head=False))
    return DONE
