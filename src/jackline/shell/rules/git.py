"""git: its options and subcommands. What these do stands in `git_tree` and `git_history`."""

from __future__ import annotations

from jackline.repository import git_root
from jackline.shell import launch
from jackline.shell.git_keys import RUNNING, program_key
from jackline.shell.model import UNKNOWN
from jackline.shell.options import parse
from jackline.shell.rules import git_history as history
from jackline.shell.rules import git_tree as work
from jackline.shell.rules.finding import paths
from jackline.shell.rules.git_history import config, told
from jackline.shell.rules.wrapping import PLAIN
from jackline.shell.scene import Names, marked
from jackline.system import exists

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from jackline.shell.job import Job
    from jackline.shell.options import Given
    from jackline.shell.scene import Scene

    Part = Callable[["Job", list[str], "Given"], None]


VALUES = (
    "message file author date cleanup template strategy strategy-option source conflict pathspec-from-file "
    "exclude separate-git-dir branch origin reference depth upload-pack receive-pack repo push-option exec onto "
    "set-upstream-to contents points-at format sort prune output directory max-count since until grep skip after "
    "before start-point orphan reason server-option shallow-since shallow-exclude config inter-hunk-context "
    "unified fixup squash reuse-message extcmd"
)
SHORT = {
    "commit": "mFCctuS", "checkout": "bBU", "switch": "cC", "restore": "sU", "clean": "e", "push": "o", "tag": "mFuns",
    "merge": "mFsXS", "rebase": "xsXCS", "stash": "m", "log": "nSGLO", "diff": "SGOlU", "clone": "boujc", "fetch": "jo",
    "pull": "sXjo", "branch": "u", "config": "f", "worktree": "bB", "add": "", "apply": "pCB", "am": "pCS",
    "revert": "mXS", "cherry-pick": "mXS", "archive": "o", "format-patch": "onv", "blame": "LS", "init": "b",
    "submodule": "b", "bisect": "", "notes": "mFCc", "grep": "efmABCO", "remote": "tm", "show": "nSGLO", "gc": "",
    "difftool": "xt",
}  # fmt: skip


AHEAD = ("-C", "-c", "--git-dir", "--work-tree", "--namespace", "--exec-path", "--config-env", "--attr-source",
         "--super-prefix", "--list-cmds")  # fmt: skip
"""Options of git's own that take the next word as their value."""

SHOWS = (
    "status diff log show rev-parse rev-list describe blame annotate ls-files ls-tree ls-remote merge-base shortlog "
    "cat-file for-each-ref show-ref name-rev count-objects var help version whatchanged range-diff grep cherry "
    "check-ignore check-attr diff-tree diff-index diff-files show-branch verify-commit verify-tag fsck archive "
    "bundle format-patch difftool request-pull instaweb send-email daemon interpret-trailers stripspace column "
    "hash-object patch-id get-tar-commit-id bugreport diagnose --version --help -h -v --exec-path --html-path"
)
PLUMBING = "read-tree checkout-index update-index merge-index sparse-checkout mergetool lfs annex svn rerere"
_OWN = (
    (history, "commit push fetch pull clone branch tag remote"),
    (work, "checkout switch restore reset clean apply rm mv stash worktree submodule bisect add init"),
)
"""Subcommands that are judged by a function of their name."""
PARTS: dict[str, Part] = {
    **dict.fromkeys(SHOWS.split(), history.output),
    **dict.fromkeys(PLUMBING.split(), work.plumbing),
    **dict.fromkeys(("filter-branch", "filter-repo"), history.rewriting),
    **dict.fromkeys(("gc", "prune", "reflog", "repack", "maintenance", "prune-packed"), history.pruning),
    **dict.fromkeys(
        ("update-ref", "symbolic-ref", "replace", "notes", "fast-import", "pack-refs", "commit-tree"), history.refs
    ),
    **dict.fromkeys(("merge", "rebase", "cherry-pick", "revert", "am"), work.moves),
    **{verb: getattr(module, verb) for module, verbs in _OWN for verb in verbs.split()},
    "config": config,
    "stage": work.add,
}

FAR = frozenset(["push", "fetch", "pull", "clone", "ls-remote", "remote", "submodule", "archive", "lfs", "annex"])


REMOTE = ("core.sshcommand", "core.gitproxy", "core.askpass")
"""Keys, and by them variables, that only the subcommands in `FAR` look at."""

HELPED = frozenset(["checkout", "switch", "restore", "reset", "clean", "push", "rm", "stash", "branch", "tag"])
"""Subcommands that print how they are used, and do no more, wherever `-h` or `--help` stands."""

DANGEROUS = HELPED | {"worktree", "reflog", "gc", "rebase", "update-ref", "filter-branch"}
"""Subcommands with options that destroy."""

HELPS = (("-", "h"), ("--", "help"), ("--", "version"))

MEANS = {
    "clean clean.requireforce": ("force", ("false", "no", "off", "0")),
    "gc gc.pruneexpire": ("prune", None),
    "gc gc.reflogexpire": ("expire", None),
    "gc gc.reflogexpireunreachable": ("expire-unreachable", None),
}
"""Subcommand and key to the option that says the same, and the values with which it does (None: any)."""


def _far(words: list[str]) -> bool:
    """The subcommand reaches another machine."""
    named = FAR.intersection(words)
    if named == {"archive"}:
        return any(word.startswith("--remote") for word in words)
    if named == {"remote"}:
        return any(word in ("update", "prune", "show", "-f", "set-head") for word in words)
    return bool(named)


HOOKED = frozenset(["commit", "push", "merge", "rebase", "am", "pull", "cherry-pick", "revert", "checkout", "switch"])
HISTORY = HOOKED - {"push", "checkout", "switch"} | {"commit-tree", "update-ref", "notes", "fast-import"}
SKIPS = {"HUSKY": "0", "LEFTHOOK": "0 false", "LEFTHOOK_EXCLUDE": "", "HUSKY_SKIP_HOOKS": "", "SKIP": "",
         "OVERCOMMIT_DISABLE": ""}  # fmt: skip
"""Variables by which managers of hooks do nothing, and the values that say so ("" any)."""


def skips(job: Job, name: str) -> bool:
    """A variable that skips hooks is set for this call."""
    value = dict(job.assigns).get(name, job.scene.vars.get(name))
    return bool(value) and (not SKIPS[name] or value in SKIPS[name].split())


class Settings:
    """What this call is told besides its words: by `-c`, and by variables. `far`: it reaches another machine."""

    __slots__ = ("aliases", "far", "own", "pairs")

    def __init__(self, own: Job, far: bool) -> None:
        self.own = own
        self.far = far
        self.aliases: dict[str, str] = {}
        self.pairs: list[tuple[str, str]] = []

    def take(self, key: str, setting: str, hidden: bool = False) -> None:
        """A configuration value for this call; `hidden`: by variables that say so in numbers."""
        if hidden and self.far and program_key(key) and setting:
            self.own.note("execute", f"git runs what {key} says", act="git.program")
        if self.far or key.lower() not in REMOTE:
            told(self.own, key, setting, PARTS)
        if key.lower().startswith("alias."):
            self.aliases[key[6:]] = setting
        if key.lower() == "core.worktree":
            self.own.scene.enter(setting)
        self.pairs.append((key.lower(), setting))

    def variables(self, environment: dict[str, str]) -> None:
        for name, value in environment.items():
            if name in RUNNING and (RUNNING[name] not in REMOTE or self.far):
                told(self.own, RUNNING[name], value)
            elif name == "GIT_WORK_TREE":
                self.own.scene.enter(value)
            elif name == "GIT_CONFIG_PARAMETERS":  # 'key=value' 'key'='value'
                for setting in value.replace("'='", "=").split("'")[1::2]:
                    key, _, given = setting.partition("=")
                    self.take(key, given, True)
            elif name.startswith("GIT_CONFIG_KEY_"):
                self.take(value, environment.get("GIT_CONFIG_VALUE_" + name[15:], UNKNOWN), True)

    def options(self, words: list[str]) -> int:
        """The options before the subcommand; where that one stands."""
        i = 1
        while i < len(words) and words[i][:1] == "-":
            word = words[i]
            name, _, value = word.partition("=")
            if word in AHEAD:
                i += 1
                value = words[i] if i < len(words) else ""
            elif word[:2] in ("-C", "-c") and word[:2] != "--" and len(word) > 2:
                name, value = word[:2], word[2:]
            if name == "-c":
                self.take(*value.partition("=")[::2])
            elif name in ("-C", "--work-tree"):
                self.own.scene.enter(value)
            elif name == "--config-env":
                key, _, variable = value.rpartition("=")
                self.take(key, self.own.scene.value(variable) or UNKNOWN)
            elif name == "--git-dir":
                launch.told(self.own, "repository", value, name)
            i += 1
        return i


def subcommand(words: Sequence[str]) -> tuple[str, Given]:
    """The subcommand of a call that was read already, and what it is given; "" for none."""
    at = 1
    while at < len(words) and words[at][:1] == "-":
        at += 2 if words[at] in AHEAD else 1
    rest = [*words[at:]] or [""]
    return rest[0], parse(rest, SHORT.get(rest[0], ""), VALUES)


def git(job: Job) -> str | None:
    words = job.words
    scene = job.scene.fork()
    own = job.again(scene)
    settings = Settings(own, _far(words))
    environment = {name: scene.vars.get(name) or UNKNOWN for name in scene.exported if name.startswith("GIT_")}
    settings.variables({**environment, **dict(job.assigns)})
    rest = words[settings.options(words) :]
    for cwd in scene.cwds if job.walk.since else ():
        launch.told(own, "repository", cwd if exists(f"{cwd}/HEAD") else f"{cwd}/.git", "its repository")
    if not rest:
        if words[-1:] and words[-1].startswith(UNKNOWN):
            own.fault("git does what only the shell knows")
        return None
    if rest[0] not in PARTS and rest[0].lower() in PARTS:  # where names of files have no case, some find it
        rest = [word.lower() for word in rest]
    verb = rest[0]
    if marked(verb):
        own.fault("git does what only the shell knows")
        return None
    if verb in settings.aliases and verb not in PARTS:
        expansion = settings.aliases[verb]
        if expansion[:1] == "!":
            return own.code(expansion[1:] + " " + " ".join(rest[1:]))
        return own.run(["git", *expansion.split(), *rest[1:]])
    return _subcommand(own, rest, settings)


LISTS = {
    "ls-files": (frozenset(["z", "m", "o", "c", "modified", "others", "cached", "exclude-standard"]), ()),
    "diff": (frozenset(["name-only", "z", "cached", "staged", "diff-filter"]), ("name-only",)),
    "grep": (frozenset("lLzinEFw"), ("l", "L")),
}
"""Subcommands that print paths of the work tree, a line each: with no options but these, and some of those."""


def listed(scene: Scene, rest: list[str], given: Given) -> Names | None:
    """The paths that git prints, below the folders that it is told."""
    may, must = LISTS[rest[0]]
    if any(name not in may for name, _ in given.options) or (must and not given.has(*must)):
        return None
    specs = rest[rest.index("--") + 1 :] if "--" in rest else given.operands if rest[0] == "ls-files" else []
    if any(UNKNOWN in one or one[:1] == ":" for one in specs):
        return None
    found = ""
    for spec in [one.translate(PLAIN) for one in specs or ["."]]:
        folder, _, name = spec.rpartition("/") if "*" in spec else (spec, "", "")
        found += paths(scene, [folder or "."], [name] if name and "*" not in folder else []) or ""
    return Names(found)


def _helps(verb: str, rest: list[str], given: Given) -> bool:
    """It only prints how it is used."""
    if "--help" in rest[1:2] or rest[1:] == ["-h"]:
        return True
    if verb not in HELPED or given.loose:
        return False
    flags = [name for name, value in given.options if value is None]
    return any(name in flags and dashes + name in rest for dashes, name in HELPS)


def _subcommand(own: Job, rest: list[str], settings: Settings) -> str | None:
    verb, scene = rest[0], own.scene
    if verb in DANGEROUS and any(word[:1] == "-" and marked(word.partition("=")[0]) for word in rest):
        own.fault(f"git {verb} with an option that only the shell knows")
    given = parse(rest, SHORT.get(verb, ""), VALUES)
    if _helps(verb, rest, given):
        return None
    for key, setting in settings.pairs:
        means = MEANS.get(f"{verb} {key}")
        if means and (means[1] is None or setting.lower() in means[1]):
            given.options.append((means[0], setting))
    part = PARTS.get(verb)
    if part is None:
        own.note("unknown", f"no knowledge of git {verb}: an alias or a program of that name")
        return None
    if verb in HISTORY:
        own.note("history", f"git {verb} changes history")
    unhooked = given.has("no-verify") or (verb in ("commit", "am") and given.has("n"))
    if verb in HOOKED and (unhooked or any(skips(own, name) for name in SKIPS)):
        own.note("history", "skips the hooks", act="hooks.skip")
    elif verb in HOOKED:
        own.note("execute", "the repository's hooks")
    part(own, rest, given)
    if verb in LISTS:
        return listed(scene, rest, given)
    if verb == "rev-parse" and rest[1:] == ["--show-toplevel"] and scene.cwd:
        found = git_root(scene.cwd)
        return found + "\n" if found else None
    return None
