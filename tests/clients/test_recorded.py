"""Every payload that a real client sent is read as what it is."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from jackline.clients.names import is_typed
from jackline.clients.specs import SPEAKS, SPECS
from jackline.model import KINDS, Event

from .calls import CLIENTS, RECORDED, entry_of, parsed, recorded

LINES = [
    [cell.strip() for cell in line.split(" | ")]
    for line in (Path(__file__).parent / "expected.txt").read_text().splitlines()
    if line and not line.startswith("#")
]
EXPECTED = {cells[0]: ["" if cell == "-" else cell for cell in cells[1:]] for cells in LINES}
OURS = [path for client in CLIENTS for path in recorded(client)]


def key(path: Path) -> str:
    return str(path.relative_to(RECORDED)).replace("/raw/", "/").removesuffix(".json").removesuffix(".stdin")


def read(path: Path, door: str = "") -> Event:
    client = path.relative_to(RECORDED).parts[0]
    return parsed(door or SPEAKS[client], entry_of(path), path.read_bytes())


def test_the_table_names_every_payload_of_our_clients() -> None:
    assert {key(path) for path in OURS} == set(EXPECTED)


@pytest.mark.parametrize("path", OURS, ids=lambda path: str(path.relative_to(RECORDED)))
def test_payload_is_read_as_the_table_says(path: Path) -> None:
    event = read(path)
    name, *about = EXPECTED[key(path)]
    client = path.relative_to(RECORDED).parts[0]
    assert (event.name, event.client, event.fault) == (name, client, "")
    assert event.cwd in ("/workspace/project", "/workspace/project/sub", "/workspace")
    assert event.session
    if about:
        kind, tool, command, targets, query, outcome = about
        assert event.kind in KINDS
        assert (event.kind, event.tool, event.query, event.outcome) == (kind, tool, query, outcome)
        assert event.command == command.replace("\\n", "\n")
        assert event.targets == tuple(targets.split())
    else:
        assert (event.tool, event.kind, event.input, event.targets) == ("", "", {}, ())


@pytest.mark.parametrize("path", OURS, ids=lambda path: str(path.relative_to(RECORDED)))
def test_native_input_is_untouched(path: Path) -> None:
    event = read(path)
    payload = json.loads(path.read_bytes())
    assert event.payload == payload
    told = payload.get("tool_call") or payload.get("tool_result") or {}
    given = payload.get("tool_input", payload.get("toolArgs", payload.get("toolInput"))) or told.get("input", {})
    assert event.input == given


@pytest.mark.parametrize("client", [client for client in CLIENTS if SPECS[client].signs.shapes])
@pytest.mark.parametrize("door", ["claude-code", "codex", "github"])
def test_client_is_found_by_its_payload_at_any_door(client: str, door: str) -> None:
    """Claude's end of a session without a prompt looks like Codex's: there the transcript tells."""
    wrong = [path.name for path in recorded(client) if read(path, door).client != client]
    assert wrong == []


TYPED = {
    "claude-code/UserPromptSubmit.json": True,
    "claude-code/UserPromptSubmit-tasknotification.json": False,
    "claude-code/UserPromptExpansion.json": False,
    "codex/UserPromptSubmit.json": True,
    "codex/UserPromptSubmit-subagent.json": False,
    "copilot-cli/camel/userPromptSubmitted.json": True,
    "copilot-cli/camel/userPromptSubmitted.subagent.json": False,
    "copilot-cli/pascal/UserPromptSubmit.json": True,
    "copilot-cli/pascal/UserPromptSubmit.subagent.json": False,
    "vscode/UserPromptSubmit.json": True,
    "qwen-code/UserPromptSubmit.json": True,
    "opencode/UserPromptSubmit.json": True,
    "opencode/UserPromptSubmit.subagent.json": False,
    "pi/UserPromptSubmit.json": True,
    "qwen-code/UserPromptSubmit.empty-prompt-after-tools.json": False,
    "gemini-cli/BeforeAgent.json": True,
    "kimi-code/UserPromptSubmit.json": True,
    "hermes-agent/pre_llm_call.json": True,
}


@pytest.mark.parametrize(("file", "by_a_person"), TYPED.items(), ids=TYPED)
def test_typed_tells_a_persons_prompt_from_a_machines(file: str, by_a_person: bool) -> None:
    assert is_typed(read(RECORDED / file)) is by_a_person


def test_what_a_sub_agent_is_given_is_typed_by_nobody() -> None:
    """Where it has a session of its own its model would otherwise approve what it asked for."""
    payload = json.loads((RECORDED / "hermes-agent/pre_llm_call.json").read_text())
    payload["extra"]["task_id"] = "sa-0-76ebcc50"
    assert not is_typed(parsed("hermes", "UserPromptSubmit", payload))


AGENTS = {
    # file: session, agent id, agent type, parent session
    "claude-code/PreToolUse-Bash-subagent.json": ("944ec60c", "a1d033f6", "general-purpose", ""),
    "codex/PreToolUse-Bash-subagent.json": ("01a1ffd1", "01a1ffd1", "default", ""),
    "copilot-cli/camel/agentStop.subagent.json": ("90d5ea80", "90d5ea80", "explore", "defd6c90"),
    "copilot-cli/camel/userPromptSubmitted.subagent.json": ("90d5ea80", "90d5ea80", "explore", "defd6c90"),
    "copilot-cli/camel/subagentStart.subagent.json": ("defd6c90", "90d5ea80", "explore", ""),
    "copilot-cli/camel/subagentStop.subagent.json": ("defd6c90", "90d5ea80", "explore", ""),
    "copilot-cli/pascal/Stop.subagent.json": ("90d5ea80", "90d5ea80", "explore", "defd6c90"),
    "copilot-cli/pascal/SubagentStart.subagent.json": ("defd6c90", "90d5ea80", "explore", ""),
    "copilot-cli/pascal/SubagentStop.subagent.json": ("defd6c90", "90d5ea80", "explore", ""),
    "vscode/SubagentStart.json": ("0f6a1c9e", "toolcall", "Plan", ""),
    "opencode/PreToolUse.bash.subagent.json": ("ses_de1a", "ses_de1a", "general", ""),
    "kilo/SubagentStop.json": ("ses_de19", "ses_de19", "general", ""),
    "claude-code/PreToolUse-Bash.json": ("944ec60c", "", "", ""),
    "cline/PreToolUse.editor.json": ("17952942", "", "", ""),
    "hermes-agent/subagent_start.json": ("20261122", "sa-0-76e", "leaf", ""),
    "hermes-agent/pre_tool_call.terminal.subagent.json": ("20261122", "sa-0-76e", "", ""),
    "hermes-agent/pre_tool_call.terminal.json": ("20261122", "", "", ""),
    "kimi-code/SubagentStart.json": ("session_", "", "", ""),
    "qwen-code/SubagentStop.json": ("b966a4d1", "general-", "general-purpose", ""),
}


@pytest.mark.parametrize(("file", "who"), AGENTS.items(), ids=AGENTS)
def test_sub_agents_are_marked_as_the_client_marks_them(file: str, who: tuple[str, str, str, str]) -> None:
    event = read(RECORDED / file)
    assert (event.session[:8], event.agent_id[:8], event.agent_type, event.parent_session[:8]) == who


MOMENTS = {
    # file: source, stop_active, background, tool use id
    "claude-code/SessionStart-resume.json": ("resume", False, 0, ""),
    "claude-code/SessionEnd.json": ("other", False, 0, ""),
    "claude-code/PreCompact.json": ("manual", False, 0, ""),
    "claude-code/Notification.json": ("permission_prompt", False, 0, ""),
    "claude-code/Stop.json": ("", False, 1, ""),
    "claude-code/Stop-continuation.json": ("", True, 0, ""),
    "claude-code/PreToolUse-Bash.json": ("", False, 0, "toolu_mock_001_0"),
    "codex/PreCompact.json": ("auto", False, 0, ""),
    "codex/Stop-continuation.json": ("", True, 0, ""),
    "codex/PreToolUse-Bash-codemode.json": ("", False, 0, "exec-1552324a-066b-4df9-84d4-a8bd2cd559f2"),
    "copilot-cli/camel/sessionEnd.json": ("complete", False, 0, ""),
    "copilot-cli/camel/errorOccurred.json": ("model_call", False, 0, ""),
    "vscode/Stop.active.json": ("", True, 0, ""),
    "opencode/SessionStart.json": ("startup", False, 0, ""),
    "opencode/Stop.continued.json": ("", True, 0, ""),
    "pi/Stop.continued.json": ("", True, 0, ""),
    "pi/SessionEnd.json": ("other", False, 0, ""),
    "vscode/PreToolUse.run_in_terminal.json": ("", False, 0, "call_abc123"),
    "qwen-code/Stop.json": ("", False, 0, ""),
    "qwen-code/PreToolUse.read_file.json": ("", False, 0, "call_0f7b78681527"),
}


@pytest.mark.parametrize(("file", "what"), MOMENTS.items(), ids=MOMENTS)
def test_the_moment_is_read(file: str, what: tuple[str, bool, int, str]) -> None:
    event = read(RECORDED / file)
    assert (event.source, event.stop_active, event.background, event.tool_use_id) == what


def test_vscode_events_of_one_call_share_an_id() -> None:
    """The tail that VS Code adds to the model's id is not part of it."""
    before = read(RECORDED / "vscode/PreToolUse.run_in_terminal.json")
    after = read(RECORDED / "vscode/PostToolUse.run_in_terminal.json")
    assert before.tool_use_id == after.tool_use_id == "call_abc123"
