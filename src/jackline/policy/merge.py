"""Make one verdict of many actions: deny > ask > approve > silence, in declared order, whatever finished first."""

from __future__ import annotations

from jackline.model import Verdict
from jackline.policy.events import STRICTNESS, decisions
from jackline.policy.rewrite import fold, lawful

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jackline.model import Action, Event, HookRun

STAMP = "_hook"
SILENT = ("", "allow")
DENIED = "POLICY_DENIED"
"""What refuses a tool call that named no code of its own."""
UNSAID = "the call was refused"
NO_OWN = ("", "HITL_REJECT", DENIED)
"""Codes that say no more of a denial; a person's no is what `approvals` finds, and no hook's to say."""


def words(action: Action) -> str:
    """The lines of one refusal: what, rule, safer way (design section 9). A name with a line's end in it makes none."""
    if not (action.rule or action.safer):
        return action.reason
    return "\n".join([" ".join(line.split("\n")) for line in (action.reason, action.rule, action.safer) if line])


def refusal_lines(hook: str, action: Action) -> str:
    """The lines of a denial: one with no code of its own names its hook, which most rules do already."""
    text = words(action)
    if action.code not in NO_OWN or hook in action.rule.replace(":", " ").split():
        return text
    what, end, rest = (text or UNSAID).partition("\n")
    return f"{what} — refused by {' '.join(hook.replace(':', ' ', 1).split())}{end}{rest}"


def combined_refusal(winners: list[HookRun]) -> str:
    """The lines of several refusals of guards: what each says, the rules, the safer ways, a line for each of the three.

    A model reads three lines: none of them may hide what another guard has to say.
    """
    if len(winners) < 2 or not all(one.action.reason and one.action.rule and one.action.safer for one in winners):
        return "\n".join([text for text in [refusal_lines(one.hook, one.action) for one in winners] if text])
    lines = zip(*[refusal_lines(one.hook, one.action).split("\n") for one in winners], strict=True)
    return "\n".join(["; ".join(dict.fromkeys(line)) for line in lines])


def _proposed(event: Event, one: HookRun) -> HookRun:
    """A critical hook whose rewrite may not be made holds the call, and proposes it: unchanged it does not pass."""
    action = one.action
    changes = action.updated_input
    if not changes or action.decision == "deny" or one.spec is None or not one.spec.critical:
        return one
    if not lawful(event.kind, "command", event.input, changes):
        return one
    said = next((str(value) for key, value in changes.items() if event.input.get(key) == event.command), "")
    return one._replace(action=action._replace(decision="deny", safer=action.safer or f"run {said}"))


def _decision(event: Event, one: HookRun, notes: list[str]) -> str:
    """The decision that counts, after the event's row and the right to approve are asked."""
    decision = one.action.decision
    if decision in SILENT:
        return ""
    if decision not in decisions(event.name):
        notes.append(f"{one.hook}: {decision} cannot be decided at {event.name}")
        return ""
    if decision == "approve" and not (one.spec is not None and one.spec.may_approve):
        notes.append(f"{one.hook}: approve needs mayApprove in a person's configuration")
        return ""
    return decision


def _rewrites(event: Event, counted: list[HookRun], owner: str, notes: list[str]) -> dict[str, object] | None:
    parts = []
    for one in counted:
        changes = one.action.updated_input
        if not changes or one.action.decision == "deny":
            continue
        why = lawful(event.kind, "command", event.input, changes)
        if why:
            notes.append(f"{one.hook}: {why}")
        else:
            parts.append((one.hook, changes))
    if not parts:
        return None
    changes, lost = fold(parts, owner)
    notes.extend(f"{hook}: {key} is rewritten by {owner}" for hook, key in lost)
    whole = {**event.input, **changes}
    return whole if whole != event.input else None


def _stamps(counted: list[HookRun]) -> dict[str, str] | None:
    """What the call is stamped with, by hooks that may."""
    made: dict[str, str] = {}
    for one in counted:
        given = one.action.input_metadata
        if given and one.spec is not None and one.spec.stamps:
            for key in given:
                if key.startswith(STAMP):
                    made[key] = given[key]
    return made or None


def merge(event: Event, ran: list[HookRun], *, owner: str = "") -> Verdict:
    """Merge what hooks returned, in the order they are given. Pure.

    `owner`: the hook whose rewrite wins where two change one key. What a hook may is what its spec declares.

    A denial's own `updated_input` is the proposal that it shows: `Verdict.updated_input` holds the proposed call then.
    """
    for one in ran:
        action = one.action
        if one.observed or action.decision not in SILENT or action.updated_input:
            return _merged(event, ran, owner)
        if action.additional_context or action.warnings:
            return _merged(event, ran, owner)
    return Verdict(input_metadata=_stamps(ran))


def _merged(event: Event, ran: list[HookRun], owner: str) -> Verdict:
    """The verdict where any hook had something to say."""
    faults: list[str] = []
    counted = [one for one in ran if not one.observed]
    if event.tool and event.name == "PreToolUse":
        counted = [_proposed(event, one) if one.action.updated_input else one for one in counted]
    decided = [(one, _decision(event, one, faults)) for one in counted]
    strictest = ""
    for _, decision in decided:
        if STRICTNESS[decision] > STRICTNESS[strictest]:
            strictest = decision
    winners = [one for one, decision in decided if decision == strictest] if strictest else []
    if len(winners) > 1:  # of a call that was rewritten, a hook may have said the same again
        winners = list({(one.hook, words(one.action)): one for one in winners}.values())
    code = next((one.action.code for one in winners if one.action.code), "")
    rewritten: dict[str, object] | None = None
    if event.tool and event.name in ("PreToolUse", "PermissionRequest"):
        if strictest == "deny":
            if code in NO_OWN:
                code = DENIED
            proposal = winners[0].action.updated_input
            rewritten = {**event.input, **proposal} if proposal else None
        else:
            rewritten = _rewrites(event, counted, owner, faults)
    reasons = [combined_refusal(winners)] if strictest == "deny" else [words(one.action) for one in winners]
    return Verdict(
        decision=strictest,  # type: ignore[arg-type]
        reason="\n".join([reason for reason in reasons if reason]),
        updated_input=rewritten,
        input_metadata=_stamps(counted),
        context=tuple([pair for one in counted for pair in one.action.additional_context]),
        notes=tuple([note for one in counted for note in one.action.warnings] + faults),
        code=code,
        by=tuple([one.hook for one in winners]),
        preview=next((one.action.preview for one in winners if one.action.preview), ()),
    )
