"""The words of PowerShell: statements, pipelines, blocks, and strings with what is put into them."""

from __future__ import annotations

from jackline.shell.model import UNKNOWN, Unreadable
from jackline.shell.shell_state import ACTIVE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import NamedTuple
else:
    from jackline._record import NamedTuple

CUTS = frozenset(" \t\r\n;|&(){},<>\"'")
BREAKS = (";", "&&", "||")
LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789_:?"
ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "0": ""}


NOTHING = "\5"
"""A variable that nobody has set; what such a one is a part of, we do not tell."""


class Token(NamedTuple):
    """`word` (text), `set` (the variable that a statement sets), `block`, `group`, `table` (their text), `op`,
    `redirect`. `quoted`: no number, and no name of a parameter; `whole`: a word that is one string or variable.
    """

    kind: str
    text: str
    quoted: bool = False
    whole: bool = False


class Lexer:
    """Cuts a text into tokens. `value`: what a variable holds; `inner`: told of every `$(…)` and call in a word."""

    def __init__(self, text: str, value: Callable[[str], str], inner: Callable[[str], object]) -> None:
        self.text = text
        self.value = value
        self.inner = inner
        self.at = 0

    def find(self, text: str, at: int) -> int:
        """The place of a text, or the end."""
        found = self.text.find(text, at)
        return found if found >= 0 else len(self.text)

    def closing(self, at: int) -> int:
        """The place of the bracket or quote that closes the one here."""
        text, opened, at = self.text, self.text[at], at + 1
        quote = opened in "'\""
        while at < len(text):
            char = text[at]
            if char == "`" and opened != "'":
                at += 1
            elif quote and char == opened:
                if text[at + 1 : at + 2] != opened:
                    return at
                at += 1
            elif quote:
                at = self.closing(at + 1) if opened == '"' and text.startswith("$(", at) else at
            elif char in "({'\"":
                at = self.closing(at)
            elif char in ")}":
                return at
            elif char == "#" and text[at - 1] in " \t\n;{(":
                at = self.find("\n", at) - 1
            at += 1
        raise Unreadable("no closing bracket or quote")

    def name_end(self, begin: int) -> int:
        """The place behind the name of a variable."""
        end = begin
        while end < len(self.text) and self.text[end].lower() in LETTERS:
            end += 1
        return end - (end > begin and self.text[end - 1] == ":")

    def variable(self) -> str:
        """The text for `$name`, `${name}`, `$env:NAME`, `@name` or `$(…)`."""
        text, begin = self.text, self.at + 1
        mark = text[begin : begin + 1]
        if mark == "(":
            end = self.closing(begin)
            self.at = end + 1
            self.inner(text[begin + 1 : end])
            return UNKNOWN
        begin += mark == "{"
        end = self.find("}", begin) if mark == "{" else self.name_end(begin)
        self.at = end + (mark == "{")
        return self.value(text[begin:end]) if end > begin else "$"

    def piece(self) -> str:
        """What stands for the next character of a word, or of a string in double quotes."""
        char, behind = self.text[self.at], self.text[self.at + 1 : self.at + 2]
        if char == "$":
            return self.variable()
        self.at += 1 + (char in '`"')
        return ESCAPES.get(behind, behind) if char == "`" else char

    def string(self, inside: str, quote: str) -> str:
        """What a string holds."""
        if quote == "'":
            return inside
        own, out = Lexer(inside, self.value, self.inner), ""
        while own.at < len(inside):
            out += own.piece()
        return out

    def splats(self) -> bool:
        """`@name`: what a table or a list of that name holds, word by word."""
        end = self.name_end(self.at + 1)
        return end > self.at + 1 and (self.text[end : end + 1] or " ") in " \t\r\n;|)}"

    def word(self) -> Token:
        out, pieces, text, begin = "", "", self.text, self.at
        while self.at < len(text):
            char = text[self.at]
            if char in "'\"":
                end = self.closing(self.at)
                out += self.string(text[self.at + 1 : end].replace("''", "'" if char == "'" else "''"), char)
                self.at = end + 1
            elif char in CUTS and not (char == "(" and out[-1:] not in ("", "=")):
                break
            elif char == "(":
                end = self.closing(self.at)
                self.inner(text[self.at + 1 : end])
                out, self.at = out + text[self.at : end + 1], end + 1
            else:
                out += self.variable() if char == "@" and self.at == begin and self.splats() else self.piece()
            pieces += char
        out = "" if out == NOTHING or (pieces[0] == "$" and out[:2] == f"{NOTHING}.") else out.replace(NOTHING, UNKNOWN)
        return Token("word", out, pieces[:1] in ("'", '"'), pieces in ("'", '"', "$"))

    def here(self) -> Token:
        """`@'` … `'@` on lines of their own."""
        quote = self.text[self.at + 1]
        begin = self.find("\n", self.at)
        end = self.text.find(f"\n{quote}@", begin)
        if end < 0:
            raise Unreadable("no closing here-string")
        self.at = end + 3
        return Token("word", self.string(self.text[begin + 1 : end], quote), True, True)

    def sets(self) -> str:
        """The variable that the statement sets that begins here, "" when it sets none."""
        begin = self.at + 1 + self.text.startswith("{", self.at + 1)
        end = self.name_end(begin)
        place = end + self.text.startswith("}", end)
        while self.text.startswith((" ", "\t"), place):
            place += 1
        if self.text[self.at] != "$" or not self.text.startswith("=", place):
            return ""
        self.at = place + 1
        return self.text[begin:end]

    def tokens(self) -> Iterator[Token]:
        """Each is cut when it is asked for: what a statement sets is put into those behind it."""
        text, begins = self.text, True
        while self.at < len(text):
            char, two = text[self.at], text[self.at : self.at + 2]
            if char in " \t\r<" or two == "`\n":
                self.at = self.find("#>", self.at) + 2 if two == "<#" else self.at + 1 + (char == "`")
                continue
            if char == "#":
                self.at = self.find("\n", self.at)
                continue
            if begins and (name := self.sets()):
                yield Token("set", name)
                continue
            begins = two in BREAKS or char in "\n;|"
            if two in BREAKS or char in "\n;|&,":
                self.at += 2 if two in BREAKS else 1
                yield Token("op", two if two in BREAKS else ";" if char == "\n" else char)
            elif two in ("@'", '@"'):
                yield self.here()
            elif char in "({" or two in ("@(", "@{"):
                self.at += char == "@"
                begin, end = self.at + 1, self.closing(self.at)
                self.at = end + 1
                yield Token("table" if two == "@{" else "block" if char == "{" else "group", text[begin:end])
            elif char == ">" or (char in "123456*" and two[1:] == ">"):
                self.at += 1 + (char != ">")
                self.at += text.startswith(">", self.at)
                if text.startswith("&", self.at):
                    self.at += 2
                else:
                    yield Token("redirect", ">")
            elif char in ")}":
                raise Unreadable("a bracket too many")
            else:
                yield self.word()


def globbed(text: str) -> str:
    """A path as the provider reads it: globs in any quotes, `\\` for `/`, a drive left out."""
    path = text.replace("\\", "/")
    if path[1:2] == ":" and path[:1].isalpha():
        path = "/" + path[2:].removeprefix("/")
    return path.translate(ACTIVE)


HELD = {
    **dict.fromkeys(("home", "env:userprofile", "env:home", "~"), "~"),
    "profile": "~/Documents/PowerShell/profile.ps1",
    **dict.fromkeys(("env:appdata", "env:localappdata"), "~/AppData"),
    **dict.fromkeys(("env:programfiles", "env:programfiles(x86)"), "/Program Files"),
    **dict.fromkeys(("env:temp", "env:tmp", "env:tmpdir"), "/tmp"),
    **dict.fromkeys(("pwd", "psscriptroot"), "."),
    **dict.fromkeys(("env:windir", "env:systemroot"), "/Windows"),
    "env:systemdrive": "/",
    **dict.fromkeys(("null", "true", "false"), ""),
}
"""What variables hold that PowerShell itself sets; `~` is the home folder."""

SETS = (
    *("variable", "param", "function", "filter", "invoke-expression", "iex", "import-module", "using ", "[ref]", "sv "),
    *("nv ", "-ov", "-pv", "-ev", "-wv", "-iv", "-outv", "-pipel", "-errorv", "-warningv", "-informationv"),
    *("\n. ", ";. ", "; . ", "{. ", "{ . ", "&. "),
)
"""What may set variables in another way than `$name = …`."""

CHANGES = ("+=", "-=", "*=", "/=", "%=", "++", "--", "??", "in")


def plain(text: str) -> str:
    """The name of a variable without its scope."""
    scope, _, name = text.lower().rpartition(":")
    return name if scope in ("script", "global", "local", "private") else text.lower()


def assignments(text: str) -> dict[str, int]:
    """How often a text sets each of its variables, wherever that stands."""
    found: dict[str, int] = {}
    behind_sets = False
    for piece in reversed(text.lower().split("$")[1:]):
        rest = piece.removeprefix("{").lstrip(LETTERS)
        behind = rest.removeprefix("}").lstrip(" \t")
        changes = behind[:1] == "=" or (behind[:2] in CHANGES and not behind[2:3].isalnum())
        behind_sets = changes or (behind_sets and behind.strip() == ",")
        if behind_sets:
            name = plain(piece[: len(piece) - len(rest)].removeprefix("{").rstrip(":"))
            found[name] = found.get(name, 0) + 1
    return found
