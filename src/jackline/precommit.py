"""The door of git's pre-commit hook: which scripts does this worktree's wiring have, and does one of them object?

The hook that `install/precommit.py` wrote starts it in the root of the work tree. Argv, environment and `_exit` of
that process stand here only.
"""

from __future__ import annotations

import posix

from jackline import git, host, roots, system
from jackline.inputs import fresh
from jackline.scripts import commit
from jackline.store.ids import slot
from jackline.wiring import load, path_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from jackline.script import Outcome, Script
    from jackline.wiring import Wiring

INTERRUPTED = 130


def _wiring(store: str, root: str) -> Wiring:
    name = slot(root)
    found = load(path_of(store, name))
    if found is not None and fresh(found) == "fresh":
        return found
    from jackline.runtime.recompile import renewed
    from jackline.runtime.request import Store

    try:
        roots.ROOTS.extend(system.read(f"{store}/package").decode().split("\n"))
    except (OSError, ValueError):
        pass

    return renewed(Store(store), root, name, found)


def _staged(asked: tuple[int, int] | None) -> Sequence[str]:
    try:
        return git.answer(asked) if asked is not None else ()
    except git.GitError as fault:
        commit.say(f"which files are staged · {fault} · scripts are run without their names")
        return ()


def _untrusted(wiring: Wiring, mark: str) -> int:
    """What nobody trusted does not run. A person is warned and passes; an agent is refused, or it could slip away so.

    Returns the exit code.
    """
    from jackline.scripts.untrusted import untrusted

    names = untrusted(wiring, "pre-commit")
    if not names:
        return commit.PASS
    what = f"pre-commit script{'s' * (len(names) > 1)} {', '.join(names)}"
    if mark:
        commit.say(f"{what} · not trusted, so the commit is stopped · ask the person to run `jackline trust --diff`")
        return commit.STOP
    commit.say(f"{what} · not trusted, and not run · read and trust: `jackline trust --diff`")
    return commit.PASS


def _place(store: str, root: str) -> str:
    """Where the runs of this commit are noted: in the session whose client commits, else with the runs by hand."""
    by_hand = f"{store}/repos/{slot(root)}"
    if not system.names(f"{store}/sessions"):  # nobody to look for
        return by_hand
    from jackline.store import listing

    live = [one for one in listing.living(store) if one.root == root]
    for process in host.ancestors(limit=64) if live else ():
        session = listing.newest([one for one in live if (one.pid, one.start) == (process.pid, process.start)])
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


def judge(store: str, env: dict[str, str], cwd: str) -> int:
    """The exit code of the hook: 0 lets the commit pass."""
    root = cwd  # git runs its hooks at the top of the work tree
    try:
        asked: tuple[int, int] | None = git.staged(root, env)
    except git.GitError:
        asked = None
    wiring = _wiring(store, root)
    code = commit.PASS
    if not wiring.trusted and wiring.digest:
        from jackline.adapters.marks import mark_of

        code = _untrusted(wiring, mark_of(env))
    for why in wiring.holds:
        if "all" not in commit.skipped(env.get("JACKLINE_SKIP", "")):
            commit.say(f"{why} · the commit is stopped until a person looks: `jackline trust --diff`")
            code = commit.STOP
    scripts = wiring.scripts("pre-commit")
    if code or not scripts:
        return code
    place = ""

    def note(script: Script, outcome: Outcome) -> None:
        nonlocal place
        place = place or _place(store, root)
        _note(place, script, outcome)

    return commit.run_all(scripts, root, env, lambda: _staged(asked), f"{store}/commits", note)


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
