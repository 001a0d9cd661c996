"""Before a compaction: the capsule, the end of all leases, the lock. After it: the capsule told, the lock opened."""

from __future__ import annotations

from jackline.model import Action
from jackline.services import artifacts, capsule, succession, tool_lock
from jackline.services import context_pack as packs
from jackline.services.capsule import DATA, KIND, TEXT, Where
from jackline.session_paths import task_place, task_ref

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from jackline.model import Event
    from jackline.sdk import Context

KEY = "resume"
TOLD = 6_000
"""Characters of the capsule that are given to the agent; the whole one is in its file."""
SOURCES = ("plan_accepted", "context_pack")
"""Artifacts that a capsule is made from, where they are there."""


def _where(ctx: Context) -> Where:
    store = str(ctx.protected.get("store", ""))
    return Where(store, ctx.root, ctx.ids.session_id, ctx.session_root, ctx.ids.work_id)


def _pack(where: Where) -> packs.Where:
    return packs.Where(where.store, where.root, where.sid, where.work, where.folder)


def _close(where: Where, ctx: Context) -> None:
    """End what was lent, and lock the tools. OSError when the store cannot be written."""
    tool_lock.close(_pack(where), tool_lock.CHECK if ctx.mode == "enforce" else tool_lock.FRESH)


def _made(event: Event, ctx: Context, past: Where | None = None) -> tuple[str, str, dict[str, Any]]:
    """The capsule, written: its hash, its text, and what announces it.

    Leases end before anything is written: whoever is killed on the way leaves none behind.
    """
    where = _where(ctx)
    built = capsule.build(where, ctx.state, ctx.start_ms, event.source or event.name, past)
    _close(where, ctx)
    data, text = capsule.write(where, built)
    found = [artifacts.newest(ctx.state, kind, where.work) for kind in SOURCES]
    ref = task_ref(where.work, DATA)
    depends = [one.id for one in found if one is not None]
    entry = artifacts.described(KIND, ref, data, summary=f"how {where.work} goes on", depends=depends)
    return str(entry["hash"]), text, entry


def before(event: Event, ctx: Context) -> Action:
    """The context is about to be cut: keep what is needed to go on, and end what was lent."""
    mark, _, entry = _made(event, ctx)
    patch = {"tools": {"locked": True, "resume": mark, "work": ctx.ids.work_id}}
    return Action(state_patch=patch, register_artifacts=(entry,))


def _text(ctx: Context, text: str) -> str:
    if len(text) <= TOLD:
        return text
    place = task_place(ctx.session_root, ctx.ids.work_id, TEXT)
    return f"{text[:TOLD].rpartition(chr(10))[0]}\n… the rest: {place}\n"


def _lock(where: Where) -> tuple[bool, str]:
    """Whether the tools stay locked, and what the agent reads of it. A pack that is fresh opens a lenient lock."""
    if not tool_lock.still(_pack(where)):
        return False, ""
    return True, f"The tools are locked: run `{tool_lock.COMMAND}` before you change anything.\n"


def after(event: Event, ctx: Context) -> Action | None:
    """The first event after a cut: tell the capsule, once; a later one only opens the lock."""
    where = _where(ctx)
    tools = ctx.state.get("tools") or {}
    mark, told = str(tools.get("resume", "")), str(tools.get("told", ""))
    if mark == told and not _is_cut(event):
        locked, _ = _lock(where)
        return None if locked else Action(state_patch={"tools": {"locked": False}})
    entry = None
    text = capsule.read(where, mark) if mark != told and tools.get("work") == where.work else ""
    if not text:  # nobody told us before the cut, or another file stands there now
        past = succession.carry(where, event.client, event.session) if _is_cut(event) else None
        if mark == told and past is None and not _goes_on(ctx):
            return None
        mark, text, entry = _made(event, ctx, past)
    locked, way = _lock(where)
    patch = {"locked": locked, "resume": mark, "told": mark, "work": where.work}
    if not capsule.is_first(where, mark):
        return None
    context = ((KEY, _text(ctx, text) + way),)
    return Action(
        additional_context=context, state_patch={"tools": patch}, register_artifacts=(entry,) if entry else ()
    )


def checked(event: Event, ctx: Context) -> Action | None:
    """A command ran: `jackline pack check` opens the lock, also where a sandbox kept it out of the store."""
    from jackline.changes import Terms, our_words

    terms = Terms((), str(ctx.protected.get("package", "")), str(ctx.protected.get("home", "")))
    for command in event.effects.commands:
        words = our_words(command.words, terms, command.cwd)
        if words and tuple(words[:2]) == ("pack", "check"):
            tool_lock.open_(_pack(_where(ctx)))
            return Action(state_patch={"tools": {"locked": False}})
    return None


def _is_cut(event: Event) -> bool:
    return event.name == "SessionStart"


def _goes_on(ctx: Context) -> bool:
    """Whether there is a task to go on with: a phase beyond the first, or a plan."""
    phase = ctx.state.get("core", {}).get("phase", "UNINITIALIZED")
    plan = ctx.state.get("plan", {}).get("status", "none")
    return (phase, plan) != ("UNINITIALIZED", "none")
