"""Git's pre-commit hook for worktrees that have pre-commit scripts: kept as their hook table wants it, or given back.

`githook` makes its bytes, `git_hook_folder` says where it may stand, `git_hook_files` puts it in front of another,
`git_hook_records` remembers it.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from jackline import git, paths, system
from jackline.compiler.copies import FOLDER
from jackline.compiler.trust import COPIES, top_of
from jackline.hook_table import HookTable
from jackline.install import files, git_hook_files, git_hook_folder, git_hook_records
from jackline.install.fault import InstallError
from jackline.install.finding import Finding
from jackline.install.git_hook_records import Hook, Kept
from jackline.script import Script
from jackline.scripts.untrusted import untrusted_keys
from jackline.staleness import content

TYPE = "pre-commit"


class Done(NamedTuple):
    """What happened to the hook of one worktree, and what is left for the person to do."""

    path: str = ""
    change: str = ""  # "" | installed | renewed | given back
    todo: tuple[str, ...] = ()


def _kept(script: Script, root: str, inner: str) -> Kept | None:
    """How the hook carries a script; None when its bytes are not those that were compiled.

    `inner`: the sub-folder that brings it, as its key then tells: the hook runs it there.
    """
    if content(script.path) != script.digest:
        return None
    try:
        data = system.read(script.path)
    except OSError:
        return None
    below = f"{inner}/" if inner else ""
    return below + script.key, below + _place(script.path, root), script.argv, sha256(data).hexdigest()


def _place(path: str, root: str) -> str:
    """Where a script stands in the worktree, one that runs from its trusted copy included: the hook compares that."""
    _, is_copy, rest = path.partition(f"/{COPIES}/{FOLDER}/")
    return rest.partition("/")[2] if is_copy else paths.within(root, path)


def _python(store: Path) -> str:
    return f"{store}/bin/python"


def _door(store: Path) -> str:
    return f"{store}/commit.py"


def _write(store: Path, hook: Hook) -> tuple[Hook, bool]:
    """Bring the file in line with the book."""
    path = Path(hook.path)
    made = files.make_folders(path.parent)
    changed, original = git_hook_files.put(path, _python(store), _door(store), hook.entries())
    folders = tuple(dict.fromkeys((*map(str, made), *hook.made)))
    return hook._replace(original=original, made=folders), changed


def _give_back(hook: Hook) -> bool:
    done = git_hook_files.take_out(Path(hook.path), hook.original)
    for folder in reversed(hook.made):
        try:
            os.rmdir(folder)
        except OSError:
            break
    return done


def _leave(store: Path, hooks: dict[str, Hook], root: str, path: str = "") -> list[Done]:
    """Take a worktree out of every hook but the one at `path`; what nobody needs any longer is given back."""
    done = []
    for name, hook in list(hooks.items()):
        gone = {one for one in hook.worktrees if not os.path.isdir(one)} | ({root} if name != path else set())
        rest = {one: kept for one, kept in hook.worktrees.items() if one not in gone}
        if not rest and name != path:
            _give_back(hook)
            del hooks[name]
            done.append(Done(name, "given back"))
        elif len(rest) < len(hook.worktrees):
            hooks[name] = hook._replace(worktrees=rest)
            if name != path:
                hooks[name], _ = _write(store, hooks[name])
    return done


def keep(table: HookTable, store: Path, env: Mapping[str, str]) -> Done:
    """Make the hook of `table`'s worktree hold its pre-commit scripts; without any, give back what stood there.

    Where scripts wait for trust, a hook that stands stays as it is: its entry point refuses or warns.
    """
    root = table.root
    top = top_of(root) if root else ""
    inner = root[len(top) + 1 :]
    scripts = table.scripts(TYPE) if root else ()
    if inner:  # what the root has as well is the root's
        scripts = tuple([one for one in scripts if one.origin in ("project", "local")])
    if not scripts and (not (store / git_hook_records.NAME).exists() or untrusted_keys(table, TYPE)):
        return Done()
    try:
        place = git_hook_folder.find(Path(top), env) if root else None
    except git.GitError as fault:
        raise InstallError(root, f"git cannot tell where its hooks are ({fault})", "run `git status` there") from None
    with git_hook_records.locked(store):
        hooks = git_hook_records.load(store)
        if place is None or not scripts:
            done = _leave(store, hooks, root)
            git_hook_records.save(store, hooks)
            return done[0] if done else Done()
        path = str(place.hook)
        _leave(store, hooks, root, path)
        kept = tuple([one for one in (_kept(script, root, inner) for script in scripts) if one is not None])
        old = hooks.get(path) or Hook(path, {})
        there = git_hook_files.ours(place.hook) is not None
        hooks[path], changed = _write(store, old._replace(worktrees={**old.worktrees, root: kept}))
        git_hook_records.save(store, hooks)
    todo = git_hook_folder.advice(place)
    change = ("renewed" if there else "installed") if changed else ""
    return Done(path, change, (todo,) if todo else ())


def remove(store: Path, root: Path | None = None) -> list[Done]:
    """Give every hook back (with `root`: those of that worktree, where no other needs them)."""
    if not (store / git_hook_records.NAME).exists():
        return []
    with git_hook_records.locked(store):
        hooks = git_hook_records.load(store)
        every = {one for hook in hooks.values() for one in hook.worktrees}
        roots = every if root is None else {one for one in every if one == str(root) or top_of(one) == str(root)}
        done = [one for name in sorted(roots) for one in _leave(store, hooks, name)]
        git_hook_records.save(store, hooks)
    return done


# --- doctor --------------------------------------------------------------------------------------------------------


INIT = "run `jackline init`"


def diagnose(table: HookTable | None, root: Path, store: Path, env: Mapping[str, str]) -> list[Finding]:
    """What the hook of a worktree is like: missing, changed, or shadowed by another folder of hooks."""
    scripts = table.scripts(TYPE) if table is not None else ()
    try:
        place = git_hook_folder.find(root, env)
        hooks = git_hook_records.load(store)
    except git.GitError as fault:
        return [Finding("git-hook", "warn", f"git cannot tell where its hooks are: {fault}", "run `git status` here")]
    except InstallError as fault:
        return [Finding("git-hook", "bad", f"{fault.where}: {fault.what}", fault.cure)]
    theirs = {one for hook in hooks.values() for one in hook.worktrees if one == str(root) or top_of(one) == str(root)}
    if place is None or not (scripts or theirs):
        return []
    hook = hooks.get(str(place.hook))
    below = sum(len(kept) for one, kept in hook.worktrees.items() if one in theirs - {str(root)}) if hook else 0
    return _judge(place, hook, store, len(scripts) + below)


def _judge(place: git_hook_folder.Place, hook: Hook | None, store: Path, count: int) -> list[Finding]:
    where = str(place.hook)
    standing = git_hook_files.ours(place.hook)
    if standing is None:
        front = git_hook_files.look(place.hook)
        what = "is gone" if front is None else f"was replaced ({front.whose})"
        return [Finding("git-hook", "bad", f"the pre-commit hook {what}, its scripts do not run", INIT, where)]
    found = []
    if hook is None:
        what = "the pre-commit hook is of another store"
        found.append(Finding("git-hook", "warn", what, f"{INIT}: it then leads to this one", where))
    elif standing.data != git_hook_files.expected(standing, _python(store), _door(store), hook.entries()):
        found.append(Finding("git-hook", "bad", "the pre-commit hook was changed", INIT, where))
    elif not os.access(standing.path, os.X_OK):
        found.append(Finding("git-hook", "bad", "the pre-commit hook is not executable", INIT, where))
    if place.shadowed and not git_hook_folder.calls_ours(place):
        what = f"core.hooksPath makes git run {place.looked} instead of ours"
        found.append(Finding("git-hook", "bad", what, f"add this line to it: {git_hook_folder.CALL}", where))
    spare = [
        one.name for one in place.hook.parent.glob(git_hook_files.ORIGINAL + "*") if hook and one.name != hook.original
    ]
    if spare and not found:
        what = f"{', '.join(sorted(spare))}: a hook that was replaced; it is kept, and not run"
        found.append(Finding("git-hook", "warn", what, "remove it when you need it no longer", where))
    return found or [
        Finding("git-hook", "ok", f"the pre-commit hook runs {count} script{'s' * (count != 1)}", where=where)
    ]
