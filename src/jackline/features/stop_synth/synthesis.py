"""Write the summary and the decision record of the task, and announce what is new of them."""

from __future__ import annotations

from jackline import system
from jackline.features.stop_synth.report import Task, has_decisions, record, summary
from jackline.model import Action
from jackline.services import artifacts, history, work
from jackline.shell.screen import screen

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from jackline.sdk import Context

    Row = dict[str, Any]

ACTING = ("mcp", "browser", "other")
"""Kinds of tools that may have done something, though they name no file."""
NAME = 120


def _did(row: Row) -> bool:
    """Whether a call that ended well may have done something."""
    if row.get("kind") != "TOOL_OUTCOME" or row.get("outcome") == "error":
        return False
    kind, data = row.get("toolKind"), row.get("data")
    if kind == "shell":
        command = data.get("command") if isinstance(data, dict) else ""
        return isinstance(command, str) and not screen(command)
    return kind in (*history.CHANGING, *ACTING)


def has_made(rows: Sequence[Row]) -> bool:
    """Whether the task made something, or met a decision: who only asks and reads leaves nothing behind."""
    return has_decisions(rows) or any(_did(row) for row in rows)


def _name(ctx: Context, key: str, usual: str) -> str:
    """A name from the knobs, if it is one."""
    found = str(ctx.config.get(key) or usual)
    return (
        found if "/" not in found and "\0" not in found and found not in (".", "..") and len(found) <= NAME else usual
    )


def _kept(ctx: Context, kind: str, places: tuple[str, ...], text: str) -> dict[str, Any] | None:
    """Write a page over what stood there; its announcement, None when it was announced as it is."""
    data = text.encode()
    ref = "/".join((ctx.slug, "output", *places))
    if artifacts.hash_of(ctx.session_root, ref) != artifacts.content_hash(data):
        at = system.descend(ctx.session_root, (ctx.slug, "output", *places[:-1]), create=True)
        try:
            system.replace(places[-1], data, at=at)
        finally:
            system.close(at)
    before = artifacts.newest(ctx.state, kind, ctx.ids.work_id)
    if before is not None and (before.ref, before.hash) == (ref, artifacts.content_hash(data)):
        return None
    told = f"{kind.replace('_', ' ')} of {ctx.ids.work_id}"
    return artifacts.described(kind, ref, data, summary=told, supersedes=before.id if before is not None else "")


def synthesis(ctx: Context) -> Action | None:
    """The pages of the task as it stands now."""
    rows = history.rows(ctx.session_root, ctx.ids.work_id)
    if not has_made(rows):
        return None
    known = work.task(ctx)
    ids = ctx.ids
    task = Task(ids.session_id, ids.work_id, work.phase(ctx, known), str(known.get("goal", "")), rows)
    made = [_kept(ctx, "session_summary", (_name(ctx, "summaryFile", "summary.md"),), summary(task))]
    if has_decisions(rows):
        place = (_name(ctx, "adrDir", "adr"), f"adr-{ids.session_id}-{ids.work_id}.md")
        made.append(_kept(ctx, "adr_draft", place, record(task)))
    return Action(register_artifacts=tuple([one for one in made if one is not None]))
