"""What the scripts of PreToolUse say to a command that nobody has called yet.

They run as they would before the call, with the payload that the client would send; nothing is kept of it.
"""

from __future__ import annotations

from jackline.clients.facts import FLAT_PAYLOADS
from jackline.jsonio import dumps
from jackline.model import HookRun
from jackline.scripts import event as events

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from typing import Any

    from jackline.model import Event, Ids
    from jackline.script import Script


def payload(event: Event, session: str) -> bytes:
    """The event as its client would send it."""
    found: dict[str, Any] = {"cwd": event.cwd}
    if event.client in FLAT_PAYLOADS:
        found |= {"sessionId": session, "toolName": event.tool, "toolArgs": dumps(event.input)}
    else:
        found |= {"session_id": session, "hook_event_name": event.name}
        found |= {"tool_name": event.tool, "tool_input": event.input}
    return dumps(found).encode()


def _has_a_say(script: Script, event: Event) -> bool:
    """Whether it may hold or change the call; the others only look, or come after it."""
    return script.mode == "enforce" and script.when != "after" and script.wants(event.tool, event.kind)


def heard(
    scripts: Iterable[Script], event: Event, ids: Ids, env: Mapping[str, str], so_far: Callable[[], str]
) -> Iterator[HookRun]:
    """Run those that have a say, one after the other. `so_far`: the decision of all before a script."""
    moment = events.Moment(event.root, event, payload(event, ids.session_id), env, "", ids.session_id, "", ids.turn_id)
    for script in scripts:
        decision = so_far()
        if not _has_a_say(script, event) or (script.run == "if-allowed" and decision == "deny"):
            continue
        _, action = events.run(script, moment, limit_s=events.own_limit(script), verdict=decision or "allow")
        yield HookRun(f"script:{script.key}", action)
