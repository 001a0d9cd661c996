"""The command line of Windows (`cmd /c`): its own commands do what PowerShell's do, others are programs."""

from __future__ import annotations

from itertools import pairwise

from jackline.shell.model import UNKNOWN
from jackline.shell.programs import HOMES, is_program
from jackline.shell.rules.powershell_acts import ACTS, Told
from jackline.shell.rules.powershell_text import KNOWN, globbed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jackline.shell.job import Job

_NAMES = {
    "remove-item": "del erase rd rmdir deltree",
    "copy-item": "copy xcopy robocopy",
    "move-item": "move ren rename",
    "mkdir": "mkdir md attrib mklink",
    "set-location": "cd chdir pushd",
    "get-content": "type more find findstr",
    "": "echo rem dir cls ver vol set title exit pause where tree fc hostname sort date time path prompt setlocal "
        "endlocal ping whoami tasklist systeminfo ipconfig assoc ftype chcp color timeout goto shift comp",
}  # fmt: skip
NAMES = {name: act for act, names in _NAMES.items() for name in names.split()}
"""Commands of cmd by the one of PowerShell that does the same; "": they show something."""

LEADS = ("if", "for", "call", "start", "else", "do", "in")
"""Words behind which, somewhere, a command begins."""

CUTS = frozenset("&|\n()")
ENDS = CUTS | frozenset(" \t,;=>")
"""What divides commands outside of quotes, and words."""

SUFFIXES = (".exe", ".com", ".bat", ".cmd", ".ps1")


def _commands(text: str) -> list[list[str]]:
    """The words of each command; `^` hides a character, and `>` is a word of its own."""
    found: list[list[str]] = [[]]
    word, quoted, seen, hidden = "", False, False, False
    for char in text + "\n":
        if hidden or (quoted and char not in '"\n') or (char not in ENDS and char not in '"^'):
            word, hidden = word + char, False
        elif char == '"':
            quoted, seen = not quoted, True
        elif char == "^":
            hidden = True
        elif char == "&" and not word and found[-1][-1:] == [">"]:
            word = char  # another descriptor
        else:
            if seen or (word and not (char == ">" and word in "012")):
                found[-1].append(word if found[-1] else word.lstrip("@"))
            found[-1] += [">"] * (char == ">")
            found += [[]] if char in CUTS else []
            word, quoted, seen = "", False, False
    return [words for words in found if words]


def _put(word: str, job: Job) -> str:
    """Variables: `%TEMP%`, `%USERPROFILE%`; what else stands between per cents nobody knows."""
    home, parts = job.scene.value("HOME") or UNKNOWN, word.split("%")
    known = [KNOWN.get("env:" + part.lower(), UNKNOWN).replace("~", home) for part in parts]
    return "".join([part if at % 2 == 0 else known[at] for at, part in enumerate(parts)])


def _redirected(job: Job, words: list[str]) -> list[str]:
    """The words without those behind a `>`."""
    for before, word in pairwise(words):
        if before == ">" and word[:1] != "&" and word.lower() != "nul":
            job.add("write", globbed(word), ">")
    return [word for before, word in pairwise(["", *words]) if ">" not in (before, word)]


def _one(job: Job, words: list[str]) -> None:
    """One command, or what stands behind the words that lead to one."""
    words = _redirected(job, [_put(word, job) for word in words])
    if not words:
        return
    name, rest = words[0].replace("\\", "/").rpartition("/")[2].lower(), words[1:]
    bare = name.removesuffix(".exe").removesuffix(".com")
    if bare in LEADS:
        words = [one if one[:2] != "%%" else UNKNOWN for one in rest]
        known = [at for at, one in enumerate(words) if one.lower() in NAMES or is_program(one.lower())]
        words = words[known[0] :] if known else []
    elif words[0].lower().endswith(SUFFIXES) and bare not in NAMES and bare not in HOMES and name == words[0].lower():
        words[0] = f"./{words[0]}"  # it lies where the call runs
    else:
        words[0] = bare
    if words:
        _run(job, words)


def _run(job: Job, words: list[str]) -> None:
    name = words[0].lower()
    own = job.inside([name, *words[1:]], scene=job.scene)
    own.wrappers, own.feed = (*job.wrappers, job.name), ""
    if name not in NAMES:
        if name not in ("cmd", "powershell", "pwsh"):
            own.words[1:] = [one.replace("\\", "/") for one in words[1:]]
        job.walk.call(own)
        return
    switches = [
        word.lower() for word in words[1:] if word[:1] == "/" and word.replace("/", "").isalpha() and len(word) < 7
    ]
    flags = frozenset("".join(switches).split("/"))
    told = Told([])
    told.operands = [globbed(one).removesuffix("\1.\1") or "." for one in words[1:] if one.lower() not in switches]
    told.operands = told.operands or [UNKNOWN] * (NAMES[name] == "remove-item")
    if name == "robocopy" or flags & {"s", "e"}:
        told.parameters["recurse"] = []
    if NAMES[name]:
        ACTS[NAMES[name]](own, told)
    if flags & {"mir", "purge"}:
        own.all("delete", told.target(), "mirrors to it", deep=True)
    if flags & {"mov", "move"}:
        own.all("delete", told.operands[:1], "moves it away", deep=True)


def batch(job: Job, text: str) -> None:
    """Report what a line of cmd does."""
    made = job.again(job.scene.fork())
    for words in _commands(text):
        _one(made, words)
