"""What of a piece of code does something, counted; what only arranges is left out."""

from __future__ import annotations

import re
from collections import Counter

from jackline.mutation.languages import Language, words
from jackline.mutation.lexer import NAME, NUMBER, SIGN, STRING, VALUES, WORD, Token

Content = Counter[tuple[str, str]]
"""Pieces by sort and text."""

NEUTRAL_WORDS = words(
    "def function fn func fun let var const val local import from as end then do begin self this pass class new static "
    "struct impl type interface where move ref mut in lambda include use require crate void auto done fi esac "
    "nonlocal global using namespace"
)
"""Words that arrange; alone they do nothing."""
TYPE_WORDS = words(
    "any boolean number string void never unknown keyof typeof infer extends implements int char float double long "
    "short unsigned signed bool byte abstract throws where dyn object Self"
)
NEUTRAL_SIGNS = words("( ) [ ] { } , ; : . -> => :: = := @ # $ \\ ` ' \"")
DOUBTFUL = words("< > & * | ?")
"""Signs that are operators here and arrange there."""
SAME = {
    "not": "!",
    "and": "&&",
    "or": "||",
    "===": "==",
    "!==": "!=",
    "elsif": "if",
    "elif": "if",
    "is": "==",
    "unless": "if",
}
"""What is said otherwise and means the same."""
EXITS = words("return continue break raise throw exit")
PLACES = re.compile(r"%\([\w.]+\)[\w.]*|%[-+#0 \d.*]*[a-zA-Z]|\{[\w.!:>,+-]*\}")
"""Where a text takes a value, when it is formatted."""
TYPED = ("java", "c", "rust", "go", "script")
"""Families in which a name with a capital is mostly a type."""
WEIGHTS = {
    "string": 3.0,
    "number": 3.0,
    "value": 2.5,
    "control": 2.5,
    "sign": 2.0,
    "call": 2.0,
    "name": 1.25,
    "exit": 1.0,
    "doubtful": 0.5,
    "type": 0.3,
}
"""How much a piece of each sort says that something else is done."""
TOLD = {
    "control": "branches, loops or errors",
    "exit": "ways out",
    "sign": "operators",
    "string": "texts",
    "number": "numbers",
    "value": "values",
    "call": "calls",
    "name": "names",
}


def _named(stream: list[Token], at: int, after: Token, language: Language) -> str:
    """What a name is: called, a type, or any other."""
    before = stream[at - 1].text if at else ""
    if after.kind == SIGN and (after.text == "(" or (after.text == "!" and language.family == "rust")):
        return "name" if before == "!" and language.family == "rust" else "call"
    if language.family in TYPED:
        name = stream[at].text
        if after.kind == NAME and before != ".":
            return "type"
        camel = name[:1].isupper() and not name.isupper()
        if camel and before not in (".", "::") and after.text not in (".", "::"):
            return "type"
    return "name"


def _worded(text: str) -> str:
    """The sort of a language's own word, "" for one that arranges."""
    if text in VALUES:
        return "value"
    if text in TYPE_WORDS:
        return "type"
    if text == "else":
        return "doubtful"
    if text == "return":
        return "exit"
    return "" if text in NEUTRAL_WORDS else "control"


def _chunks(stream: list[Token], at: int) -> list[str]:
    """A text's pieces between the values it takes, however it takes them; the text itself when it takes none."""
    text = stream[at].text
    behind = [token.text for token in stream[at + 1 : at + 3]]
    if behind[:1] == ["%"] or behind == [".", "format"]:
        text = PLACES.sub("\0", text)
    if "\0" not in text:
        return [text]
    return [chunk for chunk in text.split("\0") if chunk]


def _joins(stream: list[Token], at: int) -> bool:
    """Whether a sign puts a text and a value together."""
    near = stream[max(at - 1, 0) : at + 2]
    return any(token.kind == STRING for token in (near if stream[at].text == "+" else near[:1]))


def content(stream: list[Token], language: Language) -> Content:
    """The pieces of a stream that do something."""
    found: Content = Counter()
    for at, token in enumerate(stream):
        text = SAME.get(token.text, token.text)
        if token.kind == STRING:
            for chunk in _chunks(stream, at):
                found["string", chunk] += 1
        elif token.kind == NUMBER:
            found["number", text] += 1
        elif token.kind == NAME:
            after = stream[at + 1] if at + 1 < len(stream) else Token(SIGN, "")
            if text != "format" or at < 2 or stream[at - 2].kind != STRING:
                found[_named(stream, at, after, language), text] += 1
        elif token.kind == WORD or text != token.text:
            sort = "sign" if text in ("!", "&&", "||", "==", "!=") else _worded(text)
            if sort:
                found[sort, text] += 1
        elif text == "=>" and language.family == "script":
            if at + 1 < len(stream) and stream[at + 1].text != "{":
                found["exit", "return"] += 1
        elif text in ("+", "%") and _joins(stream, at):
            continue
        elif token.kind == SIGN and text not in NEUTRAL_SIGNS:
            found["doubtful" if text in DOUBTFUL else "sign", text] += 1
    return found


def told(came: Content, gone: Content) -> list[str]:
    """Signs of another behaviour, in words."""
    said = []
    for sort, word in TOLD.items():
        more = any(kind == sort for kind, _ in came)
        less = any(kind == sort for kind, _ in gone)
        if more or less:
            said.append(f"{'other' if more and less else 'new' if more else 'removed'} {word}")
    return said
