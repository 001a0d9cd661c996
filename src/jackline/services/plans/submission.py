"""What a plan that came by an event comes to: rows, artifact, the plan's part of the state, and what the agent reads.

Whoever recognises a plan judges it by `acceptance` and answers with this.
"""

from __future__ import annotations

from jackline import system
from jackline.model import Action
from jackline.services.plans import acceptance
from jackline.services.plans.document import LIMIT
from jackline.services.plans.plan_file import FOLDER, MARK, NAME, has_moved
from jackline.session_paths import task_parts, task_place, task_ref

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from jackline.services.plans.acceptance import Submission, Where

ACCEPTED, DENIED = "accepted", "denied"
SHOWN = 12
"""Findings that the agent reads at once."""
KEPT = 50
"""Findings that a row keeps."""


def count(made: Submission) -> str:
    size = len(made.plan.nodes)
    return f"{size} node{'s' * (size != 1)}"


def told(made: Submission) -> str:
    """What the agent reads of its plan."""
    lines = [one.line for one in made.findings[:SHOWN]]
    if len(made.findings) > SHOWN:
        lines.append(f"(+{len(made.findings) - SHOWN} more: jackline plan check)")
    if made.accepted:
        first = f"accepted, {count(made)}. Begin; `jackline plan node done ID` finishes a node."
        return "\n".join([first, *lines])
    return "\n".join(["not accepted:", *lines, "mend it and submit it again: jackline plan submit FILE"])


def _verdict(made: Submission) -> bytes:
    """What was decided, as a file shows it."""
    return "\n".join([made.fingerprint, *[one.line for one in made.findings], ""]).encode()


def render(where: Where, data: bytes, made: Submission) -> None:
    """Show what was decided in the task's folder: nothing reads it there but people and agents."""
    at = system.descend(where.folder, task_parts(where.work, FOLDER), create=True)
    try:
        system.replace(ACCEPTED if made.accepted else DENIED, _verdict(made), at=at)
        if made.accepted:
            system.replace(NAME, data, at=at)
            system.replace(MARK, made.fingerprint.encode() + b"\n", at=at)  # the last one: `has_moved` goes by that
    finally:
        system.close(at)


def entry(where: Where, data: bytes, made: Submission) -> dict[str, Any]:
    """What the bus is told: the plan, or why there is none; made from the task's pack, where it has one."""
    from jackline.services import artifacts
    from jackline.services import context_pack as packs

    name, content = (NAME, data) if made.accepted else (DENIED, _verdict(made))
    has_pack = bool((acceptance.task_of(where).get("context") or {}).get("hash"))
    return artifacts.described(
        "plan_accepted" if made.accepted else "plan_denied",
        task_ref(where.work, FOLDER, name),
        content,
        summary=count(made) if made.accepted else f"{len(made.findings)} findings",
        depends=[task_ref(where.work, packs.FOLDER, packs.FILE)] if has_pack else (),
    )


def place(work: str) -> str:
    """Where an accepted plan is shown, as artifacts that are made from it name it."""
    return task_ref(work, FOLDER, NAME)


def changed(where: Where) -> str:
    """The fingerprint of the plan's file, where it is another than what was decided on; "" where it is not.

    What was written through a tool was submitted by that: this finds what came behind our back.
    """
    if not has_moved(where.folder, where.work):
        return ""
    try:
        data = system.read(task_place(where.folder, where.work, FOLDER, NAME), limit=LIMIT + 1, follow=False)
    except OSError:
        return ""
    found, task = acceptance.fingerprint(data), acceptance.task_of(where)
    known = [(task.get(key) or {}).get("fingerprint") for key in ("plan", "denied")]
    return "" if found in known or known[0] is None else found


def stale(where: Where) -> str:
    """What is said of a plan whose file changed behind our back."""
    said = "is another than the accepted plan, which is followed"
    return f"stale: {place(where.work)} {said} · jackline plan submit FILE"


def triggers(where: Where) -> list[dict[str, Any]]:
    """The rows by which an accepted plan moves the phase: out of BLOCKED to the one before, and on from there."""
    row = {"kind": "PHASE_TRIGGER", "data": {"trigger": "plan_accepted"}}
    return [row, row] if acceptance.task_of(where).get("phase") == "BLOCKED" else [row]


def action(where: Where, data: bytes, made: Submission) -> Action:
    """The answer to a plan that is another than the one before, rendered in the task's folder."""
    render(where, data, made)
    said = {
        "fingerprint": made.fingerprint,
        "nodes": len(made.plan.nodes),
        "findings": [one.line for one in made.findings[:KEPT]],
    }
    rows: list[dict[str, Any]] = [{"kind": "PLAN_ACCEPTED" if made.accepted else "PLAN_DENIED", "data": said}]
    if made.accepted:
        rows += triggers(where)
    return Action(
        additional_context=(("plan", told(made)),),
        emit_events=tuple(rows),
        register_artifacts=(entry(where, data, made),),
        state_patch={"plan": acceptance.state_of(where)},
    )
