"""`jackline plan`: submit a plan, see it, and work it off. For agents and persons alike; no phase holds it back."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

import click

from jackline import host, system
from jackline.cli import validators
from jackline.cli.parts import choice, plan_submission, plan_tree, variables
from jackline.cli.parts.command import Command, Family
from jackline.cli.parts.exits import DONE, FOUND
from jackline.cli.parts.plan_task import SHOWN, STEP, SUBMISSION, Task
from jackline.cli.parts.printer import Printer
from jackline.cli.parts.setting import Setting, pass_setting
from jackline.cli.parts.verb import Verb
from jackline.services import history, retrospective
from jackline.services.plans import acceptance, consent, one_line_plan, reminders, steps, submission
from jackline.services.plans import show as shows
from jackline.services.plans.acceptance import Submission, Where
from jackline.services.plans.document import LIMIT
from jackline.services.plans.nodes import Refused, is_complete, leases
from jackline.services.validators import due
from jackline.services.validators import node as checks
from jackline.services.work import phase_of
from jackline.store import format, tasks
from jackline.store.journal import EVENTS

VERB = Verb(
    group="Work",
    order=20,
    brief="The task's plan: submit it, see it, work it off",
    authority="open",
)

JSON = click.option("--json", "as_json", is_flag=True, help="As data.")


@click.group(
    cls=Family,
    examples=[
        ('jackline plan quick "rotate refresh tokens" --files "src/auth/**" --check pytest', "a plan from one line"),
        ("jackline plan submit plan.json", "a plan with several steps"),
        ("jackline plan show", "what is done, what may begin"),
    ],
)
def command() -> None:
    """Submit the task's plan, see it, and work off its nodes."""


# --- submit -------------------------------------------------------------------------------------------------------


def _now() -> int:
    return host.now() // 1_000_000


def _given(file: str) -> bytes:
    """The bytes of a plan from a file or from standard input. ClickException when it cannot be read."""
    try:
        if file == "-":
            return sys.stdin.buffer.read(LIMIT + 1)
        with Path(file).open("rb") as opened:
            return opened.read(LIMIT + 1)  # a device has no end
    except OSError as fault:
        raise click.ClickException(f"{file} · {fault.strerror} · name a file, or - for standard input") from None


def _told(printer: Printer, task: Task, made: Submission, *, kept: bool) -> int:
    """What became of a plan, line by line; the exit code."""
    for finding in made.findings:
        printer.line((finding.line, "warn" if made.accepted else "deny"))
    if not made.accepted:
        printer.line(("the plan is not accepted", "deny"), " · mend it and submit it again")
        return FOUND
    for line in made.diff:
        printer.line((line, "added" if line[:1] == "+" else "removed" if line[:1] == "-" else "warn"))
    if not made.changed:
        said = reminders.repeated(task.where, _now()) if kept else "this is the plan that is accepted already"
        for line in said.split("\n"):
            printer.line(line)
    elif kept:
        printer.line(("accepted", "good"), f" · {submission.count(made)} · {task.next()}")
    else:
        printer.line(("valid", "good"), f" · {submission.count(made)} · jackline plan submit FILE makes it yours")
    return DONE


def _data(made: Submission) -> dict[str, Any]:
    return {
        "accepted": made.accepted,
        "changed": made.changed,
        "fingerprint": made.fingerprint,
        "nodes": len(made.plan.nodes),
        "findings": [one._asdict() for one in made.findings],
        "diff": list(made.diff),
        "waits": "",
    }


FILE_FIRST = "write it to a file first: jackline plan submit FILE"


def _submit(setting: Setting, name: str, data: bytes, *, as_json: bool, seen: bool = True) -> int:
    format.check(str(setting.store))
    task = Task(setting, name)
    try:
        if task.who.agent and consent.is_needed(task.where.store, task.where.root):
            return _hand_over(task, data, "a person is asked", seen=seen, as_json=as_json)
        made = acceptance.submit(task.where, data, task.by, _now(), task.mode(), agreed=not task.who.agent)
        if made.changed:
            plan_submission.announce(task.where, task.session, data, made, agent=task.who.agent)
    except PermissionError:
        return _hand_over(task, data, "this sandbox may not write the store", seen=seen, as_json=as_json)
    printer = Printer()
    if as_json:
        printer.data(_data(made))
        return DONE if made.accepted else FOUND
    return _told(printer, task, made, kept=True)


def _hand_over(task: Task, data: bytes, why: str, *, seen: bool, as_json: bool) -> int:
    """The entry point, which sees this command, submits it when the command ends. `seen`: it sees the plan."""
    if not seen:
        raise click.ClickException(f"{why}, and what comes by standard input is not seen · {FILE_FIRST}")
    made = acceptance.check(task.where, data, task.mode())
    if as_json:
        waits = why if made.accepted and made.changed else ""
        Printer().data({**_data(made), "accepted": made.accepted and not waits, "waits": waits})
        return DONE if made.accepted else FOUND
    code = _told(Printer(), task, made, kept=False)
    if made.accepted:
        Printer().line(f"{why}: Jackline takes the plan over when this command ends")
    return code


@command.command(
    cls=Command, shape=SUBMISSION, examples=[("jackline plan submit plan.json", "or - for standard input")]
)
@click.argument("file", metavar="FILE")
@choice.option
@JSON
@pass_setting
def submit(setting: Setting, name: str, file: str, as_json: bool) -> int:
    """Submit a plan graph: all that is wrong with it is told at once; a changed plan is submitted again."""
    return _submit(setting, name, _given(file), as_json=as_json, seen=file != "-")


@command.command(
    name="quick",
    cls=Command,
    shape=SUBMISSION,
    examples=[('jackline plan quick "fix the login button" --files "src/login/**" --check pytest', "two nodes")],
)
@click.argument("what", metavar="WHAT")
@click.option("--files", multiple=True, required=True, metavar="GLOB", help="What will be changed; may stand often.")
@click.option("--check", "checks", multiple=True, metavar="NAME", help="A validator that covers it; may stand often.")
@choice.option
@JSON
@pass_setting
def quick_(
    setting: Setting, name: str, what: str, files: tuple[str, ...], checks: tuple[str, ...], as_json: bool
) -> int:
    """Make the plan of a small task from one line, and submit it."""
    return _submit(setting, name, one_line_plan.quick(what, files, checks), as_json=as_json)


@command.command(cls=Command, shape=SUBMISSION, examples=[("jackline plan check plan.json", "keeps nothing")])
@click.argument("file", metavar="FILE")
@choice.option
@JSON
@pass_setting
def check(setting: Setting, name: str, file: str, as_json: bool) -> int:
    """Judge a plan as a submission would, and keep nothing."""
    task = Task(setting, name)
    made = acceptance.check(task.where, _given(file), task.mode())
    if as_json:
        Printer().data(_data(made))
        return DONE if made.accepted else FOUND
    return _told(Printer(), task, made, kept=False)


@command.command(
    cls=Command,
    shape={"goal": "str", "nodes": ["object"], "*": "any"},
    examples=[("jackline plan template > plan.json", "a plan to start from")],
)
@click.option("--json", "as_json", is_flag=True, hidden=True, help="A plan is JSON already.")
def template(as_json: bool) -> int:
    """Print a plan to start from."""
    sys.stdout.write(one_line_plan.template().decode())
    return DONE


# --- show ---------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=1)
def _used(where: Where, size: int) -> tuple[float, int]:
    """Minutes at work, and how many files changed, as long as the log has this size."""
    rows = history.rows(where.folder, where.work)
    return retrospective.minutes(rows), len({*history.changed(rows), *history.touched(where.root, rows)})


def _facts(task: Task) -> dict[str, Any]:
    where = task.where
    known, plan = tasks.read(where.store, where.sid, where.work), acceptance.accepted(where)
    held, standings = leases(known, _now()), checks.standings(where, plan.nodes)
    nodes = [
        {
            "id": node.id,
            "kind": node.kind,
            "description": node.description,
            "scope": list(node.scopes),
            "needs": list(node.needs),
            "status": shows.status_of(node, known) or "open",
            "leaseUntil": held[node.id]["until"] if node.id in held else None,
            "validators": standings.get(node.id, {}),
        }
        for node in plan.nodes
    ]
    core = task.session.state().get("core", {})
    turn, used = int(core.get("lastTurnId") or 0), _used(where, system.size_of(f"{where.folder}/{EVENTS}"))
    return {
        "session": where.sid,
        "work": where.work,
        "phase": phase_of(known, core, turn),
        "goal": plan.goal or str(known.get("goal", "")),
        "minutes": used[0],
        "files": used[1],
        "held": due.ends_held(known, turn),
        "fingerprint": (known.get("plan") or {}).get("fingerprint", ""),
        "complete": bool(plan.nodes) and is_complete(plan, known) and due.is_passed(where),
        "nodes": nodes,
        "denied": known.get("denied"),
        "stale": bool(submission.changed(where)),
    }


def _tree(task: Task, show: Callable[..., None]) -> None:
    """Show the plan of a task, with what is known of it now."""
    known = tasks.read(task.where.store, task.where.sid, task.where.work)
    show(_facts(task), acceptance.accepted(task.where), known, _now())


def _picture(task: Task, *, svg: bool) -> None:
    plan = acceptance.accepted(task.where)
    known = tasks.read(task.where.store, task.where.sid, task.where.work)
    sys.stdout.write(shows.svg(plan, known) if svg else shows.mermaid(plan, known))


def _follow(task: Task) -> int:
    """The tree anew whenever it changes, until somebody stops us or the task is complete."""
    seen: dict[str, Any] = {}
    pause = variables.seconds(os.environ, "JACKLINE_FOLLOW_SECONDS", 1.0)
    printer = Printer()
    live = plan_tree.Live(printer)
    while True:
        facts = _facts(task)
        if printer.console.is_terminal or {**facts, "minutes": 0} != seen:
            _tree(task, live.show)
            seen = {**facts, "minutes": 0}
        if facts["complete"]:
            return DONE
        time.sleep(pause)


@command.command(
    cls=Command,
    shape=SHOWN,
    examples=[
        ("jackline plan show --follow", "as it goes on"),
        ("jackline plan show --svg > plan.svg", "as a picture"),
    ],
)
@choice.option
@JSON
@click.option("--mermaid", is_flag=True, help="As a Mermaid flow chart.")
@click.option("--svg", is_flag=True, help="As an SVG picture.")
@click.option("--follow", is_flag=True, help="Print it again whenever it changes.")
@pass_setting
def show(setting: Setting, name: str, as_json: bool, mermaid: bool, svg: bool, follow: bool) -> int:
    """Show the plan of the task: what is done, what runs, what waits for what."""
    task = Task(setting, name)
    if as_json:
        Printer().data(_facts(task))
    elif mermaid or svg:
        _picture(task, svg=svg)
    elif follow:
        return _follow(task)
    else:
        _tree(task, partial(plan_tree.show, Printer()))
    return DONE


# --- nodes --------------------------------------------------------------------------------------------------------


@command.group(cls=Family, examples=[("jackline plan node start n2", "its lease begins")])
def node() -> None:
    """Begin, finish or skip a node of the plan."""


def _finish(task: Task, ident: str) -> tuple[str, ...]:
    """Finish a node, after its validators; what they say and does not hold it."""
    where, who = task.where, task.who
    tree = validators.tree_of(task.setting)._replace(
        session=where.folder if who.agent else "", sid=where.sid, folder=where.folder
    )
    return steps.finish(where, ident, _now(), tree)


SANDBOXED = "this sandbox may not write the store: Jackline takes the step over when this command ends"


def _do(task: Task, how: str, ident: str, reason: str) -> tuple[str, ...]:
    """Do one step; what is to be said of it. Refused, or PermissionError for whoever may not write the store."""
    said: tuple[str, ...] = ()
    if how == "skip":
        steps.skip(task.where, ident, reason, _now())
    elif how == "start":
        steps.start(task.where, ident, _now())
    else:
        said = _finish(task, ident)
    kind = "PLAN_NODE"
    task.render(kind, {"node": ident, "step": how} | ({"reason": reason} if reason else {}))
    return said


def _step(setting: Setting, name: str, how: str, ident: str, reason: str = "", *, as_json: bool) -> int:
    """Do one step; whoever may not write the store leaves it to the entry point."""
    format.check(str(setting.store))
    task = Task(setting, name)
    made: dict[str, Any] = {"node": ident, "step": how, "taken": False, "refused": "", "waits": "", "said": []}
    try:
        made |= {"said": [*_do(task, how, ident, reason)], "taken": True}
    except Refused as refused:
        made["refused"] = str(refused)
    except PermissionError:
        made["waits"] = SANDBOXED
    made["next"] = task.next() if made["taken"] else ""
    printer = Printer()
    if as_json:
        printer.data(made)
    else:
        lines = [(line, "warn") for one in made["said"] for line in one.split("\n")]
        for line in (*lines, *[(line, "deny") for line in made["refused"].split("\n") if line], made["waits"]):
            if line:
                printer.line(line)
        if made["taken"]:
            printer.line(f"{ident}: {how} · {made['next']}")
    return FOUND if made["refused"] else DONE


@node.command(
    name="start", cls=Command, shape=STEP, examples=[("jackline plan node start n2", "opens what n2 may change")]
)
@click.argument("ident", metavar="ID")
@choice.option
@JSON
@pass_setting
def start(setting: Setting, name: str, ident: str, as_json: bool) -> int:
    """Begin a node: its lease opens its scope for its tools."""
    return _step(setting, name, "start", ident, as_json=as_json)


@node.command(name="done", cls=Command, shape=STEP, examples=[("jackline plan node done n2", "its lease ends")])
@click.argument("ident", metavar="ID")
@choice.option
@JSON
@pass_setting
def done(setting: Setting, name: str, ident: str, as_json: bool) -> int:
    """Finish a node whose work is done."""
    return _step(setting, name, "done", ident, as_json=as_json)


@node.command(
    name="skip", cls=Command, shape=STEP, examples=[('jackline plan node skip n3 --reason "not needed"', "with why")]
)
@click.argument("ident", metavar="ID")
@click.option("--reason", default="", help="Why it is left out.")
@choice.option
@JSON
@pass_setting
def skip(setting: Setting, name: str, ident: str, reason: str, as_json: bool) -> int:
    """Leave a node out, with the reason."""
    return _step(setting, name, "skip", ident, reason, as_json=as_json)
