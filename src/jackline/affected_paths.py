"""What a call touches, by any tool: paths relative to the root, and what is done to each; and what stays unknown."""

from __future__ import annotations

from jackline.folders import contents
from jackline.globs import base
from jackline.paths import path_of_address, resolve, within
from jackline.system import is_dir

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any, NamedTuple

    from jackline.model import Event
    from jackline.shell.model import Effect, Effects
else:
    from jackline._record import NamedTuple

READING = frozenset(("read", "search", "list"))
CHANGING = frozenset(("write", "edit", "notebook"))
UNSURE = frozenset(("mcp", "other", "browser"))
"""Tools that may do anything with a path they name."""
REMOVING = ("delete", "remove", "unlink", "move", "rename")
"""Words in the name of a strange tool after which its paths may be gone."""
PLACES = ("path", "file", "dir", "folder", "uri")
"""What the key of an argument holds when its value may be a path."""
ENDS = ("source", "destination", "src", "dst", "dest", "target", "from", "to", "output", "input")
NO_PLACES = ("content", "contents", "text", "type", "mode", "format", "pattern", "id", "size", "encoding", "limit")
"""How keys end that speak of a file without naming one."""
DEPTH, COUNT = 5, 2_000
"""Of a strange tool's arguments so much is looked at."""


class Touch(NamedTuple):
    """`path` is relative to the root when inside, else absolute, links resolved; "." for the root or one above it.

    `deep`: everything below the path, too. `pattern`: the glob that says which paths are meant; `path` is then the
    folder it starts in (a glob that starts with `**` may mean places outside, too). `delete`: the path is gone
    afterwards (a move's source as well).
    """

    path: str
    changes: bool
    reads: bool
    deep: bool = False
    pattern: str = ""
    delete: bool = False


def relative(root: str, path: str) -> str:
    """A resolved path relative to the root; a folder above the root reaches it, so it counts as the root."""
    inner = within(root, path)
    return "." if inner.startswith("/") and (root + "/").startswith(inner.rstrip("/") + "/") else inner


def _globs(event: Event) -> list[str]:
    """The folders that globs of a client's search start in."""
    found = []
    for key in ("includePattern", "include_pattern", "query", "pattern", "glob", "include"):
        value = event.input.get(key)
        if isinstance(value, str) and "/" in value and (key not in ("query", "pattern") or event.kind == "search"):
            found.append(base(value))
    return [one for one in found if one]


def _removed(event: Event) -> frozenset[str]:
    """Paths that are gone after a patch."""
    if not event.patch:
        return frozenset()
    from jackline.patches import removed_files

    cwd = event.cwd or event.root
    return frozenset(within(event.root, resolve(cwd, one, event.home)) for one in removed_files(event.patch))


def _named(key: str) -> bool:
    """Whether an argument of this name holds a path."""
    low = key.lower()
    if low.endswith(NO_PLACES):
        return False
    return low in ENDS or any(word in low for word in PLACES)


def _texts(value: Any, named: bool, depth: int = 0) -> Iterator[tuple[bool, str]]:
    """Every text in the arguments of a call, and whether its key says that it is a path."""
    if type(value) is str:
        yield named, value
    elif depth > DEPTH:
        return
    elif type(value) is list:
        for one in value[:COUNT]:
            yield from _texts(one, named, depth + 1)
    elif type(value) is dict:
        for key, one in value.items():
            if key == "arguments" and type(one) is str and one[:1] == "{":
                one = _read(one, {})  # as a wrapper carries them
            yield from _texts(one, _named(str(key)), depth + 1)


def _read(text: str, other: Any) -> Any:
    """The value of a JSON text, `other` where it is none."""
    from jackline.jsonio import loads

    try:
        return loads(text)
    except (ValueError, RecursionError):
        return other


def inputs(event: Event) -> tuple[dict[str, Any], ...]:
    """What a tool is given: its input, and the arguments that a wrapper carries in it, as an object or as JSON text."""
    inner = event.input.get("arguments")
    if type(inner) is str and inner.lstrip()[:1] == "{":
        inner = _read(inner, {})
    return (event.input, inner) if type(inner) is dict else (event.input,)


def named_paths(given: Mapping[str, Any]) -> tuple[str, ...]:
    """The texts in a tool's input whose keys say that they are paths, however deep they lie."""
    found = [text for is_path, text in _texts(given, False) if is_path and text and "://" not in text]
    return tuple([text for text in found if "\n" not in text and len(text) < 4096][:COUNT])


SPOKEN = {"true": True, "yes": True, "false": None, "no": None, "null": None, "none": None, "undefined": None}
"""Texts that say yes or no, or that there is nothing to say."""
LAYERS = 3
"""How often a text may hold a text."""


def decode_field(value: Any) -> Any:
    """What a field of a tool's input says: models write JSON and booleans as text, and such a text as JSON again."""
    for _ in range(LAYERS):
        if type(value) is not str:
            break
        value = value.strip()
        if value.lower() in SPOKEN:
            return SPOKEN[value.lower()]
        if value[:1] not in ('"', "[", "{"):
            break
        value = _read(value, value)
    return None if value is False or value in ("", [], {}) else value


def _guessed(event: Event) -> list[str]:
    """Paths among the arguments of a tool that we do not know, beside those its adapter took."""
    found: dict[str, None] = {}
    cwd = event.cwd or event.root
    for named, text in _texts(event.input, False):
        if text[:5].lower() == "file:":
            text = path_of_address(text)
        elif not (named or text[:1] == "/") or "://" in text:
            continue
        if text and "\n" not in text and len(text) < 4096:
            found[within(event.root, resolve(cwd, text, event.home))] = None
        if len(found) > COUNT:
            break
    return list(found)


def _strange(event: Event) -> list[Touch]:
    """What a tool that may do anything with a path touches: every path it names; folders with all below."""
    paths = dict.fromkeys(event.paths)
    paths.update(dict.fromkeys(_guessed(event)))
    low = event.tool.lower()
    gone = any(word in low for word in REMOVING)
    found = []
    for path in paths:
        deep = gone or is_dir(path if path[:1] == "/" else f"{event.root}/{path}")
        found.append(Touch(relative(event.root, path), True, True, deep, "", gone))
    return found


def native(event: Event) -> list[Touch]:
    """What a tool other than a shell touches by the paths it names."""
    kind = event.kind
    if kind in UNSURE:
        return _strange(event)
    changes, reads = kind in CHANGING, kind in READING
    paths = list(event.paths)
    folders = kind in ("search", "list")
    if folders and not paths:
        cwd = event.cwd or event.root
        paths = [within(event.root, resolve(cwd, one, event.home)) for one in _globs(event)] or [
            within(event.root, resolve(cwd, "."))
        ]
    gone = _removed(event) if changes else frozenset()
    return [Touch(relative(event.root, path), changes, reads, folders, "", path in gone) for path in paths]


def _escaped(root: str) -> str:
    """The root as a glob writes it: signs of globs stand in brackets."""
    return "".join([f"[{char}]" if char in "*?[" else char for char in root])


def _glob(root: str, pattern: str) -> str:
    """A glob relative to the root when it lies inside."""
    for start in (root + "/", _escaped(root) + "/") if root else ():
        if pattern.startswith(start):
            return pattern[len(start) :]
    return pattern


def _command(event: Event) -> Effects | None:
    """The effects of a command, whichever tool carries it; None without one."""
    if event.kind != "shell" and not (event.kind in UNSURE and event.command):
        return None
    from jackline.site_paths import take

    found: Effects = take("jackline.shell.effects").carried(event)
    return found


def touch_of(event: Event, effect: Effect) -> Touch | None:
    """What one effect of a command touches, None for nothing."""
    delete = effect.kind == "delete"
    changes = delete or effect.kind == "write"
    if not changes and effect.kind != "read":
        return None
    path, deep, pattern = effect.path, effect.deep or delete, ""
    if effect.pattern:
        pattern = _glob(event.root, path)
        path, deep = base(pattern) or ("/" if pattern[:1] == "/" else "."), True
    return Touch(relative(event.root, path), changes, not changes, deep, pattern, delete) if path else None


def shell(event: Event) -> list[Touch]:
    """What a command touches, as far as it is understood."""
    found = _command(event)
    every = [touch_of(event, effect) for effect in found.effects] if found is not None else []
    return [one for one in every if one is not None]


def touches(event: Event) -> tuple[Touch, ...]:
    """Everything a call reads and changes, by any tool, each once, in order."""
    if event.kind == "shell":
        found = shell(event)
    elif event.kind in UNSURE:
        found = native(event) + (shell(event) if event.command else [])
    else:
        found = native(event)
    return tuple(dict.fromkeys(found))


def below(path: str) -> Iterator[str]:
    """Every regular file below an absolute folder as it stands on disk, in order; git's own and links left out."""
    todo = [path.rstrip("/")]
    while todo:
        here = todo.pop()
        try:
            folders, files = contents(here or "/")
        except OSError:
            continue
        yield from [f"{here}/{name}" for name in sorted(files)]
        todo += [f"{here}/{name}" for name in sorted(folders, reverse=True) if name != ".git"]


def unsure(event: Event) -> str:
    """Why a call may touch more than `touches` says, "" when that is all."""
    kind = event.kind
    found = _command(event)
    if found is not None:
        if not found.understood:
            return str(found.why)
        for effect in found.effects:
            if effect.kind == "unknown":
                return str(effect.note) or "a part of the command may do anything"
            if effect.open and effect.kind in ("write", "delete"):
                return f"{effect.kind}s a path that only the shell knows"
    if kind in ("mcp", "other"):
        return f"nothing says what {event.tool or 'this tool'} does with what it is given"
    if kind == "browser" and any(key in event.input for key in ("code", "script")):
        return f"{event.tool} runs code that is not understood"
    if kind in CHANGING and not event.paths:
        return f"{event.tool or 'the call'} names no file that we can see"
    return ""
