"""What lands in a folder above a protected place: a copy with all it holds, an archive, a patch, a download, a clone.

What lies on the disk is looked at: a folder that is copied, the names in an archive. Of what nobody can
read beforehand, any name may come. Of some files only some keys are protected: there the text of a change is looked at,
in settings of git, attributes, and settings of VS Code.
"""

from __future__ import annotations

from jackline.features.self_protect.places import ATTRIBUTES, BY_CONTENT, EDITOR, GIT, Ground, places_below, rule_of
from jackline.paths import resolve
from jackline.shell.git_keys import names_key
from jackline.shell.model import RUN, Command, Effect, Effects
from jackline.shell.texts import content
from jackline.shell.wrappers import WRAPPERS
from jackline.system import exists, is_dir, names

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

    from jackline.model import Event

    Names = Iterable[str] | None
    """Where something lands, as absolute paths; None where nobody can tell."""

SIZE = 32 << 20
MOST = 20_000
WIDE = 1_000
"""Bytes of an archive, names in one, and names in a folder that are looked at."""

PATCHES = "patches what the patch names"
UNPACKS = "unpacks into it"
NEW = ("clones into it", "makes a work tree")
"""Folders that git makes: it refuses one that has something in it."""

KEEPERS = ("scp", "sftp", "rsync", "docker", "podman", "kubectl", "oc", "wget")
"""Programs that keep the name of what they copy from elsewhere; others bring what lies in it."""

_PACKED = "zip tar tgz gz bz2 xz zst 7z rar deb rpm jar whl cpio sqfs squashfs cab gem asar iso dsc"
PACKED = tuple([f".{end}" for end in _PACKED.split()])
"""How archives are called."""

ARRIVES = (
    *(PATCHES, UNPACKS, *NEW, "copies", "copies to it", "copies into it", "copies from a container"),
    *("moves to it", "downloads into it", "mounts over it"),
)


def files(place: str, depth: int = 3) -> Iterator[str]:
    """The file at a place, and those below it."""
    if not is_dir(place):
        yield place
    for name in names(place)[:WIDE] if depth else ():
        yield from files(f"{place}/{name}", depth - 1)


def _packed(path: str) -> list[str] | None:
    """Names in an archive; None where nobody can tell: there are links in it, too."""
    import tarfile
    import zipfile
    from pathlib import Path

    try:
        if Path(path).stat().st_size > SIZE:
            return None
        if zipfile.is_zipfile(path):
            with zipfile.ZipFile(path) as archive:
                return archive.namelist()
        with tarfile.open(path) as tar:
            return None if any(one.issym() for one in tar) else tar.getnames()
    except (OSError, EOFError, ValueError, tarfile.TarError, zipfile.BadZipFile):
        return None


def _unpacked(effect: Effect, found: Effects) -> Names:
    """Where the names lead that an archive on the disk holds."""
    made: list[str] = []
    strips = any(one.startswith(("--strip", "--transform", "-j")) for one in effect.words)
    for source in _sources(effect, found):
        held = _packed(source.path) if exists(source.path) else []
        if held is None or len(held) > MOST or _brought(source.path, effect, found):
            return None
        for parts in [name.split("/") for name in held]:
            made += [resolve(effect.path, "/".join(parts[at:])) for at in range(min(len(parts), 10) if strips else 1)]
    return made if made or _sources(effect, found) else None


def _sources(effect: Effect, found: Effects) -> list[Effect]:
    """What the same command reads."""
    return [one for one in found.effects if one.kind == "read" and one.words == effect.words and one.path]


def _brought(path: str, effect: Effect, found: Effects) -> bool:
    """Whether another part of the command brings what nobody knows to a path, or into it, or may make it."""
    for one in found.effects:
        if one.words[-len(effect.words) :] == effect.words:
            continue
        if one.kind in ("execute", "unknown") and not exists(path):
            return True
        meet = f"{one.path}/".startswith(f"{path}/") or f"{path}/".startswith(f"{one.path}/")
        if one.kind == "write" and (one.path == path or (one.deep and meet)):
            return True
    return False


def _call(effect: Effect, found: Effects) -> Command | None:
    return next((one for one in found.commands if one.words[:400] == effect.words), None)


def _of_patch(effect: Effect, found: Effects) -> Names:
    """A patch that could not be read before: what git itself makes brings what is tracked."""
    call, sources = _call(effect, found), [one.path for one in _sources(effect, found)]
    hidden = any(one.open[:1] == RUN for one in _sources(effect, found))
    by = {one.program for one in found.effects if one.kind == "write" and one.path in sources}
    return None if hidden or {*by, *(call.piped_from[:1] if call else ())} - {"git"} else []


def _far(effect: Effect, words: list[str], places: Iterable[tuple[str, str]]) -> Names:
    """Where a copy from elsewhere leads: below its own name, unless its content is meant."""
    made = [f"{effect.path}/{one.rpartition(':')[2].rpartition('/')[2]}" for one in words]
    inner = effect.program not in KEEPERS or any("nH" in one or "no-host" in one for one in effect.words)
    if inner or not words or any(one.endswith(("/", "/.", "/..")) or "*" in one for one in made):
        return None
    return None if any(f"{place}/".startswith(f"{one}/") for one in made for place, _ in places) else made


def _copied(effect: Effect, found: Effects, places: Iterable[tuple[str, str]]) -> Names:
    """What of the places lies below the folders that are copied."""
    made: list[str] = []
    for source in _sources(effect, found):
        if source.pattern or _brought(source.path, effect, found):
            return None
        for place, _ in places if is_dir(source.path) else ():
            there = source.path + place[len(effect.path.rstrip("/")) :]
            made += [effect.path.rstrip("/") + one[len(source.path) :] for one in files(there) if exists(one)]
    return made


def _elsewhere(effect: Effect, found: Effects) -> bool:
    """Whether git changes another work tree than its repository's own, or by another repository."""
    call = _call(effect, found)
    if call is None or not effect.act.startswith("git.") or effect.act == "git.own":
        return False
    named = [*[name for name, _ in call.assigns], *[word.partition("=")[0] for word in call.words]]
    before = [word.partition("=")[0] for one in found.commands if one.program == "export" for word in one.words]
    return not {"GIT_DIR", "--git-dir"}.isdisjoint((*named, *before)) or not exists(f"{effect.path}/.git")


def _names(effect: Effect, found: Effects, places: Iterable[tuple[str, str]]) -> Names:
    if effect.note == PATCHES:
        return _of_patch(effect, found)
    if effect.note in NEW:
        return [] if names(effect.path) else None
    sources = _sources(effect, found)
    if effect.note == UNPACKS or (
        sources and effect.note not in ARRIVES and not any(is_dir(one.path) for one in sources)
    ):
        return _unpacked(effect, found)
    far = [one for one in effect.words[1:] if ":" in one.partition("/")[0] and one[:1] != "-"]
    return _copied(effect, found, places) if sources and not far else _far(effect, far, places)


def whole(path: str, ground: Ground) -> bool:
    """The home, or a folder above it: no program that puts there what it makes means all that lies in it."""
    return path != "/" and f"{ground.home}/".startswith(f"{path}/")


def _filled(effect: Effect, found: Effects, ground: Ground) -> str:
    """The rule of a place below a folder that a word names, of which no rule says what for; "" for none.

    Where the folder is not the home, another word says what comes into it: an address, an archive.
    """
    if effect.note not in ("operand", "value") or effect.program in (*WRAPPERS, "git"):
        return ""
    words, path = effect.words[1:], effect.path
    brings = [at for at, one in enumerate(words) if "://" in one or one.lower().endswith(PACKED)]
    if effect.note == "operand":  # what is named first is sent
        ends = (path.rpartition("/")[2], ".", "~")
        brings = [at for at in brings if any(one.rstrip("/").endswith(ends) for one in words[at + 1 :])]
    if not brings and not whole(path, ground):
        return ""
    return next((rule for place, rule in places_below(ground, path) if rule not in BY_CONTENT and exists(place)), "")


def reached(effect: Effect, found: Effects, ground: Ground) -> tuple[str, str, bool]:
    """The protected place that what lands in a folder reaches, its rule, and whether that is certain; "" for none."""
    if effect.kind == "named":
        return effect.path, _filled(effect, found, ground), False
    lands = effect.kind == "write" and effect.deep and not effect.pattern and effect.path
    foreign = lands and _elsewhere(effect, found)
    known = effect.note in ARRIVES or effect.note.endswith(" names it")
    if not lands or not (foreign or known or (whole(effect.path, ground) and not effect.act)):
        return "", "", False
    places = [one for one in places_below(ground, effect.path) if one[1] not in BY_CONTENT]
    if not places:
        return "", "", False
    over = effect.note == "mounts over it"
    made = None if foreign or over else _names(effect, found, places)
    if made is None:
        return (*next((one for one in places if exists(one[0])), places[0]), over)
    for name in made:
        rule = rule_of(ground, name)
        if rule and rule not in BY_CONTENT:
            return name, rule, True
    return "", "", False


OLD = frozenset(("old_string", "old_str", "oldString", "old_text", "oldText", "search"))
BESIDE = frozenset(("file_path", "filePath", "path", "notebook_path", "explanation", "instruction", "description"))
"""Arguments of edit tools that hold what goes away, and that hold no content at all."""

OWN_DIFFS = (
    "ada bash bibtex cpp csharp css dts elixir fortran fountain golang html java kotlin markdown matlab objc pascal "
    "perl php python ruby rust scheme tex"
)
DRIVERS = {"diff": frozenset(OWN_DIFFS.split()), "merge": frozenset(("text", "binary", "union"))}
"""Drivers that git has itself."""

_EDITOR_KEYS = (
    "chat.usehooks chat.hookfileslocations chat.useclaudehooks chat.tools. chat.agent. autoapprove git.path "
    "terminal.integrated.profiles terminal.integrated.env terminal.integrated.automationprofile"
)
EDITOR_KEYS = tuple(_EDITOR_KEYS.split())


def names_driver(text: str) -> bool:
    """Whether a gitattributes file calls a filter, or a diff or merge driver that git does not have itself."""
    lines = [line.split() for line in text.lower().split("\n") if line.strip()[:1] != "#"]
    calls = [word.partition("=") for words in lines for word in words]
    return any(
        name == "filter" or (equals and value not in DRIVERS.get(name, (value,))) for name, equals, value in calls
    )


def names_setting(text: str) -> bool:
    """Whether settings of VS Code hold keys that loosen approvals or hooks."""
    low = text.lower().replace("\\u", " \\u")
    return any(key in low for key in EDITOR_KEYS) or "\\u" in low


TOUCHES = {GIT: names_key, ATTRIBUTES: names_driver, EDITOR: names_setting}


def _texts(value: Any, found: list[str], skip: frozenset[str]) -> None:
    if isinstance(value, str):
        found.append(value)
    elif isinstance(value, list):
        for one in value:
            _texts(one, found, skip)
    elif isinstance(value, dict):
        for key, one in value.items():
            if key not in skip:
                _texts(one, found, skip)


def harmless(path: str, event: Event, ground: Ground) -> bool:
    """Whether the text that a tool call changes in a file is known and leaves the protected keys alone."""
    rule = rule_of(ground, path)
    touches = TOUCHES.get(rule)
    if touches is None:
        return False
    adds_only = rule == ATTRIBUTES  # taking a driver away runs nothing
    texts: list[str] = []
    if event.patch:
        signs = ("+",) if adds_only else ("+", "-")
        texts = ["\n".join(line[1:] for line in event.patch.split("\n") if line.startswith(signs))]
    else:
        _texts(dict(event.input), texts, BESIDE | OLD if adds_only else BESIDE)
        if event.kind == "write" and not adds_only:
            texts.append(content(path))  # what stands there goes away
    return bool(texts) and not any(touches(text) for text in texts)
