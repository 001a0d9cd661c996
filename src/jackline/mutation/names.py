"""Names: where they are bound, and which of them were renamed."""

from __future__ import annotations

import re
from collections import Counter
from difflib import SequenceMatcher
from typing import NamedTuple

from jackline.mutation.languages import words
from jackline.mutation.lexer import NAME, SIGN, STRING, WORD, Token
from jackline.mutation.units import Block, Unit

DEFINERS = words(
    "def class fn func function fun let var const val local type struct enum interface trait mod module namespace "
    "as for import static union macro_rules define typedef in"
)
"""Words a bound name follows."""
TYPED = words("int char long short unsigned signed float double bool void auto boolean byte")
COMMON = words(
    "get set is has to of on do make create new add remove update the a an by in from with not un error exception"
)
"""Parts of names that many share and that say little; pairs that share only these may be opposites."""
NEAR = 24
"""Tokens that are looked ahead for what binds names together."""
OWN = ("self", "this", "cls")
ALIGNED = 500_000


class Renames(NamedTuple):
    """Old names and their new ones; how sure, 0 to 1."""

    names: dict[str, str]
    sure: float


def parts(name: str) -> set[str]:
    """The words in a name, in lower case."""
    return {one.lower() for one in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+", name)}


def alike(old: str, new: str) -> bool:
    """Whether two names speak of the same: they share a word that says something, or differ by a slip of the pen."""
    one, two = parts(old), parts(new)
    if (one & two) - COMMON:
        return True
    low, high = sorted((old.lower().strip("_"), new.lower().strip("_")), key=len)
    if low and (high.startswith(low) or high.endswith(low)) and len(low) > 2:
        return True
    return min(len(old), len(new)) > 4 and SequenceMatcher(None, old.lower(), new.lower()).ratio() > 0.8


def bound(stream: list[Token] | tuple[Token, ...]) -> set[str]:
    """Names that a piece of code binds: defines, declares, takes as parameters, or sets."""
    found: set[str] = set()
    parens: list[bool] = []
    size = len(stream)
    for at, token in enumerate(stream):
        before = stream[at - 1] if at else Token(SIGN, "")
        after = stream[at + 1] if at + 1 < size else Token(SIGN, "")
        if token.kind == SIGN:
            if token.text == "(":
                named = (
                    at > 1 and before.kind == NAME and (stream[at - 2].text in DEFINERS or stream[at - 2].text in "*)>")
                )
                declared = at > 1 and before.kind == NAME and stream[at - 2].kind == NAME
                parens.append(named or declared or before.text in ("func", "function", "fn", "lambda"))
            elif token.text == ")" and parens:
                parens.pop()
            continue
        if token.kind != NAME:
            continue
        if (
            before.text in DEFINERS
            or before.text in TYPED
            or (before.kind == NAME and before.text[:1] != "@")
            or (after.text in ("=", ":=", "=>", "<-") and not (before.text in (".", "->") and _foreign(stream, at)))
            or (parens and parens[-1] and before.text in ("(", ",", "*", "**", "&", "...", ":"))
            or (
                before.text in ("*", "&", "]", ">")
                and after.text in ("=", ";", ",", ")", "(")
                and at > 1
                and (stream[at - 2].kind in (NAME, WORD) or stream[at - 2].text in ("[", "*", "?"))
            )
            or (before.text in ("|", "{", ",") and after.text in ("|", ",", "}") and _destructured(stream, at))
        ):
            found.add(token.text)
    return found


def _foreign(stream: list[Token] | tuple[Token, ...], at: int) -> bool:
    """Whether the member at `at` is one of another object."""
    return at > 1 and stream[at - 2].text not in OWN


def _destructured(stream: list[Token] | tuple[Token, ...], at: int) -> bool:
    """Whether a name stands among names that are bound together: `{a, b} =`, `a, b :=`, `|a, b|`."""
    end = at
    while end < min(at + NEAR, len(stream)) and (stream[end].kind == NAME or stream[end].text in (",", "}")):
        end += 1
    return end < len(stream) and stream[end].text in ("=", ":=", "|", "in", "of")


def called(stream: list[Token] | tuple[Token, ...]) -> set[str]:
    """Names that are called; where they are defined is no call."""
    return {
        token.text
        for before, token, after in zip([Token(SIGN, ""), *stream], stream, stream[1:], strict=False)
        if token.kind == NAME
        and after.text in ("(", "!")
        and after.kind == SIGN
        and before.text not in DEFINERS
        and (before.kind != NAME)
    }


def _flat(block: Block) -> tuple[list[Token], list[Token]]:
    return [t for unit in block.old for t in unit.tokens], [t for unit in block.new for t in unit.tokens]


def _shape(token: Token) -> str:
    return "name" if token.kind == NAME else "string" if token.kind == STRING else token.text


def _votes(block: Block) -> list[tuple[str, str]]:
    """Names that stand for one another in a place, read off equal shapes."""
    old, new = _flat(block)
    if len(old) * len(new) > ALIGNED:
        return []
    found: list[tuple[str, str]] = []
    shapes = [_shape(one) for one in old], [_shape(one) for one in new]
    if shapes[0] == shapes[1]:
        pairs = [(0, 0, len(old))]
    else:
        pairs = [
            (a, c, b - a)
            for tag, a, b, c, d in SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
            if tag == "replace" and b - a == d - c and shapes[0][a:b] == shapes[1][c:d]
        ]
    for a, c, size in pairs:
        for one, two in zip(old[a : a + size], new[c : c + size], strict=True):
            if one.kind == NAME:
                found.append((one.text, two.text))
    return found


def renames(blocks: tuple[Block, ...], before: Counter[str], after: Counter[str]) -> Renames:
    """The names that gave way to others wherever they stood; `before` and `after` count all names of the texts."""
    votes: dict[str, Counter[str]] = {}
    olds: set[str] = set()
    news: set[str] = set()
    old_bound: set[str] = set()
    new_bound: set[str] = set()
    for block in blocks:
        for one, two in _votes(block):
            votes.setdefault(one, Counter())[two] += 1
        old, new = _flat(block)
        olds |= {token.text for token in old}
        news |= {token.text for token in new}
        old_bound |= bound(old)
        new_bound |= bound(new)
    taken: Counter[str] = Counter()
    found: dict[str, str] = {}
    sure = 1.0
    everywhere = len(votes) > 1 and not any(old in counted for old, counted in votes.items())
    for old_name, counted in votes.items():
        others = [new for new in counted if new != old_name]
        if len(others) != 1:
            continue
        new_name = others[0]
        gone, fresh = not after[old_name], not before[new_name]
        held = old_name in old_bound and new_name in new_bound
        if old_name in news or new_name in olds or len(counted) > 1:
            # only here and there, as where another scope has the same name
            if held and new_name not in olds and counted[new_name] > 1:
                found[old_name] = new_name
                taken[new_name] += 1
                sure = min(sure, 0.7)
            continue
        if held and (gone or fresh):
            worth = 0.95
        elif held:
            worth = 0.8
        elif gone and fresh and (alike(old_name, new_name) or everywhere):
            worth = 0.75 if alike(old_name, new_name) else 0.7
        else:
            continue
        found[old_name] = new_name
        taken[new_name] += 1
        sure = min(sure, worth)
    return Renames({old: new for old, new in found.items() if taken[new] == 1}, sure)


def _renamed(unit: Unit, like: Unit | None, names: dict[str, str]) -> Unit:
    """A unit under the new names; where one of the same shape stands on the other side, only where that has them."""
    same = like is not None and [_shape(one) for one in unit.tokens] == [_shape(one) for one in like.tokens]
    tokens = []
    for at, token in enumerate(unit.tokens):
        new = names.get(token.text) if token.kind in (NAME, STRING) else None
        if new and (like is None or not same or like.tokens[at].text == new):
            token = token._replace(text=new)
        tokens.append(token)
    return unit._replace(tokens=tuple(tokens))


def renamed(block: Block, names: dict[str, str]) -> Block:
    """A place with its old side under the new names; strings that are just such a name go along."""
    pairs: list[Unit | None] = list(block.new) if len(block.old) == len(block.new) else [None] * len(block.old)
    return block._replace(old=tuple(_renamed(unit, like, names) for unit, like in zip(block.old, pairs, strict=True)))
