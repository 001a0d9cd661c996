"""What a plan that a command submits leaves: a row of the log, a patch of the state, files, and its artifact."""

from __future__ import annotations

import click

from jackline import host
from jackline.cli.parts import session_rows
from jackline.services import artifacts
from jackline.services.plans import acceptance, submission
from jackline.services.plans.acceptance import Submission, Where
from jackline.store.session_index import SessionEntry

PRODUCER = "plan-graph"
"""Who announces it, as where an event brings the plan."""


def announce(where: Where, session: SessionEntry, data: bytes, made: Submission, *, agent: bool) -> None:
    """Log what was decided of a plan, show it in the task's folder, and put it on the bus. ClickException when not."""
    said = {
        "accepted": made.accepted,
        "changed": made.changed,
        "fingerprint": made.fingerprint,
        "nodes": len(made.plan.nodes),
        "findings": [one._asdict() for one in made.findings],
    }
    kind = "PLAN_ACCEPTED" if made.accepted else "PLAN_DENIED"
    session_rows.announce(where.store, session, kind, said, {"plan": acceptance.state_of(where)}, agent=agent)
    try:
        submission.render(where, data, made)
        entry = submission.entry(where, data, made)
        artifacts.announce(where.store, session, PRODUCER, [entry], now=host.now(), entropy=host.entropy())
    except OSError as fault:
        raise click.ClickException(
            f"{where.folder} · {fault.strerror} · other features do not hear of the plan"
        ) from None
