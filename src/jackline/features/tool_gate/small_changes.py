"""Small changes pass without a plan: a few lines of a file that is there, by a file tool, for each typed prompt."""

from __future__ import annotations

from jackline.globs import covers, expand
from jackline.system import exists

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jackline.edits.model import FileEdit
    from jackline.features.tool_gate.calls import Call
    from jackline.model import Event
    from jackline.sdk import Context
    from jackline.store.tasks import Task

MANY = 1 << 30
"""Lines of a change that nobody can tell the size of."""


def _begin_alike(old: list[str], new: list[str]) -> int:
    """With how many equal lines two texts begin."""
    least = min(len(old), len(new))
    return next((at for at in range(least) if old[at] != new[at]), least)


def _changed(before: str | None, after: str | None) -> int:
    """How many lines differ between two texts, at most."""
    if before is None or after is None:
        return MANY
    old, new = before.split("\n"), after.split("\n")
    if len(old) == len(new):
        return sum(map(str.__ne__, old, new))
    same = _begin_alike(old, new)
    old, new = old[same:], new[same:]
    return max(len(old), len(new)) - _begin_alike(old[::-1], new[::-1])


def _swapped(one: FileEdit) -> int:
    """How many lines the edits of one file take out or put in, where each of them stands in one place."""
    if not one.swaps or one.gone or one.moved or one.opaque or any(swap.every for swap in one.swaps):
        return MANY
    return sum(max(swap.old.count("\n"), swap.new.count("\n")) + 1 for swap in one.swaps)


def size(event: Event) -> int:
    """How many lines a file tool changes, at most: by its words, or by the texts before and after; `MANY` for what
    neither tells.
    """
    if event.patch:
        signs = [line[:1] for line in event.patch.split("\n") if line[:3] not in ("+++", "---", "***")]
        return max(signs.count("+"), signs.count("-"))
    from jackline.edits import proposed
    from jackline.edits.arguments import file_edits

    found = proposed(event)
    if not found:
        return MANY
    return min(sum(map(_swapped, file_edits(event))), sum(_changed(one.before, one.after) for one in found))


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
