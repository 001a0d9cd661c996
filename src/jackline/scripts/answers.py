"""Read what an event script answered: an Outcome in, an Action out. Only `block: true` decides (design section 7).

Standard output is one JSON object, or it is text: a decision is never looked for inside of prose. Fields are read in
our own names and in those of the clients' hooks (`hookSpecificOutput`), at the places where these stand, nowhere else.
"""

from __future__ import annotations

from jackline.jsonio import dumps, loads
from jackline.model import Action
from jackline.policy.events import decisions
from jackline.runners.actions import FIELDS, SHAPES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from jackline.model import Decision
    from jackline.script import Outcome, Script

LISTENING = ("SessionStart", "UserPromptSubmit", "SubagentStart")
"""Events at which plain text on standard output is context for the model."""
REFUSED = 2
"""The exit code that refuses."""
MOST_DEPTH = 32
"""Deeper answers mean nothing that a client could carry."""
LINES = 3
"""Lines that a refusal shows; a longer reason goes to the model as context too."""
SHORT = 300
"""Characters of a script's words that are shown to a person."""

YES = frozenset(("allow", "approve", "continue", ""))
"""No objection. A script cannot approve: that would skip the person's own question."""
NO = frozenset(("block", "deny"))
HANDED_ON = (
    "updatedInput",
    "statePatch",
    "emitEvents",
    "registerArtifacts",
    "metrics",
    "code",
    "rule",
    "safer",
    "risk",
    "preview",
)
"""Fields of an action that mean the same in a script's answer."""


# --- text ----------------------------------------------------------------------------------------------------------

_DROPPED = {code: None for code in (*range(32), *range(127, 160)) if code not in (9, 10)}


def plain(text: str) -> str:
    """Text without what only a terminal understands: escape sequences and control characters."""
    first, *more = text.split("\x1b")
    parts = [first]
    for part in more:
        at = 1
        if part[:1] in ("[", "]", "P", "_", "^"):  # up to its last letter; a title, up to its end
            ends = "@ABCDEFGHIJKLMNOPQRSTUVWXYZ\\^_`abcdefghijklmnopqrstuvwxyz{|}~" if part[0] == "[" else "\x07\x9c"
            while at < len(part) and part[at] not in ends:
                at += 1
            at += 1
        parts.append(part[at:])
    return "".join(parts).translate(_DROPPED).encode("utf-8", "replace").decode()


def words(data: bytes) -> str:
    """What a stream says, for people and models."""
    return plain(data.decode("utf-8", "replace").replace("\r\n", "\n")).strip()


def _first_line(text: str) -> str:
    line = text.split("\n", 1)[0]
    return line if len(line) <= SHORT else line[:SHORT] + " …"


# --- the document --------------------------------------------------------------------------------------------------


def _clean(value: Any, depth: int = 0) -> Any:
    """The document without halves of characters. ValueError for what no JSON can say again, or is too deep."""
    if depth > MOST_DEPTH:
        raise ValueError(f"nested deeper than {MOST_DEPTH}")
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode()
    if isinstance(value, float) and value - value != 0:
        raise ValueError("a number without an end")
    if isinstance(value, list):
        return [_clean(item, depth + 1) for item in value]
    if isinstance(value, dict):
        return {_clean(key): _clean(item, depth + 1) for key, item in value.items()}
    return value


def document(outcome: Outcome) -> tuple[dict[str, Any] | None, str]:
    """The JSON object that standard output is, or None; and what was wrong with what looked like one."""
    body = outcome.out.strip(b" \t\r\n\xef\xbb\xbf")
    if body[:1] != b"{":
        return None, ""
    if outcome.cut:
        return None, "its answer is too long to be read"
    try:
        found = _clean(loads(body.decode("utf-8")))
        dumps(found)
    except UnicodeDecodeError:
        return None, "its answer is no UTF-8"
    except (ValueError, RecursionError) as fault:
        return None, f"its answer is no JSON document ({_first_line(str(fault))})"
    return found if isinstance(found, dict) else None, ""


def _text(value: object) -> str:
    return plain(value) if isinstance(value, str) else ""


def _decision(body: dict[str, Any], special: dict[str, Any]) -> tuple[str, str]:
    """(decision, reason) of an answer: the strictest of the places where one may stand."""
    behavior = special.get("decision")
    inner = behavior if isinstance(behavior, dict) else {}
    said = [
        (special.get("permissionDecision"), special.get("permissionDecisionReason")),
        (inner.get("behavior"), inner.get("message")),
        (body.get("permissionDecision"), body.get("permissionDecisionReason")),
        (body.get("decision"), body.get("reason") or body.get("denyReason")),
    ]
    found = ("", "")
    for word, reason in said:
        if isinstance(word, str) and (word in NO or (word == "ask" and found[0] not in NO)):
            found = (word, _text(reason) or found[1])
        elif word is not None and not (isinstance(word, str) and word in YES | {"ask"}) and not found[0]:
            found = ("?", "")
    return found[0], found[1] or _text(body.get("reason") or special.get("permissionDecisionReason"))


def _context(script: Script, body: dict[str, Any], special: dict[str, Any]) -> tuple[tuple[str, str], ...]:
    """Context for the model: a text, or our own list of {key, value}."""
    made: list[tuple[str, str]] = []
    for given in (special.get("additionalContext"), body.get("additionalContext")):
        if isinstance(given, str) and given.strip():
            made.append((script.name or script.key, plain(given)))
        elif isinstance(given, list):
            for one in given:
                if isinstance(one, dict) and isinstance(one.get("value"), str):
                    made.append((_text(one.get("key")) or script.key, plain(one["value"])))
    return tuple(dict.fromkeys(made))


def _handed_on(body: dict[str, Any], special: dict[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """The fields that an action has too, and which of them were not what they should be."""
    inner = special.get("decision")
    changed = inner.get("updatedInput") if isinstance(inner, dict) else None
    given = {"updatedInput": special.get("updatedInput", changed), **body}
    fields: dict[str, Any] = {}
    wrong = []
    for name in HANDED_ON:
        value = given.get(name)
        if value is None:
            continue
        fits, expected = SHAPES[FIELDS[name]]
        if name == "emitEvents" and fits(value):
            value = [one for one in value if not str(one.get("kind", "")).upper().startswith("SCRIPT")]
        if fits(value):
            fields[FIELDS[name]] = tuple(value) if isinstance(value, list) else value
        else:
            wrong.append(f"{name}: expected {expected}")
    return fields, wrong


# --- the answer ----------------------------------------------------------------------------------------------------


def refusal(event: str) -> Decision:
    """What a block is called at `event`; "" where nobody can block."""
    known = decisions(event)
    return "deny" if "deny" in known else "block" if "block" in known else ""


def _refused(script: Script, event: str, reason: str) -> Action:
    """A block as far as the script and its event have one."""
    if not script.block:
        return Action(
            warnings=(f"{script.key} would block, but does not declare `block: true`: {_first_line(reason)}",)
        )
    word = refusal(event)
    if not word:
        return Action(warnings=(f"{script.key} cannot block at {event}: {_first_line(reason)}",))
    lines = [line for line in reason.split("\n") if line.strip()]
    whole = ((script.name or script.key, reason),) if word == "deny" and len(lines) > LINES else ()
    return Action(decision=word, reason="\n".join(lines), additional_context=whole)


def _decided(script: Script, event: str, body: dict[str, Any], special: dict[str, Any]) -> Action:
    decision, reason = _decision(body, special)
    if decision in NO:
        return _refused(script, event, reason or f"{script.name or script.key} refuses")
    if decision == "ask":
        if not script.block:
            return Action(warnings=(f"{script.key} would ask, but does not declare `block: true`",))
        if "ask" in decisions(event):
            return Action(decision="ask", reason=reason or f"{script.name or script.key} asks")
        return Action(warnings=(f"{script.key} cannot ask at {event}",))
    if decision == "?":
        return Action(warnings=(f"{script.key}: decision is none of allow, ask, deny, block",))
    return Action()


def seconds(ms: float) -> str:
    """How long a script had, as a person reads it."""
    return f"{ms / 1000:.1f}".removesuffix(".0") + " s"


def too_late(script: Script, outcome: Outcome) -> str:
    """A script that its deadline ended."""
    return f'"{plain(script.name or script.key)}" did not end within {seconds(outcome.ms)} and was stopped'


def _failure(script: Script, outcome: Outcome) -> str:
    """Why a run counts for nothing, "" when it counts."""
    name = f'"{plain(script.name or script.key)}"'
    if outcome.fault:
        return f"{name} was not run: {outcome.fault}"
    if outcome.late:
        return too_late(script, outcome)
    if outcome.stopped:
        return f"{name} was stopped"
    if outcome.exit < 0:
        return f"{name} was ended by signal {-outcome.exit}"
    if outcome.exit not in (0, REFUSED):
        said = _first_line(words(outcome.err) or words(outcome.out))
        return f"{name} failed (exit {outcome.exit})" + (f": {said}" if said else "")
    return ""


def judged_nothing(script: Script, outcome: Outcome) -> bool:
    """Whether somebody relied on this run and it said nothing that counts: it was too late, or failed and may block."""
    return outcome.late or (script.block and not outcome.ok and (outcome.exit != REFUSED or bool(outcome.fault)))


def _joined(one: Action, other: Action) -> Action:
    return one._replace(
        additional_context=(*one.additional_context, *other.additional_context),
        warnings=(*one.warnings, *other.warnings),
    )


def _said(script: Script, event: str, text: str) -> Action:
    """Plain text: context where the event takes it, nothing elsewhere."""
    if text and event in LISTENING:
        return Action(additional_context=((script.name or script.key, text),))
    return Action()


def answer(script: Script, outcome: Outcome, event: str) -> Action:
    """The Action that a run of `script` at `event` (canonical) comes to; sentences for the person in `warnings`."""
    failure = _failure(script, outcome)
    if failure:
        return Action(warnings=(failure,))
    body, fault = document(outcome)
    special = body.get("hookSpecificOutput") if body is not None else None
    special = special if isinstance(special, dict) else {}
    action = Action(warnings=(f"{script.key}: {fault}; it was taken as text",) if fault else ())
    if body is not None:
        fields, wrong = _handed_on(body, special)
        warnings = [_text(body.get("systemMessage"))] if body.get("systemMessage") else []
        given = body.get("warnings")
        warnings += [plain(one) for one in given if isinstance(one, str)] if isinstance(given, list) else []
        warnings += [f"{script.key}: {one}" for one in wrong]
        context = _context(script, body, special)
        action = _joined(action, Action(additional_context=context, warnings=tuple([one for one in warnings if one])))
        action = action._replace(**fields)
    if outcome.exit == REFUSED:
        reason = words(outcome.err) or (_decision(body, special)[1] if body is not None else words(outcome.out))
        decided = _refused(script, event, reason or f"{script.name or script.key} refuses (exit 2)")
    elif body is not None:
        decided = _decided(script, event, body, special)
    else:
        decided = _said(script, event, words(outcome.out))
    return _joined(action, decided)._replace(decision=decided.decision, reason=decided.reason)
