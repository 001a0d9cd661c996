"""Processes that judge, or that stand above who judges: an agent neither ends, stops, slows, limits nor enters them.

They are known by what runs (the chain above us), not by name: a pattern is tried on what it would find.
"""

from __future__ import annotations

from jackline.shell.model import UNKNOWN, Command, Effects
from jackline.shell.programs import is_program

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import NamedTuple

    from jackline.features.self_protect.places import Ground
else:
    from jackline._record import NamedTuple

NUMBERED = (
    "kill skill snice renice ionice taskset chrt prlimit choom uclampset schedtool cpulimit cgclassify gdb lldb strace "
    "ltrace gcore reptyr nsenter criu dlv stop-process spps taskkill tskill debug-process"
)
"""Programs that are told a process by its number, and change what it may do or whether it goes on."""
NAMED = frozenset(("pkill", "killall", "skill", "snice", "cpulimit", "stop-process", "spps", "taskkill", "tskill"))
"""Those that are told it by a name or a pattern."""
SEARCHES = frozenset(("pgrep", "pidof", "pidwait", "grep", "egrep", "rg", "awk", "gawk", "get-process"))
LISTS = frozenset(("ps", "pgrep", "pidof", "pidwait", "top", "pstree", "get-process"))
CODE = ("python", "pypy", "node", "bun", "deno", "perl", "ruby", "php", "lua")
ENDS = frozenset((*NUMBERED.split(), *NAMED, "killall5", "fuser", "tmux", "screen", "zellij"))
VALUED = "-P -G -g -u -U -s -t -F -r -q -y -o -e -m -A -B -C --signal --ns --nslist --cgroup"
"""Options of these whose value is another word, and no pattern."""
SIGNALS = r"(?i)kill|terminate|send_signal|suspend|setpriority|prlimit|sched_setaffinity|ptrace"
PARENT = r"(?i)p_?pid\b|\.parent\(\)"
EVERYBODY = r"kill\(\s*(-1|0)\s*,|killpg\(\s*(0|os\.getpg)|kill\s+[^;]*(-1|\b0)\s*$"
WHOLE_SCREEN = frozenset(("kill-server", "quit", "kill-all-sessions", "delete-all-sessions"))
THIS_SCREEN = frozenset(("kill-session", "kill-pane", "killp", "kill-window", "killw", "kill"))
DOORS = ("{store}/bin/python -I -S {store}/door.py claude-code PreToolUse", "jackline hook", "jackline trust --watch")
FEW = 99
"""Up to here a number among the words of a program that we do not know says how many, or how much."""
LONGEST, MOST = 200, 4
"""Characters and signs of repetition in a pattern that is tried."""
REPEATS = "*+?{"
ALL = "every process of the session"
CLIENT = "the client's process"


class Line(NamedTuple):
    """A process as searches see it: its number (0: any), its name, its whole command line."""

    pid: int
    name: str
    line: str


def standing(ground: Ground) -> list[Line]:
    """The processes above us and ours, the client also by the name it has where nobody tells of processes."""
    found = [Line(one.pid, one.name, " ".join(one.words) or one.exe) for one in ground.above()]
    client = ground.client.partition("-")[0]
    doors = [one.format(store=ground.store) for one in DOORS] if ground.store else []
    return [*found, *[Line(0, one, one) for one in (client,) if one], *[Line(0, "jackline", one) for one in doors]]


def is_long(pattern: str) -> bool:
    """Whether nobody knows how long a search by this pattern takes: an agent writes it, and nothing ends a search."""
    repeats = sum([pattern.count(sign) for sign in REPEATS])
    return len(pattern) > LONGEST or repeats > MOST or any(f"){sign}" in pattern for sign in REPEATS)


def _finds(pattern: str, text: str, *, exact: bool = False) -> bool:
    from re import IGNORECASE, error, fullmatch, search

    try:
        return not is_long(pattern) and bool((fullmatch if exact else search)(pattern, text, IGNORECASE))
    except error:
        return False


def _operands(words: Sequence[str]) -> Iterator[str]:
    """The words that are no options, nor values of options."""
    skip = False
    for word in words[1:]:
        if skip or word[:1] == "-":
            skip = not skip and word in VALUED.split() and (word, words[0]) != ("-r", "killall")
        elif word and UNKNOWN not in word:
            yield word.removesuffix(".exe")


def _has(words: Sequence[str], letter: str) -> bool:
    """Whether an option is given by its letter, or by a long name that begins with it."""
    return any(
        word[2:3] == letter if word[:2] == "--" else word[:1] == "-" and not word[1:].isupper() and letter in word
        for word in words[1:]
    )


def _named(words: Sequence[str], rows: Sequence[Line]) -> list[Line]:
    """Which processes are meant by a name or a pattern."""
    name = words[0].rpartition("/")[2].lower()
    given = list(_operands(words))
    if name in ("pidof", "get-process") or (name in NAMED and name != "pkill"):
        from re import escape

        plain = name != "killall" or not _has(words, "r")
        known = [escape(one.rpartition("/")[2][:15]).replace(r"\*", ".*") if plain else one for one in given]
        return [row for row in rows if any(_finds(one, row.name, exact=not _has(words, "r")) for one in known)]
    if _has(words, "v"):
        return list(rows)
    if name in ("pkill", "pgrep", "pidwait"):
        whole, exact = _has(words, "f"), _has(words, "x")
        return [row for row in rows if any(_finds(one, row.line if whole else row.name, exact=exact) for one in given)]
    pattern = given[0].strip(" !$0~").removeprefix("/").partition("/")[0] if name.endswith("awk") else given[0]
    return [row for row in rows if pattern[:1] in ("{", "") or _finds(pattern, row.line)]


def _searched(found: Effects, rows: list[Line]) -> list[Line]:
    """What of ours is left of the processes that a command lists, after all its searches; nothing without a list."""
    if not any(one.program in LISTS and (one.words[1:] or one.program != "get-process") for one in found.commands):
        return []
    for one in found.commands:
        if one.program in SEARCHES and any(_operands(one.words)):
            rows = _named(one.words, rows)
    return rows


def _killed(words: Sequence[str]) -> Sequence[str]:
    """What `kill` is told behind its signal; nothing where it only lists signals or looks."""
    signal, rest = words[1:2], words[2:]
    if not rest or signal[0][:1] != "-" or signal[0] == "--":
        return words[1:]
    if signal[0] in ("-s", "-n"):
        signal, rest = [f"-{rest[0]}"], rest[1:]
    return () if signal[0] in ("-0", "-l", "-L") else rest


def _coded(text: str, rows: Sequence[Line]) -> str:
    """What code signals: its parent, everybody, a number of ours, processes by a name that is ours."""
    from re import findall, search

    if not search(SIGNALS, text):
        return ""
    if search(PARENT, text):
        return CLIENT
    if search(EVERYBODY, text):
        return ALL
    numbers = {int(one) for one in findall(r"\b\d{2,9}\b", text)}
    names = findall(r"""["']([\w.-]+)["']""", text) if search(r"process_iter|p(gre|ki)|killall", text) else ()
    return next((row.line for row in rows if row.pid in numbers or row.name in names), "")


def _whole(command: Command, ground: Ground, rows: Sequence[Line]) -> str:
    """Programs that end more than one process is: all of a terminal, all that have a folder open."""
    words, name = command.words[1:], command.program
    held = name == "fuser" and _has(command.words, "k") and not {".", ground.root, ground.home, "/"}.isdisjoint(words)
    if held or name == "killall5" or (name == "pkill" and not {"-t", "-s"}.isdisjoint(words)):
        return ALL
    if not words or not any(row.name.startswith(name) for row in rows) or words[0] in ("-L", "-S"):
        return ""
    own = {part for row in rows if row.name.startswith(name) for part in row.line.split()}
    here = not any(word[:2] in ("-t", "-S") for word in words) or "-a" in words
    here = here or any(word.partition(":")[0] in own for word in words)
    return CLIENT if any(word in WHOLE_SCREEN or (here and word in THIS_SCREEN) for word in words) else ""


def _one(command: Command, found: Effects, ground: Ground, rows: list[Line]) -> str:
    """What of ours one command signals, limits or enters; "" when nothing."""
    words, name = command.words, command.program.lower()
    if name.startswith(CODE):
        return _coded("\n".join(words[1:]), rows)
    if name in NAMED and any(_operands(words)):
        hit = _named(words, rows)
        if hit:
            return hit[0].line
    if name not in NUMBERED.split() and (name not in NAMED or not any(_operands(words))):
        exact = {word.rpartition("=")[2].lstrip("-p") for word in words[1:]} if name not in ENDS | LISTS else ()
        known = next((row.line for row in rows if row.pid > FEW and str(row.pid) in exact), "")
        return known or _whole(command, ground, rows)
    given = _killed(words) if name == "kill" else words[1:]
    if name == "kill" and ("0" in given or "-1" in given) and "trap" not in command.wrappers:
        return ALL
    parts = [part for word in given for part in word.rpartition("=")[2].lstrip("-pPt").split(",")]
    numbers = {int(part) for part in parts if part.isdigit()}  # of processes, or of their groups
    hit = [row for row in rows if row.pid in numbers and row.pid]
    if not hit and (command.fed or any(UNKNOWN in word for word in given)):
        if "ppid" in ground.text.lower():
            return CLIENT
        hit = _searched(found, rows)
    return hit[0].line if hit else ""


def reached(found: Effects, ground: Ground) -> str:
    """What of the processes above us, or of ours, a command ends, stops, slows, limits or enters; "" if none."""
    rows: list[Line] = []
    for command in found.commands:
        name = command.program.lower()
        if name in ENDS or name.startswith(CODE) or not is_program(name):
            rows = rows or standing(ground)
            hit = _one(command, found, ground, rows)
            if hit:
                return hit
    return ""


def is_endless(found: Effects) -> bool:
    """Whether processes are ended by a pattern that nobody can try."""
    return any(is_long(word) for one in found.commands if one.program == "pkill" for word in _operands(one.words))
