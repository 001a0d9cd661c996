"""A call that carries `request_scope_expansion`: what it asks for, and what a person's yes adds to the session."""

from __future__ import annotations

from jackline.affected_paths import decode_field, inputs
from jackline.changes import Changes, changes, terms_of
from jackline.features.intent_scope.judge import Judge, Ruling, bounds
from jackline.intents import active
from jackline.intents.intent_index import reading
from jackline.intents.scope import fault, scope
from jackline.intents.scope_requests import Wish, settle, widening, wish
from jackline.intents.unowned_paths import free_of
from jackline.sdk import ask

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jackline.intents import Active
    from jackline.model import Action, Event
    from jackline.sdk import Context

FIELD = "request_scope_expansion"
"""Of a tool's input: globs the agent wants to be let into (the engine, step 5)."""
NAMED = ("globs", "paths", "scope", "files", "path")
"""Where an object in that field holds them."""
MOST = 20
"""Globs of one request; each of them is shown to the person."""
OWN = ("*",)
"""What `true` asks for: the paths the call changes."""


def wanted(event: Event) -> tuple[tuple[str, ...], str]:
    """Globs that the call asks for in its own input, and its reason. `true` asks for the paths it changes."""
    value = decode_field(next((one[FIELD] for one in inputs(event) if one.get(FIELD) is not None), None))
    reason = ""
    if type(value) is dict:
        reason = str(value.get("reason") or "")[:200]
        value = decode_field(next((value[key] for key in NAMED if value.get(key) is not None), True))
    if value is True:
        return OWN, reason
    rows = value if type(value) is list else [value]
    return tuple([one.strip() for one in rows if type(one) is str and one.strip()])[:MOST], reason


def _globs(event: Event, judge: Judge, made: Changes) -> tuple[tuple[str, ...], str]:
    """The globs themselves, and the reason."""
    globs, reason = wanted(event)
    if globs == OWN:
        globs = tuple(dict.fromkeys([one.path for one in made.known if judge.change(one).out]))[:MOST]
    return tuple([one for one in globs if not fault(one)]), reason


def requested(event: Event, ctx: Context, chosen: Active, ruling: Ruling, judge: Judge, made: Changes) -> Action | None:
    """The question to a person, who decides only about what is named; None where a yes would not let the call pass."""
    globs, reason = _globs(event, judge, made)
    if not globs or ruling.kept or not ruling.out:
        return None
    widened = judge.known._replace(given=scope((*chosen.given, *globs), event.root))
    again = Judge(event.root, widened, judge.free).ruling(made)
    if again.out or again.unsure:
        return None
    store, sid = str(ctx.protected.get("store", "")), ctx.ids.session_id
    ctx.after(lambda: _keep(store, event.root, Wish(chosen.id, globs, reason, sid, ctx.start_ms)))
    action = ask(
        f"{ruling.out} is out of the scope of {chosen.id}; the agent asks to be let into {', '.join(globs)}"
        + (f": {reason}" if reason else ""),
        rule=f"intent-scope: {', '.join(chosen.scope + chosen.given) or 'nothing is in scope'}",
        safer=f"a yes adds {', '.join(globs)} to the scope of {chosen.id} for this session;"
        f" `{widening(chosen.id, globs)}` for good",
        code="SCOPE_VIOLATION",
        risk="DESTRUCTIVE",
    )
    return action._replace(emit_events=({"kind": "INTENT_ASK", "data": {"path": ruling.out, "intent": chosen.id}},))


def _keep(store: str, root: str, one: Wish) -> None:
    """Keep the wish, so that `intents list` shows it."""
    wish(store, root, one)


def approved(event: Event, ctx: Context) -> None:
    """A call that asked to be let in has run: where a person let it, the session is let in from now on."""
    if ctx.dry or ctx.observe or not wanted(event)[0]:
        return
    store, sid = str(ctx.protected.get("store", "")), ctx.ids.session_id
    chosen = active(store, sid)
    if chosen is None or chosen.root != event.root:
        return
    from jackline.intents.approval_check import was_approved

    if not was_approved(ctx.session_root, event, ctx.slug):
        return
    now = reading(store, event.root)
    judge = Judge(event.root, bounds(chosen, now.find(chosen.id), event.root), free_of(event, ctx, chosen, now))
    globs, _ = _globs(event, judge, changes(event, terms_of(ctx)))
    if globs:
        from jackline.intents.choose import give

        give(store, event.root, sid, chosen.id, globs, "approval")
        settle(store, event.root, chosen.id, globs)
