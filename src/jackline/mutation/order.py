"""Order within one statement: where the same pieces in another order, or other brackets, do something else."""

from __future__ import annotations

from collections import Counter

from jackline.mutation.content import content
from jackline.mutation.languages import Language, words
from jackline.mutation.lexer import NAME, NUMBER, SIGN, STRING, Token
from jackline.mutation.units import Block, Unit

BINDING = words("+ - * / % ** // && || and or & | ^ << >> == != < > <= >= ! not ? ??")
"""Signs and words between which brackets decide."""
NEAR = 400
"""Tokens that are looked ahead for the bracket that closes."""
KEYED = ("=", ":", "=>")


def _pieces(unit: Unit) -> list[Token]:
    return [token for token in unit.tokens if token.kind in (NAME, STRING, NUMBER) or token.text in BINDING]


def _entries(unit: Unit) -> list[tuple[Token, ...]] | None:
    """The parts of a unit between commas, sorted, when each is a key with its value; else None."""
    found: list[tuple[Token, ...]] = []
    held: list[Token] = []
    for token in unit.tokens:
        if token.kind == SIGN and token.text in ("(", ")", "{", "}", "[", "]", ","):
            if held:
                found.append(tuple(held))
            held = []
        else:
            held.append(token)
    if held:
        found.append(tuple(held))
    if not all(len(part) > 2 and part[1].text in KEYED for part in found[1:]):
        return None
    return sorted(found)


def _decisive(tokens: tuple[Token, ...], at: int) -> bool:
    """Whether the bracket that opens at `at` holds an operator together against one outside."""
    depth, end, inside = 0, at, False
    while end < min(at + NEAR, len(tokens)):
        text = tokens[end].text if tokens[end].kind == SIGN else ""
        depth += (text == "(") - (text == ")")
        inside |= depth == 1 and tokens[end].text in BINDING
        if not depth:
            break
        end += 1
    before = tokens[at - 1].text if at else ""
    after = tokens[end + 1].text if end + 1 < len(tokens) else ""
    return inside and (before in BINDING or after in BINDING)


def _brackets(unit: Unit) -> list[int]:
    """How many pieces stand before each bracket that decides."""
    found = []
    pieces = 0
    for at, token in enumerate(unit.tokens):
        if token.kind == SIGN and token.text == "(" and _decisive(unit.tokens, at):
            found.append(pieces)
        pieces += token.kind != SIGN or token.text in BINDING
    return found


def _joined(units: tuple[Unit, ...]) -> Unit:
    gap = Token(SIGN, ",")
    return Unit(tuple(token for unit in units for token in (*unit.tokens, gap)), 0)


def spread(stream: list[Token]) -> Counter[str]:
    """What stands before each spread: what follows one may replace what it brings."""
    return Counter(stream[at - 1].text for at, token in enumerate(stream) if at and token.text == "...")


def permuted(blocks: tuple[Block, ...], language: Language) -> bool:
    """Whether a statement holds the same pieces in an order, or in brackets, that may do something else."""
    for block in blocks:
        one, two = _joined(block.old), _joined(block.new)
        if len(block.old) != len(block.new) or content(list(one.tokens), language) != content(
            list(two.tokens), language
        ):
            continue
        pieces = _pieces(one), _pieces(two)
        if pieces[0] == pieces[1] and _brackets(one) != _brackets(two):
            return True
        same = pieces[0] != pieces[1] and sorted(pieces[0]) == sorted(pieces[1])
        if same and (_entries(one) is None or _entries(one) != _entries(two)):
            return True
    return False
