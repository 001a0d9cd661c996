"""Laws of parse, degrade and render: nothing a client sends or a hook says makes an answer invalid."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jackline.clients.answers import cut
from jackline.clients.capabilities import degrade, row
from jackline.clients.facts import NATIVE, SHELL_TOOLS
from jackline.clients.hints import DEFAULT
from jackline.clients.router import codec, receive
from jackline.clients.rows import ROWS
from jackline.clients.specs import DIALECTS, SPEAKS, SPECS
from jackline.model import EVENTS, KINDS, NO_OBJECTION, SILENCE, UNSAID, Event, Verdict
from jackline.runtime.request import Request

DOORS = st.sampled_from(DIALECTS)
NAMES = st.sampled_from([*EVENTS, *NATIVE["github"], "", "FromTheFuture", "\ud800"])
ODD = st.text(st.characters(codec=None, categories=None), max_size=20)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | ODD,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(ODD, inner, max_size=4),
    max_leaves=12,
)
KEYS = st.sampled_from(
    [
        "session_id", "sessionId", "prompt_id", "turn_id", "timestamp", "hook_event_name", "hookEventName", "hookName",
        "taskId", "tool_name", "toolName", "tool_input", "toolArgs", "toolInput", "tool_use_id", "tool_call_id",
        "tool_response", "tool_result", "toolResult", "error", "cwd", "transcript_path", "transcriptPath", "prompt",
        "agent_id", "agentId", "agent_type", "parent_agent_id", "parentAgentId", "source", "trigger", "reason",
        "stop_hook_active", "background_tasks", "permission_mode", "stop_reason", "notification_type",
    ]
)  # fmt: skip
TOOLS = st.sampled_from(
    ["Bash", "bash", "run_in_terminal", "apply_patch", "Write", "create", "mcp__a__b", "mcp_a_b", "use_mcp_tool", "zap"]
)
INPUTS = st.dictionaries(
    st.sampled_from(
        ["command", "input", "cmd", "args", "path", "paths", "file_path", "filePath", "replacements", "files", "edits",
         "arguments", "server_name", "tool_name", "url", "urls", "pattern", "query", "prompt"]
    ),
    JSON | ODD | st.lists(st.dictionaries(st.sampled_from(["path", "filePath"]), ODD, max_size=2), max_size=3),
    max_size=5,
)  # fmt: skip
PAYLOADS = st.dictionaries(KEYS, JSON | TOOLS | INPUTS, max_size=10) | st.fixed_dictionaries(
    {"session_id": ODD, "cwd": ODD, "tool_name": TOOLS, "tool_input": INPUTS | ODD},
    optional={"timestamp": ODD, "prompt_id": ODD, "turn_id": ODD, "tool_use_id": ODD, "tool_response": JSON},
)
VERDICTS = st.builds(
    Verdict,
    decision=st.sampled_from(["", "allow", "approve", "ask", "deny", "block"]),
    reason=ODD | st.just("R\nrule\nsafer") | st.just("x" * 40_000),
    updated_input=st.none() | INPUTS | st.dictionaries(ODD, JSON | st.just(float("inf")), max_size=3),
    context=st.lists(st.tuples(ODD, ODD | st.just("\u20ac" * 20_000)), max_size=3).map(tuple),
    notes=st.lists(ODD, max_size=3).map(tuple),
    code=st.just(""),
)


def call_of(door: str, event: str, raw: bytes) -> Request:
    return Request(door, event, raw, {}, "/here")


def raw_of(payload: Any) -> bytes:
    return json.dumps(payload).encode()


def one_object(out: bytes) -> dict[str, Any]:
    """The answer as strict readers take it: one object, one newline, nothing else, no lone surrogate."""
    assert out.endswith(b"\n")
    assert out.count(b"\n") == 1
    body: dict[str, Any] = json.loads(out)
    assert isinstance(body, dict)
    json.dumps(body, ensure_ascii=False).encode()
    return body


def sound(event: Event) -> None:
    assert event.name in (*EVENTS, "")
    assert event.kind in (*KINDS, "")
    assert event.cwd.startswith("/")
    assert isinstance(event.input, dict)
    texts = (event.session, event.tool, event.command, event.query, event.patch, event.prompt, event.tool_use_id)
    assert all(isinstance(text, str) for text in (*texts, *event.targets, event.agent_id, event.parent_session))
    assert isinstance(event.paths, tuple)


@given(DOORS, NAMES, st.binary(max_size=200))
def test_any_bytes_are_one_event_and_silence_is_silence(door: str, name: str, raw: bytes) -> None:
    speaker, event = receive(call_of(door, name, raw))
    sound(event)
    assert speaker.render(event, Verdict()) == SILENCE


@given(DOORS, NAMES, PAYLOADS | JSON, st.sampled_from(["", " ", "x", "\ufeff", "}", "\0"]))
def test_any_json_is_one_event(door: str, name: str, payload: Any, tail: str) -> None:
    _, event = receive(call_of(door, name, raw_of(payload) + tail.encode()))
    sound(event)
    assert event.payload == {} or isinstance(payload, dict)


@given(DOORS, NAMES, PAYLOADS)
def test_parse_is_a_function_of_the_call(door: str, name: str, payload: Any) -> None:
    call = call_of(door, name, raw_of(payload))
    first, second = receive(call)[1], receive(call)[1]
    assert vars(first) == vars(second)


@settings(max_examples=300)
@given(DOORS, NAMES, PAYLOADS, VERDICTS, st.booleans())
def test_an_answer_is_always_one_object_at_exit_0(
    door: str, name: str, payload: Any, verdict: Verdict, fitted: bool
) -> None:
    speaker, event = receive(call_of(door, name, raw_of(payload)))
    if fitted:
        verdict = degrade(verdict, event, row(event.client, event.name))
    answer = speaker.render(event, verdict)
    assert (answer.exit, answer.err) == (0, b"")
    one_object(answer.out)


@given(DOORS, PAYLOADS, INPUTS)
def test_a_rewritten_event_is_an_event(door: str, payload: Any, given: dict[str, Any]) -> None:
    speaker, event = receive(call_of(door, "PreToolUse", raw_of(payload)))
    new = speaker.rewritten(event, given)
    sound(new)
    assert (new.input, new.session, new.client) == (given, event.session, event.client)


PLAIN = st.text("abcXYZ äß\n", min_size=1, max_size=30).filter(str.strip)
SAID = st.builds(
    Verdict,
    decision=st.sampled_from(["", "allow", "approve", "ask", "deny", "block"]),
    reason=PLAIN,
    updated_input=st.none() | st.just({"command": "NEW"}),
    context=st.lists(st.tuples(PLAIN, PLAIN), max_size=2).map(tuple),
    notes=st.lists(PLAIN, max_size=2).map(tuple),
)
SPOKEN = [(client, event) for client in SPECS for event in ROWS[client]]


def spoken(client: str, name: str) -> Event:
    event = Event(name, client=client, dialect=SPEAKS[client], input={"command": "OLD"})
    if name in ("PreToolUse", "PermissionRequest"):
        event.tool, event.kind = SHELL_TOOLS[client], "shell"
    return event


def texts(value: Any) -> list[str]:
    if isinstance(value, dict):
        return [text for item in value.values() for text in texts(item)]
    return [value] if isinstance(value, str) else []


@pytest.mark.parametrize("client", (*SPEAKS, "another"))
@pytest.mark.parametrize("name", (*EVENTS, "Another"))
def test_no_objection_is_none_on_every_client(client: str, name: str) -> None:
    """The engine asks for no capabilities then (the stage `response`)."""
    event = Event(name, client=client, tool="Bash", kind="shell")
    assert degrade(NO_OBJECTION, event, row(client, name)) == NO_OBJECTION


@given(st.sampled_from(SPOKEN), SAID)
def test_render_says_all_that_degrade_left(who: tuple[str, str], verdict: Verdict) -> None:
    event = spoken(*who)
    left = degrade(verdict, event, row(*who))
    body = one_object(codec(event.client).render(event, left).out)
    told = "\n".join(texts(body))
    if left.decision in ("deny", "ask", "block"):
        assert left.reason in told
    if left.updated_input is not None:
        assert "NEW" in told
    assert all(key in told and value in told for key, value in left.context)
    assert all(note in told for note in left.notes)
    if left == Verdict(reason=left.reason):
        assert body == {}


@given(st.sampled_from(SPOKEN), SAID)
def test_degrade_never_weakens(who: tuple[str, str], verdict: Verdict) -> None:
    """A refusal stays one where the client has any; an ask never passes; nothing new is allowed."""
    event, capability = spoken(*who), row(*who)
    left = degrade(verdict, event, capability)
    if event.name == "PreToolUse":
        assert capability.deny
        if verdict.decision in ("deny", "block"):
            assert left.decision == "deny"
        if verdict.decision == "ask":
            assert left.decision in ("ask", "deny")
        if verdict.updated_input is not None and left.decision != "deny":
            assert left.updated_input == verdict.updated_input
    if verdict.decision == "block" and (capability.block or capability.cont) and event.name != "PreToolUse":
        assert left.decision == "block"
    if left.decision == "approve":
        assert verdict.decision == "approve"
    assert degrade(left, event, capability) == left


CODEX_FIELDS = {"decision", "reason", "systemMessage", "hookSpecificOutput"}
CODEX_NESTED = {
    "PreToolUse": {"permissionDecision", "permissionDecisionReason", "updatedInput", "additionalContext"},
    "PermissionRequest": {"decision"},
}


@given(st.sampled_from([who for who in SPOKEN if who[0] == "codex"]), SAID | VERDICTS)
def test_codex_gets_no_field_it_refuses(who: tuple[str, str], verdict: Verdict) -> None:
    """One field too many, or a refusal without a reason, and Codex runs what was denied (contract 5.1)."""
    event = spoken(*who)
    body = one_object(codec("codex").render(event, degrade(verdict, event, row(*who))).out)
    nested = body.get("hookSpecificOutput", {})
    assert set(body) <= CODEX_FIELDS
    assert set(nested) <= CODEX_NESTED.get(who[1], {"additionalContext"}) | {"hookEventName"}
    assert not nested or (len(nested) > 1 and nested["hookEventName"] == who[1])
    decision = nested.get("permissionDecision")
    assert ("permissionDecisionReason" in nested) == (decision == "deny")
    assert ("updatedInput" in nested) == (decision == "allow")
    for key, holder in (("reason", body), ("permissionDecisionReason", nested)):
        assert key not in holder or holder[key].strip()
    assert ("reason" in body) == ("decision" in body)


@pytest.mark.parametrize("door", DIALECTS)
def test_an_unsaid_reason_is_said(door: str) -> None:
    event = spoken(DEFAULT[door], "PreToolUse")
    assert UNSAID in codec(door).render(event, Verdict("deny")).out.decode()


@given(st.text(max_size=300), st.integers(60, 400))
def test_cut_fits(text: str, limit: int) -> None:
    short = cut(text, limit)
    assert len(short.encode("utf-8", "replace")) <= limit
    assert short == text or "cut" in short
    assert cut(text, 0) == text


def test_long_context_and_reason_are_cut_to_the_client() -> None:
    event = spoken("codex", "PreToolUse")
    long = Verdict("deny", "R" * 50_000, context=(("k", "ä" * 20_000),))
    nested = one_object(codec("codex").render(event, long).out)["hookSpecificOutput"]
    capability = row("codex", "PreToolUse")
    assert len(nested["additionalContext"].encode()) <= capability.context_limit
    assert len(nested["permissionDecisionReason"].encode()) <= capability.answer_limit
    assert nested["additionalContext"].endswith(" fit]")
