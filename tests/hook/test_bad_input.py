"""Bad input: for any bytes and words one valid answer, exit 0, nothing on stderr (design section 2)."""

from __future__ import annotations

import json
import os
import subprocess
from typing import Any

import pytest

from jackline.compiler import schemas
from jackline.model import EVENTS
from scene import Said, Scene

SURROGATE = (
    b'{"session_id":"s","cwd":"/","tool_name":"Bash","tool_input":{"command":"echo \\ud800"},"prompt_id":"\\udfff"}'
)
BYTES: dict[str, bytes] = {
    "empty": b"",
    "blank": b" \n\t ",
    "broken": b'{"session_id": "s", "tool_na',
    "word": b"hello",
    "number": b"7",
    "text": b'"x"',
    "list": b'[{"session_id":"s"}]',
    "null": b"null",
    "two": b'{"session_id":"s"}{"session_id":"s"}',
    "empty-object": b"{}",
    "not-a-number": b'{"session_id":"s","x":NaN}',
    "binary": bytes(range(256)),
    "invalid-utf8": b'{"session_id":"s","tool_name":"B\xff\xfeash","tool_input":{"command":"\xc3"}}',
    "utf16": '{"session_id":"s"}'.encode("utf-16"),
    "bom": b'\xef\xbb\xbf{"session_id":"s","tool_name":"Bash","tool_input":{"command":"ls"}}',
    "nul": b'{"session_id":"s\\u0000x","cwd":"/tmp\\u0000/x","tool_name":"Ba\\u0000sh",'
    b'"tool_input":{"command":"a\\u0000b"}}',
    "raw-nul": b'{"session_id":"s\x00"}',
    "surrogates": SURROGATE,
    "deep-lists": b'{"session_id":"s","tool_input":' + b"[" * 100_000 + b"]" * 100_000 + b"}",
    "deep-objects": b'{"session_id":"s","tool_input":' + b'{"a":' * 50_000 + b"1" + b"}" * 50_000 + b"}",
    "deep-and-open": b"[" * 200_000,
    "wrong-types": b'{"session_id":7,"cwd":[],"tool_name":{},"tool_input":"x","prompt":3,"transcript_path":false,'
    b'"agent_id":{},"tool_use_id":[],"hook_event_name":9,"source":{},"stop_hook_active":"yes","background_tasks":7}',
    "nulls": b'{"session_id":null,"cwd":null,"tool_name":null,"tool_input":null,"hook_event_name":null}',
    "huge-number": b'{"session_id":"s","x":' + b"9" * 100_000 + b"}",
    "many-keys": json.dumps({"session_id": "s", **{f"k{n}": n for n in range(50_000)}}).encode(),
    "control": b'{"session_id":"\\u001b]0;x\\u0007","tool_name":"\\u202eBash","tool_input":{"command":"\\r\\u0085ls"}}',
}
DOORS = [
    *[("claude-code", event) for event in ("PreToolUse", "UserPromptSubmit", "Stop", "SessionStart")],
    *[(dialect, "PreToolUse") for dialect in ("codex", "github", "vscode", "copilot-cli")],
]
UNREADABLE = ("deep-lists", "deep-objects", "two", "not-a-number", "raw-nul", "huge-number")
"""Whole objects that nobody could read: they may hold anything, so before a tool they are refused."""
STRANGE = ("wrong-types", "nulls", "empty-object")
"""Calls that were read, and say little: guards judge them as they are."""
ODD = ("invalid-utf8", "control")
"""Calls that were read, with a program's name that is not of letters as programs have them: a person is asked."""
UNPLAIN = ("nul",)
"""Calls that were read, with a command that no shell could be trusted to read alike: a person is asked."""


def held(said: Said, dialect: str, event: str) -> dict[str, Any]:
    """One object that the client's own schema takes."""
    body = said.body
    assert schemas.validate("hook-output", body) == [], body
    nested = body.get("hookSpecificOutput")
    assert nested is None or nested["hookEventName"] in (*EVENTS, event)
    return body


@pytest.mark.parametrize("name", BYTES)
def test_any_bytes_get_one_valid_answer(scene: Scene, name: str) -> None:
    """In every dialect. And never a denial, but where a whole call could not be read, or its command not be judged."""
    for dialect, event in DOORS:
        body = held(scene.send(BYTES[name], event, dialect=dialect), dialect, event)
        decision = body.get("hookSpecificOutput", body).get("permissionDecision")
        if event == "PreToolUse" and name in UNREADABLE:
            assert decision == "deny", (dialect, body)
        elif event == "PreToolUse" and name in UNPLAIN:
            assert decision in ("ask", "deny"), (dialect, body)
            assert "control characters" in json.dumps(body)
        elif event == "PreToolUse" and name in ODD:
            assert decision in ("ask", "deny"), (dialect, body)
            assert "only looks like the name of a program" in json.dumps(body)
        elif name not in STRANGE:
            assert decision is None, (dialect, body)


def test_bad_input_is_logged(scene: Scene) -> None:
    scene.send(BYTES["invalid-utf8"], "PreToolUse")
    scene.send(b'{"session_id":"s","cwd":7,"tool_name":"Bash","tool_input":[]}', "PreToolUse")
    told = [row["data"]["fault"] for row in scene.rows("TOOL_DECISION")]
    assert told[0].startswith("invalid UTF-8")
    assert "cwd is not text" in told[1]
    assert "tool_input is not an object" in told[1]


@pytest.mark.process  # its time is that of a child
def test_fifty_megabytes(scene: Scene) -> None:
    """Read, judged and logged by digest and head."""
    raw = json.dumps(scene.tool("echo " + "x" * 50_000_000)).encode()
    begun = os.times()
    said = scene.send(raw, "PreToolUse", timeout=60)
    ended = os.times()
    held(said, "claude-code", "PreToolUse")
    spent = ended.children_user - begun.children_user + ended.children_system - begun.children_system
    assert spent < 8  # the client waits ten seconds; what others on this machine do meanwhile is not the door's
    assert (scene.place / "events.jsonl").stat().st_size < 100_000


@pytest.mark.slow
def test_more_than_can_be_read_is_refused_like_a_guard_that_fails(scene: Scene) -> None:
    """The door reads 128 MB; what stands behind them may be anything."""
    held(scene.send(b"x" * 50_000_000, "PreToolUse", timeout=60), "claude-code", "PreToolUse")
    raw = b'{"session_id":"s","tool_name":"Bash","tool_input":{"command":"' + b"x" * ((1 << 27) + (1 << 16)) + b'"}}'
    said = scene.send(raw, "PreToolUse", timeout=60)
    assert held(said, "claude-code", "PreToolUse")["hookSpecificOutput"]["permissionDecision"] == "deny"


WORDS: dict[str, tuple[str, ...]] = {
    "nothing": (),
    "unknown-dialect": ("gemini-from-the-future", "PreToolUse"),
    "dialect-alone": ("claude-code",),
    "unknown-event": ("claude-code", "FromTheFuture"),
    "path-like-event": ("claude-code", "../../../etc/passwd"),
    "long-event": ("claude-code", "E" * 100_000),
    "strange-event": ("claude-code", "Pre\u202eTool\nUse"),
    "surrogate-event": ("claude-code", "\udcff"),
    "empty-words": ("", "", ""),
    "options": ("--help", "--version", "-x"),
    "unknown-place": ("claude-code", "PreToolUse", "../../x"),
    "more-words": ("claude-code", "PreToolUse", "project", "and", "more"),
    "fail-without-value": ("claude-code", "PreToolUse", "--fail"),
    "fail-odd": ("claude-code", "PreToolUse", "--fail", "sideways"),
    "unknown-option": ("claude-code", "PreToolUse", "--nothing=7"),
}


def test_any_words_get_one_valid_answer(scene: Scene) -> None:
    for name, words in WORDS.items():
        argv = [*scene.argv("")[:4], *words]
        raw = json.dumps(scene.tool()).encode()
        done = subprocess.run(argv, input=raw, capture_output=True, env=scene.env, cwd=scene.root, timeout=30)
        said = Said(done.returncode, done.stdout, done.stderr, 0)
        assert said.body.get("hookSpecificOutput", {}).get("permissionDecision") is None, name


TOOLS = ("", "Unknown", "mcp__", "mcp____", "mcp__a__b__c", "../../x", "x" * 10_000, "a\nb", "__proto__", "\ud800")


def test_any_tool_is_one(scene: Scene) -> None:
    for tool in TOOLS:
        held(scene.say(scene.tool(tool_name=tool, tool_input={"anything": [1]})), "claude-code", "PreToolUse")
    logged = [row.get("toolName", "") for row in scene.rows("TOOL_DECISION")]
    assert len(logged) == len(TOOLS)
    assert [len(name) < 2100 for name in logged] == [True] * len(TOOLS)


def test_a_closed_input_and_a_closed_output(scene: Scene) -> None:
    """A client that went away: the door ends, says nothing to nobody, and logs."""
    scene.begin()
    argv = [*scene.argv("PreToolUse")]
    raw = json.dumps(scene.tool())
    script = f"""
import subprocess, sys
door = subprocess.Popen({argv!r}, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
door.stdout.close()
door.stdin.write({raw.encode()!r})
door.stdin.close()
print(door.wait(20), door.stderr.read())
"""
    done = subprocess.run(["python3", "-c", script], capture_output=True, text=True, env=scene.env, cwd=scene.root)
    assert done.stdout == "0 b''\n"
    assert scene.decided() == ["allow"]
    closed = subprocess.run(
        ["/bin/sh", "-c", 'exec "$@" <&- >&- 2>&-', "sh", *argv], env=scene.env, cwd=scene.root, timeout=20
    )
    assert closed.returncode == 0


@pytest.mark.slow
def test_an_input_that_never_ends_is_not_waited_for(scene: Scene) -> None:
    """Two seconds before the client's limit the door answers with what it has: nothing to object to."""
    with scene.start("SessionEnd") as door:
        assert door.stdin is not None
        assert door.stdout is not None
        door.stdin.write(b'{"session_id":')
        door.stdin.flush()
        assert door.wait(10) == 0
        assert door.stdout.read() == b"{}\n"
    for crash in (scene.store / "crash").glob("*"):
        crash.unlink()


def test_fail_closed_concerns_faults_of_ours_alone(scene: Scene) -> None:
    """`--fail closed` refuses when the door itself failed, not when all is well or the input is foreign rubbish."""
    assert scene.pre().decision == ""
    assert scene.say(scene.tool(), "--fail", "closed").decision == ""
    for name in ("empty", "broken", "list"):
        assert scene.send(BYTES[name], "PreToolUse", "--fail", "closed").decision == ""
