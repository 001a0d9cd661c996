"""What a command names of ours while nobody can tell from its text what it does."""

from __future__ import annotations

from jackline.features.self_protect.processes import is_endless
from jackline.features.self_protect.shell import CHANGES
from jackline.features.self_protect.verbs import arguments

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from jackline.features.self_protect.shell import Ground
    from jackline.shell.model import Effect, Effects

MENTIONS = (
    ".ai/",
    ".discobot/hooks",
    ".claude/settings",
    ".codex/",
    ".copilot/",
    ".github/hooks",
    ".github/copilot",
    ".gemini/settings",
    ".qwen/settings",
    ".cursor/hooks",
    ".clinerules/hooks",
    ".git/hooks",
    ".git/config",
    "hookspath",
    "jackline",
    "door.py",
    ".claude/projects",
    ".codex/sessions",
    ".codex/archived_sessions",
    ".copilot/session-state",
)
"""Texts that a program with unknown effects has no harmless reason to name (lower case)."""

LATER = ("crontab", "batch", "at")
"""Programs that run what they are fed when nobody looks."""


def _vague(effect: Effect) -> bool:
    """Whether only the running shell knows what an effect hits."""
    return effect.kind == "unknown" or (effect.kind in CHANGES and effect.pattern and "**" in effect.path)


def is_unknown(found: Effects) -> bool:
    """Whether some part of a command may do what nobody can tell from its text."""
    return not found.understood or any(effect.kind == "unknown" for effect in found.effects)


def _left_out(found: Effects) -> Iterator[str]:
    """What tells a `find` not to go somewhere: it does less so than without, and meets no place that is named there."""
    for one in found.commands:
        if one.program not in ("find", "gfind"):
            continue
        given = list(one.words)
        first = next((at for at, word in enumerate(given) if word[:5] == "-exec" or word[:3] == "-ok"), len(given))
        for at in range(first):
            for how in (["-prune", "-o"], ["-not", "-prune", "-o"]):
                if given[at] == "-path" and given[at + 2 : at + 2 + len(how)] == how:
                    yield " ".join(given[at : at + 2 + len(how)])


def mention(command: str, found: Effects, ground: Ground) -> str:
    """What protected thing a command names while its effects are not all known, "" when none."""
    if is_endless(found):
        return "the door"
    ours = {command.words for command in found.commands if arguments(command) is not None}
    vague = [effect for effect in found.effects if _vague(effect) and effect.words not in ours]
    late = any(one.program in LATER for one in found.commands)
    if found.understood and not vague and not late:
        return ""
    texts = [" ".join(effect.words) for effect in vague]
    if not found.understood or late or any(effect.pattern for effect in vague):
        texts = [command]
    return _named("\n".join(texts), found, ground)


def in_texts(found: Effects, ground: Ground) -> str:
    """What protected thing a file of this session names that does what only it knows, "" when none does."""
    every = [*found.effects, *[effect for one in found.texts if one.own for effect in one.own.effects]]
    vague = {one.source for one in every if one.act in ("code.open", "code.hidden") or (_vague(one) and one.pattern)}
    texts = [one.text for one in found.texts if one.own is None and one.path in vague]
    return _named("\n".join(texts), found, ground) if texts else ""


def _named(text: str, found: Effects, ground: Ground) -> str:
    for quote in "\\'\"":
        text = text.replace(quote, "")
    for clause in _left_out(found):
        text = text.replace(clause, "", 1)
    if ground.store and ground.store in text:
        return ground.store
    low = text.lower().replace(".ai/inbox", "")
    return next((one for one in MENTIONS if one in low), "")
