"""Our entries in a client's hook file: find them, put them there, take them out; nobody else's line is touched.

Pure: bytes in, bytes out. Where the files are and which events a client has is told by the dialects' modules.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal, NamedTuple

from jackline.install import jsontext
from jackline.install.fault import InstallError
from jackline.install.jsontext import Document, Node, Splice

Shape = Literal["groups", "items", "events", "file", "toml", "yaml", "plugin"]
"""Of JSON: `groups`: `hooks: {event: [{hooks: [hook]}]}`. `items`: `hooks: {event: [hook]}`. `events`: groups by event
at the top of the file. `plugin`: a program of ours, no hook file at all (`plugin.py`). The others: `shapes`."""

COMMANDS = ("command", "bash", "linux")
LIMITS = ("timeout", "timeoutSec")


class Wanted(NamedTuple):
    """One entry that should be there; `hook` is the object as the client reads it."""

    event: str
    hook: dict[str, Any]

    @property
    def command(self) -> str:
        return command_of(self.hook)


class Found(NamedTuple):
    """One hook in a file: where it stands and what it says. `hook_at` is -1 where it is an item by itself."""

    event: str
    group_at: int
    hook_at: int
    command: str
    hook: dict[str, Any]
    alone: bool  # the only hook of its group
    narrowed: bool = False  # its group has keys of its own, a matcher perhaps

    @property
    def limit(self) -> float | None:
        """Seconds the file gives it; None for the client's default."""
        given = next((self.hook[key] for key in LIMITS if key in self.hook), None)
        return float(given) if isinstance(given, int | float) and not isinstance(given, bool) else None


class Edit(NamedTuple):
    """A file after our edit: its bytes, the splices that undo it in order, and the keys that were made for it."""

    data: bytes
    undo: tuple[Splice, ...]
    made: tuple[tuple[str, ...], ...]


Ours = Callable[[str], bool]


def command_of(hook: dict[str, Any]) -> str:
    return next((hook[key] for key in COMMANDS if isinstance(hook.get(key), str)), "")


def _events(document: Document, rooted: bool) -> list[tuple[str, Node]]:
    hooks = document.root if rooted or document.root is None else document.root.get("hooks")
    if hooks is None or hooks.kind != "object":
        return []
    return [(member.key, member.node) for member in hooks.members if member.node.kind == "array"]


def hooks_in(document: Document, *, rooted: bool = False) -> list[Found]:
    """Every hook of a file, in its order. Both shapes are read in every file, as Copilot does."""
    found = []
    for event, entries in _events(document, rooted):
        for at, entry in enumerate(entries.members):
            value = entry.node.value()
            if not isinstance(value, dict):
                continue
            inner = value.get("hooks")
            if not isinstance(inner, list):
                found.append(Found(event, at, -1, command_of(value), value, True))
                continue
            for below, hook in enumerate(inner):
                if isinstance(hook, dict):
                    alone, narrowed = len(inner) == 1, set(value) != {"hooks"}
                    found.append(Found(event, at, below, command_of(hook), hook, alone, narrowed))
    return found


def ours_in(document: Document, ours: Ours, *, rooted: bool = False) -> list[Found]:
    return [found for found in hooks_in(document, rooted=rooted) if found.command and ours(found.command)]


def _entry_value(shape: Shape, hook: dict[str, Any]) -> dict[str, Any]:
    return hook if shape == "items" else {"hooks": [hook]}


class _Editor:
    """A document under edit, and how to get back. `rooted`: events stand at its top, not below `hooks`."""

    def __init__(self, document: Document, rooted: bool = False) -> None:
        self.document = document
        self.rooted = rooted
        self.undo: list[Splice] = []
        self.made: list[tuple[str, ...]] = []

    def carry_out(self, splices: list[Splice]) -> None:
        self.document, back = jsontext.apply(self.document, splices)
        self.undo = back + self.undo

    def result(self) -> Edit:
        return Edit(jsontext.encode(self.document), tuple(self.undo), tuple(self.made))

    def _object(self) -> Node:
        root = self.document.root
        assert root is not None
        if root.kind != "object":
            what = f"the file holds {_a(root)}, not an object"
            raise InstallError(self.document.where, what, "mend the file, then run again")
        return root

    def _expect(self, node: Node, kind: str, name: str) -> Node:
        if node.kind != kind:
            what = f"{name}: expected {'an object' if kind == 'object' else 'a list'}, got {_a(node)}"
            raise InstallError(self.document.where, what, "mend the file (it was left as it is), then run again")
        return node

    def start(self, template: dict[str, Any]) -> None:
        """Turn a text of blanks into an object."""
        if self.document.root is None:
            new = jsontext.render(self.document, template, "", inline=False) + jsontext.newline(self.document.text)
            self.carry_out([Splice(0, len(self.document.text), new)])
            self.made += [(key,) for key in template]
        self._object()

    def _fill(self, owner: Node, key: str, empty: Node | None, value: Any) -> None:
        """Give a key a value: it is not there yet, or what stands there is as good as nothing."""
        if empty is None:
            self.carry_out(jsontext.append(self.document, owner, key, value))
        else:
            inline = "\n" not in self.document.text
            self.carry_out(jsontext.replace(self.document, empty, value, inline=inline))

    def put(self, event: str, entry: dict[str, Any]) -> None:
        """Append an entry to an event's list, making what is missing on the way."""
        root = self._object()
        hooks = root if self.rooted else root.get("hooks")
        if hooks is None or (_holds_nothing(hooks, "object") and not self.rooted):
            self._fill(root, "hooks", hooks, {event: [entry]})
            self.made += [("hooks",), ("hooks", event)]
            return
        entries = self._expect(hooks, "object", "hooks").get(event)
        if entries is None or _holds_nothing(entries, "array"):
            self._fill(hooks, event, entries, [entry])
            self.made.append(self.path(event))
            return
        self.carry_out(jsontext.append(self.document, self._expect(entries, "array", f"hooks.{event}"), "", entry))

    def ours(self, ours: Ours) -> list[Found]:
        return ours_in(self.document, ours, rooted=self.rooted)

    def path(self, event: str) -> tuple[str, ...]:
        """The keys that lead to an event's list."""
        return (event,) if self.rooted else ("hooks", event)

    def list_of(self, event: str) -> Node:
        hooks = self._object() if self.rooted else self._object().get("hooks")
        entries = hooks.get(event) if hooks else None
        assert entries is not None
        return entries

    def mend(self, found: Found, hook: dict[str, Any]) -> None:
        """Put a hook where another stands; what narrowed its group goes as well."""
        item = self.list_of(found.event).members[found.group_at].node
        inner = item.get("hooks") if found.hook_at >= 0 else None
        if inner is None:
            self.carry_out(jsontext.replace(self.document, item, hook))
        elif found.alone:
            self.carry_out(jsontext.replace(self.document, item, {"hooks": [hook]}))
        else:
            self.carry_out(jsontext.replace(self.document, inner.members[found.hook_at].node, hook))

    def take(self, found: Found) -> None:
        """Remove one hook, with its group when nothing else is left there. From the last to the first: positions
        behind a removed hook move, those before it do not.
        """
        entries = self.list_of(found.event)
        inner = entries.members[found.group_at].node.get("hooks") if found.hook_at >= 0 else None
        if inner is None or len(inner.members) == 1:
            self.carry_out(jsontext.remove(self.document, entries, found.group_at))
        else:
            self.carry_out(jsontext.remove(self.document, inner, found.hook_at))

    def drop_empty(self, path: tuple[str, ...]) -> None:
        """Remove a key whose list or object has become empty."""
        node: Node | None = self._object()
        for key in path[:-1]:
            node = node.get(key) if node else None
        if node is None or node.kind != "object":
            return
        at = max((at for at, member in enumerate(node.members) if member.key == path[-1]), default=-1)
        if at >= 0 and node.members[at].node.kind != "scalar" and not node.members[at].node.members:
            self.carry_out(jsontext.remove(self.document, node, at))


def _holds_nothing(node: Node, wanted: str) -> bool:
    """Whether `null`, `[]` or `{}` stands where something else is wanted: clients take it as nothing at all."""
    if node.kind == "scalar":
        return node.scalar is None
    return node.kind != wanted and not node.members


def _a(node: Node) -> str:
    if node.kind != "scalar":
        return "an object" if node.kind == "object" else "a list"
    return "null" if node.scalar is None else f"the {type(node.scalar).__name__} {node.scalar!r}"[:40]


def ensure(
    data: bytes, where: str, shape: Shape, wanted: Sequence[Wanted], ours: Ours, template: dict[str, Any] | None = None
) -> Edit:
    """Make the file hold exactly the wanted entries of ours: right ones stay where they are (Codex's trust goes by
    position), changed ones are mended in place, missing ones are appended last, superfluous ones go.
    """
    editor = _Editor(jsontext.decode(data, where), shape == "events")
    editor.start(template or {})
    for event in dict.fromkeys(one.event for one in editor.ours(ours)):
        _settle(editor, event, [one for one in wanted if one.event == event], ours)
    present = {(one.event, one.command) for one in editor.ours(ours) if not one.narrowed}
    for one in wanted:
        if (one.event, one.command) not in present:
            editor.put(one.event, _entry_value(shape, one.hook))
    return editor.result()


def _settle(editor: _Editor, event: str, wanted: list[Wanted], ours: Ours) -> None:
    """Bring what an event's list holds of ours in line with what is wanted there."""
    missing = list(wanted)
    spare = []
    for found in [one for one in editor.ours(ours) if one.event == event]:
        same = next((one for one in missing if one.hook == found.hook and not found.narrowed), None)
        if same is not None:
            missing.remove(same)
        else:
            spare.append(found)
    for found in list(spare):
        if missing and (found.alone or not found.narrowed):
            editor.mend(found, missing.pop(0).hook)
            spare.remove(found)
    for found in reversed(spare):
        editor.take(found)
    if not editor.list_of(event).members:
        editor.drop_empty(editor.path(event))


def strip(data: bytes, where: str, ours: Ours, made: Sequence[Sequence[str]] = (), *, rooted: bool = False) -> bytes:
    """Take our entries out of a file that others edited meanwhile, and the keys made for them that are empty now."""
    editor = _Editor(jsontext.decode(data, where), rooted)
    if editor.document.root is None or editor.document.root.kind != "object":
        return data
    for found in reversed(editor.ours(ours)):
        editor.take(found)
    for path in sorted((tuple(path) for path in made), key=len, reverse=True):
        editor.drop_empty(path)
    return editor.result().data


def undo(data: bytes, where: str, splices: Sequence[Splice]) -> bytes:
    """Give back the bytes before an edit."""
    document = jsontext.decode(data, where)
    text = document.text
    for start, end, new in splices:
        text = text[:start] + new + text[end:]
    return jsontext.encode(document._replace(text=text))
