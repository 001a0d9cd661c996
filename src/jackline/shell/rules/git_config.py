"""git's configuration: which keys name programs, and what it means to set one for a call or for good."""

from __future__ import annotations

from jackline.shell import launch
from jackline.shell.git_keys import program_key
from jackline.shell.model import UNKNOWN
from jackline.shell.rules.git_tree import inside
from jackline.shell.scene import marked

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Container

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
    operands = given.operands
    verb = operands[0] if operands[:1] and operands[0] in verbs else ""
    operands = operands[1:] if verb else operands
    if any(one == "l" or one.startswith(("get", "list")) for one in (verb, *[name for name, _ in given.options])):
        return
    if not verb and len(operands) < 2 and not given.has("unset", "unset-all", "edit", "e", "remove-section"):
        return
    key = operands[0] if operands else ""
    value = operands[1] if len(operands) > 1 else ""
    note = "edits the configuration" if verb == "edit" or given.has("edit", "e") else f"sets {key.lower()}"
    whole = given.has("edit", "e", "remove-section", "rename-section") or verb in verbs[4:7]
    act = "git.program" if whole or program_key(key) or marked(key) else "git.own"
    if given.has("global"):
        job.add("write", (job.scene.home or UNKNOWN) + "/.gitconfig", note, act=act)
    elif given.has("system"):
        job.add("write", "/etc/gitconfig", note, act=act)
    elif given.has("f", "file"):
        job.all("write", given.values("f", "file"), note, act=act)
    else:
        inside(job, "config.worktree" if given.has("worktree") else "config", note, act)
    emptied = verb == "unset" or len(operands) > 1 or given.has("unset", "unset-all")
    if key.lower() == "core.hookspath" and not value and emptied:
        job.note("execute", "git no longer finds the repository's hooks", act="hooks.skip")
    if program_key(key) or marked(key):
        job.note("unknown", f"{key} names a program: {value}")
        if value:
            told(job, key, value)
