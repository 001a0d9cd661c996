"""Statements and entries of a stream, what of them went, what came, and what only moved."""

from __future__ import annotations

from collections import Counter
from difflib import SequenceMatcher
from typing import NamedTuple

from jackline.mutation.languages import Language, words
from jackline.mutation.lexer import IN, LINE, OUT, SIGN, Token

CONTINUED = words("= . + && || ? : => | &")
WINDOW = 500_000
"""Units on one side times units on the other that are aligned in order; above it only their number counts."""


class Unit(NamedTuple):
    """One statement, head of a block, or entry, and how deep it stands."""

    tokens: tuple[Token, ...]
    depth: int


class Block(NamedTuple):
    """What stands in one place of a text before and after."""

    old: tuple[Unit, ...]
    new: tuple[Unit, ...]


class Changed(NamedTuple):
    """The places that differ; `moved` are units that stand on both sides, somewhere; what is left is in `blocks`."""

    blocks: tuple[Block, ...]
    moved: tuple[Unit, ...]
    whole: tuple[Block, ...]
    """The places with all their units."""


def _goes_on(held: list[Token]) -> bool:
    """Whether a line that ends here is no statement's end."""
    return bool(held) and held[-1].kind == SIGN and held[-1].text in CONTINUED


def units(stream: list[Token], language: Language) -> list[Unit]:
    """A stream in units: lines where they end statements, else up to `;`, a brace, or a comma outside of calls."""
    found: list[Unit] = []
    held: list[Token] = []
    outer: list[int] = []
    depth = parens = 0
    lined = language.lines or language.family in ("go", "script")

    def close() -> None:
        nonlocal held
        if held and not all(token.kind == SIGN and token.text in "})];,end" for token in held):
            found.append(Unit(tuple(held), depth))
        held = []

    for token in stream:
        if token.kind in (LINE, IN, OUT):
            grouped = parens and held and held[0].text == "import"
            if grouped or (token.kind == LINE and language.family == "script" and (parens or _goes_on(held))):
                continue
            close()
            depth += (token.kind == IN) - (token.kind == OUT)
            continue
        text = token.text if token.kind == SIGN else ""
        if text in ("(", "["):
            parens += 1
        elif text in (")", "]"):
            parens = max(parens - 1, 0)
        if text == "{" and not language.indent:
            held.append(token)
            close()
            depth += 1
            outer.append(parens)
            parens = 0  # a block in a call's brackets has statements of its own
        elif text == "}" and not language.indent:
            close()
            depth = max(depth - 1, 0)
            parens = outer.pop() if outer else 0
        elif (text == ";" and not lined) or (
            text == "," and not parens and language.family in ("script", "data", "rust", "c")
        ):
            close()
        else:
            held.append(token)
            if text == "," and language.family in ("python", "data", "ruby") and parens == 1 and len(held) > 1:
                close()
    close()
    return found


def _trimmed(old: list[Unit], new: list[Unit]) -> tuple[list[Unit], list[Unit]]:
    """Both without the same beginning and the same end."""
    start = 0
    while start < len(old) and start < len(new) and old[start] == new[start]:
        start += 1
    end = 0
    while end < len(old) - start and end < len(new) - start and old[-1 - end] == new[-1 - end]:
        end += 1
    return old[start : len(old) - end], new[start : len(new) - end]


def _without(given: tuple[Unit, ...], gone: Counter[tuple[Token, ...]]) -> tuple[Unit, ...]:
    kept = []
    for unit in given:
        if gone[unit.tokens] > 0:
            gone[unit.tokens] -= 1
        else:
            kept.append(unit)
    return tuple(kept)


def compare(old: list[Unit], new: list[Unit]) -> Changed:
    """What differs between two lists of units, whatever their depth."""
    old, new = _trimmed(old, new)
    if len(old) * len(new) > WINDOW:
        blocks = [Block(tuple(old), tuple(new))]
    else:
        matcher = SequenceMatcher(None, [one.tokens for one in old], [one.tokens for one in new], autojunk=False)
        blocks = [
            Block(tuple(old[a:b]), tuple(new[c:d])) for tag, a, b, c, d in matcher.get_opcodes() if tag != "equal"
        ]
    return cancelled(tuple(blocks))


def cancelled(blocks: tuple[Block, ...]) -> Changed:
    """Places without the units that stand on both sides."""
    gone = Counter(unit.tokens for block in blocks for unit in block.old)
    came = Counter(unit.tokens for block in blocks for unit in block.new)
    both = gone & came
    first, second = both.copy(), both.copy()
    left = tuple(Block(_without(block.old, first), _without(block.new, second)) for block in blocks)
    moved = []
    third = both.copy()
    for block in blocks:
        for unit in block.new:
            if third[unit.tokens] > 0:
                third[unit.tokens] -= 1
                moved.append(unit)
    return Changed(tuple(block for block in left if block.old or block.new), tuple(moved), blocks)
