"""The agent is in another repository: that one's rules are added for its calls, none are removed (design section 3)."""

from __future__ import annotations

from jackline import paths
from jackline.runtime.hook_table_cache import hook_table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jackline.runtime.outcome import Outcome
    from jackline.wiring import Row


def more_rows(outcome: Outcome, rows: tuple[Row, ...]) -> tuple[Row, ...]:
    """`rows` and those of the repository that the event's cwd lies in, in one order."""
    cwd = paths.resolve("/", outcome.event.cwd or "/")
    root = outcome.session.root
    other = "" if cwd == root or cwd.startswith(root + "/") else paths.git_root(cwd)
    if not other or other == root:
        return rows
    known = {(row.slug, row.module) for row in rows}  # of one name there may be two, with code of their own
    added = [
        row
        for row in hook_table(outcome.store, other, now=outcome.request.now).rows(outcome.event.name)
        if (row.slug, row.module) not in known
    ]
    if not added:
        return rows
    return tuple(sorted([*rows, *added], key=lambda row: (row.priority, row.slug)))
