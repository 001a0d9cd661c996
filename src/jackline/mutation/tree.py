"""Syntax trees in one form, whichever parser made them: equal ones do the same, as far as syntax can tell.

A reader of a language makes `Node`s and leaves out comments, layout and types. Here the rest of what only arranges is
told in one way: names by where they are bound, imports and definitions in one order, unused imports not at all.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

NAME, BOUND, FIELD, MEMBER = "name", "bound", "field", "member"
"""A name where it is used, and where it is bound; behind a dot, and as a class binds it."""
SCOPE, IMPORT, DEFINITION = "scope", "import", "definition"
"""Parameters and body of a function; an import, told by its text; a function or class that may stand anywhere."""


class Node(NamedTuple):
    """A piece of syntax: what it is, its own text, and what it holds."""

    kind: str
    text: str = ""
    parts: tuple[Node, ...] = ()


def _bound(node: Node) -> Iterator[str]:
    """Names that a scope binds, in the order in which they stand; those of scopes inside are their own."""
    if node.kind == BOUND:
        yield node.text
    for part in node.parts:
        if part.kind != SCOPE:
            yield from _bound(part)


def _members(node: Node) -> Iterator[str]:
    """Names that classes bind, by a definition or by an assignment in a method."""
    if node.kind == MEMBER:
        yield node.text
    for part in node.parts:
        yield from _members(part)


def _used(node: Node, found: set[str]) -> set[str]:
    """What stands anywhere but in an import."""
    if node.kind != IMPORT:
        found.add(node.text)
        for part in node.parts:
            _used(part, found)
    return found


def _needed(rest: Node, whole: Node) -> Node:
    """What differs of a tree, without imports whose names nothing uses; one that binds no name does something."""
    if all(one.kind != IMPORT for one in rest.parts):
        return rest
    used = _used(whole, set())
    parts = [one for one in rest.parts if one.kind != IMPORT or not one.parts or not used.isdisjoint(_bound(one))]
    return rest._replace(parts=tuple(parts))


def _begin_alike(one: tuple[Node, ...], two: tuple[Node, ...]) -> int:
    """With how many equal parts two begin."""
    least = min(len(one), len(two))
    return next((at for at in range(least) if one[at] != two[at]), least)


def _rest(old: Node, new: Node) -> tuple[Node, Node]:
    """The parts of two trees that differ, down to the innermost pair that holds them all; a function stays whole."""
    while old[:2] == new[:2] and old.kind != SCOPE:
        same = _begin_alike(old.parts, new.parts)
        one, two = old.parts[same:], new.parts[same:]
        same = _begin_alike(one[::-1], two[::-1])
        one, two = one[: len(one) - same], two[: len(two) - same]
        if len(one) != 1 or len(two) != 1:
            return old._replace(parts=one), new._replace(parts=two)
        old, new = one[0], two[0]
    return old, new


def _same_shape(old: Node, new: Node) -> bool:
    """Whether two trees differ in their words at most."""
    if old == new:
        return True
    return old.kind == new.kind and len(old.parts) == len(new.parts) and all(map(_same_shape, old.parts, new.parts))


def _numbered(node: Node, known: dict[str, str], members: dict[str, str], depth: int = 0) -> Node:
    """A tree whose bound names are told by their scope and place; what stands behind a dot is no local name."""
    if node.kind in (NAME, BOUND):
        return Node(NAME, known.get(node.text, node.text))
    if node.kind in (FIELD, MEMBER):
        return Node(NAME, members.get(node.text, node.text))
    if node.kind == SCOPE:
        depth += 1
        own = dict.fromkeys(name for part in node.parts for name in _bound(part))
        known = {**known, **{name: f"#{depth}.{at}" for at, name in enumerate(own)}}
    return node._replace(parts=tuple([_numbered(part, known, members, depth) for part in node.parts]))


def _throughout(node: Node) -> Node:
    """A tree with all names of its own told by their places."""
    own = {name: f"#{at}" for at, name in enumerate(dict.fromkeys((*_bound(node), *_members(node))))}
    return _numbered(node, own, own)


def _sorted(node: Node) -> Node:
    """A tree with imports first and definitions last among their neighbours, each by what they say."""
    parts = [_sorted(part) for part in node.parts]
    first = sorted([part for part in parts if part.kind == IMPORT])
    last = sorted([part for part in parts if part.kind == DEFINITION])
    between = [part for part in parts if part.kind not in (IMPORT, DEFINITION)]
    return node._replace(parts=(*first, *between, *last))


def alike(old: Node, new: Node, *, exports: bool = False) -> str:
    """In which way two trees say the same, "" when they do not. `exports`: imports are there for others, too."""
    if old == new:
        return "only comments, layout or types differ"
    one, two = _rest(old, new)
    if not exports:
        one, two = _needed(one, old), _needed(two, new)
    if _sorted(_numbered(one, {}, {})) == _sorted(_numbered(two, {}, {})):
        return "only local names, places or unused imports differ"
    return "only names differ" if _same_shape(old, new) and _throughout(old) == _throughout(new) else ""
