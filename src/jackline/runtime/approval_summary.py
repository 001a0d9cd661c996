"""What a person needs to know of a call before they say yes, and what a program is told of a refusal (section 9).

Loaded for verdicts that deny or ask. A library that fails is reported and leaves its line empty: no guard waits for it.
"""

from __future__ import annotations

from jackline.policy.refusal import FILES, PREVIEW, affected_files, refusal, short
from jackline.site_paths import take

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, NamedTuple

    from jackline.clients.capabilities import Capability
    from jackline.model import Event, Verdict
    from jackline.runtime.outcome import Outcome
    from jackline.store.approvals import Request as Approval
else:
    from jackline._record import NamedTuple

TEXTS = ("write", "edit", "notebook")
"""Kinds of tools that change texts we can read: only those have a class of change and a preview."""
SHOWN = 8
"""Files a dialog names."""


class Brief(NamedTuple):
    """The facts beside a question: the intent the session works for, files, class of change, a diff's first lines."""

    intent: str = ""
    named: str = ""
    files: tuple[str, ...] = ()
    mutation: str = "UNKNOWN"
    confidence: float = 0.0
    preview: tuple[str, ...] = ()


def _ask_library(outcome: Outcome, by: str, ask: Callable[[], Any], otherwise: Any) -> Any:
    """What a library says; without it when the library fails, which is reported."""
    try:
        return ask()
    except Exception as fault:  # noqa: BLE001 - see above
        outcome.fault = outcome.fault or f"{by} failed: {type(fault).__name__}"
        if not outcome.store.dry:
            from jackline.store.crash import report
            from jackline.version import VERSION

            report(outcome.store.path, fault, {"where": by, "event": outcome.event.name}, VERSION)
        return otherwise


def intent_of(outcome: Outcome) -> tuple[str, str]:
    """The id and the name of the session's active intent, empty when it has none."""
    found = _ask_library(
        outcome, "intents", lambda: take("jackline.intents").active(outcome.store.path, outcome.session.sid), None
    )
    return (found.id, found.name) if found is not None else ("", "")


def changes_texts(event: Event) -> bool:
    return event.kind in TEXTS or bool(event.patch)


def mutation_of(outcome: Outcome) -> tuple[str, float]:
    """The class of the change, and how sure that is."""
    event, found = outcome.event, None
    if changes_texts(event):
        found = _ask_library(outcome, "mutation", lambda: take("jackline.mutation").classify(event), None)
    return (str(found.kind), float(found.confidence)) if found is not None else ("UNKNOWN", 0.0)


def preview_of(outcome: Outcome) -> tuple[str, ...]:
    """The first lines of the diff, where the call changes texts."""
    event = outcome.event
    if not changes_texts(event):
        return ()
    return tuple(_ask_library(outcome, "edits", lambda: take("jackline.edits").preview(event, PREVIEW), ()))


def _files(outcome: Outcome) -> tuple[str, ...]:
    """Files that the call changes, by any tool."""
    found = _ask_library(outcome, "touched", lambda: take("jackline.affected_paths").touches(outcome.event), None)
    if found is None:
        return affected_files(outcome.event)
    return tuple(dict.fromkeys([one.pattern or one.path for one in found if one.changes]))


def brief(outcome: Outcome) -> Brief:
    """All of it, for a person."""
    return Brief(*intent_of(outcome), _files(outcome), *mutation_of(outcome), preview_of(outcome))


def _classes(event: Event) -> tuple[str, str]:
    classes = take("jackline.classification")
    return classes.risk(event), classes.normalized(event.tool, event.kind)


def meta(outcome: Outcome) -> dict[str, Any]:
    """What the JSON line of a refusal says of the call."""
    event = outcome.event
    risk, tool = _ask_library(outcome, "classification", lambda: _classes(event), ("DESTRUCTIVE", event.kind))
    return {
        "invocation_id": outcome.invoked(),
        "intent_id": intent_of(outcome)[0] or None,
        "tool_name": event.tool,
        "normalized_tool_name": tool,
        "risk": risk,
        "mutation_class": mutation_of(outcome)[0],
        "affected_files": list(affected_files(event)[:FILES]),
    }


def several(files: tuple[str, ...]) -> str:
    """Some files in a line."""
    more = f" and {len(files) - SHOWN} more" if len(files) > SHOWN else ""
    return ", ".join(files[:SHOWN]) + more


def lines(found: Brief) -> list[str]:
    """The facts as lines to read."""
    said = []
    if found.intent:
        said.append(f"intent: {found.intent}" + (f" ({found.named})" if found.named else ""))
    if found.files:
        said.append(f"files: {several(found.files)}")
    if found.mutation != "UNKNOWN":
        said.append(f"change: {found.mutation} ({round(found.confidence * 100)} % sure)")
    return said


def _safe(line: str) -> str:
    """A line without characters that deceive; most have none, and need no table of them."""
    if line.isascii() and line.isprintable():
        return line
    shown: str = take("jackline.unicode_escape").escape_line(line)
    return shown


def dialog(outcome: Outcome, verdict: Verdict) -> str:
    """The text of a client's own question: what, rule, safer way, then the facts, then what shows what it is about: as
    the asking hook has it, else the diff's first lines.
    """
    found = brief(outcome)
    shown = [_safe(line) for line in verdict.preview[:PREVIEW]] or found.preview
    said = short(verdict.reason).split("\n") + lines(found)
    if not found.intent and outcome.works_with("intents"):
        said.append("intent: none is active")
    if found.mutation == "UNKNOWN" and changes_texts(outcome.event):
        said.append("change: UNKNOWN")
    return "\n".join([*[_safe(line) for line in said], *shown])


def note(outcome: Outcome, approval: Approval) -> str:
    """What the person reads: with the code where somebody sits, since elsewhere a program reads along.

    It goes into the answer and nowhere else: logs and verdicts that other entry points read lie where an agent may
    look.
    """
    from jackline.clients.person_present import can_be_asked
    from jackline.store import approvals

    what = f"Jackline: call {approval.id} waits for your yes"
    left = max((approval.until - outcome.request.now // 1_000_000) // 60_000, 1)
    if not can_be_asked(outcome.request, outcome.event.client):
        return f"{what}, for {left} min: see `jackline approvals`"
    code = approvals.code(outcome.store.path, approval)
    return f"{what}, for {left} min: type `jackline approve {code}` (or reject) here, or see `jackline approvals`"


def format_verdict(outcome: Outcome, verdict: Verdict, capability: Capability) -> Verdict:
    """A decision against a call in the words of who reads it: the model a refusal, the person a question."""
    if verdict.decision == "ask":
        return verdict._replace(reason=dialog(outcome, verdict))
    if outcome.pending is not None and capability.note:
        verdict = verdict._replace(notes=(*verdict.notes, note(outcome, outcome.pending)))
    return verdict._replace(reason=refusal(verdict, meta(outcome)))
