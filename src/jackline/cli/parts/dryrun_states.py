"""What became of every hook in a dry run: those that ran, and those that did not, each with the reason."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from jackline.cli.parts.hook_states import (
    ACTED,
    BROKEN,
    FAILED,
    LATE,
    NO_SCRIPT,
    PAUSED,
    SILENT,
    SKIPPED,
    UNTRUSTED,
    WORDS,
    State,
)
from jackline.compiler import declare
from jackline.compiler.collect import survey
from jackline.compiler.declared import Declared
from jackline.compiler.discover import Found
from jackline.model import Action, HookRun
from jackline.runners.feature_errors import place
from jackline.runtime.outcome import Outcome
from jackline.script import Script

COPY = "trusted copy"
"""How a hook runs whose files are not as a person trusted them."""
TYPES = {"SessionStart": ("session",), "Stop": ("file",)}
"""Types of scripts that run at an event without naming it."""


def _did(action: Action) -> str:
    """What an action does that anybody notices, in a word; "" for nothing: records and state are a hook's own."""
    if action.decision not in ("", "allow"):
        return action.decision
    for word, value in (
        ("rewrite", action.updated_input),
        ("context", action.additional_context),
        ("warning", action.warnings),
        ("artifact", action.register_artifacts),
    ):
        if value:
            return word
    return ""


def ran(one: HookRun) -> State:
    """What became of a feature that ran."""
    made: State = {"hook": one.hook, "kind": "feature", "state": SILENT}
    made |= {"ms": round(one.ms, 3)} if one.ms else {}
    if one.error:
        made["state"] = LATE if one.error == "BUDGET_EXCEEDED" else FAILED
        made["said"] = one.raised[-1] if one.raised else next(iter(one.action.warnings), one.error)
        if place(one.raised):
            made["at"] = place(one.raised)
            made["traceback"] = list(one.raised)
        made |= {"did": one.action.decision} if one.action.decision else {}
        return made
    did = _did(one.action)
    if did:
        said = one.action.reason or next(iter(one.action.warnings), "")
        made |= {"state": ACTED, "did": did, "said": said.partition("\n")[0]}
    if one.observed:
        made["observed"] = True
    return made


def _idle(name: str, kind: str, state: str, why: str) -> State:
    return {"hook": name, "kind": kind, "state": state, "said": why}


def _why(why: str) -> tuple[str, str]:
    """A reason as (state, sentence)."""
    if why == PAUSED:
        return PAUSED, "a person switched it off · `jackline status` shows until when"
    if why.startswith(UNTRUSTED):
        return UNTRUSTED, ""
    if "expected " in why:
        return BROKEN, why
    return SKIPPED, WORDS.get(why, why)


def _scripts(outcome: Outcome, seen: Sequence[str]) -> Iterator[State]:
    """Scripts that this event concerns and that did not run."""
    event = outcome.event.name
    due: list[Script] = [one for kind in (event, *TYPES.get(event, ())) for one in outcome.table.scripts(kind)]
    for script in due:
        if f"script:{script.key}" not in seen:
            why = PAUSED if outcome.is_silenced(script.key) else NO_SCRIPT
            yield _idle(f"script:{script.key}", "script", *_why(why))
    for file, key, kind, events, why in outcome.table.report()["scripts"]:
        if event in events or kind in TYPES.get(event, ()) or not kind:
            yield _idle(f"script:{key}" if key else file, "script", *_why(why))


def states(outcome: Outcome) -> list[State]:
    """Every hook of the event: those that ran in their order, then those that did not, each with the reason."""
    made = [ran(one) for one in outcome.ran]
    for row in outcome.table.rows(outcome.event.name):
        if outcome.is_paused(row):
            made.append(_idle(row.slug, "feature", *_why(PAUSED)))
        elif outcome.left is not None and row.slug not in [one.hook for one in outcome.ran]:
            made.append(_idle(row.slug, "feature", SKIPPED, f"{outcome.left.slug} before it did not end"))
    seen = [str(one["hook"]) for one in made]
    for hook, why in outcome.skipped:
        if hook not in seen:
            made.append(_idle(hook, "script" if hook.startswith("script:") else "feature", *_why(why)))
    seen = [str(one["hook"]) for one in made]
    copies = outcome.table.report()["copies"]
    whole = [*made, *unread(outcome), *_scripts(outcome, seen)]
    return [one | {"standing": COPY} if one["hook"] in copies else one for one in whole]


def _supports(found: Found, where: str, event: str) -> tuple[bool, str]:
    """Whether a feature that is not read as code asks for an event, and what is wrong with its declaration."""
    said = declare.declared(found.files["hook.py"], f"{where}/hook.py")
    return (event in said.supports, "") if isinstance(said, Declared) else (True, str(said[0]))


def unread(outcome: Outcome) -> Iterator[State]:
    """Features of this event that are there and lack a person's yes: told by what they declare, nothing is run."""
    lacking = [slug for slug, why in outcome.table.report()["skipped"] if why.startswith(UNTRUSTED)]
    if not lacking:
        return
    surveyed = survey(outcome.session.root, outcome.store.path)
    for found in surveyed.features:
        if found.slug not in lacking or found.origin == "builtin":
            continue
        here, fault = _supports(found, surveyed.sources.shown(found.folder), outcome.event.name)
        if here:
            yield _idle(found.slug, "feature", *((BROKEN, fault) if fault else _why(UNTRUSTED)))
