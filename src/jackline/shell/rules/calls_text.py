"""The words of a program in a language that we skim: strings, names, marks; comments and patterns left out."""

from __future__ import annotations

from jackline.shell.model import UNKNOWN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import NamedTuple
else:
    from jackline._record import NamedTuple


class Token(NamedTuple):
    """`kind`: `text`, `name`, `run` (backticks that run), `mark` (one character), `line`."""

    kind: str
    text: str


HASHED = frozenset(["awk", "perl", "ruby", "php", "rscript", "julia", "elixir", "tclsh"])
"""Languages whose comments begin with `#`."""

QUOTES = {"q": "text", "qq": "text", "qw": "words", "qx": "run", "s": "skip", "m": "skip", "tr": "skip", "y": "skip",
          "qr": "skip"}  # fmt: skip
LITERALS = {"x": "qx", "q": "q", "Q": "qq", "w": "qw"}
"""Letters behind the `%` of Ruby, and what Perl calls the same."""
PAIRS = {"(": ")", "[": "]", "{": "}", "<": ">"}
RUNNING = frozenset(["perl", "ruby", "php", "julia"])
"""Languages in which backticks run a command."""

PLAIN = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_$@!?")


def _interpolated(text: str, language: str) -> str:
    """What a string in double quotes holds: values that only the running program knows are put in."""
    if language == "awk" and "\\" in text:
        from jackline.shell.quoting import unescape

        told = unescape(text.replace('\\"', '"').replace("\\/", "/"), "format")
        return text if told is None else told
    out, i = "", 0
    while i < len(text):
        char = text[i]
        if char == "\\" and i + 1 < len(text):
            out += {"n": "\n", "t": "\t"}.get(text[i + 1], text[i + 1])
            i += 2
        elif (char == "#" and language in ("ruby", "elixir") and text[i + 1 : i + 2] == "{") or (
            char == "$" and text[i + 1 : i + 2] == "{"
        ):
            end = text.find("}", i)
            out, i = out + UNKNOWN, end + 1 if end >= 0 else len(text)
        elif char in "$@" and language in ("perl", "php", "julia", "groovy") and text[i + 1 : i + 2] in PLAIN:
            out, i = out + UNKNOWN, i + 1
            while i < len(text) and text[i] in PLAIN:
                i += 1
        else:
            out += char
            i += 1
    return out


def _string(code: str, at: int, end: str) -> int:
    """The place behind a string that ends with this character; brackets nest."""
    begin, level = code[at - 1 : at], 1
    while at < len(code):
        if code[at] == "\\":
            at += 1
        elif code[at] == end:
            level -= 1
            if not level:
                return at + 1
        elif code[at] == begin and begin != end:
            level += 1
        at += 1
    return len(code) + 1


def _quoted(code: str, name: str, at: int, tokens: list[Token], language: str) -> int:
    """`qq(…)`, `%x{…}`, `s/a/b/`: the place behind it."""
    kind, close = QUOTES[name], PAIRS.get(code[at], code[at])
    end = _string(code, at + 1, close)
    text = code[at + 1 : end - 1]
    if name in ("s", "tr", "y"):
        if close != code[at]:  # else the second part begins where the first one ends
            end += len(code[end:]) - len(code[end:].lstrip(" \t\n")) + 1
            close = PAIRS.get(code[end - 1 : end], code[end - 1 : end])
        end = _string(code, end, close) if close else end
        while end < len(code) and code[end].isalpha():
            end += 1
    elif kind == "words":
        words = [piece for one in text.split() for piece in (Token("text", one), Token("mark", ","))]
        tokens.extend([Token("mark", "["), *words, Token("mark", "]")])
    elif kind != "skip":
        tokens.append(Token(kind, text if name == "q" else _interpolated(text, language)))
    return end


def tokens_of(code: str, language: str) -> list[Token]:
    """The words of a program: enough to see which call stands where, and with which literals."""
    tokens: list[Token] = []
    i, size = 0, len(code)
    while i < size:
        char = code[i]
        before = tokens[-1] if tokens else Token("line", "")
        if char in " \t\r":
            i += 1
        elif char == "\n":
            tokens.append(Token("line", ""))
            i += 1
        elif (char == "#" and language in HASHED) or code.startswith(
            "--" if language == "lua" else "//" if language not in HASHED else "\0", i
        ):
            end = code.find("\n", i)
            i = end if end >= 0 else size
        elif code.startswith("/*", i) and language not in HASHED:
            end = code.find("*/", i)
            i = end + 2 if end >= 0 else size
        elif char == "/" and (before.kind == "line" or (before.kind == "mark" and before.text in "(,=:[!&|?{;~")):
            end = _string(code, i + 1, "/")  # a regular expression
            i = end if "\n" not in code[i:end] else i + 1
        elif char in "\"'`":
            end = _string(code, i + 1, char)
            text = code[i + 1 : end - 1]
            plain = text.replace("\\'", "'").replace("\\\\", "\\")
            text = plain if char == "'" else _interpolated(text, language)
            tokens.append(Token("run" if char == "`" and language in RUNNING else "text", text))
            i = end
        elif char == "%" and language == "ruby" and code[i + 1 : i + 2] in LITERALS and code[i + 2 : i + 3] in PAIRS:
            i = _quoted(code, LITERALS[code[i + 1]], i + 2, tokens, language)
        elif char in PLAIN and char not in "!?":
            end = i
            while end < size and (
                code[end] in PLAIN
                or (code[end] in ".:" and code[end + 1 : end + 2] in PLAIN and code[end + 1 : end + 2] not in "\"'")
                or (code[end] == ":" and code[end + 1 : end + 2] == ":")
                or (language == "php" and code.startswith("->", end))
            ):
                end += 1 + (code.startswith("->", end))
            name = code[i:end].lstrip("@")
            if language == "perl" and name in QUOTES and end < size and code[end] not in " \t\n=,;)":
                i = _quoted(code, name, end, tokens, language)
                continue
            tokens.append(Token("name", name))
            i = end
        else:
            tokens.append(Token("mark", char))
            i += 1
    return tokens


def names(tokens: Sequence[Token]) -> list[str]:
    """Identifiers outside of string literals."""
    text = " ".join([token.text for token in tokens if token.kind == "name"])
    found = "".join([char if char.isalnum() or char == "_" else " " for char in text]).split()
    return [one for one in found if not one[0].isdigit()]


def substitution(text: str, at: int) -> int:
    """The place behind `s/a/b/flags` or `y/a/b/` that begins at `at`; -1 when it is not whole."""
    mark = text[at + 1 : at + 2]
    if not mark or mark in "\\\n":
        return -1
    seen, i, bracket = 0, at + 2, False
    while i < len(text) and seen < 2:
        char = text[i]
        if char == "\\":
            i += 1
        elif char == "[" and not bracket and seen == 0:
            bracket = True
            i += text[i + 1 : i + 2] == "]"
        elif char == "]":
            bracket = False
        elif char == mark and not bracket:
            seen += 1
        i += 1
    return i if seen == 2 else -1


def strings(code: str) -> list[str]:
    """The string literals of a program, roughly: between like quotes."""
    found: list[str] = []
    i = 0
    while i < len(code):
        if code[i] in "'\"":
            end = i + 1
            while end < len(code) and code[end] != code[i]:
                end += 2 if code[end] == "\\" else 1
            found.append(code[i + 1 : end])
            i = end
        i += 1
    return found
