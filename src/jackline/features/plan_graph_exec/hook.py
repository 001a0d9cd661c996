"""Hold a session to its plan graph: forbidden nodes refuse, searches are narrowed, work outside is mentioned once."""

from __future__ import annotations

from jackline.model import LOOKING
from jackline.sdk import allow, deny, hook, rewrite

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from jackline.features.plan_graph_exec.judge import Hit
    from jackline.model import Action, Event
    from jackline.sdk import Context
    from jackline.services.plans.document import Node, Plan

NAME = "planGraph.json"
SUBAGENTS = "plan-subagent-contract/output/sa/Plan"
LONGEST = 200
"""Characters of a node's description that a refusal shows."""


def _below(base: str, path: str) -> str:
    """`path` below `base` without a way out, or ""."""
    return "" if not path or path.startswith("/") or ".." in path.split("/") else f"{base}/{path}"


def _newest(folder: str, name: str) -> str:
    """The plan that a sub-agent left last."""
    from jackline.system import names

    agents = names(folder)
    if not agents:
        return ""
    from jackline import file_stat

    return max([(file_stat.of(f"{folder}/{agent}/{name}")[1], f"{folder}/{agent}/{name}") for agent in agents])[1]


def _places(ctx: Context) -> Iterator[str]:
    """Where the plan may lie, best first."""
    name = str(ctx.config.get("planGraphFile") or NAME)
    if "/" in name:
        yield _below(ctx.root, name.removeprefix(ctx.root + "/"))
        name = name.rpartition("/")[2]
    plan = ctx.state.get("plan")
    if isinstance(plan, dict):
        yield _below(ctx.session_root, str(plan.get("currentPath") or ""))
    yield f"{ctx.session_root}/{ctx.slug}/output/{name}"
    yield _newest(f"{ctx.session_root}/{SUBAGENTS}", NAME)


def _read(ctx: Context) -> tuple[str, int, bytes] | None:
    """Path, time of change (ms) and bytes of a plan that was not submitted."""
    from jackline.system import read, size_of

    for path in _places(ctx):
        if not path or size_of(path) < 0:
            continue
        from jackline import file_stat

        changed = file_stat.of(path)[1]
        try:
            return path, changed // 1_000_000, read(path, follow=False, limit=(1 << 20) + 1)
        except OSError:
            continue
    return None


def _missing(known: Mapping[str, Any], ctx: Context) -> Action | None:
    work = ctx.ids.work_id
    if known.get("warnedMissing") == work and known.get("status") in (None, "none"):
        return None
    told = known.get("warnedMissing") == work
    gone = {"source": None} if known.get("source") else {}
    silent = told or ctx.config.get("missing", "warn") != "warn"
    return allow()._replace(
        state_patch={"plan": {"status": "none", "complete": False, "warnedMissing": work, **gone}},
        warnings=() if silent else (f"no plan graph for {work}: scopes are not held ({ctx.feature.output}/{NAME})",),
        emit_events=() if told else ({"kind": "PLAN_GRAPH_MISSING", "data": {"workId": work}},),
    )


def _news(plan: Plan, path: str, changed: int, data: bytes, known: Mapping[str, Any], ctx: Context) -> dict[str, Any]:
    """What is new about the plan, as a patch of `plan`."""
    status = "rejected" if plan.fault else "accepted"
    session = ctx.session_root + "/"
    current = path[len(session) :] if path.startswith(session) else known.get("currentPath")
    new: dict[str, Any] = {"mtime": changed, "status": status, "complete": False}
    if current:
        new["currentPath"] = current
    if all(known.get(key) == value for key, value in new.items()):
        return {}
    from _blake2 import blake2b

    new["hash"] = blake2b(data, digest_size=8).hexdigest()
    return new


def _shown(path: str, ctx: Context) -> str:
    root = ctx.root + "/"
    return path[len(root) :] if path.startswith(root) else path


def _why(node: Node) -> str:
    """Why a node is forbidden, and what it is about."""
    about = " ".join(node.description.split())
    about = about if len(about) <= LONGEST else about[: LONGEST - 1] + "…"
    return f"{node.reason} ({about})" if node.reason else about


def _refused(hit: Hit, event: Event, stored: bool) -> Action:
    """The refusal of what a node forbids. `stored`: the plan was submitted, so its agent may submit another."""
    node = hit.node
    way = "submit another plan: jackline plan submit FILE" if stored else "ask the person to change the plan"
    what = hit.path or event.tool
    if hit.held:
        what = f"{'the project' if what == '.' else what} contains {hit.held}, which"
    return deny(
        f"{what} is {node.status} by the plan: " + _why(node),
        rule=f"plan-scope: node {node.id}" + (f" ({', '.join(node.scopes)})" if node.scopes else ""),
        safer=f"stay in the scopes of the other nodes, or {way}",
        code="SCOPE_VIOLATION",
    )._replace(emit_events=({"kind": "PLAN_GRAPH_DENY", "data": {"node": node.id, "path": hit.path}},))


def _elsewhere(plan: Plan, event: Event) -> Action:
    """The refusal of a search that looks nowhere the plan lets it look, with the one that would pass."""
    from jackline.features.plan_graph_exec import judge

    where, scopes, changes = judge.proposed(plan.nodes, event)
    return deny(
        f"{where} lies outside the scope of every node of the plan that opens {event.tool}",
        rule=f"plan-scope: scope ({', '.join(scopes)})",
        safer="search there, or ask the person to change the plan",
        code="SCOPE_VIOLATION",
        proposal=changes,
    )._replace(emit_events=({"kind": "PLAN_GRAPH_DENY", "data": {"path": where, "clamp": changes}},))


def _narrowed(plan: Plan, event: Event, ctx: Context, stored: bool) -> dict[str, Any] | None:
    """Changes that narrow a search: to started nodes where the plan was submitted; {} for none, None for outside."""
    if event.kind != "search" or not ctx.config.get("clamp", True):
        return {}
    from jackline.services.plans import narrowing

    if not stored:
        return narrowing.clamp(plan.nodes, event)
    from jackline.services.plans.nodes import leases
    from jackline.services.work import head

    if ctx.config.get("reading", "free") != "free":
        return {}  # whoever judges reading narrows it
    return narrowing.to_leases(event, leases(head(ctx), ctx.start_ms).values()) or {}


def _judged(plan: Plan, event: Event, ctx: Context, known: Mapping[str, Any], *, stored: bool = False) -> Action:
    from jackline.features.plan_graph_exec import judge

    hit = judge.forbidden(plan.nodes, event)
    changes = _narrowed(plan, event, ctx, stored)
    if hit is not None and not judge.frees(plan.nodes, event, changes):
        return _refused(hit, event, stored)
    if changes is None:
        return _elsewhere(plan, event)
    if changes:
        from jackline.services.plans.narrowing import told

        return rewrite(changes, reason="the plan narrows this search", rule="plan-scope: scope")._replace(
            additional_context=(told(changes),),
            emit_events=({"kind": "PLAN_GRAPH_USED", "data": {"clamp": dict(changes)}},),
        )
    mode = ctx.config.get("outsideScope", "warn")
    if mode == "silent":
        return allow()
    where = judge.outside(plan.nodes, event)
    if not where:
        return allow()
    event_row = {"kind": "PLAN_GRAPH_WARN", "data": {"path": where, "tool": event.tool}}
    if mode == "deny":
        return deny(
            f"{where} lies outside the scope of every node of the plan",
            rule="plan-scope: outsideScope",
            safer="stay in the plan's scopes, or add a node to the plan",
            code="SCOPE_VIOLATION",
        )._replace(emit_events=({**event_row, "kind": "PLAN_GRAPH_DENY"},))
    if known.get("warnedOutside") == ctx.ids.work_id:
        return allow()
    return allow()._replace(
        warnings=(f"{where} lies outside the scope of every node of the plan",),
        emit_events=(event_row,),
        state_patch={"plan": {"warnedOutside": ctx.ids.work_id}},
    )


def _concerns(event: Event, ctx: Context, known: Mapping[str, Any]) -> bool:
    """Whether an accepted plan that forbids nothing can have a word on a call that is no search.

    It is asked about what is changed outside of it, and what the leases of its nodes hold is not.
    """
    mode = ctx.config.get("outsideScope", "warn")
    if mode == "silent" or (mode == "warn" and known.get("warnedOutside") == ctx.ids.work_id):
        return False
    if event.kind in LOOKING or (event.kind == "shell" and _is_reading(event.command)):
        return False
    from jackline.affected_paths import touches
    from jackline.globs import covers
    from jackline.services.plans.nodes import leases
    from jackline.services.work import head

    held = [lease["paths"] for lease in leases(head(ctx), ctx.start_ms).values()]
    changed = [touch.path for touch in touches(event) if touch.changes]
    return not all(any(not paths or any(covers(one, path) for one in paths) for paths in held) for path in changed)


def _stored(event: Event, ctx: Context, known: Mapping[str, Any]) -> Action | None:
    """What an accepted plan says. It is read where it forbids something, or a change may lie outside of it."""
    data = b""
    if known.get("forbidden") != 0 or (event.kind != "search" and _concerns(event, ctx, known)):
        from jackline.services.plans.nodes import accepted_bytes

        data = accepted_bytes(str(ctx.protected.get("store", "")), ctx.ids.session_id, ctx.ids.work_id)
    elif event.kind != "search":
        return None
    from jackline.services.plans.document import Plan, parse

    action = _judged(parse(data, ctx.root) if data else Plan(), event, ctx, known, stored=True)
    return action if action != allow() else None


def _is_reading(command: str) -> bool:
    from jackline.shell.screen import screen

    return bool(screen(command))


@hook(
    name="planGraph-exec",
    shown="plan-scope",
    supports=["PreToolUse"],
    priority=20,
    hot_path_safe=True,
    critical=False,
    state=["plan"],
    rewrite_owner=True,
    triggers=["refused_again"],
    services=["plans", "work"],
    default_on=True,
    enabled_with="plan",
    records=["PLAN_GRAPH_USED", "PLAN_GRAPH_MISSING", "PLAN_GRAPH_WARN", "PLAN_GRAPH_DENY"],
)
def handle(event: Event, ctx: Context) -> Action | None:
    known = ctx.state.get("plan")
    known = known if isinstance(known, dict) else {}
    if known.get("source") == "store":
        return _stored(event, ctx, known)
    found = _read(ctx)
    if found is None:
        return _missing(known, ctx)
    from jackline.services.plans.document import parse

    path, changed, data = found
    plan = parse(data, ctx.root)
    news = _news(plan, path, changed, data, known, ctx)
    action = allow() if plan.fault else _judged(plan, event, ctx, known)
    if news:
        told: dict[str, Any] = {"kind": "PLAN_GRAPH_USED", "data": {"path": _shown(path, ctx), **news}}
        if plan.fault:
            told = {"kind": "PLAN_GRAPH_WARN", "data": {"path": _shown(path, ctx), "fault": plan.fault}}
            action = action._replace(warnings=(f"plan rejected: {_shown(path, ctx)} · {plan.fault}",))
        patch = {**news, **((action.state_patch or {}).get("plan", {}))}
        action = action._replace(state_patch={"plan": patch}, emit_events=(told, *action.emit_events))
    return action if action != allow() else None
