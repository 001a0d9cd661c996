"""The words of a refusal: three lines to read, then one line of JSON for programs (design section 9)."""

from __future__ import annotations

from jackline.jsonio import dumps

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from jackline.model import Event, Verdict

LINES = 3
PREVIEW = 20
FILES = 20


def tool_error(verdict: Verdict, meta: Mapping[str, Any]) -> dict[str, Any]:
    """The JSON line: what a program needs to know of a refused call."""
    return {
        "type": "tool_error",
        "code": verdict.code or "POLICY_DENIED",
        "message": verdict.reason.split("\n", 1)[0],
        "meta": dict(meta),
    }


def affected_files(event: Event) -> tuple[str, ...]:
    """Files the call would change: those it names, or what a shell command writes and deletes (as far as known)."""
    if event.kind != "shell":
        return event.paths
    try:
        found = event.effects.effects
    except Exception:  # noqa: BLE001 - a refusal needs no list to be one
        return ()
    base = event.root + "/"
    paths = [
        one.path.removeprefix(base) if one.path != event.root else "."
        for one in found
        if one.kind in ("write", "delete") and one.path
    ]
    return tuple(dict.fromkeys(paths))


def refusal(verdict: Verdict, meta: Mapping[str, Any]) -> str:
    """All the model reads of a refusal: three lines, the JSON, and last what shows what it is about.

    `meta` is the engine's to find out: `engine.briefing.meta`.
    """
    return "\n".join([short(verdict.reason), dumps(tool_error(verdict, meta)), *verdict.preview[:PREVIEW]])


def short(reason: str) -> str:
    """At most three lines; further ones (other hooks' reasons) are told by their number."""
    lines = [line for line in reason.split("\n") if line.strip()]
    if len(lines) <= LINES:
        return "\n".join(lines)
    return "\n".join([*lines[: LINES - 1], f"{lines[LINES - 1]} (+{len(lines) - LINES} more)"])
