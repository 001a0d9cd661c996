"""The call leads into other repositories: their rules are added for it, none are removed (design section 3)."""

from __future__ import annotations

from jackline import paths
from jackline.roots import take
from jackline.runtime.hook_table_cache import hook_table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from jackline.model import Event
    from jackline.runtime.outcome import Outcome
    from jackline.wiring import Row

MOST = 4
"""Repositories whose rules are asked for one call."""


def _touched(event: Event) -> Iterator[str]:
    """Folders and files that the call is about, links resolved: where it runs, what it names, what its command does."""
    cwd = event.cwd or event.root
    yield paths.resolve("/", cwd)
    for path in event.paths:
        yield path if path[:1] == "/" else f"{event.root}/{path}"
    if event.command and not take("jackline.shell.screen").screen(event.command):
        found = take("jackline.shell.effects").carried(event)
        for command in found.commands:
            if command.cwd:
                yield command.cwd
        for effect in found.effects:
            if effect.path:
                yield effect.path


def repositories(event: Event, root: str) -> list[str]:
    """Git roots outside the root that the call leads into, in the order in which it names them."""
    found: dict[str, None] = {}
    for path in _touched(event):
        if path == root or path.startswith(root + "/"):
            continue
        other = paths.git_root(path)
        above_home = event.home == other or event.home.startswith(other + "/")  # a home kept in git is no project
        if other and other != root and not above_home:
            found[other] = None
            if len(found) == MOST:
                break
    return list(found)


def more_rows(outcome: Outcome, rows: tuple[Row, ...]) -> tuple[Row, ...]:
    """`rows` and those of the other repositories, in one order."""
    known = {(row.slug, row.module) for row in rows}  # of one name there may be two, with code of their own
    added = []
    for other in repositories(outcome.event, outcome.session.root):
        table = hook_table(outcome.store, other, now=outcome.request.now)
        for row in table.rows(outcome.event.name):
            if (row.slug, row.module) not in known:
                known.add((row.slug, row.module))
                added.append(row)
    if not added:
        return rows
    return tuple(sorted([*rows, *added], key=lambda row: (row.priority, row.slug)))
