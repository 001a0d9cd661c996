"""Tokens of a text: names, words, numbers, strings, signs; comments and blanks left out. Never fails, on any text.

Reads roughly, as an editor's colours do, so that a fragment of a file is read as well as the whole.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from jackline.mutation.languages import Language, words

NAME, WORD, NUMBER, STRING, SIGN = "name", "word", "number", "string", "sign"
LINE, IN, OUT = "line", "in", "out"


class Token(NamedTuple):
    """`kind` and `text`; a string's text is what stands between its quotes."""

    kind: str
    text: str


NEWLINE, DEEPER, BACK = Token(LINE, "\n"), Token(IN, ""), Token(OUT, "")

WORDS = {
    family: words(told)
    for family, told in {
        "python": "and as assert async await break class continue def del elif else except finally for from global if "
        "import in is lambda nonlocal not or pass raise return try while with yield None True False match case print",
        "script": "abstract any as async await boolean break case catch class const continue debugger declare default "
        "delete do else enum export extends false finally for from function if implements import in instanceof "
        "interface keyof let namespace never new null number of private protected public readonly return satisfies "
        "static string super switch this throw true try type typeof undefined unknown var void while with yield",
        "go": "break case chan const continue default defer else fallthrough for func go goto if import interface map "
        "package range return select struct switch type var nil true false iota",
        "rust": "as async await break const continue crate dyn else enum extern false fn for if impl in let loop match "
        "mod move mut pub ref return self Self static struct super trait true type unsafe use where while macro_rules",
        "java": "abstract assert boolean break byte case catch char class const continue default do double else enum "
        "extends final finally float for fun if implements import in instanceof int interface internal is long native "
        "new null object override package private protected public return short static super switch synchronized this "
        "throw throws true false try val var void volatile when while",
        "c": "auto bool break case catch char class const constexpr continue default delete do double else enum extern "
        "false float for friend goto if inline int long namespace new noexcept nullptr NULL operator private protected "
        "public register return short signed sizeof static struct switch template this throw true try typedef typename "
        "union unsigned using virtual void volatile while define include ifdef ifndef endif undef pragma elif function",
        "ruby": "alias and begin break case class def defined? do else elsif end ensure false fail for if in module "
        "next nil not or private protected public raise redo require require_relative rescue retry return self super "
        "then true undef unless until when while yield attr_reader attr_accessor attr_writer include extend",
        "shell": "if then else elif fi for while until do done case esac in function local export return break "
        "continue set unset readonly declare exit shift source eval exec trap test",
        "sql": "",
        "lua": "and break do else elseif end false for function goto if in local nil not or repeat return then true "
        "until while",
        "style": "",
        "markup": "",
        "data": "true false null yes no",
        "prose": "",
    }.items()
}
VALUES = words("True False None true false null nil undefined NULL nullptr iota")
"""Words that are values."""
SIGNS = (
    r"\.\.\.|<<<|>>>=?|===|!==|<=>|\*\*=|//=|<<=|>>=|&&=|\|\|=|\?\?=|->|=>|:=|::|==|!=|<=|>=|&&|\|\||\?\?|\?\.|\+\+"
    r"|--|\*\*|//|<<|>>|\+=|-=|\*=|/=|%=|&=|\|=|\^=|=~|!~|\.\.|[^\s\w]"
)
NUMBERS = (
    r"0[xXbBoO][\da-fA-F_]+[uUlLn]*|\d[\d_]*(?:\.(?!\.)[\d_]*(?![A-Za-z_]))?(?:[eE][+-]?\d+)?[A-Za-z_]*\d*|\.\d[\d_]*"
)
NAMED = {
    "style": r"[@#.$]?-?[A-Za-z_][\w-]*",
    "data": r"[A-Za-z_][\w.-]*",
    "ruby": r"[@$:]{0,2}[A-Za-z_]\w*[?!]?",
    "shell": r"[A-Za-z_][\w-]*",
    "markup": r"[A-Za-z_][\w:-]*",
}
IDENTIFIER = r"[^\W\d][\w$]*|[$@][\w$]+"
PREFIX = r"(?:[rRbBuUfF]{1,2})?"
DEPTH = 8
CONTINUED, FOLDED = re.compile(r"\\\n"), re.compile(r"\\\n\s*")
"""A text that goes on in the next line; in Rust without that line's blanks."""


def _string(language: Language) -> list[str]:
    """One pattern for each sort of string."""
    found = []
    for quote in language.quotes:
        q = re.escape(quote)
        if len(quote) == 3:
            body = rf"{q}(?:[^\\]|\\.)*?(?:{q}|\Z)"
        elif language.family == "shell" and quote == "'":
            body = r"'[^']*(?:'|\Z)"
        elif language.family in ("shell", "ruby", "markup"):
            body = rf"{q}(?:[^{q}\\]|\\.)*(?:{q}|\Z)"
        elif language.name == "rust":
            body = r'b?"(?:[^"\\]|\\.)*(?:"|\Z)'
        else:
            body = rf"{q}(?:[^{q}\\\n]|\\.)*(?:{q}|(?=\n)|\Z)"
        found.append((PREFIX if language.family == "python" else "") + body)
    if language.name == "rust":
        found.insert(0, r'b?r(?P<hashes>#*)".*?(?:"(?P=hashes)|\Z)')
        found.append(r"b?'(?:[^'\\\n]|\\[^\n]{1,8})'")
    found.extend(
        rf"{re.escape(quote)}(?:[^{re.escape(quote)}\\]|\\.)*(?:{re.escape(quote)}|\Z)" for quote in language.raw
    )
    return found


@lru_cache(maxsize=32)
def _pattern(language: Language) -> re.Pattern[str]:
    parts = []
    comments = [rf"{re.escape(start)}.*?(?:{re.escape(end)}|\Z)" for start, end in language.block]
    for mark in language.line:
        before = r"(?:(?<=\s)|(?<![^\n]))" if language.family in ("shell", "data") else ""
        comments.append(rf"{before}{re.escape(mark)}[^\n]*")
    if comments:
        parts.append(f"(?P<comment>{'|'.join(comments)})")
    strings = _string(language)
    if strings and language.family != "prose":
        parts.append(f"(?P<string>{'|'.join(strings)})")
    if language.family == "rust":
        parts.append(r"(?P<life>'[A-Za-z_]\w*)")
    parts.append(rf"(?P<number>{NUMBERS})")
    parts.append(rf"(?P<name>{NAMED.get(language.family, IDENTIFIER)})")
    parts.append(r"(?P<line>\\?\r?\n[ \t]*)")
    parts.append(r"(?P<blank>[^\S\n]+)")
    parts.append(rf"(?P<sign>{SIGNS})")
    parts.append(r"(?P<rest>.)")
    return re.compile("|".join(parts), re.DOTALL)


REGEX = re.compile(r"/(?![*/\s])(?:[^/\\\n\[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+/[a-z]*")
PATTERN = 500
"""Characters of a regular expression at most."""
CLOSED = (")", "]", "}")
PLACES = re.compile(r"\{[^{}\n]*\}")
SHELL_PLACES = re.compile(r"\$\{[^}\n]*\}|\$\([^()\n]*\)|\$[A-Za-z_]\w*|\$[\d@*#?$!-]")


def _between(text: str) -> str:
    """A string without its prefix and quotes."""
    start = 0
    while start < len(text) and text[start] not in "\"'`#/":
        start += 1
    body = text[start:]
    for quote in ('"""', "'''"):
        if body.startswith(quote):
            return body[3:].removesuffix(quote)
    if body[:1] == "#":
        return body.strip("#")[1:-1]
    return body[1:-1] if len(body) > 1 and body[-1] == body[0] else body[1:]


def _balanced(text: str, at: int) -> int:
    """Where the brace that opened before `at` closes."""
    depth = 1
    while at < len(text):
        depth += (text[at] == "{") - (text[at] == "}")
        if not depth:
            return at
        at += 1
    return len(text)


def _split(text: str, mark: str) -> tuple[str, list[str]]:
    """A string's own text with a gap for each expression in it, and the expressions."""
    own: list[str] = []
    inner: list[str] = []
    at = 0
    while (found := text.find(mark, at)) >= 0:
        end = _balanced(text, found + len(mark))
        own.extend((text[at:found], "\0"))
        inner.append(text[found + len(mark) : end])
        at = end + 1
    return "".join([*own, text[at:]]), inner


def _string_tokens(text: str, language: Language, depth: int) -> list[Token]:
    """A string as tokens: its text, then what it holds of expressions."""
    body = _between(text)
    if "\\\n" in body and language.family in ("rust", "c", "script", "python"):
        body = (FOLDED if language.family == "rust" else CONTINUED).sub("", body)
    inner: list[str] = []
    if text[:1] == "'" and language.family in ("c", "go", "java", "rust"):
        return [Token(STRING, text)]  # a character is no string
    if language.family == "python":
        start = text[: len(text) - len(text.lstrip("rRbBuUfF"))].lower()
        if "b" in start:
            return [Token(STRING, "b" + body)]
        if "f" in start and "{" in body:
            body, inner = _split(body.replace("{{", "\1").replace("}}", "\2"), "{")
            body = body.replace("\1", "{").replace("\2", "}")
            inner = [re.split(r"!(?=[rsa](?::|$))|:(?=[^\]\)]*$)", one)[0] if one else one for one in inner]
    elif language.family == "shell" and text[:1] == '"':
        inner = SHELL_PLACES.findall(body)
        body = SHELL_PLACES.sub("\0", body)
    elif language.inside and language.inside in body and (text[:1] == "`" or language.family == "ruby"):
        body, inner = _split(body, language.inside)
    if not inner:
        return [Token(STRING, body)]
    found = [Token(STRING, body)]
    for one in inner if depth < DEPTH else ():
        found.extend(token for token in tokens(one, language, depth + 1) if token.kind not in (LINE, IN, OUT))
    return found


def _is_regex(found: list[Token]) -> bool:
    """Whether a slash that stands here begins a pattern."""
    for last in reversed(found):
        if last.kind in (LINE, IN, OUT):
            continue
        if last.kind == WORD:
            return last.text not in ("this", "super", "self", "end") and last.text not in VALUES
        return last.kind == SIGN and last.text not in CLOSED
    return True


def _dented(language: Language, stack: list[int], width: int, found: list[Token]) -> None:
    """Say that a line begins deeper, or further out, than the one before it."""
    if width > stack[-1]:
        stack.append(width)
        found.append(DEEPER)
        return
    while len(stack) > 1 and width < stack[-1]:
        stack.pop()
        found.append(BACK)
    if width < stack[0]:  # a fragment that began deep
        stack[0] = width
        found.append(BACK)


def tokens(text: str, language: Language, depth: int = 0) -> list[Token]:
    """The tokens of a text. Lines are told where they end statements, depth where it counts."""
    pattern = _pattern(language)
    known = WORDS.get(language.family, WORDS["c"])
    found: list[Token] = []
    stack: list[int] = []
    brackets = 0
    fresh = True  # at the start of a line, no token of it yet
    width = len(text) - len(text.lstrip(" \t")) if language.indent else 0
    at, size = 0, len(text)
    while at < size:
        hit = pattern.match(text, at)
        if hit is None:  # cannot be: the last branch takes any character
            at += 1
            continue
        kind, piece = hit.lastgroup or "", hit.group()
        if kind == "hashes":
            kind = "string"
        if kind == "sign" and piece in ("/", "/=") and language.regex and _is_regex(found):
            regex = REGEX.match(text, at, at + PATTERN)
            if regex:
                kind, piece = "string", regex.group()
        at += len(piece)
        if kind in ("blank", "comment", "rest"):
            continue
        if kind == "line":
            if not brackets and piece[0] != "\\":
                fresh = True
                width = len(piece.replace("\\", "").lstrip("\r\n").expandtabs(8))
            continue
        if fresh and not brackets:
            fresh = False
            if found and found[-1] is not NEWLINE:
                found.append(NEWLINE)
            if language.indent:
                if not stack:
                    stack.append(width)
                else:
                    _dented(language, stack, width, found)
        if kind == "string":
            found.extend(_string_tokens(piece, language, depth))
        elif kind in ("name", "life"):
            found.append(Token(WORD if piece in known else NAME, piece))
        elif kind == "number":
            found.append(Token(NUMBER, piece.replace("_", "").lower()))
        else:
            if language.lines or language.family in ("script", "go", "rust", "java", "c"):
                bracket = (
                    (piece in "([{") - (piece in ")]}") if language.family == "python" or language.name == "toml" else 0
                )
                brackets = max(brackets + bracket, 0)
            found.append(Token(SIGN, piece))
    return found
