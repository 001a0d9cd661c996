"""Small changes pass without a plan: a few lines of a file that is there, by a file tool, for each typed prompt."""

from __future__ import annotations

from jackline.globs import covers, expand
from jackline.system import exists

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from jackline.features.tool_gate.calls import Call
    from jackline.model import Event
    from jackline.sdk import Context
    from jackline.store.tasks import Task

OLD = ("old_string", "oldString", "old_str", "old_text")
NEW = ("new_string", "newString", "new_str", "new_text", "content", "file_text", "contents")


def _lines(value: Any) -> int:
    return value.count("\n") + 1 if isinstance(value, str) and value else 0


def size(event: Event) -> int:
    """How many lines a file tool changes: the longer of what it takes out and what it puts in."""
    if event.patch:
        signs = [line[:1] for line in event.patch.split("\n") if line[:3] not in ("+++", "---", "***")]
        return max(signs.count("+"), signs.count("-"))
    parts = [event.input, *[one for one in event.input.get("edits") or () if isinstance(one, dict)]]
    return sum(
        max(
            max((_lines(part.get(key)) for key in OLD), default=0),
            max((_lines(part.get(key)) for key in NEW), default=0),
        )
        for part in parts
    )


def _never(path: str, ctx: Context) -> bool:
    """Whether a path is of a kind that no small change touches."""
    never = (ctx.config.get("small") or {}).get("never") or ()
    return any(covers(one, path) for pattern in never for one in expand(str(pattern)))


def allowance(ctx: Context) -> tuple[int, int]:
    """Files and lines that are free in a turn; none when small changes are off."""
    small = ctx.config.get("small")
    if not isinstance(small, dict):
        return 0, 0
    return int(small.get("files", 0)), int(small.get("lines", 0))


def passes(event: Event, ctx: Context, task: Task, made: Call) -> Task | None:
    """The task with this change counted, where it is small enough; None where it is not."""
    files, most = allowance(ctx)
    if not files:
        return None
    if event.kind not in ("write", "edit", "notebook") or not made.changes or made.deletes or made.deep or made.unsure:
        return None
    if any(_never(path, ctx) or not exists(f"{event.root}/{path}") for path in made.changes):
        return None
    known = task.get("small") or {}
    before = dict(known.get("files") or {}) if known.get("turn") == ctx.ids.turn_id else {}
    lines = size(event)
    for path in made.changes:
        before[path] = int(before.get(path, 0)) + lines
    if len(before) > files or sum(before.values()) > most:
        return None
    return {**task, "small": {"turn": ctx.ids.turn_id, "files": before}}
