"""A person's yes to `request_scope_expansion`: it widens what it says, for the session. A no widens nothing."""

from __future__ import annotations

from typing import Any

import pytest

from jackline.host import now
from jackline.intents import active
from jackline.intents.choose import select
from jackline.intents.scope_requests import wishes
from jackline.runtime.stages.prompt_commands import record
from jackline.store import approvals
from jackline.store.approvals import Word
from scene import Said, Scene

FILE = "active_intents:\n- id: INT-001\n  status: ACTIVE\n  owned_scope: [src/**]\n"
ASKABLE = {"CLAUDE_CODE_SESSION_ATTENDED": "1"}
ALONE = {"CLAUDE_CODE_SESSION_ATTENDED": "0", "CLAUDE_CODE_ENTRYPOINT": "sdk-cli"}
DOCS = {"globs": ["docs/**"], "reason": "its page"}


@pytest.fixture
def scoped(scene: Scene) -> Scene:
    """A session that works for an intent which owns `src`."""
    scene.manifest({"version": 1, "modules": {"intent-scope": {"enabled": True}}})
    (scene.root / ".orchestration").mkdir()
    (scene.root / ".orchestration/active_intents.yaml").write_text(FILE)
    scene.begin()
    select(str(scene.store), str(scene.root), scene.place.name, "INT-001", "agent", 1)
    return scene


def write(scene: Scene, path: str, env: dict[str, str], call: str = "t", **more: Any) -> Said:
    given = {"file_path": f"{scene.root}/{path}", "content": "x", **more}
    return scene.say(scene.tool(tool_name="Write", tool_input=given, tool_use_id=call), env=env)


def ran(scene: Scene, path: str, env: dict[str, str], call: str = "t", **more: Any) -> None:
    given = {"file_path": f"{scene.root}/{path}", "content": "x", **more}
    scene.say(scene.tool(event="PostToolUse", tool_name="Write", tool_input=given, tool_use_id=call), env=env)


def given(scene: Scene) -> tuple[str, ...]:
    found = active(str(scene.store), scene.place.name)
    assert found is not None
    return found.given


def test_the_dialogs_yes_widens_the_session(scoped: Scene) -> None:
    said = write(scoped, "docs/a.md", ASKABLE, request_scope_expansion=DOCS)
    assert said.decision == "ask"
    assert "a yes adds docs/** to the scope of INT-001 for this session" in said.reason
    assert given(scoped) == ()
    ran(scoped, "docs/a.md", ASKABLE, request_scope_expansion=DOCS)
    assert given(scoped) == ("docs/**",)
    assert wishes(str(scoped.store), str(scoped.root)) == []
    assert write(scoped, "docs/b.md", ASKABLE, "u").decision == ""
    assert write(scoped, "lib/b.md", ASKABLE, "v").decision == "deny"


def test_a_call_that_never_ran_widens_nothing(scoped: Scene) -> None:
    write(scoped, "docs/a.md", ASKABLE, request_scope_expansion=DOCS)
    assert write(scoped, "docs/b.md", ASKABLE, "u").decision == "deny"
    ran(scoped, "docs/a.md", ASKABLE, "another", request_scope_expansion=DOCS)
    assert given(scoped) == ()


def test_a_call_that_nobody_was_asked_about_widens_nothing(scoped: Scene) -> None:
    """The field rides on a call in scope: it runs, and asked for nothing."""
    assert write(scoped, "src/a.py", ASKABLE, request_scope_expansion=DOCS).decision == ""
    ran(scoped, "src/a.py", ASKABLE, request_scope_expansion=DOCS)
    assert given(scoped) == ()


def test_what_is_only_observed_widens_nothing(scoped: Scene) -> None:
    scoped.manifest({"version": 1, "modules": {"intent-scope": {"enabled": True, "mode": "observe"}}})
    assert write(scoped, "docs/a.md", ASKABLE, request_scope_expansion=DOCS).decision == ""
    ran(scoped, "docs/a.md", ASKABLE, request_scope_expansion=DOCS)
    assert given(scoped) == ()


def test_the_brokers_yes_widens_the_session_and_its_no_does_not(scoped: Scene) -> None:
    store = str(scoped.store)
    assert '"code":"HITL_PENDING"' in write(scoped, "docs/a.md", ALONE, request_scope_expansion="docs/**").reason
    (waiting,) = approvals.waiting(store, now() // 1_000_000)
    word = Word("approve", "person", now() // 1_000_000)
    assert approvals.say(store, waiting.id, word)
    record(store, waiting, word, now())
    assert write(scoped, "docs/a.md", ALONE, "u", request_scope_expansion="docs/**").decision == ""
    ran(scoped, "docs/a.md", ALONE, "u", request_scope_expansion="docs/**")
    assert given(scoped) == ("docs/**",)
    assert write(scoped, "docs/b.md", ALONE, "v").decision == ""
    write(scoped, "lib/a.md", ALONE, "w", request_scope_expansion="true")
    (waiting,) = approvals.waiting(store, now() // 1_000_000)
    word = Word("reject", "person", now() // 1_000_000)
    assert approvals.say(store, waiting.id, word)
    record(store, waiting, word, now())
    assert '"code":"HITL_REJECT"' in write(scoped, "lib/a.md", ALONE, "x", request_scope_expansion="true").reason
    assert given(scoped) == ("docs/**",)
