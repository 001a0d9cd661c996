"""Git calls that would take away a hook that a person trusted, bring an older one, or other settings: asked about (5a).

Looked at only where a command moves HEAD or the work tree.
"""

from __future__ import annotations

import marshal
from _blake2 import blake2b

from jackline import git, system
from jackline.paths import resolve
from jackline.shell.model import Effects
from jackline.shell.options import Given

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    Trusted = Mapping[str, tuple[str, tuple[str, ...]]]
    """By file of a trusted unit, as shown: its digest as it was trusted last, and those of earlier contents."""

SETS = ("checkout", "switch", "reset", "bisect")
"""Subcommands after which the tree is that of a commit."""
JOINS = ("merge", "pull", "rebase", "cherry-pick", "revert", "am")
"""Subcommands that bring what changed between two commits."""
MOST = 3
"""Files that are named."""


def _git(root: str, *words: str) -> str:
    """What git prints; nothing when it refuses."""
    try:
        return git.run(root, *words).decode("utf-8", "surrogateescape").strip("\n")
    except git.GitError:
        return ""


def _commit(root: str, ref: str) -> str:
    odd = ref.startswith("-") or "\0" in ref or "\n" in ref
    return "" if odd else _git(root, "rev-parse", "--verify", "-q", f"{ref}^{{commit}}")


def _fetched(root: str, remote: str, *names: str) -> list[str]:
    """What a pull would bring, as far as it was fetched before: it names a remote and branches there."""
    place = "" if remote == "." else f"refs/remotes/{remote}/"
    named = [place + one.lstrip("+").partition(":")[0].removeprefix("refs/heads/") for one in names]
    return [_commit(root, one) for one in named or ["@{upstream}"]]


def _joined(root: str, verb: str, given: Given) -> Iterator[tuple[str, str]]:
    """What a merge and its like bring: the commit before, and the one that comes."""
    if verb == "pull" and given.operands:
        targets = _fetched(root, *given.operands)
    else:
        named = [*given.operands, *given.values("onto")] or ["@{upstream}"]
        targets = [_commit(root, ref.rpartition("..")[2]) for ref in named]
    for target in filter(None, targets):
        if verb == "cherry-pick":
            yield _commit(root, f"{target}^"), target
        elif verb == "revert":
            yield target, _commit(root, f"{target}^")
        else:
            yield _git(root, "merge-base", "HEAD", target), target


def _moves(root: str, words: tuple[str, ...], head: bool = False) -> Iterator[tuple[str, str, list[str]]]:
    """Commits before and after a command, as far as its words tell, and which paths; before is "" for the work tree.

    `head`: what moves HEAD alone counts, too.
    """
    from jackline.shell.rules.git import subcommand

    verb, given = subcommand(words)
    operands = given.operands
    ref, before, paths = "", "HEAD", list[str]()
    if verb in JOINS:
        yield from [(*pair, []) for pair in _joined(root, verb, given)]
    elif verb == "stash" and operands[:1] in (["pop"], ["apply"]):
        ref = (operands[1:] or ["stash@{0}"])[0]
        before = f"{ref}^"
    elif verb == "stash" and operands[:1] in ([], ["push"], ["save"]):
        ref, before, paths = "HEAD", "", operands[1:]
    elif verb == "restore" and (given.has("W", "worktree") or not given.has("S", "staged")):
        ref, before, paths = (given.values("s", "source") or ["HEAD"])[0], "", operands
    elif verb == "read-tree" and given.has("u"):
        ref, before = operands[-1] if operands else "HEAD", ""
    elif verb in SETS:
        named = [one for one in operands if one not in (".", "..") and _commit(root, one)]
        ref, paths = (named or ["HEAD"])[-1], [one for one in operands if one not in named]
        over = given.has("f", "force", "discard-changes", "hard", "merge") or (paths and verb != "bisect")
        before = "" if over else "HEAD"
        ref = ref if over or head or verb != "reset" else ""
    after = _commit(root, ref) if ref else ""
    if after:
        yield before and _commit(root, before), after, paths


def _blobs(root: str, commit: str, names: list[str]) -> dict[str, bytes]:
    try:
        return git.blobs(root, commit, names) if commit else {}
    except git.GitError:
        return {}


def _digests(root: str, commit: str, names: list[str]) -> dict[str, str]:
    held = _blobs(root, commit, names)
    return {name: blake2b(data, digest_size=16).hexdigest() for name, data in held.items()}  # as trust names them


def _names(root: str, *words: str) -> list[str]:
    listed = _git(root, *words, "--name-only", "-z", "--no-renames", "--no-ext-diff", "--no-textconv")
    return [name for name in listed.split("\0") if name]


def settings_changed(found: Effects, root: str, protects: Callable[[str], bool]) -> str:
    """A protected file of the project that the git calls of a command would change, "" for none."""
    for command in found.commands:
        for before, after, paths in _moves(root, command.words) if command.program == "git" else ():
            aims = [resolve(command.cwd or root, one) for one in paths]
            for name in _names(root, *(("diff-tree", "-r", before, after) if before else ("diff-index", after))):
                place = f"{root}/{name}"
                aimed = not aims or any(f"{place}/".startswith(f"{one}/") for one in aims)
                if aimed and protects(place) and (before or not _same(root, after, name)):
                    return place
    return ""


def _same(root: str, commit: str, name: str) -> bool:
    """Whether a file is as a commit has it: git calls it changed where its stamps are."""
    held = _blobs(root, commit, [name]).get(name)
    return held is not None and system.exists(f"{root}/{name}") and held == system.read(f"{root}/{name}")


def taken(found: Effects, root: str, listed: str) -> str:
    """What the git calls of a command do to the files of trusted units, "" for nothing.

    `listed`: where the files that a person trusted are listed.
    """
    try:
        trusted: Trusted = marshal.loads(system.read(listed))
    except (OSError, ValueError, EOFError):
        return ""
    names = [*trusted]
    away, older = set(), set()
    for words in sorted({one.words for one in found.commands if one.program == "git"}):
        for before, after, _ in _moves(root, words, head=True):
            there, here = _digests(root, after, names), _digests(root, before or "HEAD", names)
            away |= {name for name in names if name in here and name not in there}
            older |= {
                name for name in names if there.get(name) in trusted[name][1] and there.get(name) != here.get(name)
            }
    does = []
    for which, what in ((away, "take away"), (older - away, "bring back an older version of")):
        more = f" and {len(which) - MOST} more" if len(which) > MOST else ""
        does += [f"{what} {', '.join(sorted(which)[:MOST])}{more}"] if which else []
    return " and ".join(does)
