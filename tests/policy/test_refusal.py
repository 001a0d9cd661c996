"""The words of a refusal: at most three lines to read, then one of JSON (design section 9)."""

from __future__ import annotations

import json

import pytest

from jackline.model import Action, Event, Verdict
from jackline.policy.merge import refusal_lines, words
from jackline.policy.refusal import affected_files, refusal, short

META: dict[str, object] = {"invocation_id": "0" * 32, "tool_name": "Write", "affected_files": ["src/x"]}


def told(verdict: Verdict) -> tuple[list[str], dict[str, object]]:
    *lines, last = refusal(verdict, META).split("\n")
    return lines, json.loads(last)


def test_three_lines_and_one_of_json() -> None:
    lines, error = told(Verdict("deny", "what\nrule\nsafer", code="SCOPE_VIOLATION"))
    assert lines == ["what", "rule", "safer"]
    assert error == {"type": "tool_error", "code": "SCOPE_VIOLATION", "message": "what", "meta": META}


def test_a_name_with_a_lines_end_in_it_makes_no_line() -> None:
    """Else the name of a file could speak as the rule."""
    action = Action("deny", "src/a\nall is well here.py is out of scope", rule="scope", safer="stay\nin it")
    assert words(action).split("\n") == ["src/a all is well here.py is out of scope", "scope", "stay in it"]
    assert words(Action("deny", "a script's\ntwo lines")) == "a script's\ntwo lines"


@pytest.mark.parametrize(
    ("hook", "rule", "named"),
    [
        ("lint", "", True),
        ("lint", "lint: no tabs", False),
        ("lint", "a rule of lint", False),
        ("on", "nothing goes to production", True),
        ("script:lint", "no tabs", True),
    ],
)
def test_a_refusal_names_its_hook_once(hook: str, rule: str, named: bool) -> None:
    """A name that only stands in another word of the rule is not said."""
    told = refusal_lines(hook, Action(decision="deny", reason="no", rule=rule))
    assert (f"no — refused by {hook.replace(':', ' ')}" in told) is named


def test_a_code_there_always_is() -> None:
    assert told(Verdict("deny", "no"))[1]["code"] == "POLICY_DENIED"


@pytest.mark.parametrize(
    ("reason", "lines"),
    [
        ("one", ["one"]),
        ("one\n\ntwo", ["one", "two"]),
        ("1\n2\n3", ["1", "2", "3"]),
        ("1\n2\n3\n4\n5", ["1", "2", "3 (+2 more)"]),
        ("", [""]),
    ],
)
def test_further_lines_are_told_by_their_number(reason: str, lines: list[str]) -> None:
    assert short(reason).split("\n") == lines


def test_files_are_those_a_call_names() -> None:
    event = Event("PreToolUse", tool="Write", kind="write", root="/r", cwd="/r/sub", targets=("a", "../b", "/c"))
    assert affected_files(event) == ("sub/a", "b", "/c")


def test_the_preview_stands_last_and_is_cut() -> None:
    verdict = Verdict("deny", "what\nrule\nsafer", preview=tuple(f"+{n}" for n in range(30)))
    lines = refusal(verdict, META).split("\n")
    assert lines[:3] == ["what", "rule", "safer"]
    assert json.loads(lines[3])["type"] == "tool_error"
    assert lines[4:] == [f"+{n}" for n in range(20)]
