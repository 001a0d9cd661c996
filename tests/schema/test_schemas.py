"""The schemas say what holds, and our own checker says of every value what `jsonschema` says."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from referencing import Registry, Resource

from jackline.clients.specs import SPEAKS
from jackline.compiler import schema_shape, schemas
from jackline.compiler.fault import Fault
from jackline.model import CODES, EVENTS, KINDS, PHASES
from jackline.runners.actions import FIELDS

TESTS = Path(__file__).parent.parent
CONTRACT = [
    *("hook-input", "hook-output", "ctx", "hook-action", "state", "event-record", "artifact-record"),
    *("rlm-policy", "followup-rules"),
]
"""The inventory of contract section 16."""
REGISTRY: Registry[Any] = Registry().with_resources(
    (schemas.load(name)["$id"], Resource.from_contents(schemas.load(name))) for name in schemas.NAMES
)


def library(name: str) -> Any:
    return jsonschema.Draft202012Validator(schemas.load(name), registry=REGISTRY)


def test_contract_section_16_lists_nine_schemas() -> None:
    assert [name for name in CONTRACT if (Path(schemas.FOLDER) / f"{name}.schema.json").is_file()] == CONTRACT
    assert sorted(schemas.NAMES) == sorted(p.name.removesuffix(".schema.json") for p in Path(schemas.FOLDER).iterdir())


@pytest.mark.parametrize("name", schemas.NAMES)
def test_schema_is_valid_2020_12_and_wholly_read(name: str) -> None:
    schema = schemas.load(name)
    jsonschema.Draft202012Validator.check_schema(schema)
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert schema["$id"].endswith(f"/{name}.schema.json")
    assert schema["title"] and schema["description"]
    assert schema_shape.faults(schema) == []


def described(schema: Any, path: str) -> Iterator[str]:
    """Places of keys that nobody explains."""
    if not isinstance(schema, dict):
        return
    for key, inner in schema.get("properties", {}).items():
        here = f"{path}.{key}"
        if isinstance(inner, dict) and not ({"title", "description", "$ref", "const"} & inner.keys()):
            yield here
        yield from described(inner, here)
    for key in ("items", "additionalProperties"):
        yield from described(schema.get(key), f"{path}.{key}")
    for key, inner in schema.get("$defs", {}).items():
        yield from described(inner, f"{path}#{key}")


@pytest.mark.parametrize("name", [name for name in schemas.NAMES if name != "hook-output"])
def test_every_key_is_explained(name: str) -> None:
    assert list(described(schemas.load(name), name)) == []


@pytest.mark.parametrize("name", schemas.NAMES)
def test_examples_are_valid(name: str) -> None:
    for example in schemas.load(name).get("examples", ()):
        assert schemas.validate(name, example) == []
        library(name).validate(example)


def test_closed_sets_are_those_of_the_model() -> None:
    manifest = schemas.load("dispatch.manifest")["$defs"]
    assert tuple(manifest["event"]["enum"]) == EVENTS
    assert tuple(manifest["phase"]["enum"]) == PHASES
    assert tuple(schemas.load("hook-action")["properties"]["code"]["enum"]) == ("", *CODES)
    assert set(schemas.load("hook-action")["properties"]) == set(FIELDS)
    assert set(schemas.load("ctx")["properties"]["event"]["properties"]["kind"]["enum"]) == {"", *KINDS}
    local = schemas.load("hooks.local")["properties"]
    assert set(local) == {*schemas.load("dispatch.manifest")["properties"], "config"}


def recorded() -> list[tuple[str, Path]]:
    clients = ("claude-code", "codex", "vscode", "copilot-cli")
    found = [(client, path) for client in clients for path in sorted((TESTS / "recorded" / client).rglob("*.json"))]
    return [(client, path) for client, path in found if path.name != "_env.json"]


@pytest.mark.parametrize(("client", "path"), recorded(), ids=lambda value: getattr(value, "stem", value))
def test_recorded_payloads_are_hook_input(client: str, path: Path) -> None:
    payload = json.loads(path.read_text())
    assert schemas.validate("hook-input", payload) == []
    assert schemas.validate(f"hook-input#{client}", payload) == []


GOLDEN = [json.loads(line) for line in (TESTS / "contract" / "rows.jsonl").read_text().splitlines()]


def test_golden_answers_are_hook_output() -> None:
    assert len(GOLDEN) > 100
    for row in GOLDEN:
        assert schemas.validate(f"hook-output#{SPEAKS[row['client']]}.{row['event']}", row["out"]) == []
        assert schemas.validate("hook-output", row["out"]) == []


@pytest.mark.parametrize(
    ("form", "answer"),
    [
        ("claude-code.PreToolUse", {"decision": "allow"}),
        ("claude-code.PreToolUse", {"hookSpecificOutput": {"permissionDecision": "deny"}}),
        ("codex.PreToolUse", {"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "allow"}}),
        ("codex.PreToolUse", {"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "deny"}}),
        ("codex.PreToolUse", {"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "ask"}}),
        ("codex.PreToolUse", {"hookSpecificOutput": {"hookEventName": "PreToolUse", "updatedInput": {}}}),
        ("codex.Stop", {"decision": "block"}),
        ("codex.Stop", {"suppressOutput": True}),
        ("github.Stop", {"hookSpecificOutput": {"hookEventName": "SubagentStop"}}),
    ],
)
def test_answers_a_client_would_void_are_no_hook_output(form: str, answer: dict[str, Any]) -> None:
    assert schemas.validate(f"hook-output#{form}", answer)


# --- equal verdicts ------------------------------------------------------------------------------------------------

LEAVES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-2000, 2000),
    st.floats(allow_nan=False, allow_infinity=False, width=32),
    st.sampled_from(
        ["deny", "warn", "*", "w001", "w1", "", "session", "../x", "a/b", "PreToolUse", "0" * 32, "kind:read"]
    ),
    st.text(max_size=12).filter(lambda text: not text.endswith("\n")),  # Python's `$`, see schemas.pattern
)
KEYS = st.sampled_from(
    ["version", "enabled", "mode", "decision", "reason", "x", "core", "rules", "session", "items", "a b"]
)
VALUES = st.recursive(
    LEAVES, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3), max_leaves=8
)

SEEDS: dict[str, list[Any]] = {
    "ctx": [
        {
            "ids": {"sessionId": "a3f0c812", "workId": "w001", "agentId": "u00", "turnId": 1, "hookRunId": "Stop-1-1"},
            "event": {"name": "Stop"},
            "paths": {"repoRoot": "/r", "hooksRoot": "/r/h", "workRoot": "/r/w", "sessionRoot": "/r/s"},
            "state": {},
            "config": {},
            "feature": {"root": "/f", "logs": "/f/l", "output": "/f/o"},
            "cap": {"neo4j": {"enabled": False, "reachable": False}},
            "timers": {"startMs": 1, "budgetMs": 2},
        }
    ],
    "hook-output": [row["out"] for row in GOLDEN[::7]],
    "hook-action": [{"statePatch": {"plan": {"hash": None, "n": {"a": 1}}}, "emitEvents": [{"kind": "NOTE"}]}],
}


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every (container, key) in a document."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in items:
        yield value, key
        yield from places(inner)


@st.composite
def documents(draw: st.DrawFn, name: str) -> Any:
    """A good document with up to three things changed, taken out or put in."""
    value = copy.deepcopy(draw(st.sampled_from([*schemas.load(name).get("examples", []), *SEEDS.get(name, [])])))
    for _ in range(draw(st.integers(0, 3))):
        spots = list(places(value))
        change = draw(st.sampled_from(["change", "drop", "add", "whole"]))
        if change == "whole":
            value = draw(VALUES)
        elif change == "add" and isinstance(value, dict):
            inner = [one[key] for one, key in spots if isinstance(one[key], dict)]
            draw(st.sampled_from([value, *inner]))[draw(KEYS)] = draw(VALUES)
        elif spots:
            holder, key = draw(st.sampled_from(spots))
            if change == "drop":
                del holder[key]
            else:
                holder[key] = draw(VALUES)
    return value


@pytest.mark.parametrize("name", schemas.NAMES)
def test_verdicts_equal_those_of_the_library(name: str) -> None:
    validator = library(name)
    seen = {True: 0, False: 0}

    @settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck), database=None)
    @given(documents(name))
    def holds(value: Any) -> None:
        expected = validator.is_valid(value)
        seen[expected] += 1
        assert (schemas.validate(name, value) == []) is expected

    holds()
    assert all(seen.values()), "both verdicts must have been tried"


# --- messages ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        (
            "dispatch.manifest",
            {"modules": {"session": {"enabeld": True}}},
            "m.json · modules.session.enabeld: expected a known key (critical, enabled, hotPathSafe, mayApprove, mode, "
            'path, priority, runner), got "enabeld" · write: "enabled"',
        ),
        (
            "dispatch.manifest",
            {"budgets": {"PreToolUse": "300ms"}},
            'm.json · budgets.PreToolUse: expected a whole number, got "300ms" · write: "PreToolUse": 300',
        ),
        (
            "dispatch.manifest",
            {"mode": "observ"},
            'm.json · mode: expected one of "enforce", "warn", "observe", got "observ" · write: "mode": "observe"',
        ),
        (
            "dispatch.manifest",
            {"modules": {"session": {"critical": "no"}}},
            'm.json · modules.session.critical: expected a boolean, got "no" · write: "critical": false',
        ),
        (
            "config",
            {"neo4j": {"password": "hunter2"}},
            "m.json · neo4j.password: expected nothing here, got a value · "
            "write: take it out, and set NEO4J_PASSWORD in the environment",
        ),
        ("rlm-policy", {}, 'm.json · version: expected 1, got nothing · write: "version": 1'),
        (
            "workspace",
            [],
            "m.json · expected an object, got [] · write: " + '{"version":2,"hooks":{"policyFile":"rlm-policy.json"}}',
        ),
    ],
)
def test_a_message_says_where_what_and_what_to_write(name: str, value: Any, said: str) -> None:
    assert [str(fault) for fault in schemas.validate(name, value, "m.json")] == [said]


def test_a_name_may_not_end_in_a_newline() -> None:
    """Python's `$` would let it pass, and it would become part of a path."""
    assert schemas.validate("dispatch.manifest", {"modules": {"session\n": {}}})
    assert schemas.validate("config", {"stop-synth": {"adrDir": "adr\n"}}) == []  # a strange name, yet one segment


def test_nearest_is_named() -> None:
    fault = schemas.validate("dispatch.manifest", {"enforcephases": True})[0]
    assert (fault.path, fault.nearest) == ("enforcephases", "enforcePhases")
    assert isinstance(fault, Fault)
