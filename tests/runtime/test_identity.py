"""Which session, turn, agent and root an event belongs to (contract section 5, design section 3)."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from jackline.store.ids import digest
from scene import Said, Scene, git


def test_a_session_id_is_eight_hex_of_the_clients(scene: Scene) -> None:
    scene.begin()
    assert scene.place.name == digest(f"claude-code {scene.session}", 64)[:8]
    assert scene.state()["core"]["sessionId"] == scene.place.name


def test_two_keys_that_clash_get_two_folders(scene: Scene) -> None:
    """The folder is claimed by a file that holds the full key; the next eight hex on a clash."""
    hexes = digest(f"claude-code {scene.session}", 64)
    taken = scene.root / ".ai" / "tmp" / hexes[:8]
    taken.mkdir(parents=True)
    (taken / "key").write_text("claude-code somebody else")
    scene.begin()
    assert {folder.name for folder in scene.sessions()} == {hexes[:8], hexes[8:16]}
    assert (scene.root / ".ai" / "tmp" / hexes[8:16] / "events.jsonl").exists()


def test_a_resumed_session_goes_on(scene: Scene) -> None:
    """Resume and compaction keep the client's id: nothing is reset (a fault of earlier implementations)."""
    scene.begin()
    scene.prompt("one")
    scene.prompt("two")
    before = scene.state()
    for source in ("resume", "compact", "startup"):
        scene.say(scene.payload("SessionStart", source=source))
    assert len(scene.sessions()) == 1
    assert scene.state()["core"]["lastTurnId"] == 2
    assert scene.state()["core"]["phase"] == before["core"]["phase"] == "PLANNING"
    assert scene.state()["core"]["createdTs"] == before["core"]["createdTs"]
    assert len(scene.rows("SESSION_INIT")) == 1
    assert [row["data"]["source"] for row in scene.rows("SESSION_RESUME")] == ["resume", "compact", "startup"]


def test_after_clear_a_new_session_follows_the_old_one(scene: Scene) -> None:
    """`/clear` gives a new id in the same process, after SessionEnd `clear`."""
    scene.begin()
    old = scene.place.name
    scene.say(scene.payload("SessionEnd", reason="clear"))
    scene.begin(session_id="after-clear")
    scene.begin(session_id="not-cleared")
    first = scene.rows("HOOK_EVENT", folder=scene.place_of("after-clear"))[0]
    assert first["data"]["follows"] == old
    assert "follows" not in scene.rows("HOOK_EVENT", folder=scene.place_of("not-cleared"))[0]["data"]
    assert scene.state(scene.place_of("after-clear"))["core"]["lastTurnId"] == 0


@pytest.mark.parametrize(
    ("dialect", "line"),
    [
        ("claude-code", '{"type":"user","sessionId":"fork","requestSessionId":"PARENT","x":1}'),
        ("codex", '{"type":"session_meta","payload":{"id":"fork","forked_from_id": "PARENT"}}'),
    ],
)
def test_a_fork_follows_its_parent_by_its_transcript(scene: Scene, dialect: str, line: str) -> None:
    transcript = scene.folder / "fork.jsonl"
    transcript.write_text('{"type":"summary"}\n' + line.replace("PARENT", scene.session) + "\n")
    extra = {"turn_id": "t"} if dialect == "codex" else {}
    for fields in ({}, {"session_id": "fork", "transcript_path": str(transcript)}):
        payload = {**scene.payload("SessionStart", source="startup"), **extra, **fields}
        scene.say(payload, dialect=dialect)
    parent, fork = (scene.place_of(session, dialect) for session in (scene.session, "fork"))
    assert scene.rows("HOOK_EVENT", folder=fork)[0]["data"]["follows"] == parent.name


def test_one_process_serves_several_sessions(scene: Scene) -> None:
    scene.begin()
    scene.begin(session_id="other")
    scene.prompt("x", session_id="other")
    assert len(scene.sessions()) == 2
    assert scene.state(scene.place_of(scene.session))["core"]["lastTurnId"] == 0
    assert scene.state(scene.place_of("other"))["core"]["lastTurnId"] == 1


def test_without_an_id_the_transcript_names_the_session(scene: Scene) -> None:
    for number in (1, 2, 1):
        scene.say(scene.payload("Stop", session_id="", transcript_path=f"/t/{number}.jsonl"))
    assert len(scene.sessions()) == 2


def test_without_any_name_the_clients_process_does(scene: Scene) -> None:
    """The nearest ancestor that is no shell, with its start time: here this test's own process."""
    for _ in range(2):
        scene.say(scene.payload("Stop", session_id=""))
    assert len(scene.sessions()) == 1
    assert len(scene.log()) >= 2


# --- turns ---------------------------------------------------------------------------------------------------------


def turn(scene: Scene, folder: Path | None = None) -> int:
    found: int = scene.state(folder)["core"]["lastTurnId"]
    return found


def test_a_typed_prompt_raises_the_turn(scene: Scene) -> None:
    scene.begin()
    for number in (1, 2, 3):
        scene.prompt(f"prompt {number}")
        assert turn(scene) == number
    assert [row["turnId"] for row in scene.rows("TURN_INCREMENT")] == [1, 2, 3]
    scene.pre()
    assert scene.rows("TOOL_DECISION")[-1]["hookRunId"].startswith("PreToolUse-3-")


NOT_TYPED: list[tuple[str, dict[str, Any]]] = [
    ("claude-code", {"prompt": "<task-notification>\n<task-id>x</task-id></task-notification>"}),
    ("claude-code", {"prompt": "x", "source": "system"}),
    ("claude-code", {"prompt": "x", "agent_id": "agent-1"}),
    ("codex", {"prompt": "x", "agent_id": "agent-1", "turn_id": "t"}),
    ("claude-code", {"prompt": ""}),
    ("claude-code", {"prompt": " \n"}),
]


@pytest.mark.parametrize(("dialect", "fields"), NOT_TYPED)
def test_what_nobody_typed_does_not(scene: Scene, dialect: str, fields: dict[str, Any]) -> None:
    extra = {"turn_id": "t"} if dialect == "codex" else {}
    scene.say({**scene.payload("UserPromptSubmit", prompt="really"), **extra}, dialect=dialect)
    scene.say({**scene.payload("UserPromptSubmit"), **extra, **fields}, dialect=dialect)
    assert turn(scene) == 1
    assert [row["data"]["typed"] for row in scene.rows("PROMPT_AUDIT")][1:] == [False]


def test_recorded_prompts_that_nobody_typed(scene: Scene) -> None:
    """As the real clients sent them: a task notification, a Codex sub-agent's prompt."""
    scene.say(scene.recorded("claude-code/UserPromptSubmit.json"))
    scene.say(scene.recorded("claude-code/UserPromptSubmit-tasknotification.json"))
    scene.say(scene.recorded("codex/UserPromptSubmit.json"), dialect="codex")
    scene.say(scene.recorded("codex/UserPromptSubmit-subagent.json"), dialect="codex")
    told: dict[str, list[int]] = {}
    for folder in scene.sessions():
        client = scene.rows("SESSION_INIT", folder=folder)[0]["data"]["client"]
        told.setdefault(client, []).append(turn(scene, folder))
    assert all(max(turns) == 1 for turns in told.values()), told


def test_our_own_reason_coming_back_is_no_prompt(scene: Scene) -> None:
    """Some clients send a Stop hook's reason as the next prompt."""
    scene.feature("keep-on", "return block('the tests fail: mend them')", supports=["Stop"])
    scene.trust()
    scene.prompt("do it")
    assert scene.say(scene.payload("Stop")).body["decision"] == "block"
    scene.prompt("the tests fail: mend them")
    assert turn(scene) == 1
    scene.prompt("the tests fail: mend them, I say")
    assert turn(scene) == 2


# --- agents ---------------------------------------------------------------------------------------------------------


def test_agents_have_short_names_in_their_order(scene: Scene) -> None:
    scene.pre()
    for agent in ("agent-x", "agent-y", "agent-x", "../../z"):
        scene.pre(agent_id=agent)
    assert [row["agentId"] for row in scene.rows("TOOL_DECISION")] == ["u00", "a01", "a02", "a01", "a03"]


def test_a_hundred_agents_grow_past_two_digits(scene: Scene) -> None:
    scene.pre(agent_id="first")
    for number in range(2, 100):
        (scene.place / "agents" / f"a{number:02d}").write_text(f"old-{number}")
    scene.pre(agent_id="the-hundredth")
    assert scene.rows("TOOL_DECISION")[-1]["agentId"] == "a100"


def test_a_claude_sub_agent_stays_in_its_parents_session(scene: Scene) -> None:
    for name in ("PreToolUse-Bash", "SubagentStart", "PreToolUse-Bash-subagent", "SubagentStop"):
        scene.say(scene.recorded(f"claude-code/{name}.json", session_id=scene.session))
    assert len(scene.sessions()) == 1
    assert [row["agentId"] for row in scene.rows("TOOL_DECISION")] == ["u00", "a01"]


def copilot(scene: Scene, name: str, **fields: Any) -> Said:
    payload = scene.recorded(f"copilot-cli/camel/{name}.json", **fields)
    return scene.say(payload, event=name.split(".")[0], dialect="github")


def test_a_copilot_sub_agents_own_session_is_joined_to_its_parents(scene: Scene) -> None:
    """Copilot gives a sub-agent a session id of its own: the agent id of SubagentStart."""
    for name in ("sessionStart", "userPromptSubmitted", "preToolUse.task", "subagentStart.subagent"):
        copilot(scene, name)
    child = scene.recorded("copilot-cli/camel/userPromptSubmitted.subagent.json")["sessionId"]
    copilot(scene, "userPromptSubmitted.subagent")
    copilot(scene, "preToolUse.bash", sessionId=child)
    copilot(scene, "agentStop.subagent")
    assert len(scene.sessions()) == 1
    calls = scene.rows("TOOL_DECISION")
    assert [(row["toolName"], row["agentId"]) for row in calls] == [("task", "u00"), ("bash", "a01")]
    assert turn(scene) == 1


def test_a_hermes_sub_agents_own_session_is_joined_to_its_parents(scene: Scene) -> None:
    """Hermes names the child's session when the sub-agent starts; later calls bear that session and a mark."""
    for name in (
        *("on_session_start", "pre_llm_call", "pre_tool_call.delegate_task", "subagent_start"),
        *("pre_tool_call.terminal.subagent", "subagent_stop", "pre_tool_call.terminal"),
    ):
        scene.say(scene.recorded(f"hermes-agent/{name}.json"), event=name.split(".")[0], dialect="hermes")
    assert len(scene.sessions()) == 1
    calls = [(row["toolName"], row["agentId"]) for row in scene.rows("TOOL_DECISION")]
    assert calls == [("delegate_task", "u00"), ("terminal", "a01"), ("terminal", "u00")]


# --- roots ---------------------------------------------------------------------------------------------------------


def guarded(scene: Scene) -> None:
    scene.feature("guard", "return deny('not this one') if 'forbidden' in event.command else None", critical=True)
    scene.trust()
    scene.begin()


def test_cd_and_git_init_move_nothing(scene: Scene) -> None:
    """The root is pinned at the first event; the agent's own steps do not shake the guards off."""
    guarded(scene)
    below = scene.root / "src" / "deep"
    below.mkdir(parents=True)
    beside = scene.folder / "beside"
    beside.mkdir()
    git(below, "init", "-q")
    git(beside, "init", "-q")
    shutil.rmtree(scene.root / ".git")
    for cwd in (below, beside, Path("/"), scene.root):
        assert scene.pre("forbidden", cwd=str(cwd)).decision == "deny", cwd
        assert scene.pre("echo hi", cwd=str(cwd)).decision == "", cwd
    assert len(scene.sessions()) == 1
    assert not (beside / ".ai").exists()


def test_the_git_root_of_the_first_events_folder_is_the_root(scene: Scene) -> None:
    below = scene.root / "src"
    below.mkdir()
    scene.begin(cwd=str(below))
    assert scene.place.is_relative_to(scene.root / ".ai" / "tmp")
    assert scene.rows("SESSION_INIT")[0]["data"]["root"] == str(scene.root)


def test_the_clients_own_project_variable_comes_first(scene: Scene) -> None:
    beside = scene.folder / "beside"
    (beside / ".ai").mkdir(parents=True)
    scene.say(scene.payload("SessionStart"), env={"CLAUDE_PROJECT_DIR": str(beside)})
    assert scene.place.is_relative_to(beside)
    scene.say(scene.payload("SessionStart", session_id="foreign"), env={"GEMINI_PROJECT_DIR": str(beside)})
    assert scene.place_of("foreign").is_relative_to(scene.root)


def test_another_repositorys_rules_are_added_and_none_are_removed(scene: Scene) -> None:
    guarded(scene)
    other = scene.folder / "other"
    (other / ".ai").mkdir(parents=True)
    git(other, "init", "-q")
    scene.feature(
        "house-rule", "return deny('not in this house')" + " if 'loud' in event.command else None", root=other
    )
    assert scene.pre("loud", cwd=str(other)).decision == "", "nobody trusts that one yet"
    scene.trust(other)
    assert scene.pre("loud", cwd=str(other)).decision == "deny"
    assert scene.pre("forbidden", cwd=str(other)).decision == "deny"
    assert scene.pre("loud").decision == ""
    assert len(scene.sessions()) == 1, "the session stays where it began"


def test_rules_of_one_name_are_two_in_two_repositories(scene: Scene) -> None:
    other = scene.folder / "other"
    (other / ".ai").mkdir(parents=True)
    git(other, "init", "-q")
    scene.feature("house-rule", "return note('here', 'yes')")
    scene.feature("house-rule", "return note('there', 'yes')", root=other)
    for root in (scene.root, other):
        scene.trust(root)
    scene.begin()
    assert scene.pre(cwd=str(other)).body["hookSpecificOutput"]["additionalContext"] == "here: yes\nthere: yes"
    actions = scene.rows("TOOL_DECISION")[0]["data"]["actions"]
    assert [one["feature"] for one in actions].count("session") == 1


def test_a_worktree_has_its_own_rules(scene: Scene) -> None:
    """Hooks of one branch never run in another's folder: slots go by worktree."""
    (scene.root / "file").write_text("x")
    git(scene.root, "add", "file")
    git(scene.root, "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "one")
    tree = scene.folder / "tree"
    git(scene.root, "worktree", "add", "-q", str(tree))
    guarded(scene)
    (tree / ".ai").mkdir(exist_ok=True)
    said = scene.pre("forbidden", session_id="there", cwd=str(tree))
    assert said.decision == ""
    assert scene.place_of("there").is_relative_to(tree)
    assert len(list((scene.store / "wirings").glob("*.bin"))) == 2


# --- records ---------------------------------------------------------------------------------------------------------


def test_nothing_in_the_log_identifies_by_path_or_pid(scene: Scene) -> None:
    """Logs of several machines can be merged: every record has a 128-bit id in time's order, `repo` and `host`."""
    scene.begin()
    scene.prompt()
    scene.pre()
    records = scene.log()
    ids = [one["id"] for one in records]
    assert ids == sorted(ids)
    assert {len(one) for one in ids} == {32}
    assert len({(one["repo"], one["host"]) for one in records}) == 1
    assert "pid" not in json.dumps(records)
    assert (scene.store / "host").read_text() == records[0]["host"]
