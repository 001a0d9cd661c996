"""A pack is made while the prompt waits where that is fast, else behind the answer; it is told when it is there."""

from __future__ import annotations

from jackline.features.context_pack.prompts import asks_for_work
from jackline.sdk import allow
from jackline.services import artifacts, jobs, work
from jackline.services import context_pack as packs
from jackline.services.context_pack import Where
from jackline.session_paths import task_ref
from jackline.unicode_escape import escape_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from jackline.model import Action, Event
    from jackline.sdk import Context

TRIES = 3
"""How often a pack is begun that is not made: its process may be ended, or take too long."""
MOST_MS = 120_000
"""So long a pack may take."""


def where_of(ctx: Context) -> Where:
    store = str(ctx.protected.get("store", ""))
    return Where(store, ctx.root, ctx.ids.session_id, ctx.ids.work_id, ctx.session_root)


def _make(where: Where, prompt: str, required: tuple[str, ...]) -> None:
    """Make and keep a pack. Where none comes of it, that is kept: no call would ever end to begin it again."""
    known = packs.known(where)
    more, without = known.get("more", []), known.get("without", [])
    from jackline.git import GitError
    from jackline.services.context_build import begun, build, fail, keep

    if begun(where) >= TRIES:
        fail(where, f"{TRIES} times it did not come to an end")
        return
    try:
        made = build(where, prompt, required=required, more=more, without=without)
    except GitError as fault:
        fail(where, str(fault))
    except OSError as fault:
        fail(where, f"{fault.filename}: {fault.strerror}")
    else:
        keep(where, prompt, made)


def _later(ctx: Context, prompt: str) -> None:
    """Make the pack when the client has its answer, in a process of its own; one at a time."""
    where, required = where_of(ctx), packs.required(ctx.config)
    key = f"pack-{where.sid}-{where.work}"
    ctx.after(lambda: _begin(where, prompt, required, key))


def _begin(where: Where, prompt: str, required: tuple[str, ...], key: str) -> None:
    jobs.start(where.store, key, lambda: _make(where, prompt, required), MOST_MS)


SUFFICES: dict[str, Any] = {"kind": "PHASE_TRIGGER", "data": {"trigger": "pack_sufficient"}}


def _is_typed(ctx: Context) -> bool:
    """Whether a person typed this prompt: then it began a turn."""
    return bool(ctx.ids.turn_id != ctx.state.get("core", {}).get("lastTurnId", 0))


def prompted(event: Event, ctx: Context) -> Action | None:
    """A prompt came: a task that has no pack yet gets one. Who was told what it lacks goes on by their prompt."""
    if not _is_typed(ctx):
        return None
    knew = ctx.state.get("pack", {})
    made = _prompted(event, ctx)
    if made is None and (knew.get("work"), knew.get("status")) == (ctx.ids.work_id, packs.INSUFFICIENT):
        return allow()._replace(emit_events=(SUFFICES,))
    return made


def _prompted(event: Event, ctx: Context) -> Action | None:
    work.begin(ctx, event.prompt)
    begins = work.upcoming(ctx) != ctx.ids.work_id  # its pack is made with the first call, for its own folder
    if begins and asks_for_work(event.prompt):
        return None
    known = packs.known(where_of(ctx))
    if not begins and known.get("hash") and known.get("status") == packs.SUFFICIENT:
        return bound(event, ctx)
    if not asks_for_work(event.prompt):
        return allow()._replace(emit_events=(SUFFICES,))  # no pack is needed to answer this
    if not packs.is_warm(where_of(ctx).store, ctx.root):
        _later(ctx, event.prompt)
        return None
    _make(where_of(ctx), event.prompt, packs.required(ctx.config))
    return bound(event, ctx)


def _lacking(ctx: Context, known: dict[str, Any]) -> Action:
    """A pack that is not enough: told; a strict task waits for more, where there is a pack to which it can be added."""
    lines = [escape_line(str(one)) for one in known.get("lacks") or ()]
    way = ["then: jackline pack add PATH"] if packs.document(where_of(ctx)) else []
    text = "\n".join(["the context pack is not sufficient:", *lines, *way])
    rows: list[dict[str, Any]] = [{"kind": "PACK_INSUFFICIENT", "data": {"lacks": lines}}]
    blocks = bool(way) and ctx.mode == "enforce" and ctx.config.get("block", True) is True
    rows.append({"kind": "PHASE_TRIGGER", "data": {"trigger": "pack_insufficient"}} if blocks else SUFFICES)
    return allow()._replace(additional_context=(("context pack", text),), emit_events=tuple(rows))


def bound(event: Event, ctx: Context) -> Action | None:
    """The pack that was made meanwhile, told once; where there is none and nobody makes one, one is begun."""
    where = where_of(ctx)
    known = packs.known(where)
    if not known.get("hash"):
        goal = str(work.head(ctx).get("goal", ""))
        if asks_for_work(goal):
            _later(ctx, goal)
        return None
    mark = str(known["hash"])
    if ctx.state.get("pack", {}).get("hash") == mark:
        return None
    status = str(known.get("status"))
    ref = task_ref(where.work, packs.FOLDER, packs.FILE)
    patch = {"pack": {"hash": mark, "ref": ref, "status": status, "work": where.work}}
    if status != packs.SUFFICIENT:
        return _lacking(ctx, known)._replace(state_patch=patch)
    found, mine = packs.document(where), ctx.state.get("pack", {}).get("work") == where.work
    knew = packs.told_before(where, str(ctx.state["pack"].get("hash"))) if mine else None
    text = packs.told(found, int(ctx.config.get("tokens", 1200)), known.get("notes") or (), knew)
    packs.keep_told(where)
    digest = artifacts.hash_of(ctx.session_root, ref)
    artifact = {"kind": "context_pack", "ref": ref, "hash": digest, "summary": f"{known.get('files')} files"}
    before = artifacts.newest(ctx.state, "context_pack", where.work)  # one that was made by hand is announced already
    return allow()._replace(
        additional_context=(("context pack", text),) if text else (),
        emit_events=(SUFFICES, SUFFICES),  # out of BLOCKED to the first phase, and out of that
        register_artifacts=() if before is not None and before.hash == digest else (artifact,),
        state_patch=patch,
    )
