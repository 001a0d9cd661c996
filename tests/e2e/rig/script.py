"""What the scripted model says: turns of text and tool calls, one list for each thread of the conversation."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple


class Tool(NamedTuple):
    """One tool call of the model. `raw` is the text of a freeform tool (Codex `apply_patch`)."""

    name: str
    input: Mapping[str, Any]
    id: str = ""
    raw: str = ""
    namespace: str = ""


class Turn(NamedTuple):
    """One answer of the model. `usage` forces compaction, `delay` holds the answer back (seconds).

    `meanwhile`: what happens on the machine while the model thinks of it, when no call is open.
    """

    text: str = ""
    tools: tuple[Tool, ...] = ()
    usage: Mapping[str, int] = {}
    delay: float = 0.0
    meanwhile: Callable[[], object] | None = None


class Thread(NamedTuple):
    """A sub-agent's own turns, chosen when `match` stands in what its user said."""

    name: str
    match: str
    turns: tuple[Turn, ...]


def say(text: str, **usage: int) -> Turn:
    return Turn(text, usage=usage)


def use(name: str, /, *, id: str = "", namespace: str = "", raw: str = "", **arguments: Any) -> Tool:
    """A call of one tool; `id` names it, so that a test can ask what the model read for it."""
    return Tool(name, arguments, id, raw, namespace)


def call(*tools: Tool, text: str = "", delay: float = 0.0, meanwhile: Callable[[], object] | None = None) -> Turn:
    """One message of the model with these calls, which the client may run in parallel."""
    return Turn(text, tools, delay=delay, meanwhile=meanwhile)
