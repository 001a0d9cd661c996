"""The way of a call: its id, pre hooks in order, the tool, every post hook; what pre hooks may return."""

from __future__ import annotations

import json
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any, NamedTuple

import pytest

from inprocess.host import Host, run
from jackline import HookEngine, sdk
from jackline.inprocess import Invocation, Outcome


@dataclass
class Word:
    """A decision of the host's own making."""

    allow: bool
    reason: str = ""


class Bare(NamedTuple):
    allow: bool


def test_the_package_offers_the_engine() -> None:
    import jackline

    assert jackline.HookEngine is HookEngine
    with pytest.raises(AttributeError, match="no attribute 'Nothing'"):
        jackline.Nothing  # noqa: B018


def test_hooks_run_in_the_order_of_their_registration(host: Host) -> None:
    order: list[str] = []

    def sync(name: str) -> Callable[[Invocation], None]:
        return lambda one: order.append(name)

    def slow(name: str) -> Callable[[Invocation], Any]:
        async def hook(one: Invocation) -> None:
            order.append(name)

        return hook

    for name in ("b", "a"):
        host.engine.register_pre_hook(name, sync(f"pre {name}"))
        host.engine.register_post_hook(name, slow(f"post {name}"))
    host.engine.register_pre_hook("c", slow("pre c"))

    async def execute(payload: dict[str, Any]) -> str:
        order.append("tool")
        return "done"

    outcome = run(lambda: host.call(execute=execute))
    assert order == ["pre b", "pre a", "pre c", "tool", "post b", "post a"]
    assert (outcome.status, outcome.result, outcome.error) == ("executed", "done", None)


def test_every_line_of_every_phase_has_the_calls_own_id(host: Host) -> None:
    seen: list[str] = []
    host.engine.register_pre_hook("one", lambda one: seen.append(one.invocation_id))
    host.engine.register_post_hook("two", lambda one: seen.append(one.invocation_id))
    first = run(host.call)
    second = run(host.call)
    assert first.invocation_id != second.invocation_id
    assert uuid.UUID(first.invocation_id).version == 4
    assert seen == [first.invocation_id] * 2 + [second.invocation_id] * 2
    for one in (first, second):
        assert host.phases(one.invocation_id) == ["begin", "pre", "execute", "post", "end"]


def test_the_log_is_lines_of_json_where_the_host_has_none(root: Any, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO", "jackline.runtime")
    engine = HookEngine(root)
    outcome = run(lambda: engine.execute_tool("read_file", {"path": "a"}, execute=lambda payload: 1))
    lines = [json.loads(record.getMessage()) for record in caplog.records if record.name == "jackline.runtime"]
    assert [line["phase"] for line in lines] == ["begin", "execute", "end"]
    assert {line["invocation_id"] for line in lines} == {outcome.invocation_id}


PASSES: list[tuple[str, Any]] = [
    ("nothing", None),
    ("true", True),
    ("mapping", {"allow": True}),
    ("mapping-with-reason", {"allow": True, "reason": "fine"}),
    ("dataclass", Word(True)),
    ("named-tuple", Bare(True)),
    ("object", SimpleNamespace(allow=True)),
    ("sdk-allow", sdk.allow()),
    ("sdk-note", sdk.note("seen", "yes")),
    ("disk", {"decision": "allow"}),
]
BLOCKS: list[tuple[str, Any, str, str]] = [
    ("false", False, "POLICY_DENIED", "the call was refused — refused by hook"),
    ("mapping", {"allow": False}, "POLICY_DENIED", "the call was refused — refused by hook"),
    ("mapping-with-reason", {"allow": False, "reason": "no"}, "POLICY_DENIED", "no — refused by hook"),
    ("mapping-with-code", {"allow": False, "reason": "no", "code": "PLAN_REQUIRED"}, "PLAN_REQUIRED", "no"),
    ("dataclass", Word(False, "not today"), "POLICY_DENIED", "not today — refused by hook"),
    ("named-tuple", Bare(False), "POLICY_DENIED", "the call was refused — refused by hook"),
    ("sdk-deny", sdk.deny("no", rule="r", safer="s", code="SCOPE_VIOLATION"), "SCOPE_VIOLATION", "no\nr\ns"),
    ("sdk-block", sdk.block("no"), "POLICY_DENIED", "no — refused by hook"),
    ("disk", {"decision": "deny", "reason": "no"}, "POLICY_DENIED", "no — refused by hook"),
]
FAULTS: list[tuple[str, Any]] = [
    ("text", "allow"),
    ("number", 1),
    ("truthy-word", {"allow": "false"}),
    ("truthy-object", SimpleNamespace(allow=1)),
    ("unknown-field", {"allow": True, "raison": "x"}),
    ("empty-list", []),
    ("unknown-decision", {"decision": "maybe"}),
]


@pytest.mark.parametrize("returned", [one[1] for one in PASSES], ids=[one[0] for one in PASSES])
def test_what_lets_a_call_pass(host: Host, returned: Any) -> None:
    host.engine.register_pre_hook("hook", lambda one: returned)
    assert run(host.call).status == "executed"
    assert host.executed == [{"path": "a.txt", "content": "x"}]


@pytest.mark.parametrize(("returned", "code", "message"), [one[1:] for one in BLOCKS], ids=[one[0] for one in BLOCKS])
def test_what_blocks_a_call(host: Host, returned: Any, code: str, message: str) -> None:
    host.engine.register_pre_hook("hook", lambda one: returned)
    outcome = run(host.call)
    assert outcome.blocked and outcome.error is not None
    assert (outcome.error["code"], outcome.error["message"]) == (code, message)
    assert host.executed == []
    assert host.pushed == [outcome.result] == [json.dumps(outcome.error)]


@pytest.mark.parametrize("returned", [one[1] for one in FAULTS], ids=[one[0] for one in FAULTS])
def test_what_says_nothing_clearly_blocks(host: Host, returned: Any) -> None:
    """A word that only looks like a yes is none."""
    host.engine.register_pre_hook("hook", lambda one: returned)
    outcome = run(host.call)
    assert outcome.error is not None and outcome.error["code"] == "HOOK_INTERNAL_ERROR"
    assert host.executed == []


def test_the_first_refusal_ends_the_pre_hooks(host: Host) -> None:
    later: list[Invocation] = []
    host.engine.register_pre_hook("no", lambda one: False)
    host.engine.register_pre_hook("later", later.append)
    assert run(host.call).blocked
    assert later == []


def test_the_refusal_is_the_documents_to_the_letter(host: Host) -> None:
    host.engine.register_pre_hook("no", lambda one: {"allow": False, "reason": "Not now.", "code": "HITL_REJECT"})
    payload = {"path": "src/auth/middleware.ts", "content": "x"}
    outcome = run(lambda: host.call(payload=payload, session={"active_intent": "INT-001"}))
    told = json.loads(host.pushed[0])
    assert told.pop("meta") == {
        "invocation_id": outcome.invocation_id,
        "intent_id": "INT-001",
        "tool_name": "write_to_file",
        "normalized_tool_name": "write_to_file",
        "risk": "DESTRUCTIVE",
        "mutation_class": "INTENT_EVOLUTION",
        "affected_files": ["src/auth/middleware.ts"],
    }
    assert told == {"type": "tool_error", "code": "HITL_REJECT", "message": "Not now."}


def test_a_name_stands_for_one_hook(host: Host) -> None:
    host.engine.register_default_hooks()
    with pytest.raises(ValueError, match="'logHook' already"):
        host.engine.register_default_hooks()


def test_hooks_that_come_later_concern_later_calls(host: Host) -> None:
    """A call meets the hooks there were when it came."""

    def register(one: Invocation) -> None:
        host.engine.register_post_hook("late", seen.append)

    seen: list[Invocation] = []
    host.engine.register_pre_hook("registers", register)
    assert run(host.call).status == "executed"
    assert seen == []


def test_a_hundred_calls_at_once(host: Host) -> None:
    """Each keeps its own order, payload and result."""
    import asyncio

    async def pause(one: Invocation) -> None:
        await asyncio.sleep(0.001 * (int(one.payload["content"]) % 7))

    async def execute(payload: dict[str, Any]) -> str:
        await asyncio.sleep(0)
        return str(payload["content"])

    host.engine.register_pre_hook("first", pause)
    host.engine.register_pre_hook("second", pause)
    host.engine.register_post_hook("third", pause)

    async def all_of_them() -> list[Outcome[str]]:
        calls = [host.call(payload={"path": "a", "content": str(at)}, execute=execute) for at in range(100)]
        return list(await asyncio.gather(*calls))

    found = run(all_of_them)
    assert [one.result for one in found] == [str(at) for at in range(100)]
    assert len({one.invocation_id for one in found}) == 100
    for one in found:
        assert host.phases(one.invocation_id) == ["begin", "pre", "pre", "execute", "post", "end"]


def test_hooks_and_tools_have_copies(host: Host) -> None:
    """Nobody changes a call in place, neither after it was judged nor while it is."""
    given = {"path": "a.txt", "files": [{"path": "b.txt"}]}

    def meddle(one: Invocation) -> None:
        one.payload["path"] = "c.txt"
        one.payload["files"][0]["path"] = "c.txt"
        given["path"] = "d.txt"

    host.engine.register_pre_hook("meddles", meddle)
    run(lambda: host.call(payload=given))
    assert host.executed == [{"path": "a.txt", "files": [{"path": "b.txt"}]}]
