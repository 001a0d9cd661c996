"""`lenient` never changes an answer's decision: the same events with all features lenient, and with all of them off."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

from scene import Said, Scene

NAMES = ("work-init", "plan-graph", "tool-gate", "pre-compact", "validators", "mailbox", "context-pack")
LENIENT = {name: {"enabled": True, "mode": "warn"} for name in NAMES}
COMMANDS = ("touch src/new.py", "rm -rf src", "cat README.md", "rg x", "git push", "git push --force origin main",
            "rm -rf /", "jackline plan show", "jackline pack check", "frobnicate", "sed -i s/a/b/ src/a.py",
            "pytest -q", "git reset --hard")  # fmt: skip
PLAN = {"nodes": [{"id": "one", "description": "x", "scope": "src/**", "validators": ["t"]}]}


def play(scene: Scene, seed: int) -> list[tuple[str, str, Any]]:
    """What a session of many events comes to: each event with its decision, and whether it was rewritten."""
    made: list[tuple[str, str, Any]] = []
    dice = random.Random(seed)

    def heard(name: str, said: Said) -> None:
        body = said.body
        found = body.get("hookSpecificOutput") or {}
        made.append((name, said.decision or str(body.get("decision", "")), bool(found.get("updatedInput"))))

    scene.begin()
    for _ in range(40):
        kind = dice.choice(("prompt", "shell", "shell", "shell", "write", "search", "plan", "done", "cut", "stop"))
        if kind == "prompt":
            heard(kind, scene.prompt(dice.choice(("go on", "rotate the tokens in src once a day"))))
        elif kind == "shell":
            command = dice.choice(COMMANDS)
            heard(command, scene.pre(command))
        elif kind == "write":
            given: dict[str, Any] = {
                "file_path": f"{scene.root}/src/{dice.choice('abc')}.py",
                "content": "x\n" * dice.choice((1, 50)),
            }
            heard(kind, scene.say(scene.tool(tool_name="Write", tool_input=given)))
        elif kind == "search":
            given = {"pattern": "tokens", "path": f"{scene.root}/docs", "head_limit": 5}
            heard(kind, scene.say(scene.tool(tool_name="Grep", tool_input=given)))
        elif kind == "plan":
            given = {"plan": f"```json\n{json.dumps(PLAN)}\n```"}
            heard(kind, scene.say(scene.tool(event="PostToolUse", tool_name="ExitPlanMode", tool_input=given)))
        elif kind == "done":
            heard(kind, scene.say(scene.tool("jackline plan node done one", event="PostToolUse")))
        elif kind == "cut":
            heard(kind, scene.say(scene.payload("PreCompact", trigger="auto")))
        else:
            heard(kind, scene.say(scene.payload("Stop", stop_hook_active=False)))
    return made


@pytest.mark.parametrize("seed", range(3))
def test_no_decision_is_another(scene: Scene, tmp_path: Path, made_bundle: Path, seed: int) -> None:
    other = Scene(tmp_path / "lenient", made_bundle)
    for one, modules in ((scene, {}), (other, LENIENT)):
        for name in ("src/a.py", "docs/b.md", "README.md"):
            (one.root / name).parent.mkdir(parents=True, exist_ok=True)
            (one.root / name).write_text("tokens\n")
        one.manifest({"version": 1, "modules": modules})
    off, lenient = play(scene, seed), play(other, seed)
    assert lenient == off
    assert any(row["kind"] == "WOULD_DENY" for row in other.log()), "it told something"
