"""What PowerShell's commands do, and the words they are called with."""

from __future__ import annotations

from jackline.shell.model import UNKNOWN
from jackline.shell.rules.powershell_names import KNOWN, PARAMETERS
from jackline.shell.rules.powershell_text import Token, globbed
from jackline.shell.rules.powershell_values import Values, settled

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from jackline.shell.job import Job
    from jackline.shell.rules.powershell import Reader

    Act = Callable[[Reader, Job, "Told"], None]

OF_EACH = ("outvariable", "outbuffer")
"""Parameters that every command has, and that write nothing."""


class Told:
    """The words of one call: operands, and parameters by their full names, lower case."""

    def __init__(self, name: str, tokens: list[Token], values: Values | None = None) -> None:
        self.name = name
        self.words: list[str] = [token.text for token in tokens if token.kind == "word"]
        self.operands: list[str] = []
        self.texts = [token.text for token in tokens if token.kind in ("group", "table")]
        self.marks = [token.text for token in tokens if token.kind == "op"]
        self.parameters: dict[str, list[str]] = {}
        held = ""
        for at, token in enumerate(tokens):
            comma = at and tokens[at - 1] == Token("op", ",")
            if token.kind == "word" and not token.quoted and token.text[:1] == "-" and token.text[1:2].isalpha():
                name, _, value = token.text[1:].partition(":")
                held = self.full(name.lower())
                self.parameters.setdefault(held, [])
                if value:
                    self.parameters[held].append(value)
                    held = ""
            elif token.kind in ("word", "group", "table"):
                text = token.text if token.kind == "word" else UNKNOWN
                if token.kind == "group" and values is not None:
                    text = settled(values.of(token.text))
                if held and (comma or not self.parameters[held]) and held in PARAMETERS:
                    self.parameters[held].append(text)
                else:
                    held = ""
                    self.operands.append(text)

    @staticmethod
    def full(name: str) -> str:
        """The parameter that an abbreviation stands for."""
        return next((one for one in (*PARAMETERS, *KNOWN) if one.startswith(name)), name)

    def writes(self) -> bool:
        """A parameter names what comes out of it."""
        return any(one.startswith(("out", "dest")) and one not in OF_EACH for one in self.parameters)

    def paths(self, *names: str) -> list[str]:
        """Values of path parameters, else operands."""
        found = [value for name in names for value in self.parameters.get(name, [])]
        return [globbed(one) for one in found or self.operands]


def _remove(reader: Reader, job: Job, told: Told) -> None:
    for path in filter(None, told.paths("path", "literalpath")):
        if path.lower().startswith(("hklm:", "hkcu:", "hkey_", "registry:")):
            job.note("privilege", "changes the registry", act="machine")
            continue
        for name in [globbed(one) for one in told.parameters.get("include", [])] or [""]:
            # Without `-Recurse` a folder with something in it is asked about first.
            job.add("delete", f"{path.rstrip('/*')}/{name}" if name else path, deep="recurse" in told.parameters,
                    follow=False)  # fmt: skip


def _clear(reader: Reader, job: Job, told: Told) -> None:
    job.all("write", told.paths("path", "literalpath"), "empties it", act="shred")


def _write(reader: Reader, job: Job, told: Told) -> None:
    paths = told.paths("filepath", "path", "literalpath")[:1]
    name = globbed("".join(told.parameters.get("name", [])))
    job.all("write", [f"{path}/{name}" if name else path for path in paths if path], "writes it")
    job.all("write", [path for path in paths if "hklm" in path.lower()], "the registry")
    if any(path.lower().startswith(("hklm:", "hkcu:")) for path in paths):
        job.note("privilege", "changes the registry", act="machine")


def _move(reader: Reader, job: Job, told: Told) -> None:
    sources = told.paths("path", "literalpath")
    target = [globbed(one) for one in told.parameters.get("destination", [])] or sources[1:2]
    job.all("read", sources[:1], "moves it", deep=True)
    job.all("delete", sources[:1], "moves it away", deep=True, follow=False, act="move")
    job.all("write", target, "moves to it", deep=True)


def _copy(reader: Reader, job: Job, told: Told) -> None:
    sources = told.paths("path", "literalpath")
    target = [globbed(one) for one in told.parameters.get("destination", [])] or sources[1:2]
    job.all("read", sources[:1], "copies it", deep="recurse" in told.parameters)
    job.all("write", target, "copies to it", deep="recurse" in told.parameters)


def _read(reader: Reader, job: Job, told: Told) -> None:
    paths = told.paths("path", "literalpath")
    job.all("read", paths[1:] if told.name == "select-string" and "path" not in told.parameters else paths)


def _evaluate(reader: Reader, job: Job, told: Told) -> None:
    for text in told.parameters.get("command") or told.operands or [UNKNOWN]:
        if UNKNOWN in text or job.feed is None:
            job.fault("Invoke-Expression runs text that only PowerShell knows", act="code.unknown")
        else:
            reader.run(text)


def _ask(reader: Reader, job: Job, told: Told) -> None:
    where = "".join((told.parameters.get("uri") or told.operands)[:1]).replace(UNKNOWN, "…")
    body = told.parameters.get("body", [])
    job.note("network", f"asks {where}", act="send.unknown" if UNKNOWN in "".join(body) else "")
    job.all("write", [globbed(one) for one in told.parameters.get("outfile", [])], "downloads to it")
    job.all("read", [globbed(one) for one in told.parameters.get("infile", [])], "sends it", act="send")


def _transfer(reader: Reader, job: Job, told: Told) -> None:
    job.note("network", "downloads something")
    job.all("write", [globbed(one) for one in told.parameters.get("destination", [])], "downloads to it")


def _start(reader: Reader, job: Job, told: Told) -> None:
    program = told.parameters.get("filepath") or told.operands[:1]
    args = [*told.parameters.get("argumentlist", []), *told.operands[0 if "filepath" in told.parameters else 1 :]]
    if "runas" in [one.lower() for one in told.parameters.get("verb", [])]:
        opened = "".join(program).lower().removesuffix(".exe") in ("pwsh", "powershell", "cmd")
        job.note("privilege", "runs it as an administrator", act="root-shell" if opened and not args else "as-other")
    if program:
        words = [part for one in args for part in one.split()]
        reader.foreign(
            program[0].replace("\\", "/").removesuffix(".exe"), Told("", [Token("word", one, True) for one in words])
        )


def _enter(reader: Reader, job: Job, told: Told) -> None:
    for path in told.paths("path", "literalpath")[:1]:
        reader.job.scene.enter(path)


ACTS: dict[str, Act] = {
    **dict.fromkeys(("remove-item", "remove-itemproperty"), _remove),
    **dict.fromkeys(("clear-content", "clear-item"), _clear),
    **dict.fromkeys(("set-content", "add-content", "out-file", "tee-object", "new-item", "export-csv", "export-clixml",
                     "set-item", "set-itemproperty", "new-itemproperty", "expand-archive", "compress-archive",
                     "mkdir"), _write),
    **dict.fromkeys(("move-item", "rename-item"), _move),
    "copy-item": _copy,
    **dict.fromkeys(("get-content", "select-string", "import-csv", "import-clixml", "format-hex"), _read),
    "invoke-expression": _evaluate,
    **dict.fromkeys(("invoke-webrequest", "invoke-restmethod"), _ask),
    "start-bitstransfer": _transfer,
    "start-process": _start,
    **dict.fromkeys(("set-location", "push-location"), _enter),
}  # fmt: skip
