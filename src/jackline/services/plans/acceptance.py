"""Submit a plan: judge it, and keep what was accepted where no agent writes (design "Plan", "Who decides").

The copy in the store is the plan; the file it came from may change, which makes it stale and changes nothing until it
is submitted again. A submission that is equal to the accepted plan changes nothing.
"""

from __future__ import annotations

from jackline.jsonio import dumps, loads
from jackline.services.plans import bounds, consent, nodes
from jackline.services.plans import demands as project
from jackline.services.plans.document import Node, Plan, parse, text_of
from jackline.services.plans.rules import STRUCTURE, Facts, Finding, findings
from jackline.store import authority, tasks
from jackline.store.ids import digest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any, NamedTuple
else:
    from jackline._record import NamedTuple

LENIENT, STRICT = "lenient", "strict"


class Submission(NamedTuple):
    """What became of a plan. `changed`: it is another than the one before; `diff`: lines that say how. `waits`: only
    for a person's yes.
    """

    accepted: bool
    findings: tuple[Finding, ...] = ()
    fingerprint: str = ""
    plan: Plan = Plan()
    changed: bool = False
    diff: tuple[str, ...] = ()
    waits: bool = False


class Where(NamedTuple):
    """The task a plan is for."""

    store: str
    root: str
    sid: str
    work: str
    folder: str
    """The session's folder."""


def fingerprint(data: bytes) -> str:
    """What two equal plans share, however they are written: 16 hex digits."""
    try:
        value: Any = loads(text_of(data))
    except (ValueError, RecursionError):
        value = data.hex()
    return digest(dumps(_sorted(value)), 8)


def _sorted(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _sorted(value[key]) for key in sorted(value)}
    return [_sorted(one) for one in value] if isinstance(value, list) else value


def accepted(where: Where) -> Plan:
    """The accepted plan of a task; one without nodes when there is none."""
    data = tasks.read_plan(where.store, where.sid, where.work)
    return parse(data, where.root) if data else Plan()


def task_of(where: Where) -> tasks.Task:
    """The task as it stands."""
    return tasks.read(where.store, where.sid, where.work)


def facts_of(where: Where) -> Facts:
    """What is known around a plan of this task."""
    scope = bounds.scope_of(where.store, where.sid, where.root)
    pack = (tasks.read(where.store, where.sid, where.work).get("context") or {}).get("hash")
    from jackline.services.validators import listing

    names = listing.names(where.store, where.root)
    demands = project.read(where.store, where.root)
    made = Facts(where.root, where.folder, scope, str(pack or ""), demands, names, lambda one: _objection(where, one))
    return made._replace(packed=bounds.packed(where), there=lambda: bounds.files(where.root))


def _objection(where: Where, words: Sequence[str]) -> str:
    from jackline.services import guards

    session = guards.Session(where.store, where.root, where.sid, where.work, where.folder)
    return guards.judge(guards.text_of(words), session, every=True).why


def check(where: Where, data: bytes, mode: str = LENIENT) -> Submission:
    """Judge a plan as a submission would, and keep nothing."""
    plan, found = findings(data, facts_of(where))
    grave = found if mode == STRICT else tuple([one for one in found if one.rule == STRUCTURE])
    old = tasks.read(where.store, where.sid, where.work).get("plan") or {}
    mark = fingerprint(data)
    changed = mark != old.get("fingerprint")
    diff = tuple(_diff(accepted(where), plan)) if changed and old and not plan.fault else ()
    return Submission(not grave, found, mark, plan, changed, diff)


SEEN_FIRST = Finding("", consent.WAITS, "a person has to see this plan first", "jackline plan submit FILE")


def _take(where: Where, data: bytes, made: Submission, known: dict[str, Any]) -> bool:
    """Make a plan the task's, under its lock: the plan that is kept is the one that the task tells of.

    False when somebody submitted an equal one meanwhile.
    """
    taken = False

    def change(task: dict[str, Any]) -> dict[str, Any] | None:
        nonlocal taken
        if (task.get("plan") or {}).get("fingerprint") == made.fingerprint:
            return None
        taken = True
        left = _kept(task, _known(where, task), made.plan)
        tasks.keep_plan(where.store, where.sid, where.work, data)
        return {
            **nodes.without_leases(left),
            "plan": {**known, "seq": task.get("seq", 0)},
            "denied": None,
            "asked": None,
        }

    tasks.change(where.store, where.sid, where.work, change)
    return taken


def submit(where: Where, data: bytes, by: str, now_ms: int, mode: str = LENIENT, *, agreed: bool = False) -> Submission:
    """Judge a plan and, where it is accepted, make it the task's. OSError when the store cannot be written.

    A task's plan may change: nodes that are finished and stay as they were keep their status, leases end. `agreed`: a
    person said yes to this plan, or submits it.
    """
    made = check(where, data, mode)
    if made.accepted and made.changed and not agreed and consent.is_needed(where.store, where.root):
        made = made._replace(accepted=False, waits=True, findings=(SEEN_FIRST, *made.findings))
    if not made.accepted:
        if made.changed:
            _note(where, "denied", now_ms, made)
        return made
    if not made.changed:
        return made
    known = {"fingerprint": made.fingerprint, "by": by, "at": now_ms, "nodes": len(made.plan.nodes)}
    known["forbidden"] = sum(node.forbidden for node in made.plan.nodes)
    if not _take(where, data, made, known):
        return made._replace(changed=False)
    data_row = {"session": where.sid, "work": where.work, "root": where.root, **known}
    authority.append(where.store, "PLAN_ACCEPTED", by, data_row)
    return made


def deny(where: Where, made: Submission, no: str, now_ms: int) -> None:
    """A person said no to a plan: that stays to be seen. OSError when the store cannot be written."""
    said = Finding("", consent.WAITS, f"a person said no: {no}", "another plan")
    _note(where, "denied", now_ms, made._replace(findings=(said, *made.findings)))


def is_new(task: tasks.Task) -> bool:
    """Whether the task's plan was accepted in the phase that holds now: it has led nowhere yet."""
    plan = task.get("plan")
    return isinstance(plan, dict) and plan.get("seq") == task.get("seq", 0)


def _note(where: Where, key: str, now_ms: int, made: Submission) -> None:
    """Keep what was said of a plan that was not accepted: it stays to be seen."""
    said = {"at": now_ms, "fingerprint": made.fingerprint, "findings": [one.line for one in made.findings[:50]]}
    tasks.change(where.store, where.sid, where.work, lambda task: {**task, key: said})


def _same(one: Node, other: Node) -> bool:
    """Whether a step is the one it was: nothing that it does, waits for, opens or is checked by is another."""
    return one._replace(status="", reason="") == other._replace(status="", reason="")


def _known(where: Where, task: tasks.Task) -> Plan:
    """The plan that a task's nodes belong to; none where another file stands there: its writer was killed between."""
    data = tasks.read_plan(where.store, where.sid, where.work)
    return parse(data, where.root) if fingerprint(data) == (task.get("plan") or {}).get("fingerprint") else Plan()


def _kept(task: tasks.Task, old: Plan, new: Plan) -> tasks.Task:
    """The task with what is known of those nodes that are the same in both plans."""
    before = {node.id: node for node in old.nodes}
    same = {node.id for node in new.nodes if node.id in before and _same(node, before[node.id])}
    left = {
        key: {name: one for name, one in task[key].items() if name in same} for key in tasks.BY_NODE if task.get(key)
    }
    return {**task, **left}


def _diff(old: Plan, new: Plan) -> list[str]:
    """What another plan brings and leaves, a line each."""
    before = {node.id: node for node in old.nodes}
    after = {node.id: node for node in new.nodes}
    lines = [f"- {name} {node.description}" for name, node in before.items() if name not in after]
    for name, node in after.items():
        if name not in before:
            lines.append(f"+ {name} {node.description}")
        elif node != before[name]:
            lines.append(f"~ {name} {node.description}")
    return lines


def _counts(where: Where, known: Mapping[str, Any]) -> tuple[int, int]:
    """How many nodes a plan has, and how many of them forbid something: as was noted when it was accepted."""
    if "forbidden" in known:
        return int(known["nodes"]), int(known["forbidden"])
    plan = accepted(where)  # an older version noted less
    return len(plan.nodes), sum(node.forbidden for node in plan.nodes)


def state_of(where: Where) -> dict[str, Any]:
    """The task's plan as the session's state renders it (`state.plan`). The plan is read where all may be over."""
    task = tasks.read(where.store, where.sid, where.work)
    known = task.get("plan")
    if not isinstance(known, dict):
        status = "rejected" if task.get("denied") else "proposed" if task.get("asked") else "none"
        return {"status": status, "complete": False, "source": "store"}
    count, forbidden = _counts(where, known)
    over = sum(nodes.status(task, name) in nodes.OVER for name in task.get("nodes") or ())
    return {
        "status": "accepted",
        "source": "store",
        "hash": known["fingerprint"],
        "complete": over + forbidden >= count and _is_complete(where, task),
        "nodes": count,
        "over": over,
        "forbidden": forbidden,
    }


def _is_complete(where: Where, task: tasks.Task) -> bool:
    from jackline.services.validators import due

    return nodes.is_complete(accepted(where), task) and due.is_passed(where)
