"""Functions of a text: what their bodies hold, so that a call may stand for code that said the same in its place."""

from __future__ import annotations

from jackline.mutation.content import Content, content
from jackline.mutation.languages import Language
from jackline.mutation.lexer import NAME, SIGN, Token
from jackline.mutation.units import Unit

LEAST = 4
"""Pieces that must go for one call in their place."""
TOLD = ("string", "number", "value", "control", "sign", "call")
"""Sorts of pieces that a body must have had in the place where it is called now."""
HEADS = frozenset(("def", "function", "fn", "func", "fun"))


def _heads(unit: Unit, name: str) -> bool:
    """Whether a unit begins the function of this name."""
    texts = [token.text for token in unit.tokens]
    if name not in texts or unit.tokens[-1].text not in ("{", ":"):
        return False
    at = texts.index(name)
    named = at > 0 and (texts[at - 1] in HEADS or ("function" in texts and "=" in texts))
    typed = at > 0 and unit.tokens[at - 1].kind == NAME and texts[at + 1 : at + 2] == ["("]
    return named or typed


def body(name: str, units: list[Unit], language: Language) -> Content | None:
    """What the body of a function holds; None when there is none of this name, or more than one."""
    places = [at for at, unit in enumerate(units) if _heads(unit, name)]
    if len(places) != 1:
        return None
    head = units[places[0]]
    inside: list[Token] = []
    for unit in units[places[0] + 1 :]:
        if unit.depth <= head.depth:
            break
        inside.extend((*unit.tokens, Token(SIGN, ";")))
    return content(inside, language) if inside else None


def stands_for(came: Content, gone: Content, out: Content, units: list[Unit], language: Language) -> bool:
    """Whether calls that came stand for what went: their functions hold all of it, and held it in this place before."""
    names = [text for sort, text in came if sort == "call"]
    if not names or any(sort not in ("call", "name", "exit", "doubtful", "type") for sort, _ in came):
        return False
    if sum(gone.values()) < LEAST:
        return False
    held: set[tuple[str, str]] = set()
    for name in names:
        found = body(name, units, language)
        if found is None or any(key[0] in TOLD and key not in out for key in found):
            return False
        held |= set(found)
    return all(key in held for key in gone if key[0] in TOLD)


def parameters(units: list[Unit]) -> set[str]:
    """Names of the parameters of functions without a name, in a script."""
    found: set[str] = set()
    for unit in units:
        for at, token in enumerate(unit.tokens):
            if token.text != "(" or (unit.tokens[at - 1].text != "function" and at):
                continue
            end = next((i for i in range(at, len(unit.tokens)) if unit.tokens[i].text == ")"), at)
            found |= {one.text for one in unit.tokens[at + 1 : end] if one.kind == NAME}
    return found
