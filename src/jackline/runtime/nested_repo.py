"""The call leads into folders with hooks of their own: other repositories, wherever they lie, and sub-folders.

Their features and scripts are added for it; nothing that holds at the root is removed or loosened (design section 3).
"""

from __future__ import annotations

from jackline import paths
from jackline.repository import git_root, is_at_or_above, is_repository
from jackline.runtime.hook_table_cache import hook_table
from jackline.runtime.outcome import MARKS
from jackline.site_paths import take
from jackline.system import may_be

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import NamedTuple

    from jackline.hook_table import HookSpec, HookTable
    from jackline.model import Event
    from jackline.runtime.outcome import Outcome
    from jackline.script import Script
else:
    from jackline._record import NamedTuple

MOST = 64
"""Folders whose hooks are asked for one call: what leads into more of them waits for a person."""
PROJECT = ("project", "local")
"""Where the hooks come from that a folder brings itself."""
MAGIC = "*?["


class Nested(NamedTuple):
    """A folder with hooks of its own. `whole`: a repository, where a session of its own would have the other features
    of its table, too."""

    folder: str
    whole: bool
    table: HookTable


class Around:
    """The folders with hooks of their own that an event concerns.

    `nested`: those that the call leads into; `unasked`: how many more there are. `known`: these and those whose hooks a
    person trusted, once somebody looked for them. `added`: session and file scripts of sub-folders, by type.
    """

    def __init__(self, nested: tuple[Nested, ...], unasked: int) -> None:
        self.nested = nested
        self.unasked = unasked
        self.known: tuple[Nested, ...] | None = None
        self.added: dict[str, tuple[Script, ...]] = {}


def _words(command: str) -> Iterator[str]:
    """Words of a command that may be paths."""
    for word in command.split():
        if word[0] != "-" or "=" in word:
            yield word.rpartition("=")[2].strip(MARKS)


def _is_read_whole(event: Event, below: tuple[str, ...]) -> bool:
    """Whether the words of a command do not tell where it leads: it may do anything, or goes elsewhere to read."""
    command = event.command
    if below and ("cd " in command or "pushd " in command or any(sign in command for sign in MAGIC)):
        return True
    return not take("jackline.shell.screen").screen(command)


def _touched(event: Event, below: tuple[str, ...]) -> Iterator[str]:
    """Folders and files that the call is about, links resolved: where it runs, what it names, what its command does."""
    cwd = event.cwd or event.root
    yield paths.resolve("/", cwd)
    for path in event.paths:
        yield path if path[:1] == "/" else f"{event.root}/{path}"
    if not event.command:
        return
    for word in dict.fromkeys(_words(event.command)):  # a long command says the same words again and again
        yield paths.resolve(cwd, word, event.home)
    if _is_read_whole(event, below):
        found = take("jackline.shell.effects").carried(event)
        for command in found.commands:
            if command.cwd:
                yield command.cwd
        for effect in found.effects:
            if effect.path:
                yield effect.path
            if effect.kind == "delete":
                yield from [folder for folder in below if folder.startswith(f"{effect.path}/")]


def _between(top: str, path: str) -> Iterator[str]:
    """The folders below `top` on the way to `path`, and `path` itself, that have hooks."""
    at = len(top)
    while at >= 0:
        at = path.find("/", at + 1)
        folder = path[:at] if at > 0 else path
        if folder != top and may_be(folder + "/.ai/hooks"):
            yield folder


def _reaches(path: str, folder: str) -> bool:
    """Whether a path lies in `folder`, or a pattern may."""
    if is_at_or_above(folder, path):
        return True
    for sign in MAGIC:
        if sign in path:
            from jackline.globs import reaches

            return reaches(path, folder)
    return False


def folders(event: Event, root: str, uid: int, below: tuple[str, ...] = ()) -> dict[str, bool]:
    """Folders with hooks of their own that the call leads into, in the order in which it names them; whether each is a
    repository.

    `below`: folders whose hooks a person trusted. They count where their files are gone, and where the call names them
    by a pattern.
    """
    found: dict[str, bool] = {}
    for path in dict.fromkeys(_touched(event, below)):
        top = root
        for folder in below:
            if folder not in found and _reaches(path, folder):
                found[folder] = is_repository(folder, uid)
        if not is_at_or_above(root, path):
            top = git_root(path, uid)
            if not top or top == root or is_at_or_above(top, event.home):  # a home kept in git is no project
                continue
            found[top] = True
        for folder in _between(top, path):
            if folder not in found:
                found[folder] = is_repository(folder, uid)
    return found


def tables(outcome: Outcome, found: dict[str, bool]) -> tuple[Nested, ...]:
    """Those folders with their hook tables."""
    store, now = outcome.store, outcome.request.now
    return tuple([Nested(folder, whole, hook_table(store, folder, now=now)) for folder, whole in found.items()])


def _find(outcome: Outcome) -> Around:
    """Find the folders of the call, once. Those beyond the bound are counted: nobody asks their hooks."""
    below = outcome.table.below
    found = folders(outcome.event, outcome.session.root, outcome.request.uid, below)
    made = Around(tables(outcome, dict([*found.items()][:MOST])), max(len(found) - MOST, 0))
    if found or below:
        outcome.around = made
    return made


def more_rows(outcome: Outcome, rows: tuple[HookSpec, ...]) -> tuple[HookSpec, ...]:
    """`rows` and those of the folders that the call leads into, in one order. None of these speaks for a person."""
    known = {(row.slug, row.module) for row in rows}  # of one name there may be two, with code of their own
    added = []
    for nested in _find(outcome).nested:
        for row in nested.table.rows(outcome.event.name):
            if (row.slug, row.module) not in known and (nested.whole or row.origin in PROJECT):
                known.add((row.slug, row.module))
                added.append(row._replace(may_approve=False))
    if not added:
        return rows
    return tuple(sorted([*rows, *added], key=lambda row: (row.priority, row.slug)))


def find(outcome: Outcome, around: Around) -> tuple[Nested, ...]:
    """The folders whose hooks a person trusted, and those that the event leads into. Looked for once."""
    if around.known is None:
        uid = outcome.request.uid
        found = {one.folder: one for one in around.nested}
        others = {one: is_repository(one, uid) for one in outcome.table.below if one not in found}
        found |= {one.folder: one for one in tables(outcome, others)}
        around.known = tuple([found[name] for name in sorted(found)])
    return around.known


def is_scripted(around: Around, *names: str) -> bool:
    """Whether a script of the folders that the call leads into is bound to the event, or of a type that runs at it."""
    for nested in around.nested:
        for name in names:
            if nested.table.scripted(name):
                return True
    return False


def more_scripts(root: str, around: Around, event: str) -> Iterator[tuple[str, Script]]:
    """The scripts of those folders that are bound to the event, each with its folder and a key of its own."""
    for nested in around.nested:
        for script in own_scripts(root, nested, event):
            yield nested.folder, script


def own_scripts(root: str, nested: Nested, name: str) -> list[Script]:
    """The scripts of an event or of a type that a folder brings itself."""
    inner = paths.within(root, nested.folder).strip("/")
    found = [one for one in nested.table.scripts(name) if one.origin in PROJECT]
    return [one._replace(key=f"{inner}/{one.key}", base=nested.folder) for one in found]


def _is_part(root: str, nested: Nested) -> bool:
    """Whether a folder is part of the tree of a root: another repository's files are none of it."""
    return not nested.whole and is_at_or_above(root, nested.folder)


def add_scripts(outcome: Outcome, around: Around) -> None:
    """The session scripts of the sub-folders in which the session starts, and the file scripts of all that are known.

    Whoever changed a file below a sub-folder, its scripts look at it: so the whole tree counts.
    """
    root, name = outcome.session.root, outcome.event.name
    if name == "SessionStart":
        inside = [one for one in around.nested if _is_part(root, one)]
        around.added["session"] = tuple([one for part in inside for one in own_scripts(root, part, "session")])
    parts = [one for one in find(outcome, around) if _is_part(root, one)]
    around.added["file"] = tuple([one for part in parts for one in own_scripts(root, part, "file")])
