"""What single events leave beside their rows: the prompt audit, sub-agents' names, swept and recounted files."""

from __future__ import annotations

from jackline.store import agents, birth, journal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from jackline.engine.run import Run


def chores(run: Run) -> str:
    """Do what `run`'s event asks for. Returns what went wrong, "" when nothing did."""
    name = run.event.name
    try:
        if name == "UserPromptSubmit" and run.place is not None:
            audit = prompt(run)
            if audit is not None:
                journal.append(run.place.fd, journal.PROMPTS, [audit])
        elif name == "SubagentStart":
            agents.alias(run.store.path, run.event, run.session)
        else:
            from jackline.engine.twins import sweep

            sweep(run)
            if name == "SessionEnd" and run.event.source == "clear":
                from jackline.store.lineage import cleared

                cleared(run.store.path, run.session)
            elif name == "SessionStart":
                birth.recount(run.store.path, run.session, run.call)
                from jackline.engine.outside import follow

                fault = follow(run.wiring, run.store.path)
                if fault:
                    return f"{name}: {fault}"
                if run.place is not None:
                    from jackline.store.sweep import sweep as beside

                    beside(run.place, run.call.now)
    except OSError as fault:
        return f"{name}: {fault.strerror}"
    return ""


def prompt(run: Run) -> dict[str, Any] | None:
    """The audit row of a prompt: off, keyed hash (default) or masked text (design section 4)."""
    mode = run.wiring.prompts
    if mode == "off" or not run.event.prompt:
        return None
    record = {
        "v": 1,
        "id": run.next_id(),
        "ts": run.call.now // 1_000_000,
        "turnId": run.turn,
        "workId": run.work,
        "agentId": run.agent,
        "typed": run.typed,
        "length": len(run.event.prompt),
    }
    if mode == "text":
        record["text"] = run.event.prompt
    else:
        from jackline.store.keys import keyed

        record["hash"] = keyed(run.store.path, run.event.prompt)
    return record
