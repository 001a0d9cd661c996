"""The run as one table: a request in, an outcome with the client's answer, and what is to be remembered written.

    codec, event = receive(request)                     # what the client said
    outcome = Outcome(request, event, …)             # session, hook table, state
    for each of STAGES: condition → step             # what it comes to
    commit(outcome)                                  # the one writer

The entry point, a dry run, a run that was cut off, the second judgement of a rewritten call and the engine inside a
host's process all go through `STAGES`. Each stage is a file of `stages/`, loaded when its condition first holds.
"""

from __future__ import annotations

from jackline import system
from jackline.adapters.router import receive
from jackline.runtime.commit import commit
from jackline.runtime.hook_table_cache import Store
from jackline.runtime.outcome import Outcome

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from jackline.model import Answer
    from jackline.runtime.request import Request
    from jackline.wiring import Row

    Emit = Callable[[Answer], None]
    Condition = Callable[[Request, Outcome], bool]
    Step = Callable[[Request, Outcome], None]
    Stage = tuple[str, Condition, Step]


# --- when a stage has something to do: asked at every event, so each is a look at what is known already --------------

OWN_DIALECT = {"claude-code": "claude-code", "codex": "codex", "vscode": "github", "copilot-cli": "github"}
"""The dialect a client's own configuration names."""
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
        or OWN_DIALECT.get(outcome.event.client, "") != request.dialect
    )


def is_prompt(request: Request, outcome: Outcome) -> bool:
    """UserPromptSubmit"""
    return outcome.event.name == "UserPromptSubmit"


def has_features(request: Request, outcome: Outcome) -> bool:
    """a feature answers this event"""
    return outcome.event.name in outcome.wiring.orders or _is_away(outcome)


def _is_away(outcome: Outcome) -> bool:
    """Whether the agent is outside the root, where another repository may have rules of its own."""
    cwd, root = outcome.event.cwd, outcome.session.root
    return cwd != root and not cwd.startswith(root + "/")


def has_scripts(request: Request, outcome: Outcome) -> bool:
    """a script is bound to this event, or left something for it"""
    name, wiring = outcome.event.name, outcome.wiring
    if not wiring.chunks or outcome.left is not None:
        return False
    if wiring.scripted(name) or wiring.scripted(TYPES.get(name, name)):
        return True
    if outcome.place is not None:
        if name in BEGINS and wiring.scripted("file") and not system.exists_at(outcome.place.fd, SEEN):
            return True
        for left in LEFT if name != "PreToolUse" else LEFT[:1]:  # what is to be told can wait for the next event
            if system.exists_at(outcome.place.fd, left):
                return True
    return False


def is_paused(request: Request, outcome: Outcome) -> bool:
    """a person paused hooks"""
    return bool(outcome.paused)


def _rules_hold(outcome: Outcome) -> bool:
    """Whether the runtime's own rules have a say: not after a denial, nor while a person paused everything."""
    return outcome.verdict.decision != "deny" and "*" not in outcome.paused


def could_not_be_read(request: Request, outcome: Outcome) -> bool:
    """something was wrong with the payload"""
    return outcome.event.fault != "" and _rules_hold(outcome)


def was_tampered_with(request: Request, outcome: Outcome) -> bool:
    """entries of ours were changed by somebody else"""
    return outcome.notice != "" and _rules_hold(outcome)


def has_phases(request: Request, outcome: Outcome) -> bool:
    """PreToolUse, and phases are enforced"""
    return outcome.event.name == "PreToolUse" and outcome.wiring.enforce_phases and _rules_hold(outcome)


def speaks_to_us(request: Request, outcome: Outcome) -> bool:
    """a typed prompt begins with `jackline`"""
    return outcome.typed and outcome.place is not None and outcome.event.prompt.lstrip()[:9] == "jackline "


def has_reports(request: Request, outcome: Outcome) -> bool:
    """UserPromptSubmit, and a fault of ours was reported"""
    if not is_prompt(request, outcome) or outcome.place is None or outcome.spoken:
        return False
    return system.exists(outcome.store.path + "/crash")


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


# --- the stages' functions, each loaded when it is needed ------------------------------------------------------------


def duplicate(request: Request, outcome: Outcome) -> None:
    """Another entry may send the same call: the first one's verdict is everybody's."""
    from jackline.runtime.stages.dedupe import follow

    follow(request, outcome)


def turn(request: Request, outcome: Outcome) -> None:
    """A prompt that a person typed begins a turn."""
    from jackline.runtime.stages.turns import count

    count(request, outcome)


def features(request: Request, outcome: Outcome) -> None:
    """The features that answer the event are run in their order, and their actions merged."""
    from jackline.runtime.stages.features import run

    run(request, outcome)


def scripts(request: Request, outcome: Outcome) -> None:
    """Scripts bound to the event, and the loops of session and file scripts."""
    from jackline.runtime.stages.scripts import run

    run(request, outcome)


def pauses(request: Request, outcome: Outcome) -> None:
    """What a person switched off for some minutes is said wherever they look."""
    from jackline.runtime.stages.rules import tell_paused

    tell_paused(request, outcome)


def unreadable(request: Request, outcome: Outcome) -> None:
    """A call that nobody could read is refused."""
    from jackline.runtime.stages.rules import refuse_unreadable

    refuse_unreadable(request, outcome)


def tampering(request: Request, outcome: Outcome) -> None:
    """Entries of ours were changed behind our back: what changes things waits for a person."""
    from jackline.runtime.stages.rules import hold_tampered

    hold_tampered(request, outcome)


def phases(request: Request, outcome: Outcome) -> None:
    """The policy of the phase, when phases are enforced."""
    from jackline.runtime.stages.rules import enforce_phase

    enforce_phase(request, outcome)


def prompt_commands(request: Request, outcome: Outcome) -> None:
    """A prompt that speaks to Jackline: `jackline approve CODE`."""
    from jackline.runtime.stages.prompt_commands import obey

    obey(request, outcome)


def reports(request: Request, outcome: Outcome) -> None:
    """A person hears once a session that we failed."""
    from jackline.runtime.faults import tell

    tell(request, outcome)


def recheck(request: Request, outcome: Outcome) -> None:
    """A rewritten call is judged once more by the critical features."""
    from jackline.runtime.stages.recheck import judge

    judge(request, outcome)


def continuations(request: Request, outcome: Outcome) -> None:
    """How often an agent may be kept going in one turn."""
    from jackline.runtime.stages.continuations import account

    account(request, outcome)


def approvals(request: Request, outcome: Outcome) -> None:
    """What a question to the person comes to: their yes, their no, the client's dialog, or a wait."""
    from jackline.runtime.stages.approvals import resolve

    resolve(request, outcome)


def response(request: Request, outcome: Outcome) -> None:
    """What this client can carry of the verdict, as bytes."""
    from jackline.runtime.stages.response import word

    word(request, outcome)


STAGES: tuple[Stage, ...] = (
    ("duplicate", may_come_twice, duplicate),
    ("turn", is_prompt, turn),
    ("features", has_features, features),
    ("scripts", has_scripts, scripts),
    ("pauses", is_paused, pauses),
    ("unreadable", could_not_be_read, unreadable),
    ("tampering", was_tampered_with, tampering),
    ("phases", has_phases, phases),
    ("prompt commands", speaks_to_us, prompt_commands),
    ("reports", has_reports, reports),
    ("recheck", was_rewritten, recheck),
    ("continuations", keeps_going, continuations),
    ("approvals", asks, approvals),
    ("response", has_something_to_say, response),
)
"""The run, read from above: name, condition, function."""

SECOND = ("features",)
"""Stages that judge a rewritten call once more."""
BEHIND = tuple([name for name, _, _ in STAGES[2:]])
"""Stages of a run whose feature did not end: from the features that stand behind it."""
HOSTED = ("features", "tampering", "phases", "recheck")
"""Stages of a call inside a host's process: the host asks its person itself, and reads the verdict as it is."""


ASKED = ("approvals",)
"""Likewise, where there is nobody to ask: a person's word in the store."""
RECHECKED = ("recheck",)
"""Likewise, when the host's own hooks rewrote the call."""


def advance(request: Request, outcome: Outcome, names: tuple[str, ...] = ()) -> None:
    """Run the stages (with `names`: those) whose conditions hold, in their order."""
    for name, due, step in STAGES:
        if (not names or name in names) and due(request, outcome):
            step(request, outcome)
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
    outcome = begin(request, store, emit)
    try:
        try:
            advance(request, outcome)
        except Exception as fault:  # noqa: BLE001 - what a guard refused stays refused
            from jackline.runtime.faults import refused

            refused(request, outcome, fault)
        finish(outcome, emit)
        return outcome
    finally:
        outcome.close()


def finish(outcome: Outcome, emit: Emit) -> None:
    """Answer and remember. Silence is printed, then committed; what decides is committed first.

    Where a feature hangs nothing waits for the disk.
    """
    decisive = outcome.answered.decision not in QUIET or outcome.answered.updated_input is not None
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


def leave_behind(request: Request, outcome: Outcome, emit: Emit, row: Row) -> None:
    """A feature would not end even when its time was up: those behind it judge, the answer is given, and out.

    Runs inside the timer's handler, on top of the feature that hangs. A hook that never ends disarms no guard.
    """
    outcome.left = row
    advance(request, outcome, BEHIND)
    try:
        finish(outcome, emit)
    finally:
        system.leave(outcome.answer.exit)
