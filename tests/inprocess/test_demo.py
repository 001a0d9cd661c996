"""The document's demo hooks, and its walk-throughs: no intent, a person's word, scope, a stale file."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from inprocess.host import Host, run
from jackline.inprocess import user_store

INTENTS = """\
active_intents:
  - id: "INT-001"
    name: "Auth"
    status: "IN_PROGRESS"
    owned_scope:
      - "src/auth/**"
      - "!src/auth/generated/**"
  - id: "INT-002"
    name: "Done"
    status: "COMPLETED"
    owned_scope: ["**"]
"""
SAFE = ["read_file", "stat", "list", "list_files", "search_files"]
DESTRUCTIVE = [
    *("write_file", "write_to_file", "delete", "exec_bash", "execute_command", "apply_diff", "search_and_replace"),
    *("use_mcp_tool", "mcp_tool_use", "a_tool_nobody_knows"),
]


@pytest.fixture
def demo(host: Host) -> Host:
    host.engine.register_default_hooks()
    return host


@pytest.mark.parametrize("tool", SAFE)
def test_reading_needs_neither_intent_nor_person(demo: Host, tool: str) -> None:
    assert run(lambda: demo.call(tool)).status == "executed"


@pytest.mark.parametrize("tool", DESTRUCTIVE)
def test_nothing_changes_without_an_intent(demo: Host, tool: str) -> None:
    demo.answer = True
    outcome = run(lambda: demo.call(tool))
    assert outcome.error is not None and outcome.error["code"] == "NO_ACTIVE_INTENT"
    assert (demo.executed, demo.asked) == ([], [])


SESSIONS = [{"active_intent": "INT-001"}, {"activeIntentId": "INT-001"}, {"active_intent": {"id": "INT-001"}}]


@pytest.mark.parametrize("session", SESSIONS)
def test_with_one_a_person_is_asked(demo: Host, root: Path, session: dict[str, Any]) -> None:
    (root / "a.txt").write_text("".join(f"line {at}\n" for at in range(40)))
    demo.answer = False
    payload = {"path": "a.txt", "content": "nothing\n"}
    outcome = run(lambda: demo.call(payload=payload, session=session))
    assert outcome.error is not None and outcome.error["code"] == "HITL_REJECT"
    assert outcome.error["message"] == "Destructive operation rejected by user via HITL pre-hook."
    assert outcome.error["meta"]["intent_id"] == "INT-001"
    question = json.loads(demo.asked[0])
    assert {key: question[key] for key in ("tool", "intent_id", "affected_files", "risk")} == {
        "tool": "write_to_file", "intent_id": "INT-001", "affected_files": ["a.txt"], "risk": "DESTRUCTIVE",
    }  # fmt: skip
    assert len(question["diff_preview"]) == 20
    assert question["mutation_class"] in ("AST_REFACTOR", "INTENT_EVOLUTION", "UNKNOWN")
    demo.answer = True
    assert run(lambda: demo.call(payload=payload, session=session)).status == "executed"


def test_the_log_hook_tells_the_payload_without_its_secrets(demo: Host) -> None:
    token = "ghp_" + "a1B2c3D4e5F6g7H8i9J0" * 2
    outcome = run(lambda: demo.call("read_file", payload={"path": "a", "note": token, "long": "x" * 9000}))
    (line,) = [line for line in demo.log if "payload" in line]
    assert line["invocation_id"] == outcome.invocation_id
    assert token not in line["payload"] and '"path": "a"' not in line.get("reason", "")
    assert len(line["payload"]) < 2100


# --- scope and lock ---


@pytest.fixture
def scoped(root: Path) -> Any:
    host = Host(root)
    (root / ".orchestration").mkdir()
    (root / ".orchestration/active_intents.yaml").write_text(INTENTS)
    (root / "src/auth").mkdir(parents=True)
    host.engine.use("intent-scope")
    yield host
    host.engine.close()


def test_the_hosts_session_says_what_is_in_scope(scoped: Host, root: Path) -> None:
    def write(path: str, intent: str = "INT-001") -> Any:
        payload = {"path": path, "content": "x"}
        return run(lambda: scoped.call(payload=payload, session={"id": "s", "active_intent": intent}))

    assert write("src/auth/middleware.ts").status == "executed"
    outcome = write("src/billing/pay.ts")
    assert outcome.error is not None and outcome.error["code"] == "SCOPE_VIOLATION"
    assert outcome.error["meta"]["affected_files"] == ["src/billing/pay.ts"]
    assert write("src/auth/../billing/pay.ts").blocked
    assert write("src/auth/generated/x.ts").blocked
    done = write("src/auth/middleware.ts", "INT-002")
    assert done.error is not None and done.error["code"] == "NO_ACTIVE_INTENT"
    assert write("src/auth/middleware.ts", "INT-404").blocked
    assert len(scoped.executed) == 1


def test_a_wider_scope_is_a_persons_word(scoped: Host) -> None:
    payload = {"path": "src/billing/pay.ts", "content": "x", "request_scope_expansion": ["src/billing/**"]}
    session = {"id": "s", "active_intent": "INT-001"}
    scoped.answer = False
    outcome = run(lambda: scoped.call(payload=payload, session=session))
    assert outcome.error is not None and outcome.error["code"] == "HITL_REJECT"
    assert "src/billing/**" in json.loads(scoped.asked[0])["reason"]
    scoped.answer = True
    assert run(lambda: scoped.call(payload=payload, session=session)).status == "executed"
    asked = len(scoped.asked)
    other = {"path": "src/billing/more.ts", "content": "x"}
    assert run(lambda: scoped.call(payload=other, session=session)).status == "executed"
    assert len(scoped.asked) == asked
    assert run(lambda: scoped.call(payload={"path": "lib/x.ts", "content": "x"}, session=session)).blocked


@pytest.fixture(params=["memory", "store"])
def locked(root: Path, request: pytest.FixtureRequest) -> Any:
    host = Host(root, store=user_store() if request.param == "store" else None)
    host.engine.use("stale-file")
    yield host
    host.engine.close()


def test_a_collision(locked: Host, root: Path) -> None:
    """Two agents, one file: who read it before the other's change does not overwrite it."""
    file = root / "shared.py"
    file.write_text("one = 1\n")

    def write(payload: dict[str, Any]) -> str:
        Path(root, payload["path"]).write_text(payload["content"])
        return "written"

    async def reads(who: str) -> Any:
        return await locked.call("read_file", payload={"path": "shared.py"}, session={"id": who})

    async def writes(who: str, text: str) -> Any:
        payload = {"path": "shared.py", "content": text}
        return await locked.call(payload=payload, session={"id": who}, execute=write)

    run(lambda: reads("a"))
    run(lambda: reads("b"))
    assert run(lambda: writes("a", "one = 2\n")).status == "executed"
    outcome = run(lambda: writes("b", "one = 3\n"))
    assert outcome.error is not None and outcome.error["code"] == "STALE_FILE"
    assert file.read_text() == "one = 2\n"
    assert "+one = 2" in outcome.error["meta"]["diff_preview"]
    assert run(lambda: writes("a", "one = 4\n")).status == "executed", "its own write is no news to it"
    run(lambda: reads("b"))
    assert run(lambda: writes("b", "one = 5\n")).status == "executed"


def test_a_hash_that_the_agent_gives_counts(locked: Host, root: Path) -> None:
    (root / "a.txt").write_text("now\n")
    given = hashlib.sha256(b"then\n").hexdigest()
    payload = {"path": "a.txt", "content": "x", "observed_content_hash": given}
    outcome = run(lambda: locked.call(payload=payload))
    assert outcome.error is not None and outcome.error["code"] == "STALE_FILE"
