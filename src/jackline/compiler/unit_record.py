"""What a worktree's units were when a compile last looked: the commit of HEAD, what the branch gave up, what tightens.

Trust alone cannot tell a teammate's removal from an agent's: that HEAD moved, and who moved it, is remembered here
(design section 5a). The file is the user's, in the store, one for each worktree.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from jackline import jsonio, paths, system
from jackline.compiler.trust import COUNTING, Key, Unit, Version, common_dir, file_digest, in_tree, is_at, top_of

FORMAT = 1
MOVES = 20
"""Commits that HEAD left, and that are asked whether they held a unit."""


class Record(NamedTuple):
    """`released`: units that the branch has no more. `aged`: by unit, the older content that HEAD holds and that runs.
    `withheld`: older content that came while an agent was at work. `tightened`: by file, what it tightened and a person
    has not taken away. `seen`: units that were
    ever in this worktree. `in_force`: by unit, the content that is in force here. `back`: units that came again after a
    person had given them up. `moves`: how long git's log of HEAD was, in bytes; below 0 where nobody looked.
    """

    commit: str = ""
    released: frozenset[str] = frozenset()
    aged: Mapping[str, str] = {}
    withheld: Mapping[str, str] = {}
    tightened: Mapping[str, Mapping[str, Any]] = {}
    seen: frozenset[str] = frozenset()
    in_force: Mapping[str, str] = {}
    back: frozenset[str] = frozenset()
    moves: int = 0


def path_of(store: str, slot: str) -> str:
    return f"{store}/units/{slot}.json"


def read(store: str, slot: str) -> Record | None:
    """The record of a worktree, None where nobody looked yet."""
    try:
        found = jsonio.loads(system.read(path_of(store, slot)).decode())
    except (OSError, ValueError):
        return None
    if not isinstance(found, dict) or found.get("v") != FORMAT:
        return None
    return Record(
        str(found.get("commit", "")),
        frozenset(found.get("released", ())),
        found.get("aged", {}),
        found.get("withheld", {}),
        found.get("tightened", {}),
        frozenset(found.get("seen", ())),
        found.get("inForce", {}),
        frozenset(found.get("back", ())),
        int(found.get("moves", -1)),
    )


def write(store: str, slot: str, record: Record) -> None:
    """Remember it, when it is another."""
    if record == (read(store, slot) or Record()):
        return
    path = path_of(store, slot)
    system.make_dirs(path.rpartition("/")[0])
    data = {
        "v": FORMAT,
        "commit": record.commit,
        "released": sorted(record.released),
        "aged": record.aged,
        "withheld": record.withheld,
        "tightened": record.tightened,
        "seen": sorted(record.seen),
        "inForce": record.in_force,
        "back": sorted(record.back),
        "moves": record.moves,
    }
    system.replace(path, jsonio.dumps(data).encode("ascii") + b"\n")


def name_of(key: Key) -> str:
    return f"{key[0]} {key[1]}"


def head_files(root: str) -> list[str]:
    """The files that say where HEAD is: when they move, HEAD may have. Empty where there is no git."""
    folder = _git_dir(root)
    if not folder:
        return []
    found = [f"{folder}/HEAD"]
    said = _line(found[0])
    if said.startswith("ref: refs/") and ".." not in said:
        found.append(f"{common_dir(root)}/{said[5:]}")
    return [*found, f"{common_dir(root)}/packed-refs"]


def _git_dir(root: str) -> str:
    """The git folder of the worktree that a root is, or is a sub-folder of."""
    top = top_of(root)
    entry = f"{top}/.git"
    if system.is_dir(entry):
        return entry
    try:
        said = system.read(entry, limit=4096).decode("utf-8", "surrogateescape").split("\n")[0].strip()
    except OSError:
        return ""
    return paths.resolve(top, said[7:].strip()) if said.startswith("gitdir:") else ""


def _log(root: str) -> str:
    """Git's log of where HEAD was in this worktree."""
    return f"{_git_dir(root)}/logs/HEAD"


def _held(root: str, commit: str, names: Iterable[str]) -> dict[str, str]:
    """The digests of files at a commit, of those that are there."""
    if not commit:
        return {}
    from jackline import git
    from jackline.compiler.commit_files import contents

    top, inner = in_tree(root)
    try:
        found = contents(top, commit, [inner + name for name in names])
        return {name[len(inner) :]: file_digest(data) for name, data in found.items()}
    except git.GitError:
        return {}


class Branch:
    """What HEAD says of units. Asks git once, and only where a unit is gone or older than what was trusted last."""

    def __init__(self, store: str, slot: str, root: str, dropped: frozenset[str] = frozenset()) -> None:
        """`dropped`: units that a person gave up in this worktree."""
        self.before = read(store, slot)
        self.dropped = dropped
        self.store, self.root = store, root
        self.record = self.before or Record()
        self.asked = False
        self.commit = ""
        self.agents = False

    def _ask(self) -> None:
        if not self.asked:
            from jackline import git
            from jackline.compiler.agent_calls import agent_is_at_work

            self.asked = True
            self.commit = git.head(top_of(self.root)) if _git_dir(self.root) else ""
            self.agents = agent_is_at_work(self.store, self.root)

    def has_agent_at_work(self) -> bool:
        """Whether an agent of a live session may have made what moved in git."""
        self._ask()
        return self.agents

    def is_dropped(self, key: Key) -> bool:
        """Whether a person said yes to it that the unit is not in force here."""
        name = name_of(key)
        return name in self.dropped and name not in self.record.back

    def in_force(self, key: Key, versions: Sequence[Version]) -> int:
        """Which of the contents that were trusted is in force in this worktree: the last one, where none was yet."""
        digest = self.record.in_force.get(name_of(key))
        return next((at for at, one in enumerate(versions) if one.digest == digest), len(versions) - 1)

    def gives_up(self, key: Key, last: Version) -> bool:
        """Whether a trusted unit that is gone was never in this worktree, or is one that its branch has no more."""
        name = name_of(key)
        if self.is_dropped(key):
            return True
        if key[0] in COUNTING:
            return name not in self.record.seen
        self._ask()
        names = [key[1]] if key[0] == "validator" else [*last.own]  # a validator is its row, not the program beside it
        if self.commit and any(one in _held(self.root, self.commit, names) for one in names):
            return False
        if name not in self.record.seen:
            return True
        if not self.commit:
            return False
        if name not in self.record.released and self.before is not None:
            if self.agents or not any(len(_held(self.root, one, names)) == len(names) for one in self._left()):
                return False
            self.record = self.record._replace(released=self.record.released | {name})
        return True

    def _left(self) -> list[str]:
        """The commits that HEAD left since a compile last looked, the latest first.

        A commit moves no input of the hook table: HEAD may have come to others in between, and git's log of it says to
        which. A log that does not begin where HEAD was then (git shortened it, say) tells nothing.
        """
        assert self.before is not None
        try:
            data = system.read(_log(self.root))[max(self.before.moves, 0) :]
        except OSError:
            data = b""
        steps = [line.split(" ", 2)[:2] for line in data.decode("utf-8", "replace").splitlines()]
        steps = [one for one in steps if len(one) > 1]
        known = self.before.moves >= 0 and steps and steps[0][0] == (self.before.commit or "0" * len(steps[0][0]))
        found = [self.before.commit, *[step[1] for step in steps if known]]
        return [one for one in dict.fromkeys(reversed(found)) if _is_commit(one) and one != self.commit][:MOVES]

    def holds(self, unit: Unit, version: Version) -> bool:
        """Whether older content of a unit, once trusted as `version`, is what HEAD holds, and no agent brought it."""
        self._ask()
        name, digest = name_of(unit.key), version.digest
        if self.record.aged.get(name) == digest or self.record.withheld.get(name) == digest:
            return self.record.aged.get(name) == digest and self._is_at_head(unit)
        if not self._is_at_head(unit):
            return False
        if self.agents and self.before is not None:
            self.record = self.record._replace(withheld={**self.record.withheld, name: digest})
            return False
        self.record = self.record._replace(aged={**self.record.aged, name: digest})
        return True

    def _is_at_head(self, unit: Unit) -> bool:
        return bool(self.commit) and is_at(self.root, self.commit, unit)

    def settle(
        self,
        present: Sequence[Key],
        states: Mapping[str, str],
        tightened: Mapping[str, Any],
        in_force: Mapping[str, str],
    ) -> Record:
        """The record as it is to be remembered: what came back is given up no more, what is as trusted is not aged.

        `in_force`: the contents of the units that are as a person trusted them.
        """
        here = {name_of(key) for key in present}
        if not self.asked and _git_dir(self.root):
            self.commit = self.commit_now()
        older = {name for name, state in states.items() if state in ("older", "changed")}
        return Record(
            self.commit,
            frozenset(self.record.released - here),
            {name: one for name, one in sorted(self.record.aged.items()) if name in older},
            {name: one for name, one in sorted(self.record.withheld.items()) if name in older},
            {name: dict(sorted(one.items())) for name, one in sorted(tightened.items()) if one},
            self.record.seen | here,
            dict(sorted({**self.record.in_force, **in_force}.items())),
            (self.record.back | here) & self.dropped,
            max(system.size_of(_log(self.root)), 0),
        )

    def commit_now(self) -> str:
        """The commit of HEAD, read from git's files; asked of git only where they do not say."""
        said = _line(f"{_git_dir(self.root)}/HEAD")
        if _is_commit(said):
            return said
        if not said.startswith("ref: ") or said == "ref: refs/heads/.invalid":  # refs are kept otherwise
            from jackline import git

            return git.head(top_of(self.root))
        common, ref = common_dir(self.root), said[5:]
        found = _line(f"{common}/{ref}") if ".." not in ref else ""
        if _is_commit(found):
            return found
        packed = [one for one in _lines(f"{common}/packed-refs") if one.endswith(f" {ref}")]
        return packed[0].split()[0] if packed else ""


def _lines(path: str) -> list[str]:
    try:
        return system.read(path).decode("utf-8", "surrogateescape").split("\n")
    except (OSError, ValueError):
        return []


def _line(path: str) -> str:
    return (_lines(path) or [""])[0].strip()


def _is_commit(text: str) -> bool:
    return len(text) in (40, 64) and all(char in "0123456789abcdef" for char in text)


def note_yes(store: str, slot: str, root: str, units: Iterable[Unit], gone: Iterable[Key]) -> None:
    """A person said yes to units as they are in this worktree, and gave others up."""
    branch = Branch(store, slot, root)
    record = branch.record
    if branch.before is None and _git_dir(root):
        record = record._replace(commit=branch.commit_now())
    digests = {name_of(unit.key): unit.digest for unit in units}
    names = {name_of(key) for key in gone}
    write(
        store,
        slot,
        record._replace(
            seen=record.seen | digests.keys(), in_force={**record.in_force, **digests}, back=record.back - names
        ),
    )
