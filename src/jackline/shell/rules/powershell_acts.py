"""What commands do that PowerShell and cmd have in common, and the words they are called with."""

from __future__ import annotations

from jackline.shell.model import UNKNOWN
from jackline.shell.rules.powershell_names import KNOWN, PARAMETERS
from jackline.shell.rules.powershell_text import Token, Values, globbed, settled

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from jackline.shell.job import Job

    Act = Callable[["Job", "Told"], None]

OF_EACH = ("outvariable", "outbuffer")
"""Parameters that every command has, and that write nothing."""

REGISTRY = ("hklm:", "hkcu:", "hkey_", "registry:")


class Told:
    """The words of one call: operands, and parameters by their full names, lower case."""

    def __init__(self, tokens: list[Token], values: Values | None = None) -> None:
        self.words: list[str] = [token.text for token in tokens if token.kind == "word"]
        self.texts = [token.text for token in tokens if token.kind in ("group", "table")]
        self.lists = Token("op", ",") in tokens
        self.operands: list[str] = []
        self.parameters: dict[str, list[str]] = {}
        held = ""
        for before, token in zip([Token("op", ""), *tokens], tokens, strict=False):
            if token.kind == "word" and not token.quoted and token.text[:1] == "-" and token.text[1:2].isalpha():
                name, _, value = token.text[1:].partition(":")
                held = self.full(name.lower())
                self.parameters.setdefault(held, []).extend([value] if value else [])
            elif token.kind in ("word", "group", "table"):
                text = token.text if token.kind == "word" else UNKNOWN
                if token.kind == "group" and values is not None:
                    text = settled(values.of(token.text))
                if held in PARAMETERS and (before == Token("op", ",") or not self.parameters[held]):
                    self.parameters[held].append(text)
                else:
                    held = ""
                    self.operands.append(text)

    @staticmethod
    def full(name: str) -> str:
        """The parameter that an abbreviation stands for."""
        return next((one for one in (*PARAMETERS, *KNOWN) if one.startswith(name)), name)

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


def _remove(job: Job, told: Told) -> None:
    for path in filter(None, told.paths()):
        if path.lower().startswith(REGISTRY):
            job.note("privilege", "changes the registry", act="machine")
            continue
        # Without `-Recurse` a folder with something in it is asked about first.
        found = [f"{path.rstrip('/*')}/{name}" for name in told.values("include")] or [path]
        job.all("delete", found, deep=told.deep(), follow=False)


def _clear(job: Job, told: Told) -> None:
    job.all("write", told.paths(), "empties it", act="shred")


def _write(job: Job, told: Told) -> None:
    name = "".join(told.values("name"))
    for path in told.paths()[:1]:
        job.all("write", [f"{path}/{name}" if name else path], "writes it")
        if path.lower().startswith(REGISTRY):
            job.note("privilege", "changes the registry", act="machine")


def _move(job: Job, told: Told) -> None:
    sources = told.paths()[:1]
    job.all("read", sources, "moves it", deep=True)
    job.all("delete", sources, "moves it away", deep=True, follow=False, act="move")
    job.all("write", told.target(), "moves to it", deep=True)


def _copy(job: Job, told: Told) -> None:
    job.all("read", told.paths()[:1], "copies it", deep=told.deep())
    job.all("write", told.target(), "copies to it", deep=told.deep())


def _read(job: Job, told: Told) -> None:
    job.all("read", told.paths()[job.name == "select-string" and "path" not in told.parameters :])


def _ask(job: Job, told: Told) -> None:
    where = "".join((told.parameters.get("uri") or told.operands)[:1]).replace(UNKNOWN, "…")
    unknown = UNKNOWN in "".join(told.parameters.get("body", []))
    job.note("network", f"asks {where}", act="send.unknown" if unknown else "")
    job.all("write", told.values("outfile", "destination"), "downloads to it")
    job.all("read", told.values("infile"), "sends it", act="send")


def _enter(job: Job, told: Told) -> None:
    for path in told.paths()[:1]:
        job.scene.enter(path)


_ACTS = {
    _remove: "remove-item remove-itemproperty",
    _clear: "clear-content clear-item",
    _write: "set-content add-content out-file tee-object new-item export-csv export-clixml set-item set-itemproperty "
            "new-itemproperty expand-archive compress-archive mkdir",
    _move: "move-item rename-item",
    _copy: "copy-item",
    _read: "get-content select-string import-csv import-clixml format-hex",
    _ask: "invoke-webrequest invoke-restmethod start-bitstransfer",
    _enter: "set-location push-location",
}  # fmt: skip
ACTS: dict[str, Act] = {name: act for act, names in _ACTS.items() for name in names.split()}
