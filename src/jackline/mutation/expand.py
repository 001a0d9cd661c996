"""Names and calls told by what they stand for: a variable by its expression, a function by the one it gives back."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from jackline.mutation.languages import Language
from jackline.mutation.lexer import NAME, SIGN, WORD, Token
from jackline.mutation.units import Block, Changed, Unit, cancelled

LONG = 120
"""Tokens of an expression at most."""
ROUNDS = 3
"""How often names in expressions are told in turn."""
FUNCTIONS = frozenset(("def", "function", "fn", "func", "fun"))
OPENING, CLOSING = frozenset("([{"), frozenset(")]}")
OWN = frozenset(("self", "this"))
Tokens = tuple[Token, ...]


class Meaning(NamedTuple):
    """What a name stands for; a function's has parameters. `units` are those that say so; `own`: no other text sees."""

    tokens: Tokens
    params: Tokens | None
    units: tuple[Unit, ...]
    own: bool = True


def _split(tokens: Tokens) -> list[Tokens]:
    """The parts of what stands in brackets."""
    parts: list[list[Token]] = [[]]
    depth = 0
    for token in tokens:
        if token.kind == SIGN:
            depth += (token.text in OPENING) - (token.text in CLOSING)
        if token.text == "," and token.kind == SIGN and not depth:
            parts.append([])
        else:
            parts[-1].append(token)
    return [tuple(part) for part in parts if part]


def _close(tokens: Tokens, at: int) -> int:
    """Where the bracket at `at` is closed, the end when it is not."""
    depth = 0
    for end in range(at, len(tokens)):
        if tokens[end].kind == SIGN:
            depth += (tokens[end].text in OPENING) - (tokens[end].text in CLOSING)
        if not depth:
            return end
    return len(tokens)


def _closed(tokens: Tokens) -> bool:
    """Whether each bracket closes; an argument by its name, the last of a call, closes one more."""
    signs = [one.text for one in tokens if one.kind == SIGN]
    return sum(one in OPENING for one in signs) == sum(one in CLOSING for one in signs)


def _variable(unit: Unit) -> tuple[str, Tokens] | None:
    """The name that a unit gives to an expression."""
    at = next((at for at, one in enumerate(unit.tokens[:8]) if one.text in ("=", ":=") and one.kind == SIGN), 0)
    if not at or unit.tokens[at - 1].kind != NAME or (at > 1 and unit.tokens[at - 2].text in (".", "->", ",", "[")):
        return None
    value = unit.tokens[at + 1 :]
    bare = value and value[-1].text != "," and len(value) <= LONG and _closed(value)
    return (unit.tokens[at - 1].text, value) if bare else None


def _params(tokens: Tokens) -> Tokens | None:
    """The names of plain parameters; None when one of them is more."""
    names = []
    for part in _split(tokens):
        if any(one.text in ("=", "*", "**", "...", "{", "[") for one in part):
            return None
        own = [one for one in part if one.kind in (NAME, WORD)]
        if own and own[0].text not in OWN:
            names.append(own[0] if len(own) == 1 or part[1:2] == (Token(SIGN, ":"),) else own[-1])
    return tuple(names)


def _function(head: Unit, body: Unit) -> tuple[str, Meaning] | None:
    """The function that two units make: its head, and all that it gives back."""
    at = next((at for at, one in enumerate(head.tokens) if one.text == "(" and one.kind == SIGN), 0)
    if not at or head.tokens[at - 1].kind != NAME or head.tokens[-1].text not in ("{", ":"):
        return None
    told = body.tokens[1:] if body.tokens[0].text == "return" else body.tokens
    params = _params(head.tokens[at + 1 : _close(head.tokens, at)])
    if params is None or not told or len(told) > LONG:
        return None
    return head.tokens[at - 1].text, Meaning(told, params, (head, body))


def _arrow(tokens: Tokens) -> tuple[Tokens, Tokens] | None:
    """Parameters and result of an arrow function without a block."""
    at = next((at for at, one in enumerate(tokens) if one.text == "=>"), 0)
    if not at or tokens[at + 1 : at + 2] == (Token(SIGN, "{"),):
        return None
    head = tokens[1 : at - 1] if tokens[0].text == "(" else tokens[:at]
    params = _params(head)
    return None if params is None else (params, tokens[at + 1 :])


def meanings(units: list[Unit], language: Language) -> dict[str, Meaning]:
    """What each name stands for that is set once."""
    found: dict[str, Meaning] = {}
    times: Counter[str] = Counter()
    for at, unit in enumerate(units):
        if not unit.tokens:
            continue
        named = _variable(unit)
        if named is not None:
            name, value = named
            arrow = _arrow(value) if language.family == "script" else None
            told = Meaning(arrow[1], arrow[0], (unit,)) if arrow else Meaning(value, None, (unit,))
            times[name] += 1
            found[name] = told
            continue
        following = units[at + 1 : at + 3]
        single = following and following[0].depth > unit.depth and all(one.depth <= unit.depth for one in following[1:])
        if single and (following[0].tokens[0].text == "return" or language.family == "rust"):
            made = _function(unit, following[0])
            said = {one.text for one in unit.tokens} & FUNCTIONS or language.family in ("java", "c", "script")
            if made and said and unit.tokens[0].text not in ("if", "for", "while", "switch", "match"):
                times[made[0]] += 1
                found[made[0]] = made[1]
    return {
        name: told._replace(own=_own(name, told.units[0], units, language))
        for name, told in found.items()
        if times[name] == 1
    }


def _own(name: str, unit: Unit, units: list[Unit], language: Language) -> bool:
    """Whether what a unit defines is seen by nothing outside: it is local, or named so."""
    texts = {one.text for one in unit.tokens}
    if language.family == "python":
        place = next(at for at, one in enumerate(units) if one is unit)
        head = next((one for one in reversed(units[:place]) if one.depth < unit.depth), None)
        return name[0] == "_" or (head is not None and head.tokens[0].text not in ("class", "if", "try", "else"))
    if language.family == "go":
        return unit.depth > 0 or name[:1].islower()
    if language.family == "java":
        return unit.depth > 1 or "(" in texts
    return not texts & {"export", "exports"}


def _told(tokens: Tokens, names: dict[str, Meaning]) -> Tokens:
    """Tokens with what the names stand for."""
    found: list[Token] = []
    at = 0
    while at < len(tokens):
        token = tokens[at]
        meaning = names.get(token.text) if token.kind == NAME else None
        after = tokens[at + 1] if at + 1 < len(tokens) else Token(SIGN, "")
        own = not found or found[-1].text not in (".", "->", "::") or (len(found) > 1 and found[-2].text in OWN)
        if meaning is None or not own or (found and found[-1].text in FUNCTIONS) or after.text in ("=", ":="):
            found.append(token)
        elif meaning.params is None:
            found.extend(meaning.tokens)
        elif after.text == "(":
            end = _close(tokens, at + 1)
            given = dict(zip((one.text for one in meaning.params), _split(tokens[at + 2 : end]), strict=False))
            if found and found[-1].text == ".":
                del found[-2:]
            for one in meaning.tokens:
                found.extend(_told(given[one.text], names) if one.kind == NAME and one.text in given else (one,))
            at = end
        else:
            found.append(token)
        at += 1
    return tuple(found)


def _names(side: list[Unit]) -> Counter[str]:
    return Counter(token.text for unit in side for token in unit.tokens if token.kind == NAME)


def expanded(left: Changed, old: list[Unit], new: list[Unit], language: Language) -> Changed | None:
    """What is left when each side's own names are told by what they stand for; None when none of them is."""
    out = [unit for block in left.blocks for unit in block.old]
    into = [unit for block in left.blocks for unit in block.new]
    one, two = meanings(old, language), meanings(new, language)
    before, after = _names(out), _names(into)
    names = {name: two[name] for name in after - before if name in two and _fits(name, two, one, into)}
    names |= {name: one[name] for name in before - after if name in one and _fits(name, one, two, out)}
    if not names:
        return None
    said = {unit.tokens for meaning in names.values() for unit in meaning.units}
    blocks = []
    for block in left.blocks:
        sides = []
        for side in (block.old, block.new):
            kept = [unit for unit in side if unit.tokens not in said]
            for _ in range(ROUNDS):
                kept = [unit._replace(tokens=_told(unit.tokens, names)) for unit in kept]
            sides.append(tuple(kept))
        blocks.append(Block(*sides))
    return cancelled(tuple(blocks))


def _fits(name: str, own: dict[str, Meaning], others: dict[str, Meaning], side: list[Unit]) -> bool:
    """Whether a name may be told: it is used here, and means neither itself nor something else on the other side."""
    meaning, other = own[name], others.get(name)
    if any(token.text == name for token in meaning.tokens) or (other is not None and other.tokens != meaning.tokens):
        return False
    said = {unit.tokens for unit in meaning.units}
    used = any(token.text == name for unit in side if unit.tokens not in said for token in unit.tokens)
    changed = any(unit.tokens in said for unit in side)
    return used and (meaning.own or not changed)
