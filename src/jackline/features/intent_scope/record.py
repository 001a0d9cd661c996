"""What is written down: digests before a call, a row of the trace after it, the map of intents at a turn's end."""

from __future__ import annotations

from jackline.affected_paths import inputs
from jackline.changes import Changes, changes, is_excused, terms_of
from jackline.intents import active
from jackline.intents.intent_index import reading
from jackline.sdk import note

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from jackline.model import Action, Event
    from jackline.sdk import Context


def _files(made: Changes) -> list[str]:
    return [one.path for one in made.known if not one.pattern and one.how not in ("tree", "folder")]


def before(event: Event, ctx: Context, made: Changes) -> None:
    """Keep what the files of a call that may run hold now."""
    from jackline.intents.trace import wait

    wait(ctx.paths.session_root, event, _files(made))


def _class(event: Event, told: dict[str, Any]) -> tuple[str, float]:
    """The class of a change that was made: by the texts where they were kept, else by what the call itself says."""
    from jackline.edits import proposed
    from jackline.mutation import classify
    from jackline.mutation.changes import of_texts

    try:
        kept = told.get("texts") or {}
        found = (
            of_texts([(one.path, kept[one.path], one.after) for one in proposed(event) if one.path in kept])
            if kept
            else classify(event)
        )
        return found.kind, found.confidence
    except Exception:  # noqa: BLE001 - a word in a record, no reason to lose it
        return "UNKNOWN", 0.0


def _row(event: Event, ctx: Context, intent: str, told: dict[str, Any], outcome: str) -> dict[str, Any]:
    from jackline.intents.trace import FORMAT, files

    kind, confidence = _class(event, told) if event.tool else ("UNKNOWN", 0.0)
    return {
        "v": FORMAT,
        "ts": ctx.start_ms,
        "intentId": intent,
        "session": ctx.ids.session_id,
        "agentId": ctx.ids.agent_id,
        "turnId": ctx.ids.turn_id,
        "workId": ctx.ids.work_id,
        "client": event.client,
        "tool": told.get("tool", event.tool),
        "toolKind": told.get("kind", event.kind),
        "toolUseId": event.tool_use_id,
        "outcome": outcome,
        "mutationClass": kind,
        "confidence": round(confidence, 2),
        "files": files(event.root, told["files"]),
        **({"unknown": told["unknown"]} if told.get("unknown") else {}),
    }


def _told(event: Event, ctx: Context) -> dict[str, Any] | None:
    """What a call changed whose files nobody looked at before: one that a person let pass; None for nothing."""
    if event.kind == "shell":
        from jackline.shell.screen import screen

        if screen(event.command):
            return None
    elif is_excused(event, ctx):
        return None
    made = changes(event, terms_of(ctx))
    if not made.known and not made.unsure:
        return None
    return {"files": dict.fromkeys(_files(made)), "unknown": made.unsure}


def ran(event: Event, ctx: Context) -> None:
    """A call ran: what a person let it into counts, and the trace has a row when the client has its answer."""
    from jackline.features.intent_scope.expansion import FIELD, approved

    if any(FIELD in one for one in inputs(event)):
        approved(event, ctx)
    if ctx.config.get("trace") is False or ctx.dry:
        return
    chosen = active(str(ctx.protected.get("store", "")), ctx.ids.session_id)
    if chosen is None:
        return
    outcome = event.outcome or ("error" if event.name == "PostToolUseFailure" else "")

    def keep() -> None:
        from jackline.intents.trace import take, write

        told = take(ctx.paths.session_root, event) or _told(event, ctx)
        if told is not None:
            write(event.root, [_row(event, ctx, chosen.id, told, outcome)])

    ctx.after(keep)


def ends(event: Event, ctx: Context) -> None:
    """A turn ends: rows for calls whose end no client told, and the map of intents."""
    if ctx.config.get("trace") is False or ctx.dry or event.agent_id:
        return
    store = str(ctx.protected.get("store", ""))
    chosen = active(store, ctx.ids.session_id)
    if chosen is None:
        return

    def keep() -> None:
        from jackline.intents.chart import draw
        from jackline.intents.trace import files, left, read, write

        rows = []
        for told in left(ctx.paths.session_root):
            if any(one["before"] != one["after"] for one in files(event.root, told["files"])):
                rows.append(_row(event, ctx, chosen.id, told, ""))
        write(event.root, rows)
        draw(event.root, reading(store, event.root).intents, read(event.root))

    ctx.after(keep)


def begins(event: Event, ctx: Context) -> Action | None:
    """A session begins: the agent reads that changes belong to an intent, and how to select one."""
    store = str(ctx.protected.get("store", ""))
    now = reading(store, event.root, keep=not ctx.dry)
    chosen = active(store, ctx.ids.session_id)
    if chosen is not None:
        held = ", ".join(chosen.scope + chosen.given)
        return note("intent", f"you work for intent {chosen.id} ({chosen.name}); its scope is {held}")
    names = [f"{one.id} ({one.name})" if one.name else one.id for one in now.intents if one.open]
    if not names or ctx.config.get("require_intent") is False:
        return None
    told = ", ".join(names[:10])
    return note("intent", f"changes belong to an intent here: run `jackline intents select ID` first; open: {told}")
