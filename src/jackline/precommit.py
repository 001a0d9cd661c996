"""The entry point of git's pre-commit hook: which scripts does this worktree's table have, does one of them object?

The hook that `install/precommit.py` wrote starts it in the root of the work tree. Argv, environment and `_exit` of
that process stand here only.
"""

from __future__ import annotations

import posix

from jackline import git, host, site_paths, system
from jackline.hook_table import load, path_of
from jackline.scripts import commit
from jackline.staleness import fresh
from jackline.store.ids import SESSIONS, slot

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from jackline.hook_table import HookTable
    from jackline.script import Outcome, Script

INTERRUPTED = 130


def _table(store: str, root: str) -> HookTable:
    name = slot(root)
    found = load(path_of(store, name))
    if found is not None and fresh(found) == "fresh":
        return found
    from jackline.runtime.recompile import renew
    from jackline.runtime.request import Store

    try:
        site_paths.ROOTS.extend(system.read(f"{store}/package").decode().split("\n"))
    except (OSError, ValueError):
        pass

    return renew(Store(store), root, name, found)


class _Staged:
    """The files of the commit, asked for once. `known`: git could tell them."""

    def __init__(self, root: str, env: dict[str, str]) -> None:
        self.root, self.env = root, env
        self.found: Sequence[str] | None = None
        self.known = True
        try:
            self.asked: tuple[int, int] | None = git.ask_staged(root, env)
        except git.GitError:
            self.asked = None

    def names(self) -> Sequence[str]:
        if self.found is None:
            self.found, self.known = (), False
            try:
                if self.asked is not None:
                    self.found, self.known = git.answer(self.asked), True
            except git.GitError as fault:
                commit.say(f"which files are staged · {fault} · scripts are run without their names")
        return self.found

    def _gone(self) -> Sequence[str]:
        try:
            return git.answer(git.ask_staged(self.root, self.env, "D"))
        except git.GitError:
            self.known = False
            return ()

    def folders(self, below: Sequence[str]) -> list[str]:
        """The sub-folders with hooks of their own below which the commit changes something, or takes it away.

        `below`: folders whose hooks a person trusted; all of them, where git cannot tell what is staged.
        """
        names = self.names()
        below = [one for one in below if not system.exists(f"{one}/.git")]  # another repository has commits of its own
        found = {one for one in below if _changes(one[len(self.root) + 1 :], names)}
        if len(found) < len(below):
            gone = self._gone()
            found |= {one for one in below if not self.known or _changes(one[len(self.root) + 1 :], gone)}
        seen = set()
        for name in names:
            inner = name.rpartition("/")[0]
            while inner and inner not in seen:
                seen.add(inner)
                if system.may_be(f"{self.root}/{inner}/.ai/hooks"):
                    found.add(f"{self.root}/{inner}")
                inner = inner.rpartition("/")[0]
        return sorted(found)


def _changes(inner: str, names: Sequence[str]) -> bool:
    return any(name.startswith(inner + "/") for name in names)


def _trusting(root: str, table: HookTable) -> str:
    """What a person types to trust the hooks of a table."""
    if table.root == root or not table.root:
        return "jackline trust --diff"
    return f"jackline -C {table.root[len(root) + 1 :]} --here trust --diff"


def _untrusted(table: HookTable, mark: str, command: str) -> int:
    """What nobody trusted does not run. A person is warned and passes; an agent is refused, or it could slip away so.

    Returns the exit code.
    """
    from jackline.scripts.untrusted import untrusted_keys

    names = untrusted_keys(table, "pre-commit")
    if not names:
        return commit.PASS
    what = f"pre-commit script{'s' * (len(names) > 1)} {', '.join(names)}"
    if mark:
        commit.say(f"{what} · not trusted, so the commit is stopped · ask the person to run `{command}`")
        return commit.STOP
    commit.say(f"{what} · not trusted, and not run · read and trust: `{command}`")
    return commit.PASS


def _place(store: str, root: str) -> str:
    """Where the runs of this commit are noted: in the session whose client commits, else with the runs by hand."""
    by_hand = f"{store}/repos/{slot(root)}"
    if not system.names(f"{store}/{SESSIONS}"):  # nobody to look for
        return by_hand
    from jackline.store import session_index

    live = [one for one in session_index.living(store) if one.root == root]
    for process in host.ancestors(limit=64) if live else ():
        session = session_index.newest([one for one in live if (one.pid, one.start) == (process.pid, process.start)])
        if session is not None:
            return session.folder
    return by_hand


def _note(place: str, script: Script, outcome: Outcome) -> None:
    """Status and output, for those who look later. What cannot be written stops no commit."""
    from jackline.scripts import status

    try:
        system.make_dirs(place)
        status.record(place, script, outcome, host.now())
    except OSError:
        return


def _standing(root: str, table: HookTable, env: dict[str, str]) -> int:
    """Whether a table lets the commit go on: not while a unit cannot run as a person trusted it."""
    code = commit.PASS
    command = _trusting(root, table)
    if not table.trusted and table.digest:
        from jackline.clients.marks import mark_of

        code = _untrusted(table, mark_of(env), command)
    for why in table.holds:
        if "all" not in commit.skipped_keys(env.get("JACKLINE_SKIP", "")):
            commit.say(f"{why} · the commit is stopped until a person looks: `{command}`")
            code = commit.STOP
    return code


def _scripts(root: str, table: HookTable) -> Sequence[Script]:
    """The scripts of a commit that a table has; of a sub-folder's what it brings itself, under keys of their own."""
    found = table.scripts("pre-commit")
    if table.root in ("", root):
        return found
    inner = table.root[len(root) + 1 :]
    mine = [one for one in found if one.origin in ("project", "local")]
    return [one._replace(key=f"{inner}/{one.key}", base=table.root) for one in mine]


def judge(store: str, env: dict[str, str], cwd: str) -> int:
    """The exit code of the hook: 0 lets the commit pass."""
    root = cwd  # git runs its hooks at the top of the work tree
    staged = _Staged(root, env)
    tables = [_table(store, root)]
    tables += [_table(store, one) for one in staged.folders(tables[0].below)]
    code = commit.PASS
    for table in tables:
        code = max(code, _standing(root, table, env))
    scripts = [one for table in tables for one in _scripts(root, table)]
    if code or not scripts:
        return code
    place = ""

    def note(script: Script, outcome: Outcome) -> None:
        nonlocal place
        place = place or _place(store, root)
        _note(place, script, outcome)

    return commit.run_all(scripts, root, env, staged.names, f"{store}/commits", note)


def _hand_back(hook: Sequence[str]) -> None:
    """Become the hook again, which then runs what it can vouch for by itself."""
    posix.execve("/bin/sh", ("sh", *hook), {**posix.environ, b"JACKLINE_ALONE": b"%d" % host.pid()})


def enter(store: str, hook: Sequence[str]) -> None:
    """Judge and leave. A fault of ours is reported, and leaves the work to the hook: its path and arguments."""
    code = commit.STOP
    try:
        env = {
            key.decode("utf-8", "surrogateescape"): value.decode("utf-8", "surrogateescape")
            for key, value in posix.environ.items()
        }
        code = judge(store, env, posix.getcwd())
    except KeyboardInterrupt:
        code = INTERRUPTED
    except Exception as fault:  # noqa: BLE001 - a fault of ours stops nobody's commit, and passes nothing unseen
        from jackline.store.crash import report
        from jackline.version import VERSION

        report(store, fault, {"where": "pre-commit"}, VERSION)
        _hand_back(hook)
    finally:
        system.leave(code)
