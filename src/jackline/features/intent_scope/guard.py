"""From a call to its answer: the session's intent, what the call changes, and the three lines of a refusal."""

from __future__ import annotations

from jackline.changes import changes, is_excused, terms_of
from jackline.features.intent_scope.expansion import requested
from jackline.features.intent_scope.judge import Judge, Ruling, bounds, needs_intent
from jackline.intents import Active, active
from jackline.intents.intent_index import Reading, reading
from jackline.intents.scope_requests import widening
from jackline.intents.unowned_paths import free_of
from jackline.sdk import ask, deny

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jackline.model import Action, Event
    from jackline.sdk import Context

SHOWN = 4
"""Globs or intents named in one line."""


def _some(texts: list[str] | tuple[str, ...]) -> str:
    more = f" (+{len(texts) - SHOWN} more)" if len(texts) > SHOWN else ""
    return ", ".join(texts[:SHOWN]) + more


def _told(action: Action, kind: str, path: str, intent: str) -> Action:
    return action._replace(emit_events=({"kind": kind, "data": {"path": path, "intent": intent}},))


# --- no intent -------------------------------------------------------------------------------------------------


def _open(now: Reading) -> str:
    if not now.there:
        return "the project has no .orchestration/active_intents.yaml: ask the person for `jackline intents new`"
    names = [f"{one.id} ({one.name})" if one.name else one.id for one in now.intents if one.open]
    if not names:
        return "no intent is open: ask the person for `jackline intents new` or `jackline intents status`"
    return f"run `jackline intents select ID` first; open: {_some(names)}"


def _no_intent(what: str, why: str, now: Reading) -> Action:
    action = deny(
        f"{why}, and this would change {what}",
        rule="intent-scope: a change belongs to an intent that is open",
        safer=_open(now),
        code="NO_ACTIVE_INTENT",
        risk="DESTRUCTIVE",
    )
    return _told(action, "INTENT_DENY", what, "")


def standing(chosen: Active | None, now: Reading, root: str) -> str:
    """Why a session's intent does not count, "" when it does."""
    if chosen is None:
        return "no intent is selected"
    if chosen.root and chosen.root != root:
        return f"intent {chosen.id} belongs to another project"
    said = now.find(chosen.id)
    if said is None:
        return f"intent {chosen.id} is no longer in the project's file"
    return "" if said.open else f"intent {chosen.id} is {said.status}"


# --- out of scope ----------------------------------------------------------------------------------------------


def _out(chosen: Active, ruling: Ruling) -> Action:
    if ruling.kept:
        action = deny(
            f"{ruling.kept} may not be changed by an agent: it says which intents there are",
            rule="intent-scope: intents are a person's",
            safer="ask the person; `jackline intents status ID COMPLETED` and `jackline intents request` are yours",
            code="SCOPE_VIOLATION",
            risk="DESTRUCTIVE",
        )
        return _told(action, "INTENT_DENY", ruling.kept, chosen.id)
    name = f" ({chosen.name})" if chosen.name else ""
    yes = widening(chosen.id, (ruling.out,))
    action = deny(
        f"{ruling.out} is out of the scope of {chosen.id}{name}",
        rule=f"intent-scope: {_some(chosen.scope + chosen.given) or 'nothing is in scope'}",
        safer=f"stay in scope, or run `{yes.replace('expand', 'request', 1)} --reason …`; a person widens it: `{yes}`",
        code="SCOPE_VIOLATION",
        risk="DESTRUCTIVE",
    )
    return _told(action, "INTENT_DENY", ruling.out, chosen.id)


def _unknown(event: Event, ctx: Context, chosen: Active, why: str) -> Action | None:
    answer = str(ctx.config.get("unknown") or "ask")
    if answer == "pass" and not ctx.protected.get("paranoid"):
        return None
    say = deny if answer == "deny" else ask
    action = say(
        f"what this changes is not known ({why}), so it may leave the scope of {chosen.id}",
        rule=f"intent-scope: {_some(chosen.scope + chosen.given) or 'nothing is in scope'}",
        safer="write plainly which files it shall change, or use the edit tool",
        code="SCOPE_VIOLATION" if answer == "deny" else "",
        risk="UNKNOWN",
    )
    return _told(action, "INTENT_DENY" if answer == "deny" else "INTENT_ASK", why, chosen.id)


# --- the whole -------------------------------------------------------------------------------------------------


def judged(event: Event, ctx: Context) -> Action | None:
    """What is said to a call that may change something."""
    if is_excused(event, ctx):
        return None
    store = str(ctx.protected.get("store", ""))
    now = reading(store, event.root, keep=not ctx.dry)
    chosen = active(store, ctx.ids.session_id)
    terms = terms_of(ctx)
    made = changes(event, terms)
    if not made.known and not made.unsure:
        if event.kind == "shell" and "intents" in event.command:
            from jackline.features.intent_scope.shell_commands import said

            said(event, ctx, terms)
        return None
    why = standing(chosen, now, event.root)
    free = free_of(event, ctx, None if why else chosen, now)
    if why or chosen is None:
        held = Judge(event.root, bounds(Active("", "", ("**",)), None, event.root), free).ruling(made)
        if held.kept:
            return _out(chosen or Active("", "", ()), held)
        what = needs_intent(made, free)
        if not what or (chosen is None and ctx.config.get("require_intent") is False):
            return None
        return _no_intent(what if what != made.unsure else f"what nobody can tell ({what})", why, now)
    judge = Judge(event.root, bounds(chosen, now.find(chosen.id), event.root), free)
    ruling = judge.ruling(made)
    if ruling.out:
        return requested(event, ctx, chosen, ruling, judge, made) or _out(chosen, ruling)
    if ruling.unsure:
        return _unknown(event, ctx, chosen, ruling.unsure)
    if ctx.config.get("trace") is not False and not ctx.dry:
        from jackline.features.intent_scope.record import before

        before(event, ctx, made)
    return None
