"""Jackline's own command in an agent's shell: verbs that are a person's, and the door that only clients open."""

from __future__ import annotations

from jackline.shell.model import UNKNOWN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from jackline.shell.model import Command

PERSON = frozenset(("approve", "reject", "trust", "uninstall", "enable", "disable", "pause", "eject", "gc", "edit"))
PERSON_TWO = {
    "guard": frozenset(("allow",)),
    "intents": frozenset(("expand", "new")),
    "memory": frozenset(("promote", "reject", "forget")),
    "migrate": frozenset(("approve",)),
    "steps": frozenset(("promote",)),
    "state": frozenset(("rebuild",)),
    "work": frozenset(("new",)),
    "sessions": frozenset(("forget",)),
}
REPAIR = "--repair"
_OPEN = (
    "init compile wiring report profile schema plan pack artifacts lock mailbox features work-show search run log why "
    "status doctor try completion version help approvals hook"
)
OPEN = frozenset(_OPEN.split())
"""Verbs that only tighten or show (design section 9), and those judged apart."""

PYTHONS = ("python", "pypy")
RUNNERS = frozenset(
    ["uv", "uvx", "pipx", "poetry", "hatch", "pdm", "rye", "pixi", "mise", "nix", "conda", "micromamba"]
)

INSTALLS = ("install", "uninstall", "reinstall", "upgrade", "inject", "add", "remove", "pip")
"""Words after which a runner changes what is installed, and runs nothing."""


def _name(word: str) -> str:
    name = word.rpartition("/")[2].lower()
    return name[:-4] if name.endswith(".exe") else name


def _module(words: Sequence[str]) -> tuple[str, int]:
    """The module that a python command runs (`-m x`, `-Im x`, `-mx`), and the index of its first argument."""
    at = 1
    while at < len(words):
        word = words[at]
        if not word.startswith("-") or word.startswith("--"):
            return "", 0
        letters = word[1:]
        place = letters.find("m")
        if place >= 0 and not any(letter in letters[:place] for letter in "cWX"):
            rest = letters[place + 1 :]
            if rest:
                return rest, at + 1
            return (words[at + 1], at + 2) if at + 1 < len(words) else ("", 0)
        if "c" in letters:
            return "", 0
        at += 2 if letters[-1:] in "WX" else 1
    return "", 0


def arguments(command: Command) -> Sequence[str] | None:
    """What stands behind `jackline` in a command, however it is run; None when the command is another."""
    words = command.words
    if not words:
        return None
    name = _name(words[0])
    if name == "jackline":
        return words[1:]
    if name.startswith(PYTHONS):
        module, at = _module(words)
        if module == "jackline" or module.startswith("jackline."):
            return ("hook",) if module == "jackline.hook" else words[at:]
        for at, word in enumerate(words[1:], 1):
            if word.endswith(("/jackline", "/jackline/__main__.py", "/jackline/cli/__main__.py")):
                return words[at + 1 :]
            if not word.startswith("-"):
                return None
        return None
    if name in RUNNERS:
        for at, word in enumerate(words[1:], 1):
            if at < 3 and word in INSTALLS:
                return None
            if _name(word) == "jackline":
                return words[at + 1 :]
            if _name(word).startswith(PYTHONS):
                return arguments(command._replace(words=tuple(words[at:])))
    return None


def _opening(words: Sequence[str], fed: bool) -> str:
    """The verb when `intents status` may open an intent, a person's affair; "" when it closes one, open to all."""
    from jackline.intents import OPEN

    if fed or any(UNKNOWN in word for word in words):
        return "?"
    said = [word.upper().replace("-", "_").replace(" ", "_") for word in words]
    return "intents status" if any(word in OPEN for word in said) else ""


def person_verb(words: Sequence[str], fed: bool = False) -> str:
    """The verb in `jackline WORDS` that an agent may not use, "" when there is none; `?` when only a shell knows."""
    if any(word in ("--help", "-h") for word in words):
        return ""
    plain = [word for at, word in enumerate(words) if not word.startswith("-") and words[max(at - 1, 0)] != "-C"]
    for at, word in enumerate(plain):
        if UNKNOWN in word:
            return "?"
        second = plain[at + 1] if at + 1 < len(plain) else ""
        if word in PERSON or word == "hook":
            return word
        if word == "approvals" and "--yes" in words:
            return "approvals --yes"
        if word in PERSON_TWO:
            if UNKNOWN in second or (fed and not second):
                return "?"
            if word == "intents" and second == "status":
                return _opening(plain[at + 2 :], fed)
            return f"{word} {second}" if second in PERSON_TWO[word] else ""
        if word == "doctor":
            unclear = fed or any(UNKNOWN in one for one in words)
            asked = any(len(one) > 3 and REPAIR.startswith(one) for one in words)
            return f"doctor {REPAIR}" if asked else "?" if unclear else ""
        if word in OPEN:
            return ""
    return "?" if fed or any(UNKNOWN in word for word in words) else ""
