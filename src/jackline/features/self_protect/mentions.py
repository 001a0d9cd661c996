"""What a command names of ours while no rule says what for: protected places, and our own name."""

from __future__ import annotations

from jackline.features.self_protect.arrivals import reached
from jackline.features.self_protect.ground import rule_of, standing_below
from jackline.features.self_protect.places import BY_CONTENT, STORE, TRANSCRIPT, is_setting_folder
from jackline.features.self_protect.processes import is_endless
from jackline.features.self_protect.shell import CHANGES, Hit, is_session, judge, parts, pattern_of
from jackline.features.self_protect.verbs import arguments, person_verb
from jackline.shell.model import UNKNOWN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jackline.features.self_protect.ground import Ground
    from jackline.shell.model import Effect, Effects

OURS = ("hookspath", "jackline", "door.py")
"""Texts that a program with unknown effects has no harmless reason to name (lower case)."""

LATER = ("crontab", "batch", "at")
"""Programs that run what they are fed when nobody looks."""


def _vague(effect: Effect) -> bool:
    """Whether only the running shell knows what an effect hits."""
    return effect.kind == "unknown" or (effect.kind in CHANGES and effect.pattern and "**" in effect.path)


def is_unknown(found: Effects) -> bool:
    """Whether some part of a command may do what nobody can tell from its text."""
    return not found.understood or any(effect.kind == "unknown" for effect in found.effects)


def unread(found: Effects) -> str:
    """Why a file of this session that the command runs was not wholly read, "" when all were."""
    return next((one.note for part in parts(found) for one in part.effects if one.act == "text.unread"), "")


def holder(found: Effects, hit: Hit, ground: Ground) -> str:
    """The name of the file of this session that does by itself what is refused, "" when it stands in the command."""
    sources = [one.source for one in found.commands] + [one.source for one in found.effects]
    for path in dict.fromkeys(sources):
        commands = tuple([one for one in found.commands if one.source == path])
        effects = tuple([one for one in found.effects if one.source == path])
        if judge(found._replace(commands=commands, effects=effects), ground) == hit:
            return path.rpartition("/")[2]
    return ""


def _of_session(found: Effects) -> list[str]:
    """Texts of files of this session that do what only they know."""
    acts = ("code.open", "code.hidden", "code.unknown")
    every = [one for part in parts(found) for one in part.effects]
    vague = {one.source for one in every if one.act in acts or (_vague(one) and one.pattern)}
    return [one.text for one in found.texts if one.own is None and one.path in vague]


def mention(command: str, found: Effects, ground: Ground) -> str:
    """What of ours a command names while its effects are not all known, "" when nothing."""
    if is_endless(found):
        return "the door"
    for one in found.commands:
        verb = person_verb(one.words[1:]) if one.words and UNKNOWN in one.words[0] else ""
        if verb not in ("", "?"):
            return verb
    ours = {command.words for command in found.commands if arguments(command) is not None}
    vague = [effect for effect in found.effects if _vague(effect) and effect.words not in ours]
    late = any(one.program in LATER for one in found.commands)
    texts = [" ".join(effect.words) for effect in vague]
    if not found.understood or late or any(effect.pattern for effect in vague):
        texts = [command]
    text = "\n".join([*texts, *_of_session(found)])
    for quote in "\\'\"":
        text = text.replace(quote, "")
    low = text.lower()
    return next((one for one in OURS if one in low), "")


def _rule(effect: Effect, found: Effects, ground: Ground) -> tuple[str, str, bool]:
    """The protected place that a word names, its rule, and whether it certainly is that place."""
    if effect.pattern:
        return (*pattern_of(ground, effect), False)
    rule = rule_of(ground, effect.path)
    if rule or not is_setting_folder(effect.path) or effect.path.endswith(".git"):
        return (effect.path, rule, rule not in BY_CONTENT) if rule else reached(effect, found, ground)
    _, rule = standing_below(ground, effect.path)
    return effect.path, "" if rule in BY_CONTENT else rule, False


def _named(found: Effects, ground: Ground, text: str) -> Hit | None:
    from jackline.shell.words import words_of

    made = None
    for effect in words_of(found, ground.root, ground.home, text):
        place, rule, certain = _rule(effect, found, ground)
        if not rule or (rule == STORE and effect.note == "operand" and is_session(ground, place)):
            continue
        if effect.note == "read" and rule not in (STORE, TRANSCRIPT):
            continue
        if certain and effect.note in ("value", "variable"):
            return Hit(place, rule, "write")
        made = made or Hit(place, rule, "unknown")
    return made


def named(command: str, found: Effects, ground: Ground) -> Hit | None:
    """A protected place that a word names, or a text: `write` where the word says that something goes there."""
    dark = not found.understood or any(_vague(effect) and effect.pattern for effect in found.effects)
    hit = _named(found, ground, "\n".join([*([command] if dark else ()), *_of_session(found)]))
    for one in found.texts if hit is None else ():
        hit = hit or (_named(one.own, ground, "") if one.own else None)
    return hit
