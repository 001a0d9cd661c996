"""Whatever a hook returns becomes an action, or a sentence that says where, what was expected, and what came."""

from __future__ import annotations

from typing import Any

import pytest

from jackline.model import Action
from jackline.runners.actions import FIELDS, BadAction, coerce

GOOD: list[tuple[Any, Action]] = [
    (None, Action()),
    ({}, Action()),
    ({"decision": "allow"}, Action("allow")),
    ({"decision": "deny", "denyReason": "no"}, Action("deny", "no")),
    ({"decision": "deny", "reason": "no", "rule": "r", "safer": "s"}, Action("deny", "no", rule="r", safer="s")),
    ({"decision": "ask"}, Action("ask", "ask without a reason given")),
    ({"reason": None, "warnings": ["a", "b"]}, Action(warnings=("a", "b"))),
    (
        {"additionalContext": [{"key": "k", "value": "v"}, ("a", "b")]},
        Action(additional_context=(("k", "v"), ("a", "b"))),
    ),
    ({"updatedInput": {"a": 1}, "statePatch": {"x": {}}}, Action(updated_input={"a": 1}, state_patch={"x": {}})),
    (
        {"emitEvents": [{"kind": "SEEN"}], "metrics": {"n": 1}},
        Action(emit_events=({"kind": "SEEN"},), metrics={"n": 1}),
    ),
    (Action("block", "x"), Action("block", "x")),
]

BAD: list[tuple[Any, str]] = [
    (7, "expected an action, got int"),
    ("deny", "expected an action, got str"),
    ([], "expected an action, got list"),
    (True, "expected an action, got bool"),
    ({"verdict": "deny"}, "verdict: no such field of an action"),
    ({7: "deny"}, "7: no such field of an action"),
    ({"decision": "maybe"}, "decision: expected allow, ask, deny, approve or block, got str"),
    ({"decision": 7}, "decision: expected allow, ask, deny, approve or block, got int"),
    ({"decision": ["deny"]}, "decision: expected allow, ask, deny, approve or block, got tuple"),
    ({"reason": 7}, "reason: expected a text, got int"),
    ({"updatedInput": []}, "updated_input: expected an object, got tuple"),
    ({"updatedInput": {1: 2}}, "updated_input: expected an object, got dict"),
    ({"additionalContext": "x"}, "additional_context: expected a list of {key, value}, got str"),
    ({"additionalContext": [{"key": "k"}]}, "additional_context: expected a list of {key, value}, got tuple"),
    ({"warnings": "x"}, "warnings: expected a list of texts, got str"),
    ({"warnings": [b"x"]}, "warnings: expected a list of texts, got tuple"),
    ({"emitEvents": [None]}, "emit_events: expected a list of objects, got tuple"),
    ({"metrics": 7}, "metrics: expected an object, got int"),
    (Action(decision="perhaps"), "decision: expected allow, ask, deny, approve or block, got str"),  # type: ignore[arg-type]
    (Action("deny", 7), "reason: expected a text, got int"),  # type: ignore[arg-type]
]


@pytest.mark.parametrize(("returned", "action"), GOOD)
def test_an_action_is_made(returned: Any, action: Action) -> None:
    assert coerce(returned) == action


@pytest.mark.parametrize(("returned", "sentence"), BAD)
def test_a_sentence_says_what_is_wrong(returned: Any, sentence: str) -> None:
    with pytest.raises(BadAction) as told:
        coerce(returned)
    assert str(told.value) == sentence


def test_every_field_has_a_name_on_disk() -> None:
    assert set(FIELDS.values()) == set(Action()._asdict())
