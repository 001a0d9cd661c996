"""git's configuration: which keys name programs, and what it means to set one for a call or for good."""

from __future__ import annotations

from jackline.shell.model import UNKNOWN
from jackline.shell.programs import HOMES
from jackline.shell.rules.git_tree import inside
from jackline.shell.scene import marked

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Container

    from jackline.shell.job import Job
    from jackline.shell.options import Given

    Part = Callable[["Job", list[str], "Given"], None]


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


def _act(value: str) -> str:
    """What it means that git runs this: nothing, where it is a program whose effects we know."""
    words = value.split()
    known = not words or ("/" not in words[0] and words[0] in HOMES and HOMES[words[0]] not in ("shells", "code"))
    return "" if known else "git.program"


def told(job: Job, key: str, value: str, own: Container[str] = ()) -> None:
    """A configuration value for this call, or a variable that says the same. `own`: names that no alias can take."""
    key = key.lower()
    if key.startswith("alias.") and value and key[6:] in own:
        return
    if key.startswith("alias.") and value:
        if value[:1] == "!":
            job.code(value[1:], job.scene.fork())
        else:
            job.note("unknown", f"{key} stands for {value}")
            job.run(["git", *value.split()])
    elif names_program(key):
        skips = key == "core.hookspath"
        job.note("execute", f"git runs what {key} says", act="hooks.skip" if skips else _act(value))
        if value and key != "core.hookspath" and not key.startswith("include"):
            job.code(value)
        job.note("unknown", f"{key} names a program: {value}")
        if key in ("core.hookspath", "include.path"):
            job.add("execute", value, key)


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
    emptied = verb == "unset" or len(operands) > 1 or given.has("unset", "unset-all")
    if key.lower() == "core.hookspath" and not value and emptied:
        job.note("execute", "git no longer finds the repository's hooks", act="hooks.skip")
    if names_program(key) or marked(key):
        job.note("unknown", f"{key} names a program: {value}")
        if value:
            told(job, key, value)
