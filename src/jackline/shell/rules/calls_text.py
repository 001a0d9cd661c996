"""The words of a program in a language that we skim: strings, names, marks; comments and patterns left out."""

from __future__ import annotations

from jackline.shell.model import UNKNOWN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from re import Match
    from typing import NamedTuple
else:
    from jackline._record import NamedTuple


class Token(NamedTuple):
    """`kind`: `text`, `name`, `run` (backticks that run), `mark` (one character), `line`."""

    kind: str
    text: str


HASHED = frozenset(["awk", "perl", "python", "ruby", "php", "rscript", "julia", "elixir", "tclsh"])
"""Languages whose comments begin with `#`."""

QUOTES = {"q": "text", "qq": "text", "qw": "words", "qx": "run", "s": "skip", "m": "skip", "tr": "skip", "y": "skip",
          "qr": "skip"}  # fmt: skip
LITERALS = {"x": "qx", "q": "q", "Q": "qq", "w": "qw"}
"""Letters behind the `%` of Ruby, and what Perl calls the same."""
PAIRS = {"(": ")", "[": "]", "{": "}", "<": ">"}
RUNNING = frozenset(["perl", "ruby", "php", "julia"])
"""Languages in which backticks run a command."""
BARE = frozenset(["perl", "ruby", "php"])
"""Languages whose strings in single quotes hold what stands there."""

PUT_IN = {
    **dict.fromkeys(("ruby", "elixir"), r"#\{([^}]*)\}?"),
    **dict.fromkeys(("perl", "php", "julia", "groovy"), r"\$\{([^}]*)\}?|[$@][\w$@!?]+"),
    "python": r"\{([^}]*)\}?",
}
"""How values are put into a string, by the language; in others as in a shell."""
ESCAPES = {**dict.fromkeys("xuUN01234567", UNKNOWN), "n": "\n", "t": "\t", "\n": ""}
"""What characters stand for behind a backslash; characters by their number hide what they are."""


def _interpolated(text: str, language: str, inner: list[str], puts: bool = True) -> str:
    """What a string holds into which values are put; the code that makes those goes to `inner`."""
    if language == "awk":
        from jackline.shell.quoting import unescape

        read = unescape(text.replace('\\"', '"').replace("\\/", "/"))
        return text if read is None else read

    def put(found: Match[str]) -> str:
        if found[0][0] == "\\":
            return ESCAPES.get(found[0][1], found[0][1])
        inner.extend(one for one in found.groups() if one)
        return UNKNOWN

    made = PUT_IN.get(language, r"\$\{([^}]*)\}?")
    made = rf"(?s:\\.)|{made}" if puts else r"(?s:\\.)"
    told: str = __import__("re").sub(made, put, text)  # no plain event comes here
    return told


def _string(code: str, at: int, end: str) -> int:
    """The place behind a string that ends with this mark; brackets nest."""
    begin, level = code[at - 1 : at], 1
    while at < len(code):
        if code[at] == "\\":
            at += 1
        elif code.startswith(end, at):
            level -= 1
            if not level:
                return at + len(end)
        elif code[at] == begin and begin != end[0]:
            level += 1
        at += 1
    return len(code) + len(end)


def _quoted(code: str, name: str, at: int, tokens: list[Token], language: str, inner: list[str]) -> int:
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
        tokens.append(Token(kind, text if name == "q" else _interpolated(text, language, inner)))
    return end


JOINTS = {"php": r"\.|::|->", "erl": r"\.|::?"}
"""What stands between the parts of a name, where it is not a dot or two colons."""
TRIPLE = ("python", "julia", "groovy", "elixir")
"""Languages that have strings between three quotes."""


def _pattern(language: str) -> str:
    """One word of a program in a language."""
    hashed, joint = language in HASHED, JOINTS.get(language, r"\.|::")
    comment = r"\#[^\n]*" if hashed else r"--[^\n]*" if language == "lua" else r"//[^\n]*|/\*.*?(?:\*/|\Z)"
    prefix = "[rRbBuUfF]{0,2}" if language == "python" else ""
    quotes = "\"{3}|'{3}|" if language in TRIPLE else ""
    return (
        rf"(?s)(?P<space>[ \t\r]+|{comment})|(?P<line>\n)|(?P<prefix>{prefix})(?P<quote>{quotes}[\"'`])"
        rf"|(?P<name>[\w$@][\w$@!?]*(?:(?:{joint})[\w$@!?]+)*)|(?P<mark>.)"
    )


def tokens_of(code: str, language: str) -> list[Token]:
    """The words of a program: enough to see which call stands where, and with which literals."""
    tokens: list[Token] = []
    inner: list[str] = []
    match = __import__("re").compile(_pattern(language)).match
    at = 0
    while at < len(code):
        found = match(code, at)
        begin, at, kind = at, found.end(), found.lastgroup
        text, behind = found[0], code[found.end() : found.end() + 1]
        before = tokens[-1] if tokens else Token("line", "")
        if kind == "quote":
            quote, prefix = found["quote"], found["prefix"].lower()
            end = _string(code, at, quote)
            text, at = code[at : end - len(quote)], end
            if quote == "'" and language in BARE:
                text = text.replace("\\'", "'").replace("\\\\", "\\")
            elif "r" not in prefix:
                text = _interpolated(text, language, inner, language != "python" or "f" in prefix)
            tokens.append(Token("run" if quote == "`" and language in RUNNING else "text", text))
        elif (
            text == "/"
            and language != "python"
            and (before.kind == "line" or (before.kind == "mark" and before.text in "(,=:[!&|?{;~"))
        ):
            end = _string(code, at, "/")  # a regular expression
            at = end if "\n" not in code[begin:end] else at
        elif text == "%" and language == "ruby" and behind in LITERALS and code[at + 1 : at + 2] in PAIRS:
            at = _quoted(code, LITERALS[behind], at + 1, tokens, language, inner)
        elif kind == "name" and language == "perl" and text in QUOTES and behind and behind not in " \t\n=,;)":
            at = _quoted(code, text, at, tokens, language, inner)
        elif kind != "space":
            tokens.append(Token(str(kind), text.lstrip("@") if kind == "name" else text.strip("\n")))
    for one in inner:
        tokens += [Token("line", ""), *tokens_of(one, language)]
    return tokens


def imported(tokens: Sequence[Token]) -> Iterator[tuple[str, str]]:
    """What `import a.b as c` and `from a import b as c` bind: names here, and what they stand for."""
    for at, token in enumerate(tokens):
        if token != ("name", "import"):
            continue
        base = f"{tokens[at - 1].text}." if at > 1 and tokens[at - 2] == ("name", "from") else ""
        bracket, told = 0, [""]
        for place in range(at + 1, len(tokens)):
            kind, text = tokens[place]
            bracket += (text == "(") - (text == ")")
            ends = kind == "text" or text == "import" or (kind == "line" and not bracket)
            if ends or (kind == "mark" and text not in "(,)"):
                break
            told += [text] if kind == "name" else []
        for before, text, behind, other in zip(told, told[1:], [*told[2:], ""], [*told[3:], "", ""], strict=False):
            if "as" not in (before, text):
                yield other if behind == "as" else text, base + text


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
