"""What a call's changes meet: the first path out of scope, else the first change that nobody can tell."""

from __future__ import annotations

from jackline.affected_paths import below
from jackline.changes import Change, Changes
from jackline.globs import covers, match
from jackline.intents.scope import Scope, holds, holds_below, leads_to, scope
from jackline.intents.unowned_paths import KEPT, Free, kept, kept_below
from jackline.paths import within
from jackline.system import exists

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import NamedTuple

    from jackline.intents import Active
    from jackline.intents.intent_index import Said
else:
    from jackline._record import NamedTuple

MANY = 5_000
"""Files below a folder that are looked at."""


class Bounds(NamedTuple):
    """Where a session may write: what stood in the file at selection, what stands there now, what a person added."""

    held: Scope = Scope()
    now: Scope | None = None
    given: Scope = Scope()


class Ruling(NamedTuple):
    """`out`: the first path out of scope; `kept`: the file of ours it would change; `unsure`: what nobody can tell."""

    out: str = ""
    kept: str = ""
    unsure: str = ""
    by_command: bool = False


def bounds(active: Active, now: Said | None, root: str) -> Bounds:
    held = scope(active.scope, root)
    narrow = scope(now.scope, root) if now is not None and now.scope != active.scope else None
    return Bounds(held, narrow, scope(active.given, root))


def inside(known: Bounds, path: str) -> bool:
    """Whether one path may be changed: both readings hold it, or a person's word does."""
    if holds(known.given, path):
        return True
    return holds(known.held, path) and (known.now is None or holds(known.now, path))


def inside_below(known: Bounds, path: str) -> bool:
    if holds_below(known.given, path):
        return True
    return holds_below(known.held, path) and (known.now is None or holds_below(known.now, path))


def leads(known: Bounds, path: str) -> bool:
    return leads_to(known.given, path) or (
        leads_to(known.held, path) and (known.now is None or leads_to(known.now, path))
    )


def _files(root: str, path: str) -> Iterator[str]:
    """Files below a folder of the project, as they stand on disk; one empty text when there are too many."""
    start = path if path[:1] == "/" else root if path == "." else f"{root}/{path}"
    for count, one in enumerate(below(start)):
        if count == MANY:
            yield ""
            return
        yield within(root, one)


class Judge:
    """One call's judgement: each change against the bounds and the free places."""

    def __init__(self, root: str, known: Bounds, free: Free) -> None:
        self.root = root
        self.known = known
        self.free = free

    def _one(self, path: str, by_command: bool) -> bool:
        return inside(self.known, path) or self.free.holds(path, by_command=by_command)

    def _existing(self, change: Change, pattern: str = "") -> Ruling:
        """The first file on disk that the change reaches out of scope; one of ours when there is no other."""
        ours = Ruling()
        for path in _files(self.root, change.path):
            if not path:
                return Ruling(unsure=f"more than {MANY} files lie below {change.path}", by_command=change.by_command)
            if pattern and not (match(pattern, path) or covers(pattern, path)):
                continue
            if kept(path):
                ours = Ruling(out=path, kept=path, by_command=change.by_command)
            elif not self._one(path, change.by_command):
                return Ruling(out=path, by_command=change.by_command)
        return ours

    def _glob(self, change: Change) -> Ruling:
        last = change.pattern.rstrip("/").rpartition("/")[2]
        held = next((one for one in KEPT if match(change.pattern, one) or covers(change.pattern, one)), "")
        if held:
            return Ruling(held, held, by_command=change.by_command)
        if inside_below(self.known, change.path):
            return Ruling()
        if (
            last.strip("*?")
            and change.pattern[:1] != "/"
            and self.free.holds(change.pattern, by_command=change.by_command)
        ):
            return Ruling()
        if change.path[:1] == "/" and self.free.holds(change.path + "/x", by_command=change.by_command):
            return Ruling()
        found = self._existing(change, change.pattern)
        if change.sure or found.unsure:
            return found
        what = found.out or change.pattern
        return Ruling(unsure=f"only the running shell knows whether {what} is changed", by_command=change.by_command)

    def _folder(self, change: Change) -> Ruling:
        """A folder with everything below it."""
        path = change.path
        held = kept_below(path) if change.how == "delete" else ""
        if held and exists(f"{self.root}/{held}"):
            return Ruling(path, held, by_command=change.by_command)
        if inside_below(self.known, path):
            return Ruling()
        if change.how == "tree":
            return Ruling(unsure="git changes files that are out of scope, too", by_command=change.by_command)
        if self.free.holds(path, by_command=change.by_command):
            return Ruling()
        if change.how == "delete" and not inside(self.known, path):
            return Ruling(out=path, by_command=change.by_command)
        if not inside(self.known, path) and not leads(self.known, path):
            return Ruling(out=path, by_command=change.by_command)
        found = self._existing(change) if change.how != "unpack" else Ruling()
        if found.out or found.unsure or change.how == "delete":
            return found
        return Ruling(unsure=f"what is written below {path} may be out of scope", by_command=change.by_command)

    def change(self, change: Change) -> Ruling:
        if kept(change.path):
            return Ruling(change.path, kept(change.path), by_command=change.by_command)
        if change.pattern:
            return self._glob(change)
        if change.deep:
            return self._folder(change)
        if self._one(change.path, change.by_command) or (change.how == "folder" and leads(self.known, change.path)):
            return Ruling()
        return Ruling(out=change.path, by_command=change.by_command)

    def ruling(self, made: Changes) -> Ruling:
        """The gravest thing to say: a path out of scope before what nobody can tell."""
        unsure = Ruling(unsure=made.unsure) if made.unsure else Ruling()
        for one in made.known:
            found = self.change(one)
            if found.out:
                return found
            if found.unsure and not unsure.unsure:
                unsure = found
        return unsure


def needs_intent(made: Changes, free: Free) -> str:
    """What of a call changes the project: a path, or why nobody can tell; "" when nothing does."""
    for one in made.known:
        if not free.holds(one.path, by_command=one.by_command):
            return one.pattern or one.path
    return made.unsure
