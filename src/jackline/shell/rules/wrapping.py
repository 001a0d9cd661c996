"""Programs that run what they are told: the table of wrappers (`shell.wrappers`), and those that we do not know."""

from __future__ import annotations

from jackline.clients.facts import PROGRAMS
from jackline.shell.command_call import Job
from jackline.shell.grammar import Grammar
from jackline.shell.model import UNKNOWN, Unreadable
from jackline.shell.programs import is_program, room
from jackline.shell.shell_state import ANY, OPEN, STAR, Scene, marked
from jackline.shell.wrappers import Inner, unwrap

_RUN = "wrappers shells running finding files changing code git network building editing"
RUN = frozenset(_RUN.split())
"""Rooms of programs whose names, among the words of another, are told to be run."""

_VERBS = (
    "- . arch at batch build check command compress cut exec expand file fold format get help host install join link "
    "look mail net next ninja just go play port print r reg route run sc screen script service set sort split stat "
    "task test time touch trap uniq view watch"
)
VERBS = frozenset(_VERBS.split())
"""Names of programs that other programs take for a verb."""

ENDS = ("kill", "pkill", "killall")

BEHIND = frozenset(["--", "exec", "run", "x", "dlx", "--exec", "--command", "--run", "-c", "-x"])
"""Words behind which a program that we know runs what it is told."""


def leads(word: str) -> bool:
    """A word names a program, and hardly anything else."""
    name = word.rpartition("/")[2]
    return name in ENDS or (name not in VERBS and is_program(name) and (room(name) or "wrappers") in RUN)


def sound(job: Job, text: str) -> None:
    """A literal that may be a command; one that is none leaves no mark."""
    try:
        Grammar(text, 1, literal=False).script()
    except Unreadable:
        return
    job.code(text)


CLIENTS = frozenset([*PROGRAMS, "cursor-agent"])
"""Programs that hand a text to a model."""


def _prompt(job: Job, at: int) -> bool:
    """Prose for a model: nobody runs it, and what the model then calls is judged where it calls it.

    A text that is a command from end to end is none: the door of that client hears those of ours, and a model runs
    others as they stand.
    """
    words = job.words[at].split()
    prose = len(words) > 6 or any(word.endswith((",", ".", "?", "!", ":", ";")) for word in words)
    return prose and job.name in CLIENTS and job.words[at - 1] not in ("-c", "--config")


def told_to_run(job: Job, known: bool = True) -> None:
    """Run what stands among the words of a program: behind a word that says so, or anywhere when it is not `known`."""
    for at in range(1, len(job.words)):
        before, text = job.words[at - 1 : at + 1]
        known = known and before not in BEHIND
        text = text.partition("=")[2] if text[:2] == "--" else text
        first, _, rest = text.partition(" ")
        runs = leads(first) if not rest else leads(first) or (before[:1] == "-" and before in BEHIND)
        if known or not runs or not (rest or job.words[at + 1 :]) or _prompt(job, at):
            continue
        if rest:
            sound(job, text)
        else:
            job.run(job.words[at:])
        if first != "ssh":  # which is also a verb, with the command right behind it
            return


UNGUARDED = ("--dangerously", "--yolo")
"""Options by which a program says of itself that it asks nobody."""


def unknown(job: Job) -> None:
    """We know nothing of the program: it may do anything to what it was told, and run it if it is a command."""
    if not job.words[0].isascii() and "/" not in job.words[0]:
        job.fault(f"{job.words[0]!a} only looks like the name of a program")
    if any(word.startswith(UNGUARDED) for word in job.words):
        job.note("privilege", "nobody would be asked any more", act="unguarded")
    job.sure = False
    job.note("unknown", f"no knowledge of {job.name}")
    told_to_run(job, False)


# --- the table of wrappers

SHELLS = frozenset(["bash", "sh", "zsh", "dash", "ksh", "ash"])
POWERS = frozenset(["ALL", "SYS_ADMIN", "SYS_MODULE", "SYS_RAWIO", "CAP_SYS_ADMIN"])
"""Capabilities with which a container reaches the machine below it."""

PLAIN = str.maketrans({STAR: "*", ANY: "?", OPEN: "["})


def quoted(word: str) -> str:
    """A word as text for a shell, marks kept."""
    return "'" + word.translate(PLAIN).replace("'", "'\\''") + "'"


def _gives(job: Job, inner: Inner) -> None:
    """What the command inside gets besides: powers, another machine."""
    marks, words = inner.spec.marks, job.words[inner.at :]
    if "privilege" in marks:
        job.note("privilege", f"{job.name} runs it as somebody else", act="as-other")
        told = any(word[:1] != "-" or "c" in word[1:] for word in words[1:])
        if words and words[0].rpartition("/")[2] in SHELLS and job.feed == "" and not told:
            job.note("privilege", "opens a shell as somebody else", act="root-shell")
    if job.name == "sudo" and job.feed != "" and inner.given.has("S", "stdin"):
        job.note("privilege", "sudo reads a person's password from a pipe", act="password")
    if "network" in marks:
        far = "remote" in marks
        job.note(
            "network", "runs elsewhere" if far else "may fetch what it runs", act="elsewhere" if far else "packages"
        )


def _scene(job: Job, inner: Inner) -> Scene:
    """Where the command inside runs, and with which variables."""
    scene = job.scene if "here" in inner.spec.marks else job.scene.fork()
    for name, value in inner.given.options:
        if name in ("C", "chdir", "D", "cwd", "directory") and job.name in ("env", "sudo", "uv", "conda") and value:
            scene.enter(value)
        elif job.name == "env" and name in ("u", "unset") and value:
            scene.hold(value, "")
        elif job.name == "env" and name in ("i", "ignore-environment", "-"):
            scene.vars = dict.fromkeys([*scene.vars, *scene.exported])
    for name, value in inner.assigns if inner.at < len(job.words) else ():
        scene.vars[name] = value
        scene.exported |= {name}
    return scene


def wrapped(job: Job, inner: Inner) -> str | None:
    """A program of the table of wrappers."""
    marks, words, given = inner.spec.marks, job.words[inner.at :], inner.given
    if inner.uncertain and words:
        told_to_run(job, False)
    _gives(job, inner)
    scene = _scene(job, inner)
    if job.name == "uv":
        modules = [part for value in given.values("m", "module")[:1] for part in ("-m", value)]
        if modules or (words and (words[0].endswith(".py") or words[0] == "-")):
            return job.run(["python", *modules, *words], scene=scene)
    mounts = _mounted(job, inner) if "remote" in marks else ()
    if not words:
        return _wrapped_nothing(job, inner)
    made, walk = job.inside(words, inner.at, scene), job.walk
    made.assigns = inner.assigns
    made.fed, made.remote = made.fed or "fed" in marks, made.remote or "remote" in marks
    text = None
    if "code" in marks and ("remote" in marks or not given.has("x", "exec")):
        made.words, made.name, made.wrappers = [job.name], job.name, job.wrappers
        text = " ".join(word.translate(PLAIN) for word in words)
    before = walk.mounts, walk.fresh
    if "remote" in marks:
        walk.mounts, walk.fresh = mounts, job.words[1:2] == ["run"] and job.name != "docker-compose"
        folder = "".join(given.values("w", "workdir", "working-directory")[:1])
        scene.cwds = (folder if folder[:1] == "/" and not marked(folder) else "",)
    printed = walk.call(made) if text is None else made.code(text)
    walk.mounts, walk.fresh = before
    return printed


def _wrapped_nothing(job: Job, inner: Inner) -> str | None:
    texts = "".join(inner.given.values("c", "call", "command", "exec")[-1:])
    if texts and job.name not in ("sudo", "su", "doas", "env", "script"):
        return job.code(texts)
    told_to_run(job, False)
    if job.name in ("sudo", "su", "doas") and inner.given.has("s", "i", "shell", "login"):
        job.note("privilege", "opens a shell as somebody else", act="root-shell")
        return job.piped([])
    if job.name == "env":
        job.note("read", "prints the environment")
    if job.name in ("ssh", "mosh") and job.feed != "":
        away = job.again(job.scene.fork())
        away.remote, away.feed, away.scene.cwds = True, "", ("",)
        return away.code(job.feed)
    return None


def _mounted(job: Job, inner: Inner) -> tuple[tuple[str, str], ...]:
    """What of this machine a container can change: places in it, and what stands there."""
    found: list[tuple[str, str]] = []
    free = False
    for name, value in [(name, value or "") for name, value in inner.given.options]:
        host, inside = value.split(":")[:2] if name in ("v", "volume") and ":" in value else ("", "")
        if name == "mount":
            parts = dict(part.partition("=")[::2] for part in value.split(","))
            host = parts.get("src") or parts.get("source") or ""
            inside = parts.get("dst") or parts.get("target") or parts.get("destination") or ""
        readonly = value.endswith((":ro", ",readonly", ",ro"))
        for place in job.scene.places(host) if host[:1] in ("/", ".", "~", UNKNOWN) and host else ():
            everything = f"{job.scene.home}/".startswith(place.path.rstrip("/") + "/")
            free = free or everything or (place.path.endswith("docker.sock") and not readonly)
            if not readonly:
                job.note("unknown", "a container may change it", place, deep=True)
                found.append((inside, place.path if not place.pattern else UNKNOWN))
        free = free or (
            value.upper() in POWERS if name == "cap-add" else name == "security-opt" and "unconfined" in value
        )
        free = free or (name in ("privileged", "device", "pid") and value != "false")
    if free:
        job.note("privilege", "a container with powers over this machine", act="container")
    return tuple(sorted([one for one in found if one[0]], key=lambda one: -len(one[0])))


def wrapper(job: Job) -> str | None:
    inner = unwrap(job.name, job.words)
    if inner is not None:
        return wrapped(job, inner)
    unknown(job)
    return None
