"""Split the words of a call into options and operands, as getopt does: clusters, values, abbreviations, `--`."""

from __future__ import annotations

from jackline.shell.model import UNKNOWN


class Given:
    """`options`: (name, value) in order, the value None for a flag. `behind`: the operands behind `--`, at the end of
    all `operands`. `loose`: an unknown word may hold more.
    """

    __slots__ = ("behind", "loose", "operands", "options")

    def __init__(self) -> None:
        self.options: list[tuple[str, str | None]] = []
        self.operands: list[str] = []
        self.behind: list[str] = []
        self.loose = False

    def values(self, *names: str) -> list[str]:
        """The values given to any of these options; a long one counts when it is abbreviated."""
        return [value or "" for name, value in self.options if _named(name, names)]

    def has(self, *names: str) -> bool:
        return any(_named(name, names) for name, _ in self.options)


def _named(name: str, names: tuple[str, ...]) -> bool:
    return name in names or (len(name) > 1 and any(one.startswith(name) for one in names))


def option(
    words: list[str], i: int, short: str = "", names: str = "", single: bool = False, glued: str = ""
) -> tuple[list[tuple[str, str | None]], int]:
    """What the word at a place says, which begins with a dash, and the place of the next: see `parse`."""
    word, i = words[i], i + 1
    following = words[i] if i < len(words) else ""
    if word[:2] == "--" or single:
        name, equals, value = word.lstrip("-").partition("=")
        if equals or " " in name or f" {name}" not in names or (single and f" {name} " not in names):
            return [(name, value if equals else None)], i
        # Perhaps an abbreviation, perhaps another option: the next word counts as both.
        return [(name, following)], i + (f" {name} " in names)
    options: list[tuple[str, str | None]] = []
    for at in range(1, len(word)):
        letter, value = word[at], word[at + 1 :]
        if letter in short and letter not in glued and not value:
            return [*options, (letter, following)], i + 1
        if letter in short or letter in glued:
            return [*options, (letter, value)], i
        options.append((letter, None))
        if value[:1] == "=":
            break  # a value of what needs none
    return options, i


def parse(
    words: list[str], short: str = "", long: str = "", *, stop: bool = False, single: bool = False, glued: str = ""
) -> Given:
    """`short`: letters, `long`: names (divided by blanks) of options that take a value.

    `stop`: options end at the first operand. `single`: one dash begins a long name (`-name value`).
    `glued`: letters whose value, if any, is the rest of their word.
    """
    given = Given()
    names = f" {long} " if long else ""
    i, size = 1, len(words)
    while i < size:
        word = words[i]
        if word == "--":
            given.behind = words[i + 1 :]
            break
        if word[:1] == "-" and word != "-":
            options, i = option(words, i, short, names, single, glued)
            given.options += options
            continue
        given.operands.append(word)
        i += 1
        if stop:
            given.operands.extend(words[i:])
            break
    given.operands.extend(given.behind)
    if UNKNOWN in "".join(words):
        before = words[1 : size - len(given.behind)]
        given.loose = any(
            word.startswith(UNKNOWN) or (word[:1] == "-" and UNKNOWN in word.partition("=")[0]) for word in before
        )
    return given
