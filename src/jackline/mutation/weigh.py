"""The class of what remains of a change when moves, renames, types and layout are taken away.

In order: what its form says at once, what says the same in another arrangement, what is a known way of saying the same;
the rest is weighed against how much was moved.
"""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from jackline.mutation.content import TYPED, Content, content, told
from jackline.mutation.functions import parameters, stands_for
from jackline.mutation.imports import importing, judged, names
from jackline.mutation.languages import Language
from jackline.mutation.lexer import NAME, Token
from jackline.mutation.model import EVOLUTION, REFACTOR, Mutation
from jackline.mutation.names import bound, called
from jackline.mutation.order import permuted, spread
from jackline.mutation.residue import (
    Sides,
    apart,
    collected,
    flat,
    freed,
    functions,
    handed,
    headless,
    inverted,
    literals,
    passed,
    shifted,
    shorter,
    tabled,
    unused,
    weight,
)
from jackline.mutation.units import Changed
from jackline.mutation.units import units as units_of

TOLERATED = 0.2
"""Weight that may remain for each piece that moved: a new function's signature, a result handed back."""
ROOM = 12.0
"""The most that may remain, whatever moved."""
DEFINED = 4.0
"""Weight that may remain for a function that code moved into or out of."""
LITERAL = ("string", "number")
WEIGHED = ("mostly rearranged", "a part extracted", "a part inlined")
"""What is told when something is left that what was moved explains: no function more, one more, one fewer."""


class Rest(NamedTuple):
    """What is weighed: the sides, what each of them says, what only one of them says, and how much was moved."""

    sides: Sides
    out: Content
    into: Content
    gone: Content
    came: Content
    moved: float
    language: Language


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
    brought = names([unit for unit in added if importing(unit)], language)
    said = _at_once(sides, language, brought)
    if said is not None:
        return said
    out, into = content(flat(sides.out), language), content(flat(sides.into), language)
    came, gone = into - out, out - into
    freed(came, gone, sides, language)
    rest = Rest(sides, out, into, gone, came, shifted(left, language), language)
    if language.family == "script" and handed(sides):
        return Mutation(EVOLUTION, 0.6, ("other names handed on",))
    if not came and not gone:
        return _rearranged(left, rest)
    said = _idiom(rest)
    if said is not None:
        return said
    before = content(flat([unit for block in found.whole for unit in block.old]), language)
    after = content(flat([unit for block in found.whole for unit in block.new]), language)
    return _double(rest, after, old, new) or _weighed(rest, before, after, old, new)


def _at_once(sides: Sides, language: Language, brought: Counter[str]) -> Mutation | None:
    """What the form of the change says. `brought`: the names that it imports."""
    if any([token.text for token in unit.tokens[:2]] == ["pub", "use"] for unit in (*sides.out, *sides.into)):
        return Mutation(EVOLUTION, 0.7, ("other names handed on",))
    if language.family in ("data", "markup", "style"):
        return Mutation(EVOLUTION, 0.9, ("other entries or values",))
    if not sides.into and any(brought[name] for name in bound(flat(sides.out))):
        return Mutation(REFACTOR, 0.6, ("moved to another file",))
    if unused(sides, language):
        return Mutation(REFACTOR, 0.7, ("unused names removed",))
    return None


def _rearranged(left: Changed, rest: Rest) -> Mutation:
    """The same content on both sides: does its order matter?"""
    sides = rest.sides
    if spread(flat(sides.out)) != spread(flat(sides.into)):
        return Mutation(EVOLUTION, 0.6, ("spread in another place",))
    one, two = literals(sides)
    swapped = not left.moved and len(left.blocks) == 1 and one != two and sorted(one) == sorted(two)
    if swapped or permuted(left.blocks, rest.language):
        return Mutation(EVOLUTION, 0.65, ("operands or arguments in another order",))
    if (sides.out and sides.into) or rest.moved:
        return Mutation(REFACTOR, 0.8, ("the same content, arranged otherwise",))
    return Mutation(EVOLUTION, 0.6, ("definitions added or removed",))


def _idiom(rest: Rest) -> Mutation | None:
    """Whether what remains is a known way of saying the same."""
    sides, came, gone, family = rest.sides, rest.came, rest.gone, rest.language.family
    if family == "python" and not came and collected(gone, sides):
        return Mutation(REFACTOR, 0.65, ("a loop said otherwise",))
    if family == "python" and not gone and collected(came, sides._replace(into=sides.out)):
        return Mutation(REFACTOR, 0.65, ("a loop said otherwise",))
    if apart(came, gone, sides.out, sides.into) or apart(gone, came, sides.into, sides.out):
        return Mutation(REFACTOR, 0.6, ("taken apart",))
    if inverted(came, gone, sides):
        return Mutation(REFACTOR, 0.6, ("a condition turned round",))
    if tabled(came, gone, rest.out & rest.into):
        return Mutation(REFACTOR, 0.55, ("branches became a table",))
    if {sort for sort, _ in (*came, *gone)} <= {"type", "doubtful"} and family in TYPED:
        return Mutation(REFACTOR, 0.65, ("types only",))
    if family == "script" and not came and set(gone) <= {("name", name) for name in parameters(sides.out)}:
        return Mutation(REFACTOR, 0.6, ("an unused parameter",))
    return None


def _double(rest: Rest, after: Content, old: list[Token], new: list[Token]) -> Mutation | None:
    """Whether what stood twice stands once, or is said shorter. `after`: what the changed units say now."""
    came, gone, language = rest.came, rest.gone, rest.language
    if stands_for(came, gone, rest.out, units_of(new, language), language) or stands_for(
        gone, came, rest.into, units_of(old, language), language
    ):
        return Mutation(REFACTOR, 0.65, ("a double removed",))
    how = shorter(came, gone, after, literals(rest.sides))
    return Mutation(REFACTOR, 0.55, (how,)) if how else None


def _weighed(rest: Rest, before: Content, after: Content, old: list[Token], new: list[Token]) -> Mutation:
    """Whether what was moved, and the functions that were made for it, explain what remains."""
    sides, came, gone, language = rest.sides, rest.came, rest.gone, rest.language
    made = functions(sides.into).total() - functions(sides.out).total()
    if made > 0:  # what went may stand in the new function, once for all
        after = content(new, language)
        gone = Counter(dict.fromkeys(gone, 1))
        headless(came, sides.into, sides.before, language)
    elif made < 0:
        before = content(old, language)
        came = Counter(dict.fromkeys(came, 1))
        headless(gone, sides.out, sides.after, language)
    score = weight(came, before) + weight(gone, after)
    used = called(flat(sides.into if made > 0 else sides.out))
    fresh = functions(sides.into if made > 0 else sides.out)
    moved = made and (rest.moved >= 4 or any(name in used for name in fresh))
    room = TOLERATED * rest.moved + (DEFINED if moved else 0.0)
    new_names = any(name in used and not sides.before[name] for name in fresh)
    if made > 0 and not gone and new_names and passed(came, fresh, sides.before):
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
