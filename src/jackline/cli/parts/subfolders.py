"""Folders below the root that bring hooks of their own: commands that show what holds here show theirs as well."""

from __future__ import annotations

import os
from collections.abc import Sequence

from jackline import git, paths, repository
from jackline.cli.parts.setting import Setting
from jackline.compiler.trust import Book
from jackline.runtime.hook_table_cache import hook_table
from jackline.runtime.nested_repo import PROJECT
from jackline.runtime.request import Store
from jackline.runtime.stages.units import Part

HOOKS = "/.ai/hooks/"


def _known_to_git(root: str) -> set[str]:
    """Folders with hooks that git has, or would offer to add."""
    try:
        listed = git.run(root, "ls-files", "-z", "-c", "-o", "--exclude-standard")
    except git.GitError:
        return set()
    names = [name.decode("utf-8", "surrogateescape") for name in listed.split(b"\0") if HOOKS.encode() in name]
    return {f"{root}/{name.partition(HOOKS)[0]}" for name in names}


def _on_the_way(root: str) -> set[str]:
    """Those between the root and the folder where the person stands."""
    found, here = set(), paths.resolve("/", os.getcwd())
    while here.startswith(f"{root}/"):
        if os.path.isdir(here + HOOKS):
            found.add(here)
        here = here.rpartition("/")[0]
    return found


def parts(setting: Setting) -> list[Part]:
    """The hook tables of folders below the root: those that a person trusted, git knows, or the person stands in."""
    root, store = str(setting.root), Store(str(setting.store), dry=True)
    found = {*Book(store.path).below(root), *_known_to_git(root), *_on_the_way(root)}
    made = []
    for one in sorted(found):
        way = os.path.relpath(one, paths.resolve("/", os.getcwd()))
        made.append(Part(paths.within(root, one), hook_table(store, one), repository.is_repository(one), way))
    return made


def scripted(setting: Setting, types: Sequence[str]) -> list[str]:
    """The sub-folders with scripts of these types, trusted or not."""
    found = []
    for part in parts(setting):
        idle = [kind for _, _, kind, _, _ in part.table.report()["scripts"]]
        own = [one for name in types for one in part.table.scripts(name) if one.origin in PROJECT]
        if not part.whole and (own or not set(types).isdisjoint(idle)):
            found.append(part.inner)
    return found


def lines(setting: Setting) -> list[tuple[str, bool]]:
    """What is to be told of their units, and whether they hold calls."""
    return [(line, bool(part.table.holds)) for part in parts(setting) for line in part.lines(part.table.told)]
