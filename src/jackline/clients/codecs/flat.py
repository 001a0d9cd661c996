"""Flat answers: JSON at exit 0 with a word for a refusal at its top, in whatever names a client has for things.

Which field a client sends and reads where stands in its `wire`, as dotted places: `fields`, `response` and `failed`
of a payload, `refusal`, `reason`, `context` and `input` of an answer. `child`: the field that only a sub-agent's
events fill; `agent`: where its id stands, and how it begins; `flattened`: where parameters were made text; `lines`:
the key of a list of commands; `shown`, `exit`: the part of a result, and the words in it, that tell the exit code.
"""

from __future__ import annotations

from jackline.clients.answers import answer, context, reason
from jackline.clients.payload import begin, describe, of_spec, text, tool_input, with_input
from jackline.jsonio import loads
from jackline.model import Event

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from jackline.model import Answer, Verdict
    from jackline.runtime.request import Request

REFUSING = ("deny", "block")


def _at(value: Any, place: str) -> Any:
    """What stands at a dotted place; a number counts in a list, `*.KEY` joins the texts of all its parts. None where
    nothing does.
    """
    place, _, each = place.partition(".*.")
    for key in place.split("."):
        if type(value) is dict:
            value = value.get(key)
        elif type(value) is list and key.isdecimal() and int(key) < len(value):
            value = value[int(key)]
        else:
            return None
    if each and type(value) is list:
        return "\n".join([one[each] for one in value if type(one) is dict and type(one.get(each)) is str])
    return value


def _put(body: dict[str, Any], place: str, value: Any) -> None:
    *outer, last = place.split(".")
    for key in outer:
        body = body.setdefault(key, {})
    body[last] = value


def _fields(payload: dict[str, Any], wire: Mapping[str, Any]) -> dict[str, Any]:
    """A payload in the names that clients share; of several places for one name the first that holds something."""
    fields = dict(payload)
    for name, places in wire["fields"].items():
        found = [value for place in places.split() if (value := _at(payload, place)) is not None]
        if found:
            fields[name] = found[0]
    if wire["child"] and fields.get(wire["child"]) is None:
        fields.pop("agent_id", None)
    place, start = wire["agent"]
    mark = _at(payload, place) if place else None
    if type(mark) is str and mark.startswith(start):
        fields["agent_id"] = mark
    return fields


def _plain(given: Any) -> Any:
    """Parameters that were flattened to text, as they were."""
    if type(given) is not dict:
        return given
    found = dict(given)
    for key, value in given.items():
        if type(value) is str and value[:1] in ("[", "{"):
            try:
                found[key] = loads(value)
            except (ValueError, RecursionError):
                continue
    return found


def _lines(event: Event, wire: Mapping[str, Any]) -> Event:
    """A list of whole commands, each a line of its own."""
    listed = event.input.get(wire["lines"]) if wire["lines"] and event.kind == "shell" else None
    if type(listed) is list:
        commands = [one.get("command") if type(one) is dict else one for one in listed]
        event.command = "\n".join([one for one in commands if type(one) is str])
    return event


def _outcome(event: Event, wire: Mapping[str, Any]) -> str:
    """How a call ended, by the sign of a failure, by each part of the result, by the exit code in its text."""
    if _at(event.payload, wire["failed"]) not in (None, "", False):
        return "error"
    result = event.response
    parts = result if type(result) is list else [result]
    if any(type(one) is dict and one.get("success") is False for one in parts):
        return "error"
    shown = result.get(wire["shown"]) if type(result) is dict else result
    if event.kind == "shell" and type(shown) is str and wire["exit"] in shown:
        return "ok" if shown.rpartition(wire["exit"])[2].lstrip()[:1] == "0" else "error"
    return "" if result is None else "ok"


def parse(request: Request, dialect: str, client: str, payload: dict[str, Any], faults: list[str]) -> Event:
    """One event of a client of this form. Never raises."""
    sender = Event("")
    sender.client, sender.dialect = client, dialect
    wire = of_spec(sender, "WIRE")
    fields = _fields(payload, wire)
    event = begin(request, dialect, client, payload, fields, faults)
    if "child_session" in fields:
        event.child_session = text(fields, "child_session", faults)
    if fields.get("tool_name") is not None:
        if wire["flattened"] and _at(payload, wire["flattened"]) is fields.get("tool_input"):
            fields["tool_input"] = _plain(fields.get("tool_input"))
        describe(event, text(fields, "tool_name", faults), tool_input(fields, faults))
        event.tool_use_id = text(fields, "tool_use_id", faults)
        _lines(event, wire)
        if event.name != "PreToolUse":
            event.response = _at(payload, wire["response"])
            event.outcome = _outcome(event, wire)
    event.fault = "; ".join(faults)
    return event


def rewritten(event: Event, given: Mapping[str, Any]) -> Event:
    """What `event` would be with `given` for its tool's input, for those who judge a rewrite."""
    wire = of_spec(event, "WIRE")
    native = _fields(event.payload, wire).get("tool_name")
    return _lines(with_input(event, given, native if type(native) is str else ""), wire)


def render(event: Event, verdict: Verdict) -> Answer:
    """The bytes the client takes for `verdict`, which `degrade` has fitted to it."""
    wire = of_spec(event, "WIRE")
    body: dict[str, Any] = {}
    if verdict.decision in REFUSING and event.name:
        _put(body, *wire["refusal"])
        _put(body, wire["reason"], reason(event, verdict))
    elif verdict.updated_input is not None and wire["input"]:
        _put(body, wire["input"], dict(verdict.updated_input))
    if verdict.context and wire["context"]:
        _put(body, wire["context"], context(event, verdict))
    return answer(body)
