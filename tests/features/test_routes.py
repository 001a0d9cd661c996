"""What lies beside the routes of tests/routes: what is open, what only speaks of it, and transcripts by tools."""

from __future__ import annotations

from pathlib import Path

import pytest

from .test_self_protect import World


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> World:
    made = World(tmp_path.resolve())
    monkeypatch.setenv("HOME", str(made.home))
    for folder in (".claude/projects", ".codex/sessions"):
        (made.home / folder).mkdir(parents=True)
    return made


OPEN = [
    "jackline approvals",
    "jackline approvals --json",
    "crontab -l",
    "ls ~/.claude/projects",
    "find ~/.claude/projects -name '*.jsonl'",
    "cat ~/.claude/projects/-p/memory/notes.md",
    "cat ~/.claude/projects/-p/abc/tool-results/out.txt",
    "cat data/events.jsonl",
    "grep -r x .",
    "echo 'jackline approve X'",
    "git commit -m 'say jackline approve X'",
]


@pytest.mark.parametrize("command", OPEN)
def test_what_is_open_or_only_speaks_of_it_passes(world: World, command: str) -> None:
    assert world.shell(command) is None


@pytest.mark.parametrize(
    ("tool", "kind", "path", "refused"),
    [
        ("Read", "read", "H/.claude/projects/-p/abc.jsonl", True),
        ("Read", "read", "H/.codex/sessions/2026/01/01/rollout-x.jsonl", True),
        ("Read", "read", "H/.copilot/session-state/x/events.jsonl", True),
        ("Read", "read", "H/.claude/projects/-p/memory/notes.md", False),
        ("Read", "read", "R/data/x.jsonl", False),
        ("Grep", "search", "H/.claude/projects", True),
        ("Grep", "search", "H/.claude", True),
        ("Grep", "search", "R", False),
        ("mcp__files__read_file", "mcp", "H/.claude/projects/-p/abc.jsonl", True),
    ],
)
def test_transcripts_are_not_read_by_tools(world: World, tool: str, kind: str, path: str, refused: bool) -> None:
    action = world.tool(tool, kind, {}, path)
    assert (action is not None and action.decision == "deny") is refused


@pytest.mark.parametrize(
    "command",
    [
        "claude -p 'fix the hooks'",
        "codex exec 'fix the hooks'",
        "codex exec -c model=x 'say hi'",
        "HOME=/tmp/x npm test && jackline status",
        "export HOME=/tmp/x; npm test",
        "pkill -f 'node server.js'",
        "pkill node",
        "tmux capture-pane -p",
        "git apply fine.diff",
        "patch -p1 < fine.diff",
        "git stash push -- src/x",
        "git init --quiet",
        "uv run pytest",
        "mv -T src other",
        "ln -s ../x src/l",
    ],
)
def test_what_is_near_a_route_passes(world: World, command: str) -> None:
    (world.root / "fine.diff").write_text("--- a/src/x\n+++ b/src/x\n@@ -1 +1 @@\n-x\n+.claude/settings.json\n")
    assert world.shell(command) is None


@pytest.mark.parametrize(("tool", "refused"), [("rename", True), ("delete_folder", True), ("create_directory", False)])
def test_a_folder_of_settings_by_a_server(world: World, tool: str, refused: bool) -> None:
    action = world.tool(f"mcp__files__{tool}", "mcp", {}, "R/.claude")
    assert (action is not None and action.decision == "deny") is refused
