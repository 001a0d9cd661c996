"""Read the words of a command as its program would: options with their values, then operands."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import NamedTuple
else:
    from jackline._record import NamedTuple


def words(text: str) -> frozenset[str]:
    return frozenset(text.split())


class Spec(NamedTuple):
    """Which options take a value: letters, and long names; `ends` are those that swallow the rest of the words."""

    letters: str = ""
    names: frozenset[str] = frozenset()
    ends: frozenset[str] = frozenset()


class Read(NamedTuple):
    """`flags`: (name without dashes, value or ""), in order. `operands`: the other words. `places`: their indexes."""

    flags: tuple[tuple[str, str], ...]
    operands: tuple[str, ...]
    places: tuple[int, ...]

    def value(self, *names: str) -> str | None:
        """The value of the last option among `names`; None when none is there."""
        found = None
        for name, value in self.flags:
            if name in names:
                found = value
        return found

    def has(self, *names: str) -> bool:
        return any(name in names for name, _ in self.flags)


def _long(word: str, following: Sequence[str], spec: Spec) -> tuple[str, str, int]:
    name, equals, value = word[2:].partition("=")
    if equals:
        return name, value, 0
    if name in spec.names or any(known.startswith(name) for known in spec.names if len(name) > 3):
        return name, following[0] if following else "", 1
    return name, "", 0


def _letters(word: str, following: Sequence[str], spec: Spec) -> tuple[list[tuple[str, str]], int]:
    found = []
    for at in range(1, len(word)):
        letter = word[at]
        if letter in spec.letters:
            rest = word[at + 1 :].removeprefix("=")
            if rest:
                found.append((letter, rest))
                return found, 0
            found.append((letter, following[0] if following else ""))
            return found, 1
        found.append((letter, ""))
    return found, 0


def read(given: Sequence[str], spec: Spec, start: int = 1) -> Read:
    """Split `given[start:]` as getopt with permutation does."""
    flags: list[tuple[str, str]] = []
    operands: list[str] = []
    places: list[int] = []
    at = start
    while at < len(given):
        word = given[at]
        at += 1
        if word == "--":
            operands.extend(given[at:])
            places.extend(range(at, len(given)))
            break
        if word.startswith("--"):
            name, value, taken = _long(word, given[at:], spec)
            flags.append((name, value))
            at += taken
            if name in spec.ends:
                break
        elif word.startswith("-") and len(word) > 1:
            some, taken = _letters(word, given[at:], spec)
            flags.extend(some)
            at += taken
            if any(name in spec.ends for name, _ in some):
                break
        else:
            operands.append(word)
            places.append(at - 1)
    return Read(tuple(flags), tuple(operands), tuple(places))


def quoted(word: str) -> str:
    """A word as a shell reads it back."""
    word = word.replace("\0", "…")
    if word and not any(char in word for char in " \t\n'\"\\$`;&|<>(){}*?[]#~!"):
        return word
    return "'" + word.replace("'", "'\\''") + "'"
