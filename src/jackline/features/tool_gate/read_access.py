"""What may be read where reading is not free: what the task's pack holds, and what leases open.

`pack`: files and folders of the context pack, and those that `jackline pack add` named; tests and builds run freely.
`lease`: the same files; but whoever looks through folders, runs something or asks the net needs a lease.
"""

from __future__ import annotations

from jackline.features.tool_gate.refusals import blocked, first, named, refusal, subject, to_read
from jackline.globs import covers
from jackline.services import context_pack as packs
from jackline.services.context_pack import Where
from jackline.services.plans import nodes
from jackline.services.plans.commands import SUBMIT, argument
from jackline.services.plans.tools import READABLE, kind_of, means

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from jackline.features.tool_gate.calls import Call
    from jackline.model import Action, Event
    from jackline.sdk import Context
    from jackline.services.plans.document import Node
    from jackline.store.tasks import Task

    Begin = Callable[[Node], Action | None]


def where_of(ctx: Context) -> Where:
    store = str(ctx.protected.get("store", ""))
    return Where(store, ctx.root, ctx.ids.session_id, ctx.ids.work_id, ctx.session_root)


def _packed(ctx: Context, task: Task) -> tuple[str, ...]:
    """Globs of what the task's pack holds: its files, and what was added by name."""
    more = [str(one) for one in packs.choices(task).get("more", ())]
    items = packs.document(where_of(ctx)).get("items", ()) if (task.get("context") or {}).get("hash") else ()
    return (*more, *[str(one["path"]) for one in items])


def opens(lease: Mapping[str, Any], event: Event, path: str) -> bool:
    """Whether a lease lets a call read a path, or look through it: who may change something may read it."""
    tools = lease["tools"]
    if tools and not means(tuple(tools), event.tool, event.kind) and not any(kind_of(one) in READABLE for one in tools):
        return False
    return not lease["paths"] or any(covers(one, path) for one in lease["paths"])


def _runs(lease: Mapping[str, Any], event: Event) -> bool:
    """Whether a lease lets a call start something."""
    return nodes.opens(lease, event.tool, event.kind, ())


def _rest(made: Call, packed: tuple[str, ...], mode: str) -> tuple[tuple[str, ...], bool]:
    """Of what a call reads that which needs a lease, and whether what it runs does."""
    asked = made.files if mode == "lease" else (*made.files, *made.folders)
    left = [path for path in asked if not any(covers(one, path) for one in packed)]
    return (*left, *(made.folders if mode == "lease" else ())), made.runs and mode == "lease"


def _opened(lease: Mapping[str, Any], event: Event, left: tuple[str, ...], runs: bool) -> bool:
    return all(opens(lease, event, path) for path in left) and (not runs or _runs(lease, event))


def _narrowed(event: Event, ctx: Context, held: list[dict[str, Any]], task: Task) -> Action | None:
    """The same call within the leases there are, where it looks further than they do."""
    if not held:
        return None
    from jackline.features.tool_gate.calls import reading
    from jackline.features.tool_gate.narrowing import narrowed

    def passes(other: Event) -> bool:
        left, runs = _rest(reading(other, ctx), _packed(ctx, task), str(ctx.config.get("reading")))
        return any(_opened(lease, other, left, runs) for lease in held)

    return narrowed(event, held, passes)


def judged(event: Event, ctx: Context, task: Task, phase: str, made: Call, begin: Begin) -> Action | None:
    """What the gate says to a call that only reads. `begin` starts the node that it fits, or says why not."""
    mode = str(ctx.config.get("reading"))
    left, runs = _rest(made, _packed(ctx, task), mode)
    if not left and not runs:
        return None
    if phase == "EXECUTING":
        held = [*nodes.leases(task, ctx.start_ms).values()]
        if any(_opened(lease, event, left, runs) for lease in held):
            return None
        for node in nodes.ready(plan_of(ctx), task):
            if node.kind != "escalate" and _opened(nodes.lease_of(node, ctx.start_ms), event, left, runs):
                return begin(node)
        narrow = _narrowed(event, ctx, held, task)
        if narrow is not None:
            return narrow
    return _refused(ctx, task, phase, made._replace(files=tuple([one for one in left if one in made.files])), runs)


def plan_of(ctx: Context) -> Any:
    """The task's accepted plan."""
    from jackline.services.plans.document import parse

    where = where_of(ctx)
    return parse(nodes.accepted_bytes(where.store, where.sid, where.work), where.root)


def _refused(ctx: Context, task: Task, phase: str, made: Call, runs: bool) -> Action:
    """What is not read, and the command that leads on: the pack for what lies in a file, a plan for the rest."""
    mode = str(ctx.config.get("reading"))
    path = first(made)
    if path and not runs and not (mode == "lease" and made.folders):
        if not (task.get("context") or {}).get("hash") and phase == "UNINITIALIZED":
            now = 'jackline pack make "WHAT"'
            return refusal(f"there is no context pack yet, and {subject(made)}", phase, now, "PHASE_DENIED")
        return refusal(f"the context pack does not hold it: {subject(made)}", phase,
                       f"jackline pack add {argument(path)}", "SCOPE_VIOLATION")  # fmt: skip
    if phase == "BLOCKED":
        return blocked(task, made)
    if phase == "EXECUTING":
        ready = [node for node in nodes.ready(plan_of(ctx), task) if node.kind != "escalate"]
        what = f"no node that is ready opens this: {subject(made)}{named(ready)}"
        return refusal(what, phase, SUBMIT, "LEASE_REQUIRED")
    return refusal(f"it needs a lease: {subject(made)}", phase, to_read(ctx, path), "LEASE_REQUIRED")
