"""What commands do that PowerShell and cmd have in common, and the command line of cmd (`cmd /c`)."""

from __future__ import annotations

from itertools import pairwise

from jackline.shell.command_call import Job
from jackline.shell.model import UNKNOWN
from jackline.shell.options import Given
from jackline.shell.programs import HOMES, is_program
from jackline.shell.rules.powershell_names import KNOWN, PARAMETERS
from jackline.shell.rules.powershell_text import HELD, Token, globbed
from jackline.shell.rules.rows import walk

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable


DEEP = {"rf": "recurse", "fr": "recurse"}
"""Letters that people write for another shell."""

OF_EACH = ("outvariable", "outbuffer")
"""Parameters that every command has, and that write nothing."""

REGISTRY = ("hklm:", "hkcu:", "hkey_", "registry:")


class Told:
    """The words of one call: operands, and parameters by their full names, lower case."""

    def __init__(self, tokens: list[Token], grouped: Callable[[str], str] = str) -> None:
        self.words: list[str] = [token.text for token in tokens if token.kind == "word"]
        self.texts = [token.text for token in tokens if token.kind in ("group", "table")]
        self.lists = Token("op", ",") in tokens
        self.operands: list[str] = []
        self.parameters: dict[str, list[str]] = {}
        held = ""
        for before, token in zip([Token("op", ""), *tokens], tokens, strict=False):
            if token.kind == "word" and not token.quoted and token.text[:1] == "-" and token.text[1:2].isalpha():
                name, _, value = token.text[1:].partition(":")
                name = DEEP.get(name.lower(), name.lower())
                held = next((one for one in (*PARAMETERS, *KNOWN) if one.startswith(name)), name)
                self.parameters.setdefault(held, []).extend([value] if value else [])
            elif token.kind in ("word", "group", "table"):
                text = token.text if token.kind == "word" else UNKNOWN
                text = grouped(token.text) if token.kind == "group" else text
                if held in PARAMETERS and (before == Token("op", ",") or not self.parameters[held]):
                    self.parameters[held].append(text)
                else:
                    held = ""
                    self.operands.append(text)

    def deep(self) -> bool:
        return "recurse" in self.parameters

    def writes(self) -> bool:
        """A parameter names what comes out of it."""
        return any(one.startswith(("out", "dest")) and one not in OF_EACH for one in self.parameters)

    def values(self, *names: str) -> list[str]:
        """Paths that are given by parameters."""
        return [globbed(value) for name in names for value in self.parameters.get(name, [])]

    def paths(self) -> list[str]:
        """Values of path parameters, else operands."""
        return self.values("filepath", "path", "literalpath") or [globbed(one) for one in self.operands]

    def target(self) -> list[str]:
        return self.values("destination") or self.paths()[1:2]


_ACTS = {
    # Commands: what they do to their paths, as rows.
    "remove-item remove-itemproperty": "delete : if !recurse; delete :/ if recurse",
    "clear-content clear-item": "write : shred # empties it",
    "set-content add-content out-file tee-object new-item export-csv export-clixml set-item set-itemproperty "
    "new-itemproperty expand-archive compress-archive mkdir": "write :1 # writes it",
    "move-item rename-item": (
        "read :1/ # moves it; delete :1/ move # moves it away; write =destination/|1:2/ # moves to it"
    ),
    "copy-item": (
        "read :1 if !recurse; write =destination|1:2 if !recurse # copies to it; "
        "read :1/ if recurse; write =destination/|1:2/ if recurse # copies to it"
    ),
    "get-content import-csv import-clixml format-hex": "read :",
    "select-string": "read : if path; read 1: if !path",
    "invoke-webrequest invoke-restmethod start-bitstransfer": (
        "write =outfile/destination # downloads to it; read =infile send # sends it"
    ),
    "set-location push-location": "",
}
ACTS = {name: text for names, text in _ACTS.items() for name in names.split()}


def act(job: Job, told: Told, name: str) -> None:
    """What a command does to what it is told."""
    given, kind = Given(), ACTS[name].partition(" ")[0]
    names = told.values({"delete": "include", "write": "name"}.get(kind, ""))
    given.operands = [f"{one.rstrip('/*')}/{name}" for one in told.paths() for name in names] or told.paths()
    given.options = [(name, globbed(one)) for name, values in told.parameters.items() for one in values or [""]]
    walk(job, given, ACTS[name])
    if name in ("set-location", "push-location"):
        job.scene.enter("".join(given.operands[:1]))
    elif "outfile" in ACTS[name]:
        where = "".join((told.parameters.get("uri") or told.operands)[:1]).replace(UNKNOWN, "…")
        unknown = UNKNOWN in "".join(told.parameters.get("body", []))
        job.note("network", f"asks {where}", act="send.unknown" if unknown else "")
    elif kind in ("write", "delete") and any(one.lower().startswith(REGISTRY) for one in given.operands):
        job.note("privilege", "changes the registry", act="machine")


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
    known = [HELD.get("env:" + part.lower(), UNKNOWN).replace("~", home) for part in parts]
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
        if bare == "for" and not (known and "do" in [one.lower() for one in words[: known[0]]]):
            return  # what it goes through; behind `do` stands a command of its own
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
    if name == "robocopy" and "l" in flags:
        return  # it only lists what it would do
    told = Told([])
    told.operands = [globbed(one).removesuffix("\1.\1") or "." for one in words[1:] if one.lower() not in switches]
    told.operands = told.operands or [UNKNOWN] * (NAMES[name] == "remove-item")
    if name == "robocopy" or flags & {"s", "e"}:
        told.parameters["recurse"] = []
    if NAMES[name]:
        act(own, told, NAMES[name])
    if flags & {"mir", "purge", "mov", "move"}:
        own.all("delete", told.operands[:2], "mirrors to it, or moves it away", deep=True)


def batch(job: Job, text: str) -> None:
    """Report what a line of cmd does."""
    made = job.again(job.scene.fork())
    for words in _commands(text):
        _one(made, words)
