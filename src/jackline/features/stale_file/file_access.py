"""What a call shows its agent of files, and which files it changes."""

from __future__ import annotations

from jackline.affected_paths import touch_of, touches
from jackline.globs import segment
from jackline.paths import within
from jackline.system import exists, names

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import NamedTuple

    from jackline.affected_paths import Touch
    from jackline.model import Event
    from jackline.shell.model import Command, Effect, Effects
else:
    from jackline._record import NamedTuple

READERS = ("read", "read_file", "view", "notebookread", "view_image", "read_many_files", "read_files", "fs_read")
"""Tools, in lower case, that bring a file's text before the agent's eyes, whole or in part."""
LOOKS = ("read", "get", "list", "search", "find", "view", "show", "stat", "info", "tree", "cat", "fetch", "query",
         "open", "head", "tail", "describe", "check", "diff", "lookup", "inspect")  # fmt: skip
"""How names of strange tools begin that only read."""
TEXTS = ("read", "get", "view", "show", "cat", "fetch", "open", "head", "tail")
"""Of those: who shows a file's text."""
SHOWING = frozenset(("cat", "head", "tail", "sed", "nl", "less", "more", "bat", "batcat", "tac"))
"""Programs that print a file as it is."""
PASSING = SHOWING | {"tee", "fold", "cut"}
"""Programs that hand on what they are given, whole or in part."""
SUBSTITUTED = ("$(", "`", "<(")
ELSEWHERE = ("ssh", "docker", "podman", "kubectl", "chroot", "nsenter")
"""Wrappers behind which a path means another file than here."""
QUIET = frozenset(("<", "<<", "<<<", "<<-", "2>", "2>>", "2>&"))
"""Redirections behind which a program's output still comes before the agent's eyes."""
MOST = 200
"""Files of one call that are looked at."""
OWN = ("/.ai/tmp/", "/.git/")
"""In paths: what belongs to Jackline or to git, and changes all the time."""


class Read(NamedTuple):
    """A file that a call reads. `shown`: the agent sees its text, not only what was found in it."""

    path: str
    shown: bool


class Write(NamedTuple):
    """A file that a call changes. `deep`: all below it, of which `pattern` says which. `delete`: it is gone then.

    `whole`: nothing of what is there now stays; the call does not carry the old text.
    """

    path: str
    deep: bool = False
    pattern: str = ""
    delete: bool = False
    whole: bool = False


def absolute(root: str, path: str) -> str:
    if path[:1] == "/":
        return path
    return root if path in (".", "") else f"{root.rstrip('/')}/{path}"


def _verb(tool: str) -> str:
    """The first word of a strange tool's own name, in lower case."""
    name = tool.rpartition("/")[2].rpartition(".")[2]
    found = ""
    for char in name:
        if found and not (char.islower() or char.isdigit()):
            break
        found += char.lower()
    return found


def only_reads(event: Event) -> bool:
    """Whether a call changes nothing by the name of its tool: a reading one, or an editor's command to view."""
    kind = event.kind
    if kind in ("read", "search", "list"):
        return True
    if kind in ("mcp", "other"):
        return not event.command and _verb(event.tool) in LOOKS
    return kind == "edit" and event.input.get("command") in ("view", "read")


def _shows(event: Event) -> bool:
    if event.kind == "read":
        return event.tool.lower() in READERS
    return event.kind == "edit" or _verb(event.tool) in TEXTS


def reads(event: Event) -> list[Read]:
    """The files that a call reads, one by one; folders that it searches are none."""
    if event.kind == "shell":
        found = dict(_of_shell(event))
    elif only_reads(event) and event.kind not in ("search", "list"):
        shown = _shows(event)
        if event.kind == "read":
            found = {absolute(event.root, path): shown for path in event.paths}
        else:
            found = {absolute(event.root, one.path): shown for one in touches(event) if not one.deep}
    else:
        return []
    return [Read(path, shown) for path, shown in list(found.items())[:MOST] if not _own(path)]


def _own(path: str) -> bool:
    return any(part in path for part in OWN) or path.startswith(("/dev/", "/proc/", "/sys/"))


# --- commands ------------------------------------------------------------------------------------------------------


def _visible(command: Command, found: Effects) -> bool:
    """Whether what a command prints comes before the agent's eyes as it is."""
    now = command
    for _ in range(8):
        if any(operator not in QUIET for operator, _ in now.redirs) or any(one in ELSEWHERE for one in now.wrappers):
            return False
        if not now.piped_into:
            return True
        if now.piped_into not in PASSING:
            return False
        behind = [one for one in found.commands if one.piped_from == now.words and one.program == now.piped_into]
        if not behind:
            return False
        now = behind[0]
    return False


def _said_by(effect: Effect, found: Effects) -> bool:
    """Whether an effect is that of a command which shows the file's text."""
    size = len(effect.words)
    return effect.program in SHOWING and any(
        one.words[:size] == effect.words and _visible(one, found) for one in found.commands
    )


def _expanded(pattern: str) -> list[str]:
    """The files that a glob in the last part of a path means now."""
    folder, _, last = pattern.rpartition("/")
    if any(char in folder for char in "*?[{") or last == "**":
        return []
    return [f"{folder}/{name}" for name in names(folder or "/") if segment(last, name)][:MOST]


def _of_shell(event: Event) -> Iterator[tuple[str, bool]]:
    from jackline.shell.harmless import listed

    plain = not any(sign in event.command for sign in SUBSTITUTED)
    found: Effects = event.effects
    late: list[tuple[str, bool]] = []
    for effect in found.effects:
        if effect.kind == "read" and effect.path and not effect.deep:
            shown = plain and _said_by(effect, found)
            for path in _expanded(effect.path) if effect.pattern else (effect.path,):
                if shown:
                    late.append((path, True))
                elif not listed(effect.program, NO_READERS):
                    yield path, False
    yield from late  # who shows a file outweighs who searches it in the same command


def idle(command: str) -> bool:
    """Whether a plain command surely shows and changes no single file."""
    from jackline.shell.harmless import harmless, listed
    from jackline.shell.screen import plain

    found = plain(command)
    if found is None:
        return False
    return all(
        harmless(one.words, one.assigns, one.redirs, one.globbed)
        and (not one.words or listed(one.words[0], NO_READERS))
        for one in found
    )


NO_READERS = (
    " ls pwd echo true false : which type dirname basename realpath readlink stat du df uname whoami id nproc sleep "
    "seq ps printf test [ tree fd rg grep egrep fgrep find git npm yarn pnpm bun pytest cargo go make wc "
)
"""Harmless programs that show no file's text, or parts of many; a search is no reading."""


# --- changes -------------------------------------------------------------------------------------------------------


def _whole(event: Event, touch: Touch, known: dict[str, bool]) -> bool:
    """Whether a change keeps nothing of the file that it overwrites."""
    if event.kind == "write":
        return True
    if event.kind != "shell" or touch.delete:
        return False
    return not bool(known.get(touch.path))


def _anywhere(event: Event) -> bool:
    """Whether a command edits files in place, or is fed with names by `xargs`, and nobody knows which files."""
    found: Effects = event.effects
    for effect in found.effects:
        if effect.path in ("**", f"{event.root}/**") and effect.kind in ("write", "delete"):
            size = len(effect.words)
            if effect.note == "in place" or any(one.fed and one.words[:size] == effect.words for one in found.commands):
                return True
    return False


def _texts_kept(event: Event) -> set[Touch]:
    """What a command touches without a change of any text: rights, and the times of files that are there."""
    kept: dict[Touch, bool] = {}
    for effect in event.effects.effects:
        one = touch_of(event, effect)
        if one is not None and one.changes:
            plain = effect.act == "mode" or (effect.program == "touch" and (effect.pattern or exists(effect.path)))
            kept[one] = plain and kept.get(one, True)
    return {one for one, plain in kept.items() if plain}


def changes(event: Event) -> list[Write]:
    """The files that a call changes. A single change whose place nobody knows is not among them."""
    if only_reads(event):
        return []
    found: dict[str, Write] = {}
    if event.kind == "shell" and _anywhere(event):
        found[event.root] = Write(event.root, deep=True)
    listed = touches(event)
    appended = {one.path: True for one in listed if one.reads}
    bare: set[Touch] = set()
    if event.kind == "shell":
        bare = _texts_kept(event)
        for effect in event.effects.effects:
            if effect.kind == "write" and effect.note in (">>", "1>>", "tee -a"):
                appended[within(event.root, effect.path)] = True
    for one in listed:
        if not one.changes or one.pattern == "**" or one in bare:
            continue
        path = absolute(event.root, one.path)
        if _own(path + "/"):
            continue
        before = found.get(path)
        whole = _whole(event, one, appended)
        if before is None:
            found[path] = Write(path, one.deep, one.pattern, one.delete, whole)
        else:
            found[path] = Write(
                path,
                before.deep or one.deep,
                before.pattern if before.pattern == one.pattern else "",
                before.delete and one.delete,
                before.whole and whole,
            )
    return list(found.values())[:MOST]
