"""What a change puts into a file of which only some keys are protected: git's configuration, attributes, VS Code's."""

from __future__ import annotations

from jackline.features.self_protect.ground import rule_of
from jackline.features.self_protect.places import ATTRIBUTES, EDITOR, GIT
from jackline.shell.git_keys import names_key
from jackline.shell.texts import content

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from jackline.features.self_protect.ground import Ground
    from jackline.model import Event

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
