"""Ask a person about the call that submits a plan, with the picture of the plan (knob `approval: person`)."""

from __future__ import annotations

from jackline.features.plan_graph import intake
from jackline.sdk import ask, deny
from jackline.services.plans import acceptance, consent, show, submission
from jackline.services.plans.acceptance import STRICT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from jackline.model import Action, Event
    from jackline.sdk import Context
    from jackline.services.plans.acceptance import Submission, Where

CONTENTS = ("content", "file_text", "contents")
"""Keys under which tools that write a file have all of it."""


def _plans(event: Event, ctx: Context) -> Iterator[bytes]:
    """The plans that this call is about to submit; an empty one where nobody can see it before the command runs."""
    if event.kind == "write" and intake.is_at_place(event, ctx):
        yield from (event.input[key].encode() for key in CONTENTS if isinstance(event.input.get(key), str))
    spoken = intake.spoken(event)
    if spoken:
        yield spoken
    for words, cwd in intake.commands(event, ctx):
        if words and words[0] in ("submit", "quick"):
            yield intake.submitted(words, cwd, event)


def _unseen() -> Action:
    return deny(
        "a person approves plans here, and nobody can see this one before the command runs",
        rule="plan-graph: approval person",
        safer="write the plan to a file first, then by a command of its own: jackline plan submit FILE",
    )


def _question(where: Where, made: Submission, event: Event, ctx: Context) -> Action:
    """Put a plan to the person; where they said no to it, that is the answer."""
    call, turn = consent.call_of(event), ctx.ids.turn_id
    no = consent.refused(where, acceptance.task_of(where), made.fingerprint, call, turn)
    if no is not None:
        if not ctx.dry:
            acceptance.deny(where, made, no, ctx.start_ms)
        return deny(
            f"the person said no to this plan: {no}",
            rule="plan-graph: approval person",
            safer="change the plan, then: jackline plan submit FILE",
        )
    if not ctx.dry:
        consent.put(where, made.fingerprint, call, turn, ctx.start_ms)
    what = f"a plan of {submission.count(made)}: it holds once you approve it"
    lines = show.picture(made.plan, [one.line for one in made.findings])
    return ask(what, rule=consent.RULE.format(made.fingerprint), preview=lines)


def asked(event: Event, ctx: Context) -> Action | None:
    """What is to be asked before this call, None where it submits no plan that a person has to see."""
    where = intake.where_of(ctx)
    for data in _plans(event, ctx):
        if not data:
            return _unseen()
        made = acceptance.check(where, data, STRICT)
        if made.accepted and made.changed:
            return _question(where, made, event, ctx)
    return None


def ended(event: Event, ctx: Context) -> None:
    """A call failed: if a plan was put to the person with it, whoever submits that again asks again."""
    where = intake.where_of(ctx)
    asked_of = acceptance.task_of(where).get("asked")
    if isinstance(asked_of, dict) and asked_of.get("call") == consent.call_of(event):
        consent.forget(where)
