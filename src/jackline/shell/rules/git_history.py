"""git on history, on other repositories and on its settings: commits, refs, remotes, keys that name programs."""

from __future__ import annotations

from itertools import pairwise

from jackline.shell import launch
from jackline.shell.git_keys import program_key
from jackline.shell.model import UNKNOWN
from jackline.shell.rules.git_tree import inside, state, tree
from jackline.shell.scene import marked

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Container, Iterator

    from jackline.shell.job import Job
    from jackline.shell.options import Given


PLAIN = ("core.worktree", "url", "safe", "extensions", "receive", "imap", "lfs", "init")
"""Keys and sections that name no program by which a call does more than it says."""

FILES = {"include": "git", "includeif": "git", "core.attributesfile": "settings"}
"""Keys and sections whose value is a file."""


def told(job: Job, key: str, value: str, own: Container[str] = ()) -> None:
    """A configuration value for this call, or a variable that says the same. `own`: names that no alias can take."""
    key = key.lower()
    section = key.partition(".")[0]
    if section == "alias":
        if value and key[6:] not in own:
            if value[:1] == "!":
                job.note("execute", f"git runs what {key} says", act="git.program")
                job.code(value[1:], job.scene.fork())
            else:
                job.note("unknown", f"{key} stands for {value}")
                job.run(["git", *value.split()])
    elif key == "core.hookspath":
        job.note("execute", f"git runs what {key} says", act="hooks.skip")
        job.note("unknown", f"{key} names a program: {value}")
        job.add("execute", value, key)
    elif key == "protocol.ext.allow" and value != "never":
        job.note("execute", "git runs what an address says", act="git.program")
    elif program_key(key) and key not in PLAIN and section not in PLAIN and section != "protocol":
        job.note("execute", f"git runs what {key} says")
        job.note("unknown", f"{key} names a program: {value}")
        if value[:1] == "!":
            job.note("execute", f"git runs what {key} says", act="git.program")
            job.code(value[1:])
        else:
            launch.told(job, FILES.get(key) or FILES.get(section) or "run", value, key, "git.program")


def config(job: Job, words: list[str], given: Given) -> None:
    verbs = ("get", "list", "set", "unset", "edit", "rename-section", "remove-section", "get-all", "get-regexp")
    operands = [*given.operands]
    verb = operands.pop(0) if operands[:1] and operands[0] in verbs else ""
    if any(one == "l" or one.startswith(("get", "list")) for one in (verb, *[name for name, _ in given.options])):
        return
    if not verb and len(operands) < 2 and not given.has("unset", "unset-all", "edit", "e", "remove-section"):
        return
    key, value = [*operands, "", ""][:2]
    note = "edits the configuration" if verb == "edit" or given.has("edit", "e") else f"sets {key.lower()}"
    whole = given.has("edit", "e", "remove-section", "rename-section") or verb in verbs[4:7]
    act = "git.program" if whole or program_key(key) or marked(key) else "git.own"
    places = given.values("f", "file")
    if given.has("global"):
        places = [(job.scene.home or UNKNOWN) + "/.gitconfig"]
    elif given.has("system"):
        places = ["/etc/gitconfig"]
    job.all("write", places, note, act=act)
    if not places:
        inside(job, "config.worktree" if given.has("worktree") else "config", note, act)
    emptied = verb == "unset" or len(operands) > 1 or given.has("unset", "unset-all")
    if key.lower() == "core.hookspath" and not value and emptied:
        job.note("execute", "git no longer finds the repository's hooks", act="hooks.skip")
    if program_key(key) or marked(key):
        job.note("unknown", f"{key} names a program: {value}")
        if value:
            told(job, key, value)


def commit(job: Job, words: list[str], given: Given) -> None:
    job.all("read", given.values("F", "file", "t", "template"))


def push(job: Job, words: list[str], given: Given) -> None:
    job.note("network", "sends commits", act="git.push")
    launched(job, given, "receive-pack", "exec")
    if state(given, "n", "dry-run"):
        return
    refs = given.operands if given.values("repo") else given.operands[1:]
    forced = [ref.lstrip("+").rpartition(":")[2].lstrip("+") for ref in refs if ref[:1] == "+" or ":+" in ref]
    options = [name for name, _ in given.options if name.startswith("force-")]
    strange = not all(any(one.startswith(name) for one in LEASES) for name in options)
    plain = given.has("f", "force", "mirror")
    if forced or options or plain:
        lease = bool(options) and not plain and not strange and _leased(given, forced)
        job.note("history", "rewrites history elsewhere", act="push.lease" if lease else "push.force")
    if given.has("d", "delete", "prune", "mirror") or any(ref[:1] == ":" for ref in refs):
        job.note("history", "removes refs elsewhere", act="push.delete")


LEASES = ("force-with-lease", "force-if-includes")


def _leased(given: Given, forced: list[str]) -> bool:
    """Every ref that is forced is one of those that a lease names; one without a name holds for all."""
    named = [value.partition(":")[0] for name, value in given.options if name.startswith("force-w") and value]
    names = {name.removeprefix("refs/heads/") for name in named}
    return not names or all(ref.removeprefix("refs/heads/") in names for ref in forced)


def launched(job: Job, given: Given, *names: str) -> None:
    """Programs that options name."""
    for value in given.values(*names):
        launch.told(job, "run", value, names[0], "git.program")


def external(job: Job, url: str) -> None:
    """`ext::command words`, in which `% ` is a blank within a word."""
    launch.told(job, "run", url[5:], "ext::", "git.program")
    job.run([word.replace("\5", " ") for word in url[5:].replace("% ", "\5").split()])


def fetch(job: Job, words: list[str], given: Given) -> None:
    job.note("network", "fetches commits")
    inside(job, "refs", "fetches refs")
    launched(job, given, "upload-pack")
    for word in given.operands[:1]:
        if word.startswith("ext::"):
            external(job, word)


def pull(job: Job, words: list[str], given: Given) -> None:
    fetch(job, words, given)
    tree(job, "write", "brings the work tree up to what it fetched")


def clone(job: Job, words: list[str], given: Given) -> None:
    job.note("network", "fetches a repository")
    source = "".join(given.operands[:1])
    name = source.rstrip("/").rpartition("/")[2].rpartition(":")[2].removesuffix(".git")
    job.add("write", given.operands[1] if len(given.operands) > 1 else name or UNKNOWN, "clones into it", deep=True)
    launched(job, given, "upload-pack", "u")
    for value in given.values("c", "config"):
        told(job, value.partition("=")[0], value.partition("=")[2])
    job.all("write", given.values("separate-git-dir"), deep=True)
    job.all("read", given.values("template"))
    if source.startswith("ext::"):
        external(job, source)


def branch(job: Job, words: list[str], given: Given) -> None:
    force = given.has("f", "force")
    if given.has("m", "M", "move", "c", "C", "copy"):
        if force or given.has("M", "C"):
            job.note("history", "moves a branch over another", act="branch.move")
    elif force or given.has("D"):
        job.note("history", "removes a branch, or takes it from its commits", act="branch.delete")
    elif given.has("u", "set-upstream-to", "unset-upstream", "edit-description"):
        inside(job, "config", "sets branch")


def tag(job: Job, words: list[str], given: Given) -> None:
    if given.has("d", "delete"):
        job.note("history", "removes a tag", act="tag.delete")


def remote(job: Job, words: list[str], given: Given) -> None:
    verb = given.operands[0] if given.operands else ""
    if verb in ("add", "rename", "remove", "rm", "set-url", "set-head", "set-branches"):
        inside(job, "config", "sets remote")
        if verb in ("add", "set-url") and any("ext::" in word for word in given.operands):
            job.note("unknown", "a remote that names a program")
    elif verb in ("update", "prune", "show"):
        job.note("network", "asks the remote")


def rewriting(job: Job, words: list[str], given: Given) -> None:
    """`filter-branch`, `filter-repo`: every commit anew, by code."""
    if given.has("analyze", "dry-run"):
        return
    job.note("history", "rewrites all history", act="git.rewrite")
    tree(job, "write", "rewrites the work tree")
    for word, code in pairwise(words):
        if word.endswith("-filter"):
            job.code(code)
        elif word.endswith("-callback"):
            job.note("unknown", "a callback in python")


def pruning(job: Job, words: list[str], given: Given) -> None:
    """`gc`, `prune`, `reflog expire`: what nobody points to is lost."""
    verb, prunes = "".join(given.operands[:1]), words[0] == "prune"
    times = given.values("expire", "expire-unreachable", "prune")
    times += [word.partition("=")[2] for word in words if word.startswith("--p=")]
    if (words[0] == "reflog" and verb not in ("expire", "delete")) or (prunes and given.has("n", "dry-run")):
        return
    if prunes or verb == "delete" or not set(AT_ONCE).isdisjoint(times):
        job.note("history", "drops what no branch points to", act="git.prune")


AT_ONCE = ("now", "all", "0", "0.seconds.ago")
"""Ages by which git drops everything that is not in use."""


def refs(job: Job, words: list[str], given: Given) -> None:
    if given.has("d", "delete"):
        job.note("history", "removes a ref", act="ref.delete")


def _pagers(words: list[str]) -> Iterator[str]:
    """The programs with which `git grep` shows what it found, "" for the one that is configured."""
    at = 1
    while at < len(words) and words[at] != "--":
        word = words[at]
        if word.startswith(("-O", "--open-files-in-pager=")):
            yield word[2:] if word[1] != "-" else word.partition("=")[2]
        at += 2 if word in ("-e", "-f") else 1  # a pattern, or a file of them, whatever it looks like


def output(job: Job, words: list[str], given: Given) -> None:
    """Subcommands that only show, but for `--output`."""
    job.all("write", given.values("output"), "--output")
    if words[0] in ("show", "cat-file", "archive"):
        # A file out of history: its name says what it holds.
        kept = [word.partition(":")[2] for word in given.operands if ":" in word]
        job.all("read", [word for word in kept if word and not word.startswith("/")], "from history")
    if words[0] in ("archive", "bundle"):
        job.add("read", ".", "packs it", deep=True)
        job.all("write", given.values("o", "output") + (given.operands[1:2] if words[0] == "bundle" else []))
        if any(word.startswith("--remote") for word in words):
            job.note("network", "asks a remote")
        launched(job, given, "exec")
    if words[0] == "format-patch":
        job.all("write", given.values("o", "output-directory") or ["."], "patches", deep=True)
    if words[0] == "grep":
        job.add("read", ".", "searches it", deep=True)
        for pager in _pagers(words):
            launch.told(job, "run", pager, "-O", "git.program")
            job.code(f'{pager} "$1"' if pager else "", args=["git", UNKNOWN])
    if words[0] in ("ls-remote", "daemon", "send-email", "request-pull", "fetch-pack"):
        job.note("network", "asks a remote")
        launched(job, given, "upload-pack", "exec")
    if words[0] == "difftool" or words[0] == "mergetool":
        launched(job, given, "x", "extcmd")
