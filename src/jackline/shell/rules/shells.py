"""Shells, and text that one is given to run: now, later, or in a terminal of its own."""

from __future__ import annotations

from jackline.shell.job import shared
from jackline.shell.model import UNKNOWN
from jackline.shell.rules.running import wrapper
from jackline.shell.scene import SOME, marked, shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jackline.shell.job import Job, Rule

SHELL_VALUES = "oO"


def shell(job: Job) -> str | None:
    """`bash -c code`, `bash file`, `bash` with code on its input."""
    words, i = job.words, 1
    flags = ""
    while i < len(words):
        word = words[i]
        if word in ("--", "-"):
            i += 1
            break
        if word[:2] == "--":
            i += 2 if word in ("--rcfile", "--init-file") else 1
            if word in ("--rcfile", "--init-file"):
                job.add("execute", words[i - 1] if i - 1 < len(words) else UNKNOWN, "start-up file")
            continue
        if word[:1] not in "-+" or len(word) < 2:
            break
        # `+c` and `+s` mean what `-c` and `-s` do.
        flags = flags + word[1:] if word[0] == "-" else flags.replace("n", "") + word[1:].replace("n", "")
        i += 1 + sum(letter in SHELL_VALUES for letter in word[1:])
    if job.name in ("fish", "csh", "tcsh"):
        job.fault(f"{job.name} is another language")
    if "n" in flags and job.name not in ("fish", "csh", "tcsh"):
        return ""  # reads, and does not run
    rest = words[i:]
    if "c" in flags:
        if not rest:
            return ""
        return job.code(rest[0], args=rest[1:] or [job.name])
    if rest and "s" not in flags:
        name = rest[0]
        if name in ("/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"):
            return piped(job, rest[1:])
        if name in job.scene.vars:
            return job.code(job.scene.vars[name], args=rest)
        if name.startswith(("/dev/fd/", "/proc/", UNKNOWN)):
            job.fault(f"{job.name} runs a text that only the shell knows", act="code.unknown")
            return None
        job.add("execute", name, f"{job.name} runs it")
        job.note("unknown", f"runs the text of {shown(name)}")
        job.mentions(rest[1:])
        text = job.kept(name)
        return job.code(text, args=rest) if text != "" else None
    return piped(job, rest)


def piped(job: Job, args: list[str]) -> str | None:
    """Code from the input."""
    if job.fed:
        job.fault(f"{job.name} runs words that come from an input", act="code.unknown")
    if job.feed == "":
        return ""
    child = job.child()
    made = job.inside(job.words)
    made.wrappers, made.feed = job.wrappers, ""
    return made.code(job.feed, child, [job.name, *args])


def eval_(job: Job) -> str | None:
    words = job.words[2 if job.words[1:2] == ["--"] else 1 :]
    return job.code(" ".join(words), job.scene) if words else ""


def source(job: Job) -> str | None:
    words = [word for word in job.words[1:] if word != "--"]
    if not words:
        return None
    name = words[0]
    if name in job.scene.vars:
        return job.code(job.scene.vars[name], job.scene)
    if name == "/dev/stdin":
        return job.code(job.feed or None, job.scene)
    if name.startswith("/dev/fd/") or marked(name):
        job.fault(f"{job.words[0]} runs text that only the shell knows", act="code.unknown")
    job.add("execute", name, f"{job.words[0]} runs it in this shell")
    job.note("unknown", f"runs the text of {shown(name)}, which may change what follows")
    text = job.kept(name)
    if text != "":
        return job.code(text, job.scene)
    for variable in job.scene.vars:
        job.scene.vars[variable] = None
    return None


def trap(job: Job) -> str | None:
    """Its text runs later: at the end of the shell, or behind any command."""
    words = [word for word in job.words[1:] if word != "--"]
    if len(words) < 2 or words[0] in ("-", "-l", "-p", ""):
        return ""
    own = job.scene.fork()
    printed = job.code(words[0], own)
    own.exported, own.fixed = job.scene.exported, job.scene.fixed
    if set(words[1:]) <= {"EXIT", "0"}:
        job.walk.traps.append((words[0], job, own))
        return None
    if not own.same(job.scene) or (printed != "" and "DEBUG" in words):
        job.fault("a trap changes what later commands do")
    job.walk.traps.append((words[0], job, own))
    return None


def mapfile(job: Job) -> str:
    if any(word[:2] == "--" and len(word) > 2 for word in job.words):
        return ""  # it knows no long options, and does nothing then
    for value in job.given("dnOsuCc").values("C"):
        job.code(value + ' "$1" "$2"', job.scene.fork(), args=["bash", SOME, UNKNOWN])
    for word in job.words[1:]:
        if word.isidentifier():
            job.scene.vars[word] = None
    return ""


def su(job: Job) -> str | None:
    job.note("privilege", f"{job.name} runs it as somebody else", act="as-other")
    given = job.given("csgGTw", "command session-command shell group whitelist-environment")
    if given.has("c", "command", "session-command"):
        return job.code(given.values("c", "command", "session-command")[-1])
    if job.name == "runuser" and given.has("u"):
        return wrapper(job)
    return piped(job, [])


TMUX = (
    "new-session new new-window neww split-window splitw respawn-pane run-shell run if-shell send-keys send pipe-pane"
)


def later(job: Job) -> None:
    """Text or commands that run later, or in a terminal of their own."""
    if job.name in ("at", "batch", "crontab"):
        job.note("unknown", "runs commands later")
        if job.name == "crontab" and "-l" in job.words:
            return
        job.note("privilege", f"{job.name} keeps commands beyond this session", act="later")
        if job.feed:
            job.code(job.feed)
        return
    words = [word for word in job.words[1:] if word[:1] != "-"]
    if job.name == "tmux" and not (words and words[0] in TMUX.split()):
        return
    job.note("unknown", "runs in a terminal of its own")
    for word in job.words[1:]:
        if " " in word:
            job.code(word)
    if job.name == "screen":
        given = job.given("cSTehtpsRxX", stop=True)
        job.run(given.operands)
    elif len(words) > 1:
        job.run([word for word in words[1:] if word not in ("Enter", "C-m")])


def script(job: Job) -> str | None:
    given = job.given("cEIOoBmTtp", "command log-in log-out log-io log-timing output-limit")
    for value in given.values("c", "command"):
        job.code(value)
    operands = given.operands
    job.all("write", operands[:1] or ["typescript"], "records the terminal")
    return job.run(operands[1:]) if len(operands) > 1 else None


POWERSHELL = frozenset(
    [
        "echo",
        "write-output",
        "write-host",
        "get-childitem",
        "get-content",
        "get-location",
        "get-date",
        "get-process",
        "ls",
        "dir",
        "cat",
        "type",
        "pwd",
        "select-string",
        "test-path",
        "measure-object",
        "get-item",
        "get-help",
    ]
)
"""Commands of PowerShell that only show something."""


def shows(job: Job) -> bool:
    """`pwsh -Command` with one command that only shows something."""
    words = [word for word in job.words[1:] if word.lower() not in ("-noprofile", "-nologo", "-noninteractive")]
    if job.name not in ("pwsh", "powershell") or not words or words[0].lower() not in ("-command", "-c"):
        return False
    text = " ".join(words[1:])
    first = text.lower().split()[:1]
    return bool(first) and first[0] in POWERSHELL and not marked(text) and not set(text) & set(";|&$(){}`@<>\n")


def foreign(job: Job) -> None:
    """A shell of another kind: we do not read its language."""
    if shows(job):
        return
    job.fault(f"{job.name} runs a language we do not read")
    job.mentions(job.words[1:])


RULES: dict[str, Rule] = {
    **shared("bash sh zsh dash ksh mksh ash rbash fish csh tcsh", shell),
    **shared("at batch crontab tmux screen", later),
    **shared("pwsh powershell cmd cmd.exe expect start-stop-daemon run-parts", foreign),
    **shared("source .", source),
    **shared("mapfile readarray", mapfile),
    **shared("su runuser", su),
    "eval": eval_,
    "trap": trap,
    "script": script,
}
