"""What a call is told to run, to load, or to read its settings from: by a variable, an option, or a setting.

The tables stand in `launchers`; `names_program` says whether what is named is known to be harmless: a program of the
machine by its bare name, a library that was there before, settings that run nothing.
"""

from __future__ import annotations

from jackline.file_stat import modified_ms
from jackline.folders import entries
from jackline.shell.command_call import MAYBE, Job
from jackline.shell.git_keys import RUNNING as GIT
from jackline.shell.git_keys import names_key
from jackline.shell.harmless import only_reads
from jackline.shell.launchers import KEEPS, LOADS, ROWS, SETTERS, STOPS, role
from jackline.shell.model import UNKNOWN
from jackline.shell.programs import SYSTEM, room
from jackline.shell.shell_state import marked, shown
from jackline.shell.texts import ENDS, by_name, content
from jackline.shell.wrappers import WRAPPERS, unwrap
from jackline.surroundings import TEMPORARY
from jackline.system import exists, size_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


INTERPRETERS = frozenset(["shells", "code", "running"])
DIRECT = frozenset(["ssh", "emacsclient", "time", "command"])
"""Rooms of programs that run what they are told, and those in them that run nothing here."""

MACHINE = ("/usr/", "/opt/", "/nix/", "/bin/", "/sbin/", "/lib", "/snap/", "/Library/", "/Applications/", "/System/")
"""Folders that no agent fills: what lies in them was installed."""

SHARED = tuple([f"{folder}/" for folder in TEMPORARY])

RUNNING = frozenset(["building", "code", "finding"])
"""Rooms of programs that run the project's own code: they may find its libraries."""

_SPEAKS = (
    "addopts command exec program helper pager editor shell hook include plugin loader script provider engine source "
    "match"
)
SPEAKS = tuple(_SPEAKS.split())
"""Parts of keys by which settings name what is run, or more settings."""

CALLED = ("set_trace", "embed", "breakpoint")
EXPANDED = (UNKNOWN, "$(", "`", ";")
STREAMS = ("/dev/fd/", "/proc/", "/dev/stdin")
SHADY = frozenset("|&;<>`'\"\n")
STARTS = ("sitecustomize.py", "usercustomize.py")
QUIET = ("", "0", "1", "true", "false", "none", "never", "always", "auto", "-", ":", "cat", "/dev/null", "list")
LONGEST = 65_536
"""Characters of settings that we look at."""


# --- what is known to be harmless ------------------------------------------------------------------------------------


def _paths(job: Job, word: str) -> list[str]:
    return [one.path for one in job.scene.places(word) if not one.pattern] if word and not marked(word) else []


def _young(job: Job, path: str) -> bool:
    return bool(job.walk.since) and modified_ms(path) >= (job.walk.since or 0)


def _foreign(job: Job, word: str) -> bool:
    """The path is of no folder that only the machine fills, and nobody can say that it was there before."""
    if word.startswith(MACHINE) or word.rpartition("/")[0] in SYSTEM:
        return False
    # What anybody may fill, anybody may have put there.
    young = word.startswith(SHARED) or not job.walk.since
    return young or any(not exists(one) or _young(job, one) for one in _paths(job, word))


def _run(job: Job, value: str, kind: str) -> str:
    """A program, with its options."""
    words = value.split()
    name = words[0].rpartition("/")[2] if words else ""
    if UNKNOWN in name:
        return "" if kind == "tool" else "is known only to the running shell"
    if room(name) in INTERPRETERS and name not in DIRECT and (kind == "run" or len(words) > 1):
        return "has it run a text"
    if words and ("/" in words[0] or any(map(exists, _paths(job, words[0])))) and _foreign(job, words[0]):
        return "is no program of the machine"
    return ""


def _load(job: Job, value: str, kind: str) -> str:
    """Libraries, modules and files, one or several; what starts with a program is a file, whatever its name."""
    for word in value.replace(",", ":").replace(":", " ").split():
        word = word.lstrip("@")
        word = f"./{word}" if kind == "start" and word[0] not in "./~" else word
        known = any(map(exists, _paths(job, word)))
        if (known or word[:1] in "./~") and _foreign(job, word) and word != "/dev/null":
            return "was not there before"
    return ""


def _module(job: Job, value: str, kind: str) -> str:
    """What an option loads: a source of the project is read, not asked about."""
    for word in value.split(","):
        end = word[word.rfind(".") :].lower() if "." in word.rpartition("/")[2][1:] else ""
        why = _settings(job, word, kind) if end in DATA else ""
        if not end or end in BUILT:
            source = any(exists(one + more) for one in _paths(job, word) for more in SOURCES)
            why = "" if source else _load(job, word, kind)
        if why:
            return why
    return ""


DATA = (".json", ".yaml", ".yml", ".toml", ".ini", ".cfg", ".conf")
SOURCES = (*ENDS, "/package.json")
BUILT = (".so", ".dylib", ".dll", ".jar", ".node", ".pyd", ".bundle")
"""Ends of settings, of sources that may be named without them, and of libraries that nobody reads."""


def _settings(job: Job, value: str, kind: str) -> str:
    """A file of settings: one of this session that speaks of running something."""
    for path in [one for word in value.split(":") for one in _paths(job, word) if _young(job, one)]:
        text = content(path, LONGEST)
        if names_key(text) if kind == "git" else _speaks(text):
            return "was written in this session, and names what is run"
    return ""


def _speaks(text: str) -> bool:
    """A key of settings says that its value is run."""
    text = text.lower().replace("=", ":").replace("{", "\n").replace(",", "\n")
    keys = [line.partition(":")[0].split() for line in text.split("\n")]
    return any(word in part for key in keys for part in key[:2] for word in SPEAKS)


def _shadows(job: Job, name: str, by: str) -> bool:
    """A file of this name, in a folder that is searched, takes the place of another."""
    if by in ("programs", "home") or name in STARTS:
        return True
    library = ".so" in name or ".dylib" in name
    return (by == "PATH" or library) and room(name if by == "PATH" else job.name) not in ("", *RUNNING)


FIRST = frozenset(["PATH", "PERL5LIB", "RUBYLIB", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH"])
"""Where what stands in the first folder takes the place of what the machine has."""


def _path(job: Job, value: str, by: str) -> str:
    """Folders that are searched, or hold settings: what this session wrote there takes the place of what is meant."""
    scene = job.scene
    if by in FIRST and value.startswith(SHARED) and not value.startswith((f"{scene.home}/", f"{scene.root or '-'}/")):
        return "is a folder that anybody may fill"
    own = value == scene.env.get("HOME") or (by == "PATH" and "/" in "".join(job.words[:1]))
    for folder in [one for word in value.split(":") for one in _paths(job, word)] if job.walk.since and not own else ():
        for name, kind in entries(folder):
            if (kind == "f" or by == "home") and _shadows(job, name, by) and _young(job, f"{folder}/{name}"):
                return f"leads to {name} of this session"
    return ""


def _programs(job: Job, value: str, kind: str) -> str:
    """A folder of programs that are taken before those of the machine."""
    return _path(job, value, kind) or (_load(job, value, kind) and "is a folder of programs of this session")


HARMLESS: dict[str, Callable[[Job, str, str], str]] = {
    "run": _run, "tool": _run, "load": _load, "start": _load, "module": _module, "settings": _settings,
    "git": _settings, "home": _path, "programs": _programs, "path": _path,
    "code": lambda job, value, kind: "is more that is run",
    "function": lambda job, value, kind: "" if value.endswith(CALLED) else "names what is called",
    "text": lambda job, value, kind: (any(one in value for one in EXPANDED) and "is a text that the shell runs") or "",
    "repository": lambda job, value, kind: _settings(job, f"{value}/config", "git"),
}  # fmt: skip
"""What is named to who says why it is not known to be harmless."""


def names_program(job: Job, kind: str, value: str, by: str) -> str:
    """Why what a launcher is told by `by` is not known to be harmless: "" where it is."""
    if value in QUIET or job.elsewhere or kind not in HARMLESS:
        return ""
    if value.lstrip("@").startswith(STREAMS) or (kind == "start" and marked(value)):
        return "is known only to the running shell"
    return HARMLESS[kind](job, value, by if kind == "path" else kind)


# --- where it stands -------------------------------------------------------------------------------------------------


def told(job: Job, kind: str, value: str, by: str, act: str = "launch.option") -> None:
    """Report what a launcher is told, and what it does where it is a command."""
    if kind.startswith("options:"):
        options(job, kind[8:], [kind[8:], *value.replace("\x1f", " ").split()], act, by)
        return
    value = value.lstrip("|-").strip() if by.startswith("LESS") else value
    why = names_program(job, kind, value, by)
    if why:
        job.note("execute", f"{by} {why}: {shown(value)[:120].replace(UNKNOWN, '…')}", act=act)
        if kind == "text" or value.startswith("/dev/fd/"):
            job.walk.fault(f"{by} {why}")
    if kind == "module" and job.walk.since:
        from jackline.shell.rules.code import handed

        handed(job, [path for one in value.split(",") for path in (one, *by_name(job, one))])
    if value in QUIET or job.elsewhere or not (kind == "run" or (kind == "tool" and " " in value)):
        return
    if not SHADY.isdisjoint(value) or "$(" in value:
        job.code(value)
    elif not marked(value.split()[0]):
        job.run(value.split())


RECORDS, MODULES = ("HISTFILE", "HISTSIZE", "HISTFILESIZE", "SAVEHIST"), ("_APP", "_MODULE", "_PLUGIN", "_PLUGINS")
"""Where a shell keeps what was done, and how much of it; how variables end that name a module."""


def variable(job: Job, name: str, value: str | None) -> None:
    """A variable that a call is given, or that is set for all that follow."""
    if name in RECORDS and value in ("", "0", "/dev/null"):
        job.note("privilege", f"{name} ends the shell's record", act="traces")
    kind = role(name)
    if job.words and job.walk.since and value and " " not in value and ("." in value or name.endswith(MODULES)):
        from jackline.shell.rules.code import handed

        handed(job, [value, *by_name(job, value)])
    if kind:
        if kind not in ("home", "settings", "repository", "git", "text"):
            job.note("unknown", f"{name} changes what programs run", act="variable")
        if name not in GIT or not (job.name == "git" or (name[:4] == "GIT_" and job.name in SETTERS)):
            told(job, kind, UNKNOWN if value is None else value, name, "launch.variable")


def _values(words: list[str], option: str) -> Iterator[str]:
    """The values that an option is given: apart, glued, or behind an equals sign."""
    letter = len(option) == 2
    for at, word in enumerate(words[1:], 1):
        name, equals, value = word.partition("=")
        if option == "*":
            if equals and word[:1] != "-":
                yield word
        elif word == option or (letter and word[-1:] == option[1] and word[:1] == "-" and word[1:].isalpha()):
            yield from words[at + 1 : at + 2]
        if word != option and word.startswith(option) and (letter or option[-1] in "=:"):
            yield word[len(option) :]
        elif equals and (name == option or (name[:2] == "--" and len(word) > 6 and option.startswith(name))):
            yield value


def options(job: Job, program: str, words: list[str], act: str = "launch.option", by: str = "") -> None:
    """Report what the options of a call name."""
    words = [word for word in words if word != "-Xclang"]
    for kind, names in ROWS.get(program, ()):
        kind = "load" if by and kind == "module" else kind
        for option in names:
            for value in _values(words, option) if option == "*" or option[1:3] in "".join(words) else ():
                if kind == "set" and not (program[-4:] == "make" and value.startswith("SHELL=")):  # its text is read
                    key, _, setting = value.partition("=" if "=" in value else " ")
                    setting = setting.strip("'\"")
                    told(job, role(key.partition(":")[0], setting=option != "*"), setting, by or key, act)
                elif kind != "set":
                    told(job, kind, value, by or option, act)


def _by_name(job: Job, words: list[str]) -> None:
    """What an option's name says that the program runs or loads, whatever the program: files that are there."""
    for at in range(1, len(words)):
        name, _, value = words[at].lstrip("-").partition("=")
        value = (value or "".join(words[at + 1 : at + 2])).partition(" ")[0]
        if words[at][:1] != "-" or len(name) < 3 or not value or value.lower().endswith(DATA):
            continue
        there = value.startswith(SHARED) or any(size_of(one) > 0 for one in _paths(job, value))
        kind = "module" if name.lower().endswith(LOADS) else role(name, setting=True)
        if there and kind:
            told(job, kind, value, f"--{name}")


def _keeps(job: Job) -> None:
    """A setting that a program keeps for later calls: its name says that the value is run. git's keys have a rule."""
    words = job.words
    at = next((at for at in range(1, min(len(words), 4)) if words[at] in KEEPS), len(words))
    for key, after in zip(words[at:], [*words[at + 1 :], ""], strict=False) if job.name != "git" else ():
        name, _, value = key.partition("=") if "=" in key else (key, "", after)
        kind = role(name) or role(name, setting=True)
        if words[at] == "alias":
            kind, value = "run" if value[:1] == "!" or "--shell" in words else "", value.lstrip("!")
        if kind and value and name[:1] != "-" and kind not in ("home", "path"):
            told(job, kind, value, name)


def _own(job: Job, name: str) -> list[str]:
    """The words that are the launcher's: not those of the command or the program that it runs."""
    words = job.words[: job.words.index("--")] if "--" in job.words else job.words
    inner = unwrap(name, words) if name in WRAPPERS else None
    if inner is not None:
        return words[: inner.at]
    for at in range(1, len(words) if name in STOPS else 0):
        if words[at][:1] != "-" and (words[at - 1][:1] != "-" or "=" in words[at - 1] or at == 1):
            return words[:at]
    return words


def launches(job: Job) -> None:
    """Report what the options of a known launcher name."""
    name = job.name if job.name in ROWS else job.name.rstrip("0123456789.-")
    if job.walk.since:
        _by_name(job, _own(job, name))
        _keeps(job)
    if name in ROWS and ("/" not in job.words[0] or job.words[0].rpartition("/")[0] in SYSTEM):
        options(job, name, _own(job, name))


READING = ("editing", "files", "building", "shells", "running", "code")
"""Rooms of programs that may run a file which they are told."""


def leftover(job: Job) -> None:
    """Files of this session that a program is told, and of which its rule says nothing: it may run what they say.

    A source that stands alone is read where the rule says that it may run anything; else it is what is worked on.
    """
    name = job.name
    if not job.walk.since or only_reads(name, job.told):
        return
    from jackline.shell.rules.code import SOURCE, handed
    from jackline.shell.words import DATA, TEXTS, of_word

    if name in DATA or name in TEXTS:
        return
    words, effects = job.told, job.walk.effects.values()
    mine = [one for one in effects if one.words == words]
    claims = {one.path for one in mine if one.note != MAYBE}
    alone = not room(name) or room(name) in READING or name.startswith("ansible")
    sources = alone and room(name) != "building" and any(one.kind == "unknown" for one in mine)
    inner = max([len(one.words) for one in effects if words[-len(one.words) :] == one.words != words], default=0)
    for word in job.words[1 : min(len(words) - inner, 64)]:  # what it runs of them is a call of its own
        for channel, piece in of_word(word, name):
            plain = channel == "operand" and not (sources if piece.lower().endswith(SOURCE) else alone)
            if not plain and any(one not in claims and _young(job, one) for one in _paths(job, piece)):
                handed(job, [piece])
            if not room(name):
                handed(job, by_name(job, piece))
