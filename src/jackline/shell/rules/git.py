"""git: what a call of it is told besides its subcommand. What that one does stands in `git_rows`."""

from __future__ import annotations

from jackline.shell import launch
from jackline.shell.command_call import Job
from jackline.shell.git_keys import RUNNING, program_key
from jackline.shell.model import UNKNOWN
from jackline.shell.options import Given, parse
from jackline.shell.rules.finding import paths
from jackline.shell.rules.git_rows import ROWS, SHORT, VALUES, act, is_far, told, top
from jackline.shell.rules.wrapping import PLAIN
from jackline.shell.shell_state import Names, Scene, marked
from jackline.system import exists

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence


AHEAD = "git-dir work-tree namespace exec-path config-env attr-source super-prefix list-cmds"
"""Options of git's own that take the next word as their value."""

REMOTE = ("core.sshcommand", "core.gitproxy", "core.askpass")
"""Keys, and by them variables, that only subcommands look at which reach another machine."""

_DANGEROUS = (
    "checkout switch restore reset clean push rm stash branch tag worktree reflog gc rebase update-ref filter-branch"
)
DANGEROUS = frozenset(_DANGEROUS.split())
"""Subcommands with options that destroy; they print how they are used, and do no more, wherever `-h` stands."""

MEANS = {
    "clean clean.requireforce": "force",
    "gc gc.pruneexpire": "prune",
    "gc gc.reflogexpire": "expire",
    "gc gc.reflogexpireunreachable": "expire-unreachable",
}
YES = ("true", "yes", "on", "1")
"""Subcommand and key to the option that says the same, whatever its value but these."""

HOOKED = frozenset(["commit", "push", "merge", "rebase", "am", "pull", "cherry-pick", "revert", "checkout", "switch"])
SKIPS = ("HUSKY", "LEFTHOOK", "LEFTHOOK_EXCLUDE", "HUSKY_SKIP_HOOKS", "SKIP", "OVERCOMMIT_DISABLE")
ON = (("HUSKY", "1"), ("LEFTHOOK", "1"), ("LEFTHOOK", "true"))
"""Variables by which managers of hooks do nothing, but for these values."""


def _given(rest: list[str]) -> Given:
    """What a subcommand is given, with its name at first."""
    return parse(rest, SHORT.get(rest[0], ""), VALUES, glued="O")


def subcommand(words: Sequence[str]) -> tuple[str, Given]:
    """The subcommand of a call, and what it is given; "" for none."""
    rest = parse([*words], "Cc", AHEAD, stop=True).operands or [""]
    return rest[0], _given(rest)


def _settings(job: Job, ahead: Given, far: bool) -> list[tuple[str, str]]:
    """What this call is told besides its words, by variables and options: keys, in small letters, and values.

    What says the same without a key is told as it stands.
    """
    scene, pairs = job.scene, list[tuple[str, str]]()
    environment = {name: scene.vars.get(name) or UNKNOWN for name in scene.exported if name.startswith("GIT_")}
    environment.update(job.assigns)
    for name, value in environment.items():
        if name in RUNNING and (RUNNING[name] not in REMOTE or far):
            told(job, RUNNING[name], value)
        elif name == "GIT_WORK_TREE":
            scene.enter(value)
        elif name == "GIT_CONFIG_PARAMETERS":  # 'key=value' 'key'='value'
            pairs += [one.partition("=")[::2] for one in value.replace("'='", "=").split("'")[1::2]]
        elif name.startswith("GIT_CONFIG_KEY_"):
            pairs.append((value, environment.get("GIT_CONFIG_VALUE_" + name[15:], UNKNOWN)))
    for key, setting in pairs:
        if far and program_key(key) and setting:
            job.note("execute", f"git runs what {key} says", act="git.program")
    for name, value in [(name, value or "") for name, value in ahead.options]:
        if name == "c":
            pairs.append(value.partition("=")[::2])
        elif name == "config-env":
            pairs.append((value.rpartition("=")[0], scene.value(value.rpartition("=")[2]) or UNKNOWN))
        elif name in ("C", "work-tree"):
            scene.enter(value)
        elif name == "git-dir":
            launch.told(job, "repository", value, "--git-dir")
    for key, setting in pairs:
        if far or key.lower() not in REMOTE:
            told(job, key, setting, ROWS)
        if key.lower() == "core.worktree":
            scene.enter(setting)
    return [(key.lower(), setting) for key, setting in pairs]


LISTS = {
    "ls-files": " z m o c modified others cached exclude-standard",
    "diff": "name-only z cached staged diff-filter",
    "grep": "l z i n E F w",
}
"""Subcommands that print paths of the work tree, a line each: with the first option, and none but these."""


def _listed(scene: Scene, verb: str, given: Given) -> Names | None:
    """The paths that git prints, below the folders that it is told."""
    must, *may = LISTS[verb].split(" ")
    specs = given.operands if verb == "ls-files" else given.behind
    strange = UNKNOWN in "".join(specs) or any(one[:1] == ":" for one in specs)
    if strange or any(name not in (must, *may) for name, _ in given.options) or (must and not given.has(must)):
        return None
    found = ""
    for spec in [one.translate(PLAIN) for one in specs or ["."]]:
        folder, _, name = spec.rpartition("/") if "*" in spec else (spec, "", "")
        found += paths(scene, [folder or "."], [name] if name and "*" not in folder else []) or ""
    return Names(found)


def _subcommand(own: Job, rest: list[str], given: Given, settings: list[tuple[str, str]]) -> str | None:
    verb, cwd = rest[0], own.scene.cwd
    if verb in DANGEROUS and any(word[:1] == "-" and marked(word.partition("=")[0]) for word in rest):
        own.fault(f"git {verb} with an option that only the shell knows")
    asked = given.has("help", "version") or ("-h" in rest and given.has("h"))
    if rest[1:2] == ["--help"] or rest[1:] == ["-h"] or (asked and verb in DANGEROUS and not given.loose):
        return None  # it prints how it is used
    if verb not in ROWS:
        own.note("unknown", f"no knowledge of git {verb}: an alias or a program of that name")
        return None
    means = [(MEANS.get(f"{verb} {key}", ""), setting) for key, setting in settings if setting.lower() not in YES]
    given.options += [one for one in means if one[0]]
    if verb in HOOKED:
        unhooked = given.has("no-verify") or (verb in ("commit", "am") and given.has("n"))
        held = {**own.scene.vars, **dict(own.assigns)}
        unhooked = unhooked or any(held.get(name) and (name, held[name]) not in ON for name in SKIPS)
        if unhooked:
            own.note("history", "skips the hooks", act="hooks.skip")
        else:
            own.note("execute", "the repository's hooks")
    act(own, verb, given)
    if verb in LISTS:
        return _listed(own.scene, verb, given)
    found = top(own.scene) if verb == "rev-parse" and rest[1:] == ["--show-toplevel"] and cwd else ""
    return found + "\n" if found else None


def git(job: Job) -> str | None:
    own = job.again(job.scene.fork())
    ahead = parse(job.words, "Cc", AHEAD, stop=True)
    rest = ahead.operands or [""]
    verb, given = rest[0], _given(rest)
    settings = _settings(own, ahead, is_far(verb, given))
    for cwd in own.scene.cwds if job.walk.since else ():
        launch.told(own, "repository", cwd if exists(f"{cwd}/HEAD") else f"{cwd}/.git", "its repository")
    expansion = dict(settings).get(f"alias.{verb.lower()}", "") if verb not in ROWS else ""
    if marked(verb) or (not verb and ahead.loose):
        own.fault("git does what only the shell knows")
    elif expansion[:1] == "!":
        return own.code(expansion[1:] + " " + " ".join(rest[1:]))
    elif expansion:
        return own.run(["git", *expansion.split(), *rest[1:]])
    elif verb:
        return _subcommand(own, rest, given, settings)
    return None
