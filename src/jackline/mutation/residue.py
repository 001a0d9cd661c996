"""Weigh what remains of a change when moves, renames, types and layout are taken away: does it alter what is done?"""

from __future__ import annotations

from collections import Counter
from difflib import SequenceMatcher
from typing import NamedTuple

from jackline.mutation.content import EXITS, TYPED, WEIGHTS, Content, content, told
from jackline.mutation.functions import parameters, stands_for
from jackline.mutation.imports import importing, judged, names
from jackline.mutation.languages import Language
from jackline.mutation.lexer import NAME, NUMBER, SIGN, STRING, VALUES, Token
from jackline.mutation.model import EVOLUTION, REFACTOR, Mutation
from jackline.mutation.names import bound, called
from jackline.mutation.order import permuted, spread
from jackline.mutation.units import Changed, Unit
from jackline.mutation.units import units as units_of

TOLERATED = 0.2
"""Weight that may remain for each piece that moved: a new function's signature, a result handed back."""
ROOM = 12.0
"""The most that may remain, whatever moved."""
LITERAL = ("string", "number")
DEFINED = 4.0
"""Weight that may remain for a function that code moved into or out of."""
PAIRS = (("==", "!="), ("<", ">="), (">", "<="))
DOUBLED = 8
"""Pieces of code that stand twice, at least, to count as a double."""
APPENDING = {("call", "append"), ("call", "add")}
ALIGNED = 500_000
"""Tokens on one side times tokens on the other that are aligned."""


WEIGHED = ("mostly rearranged", "a part extracted", "a part inlined")
"""What is told when something is left that what was moved explains: no function more, one more, one fewer."""


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


def _unused(sides: Sides, language: Language) -> bool:
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


def _collected(gone: Content, sides: Sides) -> bool:
    """Whether a loop that only appends became a comprehension."""
    texts = [token.text for token in flat(sides.into)]
    inside = any(text == "for" and texts[at - 1] not in (";", "") for at, text in enumerate(texts) if at)
    return inside and {key for key in gone if key[0] != "name"} <= APPENDING and any(key in gone for key in APPENDING)


def _inverted(came: Content, gone: Content, sides: Sides) -> bool:
    """Whether a condition was turned round and its branches with it: a guard instead of a nested branch."""
    texts = {text for _, text in came} | {text for _, text in gone}
    pair = any(one in texts and two in texts for one, two in PAIRS)
    turned = "!" in texts or pair
    allowed = {"!", "else", "if", *EXITS, *(sign for pair in PAIRS for sign in pair)}
    if not turned or not texts <= allowed:
        return False
    exits = [sum(count for (_, text), count in side.items() if text in EXITS) for side in (came, gone)]
    return exits[0] != exits[1] or "else" in texts


def _freed(came: Content, gone: Content, sides: Sides, language: Language) -> None:
    """Take out names that the change itself brings up or drops."""
    into, out = flat(sides.into), flat(sides.out)
    for side, stream, units, others in ((came, into, sides.into, sides.before), (gone, out, sides.out, sides.after)):
        own = {*_functions(units), *_variables(stream)}
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


def _functions(units: list[Unit]) -> Counter[str]:
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


def _shifted(left: Changed, language: Language) -> float:
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


def _tabled(came: Content, gone: Content, both: Content) -> bool:
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


def _headless(side: Content, units: list[Unit], others: Counter[str], language: Language) -> None:
    """Take out what the heads of new functions say: names and types of what they are given and give back."""
    for unit in units:
        if any(not others[name] for name in _functions([unit])):
            for key, count in content(list(unit.tokens), language).items():
                if key[0] in ("name", "type", "doubtful") and key in side:
                    side[key] = max(side[key] - count, 0)
    for key in [key for key, count in side.items() if not count]:
        del side[key]


def _passed(came: Content, fresh: Counter[str], known: Counter[str]) -> bool:
    """Whether what came only hands values to new functions and back."""
    return all(
        sort in ("doubtful", "type", "exit") or (sort == "name" and known[text] > 0) or text in fresh or text in WRAPPED
        for sort, text in came
    )


def _apart(came: Content, gone: Content, out: list[Unit], into: list[Unit]) -> bool:
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


def _literals(sides: Sides) -> list[list[str]]:
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


def _handed(sides: Sides) -> bool:
    """Whether an object is given other things that it hands on."""
    told = []
    for side in (sides.out, sides.into):
        told.append(
            {
                unit.tokens[2].text
                for unit in side
                if len(unit.tokens) > 4
                and unit.tokens[0].text not in ("this", "self")
                and unit.tokens[0].text != unit.tokens[2].text
                and [unit.tokens[1].text, unit.tokens[3].text] == [".", "="]
            }
        )
    return bool(told[0] - told[1]) != bool(told[1] - told[0])


def _weight(side: Content, other: Content) -> float:
    """How much one side says; a piece that the other side has as well says little."""
    known = {text for _, text in other}
    return sum(WEIGHTS[sort] * (0.25 if text in known else 1.0) * min(count, 4) for (sort, text), count in side.items())


def _shorter(came: Content, gone: Content, after: Content, literals: list[list[str]]) -> str:
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


def weigh(
    left: Changed, found: Changed, language: Language, old: list[Token], new: list[Token], path: str = ""
) -> Mutation:
    """The class of what remains in `left` of the change `found` between the streams `old` and `new`."""
    removed = [unit for block in left.blocks for unit in block.old]
    added = [unit for block in left.blocks for unit in block.new]
    sides = Sides(
        [unit for unit in removed if not importing(unit)],
        [unit for unit in added if not importing(unit)],
        Counter(token.text for token in old if token.kind == NAME),
        Counter(token.text for token in new if token.kind == NAME),
    )
    if not sides.out and not sides.into:
        return judged(removed, added, language, sides.after, path)
    if any([token.text for token in unit.tokens[:2]] == ["pub", "use"] for unit in (*sides.out, *sides.into)):
        return Mutation(EVOLUTION, 0.7, ("other names handed on",))
    if language.family in ("data", "markup", "style"):
        return Mutation(EVOLUTION, 0.9, ("other entries or values",))
    brought = names([unit for unit in added if importing(unit)], language)
    if not sides.into and any(brought[name] for name in bound(flat(sides.out))):
        return Mutation(REFACTOR, 0.6, ("moved to another file",))
    if _unused(sides, language):
        return Mutation(REFACTOR, 0.7, ("unused names removed",))
    out, into = content(flat(sides.out), language), content(flat(sides.into), language)
    came, gone = into - out, out - into
    _freed(came, gone, sides, language)
    shifted = _shifted(left, language)
    if language.family == "script" and _handed(sides):
        return Mutation(EVOLUTION, 0.6, ("other names handed on",))
    if not came and not gone:
        if spread(flat(sides.out)) != spread(flat(sides.into)):
            return Mutation(EVOLUTION, 0.6, ("spread in another place",))
        one, two = _literals(sides)
        swapped = not left.moved and len(left.blocks) == 1 and one != two and sorted(one) == sorted(two)
        if swapped or permuted(left.blocks, language):
            return Mutation(EVOLUTION, 0.65, ("operands or arguments in another order",))
        if (sides.out and sides.into) or shifted:
            return Mutation(REFACTOR, 0.8, ("the same content, arranged otherwise",))
        return Mutation(EVOLUTION, 0.6, ("definitions added or removed",))
    if language.family == "python" and not came and _collected(gone, sides):
        return Mutation(REFACTOR, 0.65, ("a loop said otherwise",))
    if language.family == "python" and not gone and _collected(came, sides._replace(into=sides.out)):
        return Mutation(REFACTOR, 0.65, ("a loop said otherwise",))
    if _apart(came, gone, sides.out, sides.into) or _apart(gone, came, sides.into, sides.out):
        return Mutation(REFACTOR, 0.6, ("taken apart",))
    if _inverted(came, gone, sides):
        return Mutation(REFACTOR, 0.6, ("a condition turned round",))
    if _tabled(came, gone, out & into):
        return Mutation(REFACTOR, 0.55, ("branches became a table",))
    if {sort for sort, _ in (*came, *gone)} <= {"type", "doubtful"} and language.family in TYPED:
        return Mutation(REFACTOR, 0.65, ("types only",))
    before = content(flat([unit for block in found.whole for unit in block.old]), language)
    after = content(flat([unit for block in found.whole for unit in block.new]), language)
    if language.family == "script" and not came and set(gone) <= {("name", name) for name in parameters(sides.out)}:
        return Mutation(REFACTOR, 0.6, ("an unused parameter",))
    if stands_for(came, gone, out, units_of(new, language), language) or stands_for(
        gone, came, into, units_of(old, language), language
    ):
        return Mutation(REFACTOR, 0.65, ("a double removed",))
    shorter = _shorter(came, gone, after, _literals(sides))
    if shorter:
        return Mutation(REFACTOR, 0.55, (shorter,))
    made = _functions(sides.into).total() - _functions(sides.out).total()
    if made > 0:  # what went may stand in the new function, once for all
        after = content(new, language)
        gone = Counter(dict.fromkeys(gone, 1))
        _headless(came, sides.into, sides.before, language)
    elif made < 0:
        before = content(old, language)
        came = Counter(dict.fromkeys(came, 1))
        _headless(gone, sides.out, sides.after, language)
    score = _weight(came, before) + _weight(gone, after)
    used = called(flat(sides.into if made > 0 else sides.out))
    fresh = _functions(sides.into if made > 0 else sides.out)
    room = TOLERATED * shifted + (DEFINED if made and (shifted >= 4 or any(name in used for name in fresh)) else 0.0)
    new_names = any(name in used and not sides.before[name] for name in fresh)
    if made > 0 and not gone and new_names and _passed(came, fresh, sides.before):
        return Mutation(REFACTOR, 0.65, (WEIGHED[1],))
    unheard = any(sort == "call" and not sides.before[text] for sort, text in came) and not made
    foreign = (
        unheard
        or any(sort in LITERAL and (sort, text) not in before for sort, text in came)
        or any(sort in LITERAL and (sort, text) not in after for sort, text in gone)
    )
    if score <= min(room, ROOM) and not foreign:
        word = WEIGHED[(made > 0) - (made < 0)]
        return Mutation(REFACTOR, round(0.85 - 0.3 * score / room, 2) if room else 0.6, (word,))
    return Mutation(EVOLUTION, round(0.6 + 0.38 * min(max(score - room, 0.0) / 8, 1.0), 2), tuple(told(came, gone)))
