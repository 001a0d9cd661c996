"""Marshal so that equal content gives equal bytes, and no more than a reader needs.

`marshal.dumps` marks whatever somebody else in the process holds as well, in case it comes again; readers keep a list
of all that is marked. Here only what does come again stays marked.
"""

from __future__ import annotations

import marshal
import sys
from typing import Any

MARK = 0x80
ALONE = b"NFTS.0"
FIXED = {ord("i"): 4, ord("g"): 8, ord("y"): 16, ord("r"): 4}
LONG_SIZE = b"saAut"
SHORT_SIZE = b"zZ"
INTERNED = {ord("z"): ord("Z"), ord("a"): ord("A"), ord("u"): ord("t")}
PLAIN = {there: here for here, there in INTERNED.items()}
MANY = b"([<>"
CODE_BEGIN, CODE_PARTS, CODE_AFTER, CODE_REST = 20, 8, 4, 2
"""A code object: five numbers, eight objects, a line number, two objects (3.11 to 3.14; 3.10 had other parts).

Other kinds of values are those of marshal's version 4; 3.14 writes version 5, whose slices `dump` leaves as they are.
"""


class _Walk:
    """One reading of marshalled bytes: where marked objects begin, and where what is said again."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.at = 0
        self.marked: list[int] = []
        self.again: list[tuple[int, int]] = []
        self.strings: list[tuple[int, bytes]] = []
        self.one()

    def number(self) -> int:
        self.at += 4
        return int.from_bytes(self.data[self.at - 4 : self.at], "little", signed=True)

    def short(self) -> int:
        self.at += 1
        return self.data[self.at - 1]

    def skip(self, count: int) -> None:
        self.at += count

    def some(self, count: int) -> None:
        for _ in range(count):
            self.one()

    def one(self) -> None:
        kind = self.data[self.at]
        if kind & MARK:
            self.marked.append(self.at)
            kind &= ~MARK
        self.at += 1
        if kind == ord("r"):
            self.again.append((self.at, self.number()))
        elif kind in FIXED:
            self.at += FIXED[kind]
        elif kind in SHORT_SIZE or kind in LONG_SIZE:
            begun = self.at - 1
            size = self.number() if kind in LONG_SIZE else self.short()
            self.at += size
            if kind != ord("s"):
                self.strings.append((begun, self.data[self.at - size : self.at]))
        elif kind == ord("l"):
            self.skip(2 * abs(self.number()))
        elif kind == ord(")"):
            self.some(self.short())
        elif kind in MANY:
            self.some(self.number())
        elif kind == ord("{"):
            while self.data[self.at] != ord("0"):
                self.some(2)
            self.at += 1
        elif kind == ord("c"):
            self.at += CODE_BEGIN
            self.some(CODE_PARTS)
            self.at += CODE_AFTER
            self.some(CODE_REST)
        elif kind not in ALONE:
            raise ValueError(f"marshal type {chr(kind)!r} is not known here")


def interned(data: bytes) -> bytes:
    """The same content, all strings interned: read, equal ones are one."""
    made = bytearray(data)
    for at, _ in _Walk(data).strings:
        made[at] = (made[at] & MARK) | INTERNED.get(made[at] & ~MARK, made[at] & ~MARK)
    return bytes(made)


def canonical(data: bytes) -> bytes:
    """The same content, marked only where it comes again, interned only what looks like a name."""
    walk = _Walk(data)
    used = sorted({index for _, index in walk.again})
    places = {index: place for place, index in enumerate(used)}
    made = bytearray(data)
    for index, at in enumerate(walk.marked):
        if index not in places:
            made[at] &= ~MARK
    for at, index in walk.again:
        made[at : at + 4] = places[index].to_bytes(4, "little")
    for at, text in walk.strings:
        table = INTERNED if text.replace(b"_", b"a").isalnum() else PLAIN
        made[at] = (made[at] & MARK) | table.get(made[at] & ~MARK, made[at] & ~MARK)
    return bytes(made)


def _interned(value: Any) -> Any:
    if type(value) is str:
        return sys.intern(value)
    return tuple([_interned(one) for one in value]) if type(value) is tuple else value


def plain(value: Any) -> bytes:
    """Marshal tuples of texts and numbers; equal values give equal bytes. Larger than `dump`'s, and ten times sooner.

    The second version of marshalling marks nothing that comes again, and says of a text only whether it is interned.
    """
    return marshal.dumps(_interned(value), 2)


def dump(value: Any) -> bytes:
    """Marshal `value`; equal values give equal bytes, whatever else the process holds."""
    try:
        return canonical(marshal.dumps(marshal.loads(interned(marshal.dumps(value)))))
    except (ValueError, IndexError):  # an interpreter that marshals otherwise
        return marshal.dumps(value)
