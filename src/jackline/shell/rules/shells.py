"""Shells, and text that one is given to run: now, later, or in a terminal of its own."""

from __future__ import annotations

from jackline.shell.command_call import Job
from jackline.shell.model import UNKNOWN
from jackline.shell.rules.wrapping import wrapper
from jackline.shell.shell_state import Scene, marked, shown

SHELL_VALUES = "oO"
PLAIN = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./\\:*$")
"""Characters of a word that PowerShell takes as they are."""


def _flags(job: Job) -> tuple[str, int]:
    """The letters of a shell's options, and where its operands begin. What it reads first is run."""
    words, i, flags = job.words, 1, ""
    while i < len(words) and words[i] not in ("--", "-"):
        word = words[i]
        if word in ("--rcfile", "--init-file"):
            job.run(["source", *words[i + 1 : i + 2]], scene=job.child())
            i += 2
        elif word[:2] == "--":
            i += 1
        elif word[:1] not in "-+" or len(word) < 2:
            return flags, i
        else:
            # `+c` and `+s` mean what `-c` and `-s` do.
            flags = flags + word[1:] if word[0] == "-" else flags.replace("n", "") + word[1:].replace("n", "")
            i += 1 + sum(letter in SHELL_VALUES for letter in word[1:])
    return flags, i + 1


def shell(job: Job) -> str | None:
    """`bash -c code`, `bash file`, `bash` with code on its input."""
    flags, begin = _flags(job)
    rest = job.words[begin:]
    if job.name in ("fish", "csh", "tcsh"):
        job.fault(f"{job.name} is another language")
    elif "n" in flags:
        return ""  # reads, and does not run
    if "c" in flags:
        return job.code(rest[0], args=rest[1:] or [job.name]) if rest else ""
    if not rest or "s" in flags:
        return job.piped(rest)
    return _file(job, rest[0], args=rest)


STREAMS = ("/dev/stdin", "/dev/fd/0", "/proc/self/fd/0")


def _file(job: Job, name: str, scene: Scene | None = None, args: list[str] | None = None) -> str | None:
    """The text of a file that a shell is told to run."""
    if name in STREAMS or name in job.scene.vars:
        return job.code(job.scene.vars.get(name, job.feed) or None, scene, args)
    if name.startswith(("/dev/fd/", "/proc/", UNKNOWN)):
        job.fault(f"{job.name} runs a text that only the shell knows", act="code.unknown")
    job.add("execute", name, f"{job.name} runs it")
    text = job.text(name)
    if not getattr(text, "own", False):  # else it stands there what it is
        job.note("unknown", f"runs the text of {shown(name)}")
    if text != "":
        return job.code(text, scene, args)
    if scene is not None:
        scene.vars, scene.strange = dict.fromkeys(scene.vars), True
    return None


def eval_(job: Job) -> str | None:
    words = job.words[2 if job.words[1:2] == ["--"] else 1 :]
    return job.code(" ".join(words), job.scene) if words else ""


def source(job: Job) -> str | None:
    words = [word for word in job.words[1:] if word != "--"]
    return _file(job, words[0], job.scene) if words else None


def trap(job: Job) -> str | None:
    """Its text runs later: at the end of the shell, or behind any command."""
    words = [word for word in job.words[1:] if word != "--"]
    if len(words) < 2 or words[0] in ("-", "-l", "-p", ""):
        return ""
    own = job.scene.fork()
    printed = job.code(words[0], own)
    own.exported, own.fixed = job.scene.exported, job.scene.fixed
    if not set(words[1:]) <= {"EXIT", "0"} and (not own.same(job.scene) or (printed != "" and "DEBUG" in words)):
        job.fault("a trap changes what later commands do")
    job.walk.traps.append((words[0], job, own))
    return None


def su(job: Job) -> str | None:
    job.note("privilege", f"{job.name} runs it as somebody else", act="as-other")
    given = job.given("csgGTw", "command session-command shell group whitelist-environment")
    texts = given.values("c", "command", "session-command")
    if texts:
        return job.code(texts[-1])
    if job.name == "runuser" and given.has("u"):
        return wrapper(job)
    job.note("privilege", "opens a shell as somebody else", act="root-shell")
    return job.piped([])


TMUX = (
    "new-session new new-window neww split-window splitw respawn-pane run-shell run if-shell send-keys send pipe-pane"
)


def later(job: Job) -> None:
    """Text or commands that run later, or in a terminal of their own."""
    if job.name in ("at", "batch", "crontab"):
        if job.name != "batch" and not {"-l", "-c" if job.name == "at" else "-l"}.isdisjoint(job.words):
            return  # they show what is kept
        job.note("unknown", "runs commands later")
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


def powershell(job: Job, text: str | None) -> None:
    """A text for PowerShell, None for one that nobody knows."""
    if text is None or UNKNOWN in text or marked(text):
        job.fault(f"{job.name} runs text that only the shell knows", act="code.unknown")
    if text:
        from jackline.shell.rules.powershell import powershell as read

        read(job, text)


VALUED = ("ex", "ep", "w", "o", "in", "v", "p", "settings", "conf", "workingd", "wd")
"""How the options of `pwsh` begin that take a value."""


def pwsh(job: Job) -> None:
    """`pwsh -Command text`, `-EncodedCommand`, `-File script`, or text on the input."""
    words, at, told = job.words[1:], 0, ""
    while at < len(words) and words[at][:1] in "-/" and len(words[at]) > 1 and not told:
        name = words[at][1:].lower()
        if name in ("e", "ec") or (name[:2] == "en" and "encodedcommand".startswith(name)) or marked(name):
            job.fault(f"{job.name} runs an encoded text, or one that only the shell knows", act="code.unknown")
            return
        told = name[0] if "command".startswith(name) or "file".startswith(name) else ""
        at += 2 if name.startswith(VALUED) else 1
    rest = words[at:]
    if rest in ([], ["-"]):
        powershell(job, job.feed)
    elif told == "f" or (not told and job.name != "powershell"):
        job.add("execute", rest[0], f"{job.name} runs it")
        job.note("unknown", f"runs the text of {shown(rest[0])}")
        powershell(job, job.text(rest[0]))
    else:
        powershell(job, " ".join(rest))


def cmdlet(job: Job) -> None:
    """A command of PowerShell: some clients do not say which shell reads their text."""
    if job.feed != "":
        job.fault(f"{job.name} takes what comes through the pipe", act="code.unknown")
    words = ["$_" if UNKNOWN in word else shown(word) for word in job.words]
    powershell(job, " ".join(word if PLAIN.issuperset(word) else "'" + word.replace("'", "''") + "'" for word in words))


def windows(job: Job) -> None:
    """`cmd /c text`."""
    from jackline.shell.rules.windows import batch

    at = next((at for at, word in enumerate(job.words) if at and word.lower() in RUNS), 0)
    text = " ".join(job.words[at + 1 :]) if at else job.feed
    if text is None or (at and marked(text.replace("\1", ""))):
        job.fault(f"{job.name} runs text that only the shell knows", act="code.unknown")
    if text:
        batch(job, text)


RUNS = ("/c", "/k", "//c", "//k", "/r")
"""Behind these cmd.exe is told what it runs."""


def foreign(job: Job) -> None:
    """A shell of another kind: we do not read its language."""
    job.fault(f"{job.name} runs a language we do not read")
