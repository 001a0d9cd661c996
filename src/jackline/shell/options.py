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
        i += 1
        if word == "--":
            given.behind = words[i:]
            given.operands.extend(given.behind)
            break
        if word.startswith(UNKNOWN):
            given.loose = True
        if word[:1] != "-" or word == "-":
            given.operands.append(word)
            if stop:
                given.operands.extend(words[i:])
                break
            continue
        if word[:2] == "--" or single:
            name, equals, value = word.lstrip("-").partition("=")
            takes = not equals and " " not in name and f" {name} " in names
            # Perhaps an abbreviation, perhaps another option: the next word counts as both.
            if takes or (not equals and not single and " " not in name and f" {name}" in names):
                value, equals = words[i] if i < size else "", "="
            given.options.append((name, value if equals else None))
            i += takes
            continue
        for at in range(1, len(word)):
            letter = word[at]
            if letter in glued:
                given.options.append((letter, word[at + 1 :]))
                break
            if letter in short:
                value = word[at + 1 :]
                if not value and i < size:
                    value = words[i]
                    i += 1
                given.options.append((letter, value))
                break
            given.options.append((letter, None))
    if not given.loose and UNKNOWN in "".join(words):
        before = words[1 : words.index("--")] if "--" in words else words[1:]
        given.loose = any(
            word.startswith(UNKNOWN) or (word[:1] == "-" and UNKNOWN in word.partition("=")[0]) for word in before
        )
    return given
