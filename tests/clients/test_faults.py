"""Bad input becomes an Event with safe values and a word about what was wrong; nothing raises."""

from __future__ import annotations

import json

import pytest

from jackline.clients.router import codec, receive
from jackline.model import SILENCE, Verdict

from .calls import call, parsed

DOORS = ("claude-code", "codex", "github")

BROKEN = {
    "empty": (b"", "empty"),
    "blank": (b" \r\n\t ", "empty"),
    "broken": (b'{"session_id": "s', "not JSON: "),
    "two documents": (b"{}\n{}", "not JSON: "),
    "words before": (b"hello {}", "not JSON: "),
    "list": (b"[]", "not an object"),
    "number": (b"7", "not an object"),
    "null": (b"null", "not an object"),
    "text": (b'"PreToolUse"', "not an object"),
    "NaN": (b'{"tool_input": NaN}', "not JSON: "),
    "NUL byte": (b'{"session_id": "\0"}', "not JSON: "),
    "too deep": (b'{"a":' + b"[" * 100_000 + b"]" * 100_000 + b"}", "not JSON: "),
    "deep and open": (b"[" * 2_000_000, "not JSON: "),
    "endless number": (b'{"a":' + b"9" * 10_000 + b"}", "not JSON: "),
}


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize(("raw", "fault"), BROKEN.values(), ids=BROKEN)
def test_unreadable_bytes_are_told_in_the_fault(door: str, raw: bytes, fault: str) -> None:
    event = parsed(door, "PreToolUse", raw)
    assert (event.name, event.payload, event.input, event.cwd) == ("PreToolUse", {}, {}, "/here")
    assert event.fault.startswith(fault)
    assert codec(door).render(event, Verdict()) == SILENCE


@pytest.mark.parametrize("door", DOORS)
def test_invalid_utf8_is_read_and_told(door: str) -> None:
    event = parsed(door, "UserPromptSubmit", b'{"session_id":"s","prompt":"caf\xe9","cwd":"/w"}')
    assert event.prompt == "caf\udce9"
    assert event.fault == "invalid UTF-8"


@pytest.mark.parametrize("door", DOORS)
def test_byte_order_mark_is_no_fault(door: str) -> None:
    event = parsed(door, "UserPromptSubmit", b'\xef\xbb\xbf{"session_id":"s","prompt":"p","cwd":"/w"}')
    assert (event.prompt, event.fault) == ("p", "")


@pytest.mark.parametrize("door", DOORS)
def test_huge_payload_is_judged_too(door: str) -> None:
    """50 MB of content must not be a way past a guard: the path is still seen."""
    payload = b'{"session_id":"s","cwd":"/w","tool_name":"Write","tool_input":{"content":"' + b"x" * 50_000_000
    event = parsed(door, "PreToolUse", payload + b'","path":"/w/a","file_path":"/w/a"}}')
    assert (event.targets, event.fault) == (("/w/a",), "")


WRONG = {
    # what is sent instead of the right type: what the fault says
    "session_id": (7, "session_id is not text"),
    "transcript_path": ([], "transcript_path is not text"),
    "cwd": ({"a": 1}, "cwd is not text"),
    "agent_id": (1.5, "agent_id is not text"),
    "agent_type": (["x"], "agent_type is not text"),
    "tool_name": (["Bash"], "tool_name is not text"),
    "tool_input": ([1], "tool_input is not an object"),
    "tool_use_id": (True, "tool_use_id is not text"),
    "hook_event_name": (3, "hook_event_name is not text"),
}


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("field", WRONG)
def test_a_field_of_the_wrong_type_is_left_out_and_told(door: str, field: str) -> None:
    value, fault = WRONG[field]
    good = {
        "session_id": "s",
        "agent_id": "a",
        "cwd": "/w",
        "tool_name": "Bash",
        "tool_input": {"command": "ls"},
        "tool_use_id": "t",
    }
    event = parsed(door, "PreToolUse", {**good, field: value})
    assert event.fault == fault
    assert event.name == "PreToolUse"


@pytest.mark.parametrize("door", DOORS)
def test_prompt_of_the_wrong_type(door: str) -> None:
    event = parsed(door, "UserPromptSubmit", {"session_id": "s", "cwd": "/w", "prompt": {"text": "x"}})
    assert (event.prompt, event.fault) == ("", "prompt is not text")


@pytest.mark.parametrize("door", DOORS)
def test_null_fields_are_missing_ones(door: str) -> None:
    nothing = {"session_id": "s", "cwd": "/w", "transcript_path": None, "agent_id": None, "tool_name": "Bash"}
    event = parsed(door, "PreToolUse", {**nothing, "tool_input": None})
    assert (event.fault, event.input, event.agent_id) == ("", {}, "")


@pytest.mark.parametrize("cwd", ["relative", "../up", "/a\0b"])
def test_cwd_that_is_no_absolute_path_is_not_believed(cwd: str) -> None:
    event = parsed("claude-code", "Stop", {"session_id": "s", "cwd": cwd})
    assert (event.cwd, event.fault) == ("/here", "cwd is not an absolute path")


def test_command_line_rules_over_the_payload() -> None:
    event = parsed("claude-code", "PreToolUse", {"session_id": "s", "cwd": "/w", "hook_event_name": "Stop"})
    assert (event.name, event.native) == ("PreToolUse", "PreToolUse")
    assert event.fault == "event PreToolUse on the command line, Stop in the payload"


def test_two_names_of_one_event_are_no_fault() -> None:
    payload = {"session_id": "s", "cwd": "/w", "timestamp": "t", "tool_use_id": "u", "hook_event_name": "PreToolUse"}
    event = parsed("github", "preToolUse", payload)
    assert (event.name, event.native, event.client, event.fault) == ("PreToolUse", "PreToolUse", "vscode", "")


def test_event_of_the_payload_serves_where_the_command_line_has_none() -> None:
    event = parsed("codex", "", {"session_id": "s", "cwd": "/w", "hook_event_name": "Stop"})
    assert (event.name, event.native) == ("Stop", "Stop")


@pytest.mark.parametrize("door", DOORS)
def test_unknown_event_and_fields_pass(door: str) -> None:
    event = parsed(door, "FromTheFuture", {"session_id": "s", "cwd": "/w", "hook_event_name": "FromTheFuture", "x": 1})
    assert (event.name, event.native, event.session, event.fault) == ("", "FromTheFuture", "s", "")
    everything = Verdict("deny", "R", {"a": 1}, None, (("k", "C"),), ("M",))
    assert codec(door).render(event, everything) == SILENCE


@pytest.mark.parametrize("door", DOORS)
def test_lone_surrogates_never_reach_a_client(door: str) -> None:
    """Strict readers refuse the whole answer for one, and with it the denial."""
    event = parsed(
        door, "PreToolUse", b'{"session_id":"s","cwd":"/w","tool_name":"Bash","tool_input":{"command":"\\ud800"}}'
    )
    assert event.command == "\ud800"
    answer = codec(door).render(event, Verdict("deny", f"no: {event.command}"))
    text = answer.out.decode("ascii")
    assert "\\ud8" not in text
    assert "no: ?" in text
    smile = codec(door).render(event, Verdict("deny", "no \U0001f600"))
    assert "no \U0001f600" in json.dumps(json.loads(smile.out), ensure_ascii=False)


@pytest.mark.parametrize("door", DOORS)
def test_what_json_cannot_say_does_not_stop_an_answer(door: str) -> None:
    event = parsed(door, "PreToolUse", {"session_id": "s", "cwd": "/w", "tool_name": "Bash", "tool_input": {}})
    loop: list[object] = []
    loop.append(loop)
    odd = {"command": "ls", "n": float("inf"), "o": {1, 2}.__class__, "l": loop}
    answer = codec(door).render(event, Verdict(updated_input=odd))
    given = json.loads(answer.out)["hookSpecificOutput"]["updatedInput"]
    assert (given["command"], given["n"]) == ("ls", None)


def test_calls_of_a_client_name_open_its_dialect() -> None:
    assert receive(call("copilot", "preToolUse", b""))[1].name == "PreToolUse"
