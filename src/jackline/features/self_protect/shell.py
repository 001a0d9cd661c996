"""What a command does to protected places, as far as it is understood, and what it says where it is not."""

from __future__ import annotations

from jackline.features.self_protect.detours import SETS, assigned, bare, moved, of_git, shows_screen
from jackline.features.self_protect.places import (
    ATTRIBUTES,
    GIT,
    PACKAGE,
    SAID,
    STORE,
    TRANSCRIPT,
    Ground,
    is_transcript,
    own,
    places_below,
    rule_of,
    standing_below,
    transcripts,
)
from jackline.features.self_protect.processes import reached
from jackline.features.self_protect.verbs import arguments, person_verb
from jackline.globs import base, segment
from jackline.paths import resolve
from jackline.shell.model import Command, Effect, Effects
from jackline.system import exists, names

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import NamedTuple

else:
    from jackline._record import NamedTuple


class Hit(NamedTuple):
    """What is refused: the path or verb, the rule, and `kind`: write sweep read walk run verb client signal unknown.

    With `walk` and `sweep`, `what` is the folder that holds the place; a sweep deletes it, `place` and all.
    """

    what: str
    rule: str
    kind: str
    place: str = ""


CHANGES = frozenset(("write", "delete"))
_LISTERS = "find fd fdfind ls tree du stat file exa eza df realpath readlink"
LISTERS = frozenset(_LISTERS.split())
"""Programs that read names and sizes, not contents."""

SWEEPERS = frozenset(("chmod", "chown", "chgrp", "chattr", "setfacl", "shred", "srm"))
"""Programs that change everything below a folder alike."""

REPLACERS = frozenset(("ln", "mv", "cp", "rsync", "link", "symlink"))
NO_FOLDER = ("-T", "--no-target-directory", "--exchange")
"""Options with which a folder that stands is replaced, not filled."""
TERMINAL_FILES = ("/dev/pts/", "/dev/vcs")
_TERMINALS = (
    "script expect unbuffer socat tmux screen zellij setsid nohup daemonize at batch systemd-run xterm dtach abduco "
    "ttyd start-stop-daemon crontab"
)
TERMINALS = frozenset(_TERMINALS.split())
"""Programs below which a command has a terminal, or leaves its client's process tree: codes would be shown there."""

LOOSENING = ("JACKLINE_SKIP", "JACKLINE_STORE")
"""Variables of ours that a person sets."""


def _segments_meet(pattern: str, name: str) -> bool:
    """Whether a shell glob may mean a name: a leading dot must be written."""
    return (name[:1] != "." or pattern[:1] in (".", "[")) and segment(pattern, name)


MOST = 512
"""Paths that a glob means of which we look at each."""


def _standing(parts: Sequence[str]) -> list[str]:
    """What a glob of the shell means on the disk."""
    found = [""]
    for part in parts[1:]:
        if any(char in part for char in "*?["):
            inner = [f"{above}/{one}" for above in found for one in names(above or "/") if _segments_meet(part, one)]
            found = inner[:MOST]
        else:
            found = [f"{above}/{part}" for above in found]
    return found


def pattern_of(ground: Ground, effect: Effect) -> tuple[str, str]:
    """What a glob hits: its literal folder when that is protected, else what stands there, or in a folder that does."""
    path, parts = effect.path, effect.path.split("/")
    rule = rule_of(ground, base(path).rstrip("/") + "/x")
    if "**" in parts and not rule:  # what is written out behind the unknown part may still say it
        rule = rule_of(ground, "/" + "/".join("x" if "*" in part else part for part in parts if part))
    if rule or "**" in parts:
        return (path, rule) if rule else ("", "")
    gone = effect.kind == "delete"
    for one in _standing(parts):
        folder, _, name = one.rpartition("/")
        # A link goes, not what it leads to.
        place = f"{resolve('/', folder).rstrip('/')}/{name}" if gone else resolve("/", one)
        rule = rule_of(ground, place)
        if not rule and (gone or effect.deep):
            place, rule = standing_below(ground, place)
        if rule:
            return place, rule
    return "", ""


def _reached(effect: Effect, place: str, rule: str) -> Hit:
    """A protected place that a change reaches. Who deletes a folder above it is told of the folder: that is graver."""
    above = effect.kind == "delete" and place.count("/") > effect.path.rstrip("/").count("/")
    return Hit(effect.path, rule, "sweep", place) if above else Hit(place, rule, "write")


def _change(ground: Ground, effect: Effect) -> Hit | None:
    """A write or delete that reaches a protected place."""
    path = effect.path
    if not path:
        return None
    place, rule = pattern_of(ground, effect) if effect.pattern else (path, rule_of(ground, path))
    if rule == ATTRIBUTES and effect.kind == "delete":
        return None
    if rule == GIT and effect.program == "git" and effect.act == "git.own" and not effect.pattern:
        return None  # other keys than those that name programs
    if rule or effect.pattern:
        return _reached(effect, place, rule) if rule else None
    if effect.kind == "delete" or effect.program in SWEEPERS:
        place, rule = standing_below(ground, path) if effect.deep and not _tracked(effect) else ("", "")
        return _reached(effect, place, rule) if rule else None
    whole = not exists(path + "/.") or any(word in NO_FOLDER for word in effect.words)
    if effect.program in REPLACERS and whole:
        # A new folder or link under the name of a folder of settings.
        found = places_below(ground, path)
        return Hit(path, found[0][1], "write") if found else None
    return None


def _landed(effect: Effect, found: Effects, ground: Ground) -> Hit | None:
    """What certainly comes with a copy, an archive or a patch."""
    if effect.kind != "write" or not effect.deep:
        return None
    from jackline.features.self_protect.arrivals import reached as arrives

    place, rule, certain = arrives(effect, found, ground)
    return Hit(place, rule, "write") if certain else None


def _tracked(effect: Effect) -> bool:
    """Whether git only moves tracked content to and fro: what it brings, the gate and trust look at."""
    return effect.program == "git" and not any(word in ("clean", "rm", "mv") for word in effect.words[1:])


def _heard(ground: Ground, effect: Effect) -> Hit | None:
    """Reading what was said in a session, to the person alone as well."""
    path = effect.path
    if effect.pattern:
        folder, name = base(path), path.rpartition("/")[2]
        may = name.rstrip("*?").endswith((SAID, ".")) or name.endswith(("*", "?")) or "**" in path
        if not may or folder in ("", "/", ground.home, ground.root):
            return None
        held = any(exists(place) for place in transcripts(folder, ground))
        return Hit(path, TRANSCRIPT, "read") if held else None
    if is_transcript(path, ground.said):
        return Hit(path, TRANSCRIPT, "read")
    if effect.deep and effect.program not in LISTERS and path != ground.root:
        place = next((one for one in transcripts(path, ground) if exists(one)), "")
        return Hit(place, TRANSCRIPT, "read") if place else None
    return None


def _look(ground: Ground, effect: Effect) -> Hit | None:
    """Reading the store, or a transcript: they hold approval codes, and the store what grants rest on."""
    path, store = effect.path, ground.store
    if not path:
        return None
    if path.startswith(TERMINAL_FILES):
        return Hit(path, "the person's terminals", "read")
    hit = _heard(ground, effect)
    if hit is not None or not store:
        return hit
    if effect.pattern:
        place, rule = pattern_of(ground, effect)
        return Hit(place, STORE, "read") if rule == STORE else None
    if own(path, ground) == STORE and not is_session(ground, path):
        return Hit(path, STORE, "read")
    above = store.startswith(path.rstrip("/") + "/") and path != ground.root
    if effect.deep and above and effect.program not in LISTERS and exists(store):
        return Hit(path, STORE, "walk")
    return None


def is_session(ground: Ground, path: str) -> bool:
    """Runtime files of a repository without `.ai`, which the store keeps: an agent may read its own."""
    inner = path[len(ground.store) + 1 :].split("/", 3)
    return inner[0] == "repos" and len(inner) == 4 and inner[2] == "tmp"


COPIES = frozenset(("cp", "install", "rsync", "ditto", "dd", "scp", "mv"))


def _is_ours(ground: Ground, cwd: str, word: str) -> bool:
    """A word leads to our command, or to all of our package; `which` prints a bare name."""
    path = resolve(cwd, word) if word and "\0" not in word else ""
    bare = word == "jackline" and not exists(path)
    return bare or bool(
        path and (path == ground.package or (path.endswith("/jackline") and ("=", path) in ground.rows))
    )


def _command(ground: Ground, command: Command) -> Hit | None:
    """Our verbs, our variables, links to protected places."""
    words = command.words
    given = {*assigned(command), *(words[1:] if command.program in SETS else ())}
    loose = next((name for name in LOOSENING if name in given), "") or of_git(command)
    if loose:
        return Hit(loose, "variables that a person sets", "verb")
    asked = arguments(command)
    if asked is not None:
        verb = person_verb(asked, command.fed)
        if not verb and "approvals" in asked and TERMINALS.intersection(command.wrappers):
            verb = "approvals"
        if verb:
            return Hit(verb, "the entry point" if verb == "hook" else "a human-only command", "verb")
    if command.program in COPIES and command.cwd:
        ours = next((word for word in words[1:-1] if _is_ours(ground, command.cwd, word.removeprefix("if="))), "")
        if ours:
            return Hit(resolve(command.cwd, ours), PACKAGE, "copy")
    return None


def _around(found: Effects, ground: Ground) -> Hit | None:
    """Ways that lead round the places: another home, a client without hooks, a screen."""
    name = moved(found.commands)
    if name:
        return Hit(name, "variables that a person sets", "verb")
    for at, command in enumerate(found.commands):
        without = bare(command, found.commands[:at])
        if without:
            return Hit(without, "clients without their hooks", "client")
        if shows_screen(command, ground.store, ground.now):
            return Hit(f"what {command.program} shows", "screens, while a call waits for the person", "read")
    what = reached(found, ground)
    return Hit(what, "processes that judge", "signal") if what else None


def _does(effect: Effect, found: Effects, ground: Ground) -> Hit | None:
    """What one effect reaches of the protected places."""
    if effect.kind in CHANGES:
        return _change(ground, effect) or _landed(effect, found, ground)
    if effect.kind == "read":
        return _look(ground, effect)
    ours = effect.kind == "execute" and effect.path and own(effect.path, ground) == STORE
    return Hit(effect.path, "the entry point", "run") if ours else None


def parts(found: Effects) -> tuple[Effects, ...]:
    """What a call does, and what this session's files do that those of the project run."""
    return (found, *[one.own for one in found.texts if one.own])


def judge(found: Effects, ground: Ground) -> Hit | None:
    """The first thing a command is known to do that it may not."""
    told = (_command(ground, one) for one in found.commands)
    done = (_does(one, found, ground) for one in found.effects)
    return next(filter(None, told), None) or _around(found, ground) or next(filter(None, done), None)
