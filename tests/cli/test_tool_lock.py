"""After a compaction the tools are locked until the agent looked at its pack again; the gate judges it."""

from __future__ import annotations

from typing import Any

import pytest

from jackline.store import tasks
from scene import git

from .conftest import Desk

NAMES = ("work-init", "plan-graph", "tool-gate", "pre-compact")
STRICT = {name: {"enabled": True, "mode": "enforce"} for name in NAMES}
PACK = "pack check"


def task(desk: Desk) -> dict[str, Any]:
    return tasks.read(str(desk.store), desk.place.name, "w001")


def context(said: Any) -> str:
    return str(said.body.get("hookSpecificOutput", {}).get("additionalContext", ""))


def resumed(desk: Desk) -> Any:
    """The client begins again with a cut context."""
    return desk.say(desk.payload("SessionStart", source="compact"))


def cut(desk: Desk) -> None:
    desk.say(desk.payload("PreCompact", trigger="auto"))


@pytest.fixture
def shop(desk: Desk) -> Desk:
    """A task with a pack and a plan, whose node is under way."""
    for name in ("src/tokens.py", "src/billing.py"):
        (desk.root / name).parent.mkdir(parents=True, exist_ok=True)
        (desk.root / name).write_text(f'"""{name}: refresh tokens."""\n')
    git(desk.root, "add", "-A")
    git(desk.root, "-c", "user.name=n", "-c", "user.email=n@example.org", "commit", "-qm", "tokens")
    desk.manifest({"version": 1, "modules": STRICT})
    desk.begin()
    desk.prompt("rotate the refresh tokens")
    desk.jackline("pack", "make", "rotate the refresh tokens")
    desk.jackline("plan", "quick", "rotate", "--files", "src/**")
    assert desk.pre("touch src/new.py").decision == ""
    assert task(desk)["leases"]
    return desk


def test_nothing_is_changed_until_the_pack_was_looked_at(shop: Desk) -> None:
    cut(shop)
    assert task(shop)["leases"] == {}
    said = shop.pre("touch src/new.py")
    assert said.decision == "deny" and '"code":"PHASE_DENIED"' in said.reason
    assert said.reason.count("jackline") == 1 and "now: jackline pack check" in said.reason
    edit = {"file_path": str(shop.root / "src/tokens.py"), "old_string": "a", "new_string": "b"}
    assert shop.say(shop.tool(tool_name="Edit", tool_input=edit)).decision == "deny", "no small change, either"
    for command in ("cat src/tokens.py", "jackline plan show", "jackline pack check", "pytest -q"):
        assert shop.pre(command).decision == "", command
    assert "the tools are unlocked" in shop.jackline("pack", "check").out
    assert shop.pre("touch src/new.py").decision == ""
    assert shop.state()["tools"]["locked"] is False


def test_the_capsule_is_told_with_the_lock_and_once(shop: Desk) -> None:
    cut(shop)
    said = context(resumed(shop))
    assert "resume: # w001 goes on in EXECUTING" in said
    assert said.endswith("The tools are locked: run `jackline pack check` before you change anything.\n")
    assert shop.state()["tools"]["locked"] is True
    assert context(shop.pre("ls")) == ""


def test_without_an_event_before_the_cut_the_next_start_locks(shop: Desk) -> None:
    resumed(shop)
    assert task(shop)["leases"] == {}
    assert shop.pre("touch src/new.py").decision == "deny"
    shop.jackline("pack", "check")
    assert shop.pre("touch src/new.py").decision == ""


@pytest.mark.parametrize("event", ["PostToolUse", "PostToolUseFailure"])
def test_a_command_that_may_not_write_the_store_is_seen_by_the_entry(shop: Desk, event: str) -> None:
    """A sandbox keeps the command out of the store, and it ends with 1 where files changed."""
    cut(shop)
    (shop.root / "src/tokens.py").write_text("changed\n")
    resumed(shop)
    shop.say(shop.tool("jackline pack check", event=event))
    assert "locked" not in task(shop)
    assert shop.pre("touch src/new.py").decision == ""


def test_what_only_looks_like_the_command_unlocks_nothing(shop: Desk) -> None:
    cut(shop)
    resumed(shop)
    for command in ("echo jackline pack check", "./jackline pack check", "jackline pack show"):
        shop.say(shop.tool(command, event="PostToolUse"))
    (shop.place / "state.json").unlink()
    assert shop.pre("touch src/new.py").decision == "deny"


def test_a_changed_pack_does_not_keep_them_locked_for_ever(shop: Desk) -> None:
    cut(shop)
    (shop.root / "src/tokens.py").write_text("changed\n")
    assert "the tools are unlocked" in shop.jackline("pack", "check", code=1).out
    assert shop.pre("touch src/new.py").decision == ""


def test_neither_does_one_that_is_gone(shop: Desk) -> None:
    cut(shop)
    (shop.place / "work/w001/pack/contextPack.json").unlink()
    assert "no pack" in shop.jackline("pack", "check", code=1).out
    assert shop.pre("touch src/new.py").decision == ""


def test_a_task_without_a_pack_is_not_locked(desk: Desk) -> None:
    desk.manifest({"version": 1, "modules": STRICT})
    desk.begin()
    desk.prompt("go")
    desk.jackline("plan", "quick", "rotate", "--files", "src/**")
    cut(desk)
    assert desk.pre("touch src/new.py").decision == ""


@pytest.mark.parametrize("changed", [False, True], ids=["fresh", "stale"])
def test_a_lenient_lock_opens_by_itself_where_the_pack_is_fresh(shop: Desk, changed: bool) -> None:
    shop.manifest({"version": 1, "modules": {**STRICT, "pre-compact": {"enabled": True, "mode": "warn"}}})
    cut(shop)
    if changed:
        (shop.root / "src/tokens.py").write_text("changed\n")
    assert shop.pre("touch src/new.py").decision == ("deny" if changed else "")
    assert shop.state()["tools"]["locked"] is changed
    shop.jackline("pack", "check", code=1 if changed else 0)
    assert shop.pre("touch src/new.py").decision == ""


def test_lenient_tells_of_the_lock_and_lets_pass(shop: Desk) -> None:
    shop.manifest({"version": 1, "modules": {name: {"enabled": True, "mode": "warn"} for name in NAMES}})
    cut(shop)
    (shop.root / "src/tokens.py").write_text("changed\n")
    said = shop.pre("touch src/new.py")
    assert said.decision == "" and "tool-gate would deny" in said.body["systemMessage"]


def test_the_next_task_is_not_locked(shop: Desk) -> None:
    cut(shop)
    for node in ("change", "check"):
        shop.jackline("plan", "node", "skip", node, "--reason", "x")
    shop.prompt("go on")
    shop.prompt("another thing")
    assert shop.state()["core"]["workId"] == "w002"
    shop.jackline("plan", "quick", "rotate", "--files", "src/**")
    assert shop.pre("touch src/new.py").decision == ""


def write(desk: Desk, path: str) -> Any:
    given = {"file_path": str(desk.root / path), "content": "x\n" * 30}
    return desk.say(desk.tool(tool_name="Write", tool_input=given))


def test_the_capsule_forbids_nothing_that_only_came_too_early(desk: Desk) -> None:
    desk.manifest({"version": 1, "modules": STRICT})
    desk.begin()
    desk.prompt("rotate the refresh tokens")
    assert write(desk, "src/new.py").decision == "deny"
    assert desk.pre("rm -rf /").decision == "deny"
    cut(desk)
    assert "Write: there is no plan yet, and it changes src/new.py" in context(resumed(desk)), "as long as it holds"
    desk.jackline("plan", "quick", "rotate", "--files", "src/**")
    desk.pre("ls")
    cut(desk)
    said = context(resumed(desk))
    refused = said.partition("## Refused")[2]
    assert "src/new.py" not in said and "- Bash: " in refused and refused.count("\n- ") == 1
    assert write(desk, "src/new.py").decision == ""


def test_the_capsule_says_what_blocked_the_task(desk: Desk) -> None:
    desk.manifest({"version": 1, "modules": STRICT})
    desk.begin()
    desk.prompt("rotate the refresh tokens")
    desk.jackline("plan", "quick", "rotate", "--files", "src/**")
    for _ in range(3):
        assert write(desk, "docs/new.md").decision == "deny"
    assert desk.state()["core"]["phase"] == "BLOCKED"
    write(desk, "src/other.py")
    cut(desk)
    said = context(resumed(desk))
    told = next(line for line in said.split("\n") if line.startswith("Next: "))
    assert "the same was refused three times (no node that is ready opens this: it changes docs/new.md" in told
    assert told.endswith("; tell the person and wait for their word") and "jackline" not in told
