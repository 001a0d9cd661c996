"""Brace expansion: the words that `a{b,c}` and `{1..3}` make, as bash makes them.

bash does it before everything else, on the text as it is written, and pairs by rules of its own what are no pairs:
what those make, and braces in braces, only the shell knows.
"""

from __future__ import annotations

from itertools import pairwise

from jackline.shell.lexis import BRACED, LETTERS, NAME, PARAM, TEXT, merged
from jackline.shell.model import UNKNOWN, Unreadable
from jackline.shell.shell_state import SOME

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from jackline.shell.lexis import Part, Parts

    Items = list[Any]
    """A word: its unquoted characters, and its other parts."""

ALTERNATIVES = 64
LENGTH = 4_096
"""Limits: words that braces may make of one; characters around them."""


def _choices(inside: Items) -> list[Items]:
    """What a pair of braces becomes; what a sequence counts (`{1..5}`, `{a..e}`) is not worth counting out."""
    if "," not in inside:
        plain = all(isinstance(item, str) and item != "/" for item in inside)
        return [[SOME]] if plain and (".", ".") in pairwise(inside) else [["{", *inside, "}"]]
    found: list[Items] = [[]]
    for item in inside:
        if item == ",":
            found.append([])
        else:
            found[-1].append(item)
    return found


def _hides(item: str | Part) -> bool:
    """A sign that bash pairs may stand in how this was written: it looks at the text before it knows what is what."""
    if isinstance(item, str):
        return False
    if item[0] is TEXT:
        return not frozenset("{},").isdisjoint(item[1])
    return item[0] is not PARAM or item[3] != "" or (item[1] == "$" and item[4] is not BRACED)


def _joining(items: Items) -> bool:
    """A `$` or a `$name` goes on with what stands behind it now."""
    for item, following in pairwise(items):
        letter = isinstance(following, str) and (following in NAME or following == "[")
        if item == "$" or (letter and item[0] is PARAM and not item[2] and not item[4] and item[1][0] in LETTERS):
            return True
    return False


def alternatives(parts: Parts) -> list[Parts]:
    """The words that brace expansion makes of a word."""
    items: Items = []
    for part in parts if any(part[0] is TEXT and not part[2] and "{" in part[1] for part in parts) else ():
        items.extend(part[1] if part[0] is TEXT and not part[2] else (part,))
        if len(items) > LENGTH:
            raise Unreadable("too many characters around braces")
    if any(map(_hides, items)):
        raise Unreadable("braces of a word, and signs in its quotes or expansions")
    if "}" not in items or not ("," in items or (".", ".") in pairwise(items)):
        return [parts]
    if "{}" * items.count("{") != "".join([item for item in items if item in ("{", "}")]):
        return [((TEXT, UNKNOWN, True), *parts, (TEXT, UNKNOWN, True))]
    made: list[Items] = [[]]
    while "{" in items:
        start, end = items.index("{"), items.index("}")
        made = [[*one, *items[:start], *choice] for one in made for choice in _choices(items[start + 1 : end])]
        if len(made) > ALTERNATIVES:
            raise Unreadable("too many alternatives in braces")
        del items[: end + 1]
    made = [[*one, *items] for one in made]
    if any(map(_joining, made)):
        raise Unreadable("braces behind the name of a variable")
    return [merged([(TEXT, item, False) if isinstance(item, str) else item for item in one]) for one in made]
