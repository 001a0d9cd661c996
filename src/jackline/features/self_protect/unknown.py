"""What nobody can tell beforehand: which protected place a path may be that only the running shell knows, and what a
command or a program that we do not know does with what it names.

What is not known may be absolute, and may lead up: a known beginning excludes nothing, a known end does. A variable of
the person's environment is no agent's choice: there the end must say it, as `$ZDOTDIR/.zshrc` does. What a search finds
lies below its folder, and is there.
"""

from __future__ import annotations

from jackline.features.self_protect import arrivals
from jackline.features.self_protect.places import (
    ANYWHERE,
    BY_CONTENT,
    FIXED,
    NAMES,
    STORE,
    TRANSCRIPT,
    Ground,
    places_below,
    rule_of,
    standing_below,
)
from jackline.features.self_protect.processes import is_endless
from jackline.features.self_protect.shell import CHANGES, Hit, is_session, parts, pattern_of
from jackline.features.self_protect.verbs import arguments, person_verb
from jackline.globs import match, segment
from jackline.sensitive import CUSTOMIZE, IN_HOME, PERSISTENCE
from jackline.shell.model import RUN, UNKNOWN, Effect, Effects
from jackline.system import exists

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


_HOOKS = (
    "applypatch-msg commit-msg fsmonitor-watchman post-applypatch post-checkout post-commit post-index-change "
    "post-merge post-receive post-rewrite post-update pre-applypatch pre-auto-gc pre-commit pre-merge-commit pre-push "
    "pre-rebase pre-receive prepare-commit-msg proc-receive push-to-checkout reference-transaction "
    "sendemail-validate update PreToolUse PostToolUse TaskStart TaskResume TaskCancel UserPromptSubmit"
)
_OURS = "authority.jsonl loaded trust.json door.py jackline claude codex python3"
BY_NAME = tuple(f"{_HOOKS} {_OURS} {' '.join([*CUSTOMIZE, *NAMES])}".lower().split())
"""Names that mean something in a folder all of which is protected, or wherever they lie."""

_ENDINGS = (
    ".sh .bash .zsh .fish .nu .ps1 .psm1 .py .pth .so .js .mjs .cjs .ts .rb .pl .lua .json .jsonc .jsonl .toml .yaml "
    ".yml .conf .cfg .rules .service .timer .socket .path .desktop .plist"
)
ENDINGS = tuple(_ENDINGS.split())
"""How names end that mean something in a folder all of which is protected, whatever they are called."""

MAKES = ("mkdir", "touch", "mktemp")
"""Programs that put nothing into what they make."""


def _places() -> Iterator[str]:
    """Every protected place as far as its end goes: patterns in small letters."""
    for folder, rows in ANYWHERE.items():
        yield from [f"{folder}/{pattern}" for pattern, _ in rows]
    yield from [pattern.lstrip("~/") for pattern, _ in FIXED]
    for places in (*PERSISTENCE.values(), *IN_HOME.values()):
        yield from places.split()


PLACES = [one.split("/") for one in dict.fromkeys(_places())]


def _meets(place: Sequence[str], end: Sequence[str]) -> bool:
    """Whether parts of a place and parts of a known end may be the same; a star may stand in either."""
    return all(
        segment(name, part) if "*" in name else segment(part, name) for part, name in zip(place, end, strict=True)
    )


def _names(place: Sequence[str], end: Sequence[str], least: int) -> bool:
    """Whether a path at this place, or in it, may end so. `least`: parts of the place that the end must name."""
    parts = [one for one in place if one != "**"]
    lasts = range(len(end) if len(parts) < len(place) else 0)  # where the place's last part stands in the end
    for at in (len(end) - 1, *lasts):
        size = min(len(parts), at + 1)
        if size >= min(least, len(parts)) and _meets(parts[-size:], end[at + 1 - size : at + 1]):
            return True
    return False


def ends_so(end: str, *, person: bool = False, deep: bool = False) -> bool:
    """Whether a protected place may have this known end.

    `person`: only one that the end itself names. `deep`: or have a folder with this end above it.
    """
    parts = end.lower().rpartition("/../")[2].split("/")
    parts = [one for one in (parts[0] and f"*{parts[0]}", *parts[1:]) if one not in ("", ".", "..")]
    if not parts or not parts[-1].strip("*"):
        return not person
    for place in PLACES:
        above = [place[:size] for size in range(1, len(place)) if "*" not in place[size - 1]] if deep else []
        if any(_names(one, parts, 2 if person else 1) for one in (place, *above)):
            return True
    return not person and (parts[-1].endswith(ENDINGS) or any(_meets([one], parts[-1:]) for one in BY_NAME))


def _leads_to(effect: Effect, ground: Ground) -> str:
    """The protected file that a search below a folder may find."""
    front, _, end = effect.path.partition("/**")
    end = effect.path.rpartition("/**")[2]
    for place, rule in () if "*" in front else places_below(ground, front):
        if exists(place):
            found = next((one for one in arrivals.files(place) if match(effect.path, one) and rule_of(ground, one)), "")
            if found or (rule not in BY_CONTENT and end and "*" not in end and ends_so(end, person=True)):
                return found or place
    return ""


def may_reach(effect: Effect, ground: Ground) -> str:
    """What of the protected places a change may reach whose path only the running shell will know, "" for nothing."""
    words = [word.lower() for word in effect.words]
    runnable = effect.act == "mode" and any(word.endswith("+x") for word in words)
    if runnable or effect.program in MAKES or (effect.program == "new-item" and "directory" in words):
        return ""
    if effect.open:
        person = effect.open[0] != RUN
        return f"…{effect.open[1:]}" if ends_so(effect.open[1:], person=person, deep=effect.deep) else ""
    return _leads_to(effect, ground) if effect.kind == "write" and "/**" in effect.path else ""


def unknown(found: Effects, ground: Ground) -> tuple[str, str]:
    """The first of such changes: what it may reach, and by which program; "" twice for none."""
    for effect in found.effects:
        if effect.kind in CHANGES:
            what = may_reach(effect, ground) if effect.pattern else arrivals.reached(effect, found, ground)[0]
            if what:
                return what, effect.program
    return "", ""


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


def _of_session(found: Effects) -> list[str]:
    """Texts of files of this session that do what only they know."""
    acts = ("code.open", "code.hidden", "code.unknown")
    every = [one for part in parts(found) for one in part.effects]
    vague = {one.source for one in every if one.act in acts or (_vague(one) and one.pattern)}
    return [one.text for one in found.texts if one.own is None and one.path in vague]


def mention(command: str, found: Effects, ground: Ground) -> str:
    """What of ours a command names while its effects are not all known, "" when nothing."""
    if is_endless(found):
        return "the entry point"
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
    name = effect.path.lower().rstrip("/").rpartition("/")[2]
    if rule or name not in ANYWHERE or name == ".git":  # what is unpacked into a folder of settings is meant for them
        return (effect.path, rule, rule not in BY_CONTENT) if rule else arrivals.reached(effect, found, ground)
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
    texts = [*([command] if dark else ()), *_of_session(found)]
    hits = (_named(part, ground, "" if at else "\n".join(texts)) for at, part in enumerate(parts(found)))
    return next(filter(None, hits), None)
