"""Fields to bytes: one JSON object and a newline, exit 0, whatever stands in it."""

from __future__ import annotations

from jackline.jsonio import dumps
from jackline.model import SILENCE, UNSAID, Answer, context_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from jackline.model import Event, Verdict

LINES = 20
"""Lines of a proposed call that are shown (design section 9)."""
SHORT = 2000
"""No client's limit is below this."""


def cut(text: str, limit: int) -> str:
    """`text` in at most `limit` bytes of UTF-8, with a mark where it was cut; 0 is no limit."""
    raw = text.encode("utf-8", "replace")
    if limit <= 0 or len(raw) <= limit:
        return text
    mark = f"\n[… cut: {len(raw)} bytes, {limit} fit]"
    return raw[: max(limit - len(mark.encode()), 0)].decode("utf-8", "ignore") + mark


def _clean(value: Any, depth: int = 0) -> Any:
    """What every reader of JSON can take: no lone surrogates, infinities, foreign types or endless nesting."""
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode()
    if isinstance(value, float):
        return value if value - value == 0 else None
    if value is None or isinstance(value, (bool, int)):
        return value
    if depth > 200:
        return None
    if isinstance(value, (list, tuple)):
        return [_clean(item, depth + 1) for item in value]
    if hasattr(value, "items"):
        return {str(_clean(key)): _clean(item, depth + 1) for key, item in value.items()}
    return str(value).encode("utf-8", "replace").decode()


def proposal(event: Event, given: Mapping[str, Any]) -> str:
    """How the call would pass: what to run instead, or the changed keys of its input."""
    changed = {key: value for key, value in given.items() if key not in event.input or event.input[key] != value}
    command = changed.get("command")
    if event.kind == "shell" and isinstance(command, str) and len(changed) == 1:
        lines = command.split("\n")
        more = [f"[… {len(lines) - LINES} lines more]"] if len(lines) > LINES else []
        return "\n".join([f"Run this instead: {lines[0]}", *lines[1:LINES], *more])
    try:
        return f"Call {event.tool} with {dumps(changed)}"
    except (TypeError, ValueError, RecursionError):
        return f"Call {event.tool} with {dumps(_clean(changed))}"


def reason(event: Event, verdict: Verdict) -> str:
    """The reason of a decision, never empty, as long as the client takes; a denial shows what it proposes."""
    reason = verdict.reason if verdict.reason.strip() else UNSAID
    if verdict.decision == "deny" and verdict.updated_input is not None:
        reason = f"{reason}\n{proposal(event, verdict.updated_input)}"
    if len(reason) <= SHORT:
        return reason
    from jackline.clients.capabilities import row

    return cut(reason, row(event.client, event.name).answer_limit)


def context(event: Event, verdict: Verdict) -> str:
    """The context for the model, as long as the client takes; "" for none."""
    text = context_text(verdict.context)
    if len(text) <= SHORT:
        return text
    from jackline.clients.capabilities import row

    return cut(text, row(event.client, event.name).context_limit)


def answer(body: Mapping[str, Any]) -> Answer:
    """The answer for `body`; silence when there is nothing to say. Never raises."""
    if not body:
        return SILENCE
    try:
        text = dumps(body)
        # A lone surrogate is refused by strict readers, and with it a denial: look closer when there may be one.
        if "\\ud" in text:
            text = dumps(_clean(body))
    except (TypeError, ValueError, RecursionError):
        text = dumps(_clean(body))
    return Answer(out=(text + "\n").encode("ascii", "replace"))
