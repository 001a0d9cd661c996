"""Git calls that would take away a hook that a person trusted, or bring an older one: these are asked about (5a).

Looked at only where a command moves HEAD or the work tree, in a project that has trusted units.
"""

from __future__ import annotations

import marshal
from _blake2 import blake2b

from jackline import git, system

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from jackline.shell.model import Effects

    Trusted = Mapping[str, tuple[str, tuple[str, ...]]]
    """By file of a trusted unit, as shown: its digest as it was trusted last, and those of earlier contents."""

SETS = ("checkout", "switch", "reset", "restore", "stash", "bisect")
"""Subcommands after which the tree is that of a commit."""
JOINS = ("merge", "pull", "rebase", "cherry-pick", "revert", "am")
"""Subcommands that bring what changed between two commits."""


def _commit(root: str, ref: str) -> str:
    if ref.startswith("-") or "\0" in ref or "\n" in ref:
        return ""
    try:
        return git.run(root, "rev-parse", "--verify", "-q", f"{ref}^{{commit}}").decode().strip()
    except git.GitError:
        return ""


def _moves(root: str, words: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """Pairs of commits: what stands before and after a command, as far as its words tell."""
    at = next((at for at, word in enumerate(words) if at and word in SETS + JOINS), 0)  # behind options of git's own
    verb, rest = words[at], [word for word in words[at + 1 :] if word[:1] != "-"]
    if verb in SETS:
        for ref in rest or ["HEAD"]:
            target = _commit(root, ref)
            if target:
                yield _commit(root, "HEAD"), target
    elif verb in JOINS:
        for ref in rest or ["@{upstream}"]:
            target = _commit(root, ref.rpartition("..")[2])
            if not target:
                continue
            if verb in ("cherry-pick", "revert"):
                pair = _commit(root, f"{target}^"), target
                yield pair if verb == "cherry-pick" else (pair[1], pair[0])
                continue
            try:
                yield git.run(root, "merge-base", "HEAD", target).decode().strip(), target
            except git.GitError:
                yield "", target


def _digests(root: str, commit: str, names: list[str]) -> dict[str, str]:
    if not commit:
        return {}
    try:
        held = git.blobs(root, commit, names)
        return {name: blake2b(data, digest_size=16).hexdigest() for name, data in held.items()}  # as trust names them
    except git.GitError:
        return {}


def taken(found: Effects, root: str, listed: str) -> tuple[str, str]:
    """A file of a trusted unit that the command takes away or makes older, and what it does; ("", "") for none.

    `listed`: where the files that a person trusted are listed.
    """
    commands = {
        effect.words for effect in found.effects if effect.program.rpartition("/")[2] == "git" and len(effect.words) > 1
    }
    if not commands:
        return "", ""
    try:
        trusted: Trusted = marshal.loads(system.read(listed))
    except (OSError, ValueError, EOFError):
        return "", ""
    names = [*trusted]
    for words in sorted(commands):
        for before, after in _moves(root, words):
            there, here = _digests(root, after, names), _digests(root, before, names)
            for name in names:
                if name in here and name not in there:
                    return name, "take away"
                if there.get(name) in trusted[name][1] and there.get(name) != here.get(name):
                    return name, "bring back an older version of"
    return "", ""
