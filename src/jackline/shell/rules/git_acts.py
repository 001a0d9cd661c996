"""What subcommands of git do of which no row can say all: to the work tree, to history, to settings, elsewhere."""

from __future__ import annotations

from jackline.paths import resolve
from jackline.repository import git_root
from jackline.shell import launch
from jackline.shell.git_keys import program_key
from jackline.shell.model import UNKNOWN
from jackline.shell.rules.editing import patches
from jackline.shell.rules.files import arrive
from jackline.shell.scene import Place, marked

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Container

    from jackline.shell.job import Job
    from jackline.shell.model import Kind
    from jackline.shell.options import Given


def top(job: Job) -> Place | None:
    """The top folder of the repository we are in; None when that is not known."""
    cwd = job.scene.cwd
    return Place(resolve("/", git_root(cwd) or cwd)) if cwd else None


def tree(job: Job, kind: Kind, note: str, act: str = "") -> None:
    """The whole work tree."""
    place = top(job) or Place("**", True)
    kinds: tuple[Kind, ...] = ("write", "delete") if kind == "delete" else (kind,)
    for one in kinds:
        job.note(one, note, place, deep=True, act=act or "git.tree")


def inside(job: Job, name: str, note: str, act: str = "") -> None:
    """A file of the repository's own."""
    place = top(job)
    path = resolve("/", f"{place.path}/.git/{name}") if place else f"**/.git/{name}"
    job.note("write", note, Place(path, not place), act=act or "git.own")


def paths(job: Job, kind: Kind, operands: list[str], note: str, act: str = "", deep: bool = True) -> None:
    """Path operands, with git's own magic."""
    if any(word.startswith(":") for word in operands):
        tree(job, kind, note, act)
    names = [word if word != "-" else "./-" for word in operands if word[:1] != ":"]
    job.all(kind, names, note, deep=deep, act=act)


def is_on(given: Given, *names: str) -> bool:
    """What the last of these options says. Each has a form with `no-`."""
    on = False
    for name, _ in given.options:
        if name in names or (len(name) > 1 and any(one.startswith(name) for one in names)):
            on = True
        elif name[:3] == "no-" and len(name) > 3 and any(one.startswith(name[3:]) for one in names):
            on = False
    return on


def _there(job: Job, word: str) -> bool:
    return word in (".", ":/") or (not marked(word) and job.walk.exists(job.scene, word))


def checkout(job: Job, words: list[str], given: Given) -> None:
    before = given.operands[: len(given.operands) - len(given.behind)]
    fresh, single = given.has("b", "B", "orphan"), len(before) == 1
    files, chosen = given.behind, given.values("pathspec-from-file")
    if not files and not chosen and not fresh and not given.has("t", "track"):  # git refuses: paths track nothing
        files = [word for word in before[:1] if _there(job, word) or (single and marked(word))] + before[1:]
    paths(job, "write", files, "takes it from the index or a commit", "git.restore")
    if chosen:
        tree(job, "write", "takes files from the index or a commit", "git.restore")
    elif not given.behind and single:
        tree(job, "write", f"switches the work tree to {before[0]}")
    if is_on(given, "f", "force") and not given.behind:
        tree(job, "delete", "drops changes of the work tree", "git.discard")


def apply(job: Job, words: list[str], given: Given) -> None:
    if given.has("check", "stat", "numstat", "summary") and not given.has("apply"):
        return
    job.all("read", given.operands)
    place = top(job)
    base = "/".join([place.path if place else UNKNOWN, *given.values("directory")])
    named = patches(job, given.operands, "".join(given.values("p")))
    job.all("write", [f"{base}/{name}" for name in named], "patches it")
    if not named or words[0] == "am":
        tree(job, "write", "patches what the patch names")


def execute(job: Job, words: list[str], given: Given) -> None:
    for value in given.values("x", "exec"):
        job.code(value)


def mv(job: Job, words: list[str], given: Given) -> None:
    sources, target = given.operands[:-1], "".join(given.operands[-1:])
    job.all("delete", sources, "moves it away", deep=True, follow=False, act="move")
    arrive(job, given, sources, target, len(sources) > 1, "moves to it", True)


def foreach(job: Job, words: list[str], given: Given) -> None:
    """What `submodule foreach` runs, with the options of its own left out."""
    rest = words[words.index("foreach") + 1 :]
    job.code(" ".join(word for word in rest if word not in ("--recursive", "-q", "--quiet")))


def bisect(job: Job, words: list[str], given: Given) -> None:
    job.run(words[words.index("run") + 1 :])


def init(job: Job, words: list[str], given: Given) -> None:
    job.all("write", [f"{word}/.git" for word in given.operands[:1] or ["."]], words[0], deep=True, act="git.own")


PLAIN = ("core.worktree", "url", "safe", "extensions", "receive", "imap", "lfs", "init", "protocol")
"""Keys and sections that name no program by which a call does more than it says."""

FILES = {"include": "git", "includeif": "git", "core.attributesfile": "settings"}
"""Keys and sections whose value is a file."""


def told(job: Job, key: str, value: str, own: Container[str] = ()) -> None:
    """A configuration value for this call, or a variable that says the same. `own`: names that no alias can take."""
    key = key.lower()
    section = key.partition(".")[0]
    if key == "core.hookspath":
        job.note("execute", f"git runs what {key} says", act="hooks.skip")
        job.note("unknown", f"{key} names a program: {value}")
        job.add("execute", value, key)
    elif key == "protocol.ext.allow" and value != "never":
        job.note("execute", "git runs what an address says", act="git.program")
    elif not program_key(key) or key in PLAIN or section in PLAIN or (section == "alias" and key[6:] in own):
        return
    elif value[:1] == "!":
        job.note("execute", f"git runs what {key} says", act="git.program")
        job.code(value[1:])
    elif section == "alias":
        job.note("unknown", f"{key} stands for {value}")
        job.run(["git", *value.split()])
    else:
        job.note("execute", f"git runs what {key} says")
        job.note("unknown", f"{key} names a program: {value}")
        launch.told(job, FILES.get(key) or FILES.get(section) or "run", value, key, "git.program")


VERBS = ("get", "list", "set", "unset", "edit", "rename-section", "remove-section")
"""Operands of `git config` that say the same as an option of the name."""


def config(job: Job, words: list[str], given: Given) -> None:
    operands = [*given.operands]
    if operands[:1] and operands[0] in VERBS:
        given.options.append((operands.pop(0), None))
    if any(name == "l" or name.startswith(("get", "list")) for name, _ in given.options):
        return
    whole = given.has("e", "edit", "rename-section", "remove-section")
    if not whole and len(operands) < 2 and not given.has("unset", "unset-all"):
        return
    key, value = [*operands, "", ""][:2]
    names = program_key(key) or marked(key)
    act = "git.program" if whole or names else "git.own"
    places = given.values("f", "file")
    if given.has("global"):
        places = [(job.scene.home or UNKNOWN) + "/.gitconfig"]
    elif given.has("system"):
        places = ["/etc/gitconfig"]
    job.all("write", places, "git config", act=act)
    if not places:
        inside(job, "config.worktree" if given.has("worktree") else "config", "git config", act)
    if key.lower() == "core.hookspath" and not value:
        job.note("execute", "git no longer finds the repository's hooks", act="hooks.skip")
    if names:
        job.note("unknown", f"{key} names a program: {value}")
        if value:
            told(job, key, value)


def push(job: Job, words: list[str], given: Given) -> None:
    if is_on(given, "n", "dry-run"):
        return
    refs = given.operands if given.values("repo") else given.operands[1:]
    if any(
        one.removeprefix("file://").startswith("/tmp/") and ".." not in one
        for one in [*given.values("repo"), *given.operands][:1]
    ):
        return  # a repository among temporary files
    forced = [ref.lstrip("+").rpartition(":")[2].lstrip("+") for ref in refs if ref[:1] == "+" or ":+" in ref]
    options = [name for name, _ in given.options if name.startswith("force-")]
    strange = [name for name in options if not any(one.startswith(name) for one in LEASES)]
    plain = strange or given.has("f", "force", "mirror")
    if plain or options or forced:
        leased = options and not plain and _leased(given, forced)
        job.note("history", "rewrites history elsewhere", act="push.lease" if leased else "push.force")
    if given.has("d", "delete", "prune", "mirror") or any(ref[:1] == ":" for ref in refs):
        job.note("history", "removes refs elsewhere", act="push.delete")


LEASES = ("force-with-lease", "force-if-includes")


def _leased(given: Given, forced: list[str]) -> bool:
    """Every ref that is forced is one of those that a lease names; one without a name holds for all."""
    named = [value.partition(":")[0] for name, value in given.options if name.startswith("force-w") and value]
    names = {name.removeprefix("refs/heads/") for name in named}
    return not names or all(ref.removeprefix("refs/heads/") in names for ref in forced)


def launched(job: Job, programs: list[str], by: str) -> None:
    for program in programs:
        launch.told(job, "run", program, by, "git.program")


def clone(job: Job, words: list[str], given: Given) -> None:
    source = "".join(given.operands[:1])
    name = source.rstrip("/").rpartition("/")[2].rpartition(":")[2].removesuffix(".git")
    job.all("write", given.operands[1:2] or [name or UNKNOWN], "clones into it", deep=True)
    for value in given.values("c", "config"):
        told(job, value.partition("=")[0], value.partition("=")[2])


def expire(job: Job, words: list[str], given: Given) -> None:
    """What nobody points to is lost at once where its age is told so."""
    ages = given.values("expire", "expire-unreachable", "prune", "p")
    if not AT_ONCE.isdisjoint(ages):
        job.note("history", "drops what no branch points to", act="git.prune")


AT_ONCE = frozenset(["now", "all", "0", "0.seconds.ago"])
"""Ages by which git drops everything that is not in use."""


def pagers(job: Job, words: list[str], given: Given) -> None:
    """The programs with which `git grep` shows what it found, "" for the one that is configured."""
    for name, value in given.options:
        if name == "O" or name.startswith("op"):
            launched(job, [value or ""], "-O")
            job.code(f'{value} "$1"' if value else "", args=["git", UNKNOWN])


def old_file(job: Job, words: list[str], given: Given) -> None:
    """A file out of history: its name says what it holds."""
    names = [word.partition(":")[2] for word in given.operands]
    job.all("read", [name for name in names if name[:1] not in ("", "/")], "from history")
