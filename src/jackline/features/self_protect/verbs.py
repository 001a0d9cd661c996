"""Jackline's own command in an agent's shell: human-only commands, and the entry point that only clients open."""

from __future__ import annotations

from jackline.shell.model import UNKNOWN, Command

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence


PYTHONS = ("python", "pypy")


def _module(words: Sequence[str]) -> tuple[str, int]:
    """The module that a python command runs (`-m x`, `-Im x`, `-mx`), and the index of its first argument."""
    for at, word in enumerate(words[1:], 1):
        letters, m, rest = word.partition("m")
        if m and letters[:1] == "-" != letters[1:2] and {*"cWX"}.isdisjoint(letters):
            return (rest, at + 1) if rest else ("".join(words[at + 1 : at + 2]), at + 2)
    return "", 0


def arguments(command: Command) -> Sequence[str] | None:
    """What stands behind `jackline` in a command, however it is run; None when the command is another."""
    words = command.words
    if not words:
        return None
    name = words[0].rpartition("/")[2].lower().removesuffix(".exe")
    if name == "jackline":
        return words[1:]
    if name.startswith(PYTHONS):
        module, at = _module(words)
        if module == "jackline" or module.startswith("jackline."):
            return ("hook",) if module == "jackline.hook" else words[at:]
        at = next((at for at, word in enumerate(words[1:], 1) if word[:1] != "-"), 0)
        if words[at].endswith(("/jackline", "/jackline/__main__.py", "/jackline/cli/__main__.py")):
            return words[at + 1 :]
    return None


def _opening(words: Sequence[str], fed: bool) -> str:
    """The verb when `intents status` may open an intent, a person's affair; "" when it closes one, open to all."""
    from jackline.intents import OPEN

    if fed or any(UNKNOWN in word for word in words):
        return "?"
    said = [word.upper().replace("-", "_").replace(" ", "_") for word in words]
    return "intents status" if any(word in OPEN for word in said) else ""


JUDGES = {"intents status": _opening}
"""Who judges the condition that comes with a command."""


def person_verb(words: Sequence[str], fed: bool = False) -> str:
    """The verb in `jackline WORDS` that an agent may not use, "" when there is none; `?` when only a shell knows."""
    if any(word in ("--help", "-h") for word in words):
        return ""
    plain = [word for at, word in enumerate(words) if not word.startswith("-") and words[max(at - 1, 0)] != "-C"]
    unclear = "?" if fed or any(UNKNOWN in word for word in words) else ""
    verb, second = [*plain, "", ""][:2]
    if not verb or UNKNOWN in verb:
        return unclear
    from jackline.features.self_protect.human_only import HUMAN_ONLY

    name = verb
    if verb not in HUMAN_ONLY:
        if not any(row.startswith(f"{verb} ") for row in HUMAN_ONLY):
            return ""
        if UNKNOWN in second or (fed and not second):
            return "?"
        name = f"{verb} {second}"
    option = HUMAN_ONLY.get(name)
    if not option:
        return "" if option is None else name
    if name in JUDGES:
        return JUDGES[name](plain[2:], fed)
    asked = any(len(one) > 3 and option.startswith(one) for one in words)
    return f"{name} {option}" if asked else unclear
