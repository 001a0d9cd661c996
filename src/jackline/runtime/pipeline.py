"""The run as one table: a request in, an outcome with the client's answer, and what is to be remembered written.

    codec, event = receive(request)                  # what the client said
    outcome = Outcome(request, event, …)             # session, hook table, state
    for each of STAGES: condition → step             # what it comes to
    commit(outcome)                                  # the one writer

The entry point, a dry run, a run that was cut off, the second judgement of a rewritten call and the engine inside a
host's process all go through `STAGES`. Each stage is a file of `stages/`, loaded when its condition first holds.
"""

from __future__ import annotations

from sys import modules

from jackline import system
from jackline.clients.router import receive
from jackline.clients.signs import SPEAKERS
from jackline.runtime.commit import commit
from jackline.runtime.outcome import Outcome
from jackline.runtime.request import Store
from jackline.site_paths import take

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from jackline.hook_table import HookSpec
    from jackline.model import Answer
    from jackline.runtime.nested_repo import Around
    from jackline.runtime.request import Request

    Emit = Callable[[Answer], None]
    Condition = Callable[[Request, Outcome], bool]
    Stage = tuple[str, Condition]


# --- when a stage has something to do: asked at every event, so each is a look at what is known already --------------

TYPES = {"SessionStart": "session", "Stop": "file"}
"""Types of scripts whose loops run at an event."""
BEGINS = ("SessionStart", "UserPromptSubmit")
SEEN = "scripts/seen.json"
"""What a session knows of its tree: taken before the agent changes it, where file scripts will compare with it."""
LEFT = ("scripts/running", "scripts/later.jsonl", "scripts/next-prompt", "scripts/session/.open")
"""In a session's folder: what scripts of earlier events left running, or to be told."""


def may_come_twice(request: Request, outcome: Outcome) -> bool:
    """more than one entry of ours leads here, or this one is unusual"""
    if outcome.store.dry or outcome.place is None:
        return False
    return (
        outcome.session.places > 1
        or request.place != "user"
        or f"\n{outcome.event.client}={request.dialect} " not in SPEAKERS
    )


def is_prompt(request: Request, outcome: Outcome) -> bool:
    """UserPromptSubmit"""
    return outcome.event.name == "UserPromptSubmit"


def has_features(request: Request, outcome: Outcome) -> bool:
    """a feature answers this event, or one of another folder with hooks that the call leads into may"""
    return outcome.event.name in outcome.table.orders or outcome.leads_out()


def has_scripts(request: Request, outcome: Outcome) -> bool:
    """a script is bound to this event, or left something for it"""
    table = outcome.table  # the trusted copy of a script runs where its file, and every other one, is gone
    if bool(table.chunks or table._scripts) and outcome.left is None and _are_scripts_due(outcome):
        return True
    return outcome.around is not None and outcome.left is None and _are_others_due(outcome, outcome.around)


def _are_others_due(outcome: Outcome, around: Around) -> bool:
    name = outcome.event.name
    if name in BEGINS or name == "Stop":  # sub-folders may have session and file scripts
        return True
    from jackline.runtime.nested_repo import is_scripted

    return is_scripted(around, name) or _are_scripts_due(outcome)


def _are_scripts_due(outcome: Outcome) -> bool:
    name, table = outcome.event.name, outcome.table
    if table.scripted(name) or table.scripted(TYPES.get(name, name)):
        return True
    if outcome.place is not None:
        if name in BEGINS and table.scripted("file") and not system.exists_at(outcome.place.fd, SEEN):
            return True
        for left in LEFT if name != "PreToolUse" else LEFT[:1]:  # what is to be told can wait for the next event
            if system.exists_at(outcome.place.fd, left):
                return True
    return False


def differs_from_trust(request: Request, outcome: Outcome) -> bool:
    """a unit is not as a person trusted it, here or in another folder that the call leads into"""
    return bool(outcome.table.told or outcome.around) and outcome.left is None


def did_not_compile(request: Request, outcome: Outcome) -> bool:
    """something that is to be in force does not compile"""
    return bool(outcome.table.faults) and outcome.left is None


def starts_elsewhere(request: Request, outcome: Outcome) -> bool:
    """SessionStart: the client's settings may move a folder of the person's"""
    return outcome.event.name == "SessionStart" and outcome.left is None


def is_paused(request: Request, outcome: Outcome) -> bool:
    """a person paused hooks"""
    return bool(outcome.paused)


def _rules_hold(outcome: Outcome) -> bool:
    """Whether the runtime's own rules have a say: not after a denial, nor while a person paused everything."""
    return outcome.verdict.decision != "deny" and "*" not in outcome.paused


def could_not_be_read(request: Request, outcome: Outcome) -> bool:
    """something was wrong with the payload, or this version may not write"""
    return (outcome.event.fault != "" or outcome.fault != "") and _rules_hold(outcome)


def was_tampered_with(request: Request, outcome: Outcome) -> bool:
    """entries of ours were changed by somebody else"""
    return outcome.notice != "" and _rules_hold(outcome)


def has_phases(request: Request, outcome: Outcome) -> bool:
    """PreToolUse, and phases are enforced"""
    return outcome.event.name == "PreToolUse" and outcome.table.enforce_phases and _rules_hold(outcome)


def speaks_to_us(request: Request, outcome: Outcome) -> bool:
    """a typed prompt begins with `jackline`"""
    return outcome.typed and outcome.place is not None and outcome.event.prompt.lstrip()[:9] == "jackline "


def has_reports(request: Request, outcome: Outcome) -> bool:
    """UserPromptSubmit, and a fault of ours was reported"""
    if not is_prompt(request, outcome) or outcome.place is None or outcome.spoken:
        return False
    return system.may_be(outcome.store.path + "/crash")


def was_rewritten(request: Request, outcome: Outcome) -> bool:
    """a feature rewrote the call"""
    return outcome.verdict.updated_input is not None and outcome.verdict.decision != "deny"


def keeps_going(request: Request, outcome: Outcome) -> bool:
    """a hook blocks the end of the turn"""
    return (
        outcome.verdict.decision == "block" and not outcome.store.dry and outcome.event.name in ("Stop", "SubagentStop")
    )


def asks(request: Request, outcome: Outcome) -> bool:
    """a hook wants a person's word"""
    return outcome.verdict.decision == "ask"


def has_something_to_say(request: Request, outcome: Outcome) -> bool:
    """the verdict is not silence"""
    verdict = outcome.verdict
    return bool(verdict.decision or verdict.context or verdict.notes) or verdict.updated_input is not None


# --- the table -------------------------------------------------------------------------------------------------------

STAGES: tuple[Stage, ...] = (
    ("dedupe", may_come_twice),
    ("turns", is_prompt),
    ("features", has_features),
    ("scripts", has_scripts),
    ("units", differs_from_trust),
    ("compile_faults", did_not_compile),
    ("surroundings", starts_elsewhere),
    ("pauses", is_paused),
    ("unreadable", could_not_be_read),
    ("tampering", was_tampered_with),
    ("phases", has_phases),
    ("prompt_commands", speaks_to_us),
    ("reports", has_reports),
    ("recheck", was_rewritten),
    ("continuations", keeps_going),
    ("approvals", asks),
    ("response", has_something_to_say),
)
"""The run, read from above: a stage's name and its condition. Its function is `run` in the file of `stages/` that bears
its name, from the request and the outcome so far to the outcome; it is loaded when the condition first holds."""

SECOND = ("features",)
"""Stages that judge a rewritten call once more."""
HOSTED = ("features", "tampering", "phases", "recheck")
"""Stages of a call inside a host's process: the host asks its person itself, and reads the verdict as it is."""
ASKED = ("approvals",)
"""Likewise, where there is nobody to ask: a person's word in the store."""
RECHECKED = ("recheck",)
"""Likewise, when the host's own hooks rewrote the call."""


def advance(request: Request, outcome: Outcome, names: tuple[str, ...] = ()) -> None:
    """Run the stages (with `names`: those) whose conditions hold, in their order."""
    for name, due in STAGES:
        if (not names or name in names) and due(request, outcome):
            module = f"jackline.runtime.stages.{name}"
            (modules.get(module) or take(module)).run(request, outcome)
            if outcome.settled:
                break


# --- ways to run -----------------------------------------------------------------------------------------------------

PROBE = "jackline_probe"
"""A payload with this field is a dry run: `doctor` asks so whether the installed command answers."""


def begin(request: Request, store: Store, emit: Emit) -> Outcome:
    """The outcome of a request before any stage: what was said, by whom, and what is known of them."""
    codec, event = receive(request)
    if event.payload.get(PROBE) is True:
        store = Store(store.path, dry=True)
    outcome = Outcome(request, event, codec, store)
    outcome.second = lambda: advance(request, outcome, SECOND)
    outcome.leave = lambda row: leave_behind(request, outcome, emit, row)
    return outcome


def run(request: Request, store: Store, emit: Emit) -> Outcome:
    """Take one request to its answer, hand that to `emit`, and remember it. The outcome tells all that it came to."""
    return go_on(request, begin(request, store, emit), emit)


def go_on(request: Request, outcome: Outcome, emit: Emit) -> Outcome:
    """Take an outcome that has begun through all stages."""
    try:
        try:
            advance(request, outcome)
        except Exception as fault:  # noqa: BLE001 - what a guard refused stays refused
            from jackline.runtime.faults import deny_as_judged

            deny_as_judged(request, outcome, fault)
        finish(outcome, emit)
        return outcome
    finally:
        outcome.close()


def finish(outcome: Outcome, emit: Emit) -> None:
    """Answer and remember. Silence is printed, then committed; what decides or uses a grant is committed first.

    Another entry that waits for this verdict has it before all that. Where a feature hangs nothing waits
    for the disk.
    """
    if outcome.duplicate is not None and outcome.left is None:
        outcome.duplicate.tell(outcome.verdict, outcome.invoked())
    answered = outcome.answered
    decisive = answered.decision not in QUIET or answered.updated_input is not None or bool(outcome.effects)
    at_once = not decisive or outcome.left is not None or outcome.settled
    if at_once:
        emit(outcome.answer)
    try:
        if not outcome.settled:
            commit(outcome)
    finally:  # a fault of ours while remembering undoes no decision
        if not at_once:
            emit(outcome.answer)
    if outcome.left is None:
        for work in outcome.after:
            work()


QUIET = ("", "allow")


def leave_behind(request: Request, outcome: Outcome, emit: Emit, row: HookSpec) -> None:
    """A feature would not end even when its time was up: those behind it judge, the answer is given, and out.

    Runs inside the timer's handler, on top of the feature that hangs. A hook that never ends disarms no guard.
    """
    outcome.left, outcome.judging = row, None  # it may have been the second judgement that hangs
    advance(request, outcome, tuple([name for name, _ in STAGES[2:]]))  # from the features that stand behind it
    try:
        finish(outcome, emit)
    finally:
        system.leave(outcome.answer.exit)
