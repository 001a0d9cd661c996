"""The capsule of a task: what an agent has to know to go on when its context was cut (design "Around it").

What is decided comes from the store and the log, never from files that an agent may write: the accepted plan, the
status of its nodes, the phase. Foreign text in it is masked, bounded, and shown with what could deceive escaped.
"""

from __future__ import annotations

from jackline import system
from jackline.jsonio import dumps
from jackline.services import artifacts, history, locks, mailbox, once
from jackline.services.history import line
from jackline.services.plans import nodes
from jackline.services.plans.commands import of_node
from jackline.services.plans.document import parse
from jackline.session_paths import task_parts, task_ref
from jackline.store import approvals, tasks

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, NamedTuple

    from jackline.store.tasks import Task

    Capsule = dict[str, Any]
else:
    from jackline._record import NamedTuple

FORMAT = 1
KIND = "resume_capsule"
TEXT, DATA = "resume.md", "resume.json"
NODES, DENIALS, FILES, WAITING = 60, 8, 30, 10
"""How many of each are told."""
FILE = 1 << 23
"""Bytes of a file that is hashed."""
SIGNS = {"done": "✓", "skipped": "–", "started": "▶", "forbidden": "✗", "": "○"}


class Where(NamedTuple):
    """The task: the store, the project's root, the session and its folder, the unit of work."""

    store: str
    root: str
    sid: str
    folder: str
    work: str


# --- the plan ----------------------------------------------------------------------------------------------------


def _nodes(where: Where, task: Task) -> list[dict[str, Any]]:
    """The nodes of the accepted plan with the status that the store knows."""
    made = []
    for node in parse(tasks.read_plan(where.store, where.sid, where.work), where.root).nodes:
        status = "forbidden" if node.forbidden else nodes.status(task, node.id)
        told = {"id": line(node.id), "description": line(node.description), "status": status if status in SIGNS else ""}
        scope, needs = [line(one) for one in node.scopes[:5]], [line(one) for one in node.needs[:20]]
        made.append({**told, "scope": scope, "after": needs})
    return made


def _plan(where: Where, task: Task) -> dict[str, Any] | None:
    known = task.get("plan")
    listed = _nodes(where, task) if isinstance(known, dict) else []
    if not listed:
        return None
    mark = known.get("fingerprint") if isinstance(known, dict) else ""
    over = sum(one["status"] in nodes.OVER for one in listed)
    return {"fingerprint": str(mark or "")[:64], "count": len(listed), "over": over, "nodes": listed}


def _ready(listed: list[dict[str, Any]]) -> dict[str, Any] | None:
    """The node to go on with: one that was begun, else the first whose turn it is."""
    over = {one["id"] for one in listed if one["status"] in nodes.OVER}
    begun = [one for one in listed if one["status"] == "started"]
    waiting = [one for one in listed if not one["status"] and over.issuperset(one["after"])]
    return next(iter(begun + waiting), None)


WHY = {
    "pack_insufficient": "its context pack is not sufficient (jackline pack show)",
    "attempts_spent": "its validators are still red (jackline validators)",
    "cap_reached": "it has used what it may (jackline sessions work)",
}
"""By what blocked a task, why it is."""


def _reason(one: history.Denial) -> str:
    """Why a call was refused, without the way on that there was then."""
    return line(one.reason.strip().partition("\n")[0])


def _blocked(by: tuple[str, int], denied: list[history.Denial]) -> str:
    """What is done while the task is blocked. `by`: the trigger that led there, and when."""
    trigger, at = by
    why, before = WHY.get(trigger, ""), [one for one in denied if one.ts <= at]
    if trigger == "refused_again" and before:
        why = f"the same was refused three times ({_reason(before[-1])})"
    return f"the task is blocked{': ' if why else ''}{why}; tell the person and wait for their word"


def _next(phase: str, plan: dict[str, Any] | None, blocked: str) -> str:
    """The next action, in one sentence. `blocked`: what is done where the task is blocked."""
    if phase == "COMPLETE":
        return "nothing is left of this plan: tell the person what was done"
    if phase == "BLOCKED":
        return blocked
    if plan is None:
        return "there is no accepted plan: go on with the goal"
    node = _ready(plan["nodes"])
    if node is None:
        return "every node is over: let the validators run, and end the turn"
    where = f" in {', '.join(node['scope'])}" if node["scope"] else ""
    return f"{node['id']}: {node['description']}{where}; its lease ended: {of_node('start', node['id'])}"


# --- the rest ----------------------------------------------------------------------------------------------------


def _hash(root: str, path: str) -> str:
    """16 hex of a file of the project; "" where there is none, or it lies elsewhere."""
    parts = path.split("/")
    if path[:1] == "/" or ".." in parts:
        return ""
    try:
        at = system.descend(root, tuple(parts[:-1]))
    except (OSError, ValueError):  # a name that no file can have
        return ""
    try:
        return artifacts.content_hash(system.read(parts[-1], at=at, limit=FILE, follow=False))
    except (OSError, ValueError):
        return ""
    finally:
        system.close(at)


def _files(where: Where, rows: list[dict[str, Any]]) -> list[str]:
    """Files of the project that changed in the task: those that tools named last, behind them what commands changed."""
    named = [path for path in history.changed(rows) if path[:1] != "/"]
    others = [path for path in history.touched(where.root, rows) if path not in named]
    return [*others, *named][-FILES:]


def _waits(where: Where, now_ms: int) -> list[dict[str, str]]:
    """What waits for somebody: calls for a person's yes, requests of other agents, locks that are held."""
    found = [one for one in approvals.waiting(where.store, now_ms) if one.sid == where.sid]
    made = [{"kind": "approval", "what": line(one.subject)} for one in found]
    here = locks.here(where.store)
    held = [one for one in locks.known(where.folder, where.work) if not one.is_free(here, now_ms)]
    posted = mailbox.entries(where.folder, where.work)
    standing = mailbox.standings(posted, held, here, now_ms)
    asked = [one for one in posted if standing.get(one.id, ("",))[0] == "open"]
    made += [{"kind": "request", "what": line(f"{one.id} of {one.agent}: {one.title}")} for one in asked]
    made += [{"kind": "lock", "what": line(f"{one.key}, held by {one.owner}")} for one in held]
    return made[:WAITING]


def build(where: Where, state: Mapping[str, Any], now_ms: int, trigger: str, past: Where | None = None) -> Capsule:
    """The capsule of a task as it stands (schema `resume-capsule`). `past`: where the task was before, and its log."""
    task = tasks.read(where.store, where.sid, where.work)
    core = state.get("core", {})
    phase = str(task.get("phase") or core.get("phase") or "UNINITIALIZED")
    told = past or where
    rows = history.rows(told.folder, told.work)
    refused = history.denials(rows, ("deny",))
    denied = history.standing(rows, refused)[-DENIALS:]
    plan = _plan(where, task)
    if plan is not None and phase in ("UNINITIALIZED", "PLANNING"):
        phase = "EXECUTING"  # as the gate takes it
    files = _files(where, rows)
    return {
        "v": FORMAT,
        "session": where.sid,
        "work": where.work,
        "at": now_ms,
        "trigger": line(trigger),
        "phase": phase,
        "decided": plan is not None,
        "next": _next(phase, plan, _blocked(history.led(rows, "BLOCKED"), refused)),
        "goal": line(task.get("goal")),
        "plan": plan,
        "denials": [
            {"tool": line(one.tool), "reason": _reason(one), "code": one.code, "times": one.times} for one in denied
        ],
        "files": [{"path": line(path), "hash": _hash(where.root, path)} for path in files],
        "waits": _waits(where, now_ms),
    }


# --- as text -----------------------------------------------------------------------------------------------------


def _planned(plan: dict[str, Any] | None) -> list[str]:
    if plan is None:
        return []
    listed = (
        plan["nodes"] if plan["count"] <= NODES else [one for one in plan["nodes"] if one["status"] not in nodes.OVER]
    )
    shown_nodes = listed[:NODES]
    lines = [f"## Plan: {plan['over']} of {plan['count']} nodes are over", ""]
    for one in shown_nodes:
        scope = f" ({', '.join(one['scope'])})" if one["scope"] else ""
        lines.append(f"- {SIGNS[one['status']]} {one['id']}: {one['description']}{scope}")
    more = plan["count"] - len(shown_nodes)
    return [*lines, *([f"- and {more} more: jackline plan show"] if more else []), ""]


def _section(title: str, lines: list[str]) -> list[str]:
    return [f"## {title}", "", *[f"- {one}" for one in lines], ""] if lines else []


def render(capsule: Capsule) -> str:
    """The capsule as an agent and a person read it."""
    lines = [f"# {capsule['work']} goes on in {capsule['phase']}", ""]
    if capsule["decided"]:
        lines.append("The plan below is decided and accepted. Do not plan again.")
    lines.append(f"Next: {capsule['next']}")
    if capsule["goal"]:
        lines.append(f"Goal: {capsule['goal']}")
    lines += ["", *_planned(capsule["plan"])]
    denied = [f"{one['tool']}: {one['reason']}" for one in capsule["denials"]]
    lines += _section("Refused, so do not try it again", denied)
    files = [f"{one['path']} {one['hash'] or 'gone'}" for one in capsule["files"]]
    lines += _section("Files changed in this task", files)
    waits = [f"{one['kind']}: {one['what']}" for one in capsule["waits"]]
    return "\n".join([*lines, *_section("What waits", waits)]).rstrip() + "\n"


# --- on the disk -------------------------------------------------------------------------------------------------


def write(where: Where, capsule: Capsule) -> tuple[bytes, str]:
    """Write the capsule into the task's folder; its bytes and its text. OSError when it cannot be written."""
    data, text = dumps(capsule).encode("ascii") + b"\n", render(capsule)
    at = system.descend(where.folder, task_parts(where.work), create=True)
    try:
        system.replace(DATA, data, at=at)
        system.replace(TEXT, text.encode(), at=at)
    finally:
        system.close(at)
    return data, text


def read(where: Where, mark: str) -> str:
    """The text of the capsule whose content has this hash; "" when another stands there, or none."""
    ref = task_ref(where.work, DATA)
    if not mark or artifacts.hash_of(where.folder, ref) != mark:
        return ""
    found = artifacts.load(where.folder, ref)
    return render(found) if isinstance(found, dict) else ""


def is_first(where: Where, mark: str) -> bool:
    """Whether nobody has told of this capsule before: of several events at once one does."""
    return once.may_tell(where.folder, f"resume.{where.work}.{mark}")
