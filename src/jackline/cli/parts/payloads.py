"""What is wrong with an event that somebody wants judged by hand: its client, its name, its payload.

An entry point must answer whatever comes; who types an event by hand would take the answer to a misspelt one for the
truth.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from typing import Any

from jackline.clients.facts import NATIVE
from jackline.clients.names import dialect_of, event_of
from jackline.clients.payload import tool_of
from jackline.clients.rows import ROWS
from jackline.clients.specs import SPEAKS, SPECS
from jackline.compiler.fault import nearest, shown
from jackline.compiler.places import syntax
from jackline.compiler.tools import vocabulary
from jackline.model import EVENTS, Event

TOOLS = ("PreToolUse", "PostToolUse", "PermissionRequest", "PostToolUseFailure")
"""Events about a tool."""
INPUTS = ("tool_input", "toolArgs", "toolInput")
"""Where clients say what the tool is given."""
NAMES = ("tool_name", "toolName")
ACTING = ("shell", "write", "edit", "notebook")
"""Kinds of tools that change something."""
EXAMPLES = {
    **dict.fromkeys(TOOLS, '{"tool_name": "Bash", "tool_input": {"command": "ls"}}'),
    "UserPromptSubmit": '{"prompt": "go on"}',
    "SessionStart": '{"source": "startup"}',
}
"""The least that an event is made of; of the others an empty object."""


class Wrong(ValueError):
    """What cannot be judged, in the parts of every message: where, what was expected, what came, what to write."""


def _meant(word: str, known: Iterable[str]) -> str:
    near = nearest(word, list(known))
    return f"; did you mean {near}?" if near else ""


def client(name: str) -> str:
    """The dialect of a client or dialect. Raises Wrong."""
    found = dialect_of(name)
    if not found and name in SPECS:
        raise Wrong(f"no event of {name} can be judged yet: its spec has no `installed` · see: docs/clients/README.md")
    if not found:
        raise Wrong(f"no client {name!r}{_meant(name, SPEAKS)} · one of: {', '.join(sorted(SPEAKS))}")
    return found


def event(client: str, name: str) -> str:
    """The canonical name of an event, named so or as the client does. Raises Wrong."""
    found = event_of(client, name)
    if not found:
        own = NATIVE[dialect_of(client)]
        words = [word for word in own if "." not in word]
        said = f", or in its own words: {', '.join(words)}" if words else ""
        raise Wrong(f"no event {name!r}{_meant(name, (*EVENTS, *own))} · one of: {', '.join(EVENTS)}{said}")
    return found


def _misspelt(key: str, given: Iterable[str]) -> str:
    near = nearest(key, list(given))
    return f"; {near!r} should be {key!r}" if near else ""


def _expected(name: str, what: str, got: str, said: str = "", example: str = "") -> Wrong:
    example = example or EXAMPLES.get(name, "{}")
    return Wrong(f"the payload of {name} · expected {what}, got {got}{said} · write: {example}")


def _object(name: str, raw: bytes) -> dict[str, Any]:
    """The payload as an object. Raises Wrong."""
    if not raw.strip():
        raise _expected(name, "one JSON object", "nothing")
    try:
        value = json.loads(raw.decode("utf-8-sig"))
    except (ValueError, RecursionError) as fault:
        found = syntax(fault, "the payload")
        write = found.write or EXAMPLES.get(name, "{}")
        raise Wrong(f"{found.where} · expected {found.expected}, got {found.got} · write: {write}") from None
    if not isinstance(value, dict):
        kinds = {list: "a list", str: "a text", bool: "true or false", type(None): "null"}
        raise _expected(name, "one JSON object", kinds.get(type(value), "a number"))
    return value


def check(name: str, raw: bytes, read: Callable[[], Event]) -> Event:
    """The event in this payload, as the entry point reads it. Raises Wrong where it could not, or nothing is asked."""
    given = _object(name, raw)
    found = read()
    if found.fault:
        raise _expected(name, "what a client sends", found.fault)
    keys = [key for key in given if key not in (*NAMES, *INPUTS)]
    if name in TOOLS and not found.tool:
        raise _expected(name, "the tool's name as tool_name", _keys(given), _misspelt("tool_name", keys))
    if name in TOOLS and not found.input and not any(key in given for key in INPUTS):
        raise _expected(name, "what the tool is given as tool_input", _keys(given), _misspelt("tool_input", keys))
    if name in TOOLS and found.kind in ACTING:
        _about(name, found)
    if name == "UserPromptSubmit" and not found.prompt and "prompt" not in given:
        raise _expected(name, "what was typed as prompt", _keys(given), _misspelt("prompt", keys))
    return found


def _about(name: str, found: Event) -> None:
    """Raises Wrong for a call that changes something and does not say what: nobody could judge it."""
    known = tool_of(found, found.tool)
    if known is None:
        return
    _, command, places, _, patch = known
    keys = [key for key in (command, patch, *places) if key]
    if not keys or any(key in found.input for key in keys) or found.targets:
        return
    near = next((said for key in keys for said in [_misspelt(key, found.input)] if said), "")
    wanted = f"what {found.tool} is about as {' or '.join(keys)} in its input"
    example = json.dumps({"tool_name": found.tool, "tool_input": {keys[0]: "ls" if command else "a.txt"}})
    raise _expected(name, wanted, _keys(dict(found.input)), near, example)


def _keys(given: dict[str, Any]) -> str:
    return f"only {', '.join([shown(key, 20) for key in list(given)[:8]])}" if given else "an empty object"


def doubts(found: Event) -> list[str]:
    """What may be meant otherwise: a tool that no client has, an event that this one never sends."""
    said = []
    if found.tool and found.kind == "other":
        near = nearest(found.tool, sorted(vocabulary()))
        if near and near != found.tool:
            said.append(f"no client that we know has a tool {found.tool!r}; did you mean {near}?")
    if found.client in ROWS and found.name not in ROWS[found.client]:
        said.append(f"{found.client} has no {found.name}: this is what would be said if it had")
    return said
