"""git on the work tree: what its subcommands write and remove there."""

from __future__ import annotations

from jackline.paths import resolve
from jackline.repository import git_root
from jackline.shell.model import UNKNOWN
from jackline.shell.rules.editing import patches
from jackline.shell.rules.files import arrive
from jackline.shell.scene import Place, marked

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jackline.shell.job import Job
    from jackline.shell.model import Kind
    from jackline.shell.options import Given


def top(job: Job) -> Place | None:
    """The top folder of the repository we are in; None when that is not known."""
    cwd = job.scene.cwd
    return Place(resolve("/", git_root(cwd) or cwd)) if cwd else None


def tree(job: Job, kind: str, note: str, act: str = "git.tree") -> None:
    """The whole work tree."""
    place = top(job) or Place("**", True)
    job.note("write", note, place, deep=True, act=act)
    if kind == "delete":
        job.note("delete", note, place, deep=True, act=act)


def inside(job: Job, name: str, note: str, act: str = "git.own") -> None:
    """A file of the repository's own."""
    place = top(job)
    path = resolve("/", f"{place.path}/.git/{name}") if place else f"**/.git/{name}"
    job.note("write", note, Place(path, not place), act=act)


def paths(job: Job, kind: Kind, operands: list[str], note: str, deep: bool = True, act: str = "") -> None:
    """Path operands, with git's own magic."""
    for word in operands:
        if word.startswith(":"):
            tree(job, kind, note, act)
        else:
            job.add(kind, word if word != "-" else "./-", note, deep=deep, act=act)


def _after(words: list[str], given: Given) -> tuple[list[str], list[str]]:
    """Operands before and behind `--`."""
    if "--" not in words:
        return given.operands, []
    behind = words[words.index("--") + 1 :]
    return given.operands[: len(given.operands) - len(behind)], behind


def checkout(job: Job, words: list[str], given: Given) -> None:
    before, behind = _after(words, given)
    force = given.has("f", "force")
    if behind:
        paths(job, "write", behind, "takes it from the index or a commit", act="git.restore")
    elif given.values("pathspec-from-file"):
        tree(job, "write", "takes files from the index or a commit", "git.restore")
    elif not before and not given.has("b", "B", "orphan"):
        if force:
            tree(job, "delete", "drops changes of the work tree", "git.discard")
    elif given.has("b", "B", "orphan") and len(before) < 2:
        if before:
            tree(job, "write", f"switches the work tree to {before[0]}")
    elif len(before) > 1 and given.has("t", "track"):
        return  # git refuses: paths cannot track anything
    elif len(before) > 1:
        paths(job, "write", before[1:], f"takes it from {before[0]}", act="git.restore")
        there = before[:1] if _there(job, before[0]) else []
        paths(job, "write", there, "takes it from the index", act="git.restore")
    else:
        if _there(job, before[0]) or before[0] in (".", ":/") or marked(before[0]):
            paths(job, "write", before, "takes it from the index", act="git.restore")
        tree(job, "write", f"switches the work tree to {before[0]}")
    if force and (before or given.has("b", "B", "orphan")):
        tree(job, "delete", "drops changes of the work tree", "git.discard")


def state(given: Given, *names: str) -> bool | None:
    """What the last of these options says; None where none is given. Each has a form with `no-`."""
    said = None
    for name, _ in given.options:
        if name in names or (len(name) > 1 and any(one.startswith(name) for one in names)):
            said = True
        elif name[:3] == "no-" and len(name) > 3 and any(one.startswith(name[3:]) for one in names):
            said = False
    return said


def _there(job: Job, word: str) -> bool:
    return not marked(word) and job.walk.exists(job.scene, word)


def switch(job: Job, words: list[str], given: Given) -> None:
    force = given.has("f", "force", "discard-changes")
    fresh = given.has("c", "create", "C", "force-create") and not given.operands
    if force or not fresh:  # a new branch begins where the work tree is
        tree(job, "delete" if force else "write", "switches the work tree", "git.discard" if force else "git.tree")


def restore(job: Job, words: list[str], given: Given) -> None:
    staged, changes = state(given, "S", "staged"), state(given, "W", "worktree")
    if not changes and not given.loose and (staged is not None or changes is not None):
        if staged:
            inside(job, "index", "restores the index")
        return  # git refuses where neither is meant
    if given.values("pathspec-from-file"):
        tree(job, "write", "restores files", "git.restore")
    paths(job, "write", given.operands, "restores it", act="git.restore")
    asked = [name for name, _ in given.options if name in ("p", "patch", "no-patch")]
    if not given.operands and asked and asked[-1] != "no-patch":
        tree(job, "write", "restores what is chosen", "git.restore")


def reset(job: Job, words: list[str], given: Given) -> None:
    wild = given.loose or given.has("hard", "merge") or "--h" in words  # `merge` drops what was added to the index
    hard = wild or given.has("keep")
    before, behind = _after(words, given)
    if behind and given.has("hard", "merge", "keep", "soft"):
        return  # git refuses: that is for whole trees
    if hard:
        act = "git.reset" if wild else "git.tree"
        tree(job, "delete", "resets the work tree", act)
        job.note("history", "moves the branch and drops changes", act=act)
    elif not given.has("soft", "mixed") and (behind or len(before) != 1 or _there(job, before[0])):
        inside(job, "index", "resets the index")


def clean(job: Job, words: list[str], given: Given) -> None:
    if state(given, "n", "dry-run") or not (given.has("f", "force", "i", "interactive") or given.loose):
        return
    for word in given.operands or ["."]:
        job.add("delete", word, "removes untracked files", deep=True, act="git.clean")


def moves(job: Job, words: list[str], given: Given) -> None:
    """Subcommands that change both the work tree and history."""
    tree(job, "write", f"git {words[0]} changes the work tree")
    for value in given.values("x", "exec"):
        job.code(value)
    if words[0] == "am":
        apply(job, words, given)


def apply(job: Job, words: list[str], given: Given) -> None:
    if given.has("check", "stat", "numstat", "summary") and not given.has("apply"):
        return
    job.all("read", given.operands)
    place = top(job)
    base = "/".join([place.path if place else UNKNOWN, *given.values("directory")])
    named = patches(job, given.operands, "".join(given.values("p")))
    job.all("write", [f"{base}/{name}" for name in named], "patches it")
    if not named and words[0] == "apply":
        tree(job, "write", "patches what the patch names")


def rm(job: Job, words: list[str], given: Given) -> None:
    if state(given, "n", "dry-run"):
        return
    if state(given, "cached"):
        inside(job, "index", "takes files out of the index")
        return
    deep, force = given.has("r") or given.loose, state(given, "f", "force")
    paths(job, "delete", given.operands, "removes it", deep=deep, act="" if force else "git.guarded")
    if force:
        paths(job, "write", given.operands, "removes it over changes", deep=deep, act="git.discard")


def mv(job: Job, words: list[str], given: Given) -> None:
    sources, target = given.operands[:-1], "".join(given.operands[-1:])
    job.all("delete", sources, "moves it away", deep=True, follow=False, act="move")
    arrive(job, given, sources, target, len(sources) > 1, "moves to it", True)


def stash(job: Job, words: list[str], given: Given) -> None:
    verb = given.operands[0] if given.operands else "push"
    if verb in ("list", "show"):
        return
    if verb in ("drop", "clear") or marked(verb):
        job.note("history", "drops stashed changes", act="git.stash")
        return
    what, note = "delete" if verb in ("push", "save") else "write", "takes changes out of the work tree, or back"
    if verb == "push" and given.operands[1:]:
        paths(job, "delete", given.operands[1:], note, act="git.tree")
    else:
        tree(job, what, note)


def worktree(job: Job, words: list[str], given: Given) -> None:
    verb, operands = (given.operands[0], given.operands[1:]) if given.operands else ("", [])
    if verb == "add":
        job.all("write", operands[:1], "makes a work tree", deep=True)
    elif verb == "remove":
        act = "git.worktree" if given.has("f", "force") else "git.guarded"
        job.all("delete", operands[:1], "removes a work tree", deep=True, act=act)
    elif verb == "move":
        job.all("delete", operands[:1], "moves a work tree", deep=True, act="move")
        job.all("write", operands[1:2], "moves a work tree", deep=True)


def submodule(job: Job, words: list[str], given: Given) -> None:
    verb = given.operands[0] if given.operands else ""
    if verb == "foreach":
        at = words.index("foreach") + 1
        rest = [word for word in words[at:] if word not in ("--recursive", "-q", "--quiet")]
        job.code(" ".join(rest))
    elif verb in ("add", "update", "init", "deinit", "sync", "set-url", "absorbgitdirs"):
        forced = verb == "deinit" and given.has("f", "force")
        tree(job, "write", f"submodule {verb}", "git.discard" if forced else "git.tree")
        inside(job, "config", "sets submodule")
        if verb in ("add", "update"):
            job.note("network", "fetches submodules")


def bisect(job: Job, words: list[str], given: Given) -> None:
    verb = given.operands[0] if given.operands else ""
    if verb == "run":
        job.run(words[words.index("run") + 1 :])
    if verb not in ("log", "view", "visualize", "help"):
        tree(job, "write", "bisect switches the work tree")


def add(job: Job, words: list[str], given: Given) -> None:
    inside(job, "index", "adds to the index")
    job.all("read", given.operands, deep=True)


def init(job: Job, words: list[str], given: Given) -> None:
    made = [f"{word}/.git" for word in given.operands[:1] or ["."]]
    job.all("write", made, "makes a repository", deep=True, act="git.own")
    job.all("write", given.values("separate-git-dir"), deep=True)


def plumbing(job: Job, words: list[str], given: Given) -> None:
    """Commands that write the index or the work tree below the porcelain."""
    inside(job, "index", f"git {words[0]}")
    if words[0] == "checkout-index":
        job.all("write", given.values("prefix"), "unpacks into it", deep=True)
    resets = given.has("u") and given.has("reset") if words[0] == "read-tree" else given.has("f", "force")
    if resets and words[0] in ("read-tree", "checkout-index"):
        tree(job, "write", f"git {words[0]} over changes", "git.discard")
    if words[0] not in ("update-index", "rerere"):
        tree(job, "write", f"git {words[0]}")
