"""Brace expansion: the words that `a{b,c}` and `{1..3}` make, as bash makes them.

bash does it before everything else, on the text as it is written, and pairs by rules of its own what are no pairs.
"""

from __future__ import annotations

from itertools import pairwise

from jackline.shell.lexis import BRACED, DIGITS, LETTERS, NAME, PARAM, TEXT, merged
from jackline.shell.model import Unreadable
from jackline.shell.shell_state import SOME

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from jackline.shell.lexis import Part, Parts

    Items = list[Any]
    """A word: its unquoted characters, and its other parts."""

ALTERNATIVES = 64
LENGTH = 4_096
"""Limits: words that braces may make of one, and opening braces in it; characters around them."""

MEMORY = 10**8
"""Numbers of a sequence for which there may be no memory."""


def _sequence(items: Items) -> list[Items] | None:
    """`{1..5}` and `{a..e}`, without the braces: what they count is not worth counting out."""
    ends = "".join(items).split("..") if all(isinstance(item, str) for item in items) else []
    whole = [int(end) for end in ends if DIGITS.issuperset(end[end[:1] in ("-", "+") :] or "-")]
    letters = all(len(end) == 1 and end.isascii() and end.isalpha() for end in ends[:2])
    if len(ends) not in (2, 3) or not (letters or len(whole) == len(ends)):
        return None
    if max(whole, default=0) - min(whole, default=0) > MEMORY:
        raise Unreadable("a sequence for which there may be no memory")
    return [[SOME]]


def _hides(item: str | Part) -> bool:
    """A sign that bash pairs may stand in how this was written: it looks at the text before it knows what is what."""
    if isinstance(item, str):
        return False
    if item[0] is TEXT:
        return not frozenset("{},").isdisjoint(item[1])
    return item[0] is not PARAM or item[3] != "" or (item[1] == "$" and item[4] is not BRACED)


def _paired(items: Items) -> bool:
    level = 0
    for item in items:
        level += 1 if item == "{" else -1 if item == "}" else 0
        if level < 0:
            return False
    return not level


def _first(items: Items) -> tuple[list[Items], int]:
    """The texts between the commas of the first brace, and the place behind it."""
    found: list[Items] = [[]]
    at, level = items.index("{") + 1, 0
    while level or items[at] != "}":
        level += 1 if items[at] == "{" else -1 if items[at] == "}" else 0
        if items[at] == "," and not level:
            found.append([])
        else:
            found[-1].append(items[at])
        at += 1
    return found, at + 1


def _braces(items: Items) -> list[Items]:
    """All alternatives of a word whose unquoted characters are single items."""
    if "{" not in items:
        return [items]
    start = items.index("{")
    inside, end = _first(items)
    middle = [one for text in inside for one in _braces(text)] if len(inside) > 1 else _sequence(inside[0])
    if not middle and "{" in inside[0] and (".", ".") in pairwise(inside[0]):
        raise Unreadable("braces in what may be a sequence")
    middle = middle or [["{", *one, "}"] for one in _braces(inside[0])]
    tails = _braces(items[end:])
    if len(middle) * len(tails) > ALTERNATIVES:
        raise Unreadable("too many alternatives in braces")
    return [items[:start] + one + tail for one in middle for tail in tails]


def _joining(items: Items) -> bool:
    """A `$` or a `$name` goes on with what stands behind it now."""
    for item, following in pairwise(items):
        letter = isinstance(following, str) and (following in NAME or following == "[")
        if item == "$" and (letter or not isinstance(following, str) or following in "{@*#?-$!"):
            return True
        if letter and item[0] is PARAM and not item[2] and not item[4] and item[1][0] in LETTERS:
            return True
    return False


def alternatives(parts: Parts) -> list[Parts]:
    """The words that brace expansion makes of a word."""
    texts = [part[1] for part in parts if part[0] is TEXT and not part[2]]
    opened = sum(text.count("{") for text in texts)
    if not opened:
        return [parts]
    if opened > ALTERNATIVES or sum(map(len, texts)) > LENGTH:
        raise Unreadable("too many braces")
    items: Items = []
    for part in parts:
        items.extend(part[1] if part[0] is TEXT and not part[2] else (part,))
    if "}" not in items:
        return [parts]
    if any(map(_hides, items)):
        raise Unreadable("braces of a word, and signs in its quotes or expansions")
    if not ("," in items or (".", ".") in pairwise(items)):
        return [parts]
    if not _paired(items):
        raise Unreadable("braces that are no pairs, and a comma or a sequence")
    made = _braces(items)
    if len(made) == 1 and made[0] == items:
        return [parts]
    if any(map(_joining, made)):
        raise Unreadable("braces behind the name of a variable")
    return [merged([(TEXT, item, False) if isinstance(item, str) else item for item in one]) for one in made]
