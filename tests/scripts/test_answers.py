"""What a run of an event script comes to: only `block: true` blocks, only at the places where an answer may stand."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jackline.model import EVENTS, Action
from jackline.script import Outcome, Script
from jackline.scripts.answers import LISTENING, answer, plain

LOOSE = Script("look", "event", "/p/look.sh", b"", name="Look")
GUARD = LOOSE._replace(key="guard", name="Guard", block=True)


def said(body: object, exit: int = 0, err: bytes = b"") -> Outcome:
    return Outcome(exit, body if isinstance(body, bytes) else json.dumps(body).encode(), err)


BLOCK = {"decision": "block", "reason": "not so"}
SPECIAL = {"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "deny"}}
ASKING = {"hookSpecificOutput": {"permissionDecision": "ask", "permissionDecisionReason": "sure?"}}
PERMIT = {"hookSpecificOutput": {"decision": {"behavior": "deny", "message": "no"}}}

DECIDED: list[tuple[str, Outcome, str, Action]] = [
    ("a block is a denial before a tool", said(BLOCK), "PreToolUse", Action("deny", "not so")),
    ("and a block elsewhere", said(BLOCK), "Stop", Action("block", "not so")),
    ("a denial too", said({"decision": "deny", "denyReason": "no"}), "UserPromptSubmit", Action("block", "no")),
    ("the client's own form", said(SPECIAL), "PreToolUse", Action("deny", "Guard refuses")),
    (
        "Copilot's",
        said({"permissionDecision": "deny", "permissionDecisionReason": "r"}),
        "PreToolUse",
        Action("deny", "r"),
    ),
    ("a permission's", said(PERMIT), "PermissionRequest", Action("deny", "no")),
    ("asking", said(ASKING), "PreToolUse", Action("ask", "sure?")),
    ("a denial beats an ask", said({**ASKING, **BLOCK}), "PreToolUse", Action("deny", "not so")),
    ("exit 2", said(b"", 2, b"why\n"), "PreToolUse", Action("deny", "why")),
    ("exit 2, reason on stdout", said(b"because\n", 2), "PostToolUse", Action("block", "because")),
    ("exit 2, reason in JSON", said(BLOCK, 2), "Stop", Action("block", "not so")),
    ("exit 2, stderr goes first", said(BLOCK, 2, b"this"), "Stop", Action("block", "this")),
    ("exit 2 without a word", said(b"", 2), "Stop", Action("block", "Guard refuses (exit 2)")),
]


@pytest.mark.parametrize(("outcome", "event", "action"), [row[1:] for row in DECIDED], ids=[row[0] for row in DECIDED])
def test_a_script_that_declares_it_decides(outcome: Outcome, event: str, action: Action) -> None:
    assert answer(GUARD, outcome, event) == action


@pytest.mark.parametrize(("outcome", "event"), [row[1:3] for row in DECIDED], ids=[row[0] for row in DECIDED])
def test_the_same_without_declaring_it_is_a_warning(outcome: Outcome, event: str) -> None:
    found = answer(LOOSE, outcome, event)
    assert found.decision == "" and found.reason == ""
    assert len(found.warnings) == 1 and "block: true" in found.warnings[0]


@pytest.mark.parametrize(
    "body",
    [
        {"note": BLOCK},
        {"hookSpecificOutput": {"nested": BLOCK}},
        {"hookSpecificOutput": [BLOCK]},
        [BLOCK],
        {"additionalContext": '{"decision":"block"}'},
        {"reason": '{"decision":"block","reason":"x"}'},
        json.dumps(BLOCK),
        b'the docs say {"decision":"block"} blocks',
        b'a banner of the profile\n{"decision":"block","reason":"x"}',
        b'{"decision":"block","reason":"x"} and more',
        b'{"decision":"block"}{"decision":"block"}',
        b"{'decision': 'block'}",
        b'{"decision":"block",}',
        b'{"decision":"bl\\u006fck"',
        {"decision": "BLOCK"},
        {"decision": ["block"]},
        {"decision": {"block": True}},
        {"decision": True},
    ],
)
@pytest.mark.parametrize("event", ["PreToolUse", "Stop", "UserPromptSubmit"])
def test_a_decision_elsewhere_or_in_prose_blocks_nothing(body: object, event: str) -> None:
    assert answer(GUARD, said(body), event).decision == ""


@pytest.mark.parametrize("word", ["allow", "approve", "continue", "", None])
def test_no_objection_is_silence_whoever_says_it(word: str | None) -> None:
    """An explicit allow would skip the person's own question."""
    for body in ({"decision": word}, {"hookSpecificOutput": {"permissionDecision": word}}):
        assert answer(GUARD, said(body), "PreToolUse") == Action()


@pytest.mark.parametrize("event", EVENTS)
def test_plain_text_is_context_where_a_client_takes_it(event: str) -> None:
    found = answer(LOOSE, said(b"\x1b[31mred\x1b[0m\r\nline\x07\n"), event)
    assert found == (Action(additional_context=(("Look", "red\nline"),)) if event in LISTENING else Action())


def test_what_may_be_said_without_deciding() -> None:
    body = {
        "systemMessage": "look here",
        "additionalContext": [{"key": "k", "value": "v"}, "no pair"],
        "hookSpecificOutput": {"additionalContext": "for the model", "updatedInput": {"command": "ls -l"}},
        "warnings": ["careful", 3],
        "metrics": {"n": 1},
        "statePatch": {"x": {"y": 1}},
        "emitEvents": [{"kind": "SEEN"}, {"kind": "script_run"}],
        "suppressOutput": True,
        "somethingNew": {"deep": [1]},
    }
    assert answer(LOOSE, said(body), "PreToolUse") == Action(
        updated_input={"command": "ls -l"},
        additional_context=(("Look", "for the model"), ("k", "v")),
        warnings=("look here", "careful"),
        metrics={"n": 1},
        state_patch={"x": {"y": 1}},
        emit_events=({"kind": "SEEN"},),
    )


def test_fields_of_a_wrong_shape_are_told_and_left_out() -> None:
    found = answer(LOOSE, said({"updatedInput": "ls", "metrics": [1], "code": 3}), "PreToolUse")
    assert found == Action(
        warnings=(
            "look: updatedInput: expected an object",
            "look: metrics: expected an object",
            "look: code: expected a text",
        )
    )


@pytest.mark.parametrize(
    ("outcome", "sentence"),
    [
        (Outcome(1, b"", b"broken\nmore"), '"Guard" failed (exit 1): broken'),
        (Outcome(1, json.dumps(BLOCK).encode()), '"Guard" failed (exit 1): {"decision": "block", "reason": "not so"}'),
        (Outcome(127), '"Guard" failed (exit 127)'),
        (Outcome(-9), '"Guard" was ended by signal 9'),
        (Outcome(-15, late=True, ms=10_000), '"Guard" did not end within 10 s and was stopped'),
        (Outcome(2, late=True, err=b"too late", ms=10_000), '"Guard" did not end within 10 s and was stopped'),
        (Outcome(-15, stopped=True), '"Guard" was stopped'),
        (Outcome(126, fault="changed since it was compiled"), '"Guard" was not run: changed since it was compiled'),
    ],
)
def test_a_failure_is_a_sentence_and_never_a_block(outcome: Outcome, sentence: str) -> None:
    for event in ("PreToolUse", "Stop"):
        assert answer(GUARD, outcome, event) == Action(warnings=(sentence,))


@pytest.mark.parametrize("status", range(256))
def test_of_all_exit_codes_two_alone_refuses(status: int) -> None:
    found = answer(GUARD, Outcome(status, b"", b"x"), "PreToolUse")
    assert (found.decision == "deny") == (status == 2)
    assert bool(found.warnings) == (status not in (0, 2))


HOSTILE: dict[str, bytes] = {
    "deep": b'{"decision":' + b"[" * 100_000 + b"]" * 100_000 + b"}",
    "deep objects": b'{"a":' * 5000 + b"1" + b"}" * 5000,
    "a little deep": b'{"metrics":' + b'{"a":' * 40 + b"1" + b"}" * 40 + b"}",
    "a huge number": b'{"metrics":{"n":' + b"9" * 100_000 + b"}}",
    "no number": b'{"metrics":{"n":NaN}}',
    "infinite": b'{"metrics":{"n":1e999}}',
    "no UTF-8": b'{"reason":"\xff\xfe"}',
    "cut off": b'{"decision":"block","reason":"',
}


@pytest.mark.parametrize("body", HOSTILE.values(), ids=HOSTILE)
def test_hostile_json_is_told_and_decides_nothing(body: bytes) -> None:
    found = answer(GUARD, said(body), "PreToolUse")
    assert found.decision == "" and found.metrics is None
    assert len(found.warnings) == 1 and "taken as text" in found.warnings[0] and len(found.warnings[0]) < 500


def test_what_was_cut_is_no_document() -> None:
    whole = json.dumps(BLOCK).encode()
    assert answer(GUARD, Outcome(0, whole, cut=True), "Stop").warnings == (
        "guard: its answer is too long to be read; it was taken as text",
    )


def test_of_equal_keys_the_last_one_counts() -> None:
    assert answer(GUARD, said(b'{"decision":"block","decision":"allow","reason":"x"}'), "Stop") == Action()


def test_halves_of_characters_and_control_characters_do_not_travel() -> None:
    body = b'{"decision":"block","reason":"a\\u0000b\\ud800c\\u001b[2Jd","additionalContext":"x\\udfff\\u0007"}'
    found = answer(GUARD, said(body), "Stop")
    assert found == Action("block", "ab?cd", additional_context=(("Guard", "x?"),))
    json.dumps([*found], ensure_ascii=False).encode()


def test_a_long_reason_of_a_denial_reaches_the_model_whole() -> None:
    """A refusal shows three lines."""
    reason = "\n".join(f"line {number}" for number in range(20))
    found = answer(GUARD, said(b"", 2, reason.encode()), "PreToolUse")
    assert (found.reason, found.additional_context) == (reason, (("Guard", reason),))
    assert answer(GUARD, said(b"", 2, reason.encode()), "Stop").additional_context == ()


@pytest.mark.parametrize("event", ["SessionStart", "SessionEnd", "PostToolUseFailure", "Notification"])
def test_where_nobody_can_block_it_is_said(event: str) -> None:
    assert answer(GUARD, said(BLOCK), event).warnings == (f"guard cannot block at {event}: not so",)


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8) | st.sampled_from(["block", "deny"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["decision", "reason", "hookSpecificOutput", "permissionDecision", "updatedInput", "warnings"]
            )
            | st.text(max_size=5),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@given(body=VALUES, event=st.sampled_from(EVENTS), exit=st.integers(-64, 255), err=st.binary(max_size=40))
def test_whatever_is_answered_is_an_action_that_can_be_written(body: Any, event: str, exit: int, err: bytes) -> None:
    from jackline.jsonio import dumps
    from jackline.runners.actions import check

    outcome = Outcome(exit, json.dumps(body).encode(), err)
    found = answer(LOOSE, outcome, event)
    assert found.decision == ""
    for script in (LOOSE, GUARD):
        one = answer(script, outcome, event)
        assert check(one) == one
        dumps([*one]).encode("ascii")


@given(st.text())
def test_plain_text_has_no_control_characters_and_can_be_encoded(text: str) -> None:
    found = plain(text)
    found.encode()
    assert not any(ord(char) < 32 and char not in "\n\t" for char in found)
    assert plain(found) == found
