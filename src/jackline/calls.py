"""What a call does, whatever the tool: the effects of a shell's command, of a file tool, and of a tool nobody knows.

The guards judge these effects by the same rules. A file tool does what a program does: reading is `cat`, writing is
`tee`. A tool that nobody knows runs whatever in its input reads as a command, and may change every path that it names.
"""

from __future__ import annotations

from jackline.leaves import leaves
from jackline.paths import path_of_address, resolve
from jackline.shell.effects import LIMIT, joined, of_text, read
from jackline.shell.model import Command, Effect, Effects

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from jackline.leaves import Leaf
    from jackline.model import Event

UNSURE = ("mcp", "other", "browser")
"""Kinds of tools that may do anything with what they name."""

AS = {
    "read": ("read", "cat"),
    "search": ("read", "grep"),
    "list": ("read", "ls"),
    "write": ("write", "tee"),
    "edit": ("write", "sed"),
    "notebook": ("write", "sed"),
}
"""Kinds of file tools: what they do, and the program that does the same."""

CODE = {
    "python": "ipython -c", "node": "node -e", "ruby": "ruby -e", "perl": "perl -e", "php": "php -r", "sql": "psql -c",
}  # fmt: skip

LOOKS = (
    *("read", "get", "list", "search", "find", "view", "show", "stat", "info", "tree", "cat", "fetch", "query"),
    *("open", "load", "describe", "inspect", "check", "count", "grep", "glob", "head", "tail", "diff"),
)
MAKES = ("create", "make", "mkdir", "new", "add", "ensure")
REMOVES = ("delete", "remove", "rm", "unlink", "trash", "purge", "wipe", "erase")
MOVES = ("move", "rename", "mv")
"""How names of tools begin. A name never waives a look; it says how certain and how grave what is named would be."""

MAY = "may be changed"
"""The note of a path that was given to a tool whose name sounds like reading."""

TOOL = "tool"
"""The act of a tool that nobody knows on a path: it may write it, or only be told where something lies."""


def _full(event: Event, path: str) -> str:
    return path if path[:1] == "/" else event.root if path == "." else f"{event.root}/{path}"


def _of_files(event: Event) -> Iterator[Effect]:
    kind, program = AS.get(event.kind, ("read", "curl"))
    names = event.kind == "search" and "glob" in event.tool.lower()
    for path in event.paths:
        full = _full(event, path)
        yield Effect(
            "write" if kind == "write" else "read", full, "find" if names else program, (event.tool, full),
            event.tool, deep=event.kind == "search",
        )  # fmt: skip


def _fetched(event: Event) -> Iterator[Effect]:
    """Files by their address, and the addresses at which a machine in a cloud asks for its credentials."""
    for word in event.query.split():
        if word[:5].lower() == "file:":
            path = resolve(event.cwd or event.root, path_of_address(word), event.home)
            yield Effect("read", path, "cat", (event.tool, path), event.tool)
        elif "://" in word:
            yield Effect("network", "", "curl", ("curl", word), f"{event.tool} asks it")


def _named(event: Event, leaf: Leaf) -> Iterator[Effect]:
    """What a tool that nobody knows may do to a path."""
    tool, path = event.tool, leaf.text
    name = tool.rpartition("/")[2].rpartition("__")[2].lower()
    words = (tool, path)
    yield Effect("read", path, tool, words, tool)
    if name.startswith(LOOKS):
        yield Effect("unknown", path, tool, words, MAY, deep=True)
        return
    yield Effect("write", path, tool, words, tool, deep=not name.startswith(MAKES), act=TOOL)
    if name.startswith((*REMOVES, *MOVES)):
        yield Effect("delete", path, tool, words, tool, deep=True, act="move" if name.startswith(MOVES) else "")


def _run(event: Event, leaf: Leaf, since: int) -> Effects:
    """What a text does when it is run, with the files that it runs."""
    text, language = leaf.text, leaf.language
    if leaf.kind == "more":
        return Effects(understood=False, why=f"the input holds {text}")
    if leaf.kind == "verb":
        return Effects(commands=(Command((TOOL, *text.split()), TOOL),))
    if language in CODE:
        text, language = f"{CODE[language]} '" + text.replace("'", "'\\''") + "'", ""
    found = of_text(event, text, language, since)
    if leaf.kind == "command" or len(text) > LIMIT:
        return found
    if not found.whole:
        return Effects()  # prose, or a document: no shell would run it
    kept = [one for one in found.effects if one.kind != "unknown" or one.act or one.path]
    return Effects(tuple(kept), found.commands, texts=found.texts)


def _of_unknown(event: Event, since: int) -> Effects:
    found: list[Effects] = []
    for leaf in leaves(event):
        found.append(Effects(tuple(_named(event, leaf))) if leaf.kind == "path" else _run(event, leaf, since))
    return joined(found)


def acts(event: Event, since: int = 0) -> Effects:
    """Everything that the call is known to do, or may do, in a session that began at `since`; read once for all."""
    if event.kind == "shell":
        return read(event, since)
    if event._acts is None:
        known = event.kind not in UNSURE
        event._acts = Effects((*_of_files(event), *_fetched(event))) if known else _of_unknown(event, since)
    made: Effects = event._acts
    return made
