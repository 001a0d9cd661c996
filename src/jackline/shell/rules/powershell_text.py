"""The words of PowerShell: statements, pipelines, blocks; strings with what is known put in."""

from __future__ import annotations

from jackline.shell.model import UNKNOWN, Unreadable
from jackline.shell.scene import ACTIVE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import NamedTuple
else:
    from jackline._record import NamedTuple

SPACE = " \t\r"
BREAKS = frozenset(" \t\r\n;|&(){},<>\"'")


class Token(NamedTuple):
    """`word` (text; `quoted`: no number or name of a parameter), `block` or `group` (their text), `op`, `redirect`."""

    kind: str
    text: str
    quoted: bool = False


class Lexer:
    """Cuts a text into tokens. `value`: what a variable holds; `inner`: told of every `$(…)` in a string."""

    def __init__(self, text: str, value: Callable[[str], str], inner: Callable[[str], None]) -> None:
        self.text = text
        self.value = value
        self.inner = inner
        self.at = 0

    def closing(self, at: int) -> int:
        """The place of the bracket that closes the one here."""
        text, level = self.text, 0
        while at < len(text):
            char = text[at]
            if char in "({":
                level += 1
            elif char in ")}":
                level -= 1
                if not level:
                    return at
            elif char == "`":
                at += 1
            elif char == "'":
                at = self.end_of(at, "'")
            elif char == '"':
                at = self.end_of(at, '"')
            elif char == "#" and (not at or text[at - 1] in " \t\n;{("):
                end = text.find("\n", at)
                at = end - 1 if end > 0 else len(text)
            at += 1
        raise Unreadable("no closing bracket")

    def end_of(self, at: int, quote: str) -> int:
        """The place of the quote that ends the string which begins here."""
        text, at = self.text, at + 1
        while at < len(text):
            if text[at] == quote:
                if text[at + 1 : at + 2] != quote:
                    return at
                at += 1
            elif text[at] == "`" and quote == '"':
                at += 1
            elif text.startswith("$(", at) and quote == '"':
                at = self.closing(at + 1)
            at += 1
        raise Unreadable("no closing quote")

    def variable(self, at: int) -> tuple[str, int]:
        """The text for `$name`, `${name}`, `$env:NAME` or `$(…)`, and the place behind it."""
        text = self.text
        if text.startswith("$(", at):
            end = self.closing(at + 1)
            self.inner(text[at + 2 : end])
            return UNKNOWN, end + 1
        if text.startswith("${", at):
            end = text.find("}", at)
            end = end if end > 0 else len(text)
            return self.value(text[at + 2 : end]), end + 1
        end = at + 1
        while end < len(text) and (text[end].isalnum() or text[end] in "_:?"):
            end += 1
        if end == at + 1:
            return "$", end
        if text[end - 1] == ":":
            end -= 1
        return self.value(text[at + 1 : end]), end

    def double(self, inside: str) -> str:
        """What a string in double quotes holds."""
        own = Lexer(inside, self.value, self.inner)
        out = ""
        while own.at < len(inside):
            char = inside[own.at]
            if char == "`" and own.at + 1 < len(inside):
                out += {"n": "\n", "t": "\t", "r": "\r", "0": ""}.get(inside[own.at + 1], inside[own.at + 1])
                own.at += 2
            elif char == '"':
                out, own.at = out + '"', own.at + 2
            elif char == "$":
                known, own.at = own.variable(own.at)
                out += known
            else:
                out, own.at = out + char, own.at + 1
        return out

    def splats(self) -> bool:
        """`@name`: what a table or a list of that name holds, word by word."""
        end = self.at + 1
        while self.text[end : end + 1].isalnum() or self.text[end : end + 1] == "_":
            end += 1
        return end > self.at + 1 and (self.text[end : end + 1] or " ") in " \t\r\n;|)}"

    def word(self) -> Token:
        out, quoted, text, begin = "", False, self.text, self.at
        while self.at < len(text):
            char = text[self.at]
            if char in "'\"":
                end = self.end_of(self.at, char)
                inside = text[self.at + 1 : end]
                out += inside.replace("''", "'") if char == "'" else self.double(inside)
                self.at, quoted = end + 1, quoted or self.at == begin
            elif char == "$" or (char == "@" and self.at == begin and self.splats()):
                known, self.at = self.variable(self.at)
                out += known
            elif char == "`" and self.at + 1 < len(text):
                out, self.at = out + text[self.at + 1], self.at + 2
            elif char in BREAKS and not (char == "(" and out[-1:] not in ("", "=")):
                break
            elif char == "(":
                end = self.closing(self.at)
                self.inner(text[self.at + 1 : end])
                out, self.at = out + text[self.at : end + 1], end + 1
            else:
                out, self.at = out + char, self.at + 1
        return Token("word", out, quoted)

    def here(self) -> Token | None:
        """`@'` … `'@` on lines of their own."""
        quote = self.text[self.at + 1]
        begin = self.text.find("\n", self.at)
        end = self.text.find(f"\n{quote}@", begin) if begin >= 0 else -1
        if end < 0:
            raise Unreadable("no closing here-string")
        inside = self.text[begin + 1 : end] if end > begin else ""
        self.at = end + 3
        return Token("word", inside if quote == "'" else self.double(inside), True)

    def tokens(self) -> list[Token]:
        found: list[Token] = []
        text = self.text
        while self.at < len(text):
            char, two = text[self.at], text[self.at : self.at + 2]
            if char in SPACE or two == "`\n":
                self.at += 1 if char in SPACE else 2
            elif char == "\n" or char == ";":
                found.append(Token("op", ";"))
                self.at += 1
            elif two == "<#":
                end = text.find("#>", self.at)
                self.at = end + 2 if end >= 0 else len(text)
            elif char == "#":
                end = text.find("\n", self.at)
                self.at = end if end >= 0 else len(text)
            elif two in ("&&", "||"):
                found.append(Token("op", two))
                self.at += 2
            elif char in "|&,":
                found.append(Token("op", char))
                self.at += 1
            elif two in ("@'", '@"'):
                found.append(self.here() or Token("op", ";"))
            elif char in "({" or two in ("@(", "@{"):
                self.at += char == "@"
                end = self.closing(self.at)
                kind = "table" if char == "@" and text[self.at] == "{" else "block" if text[self.at] == "{" else "group"
                found.append(Token(kind, text[self.at + 1 : end]))
                self.at = end + 1
            elif char == ">" or (char in "123456*" and text[self.at + 1 : self.at + 2] == ">"):
                self.at += char != ">"
                self.at += 1 + (text[self.at + 1 : self.at + 2] == ">")
                if text[self.at : self.at + 1] == "&":
                    self.at += 2
                else:
                    found.append(Token("redirect", ">"))
            elif char in ")}":
                raise Unreadable("a bracket too many")
            elif char == "<":
                self.at += 1
            else:
                before = self.at
                found.append(self.word())
                self.at += self.at == before
        return found


def globbed(text: str) -> str:
    """A path as the provider reads it: globs in any quotes, `\\` for `/`, a drive left out."""
    plain = text.replace("\\", "/")
    if plain[1:2] == ":" and plain[:1].isalpha():
        plain = plain[2:] or "/"
        plain = plain if plain[:1] == "/" else "/" + plain
    return plain.translate(ACTIVE)
