"""What happens at a prompt, after a tool, and at the end of a turn.

Nothing here waits for a validator but the end of a turn, for a share of the time that its features have: what still
runs then is no failure. What is red keeps the agent going three times a turn; then the task waits for its person.
"""

from __future__ import annotations

import time

from jackline.features.validators import manifest
from jackline.model import MUTATING
from jackline.sdk import allow, block, note, warn
from jackline.services import work
from jackline.services.plans import acceptance
from jackline.services.plans.acceptance import Where
from jackline.services.validators import content, due, listing, runs
from jackline.services.validators.place import newest
from jackline.services.validators.runs import Tree

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from jackline.model import Action, Event
    from jackline.sdk import Context
    from jackline.services.validators.due import Check
    from jackline.services.validators.listing import Listed

SOURCE = "validators"
SHARE = 0.6
"""Of the time that features have at the end of a turn."""
ASK_S = 0.05
"""How often it is asked whether a validator ended."""


def _where(ctx: Context, task: str = "") -> Where:
    store = str(ctx.protected.get("store", ""))
    return Where(store, ctx.root, ctx.ids.session_id, task or ctx.ids.work_id, ctx.session_root)


def _tree(event: Event, where: Where) -> Tree:
    return Tree(where.store, where.root, event.env, where.folder, where.sid, event.client)


def _trigger(name: str) -> dict[str, Any]:
    return {"kind": "PHASE_TRIGGER", "data": {"trigger": name}}


def _merged(one: Action | None, patch: dict[str, Any]) -> Action:
    """An action that says, too, for which task the beginning is known."""
    made = one or allow()
    old = dict(made.state_patch or {})
    return made._replace(state_patch={**old, **patch, SOURCE: {**old.get(SOURCE, {}), **patch.get(SOURCE, {})}})


# --- a task begins -------------------------------------------------------------------------------------------------


def _begin(event: Event, ctx: Context, task: str) -> Callable[[], None]:
    where = _where(ctx, task)

    def begin() -> None:
        due.begin(where, _tree(event, where), ctx.start_ms)

    return begin


def _blocks(ctx: Context, where: Where, phase: str) -> bool:
    """Whether the task is blocked for its validators: one that is blocked for something else waits for that."""
    return phase == "BLOCKED" and due.is_spent(where, ctx.ids.turn_id)


# --- after a tool --------------------------------------------------------------------------------------------------


def _after_change(event: Event, ctx: Context, known: Listed) -> Action | None:
    """The manifest of a plan that is accepted; what is due starts when the client has its answer."""
    where = _where(ctx)
    if any(one.runs_at("change") for one in known.rows):
        ctx.after(lambda: due.run(where, _tree(event, where), "change"))
    task = work.task(ctx)
    plan = task.get("plan")
    made = manifest.made(where, known, str(plan["fingerprint"]), ctx) if isinstance(plan, dict) else None
    if _blocks(ctx, where, work.phase(ctx, task)) and due.is_passed(where):
        return (made or allow())._replace(emit_events=(_trigger("validator_passed"),))
    return made


# --- the end of a turn ---------------------------------------------------------------------------------------------


def _left_s(ctx: Context) -> float:
    return (ctx.timers.budget_ms * SHARE - ctx.timers.elapsed()) / 1000


def _awaited(event: Event, ctx: Context, where: Where, known: Listed) -> list[Check]:
    """What is due, after those that have not run were given the time there is."""
    found = [one for one in due.checks(where, known.rows, env=event.env) if one.due]
    missing = [one.validator for one in found if one.result is None or one.result.fault]
    if missing:
        runs.start(due.with_needs(known, missing), _tree(event, where))
    while due.waiting(found) and _left_s(ctx) > 0:
        time.sleep(ASK_S)
        found = due.again(where, found)
    return found


def digest(red: Sequence[Check], number: int = 0) -> str:
    """What the agent reads of what is red."""
    count = f" (attempt {number}/3)" if number else ""
    lines = [f"validators are red on what is there now{count}; mend it:"]
    for one in red:
        assert one.result is not None
        again = "" if one.validator.spoken else f" · again alone: jackline validators run {one.validator.id}"
        lines.append(f"- {one.validator.id}: {one.result.word}{again}")
        lines += [f"  {line}" for line in one.result.digest.split("\n") if line.strip()]
    return "\n".join(lines)


def _mark(red: Sequence[Check]) -> str:
    """What stands for these being red on their content."""
    return "-".join(sorted(f"{one.validator.digest[:4]}{one.content[:8]}" for one in red))[:200]


def _told(made: Action, red: Sequence[Check]) -> Action:
    """The same, and that the agent was told of it."""
    return made._replace(state_patch={SOURCE: {"told": _mark(red)}})


def _held(red: Sequence[Check], ctx: Context, where: Where) -> Action:
    """Keep the agent going, as often as validators may; then the task is blocked."""
    if ctx.mode != "enforce":
        return _told(block(digest(red)), red)
    number, why = due.held(where, ctx.ids.turn_id)
    if not why:
        return _told(block(digest(red, number)), red)
    names = ", ".join(one.validator.id for one in red)
    said = f"{names} still red: {why} · jackline validators shows them"
    return warn(said)._replace(emit_events=(_trigger("attempts_spent"),))


def _rendered(where: Where, ctx: Context) -> dict[str, Any]:
    """The plan's part of the state, where it is another now."""
    known, now = ctx.state.get("plan") or {}, acceptance.state_of(where)
    differs = now.get("status") == "accepted" and any(known.get(key) != value for key, value in now.items())
    return {"plan": now} if differs else {}


def _stop(event: Event, ctx: Context, known: Listed) -> Action | None:
    where = _where(ctx)
    found = _awaited(event, ctx, where, known)
    phase = work.phase(ctx, work.task(ctx))
    red = [one for one in found if one.is_red and not one.excused]
    if red and phase != "BLOCKED" and not event.background:  # while those run nobody is kept going
        return _held(red, ctx, where)
    said = [f"{one.validator.id} still runs · jackline validators shows it" for one in due.waiting(found)]
    said += [
        f"{one.validator.id} cannot be run: {one.result.fault}" for one in found if one.result and one.result.fault
    ]
    said += [f"{one.validator.id} was red before this task, and is" for one in found if one.excused]
    passed = _blocks(ctx, where, phase) and not any(one.holds for one in found)
    events = (_trigger("validator_passed"),) if passed else ()
    patch = _rendered(where, ctx)
    if not (said or events or patch):
        return None
    made = allow()._replace(warnings=tuple(said), emit_events=events, state_patch=patch or None)
    if (patch.get("plan") or {}).get("complete") is not True:
        return made
    from jackline.services.completion import ended

    return ended(ctx, made)


# --- the whole -----------------------------------------------------------------------------------------------------


def _prompt(event: Event, ctx: Context, known: Listed) -> Action | None:
    """What turned red since the turn ended, once. Nobody asks where no validator ended since (`hook`)."""
    where = _where(ctx)
    found = [one for one in due.checks(where, known.rows, env=event.env) if one.due and one.is_red and not one.excused]
    if not found or (ctx.state.get(SOURCE) or {}).get("told") == _mark(found):
        return None
    return _told(note(SOURCE, digest(found)), found)


MOMENTS = {"UserPromptSubmit": _prompt, "PostToolUse": _after_change, "Stop": _stop}


def at(event: Event, ctx: Context) -> Action | None:
    """What an event asks of validators; nothing where none is in force."""
    known = listing.read(str(ctx.protected.get("store", "")), ctx.root)
    if event.name == "Stop":
        known = due.with_commands(_where(ctx), known)
    if not known.rows or (event.agent_id and event.name != "PostToolUse"):
        return None
    task = work.upcoming(ctx) if event.name == "UserPromptSubmit" else ctx.ids.work_id
    fresh = (ctx.state.get(SOURCE) or {}).get("work") != task
    looks = event.name == "Stop" or (event.name == "UserPromptSubmit" and not fresh)
    seen = newest(str(ctx.protected.get("store", "")), ctx.root) if looks else ""
    if fresh and not (event.name == "PostToolUse" and event.kind in MUTATING):
        ctx.after(_begin(event, ctx, task))  # behind a change it is too late: then all are due
    made: Action | None = None
    if not (fresh and event.name == "UserPromptSubmit"):
        try:
            made = MOMENTS[event.name](event, ctx, known)
        except content.Unknown as fault:
            made = warn(f"what validators judge cannot be told: {fault}")
    news = ({"work": task} if fresh else {}) | ({"seen": seen} if looks and seen != _seen(ctx) else {})
    return _merged(made, {SOURCE: news}) if news else made


def _seen(ctx: Context) -> str:
    return str((ctx.state.get(SOURCE) or {}).get("seen", ""))
