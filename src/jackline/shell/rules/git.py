"""git: what its subcommands do to the work tree, to history, to configuration, and what they run."""

from __future__ import annotations

from jackline.shell.model import UNKNOWN
from jackline.shell.scene import Place, marked
from jackline.system import git_root, resolve

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from jackline.shell.job import Job, Rule
    from jackline.shell.options import Given

    Part = Callable[["Job", list[str], "Given"], None]

VALUES = (
    "message file author date cleanup template strategy strategy-option source conflict pathspec-from-file "
    "exclude separate-git-dir branch origin reference depth upload-pack receive-pack repo push-option exec onto "
    "set-upstream-to contents points-at format sort prune output directory max-count since until grep skip after "
    "before start-point orphan reason server-option shallow-since shallow-exclude config inter-hunk-context "
    "unified fixup squash reuse-message"
)
SHORT = {
    "commit": "mFCctuS", "checkout": "bBU", "switch": "cC", "restore": "sU", "clean": "e", "push": "o", "tag": "mFuns",
    "merge": "mFsXS", "rebase": "xsXCS", "stash": "m", "log": "nSGLO", "diff": "SGOlU", "clone": "boujc", "fetch": "jo",
    "pull": "sXjo", "branch": "u", "config": "f", "worktree": "bB", "add": "", "apply": "pCB", "am": "pCS",
    "revert": "mXS", "cherry-pick": "mXS", "archive": "o", "format-patch": "onv", "blame": "LS", "init": "b",
    "submodule": "b", "bisect": "", "notes": "mFCc", "grep": "efmABCO", "remote": "tm", "show": "nSGLO", "gc": "",
}  # fmt: skip


def top(job: Job) -> Place | None:
    """The top folder of the repository we are in; None when that is not known."""
    cwd = job.scene.cwd
    return Place(resolve("/", git_root(cwd) or cwd)) if cwd else None


def tree(job: Job, kind: str, note: str) -> None:
    """The whole work tree."""
    place = top(job) or Place("**", True)
    job.note("write", note, place, deep=True)
    if kind == "delete":
        job.note("delete", note, place, deep=True)


def inside(job: Job, name: str, note: str) -> None:
    """A file of the repository's own."""
    place = top(job)
    if place is None:
        job.note("write", note, Place("**/.git/" + name, True))
        return
    folder = place.path + "/.git"
    job.note("write", note, Place(resolve("/", f"{folder}/{name}")))


KEYS = (
    "core.hookspath core.fsmonitor core.sshcommand core.editor core.pager core.askpass core.gitproxy core.worktree "
    "core.alternaterefscommand core.attributesfile diff.external interactive.difffilter sequence.editor "
    "uploadpack.packobjectshook sendemail.smtpserver"
)
SECTIONS = ("alias", "include", "includeif", "filter", "pager", "browser", "hook")
LASTS = "textconv command cmd path driver helper program editor vcs uploadpack receivepack update"


def names_program(key: str) -> bool:
    """A configuration key whose value is a program, a folder of hooks, or a file that is included (section 5)."""
    key = key.lower()
    return key in KEYS.split() or key.partition(".")[0] in SECTIONS or key.rpartition(".")[2] in LASTS.split()


def told(job: Job, key: str, value: str) -> None:
    """A configuration value for this call, or a variable that says the same."""
    key = key.lower()
    if key.startswith("alias.") and value:
        if value[:1] == "!":
            job.code(value[1:], job.scene.fork())
        else:
            job.note("unknown", f"{key} stands for {value}")
            job.run(["git", *value.split()])
    elif names_program(key):
        job.note("execute", f"git runs what {key} says")
        if value and key != "core.hookspath" and not key.startswith("include"):
            job.code(value)
        job.note("unknown", f"{key} names a program: {value}")
        if key in ("core.hookspath", "include.path"):
            job.add("execute", value, key)


def paths(job: Job, kind: str, operands: list[str], note: str, deep: bool = True) -> None:
    """Path operands, with git's own magic."""
    for word in operands:
        if word.startswith(":"):
            tree(job, kind, note)
        elif kind == "delete":
            job.add("delete", word, note, deep=deep)
        else:
            job.add("write", word, note, deep=deep)


def _after(words: list[str], given: Given) -> tuple[list[str], list[str]]:
    """Operands before and behind `--`."""
    if "--" not in words:
        return given.operands, []
    behind = words[words.index("--") + 1 :]
    return given.operands[: len(given.operands) - len(behind)], behind


def config(job: Job, words: list[str], given: Given) -> None:
    verbs = ("get", "list", "set", "unset", "edit", "rename-section", "remove-section", "get-all", "get-regexp")
    operands = given.operands
    verb = operands[0] if operands[:1] and operands[0] in verbs else ""
    operands = operands[1:] if verb else operands
    if verb in ("get", "list", "get-all", "get-regexp") or given.has(
        "get", "get-all", "get-regexp", "list", "l", "get-urlmatch"
    ):
        return
    if not verb and len(operands) < 2 and not given.has("unset", "unset-all", "edit", "e", "remove-section"):
        return
    key = operands[0] if operands else ""
    value = operands[1] if len(operands) > 1 else ""
    note = "edits the configuration" if verb == "edit" or given.has("edit", "e") else f"sets {key.lower()}"
    if given.has("global"):
        job.add("write", (job.scene.home or UNKNOWN) + "/.gitconfig", note)
    elif given.has("system"):
        job.add("write", "/etc/gitconfig", note)
    elif given.has("f", "file"):
        job.all("write", given.values("f", "file"), note)
    else:
        inside(job, "config.worktree" if given.has("worktree") else "config", note)
    if names_program(key) or marked(key):
        job.note("unknown", f"{key} names a program: {value}")


def commit(job: Job, words: list[str], given: Given) -> None:
    job.note("history", "rewrites the last commit" if given.has("amend") else "adds a commit")
    if not given.has("n", "no-verify"):
        job.note("execute", "the repository's commit hooks")
    else:
        job.note("history", "skips the commit hooks")
    for value in given.values("F", "file", "t", "template"):
        job.add("read", value)


def checkout(job: Job, words: list[str], given: Given) -> None:
    before, behind = _after(words, given)
    force = given.has("f", "force")
    if behind:
        paths(job, "write", behind, "takes it from the index or a commit")
    elif given.values("pathspec-from-file"):
        tree(job, "write", "takes files from the index or a commit")
    elif not before and not given.has("b", "B", "orphan"):
        if force:
            tree(job, "delete", "drops changes of the work tree")
    elif given.has("b", "B", "orphan") and len(before) < 2:
        if given.has("B"):
            job.note("history", "moves a branch")
        if before:
            tree(job, "write", f"switches the work tree to {before[0]}")
    elif len(before) > 1:
        paths(job, "write", before[1:], f"takes it from {before[0]}")
        paths(job, "write", before[:1] if _there(job, before[0]) else [], "takes it from the index")
    else:
        if _there(job, before[0]) or before[0] in (".", ":/") or marked(before[0]):
            paths(job, "write", before, "takes it from the index")
        tree(job, "write", f"switches the work tree to {before[0]}")
    if force and before:
        tree(job, "delete", "drops changes of the work tree")
    job.note("execute", "the repository's checkout hook")


def _there(job: Job, word: str) -> bool:
    return not marked(word) and job.walk.exists(job.scene, word)


def switch(job: Job, words: list[str], given: Given) -> None:
    tree(job, "delete" if given.has("f", "force", "discard-changes") else "write", "switches the work tree")
    if given.has("C", "force-create"):
        job.note("history", "moves a branch")
    job.note("execute", "the repository's checkout hook")


def restore(job: Job, words: list[str], given: Given) -> None:
    if given.values("pathspec-from-file"):
        tree(job, "write", "restores files")
    if given.has("S", "staged") and not given.has("W", "worktree") and not given.loose:
        inside(job, "index", "restores the index")
        return
    paths(job, "write", given.operands, "restores it")


def reset(job: Job, words: list[str], given: Given) -> None:
    hard = given.has("hard", "merge", "keep") or given.loose
    before, behind = _after(words, given)
    if hard:
        tree(job, "delete", "resets the work tree")
        job.note("history", "moves the branch and drops changes")
    elif given.has("soft", "mixed") or (before and not behind and len(before) == 1 and not _there(job, before[0])):
        job.note("history", "moves the branch")
    else:
        inside(job, "index", "resets the index")


def clean(job: Job, words: list[str], given: Given) -> None:
    if given.has("n", "dry-run") or not (given.has("f", "force", "i", "interactive") or given.loose):
        return
    place = None
    for word in given.operands or ["."]:
        job.add("delete", word, "removes untracked files", deep=True)
        place = word
    if place is None:
        tree(job, "delete", "removes untracked files")


def push(job: Job, words: list[str], given: Given) -> None:
    job.note("network", "sends commits")
    job.note("execute", "the repository's push hook") if not given.has("no-verify") else None
    refs = given.operands[1:]
    if given.has("f", "force", "force-with-lease", "force-if-includes", "mirror") or any(
        ref[:1] == "+" for ref in refs
    ):
        job.note("history", "rewrites history elsewhere")
    if given.has("d", "delete", "prune", "mirror") or any(ref[:1] == ":" for ref in refs):
        job.note("history", "removes refs elsewhere")
    for value in given.values("receive-pack", "exec"):
        job.code(value)


def fetch(job: Job, words: list[str], given: Given) -> None:
    job.note("network", "fetches commits")
    inside(job, "refs", "fetches refs")
    for value in given.values("upload-pack"):
        job.code(value)
    for word in given.operands[:1]:
        if word.startswith("ext::"):
            job.code(word[5:])


def pull(job: Job, words: list[str], given: Given) -> None:
    fetch(job, words, given)
    tree(job, "write", "brings the work tree up to what it fetched")
    job.note("history", "rebases or merges what it fetched")
    job.note("execute", "the repository's hooks")


def clone(job: Job, words: list[str], given: Given) -> None:
    job.note("network", "fetches a repository")
    source = "".join(given.operands[:1])
    name = source.rstrip("/").rpartition("/")[2].rpartition(":")[2].removesuffix(".git")
    job.add("write", given.operands[1] if len(given.operands) > 1 else name or UNKNOWN, "clones into it", deep=True)
    for value in given.values("upload-pack", "u"):
        job.code(value)
    for value in given.values("c", "config"):
        told(job, value.partition("=")[0], value.partition("=")[2])
    job.all("write", given.values("separate-git-dir"), deep=True)
    job.all("read", given.values("template"))
    if source.startswith("ext::"):
        job.code(source[5:])


def moves(note: str, history: str) -> Part:
    """Subcommands that change both the work tree and history."""

    def rule(job: Job, words: list[str], given: Given) -> None:
        if given.has("abort", "quit", "show-current-patch"):
            tree(job, "write", f"ends {note}")
            return
        tree(job, "write", note)
        job.note("history", history)
        job.note("execute", "the repository's hooks")
        for value in given.values("x", "exec"):
            job.code(value)
        if note == "applies patches":
            job.all("read", given.operands)

    return rule


def apply(job: Job, words: list[str], given: Given) -> None:
    from jackline.shell.rules.editing import touched

    if given.has("check", "stat", "numstat", "summary") and not given.has("apply"):
        return
    job.all("read", given.operands)
    named = touched(job.feed or "") if not given.operands else []
    place = top(job)
    base = place.path if place else UNKNOWN
    for folder in given.values("directory"):
        base = f"{base}/{folder}"
    strip = "".join(given.values("p"))
    for name in named:
        rest = "/".join(name.split("/")[int(strip) if strip.isdigit() else 1 :]) or name
        job.add("write", f"{base}/{rest}", "patches it")
    if not named:
        tree(job, "write", "patches what the patch names")


def rm(job: Job, words: list[str], given: Given) -> None:
    if given.has("n", "dry-run"):
        return
    if given.has("cached"):
        inside(job, "index", "takes files out of the index")
    else:
        paths(job, "delete", given.operands, "removes it", deep=given.has("r") or given.loose)


def mv(job: Job, words: list[str], given: Given) -> None:
    from jackline.shell.rules.files import _arrive

    sources, target = given.operands[:-1], "".join(given.operands[-1:])
    job.all("delete", sources, "moves it away", deep=True, follow=False)
    _arrive(job, given, sources, target, len(sources) > 1, "moves to it", True)


def stash(job: Job, words: list[str], given: Given) -> None:
    verb = given.operands[0] if given.operands else "push"
    if verb in ("list", "show"):
        return
    if verb in ("drop", "clear"):
        job.note("history", "drops stashed changes")
        return
    tree(job, "delete" if verb in ("push", "save", "") else "write", "takes changes out of the work tree, or back")
    job.note("history", "changes the stash")


def branch(job: Job, words: list[str], given: Given) -> None:
    if given.has("d", "D", "delete"):
        job.note("history", "removes a branch")
    elif given.has("m", "M", "move", "c", "C", "copy", "f", "force"):
        job.note("history", "moves a branch")
    elif given.has("u", "set-upstream-to", "unset-upstream", "edit-description"):
        inside(job, "config", "sets branch")
    elif given.operands and not given.has("l", "list", "a", "r", "contains", "merged", "no-merged", "points-at"):
        job.note("history", "adds a branch")


def tag(job: Job, words: list[str], given: Given) -> None:
    if given.has("d", "delete"):
        job.note("history", "removes a tag")
    elif given.operands and not given.has("l", "list", "v", "verify", "contains", "points-at", "n"):
        job.note("history", "moves a tag" if given.has("f", "force") else "adds a tag")


def remote(job: Job, words: list[str], given: Given) -> None:
    verb = given.operands[0] if given.operands else ""
    if verb in ("add", "rename", "remove", "rm", "set-url", "set-head", "set-branches"):
        inside(job, "config", "sets remote")
        if verb in ("add", "set-url") and any("ext::" in word for word in given.operands):
            job.note("unknown", "a remote that names a program")
    elif verb in ("update", "prune", "show"):
        job.note("network", "asks the remote")


def worktree(job: Job, words: list[str], given: Given) -> None:
    verb, operands = (given.operands[0], given.operands[1:]) if given.operands else ("", [])
    if verb == "add":
        job.all("write", operands[:1], "makes a work tree", deep=True)
    elif verb == "remove":
        job.all("delete", operands[:1], "removes a work tree", deep=True)
    elif verb == "move":
        job.all("delete", operands[:1], "moves a work tree", deep=True)
        job.all("write", operands[1:2], "moves a work tree", deep=True)


def submodule(job: Job, words: list[str], given: Given) -> None:
    verb = given.operands[0] if given.operands else ""
    if verb == "foreach":
        at = words.index("foreach") + 1
        rest = [word for word in words[at:] if word not in ("--recursive", "-q", "--quiet")]
        job.code(" ".join(rest))
    elif verb in ("add", "update", "init", "deinit", "sync", "set-url", "absorbgitdirs"):
        tree(job, "write", f"submodule {verb}")
        inside(job, "config", "sets submodule")
        if verb in ("add", "update"):
            job.note("network", "fetches submodules")


def bisect(job: Job, words: list[str], given: Given) -> None:
    verb = given.operands[0] if given.operands else ""
    if verb == "run":
        job.run(words[words.index("run") + 1 :])
    if verb not in ("log", "view", "visualize", "help"):
        tree(job, "write", "bisect switches the work tree")


def rewriting(job: Job, words: list[str], given: Given) -> None:
    """`filter-branch`, `filter-repo`: every commit anew, by code."""
    job.note("history", "rewrites all history")
    tree(job, "write", "rewrites the work tree")
    for at, word in enumerate(words[:-1]):
        if word.endswith(("-filter", "-callback")):
            if word.endswith("-filter"):
                job.code(words[at + 1])
            else:
                job.note("unknown", "a callback in python")


def pruning(job: Job, words: list[str], given: Given) -> None:
    """`gc`, `prune`, `reflog expire`: what nobody points to is lost."""
    verb = given.operands[0] if given.operands else ""
    if words[0] == "reflog" and verb not in ("expire", "delete"):
        return
    job.note("history", "drops what no branch points to")


def refs(job: Job, words: list[str], given: Given) -> None:
    if words[0] == "symbolic-ref" and len(given.operands) < 2 and not given.has("d", "delete"):
        return
    job.note("history", "moves a ref")


def add(job: Job, words: list[str], given: Given) -> None:
    inside(job, "index", "adds to the index")
    job.all("read", given.operands, deep=True)


def output(job: Job, words: list[str], given: Given) -> None:
    """Subcommands that only show, but for `--output`."""
    job.all("write", given.values("output"), "--output")
    if words[0] in ("archive", "bundle"):
        job.all("write", given.values("o", "output") + (given.operands[1:2] if words[0] == "bundle" else []))
        if any(word.startswith("--remote") for word in words):
            job.note("network", "asks a remote")
        for value in given.values("exec"):
            job.code(value)
    if words[0] == "format-patch":
        job.all("write", given.values("o", "output-directory") or ["."], "patches", deep=True)
    if words[0] == "grep":
        job.add("read", ".", "searches it", deep=True)
        for word in words:
            if word.startswith(("-O", "--open-files-in-pager=")):
                job.code(word[2:] if word[1] != "-" else word.partition("=")[2])
    if words[0] in ("ls-remote", "daemon", "send-email", "request-pull", "fetch-pack"):
        job.note("network", "asks a remote")
        for value in given.values("upload-pack", "exec"):
            job.code(value)
    if words[0] == "difftool" or words[0] == "mergetool":
        for value in given.values("x", "extcmd"):
            job.code(value)
        job.note("execute", "a tool of the configuration")


def init(job: Job, words: list[str], given: Given) -> None:
    job.all("write", [f"{word}/.git" for word in given.operands[:1] or ["."]], "makes a repository", deep=True)
    job.all("write", given.values("separate-git-dir"), deep=True)


def plumbing(job: Job, words: list[str], given: Given) -> None:
    """Commands that write the index or the work tree below the porcelain."""
    inside(job, "index", f"git {words[0]}")
    if words[0] in (
        "read-tree",
        "checkout-index",
        "merge-index",
        "sparse-checkout",
        "mergetool",
        "lfs",
        "annex",
        "svn",
    ):
        tree(job, "write", f"git {words[0]}")


SHOWS = (
    "status diff log show rev-parse rev-list describe blame annotate ls-files ls-tree ls-remote merge-base shortlog "
    "cat-file for-each-ref show-ref name-rev count-objects var help version whatchanged range-diff grep cherry "
    "check-ignore check-attr diff-tree diff-index diff-files show-branch verify-commit verify-tag fsck archive "
    "bundle format-patch difftool request-pull instaweb send-email daemon interpret-trailers stripspace column "
    "hash-object patch-id get-tar-commit-id bugreport diagnose --version --help -h -v --exec-path --html-path"
)
PLUMBING = "read-tree checkout-index update-index merge-index sparse-checkout mergetool lfs annex svn rerere"
PARTS: dict[str, Part] = {
    **dict.fromkeys(SHOWS.split(), output),
    **dict.fromkeys(PLUMBING.split(), plumbing),
    **dict.fromkeys(("filter-branch", "filter-repo"), rewriting),
    **dict.fromkeys(("gc", "prune", "reflog", "repack", "maintenance", "prune-packed"), pruning),
    **dict.fromkeys(("update-ref", "symbolic-ref", "replace", "notes", "fast-import", "pack-refs"), refs),
    "config": config,
    "commit": commit,
    "commit-tree": refs,
    "checkout": checkout,
    "switch": switch,
    "restore": restore,
    "reset": reset,
    "clean": clean,
    "push": push,
    "fetch": fetch,
    "pull": pull,
    "clone": clone,
    "merge": moves("merges into the work tree", "adds a merge"),
    "rebase": moves("rebases the work tree", "rewrites commits"),
    "cherry-pick": moves("picks a commit", "adds a commit"),
    "revert": moves("reverts a commit", "adds a commit"),
    "am": moves("applies patches", "adds commits"),
    "apply": apply,
    "rm": rm,
    "mv": mv,
    "stash": stash,
    "branch": branch,
    "tag": tag,
    "remote": remote,
    "worktree": worktree,
    "submodule": submodule,
    "bisect": bisect,
    "add": add,
    "stage": add,
    "init": init,
}

RUNNING = {
    "GIT_SSH": "core.sshcommand",
    "GIT_SSH_COMMAND": "core.sshcommand",
    "GIT_EDITOR": "core.editor",
    "GIT_SEQUENCE_EDITOR": "sequence.editor",
    "GIT_PAGER": "core.pager",
    "GIT_EXTERNAL_DIFF": "diff.external",
    "GIT_ASKPASS": "core.askpass",
    "GIT_PROXY_COMMAND": "core.gitproxy",
}


def git(job: Job) -> str | None:
    words, i = job.words, 1
    scene = job.scene.fork()
    aliases: dict[str, str] = {}
    own = job.inside(words, 0, scene)
    own.wrappers, own.assigns = job.wrappers, job.assigns
    environment = dict(job.assigns)
    for name, value in job.assigns:
        if name in RUNNING:
            told(own, RUNNING[name], value)
        elif name.startswith("GIT_CONFIG_KEY_"):
            told(own, value, environment.get("GIT_CONFIG_VALUE_" + name[15:], UNKNOWN))
            if value.lower().startswith("alias."):
                aliases[value[6:]] = environment.get("GIT_CONFIG_VALUE_" + name[15:], UNKNOWN)
        elif name in ("GIT_DIR", "GIT_WORK_TREE", "GIT_EXEC_PATH", "GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM"):
            own.note("unknown", f"{name} says which repository or programs")
    while i < len(words) and words[i][:1] == "-":
        word = words[i]
        name, _, value = word.partition("=")
        if word in ("-C", "-c", "--git-dir", "--work-tree", "--namespace", "--exec-path", "--config-env"):
            i += 1
            value = words[i] if i < len(words) else ""
        elif word[:2] in ("-C", "-c") and word[:2] != "--" and len(word) > 2:
            name, value = word[:2], word[2:]
        if name == "-C":
            scene.enter(value)
        elif name == "-c":
            key, _, setting = value.partition("=")
            told(own, key, setting)
            if key.lower().startswith("alias."):
                aliases[key[6:]] = setting
        elif name == "--work-tree":
            scene.enter(value)
        elif name == "--git-dir" or (name == "--exec-path" and value) or name == "--config-env":
            own.note("unknown", f"{name} says which repository or programs")
        i += 1
    if i >= len(words):
        if words[-1:] and words[-1].startswith(UNKNOWN):
            own.fault("git does what only the shell knows")
        return None
    verb, rest = words[i], words[i:]
    if marked(verb):
        own.fault("git does what only the shell knows")
        return None
    if verb in aliases and verb not in PARTS:
        expansion = aliases[verb]
        if expansion[:1] == "!":
            return own.code(expansion[1:] + " " + " ".join(rest[1:]))
        return own.run(["git", *expansion.split(), *rest[1:]])
    part = PARTS.get(verb)
    from jackline.shell.options import parse

    given = parse(rest, SHORT.get(verb, ""), VALUES)
    if "--help" in rest[1:2] or rest[1:] == ["-h"]:
        return None
    if part is None:
        own.note("unknown", f"no knowledge of git {verb}: an alias or a program of that name")
        own.mentions(rest[1:])
        return None
    part(own, rest, given)
    if verb == "rev-parse" and rest[1:] == ["--show-toplevel"] and scene.cwd:
        found = git_root(scene.cwd)
        return found + "\n" if found else None
    return None


RULES: dict[str, Rule] = {"git": git}
