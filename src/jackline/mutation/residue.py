"""What is told of a change's remains: what was moved, bound, listed, handed on, and known ways of saying the same."""

from __future__ import annotations

from collections import Counter
from difflib import SequenceMatcher
from typing import NamedTuple

from jackline.mutation.content import EXITS, WEIGHTS, Content, content
from jackline.mutation.languages import Language
from jackline.mutation.lexer import NAME, NUMBER, SIGN, STRING, VALUES, Token
from jackline.mutation.names import bound, called
from jackline.mutation.units import Changed, Unit

PAIRS = (("==", "!="), ("<", ">="), (">", "<="))
DOUBLED = 8
"""Pieces of code that stand twice, at least, to count as a double."""
APPENDING = {("call", "append"), ("call", "add")}
ALIGNED = 500_000
"""Tokens on one side times tokens on the other that are aligned."""
HARMLESS = frozenset(("toString", "length", "size", "len", "str", "as_str", "keys", "values"))
"""Calls that only look."""
BRANCHES = ("if", "for", "while", "switch", "match", "else", "return", "catch", "select", "case", "with", "try")
WRAPPED = ("Ok", "Some")
"""Calls that only hand a result back."""


class Sides(NamedTuple):
    """A change as it is weighed: units that went and came, without imports, and all names of both texts."""

    out: list[Unit]
    into: list[Unit]
    before: Counter[str]
    after: Counter[str]


def flat(units: list[Unit]) -> list[Token]:
    """All tokens of units, a sign between them so that nothing runs together."""
    gap = Token(SIGN, ";")
    return [token for unit in units for token in (*unit.tokens, gap)]


def unused(sides: Sides, language: Language) -> bool:
    """Whether what was removed only binds names that nobody mentions any more, and does nothing besides."""
    if sides.into or not sides.out:
        return False
    for unit in sides.out:
        names = bound(unit.tokens)
        texts = {token.text for token in unit.tokens}
        if texts & {"=>", "->"} or (language.family == "java" and unit.depth < 2 and "=" in texts):
            return False
        if language.family in ("rust", "java", "c", "go") and not names and unit.depth:  # a field
            names = {token.text for token in unit.tokens[:2] if token.kind == NAME}
        local = unit.depth > 0 or unit.tokens[0].text in ("local", "let", "static")
        exported = language.family == "go" and any(name[:1].isupper() for name in names)
        if not names or exported or not local or any(sides.after[name] for name in names):
            return False
        if any(token.kind == STRING for token in unit.tokens) or not called(unit.tokens) <= HARMLESS:
            return False
    return True


def collected(gone: Content, sides: Sides) -> bool:
    """Whether a loop that only appends became a comprehension."""
    texts = [token.text for token in flat(sides.into)]
    inside = any(text == "for" and texts[at - 1] not in (";", "") for at, text in enumerate(texts) if at)
    return inside and {key for key in gone if key[0] != "name"} <= APPENDING and any(key in gone for key in APPENDING)


def inverted(came: Content, gone: Content, sides: Sides) -> bool:
    """Whether a condition was turned round and its branches with it: a guard instead of a nested branch."""
    texts = {text for _, text in came} | {text for _, text in gone}
    pair = any(one in texts and two in texts for one, two in PAIRS)
    turned = "!" in texts or pair
    allowed = {"!", "else", "if", *EXITS, *(sign for pair in PAIRS for sign in pair)}
    if not turned or not texts <= allowed:
        return False
    exits = [sum(count for (_, text), count in side.items() if text in EXITS) for side in (came, gone)]
    return exits[0] != exits[1] or "else" in texts


def freed(came: Content, gone: Content, sides: Sides, language: Language) -> None:
    """Take out names that the change itself brings up or drops."""
    into, out = flat(sides.into), flat(sides.out)
    for side, stream, units, others in ((came, into, sides.into, sides.before), (gone, out, sides.out, sides.after)):
        own = {*functions(units), *_variables(stream)}
        for name in bound(stream):
            if not others[name] or name in own:
                del side["name", name], side["call", name], side["type", name]
    for at, token in enumerate(out):  # the name an error is caught under
        caught = token.text in ("=>", "as") and out[0].text in ("rescue", "except") and at + 1 < len(out)
        if caught and not came and language.family in ("ruby", "python"):
            gone["name", out[at + 1].text] -= 1
    for side in (came, gone):
        for key in [key for key, count in side.items() if count <= 0]:
            del side[key]


def _variables(stream: list[Token]) -> set[str]:
    """Names that a piece sets, attributes left out."""
    return {
        token.text
        for before, token, after in zip([Token(SIGN, ""), *stream], stream, stream[1:], strict=False)
        if token.kind == NAME and before.text not in (".", "->", "::") and after.text in ("=", ":=")
    }


def functions(units: list[Unit]) -> Counter[str]:
    """Names of the functions that units begin."""
    heads = ("def", "function", "fn", "func", "fun")
    found: Counter[str] = Counter()
    for unit in units:
        for one, two in zip(unit.tokens, unit.tokens[1:], strict=False):
            if one.text in heads and two.kind == NAME:
                found[two.text] += 1
        branch = unit.tokens[0].text in BRANCHES
        if unit.tokens[-1].text == "{" and not branch and any(token.text == "(" for token in unit.tokens):
            at = next(i for i, token in enumerate(unit.tokens) if token.text == "(")
            if at > 1 and unit.tokens[at - 1].kind == NAME and unit.tokens[at - 2].text not in (".", "::", "=", "else"):
                found[unit.tokens[at - 1].text] += 1
    return found


def shifted(left: Changed, language: Language) -> float:
    """How much stands on both sides, but not in the same place."""
    gone: Content = Counter()
    came: Content = Counter()
    for block in left.blocks:
        old = [token for token in flat(list(block.old)) if token.text != ";"]
        new = [token for token in flat(list(block.new)) if token.text != ";"]
        if len(old) * len(new) > ALIGNED:
            continue
        for tag, a, b, c, d in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
            if tag != "equal":
                gone += content(old[a:b], language)
                came += content(new[c:d], language)
    moved = content(flat(list(left.moved)), language)
    return float(sum((gone & came).values()) + sum(moved.values()))


def tabled(came: Content, gone: Content, both: Content) -> bool:
    """Whether branches over values gave way to a table of the same values."""
    if not {text for sort, text in gone if sort == "control"} & {"case", "when", "switch", "if", "match"}:
        return False
    literal = ("string", "number", "control")
    kept = sum(count for (sort, _), count in both.items() if sort in literal)
    return (
        kept > 2
        and not any(sort in literal for sort, _ in came)
        and not any(sort in ("string", "number") for sort, _ in gone)
    )


def headless(side: Content, units: list[Unit], others: Counter[str], language: Language) -> None:
    """Take out what the heads of new functions say: names and types of what they are given and give back."""
    for unit in units:
        if any(not others[name] for name in functions([unit])):
            for key, count in content(list(unit.tokens), language).items():
                if key[0] in ("name", "type", "doubtful") and key in side:
                    side[key] = max(side[key] - count, 0)
    for key in [key for key, count in side.items() if not count]:
        del side[key]


def passed(came: Content, fresh: Counter[str], known: Counter[str]) -> bool:
    """Whether what came only hands values to new functions and back."""
    return all(
        sort in ("doubtful", "type", "exit") or (sort == "name" and known[text] > 0) or text in fresh or text in WRAPPED
        for sort, text in came
    )


def apart(came: Content, gone: Content, out: list[Unit], into: list[Unit]) -> bool:
    """Whether members that were asked of a name are names of their own now."""
    if not came or not gone or {sort for sort, _ in (*came, *gone)} != {"name"}:
        return False
    stream = flat(out)
    asked = {
        (one.text, two.text)
        for one, dot, two in zip(stream, stream[1:], stream[2:], strict=False)
        if dot.text == "." and one.kind == two.kind == NAME
    }
    owners = {text for _, text in gone}
    members = {member for owner, member in asked if owner in owners}
    own = bound(stream) & owners
    return own == owners and {text for _, text in came} <= members & _listed(flat(into))


def literals(sides: Sides) -> list[list[str]]:
    """Texts, numbers and values on both sides, as they follow one another."""
    return [
        [one.text for one in flat(side) if one.kind in (STRING, NUMBER) or one.text in VALUES]
        for side in (sides.out, sides.into)
    ]


def _listed(stream: list[Token]) -> set[str]:
    """Names that stand in a list, as parameters and bound names do."""
    return {
        token.text
        for at, token in enumerate(stream)
        if token.kind == NAME and at and stream[at - 1].text in ("(", "{", ",", ";", "var")
    }


def handed(sides: Sides) -> bool:
    """Whether an object is given other things that it hands on."""
    given = []
    for side in (sides.out, sides.into):
        given.append(
            {
                unit.tokens[2].text
                for unit in side
                if len(unit.tokens) > 4
                and unit.tokens[0].text not in ("this", "self")
                and unit.tokens[0].text != unit.tokens[2].text
                and [unit.tokens[1].text, unit.tokens[3].text] == [".", "="]
            }
        )
    return bool(given[0] - given[1]) != bool(given[1] - given[0])


def weight(side: Content, other: Content) -> float:
    """How much one side says; a piece that the other side has as well says little."""
    known = {text for _, text in other}
    return sum(WEIGHTS[sort] * (0.25 if text in known else 1.0) * min(count, 4) for (sort, text), count in side.items())


def shorter(came: Content, gone: Content, after: Content, literals: list[list[str]]) -> str:
    """How a piece may be said shorter and mean the same, "" when it is not of these ways."""
    new = Counter(sort for sort, _ in came.elements())
    old = Counter(sort for sort, _ in gone.elements())
    if not new or sum(new.values()) > 2 or not set(new) <= {"call", "sign", "name", "doubtful"}:
        return ""
    control = {text for sort, text in gone if sort == "control"}
    plain = not any(old[sort] for sort in ("string", "number", "value"))
    if plain and control and control <= {"for", "range", "while", "of"}:
        return "a loop said otherwise"
    if plain and control == {"if"} and ("doubtful", "else") in gone and literals[0] == literals[1]:
        return "two branches in one"
    if new == {"call": 1} and old["call"] > 1 and set(old) == {"call"}:
        return "calls in one"
    unknown = sum(count for key, count in gone.items() if key not in after)
    if new == {"call": 1} and sum(gone.values()) >= max(DOUBLED, 5 * unknown) and old["call"]:
        return "a double removed"
    return ""
