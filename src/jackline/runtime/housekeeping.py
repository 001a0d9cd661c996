"""What single events leave beside their rows: the prompt audit, sub-agents' names, swept and recounted files."""

from __future__ import annotations

from jackline.store import journal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from jackline.runtime.outcome import Outcome


def housekeep(outcome: Outcome) -> str:
    """Do what the event asks for. Returns what went wrong, "" when nothing did."""
    name = outcome.event.name
    try:
        if name == "UserPromptSubmit" and outcome.place is not None:
            audit = prompt(outcome)
            if audit is not None:
                journal.append(outcome.place.fd, journal.PROMPTS, [audit])
        elif name == "SubagentStart":
            from jackline.store import agents

            agents.alias(outcome.store.path, outcome.event, outcome.session)
        else:
            from jackline.runtime.stages.dedupe import sweep

            sweep(outcome)
            if name in ("Stop", "SessionEnd") and outcome.place is not None:
                from jackline.store.chain import anchor

                anchor(outcome.store.path, outcome.place.fd, journal.EVENTS, outcome.session.sid, outcome.request.now)
            if name == "SessionEnd" and outcome.event.source == "clear":
                from jackline.store.parent_session import note_clear

                note_clear(outcome.store.path, outcome.session)
            elif name == "SessionStart":
                from jackline.store.session_create import recount

                recount(outcome.store.path, outcome.session, outcome.request)
                from jackline.runtime.project_sync import follow

                fault = follow(outcome.table, outcome.store.path)
                if fault:
                    return f"{name}: {fault}"
                if outcome.place is not None:
                    from jackline.store.sweep import sweep as beside

                    beside(outcome.place, outcome.request.now)
    except OSError as fault:
        return f"{name}: {fault.strerror}"
    return ""


def prompt(outcome: Outcome) -> dict[str, Any] | None:
    """The audit row of a prompt: off, keyed hash (default) or masked text (design section 4)."""
    mode = outcome.table.prompts
    if mode == "off" or not outcome.event.prompt:
        return None
    record = {
        "v": 1,
        "id": outcome.next_id(),
        "ts": outcome.request.now // 1_000_000,
        "turnId": outcome.turn,
        "workId": outcome.work,
        "agentId": outcome.agent,
        "typed": outcome.typed,
        "length": len(outcome.event.prompt),
    }
    if mode == "text":
        record["text"] = outcome.event.prompt
    else:
        from jackline.store.keyed_hash import keyed_digest

        record["hash"] = keyed_digest(outcome.store.path, outcome.event.prompt)
    return record
