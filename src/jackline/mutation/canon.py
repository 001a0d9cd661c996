"""Tokens without what says nothing: layout, optional signs, docstrings; then without types, modifiers and notes."""

from __future__ import annotations

from jackline.mutation.languages import Language, words
from jackline.mutation.lexer import IN, LINE, NAME, NEWLINE, NUMBER, OUT, SIGN, STRING, WORD, Token

SEMICOLON, COMMA, COLON = Token(SIGN, ";"), Token(SIGN, ","), Token(SIGN, ":")
OPEN, CLOSE = frozenset("([{"), frozenset(")]}")
LAID = (LINE, IN, OUT)
DEEP = 8
FAR = 200
"""Tokens that are looked ahead to find where a type ends."""

DROPPED = {
    "script": words("public private protected readonly abstract override declare export_type"),
    "rust": frozenset(("pub", "mut")),
    "java": words("public private protected final override internal"),
    "c": words("const inline register volatile constexpr private protected public"),
    "ruby": frozenset(("private", "protected", "public")),
}
"""Words that say who may see or change a thing."""
BINDERS = {"script": ("var", "let", "const"), "go": ("var", "const"), "java": ("val", "var")}
"""Words for the same: here a name begins."""
NOTES = words(
    "Override SuppressWarnings Deprecated Nullable NonNull Nonnull NotNull SafeVarargs VisibleForTesting override "
    "FunctionalInterface allow inline must_use rustfmt expect warn doc typing"
)
"""Annotations and attributes for readers and checkers only."""


def _lone(stream: list[Token], at: int) -> bool:
    """Whether a string is a statement of its own."""
    before = at == 0 or stream[at - 1].kind in LAID
    return before and (at + 1 == len(stream) or stream[at + 1].kind in LAID)


def plain(stream: list[Token], language: Language) -> list[Token]:
    """The stream without layout that means nothing in this language."""
    found: list[Token] = []
    for at, token in enumerate(stream):
        if token.kind == LINE and not (language.lines or language.family in ("go", "script")):
            continue
        if token.kind == STRING and language.family == "python" and _lone(stream, at):
            continue
        if token == SEMICOLON:
            if language.family in ("script", "go", "ruby", "shell", "style"):
                continue
            if language.family == "python":
                token = NEWLINE
        last = found[-1] if found else NEWLINE
        if token.kind == LINE and last.kind == LINE:
            continue
        if token.kind == SIGN and token.text in CLOSE and last == COMMA:
            found.pop()
        if token.kind == STRING and last.kind == STRING and language.family in ("python", "c"):
            found[-1] = Token(STRING, last.text + token.text)
            continue
        if token.kind == STRING and last.text == "+" and len(found) > 1 and found[-2].kind == STRING:
            found[-2:] = [Token(STRING, found[-2].text + token.text)]
            continue
        found.append(token)
    while found and found[-1].kind in LAID:
        found.pop()
    return found


def _past(stream: list[Token], at: int, ends: frozenset[str]) -> int:
    """Where a type that begins at `at` is over: at one of `ends` outside all brackets, or at a line's end."""
    depth = 0
    limit = min(at + FAR, len(stream))
    while at < limit:
        token = stream[at]
        if token.kind == SIGN:
            if not depth and token.text in ends:
                return at
            if token.text in OPEN or token.text == "<":
                depth += 1
            elif token.text in CLOSE or token.text == ">":
                if not depth:
                    return at
                depth -= 1
            elif token.text in (">>", ">>>"):
                depth -= len(token.text)
        elif token.kind == LINE and not depth:
            return at
        at += 1
    return at


def _angled(stream: list[Token], at: int) -> int:
    """Behind the `>` that closes the `<` at `at`, 0 when what stands between is no list of types."""
    depth = 0
    limit = min(at + FAR, len(stream))
    while at < limit:
        text = stream[at].text
        depth += (text == "<") - (text == ">") - 2 * (text == ">>")
        at += 1
        if depth <= 0:
            return at
        if depth > DEEP:
            return 0
        if text in (";", "&&", "||", "return") or stream[at - 1].kind == NUMBER:
            return 0
    return 0


JUMPS = ("break", "continue")
PARAMETER = frozenset((",", ")", "="))
RETURN = frozenset(("{", "=>", ":", ";"))
VARIABLE = frozenset(("=", ";", ","))


def _python_types(stream: list[Token]) -> list[Token]:
    """Python without annotations."""
    found: list[Token] = []
    heads: list[bool] = []  # for each open bracket: whether it holds parameters
    at = 0
    while at < len(stream):
        token = stream[at]
        fresh = not heads and (not found or found[-1].kind in LAID)
        if fresh and (end := _names_type(stream, at)):
            at = end + 1
            continue
        if token.kind == SIGN and token.text in OPEN:
            heads.append(token.text == "(" and len(found) > 1 and found[-2].text == "def")
        elif token.kind == SIGN and token.text in CLOSE and heads:
            heads.pop()
        elif token == COLON and heads and heads[-1] and found[-1].kind == NAME:
            at = _past(stream, at + 1, PARAMETER)
            continue
        elif token.text == "->" and not heads:
            at = _past(stream, at + 1, frozenset(":"))
            continue
        elif token == COLON and not heads and _declares(found):
            end = _past(stream, at + 1, frozenset("="))
            if end < len(stream) and stream[end].text == "=":
                at = end
                continue
            if end >= len(stream) or stream[end].kind == LINE:  # `x: int` alone binds nothing
                while found and found[-1].kind not in LAID:
                    found.pop()
                at = end + 1
                continue
        found.append(token)
        at += 1
    return found


BUILTIN = words("str int float bool bytes dict list tuple set frozenset type object complex None")


def _names_type(stream: list[Token], at: int) -> int:
    """Behind a line `Name = ` and a type, 0 when what stands at `at` is none."""
    if not (stream[at].kind == NAME and stream[at].text[:1].isupper() and not stream[at].text.isupper()):
        return 0
    if at + 1 >= len(stream) or stream[at + 1].text != "=":
        return 0
    end = at + 2
    compound = False
    while end < len(stream) and stream[end].kind not in LAID:
        token = stream[end]
        compound |= token.text in ("|", "[")
        camel = token.text[:1].isupper() and not token.text.isupper()
        if token.kind == NUMBER or (token.kind in (NAME, WORD) and not camel and token.text not in BUILTIN):
            return 0
        if token.kind == SIGN and token.text not in ("|", "[", "]", ",", ".", "..."):
            return 0
        end += 1
    return end if compound else 0


def _declares(found: list[Token]) -> bool:
    """Whether the line so far is a plain target: `x`, `self.x`."""
    at = len(found) - 1
    seen = 0
    while at >= 0 and found[at].kind not in LAID:
        if found[at].kind != NAME and found[at].text != ".":
            return False
        seen += 1
        at -= 1
    return seen % 2 == 1


def _script_types(stream: list[Token]) -> list[Token]:
    """TypeScript without most of its types: aliases, interfaces, annotations of parameters, results and variables."""
    found: list[Token] = []
    stack: list[str] = []
    at = 0
    while at < len(stream):
        token = stream[at]
        text = token.text
        after = stream[at + 1] if at + 1 < len(stream) else NEWLINE
        if token.kind == SIGN and text in OPEN:
            stack.append(text)
        elif token.kind == SIGN and text in CLOSE and stack:
            stack.pop()
        if text in ("type", "interface") and after.kind == NAME and (not found or found[-1].text != "."):
            while found and found[-1].text in ("export", "declare"):
                found.pop()
            at = _alias(stream, at, text)
            continue
        if (
            text in ("as", "satisfies")
            and after.kind in (NAME, WORD)
            and found
            and found[-1].text not in ("*", "import")
        ):
            importing = "import" in [one.text for one in found[-12:]] or "export" in [one.text for one in found[-12:]]
            if not importing:
                at = _past(stream, at + 1, frozenset((",", ")", "}", "]", ";", "=", "?", "&&", "||", "??", "===")))
                continue
        if text == "<" and found and (found[-1].kind == NAME or found[-1].text in ("=", "function")):
            end = _angled(stream, at)
            if end and end < len(stream) and stream[end].text == "(":
                at = end
                continue
        if token == COLON and found:
            last = found[-1]
            if last.text == ")" and not ("?" in [one.text for one in found[-12:]] and not stack):
                end = _past(stream, at + 1, RETURN)
                if end < len(stream) and stream[end].text in ("{", "=>"):
                    at = end
                    continue
            elif (last.kind == NAME or last.text in "?}]") and stack and stack[-1] == "(" and _parameter(found):
                if last.text == "?":
                    found.pop()
                at = _past(stream, at + 1, PARAMETER)
                continue
            elif last.kind == NAME and len(found) > 1 and found[-2].text in ("const", "let", "var"):
                at = _past(stream, at + 1, VARIABLE)
                continue
        found.append(token)
        at += 1
    return found


def _parameter(found: list[Token]) -> bool:
    """Whether a name before a colon stands where a parameter does: behind `(` or `,`, no `?` between."""
    before = found[-3].text if found[-1].text == "?" and len(found) > 2 else found[-2].text if len(found) > 1 else ""
    return before in ("(", ",", "...", "}", "]") or found[-1].text in "}]"


def exported(stream: list[Token]) -> set[str]:
    """The types that a TypeScript text hands on under their own names."""
    return {
        name.text
        for one, two, name in zip(stream, stream[1:], stream[2:], strict=False)
        if one.text == "export" and two.text in ("type", "interface") and name.kind == NAME
    }


def _alias(stream: list[Token], at: int, word: str) -> int:
    """Where a type's alias or an interface that begins here is over."""
    depth = 0
    body = False
    limit = min(at + 4 * FAR, len(stream))
    while at < limit:
        text = stream[at].text if stream[at].kind == SIGN else ""
        if text in OPEN:
            depth += 1
            body = True
        elif text in CLOSE:
            if not depth:
                return at
            depth -= 1
            if not depth and word == "interface" and text == "}":
                return at + 1
        elif (
            not depth
            and stream[at].text in ("const", "export", "function", "import", "let", "var", "class", "type")
            and body
        ):
            return at
        at += 1
        if at < len(stream) and not depth and stream[at].text in (
            "const", "export", "function", "import", "let", "var", "class", "interface", "type",
        ) and stream[at - 1].text not in ("=", "|", "&", "<", ",", ":", "=>"):  # fmt: skip
            return at
    return at


def _notes(stream: list[Token], language: Language) -> list[Token]:
    """Without annotations and attributes that only readers and checkers see."""
    found: list[Token] = []
    at = 0
    while at < len(stream):
        token = stream[at]
        name = stream[at + 1].text if at + 1 < len(stream) else ""
        if token.text[:1] == "@" and (token.text[1:] or name) in NOTES and language.family in ("java", "python"):
            at += 1 if len(token.text) > 1 else 2
            if at < len(stream) and stream[at].text == "(":
                at = _past(stream, at + 1, frozenset()) + 1
            continue
        if token.text == "#" and language.family == "rust" and name in ("[", "!"):
            start = at + (2 if name == "[" else 3)
            if start < len(stream) and stream[start].text in NOTES:
                at = _past(stream, start, frozenset()) + 1
                continue
        found.append(token)
        at += 1
    return found


def _casts(stream: list[Token]) -> list[Token]:
    """C without casts to a pointer, which change no value."""
    found: list[Token] = []
    at = 0
    while at < len(stream):
        if stream[at].text == "(" and stream[at].kind == SIGN:
            end = at + 1
            while end < len(stream) and stream[end].kind in (NAME, WORD):
                end += 1
            stars = end
            while stars < len(stream) and stream[stars].text in ("*", "**"):
                stars += 1
            closed = end > at + 1 and stars > end and stars + 1 < len(stream) and stream[stars].text == ")"
            if closed and (stream[stars + 1].kind == NAME or stream[stars + 1].text in ("(", "&")):
                at = stars + 1
                continue
        found.append(stream[at])
        at += 1
    return found


def _lifetimes(stream: list[Token]) -> list[Token]:
    """Rust without lifetimes; labels of loops stay."""
    found: list[Token] = []
    for at, token in enumerate(stream):
        after = stream[at + 1].text if at + 1 < len(stream) else ""
        label = after == ":" and at + 2 < len(stream) and stream[at + 2].text in ("loop", "for", "while", "{")
        if token.kind == NAME and token.text[0] == "'" and not label and (not found or found[-1].text not in JUMPS):
            if found and found[-1].text in (":", "+"):
                found.pop()
            continue
        if token.kind == SIGN and token.text in (",", ">") and found and found[-1].text == "<":
            if token.text == ">":
                found.pop()
            continue
        found.append(token)
    return found


def untyped(stream: list[Token], language: Language) -> list[Token]:
    """A plain stream without types (where they can be told), modifiers, and notes for readers."""
    family = language.family
    found = _notes(stream, language)
    if family == "python":
        found = _python_types(found)
    elif language.name == "typescript":
        found = _script_types(found)
    elif family == "c":
        found = _casts(found)
    elif family == "rust":
        found = _lifetimes(found)
    dropped = DROPPED.get(family, frozenset())
    binders = BINDERS.get(family, ())
    kept: list[Token] = []
    at = 0
    while at < len(found):
        token = found[at]
        if token.kind == WORD and token.text in dropped:
            follows = found[at + 1].text if at + 1 < len(found) else ""
            if family == "rust" and follows in ("use", "mod"):
                kept.append(token)
            if family == "rust" and token.text == "pub" and follows == "(":
                at = _past(found, at + 2, frozenset()) + 1
                continue
        elif token.kind == WORD and token.text in binders:
            kept.append(Token(WORD, binders[0]))
        elif not (token.kind == LINE and kept and kept[-1].kind == LINE):
            kept.append(token)
        at += 1
    return kept
