"""Any subset of capabilities works: each alone, each with each, and all of them hear a whole task without a fault.

The agent is the demonstration's (`demo/plan.py`); what there is to switch on comes from the table of capabilities.
Each alone and all at once have any two of them on and off in every way; the pairs are for `make crash`.
"""

from __future__ import annotations

import io
import itertools
import json
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from demo import plan as demo
from demo.stage import Stage
from rich.console import Console

from cli.conftest import Desk, desk_of
from jackline.builtin import BUDGETS
from jackline.cli.parts import switching
from jackline.compiler import schemas
from jackline.compiler.registry import KNOWN
from jackline.services.capabilities import CAPABILITIES, STATES
from scene import audit

HERE = {slug for slug, one in KNOWN.items() if one.here}
NAMES = [name for name in CAPABILITIES if switching.leads(name, HERE)]
PAIRS = [*itertools.combinations(NAMES, 2)]
SUBSETS = [*[(name,) for name in NAMES], *PAIRS, tuple(NAMES)]
FAULTS = ("ERROR_MODULE", "ERROR_MODULE_CRITICAL", "BUDGET_EXCEEDED")
OURS = {slug for one in CAPABILITIES.values() for slug in one.features}
AGENT = {"agent_id": "a1b2c3", "agent_type": "Plan"}


class Doors(Stage):
    """The demonstration's stage on a scratch machine: its events go to the door, and every answer is held to be one."""

    def __init__(self, desk: Desk) -> None:
        self.desk, self.root, self.home, self.env = desk, desk.root, desk.home, desk.env
        self.answers = 0

    def entries(self, client: str) -> dict[str, str]:
        return {event: event for event in ("SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", *AROUND)}

    def run(self, client: str, line: str, payload: str) -> tuple[int, str, str]:
        said = self.desk.send(payload.encode(), line)
        assert schemas.validate("hook-output", said.body) == [], said
        self.answers += 1
        return said.exit, said.out.decode(), said.err.decode()

    def shell(self, command: str) -> tuple[str, str]:
        if not command.startswith("jackline "):
            return super().shell(command)
        done = self.desk.jackline(*shlex.split(command)[1:], env={"CLAUDECODE": "1"}, code=None)
        return done.out, done.err


AROUND: dict[str, dict[str, Any]] = {
    "SubagentStart": AGENT,
    "SubagentStop": {**AGENT, "stop_hook_active": False},
    "PreCompact": {"trigger": "auto", "custom_instructions": ""},
    "Stop": {"stop_hook_active": False},
    "SessionEnd": {"reason": "other"},
}
"""What happens beside the demonstration's own events, once in the middle of the task's life and once at its end."""


@pytest.fixture
def desk(tmp_path: Path, made_bundle: Path) -> Iterator[Desk]:
    """A scratch machine; whatever was switched on, its sessions are sound afterwards, and we had no fault."""
    made = desk_of(tmp_path, made_bundle)
    yield made
    for folder in made.sessions():
        audit(folder)
    assert made.crashes() == []


def project(desk: Desk) -> None:
    for name in ("a.txt", "new.txt", "src/app/main.py"):
        path = desk.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("alpha\nbeta\n")
    (desk.hooks / "features").mkdir(parents=True)
    slow = dict.fromkeys(BUDGETS, 30_000)  # what is slow on a busy machine is no fault
    desk.manifest({"version": 1, "budgets": slow})
    rows = "- id: alpha\n  command: [grep, -q, alpha, a.txt]\n  paths: ['**']\n  when: change\n"
    (desk.hooks / "validators.yaml").write_text(rows)
    desk.jackline("trust", "--yes", desk.jackline("trust", "--json", code=1).data["digest"])


def play(desk: Desk) -> demo.Agent:
    """The demonstration and what is around it; its agent, with what it was refused."""
    stage = Doors(desk)
    agents: list[demo.Agent] = []

    class Agent(demo.Agent):
        def __init__(self, *given: Any) -> None:
            super().__init__(*given)
            agents.append(self)

        def shell(self, command: str, *, ours: bool = False) -> bool:
            if ours:
                around(self)
            return super().shell(command, ours=ours)

    demo.play(stage, Console(file=io.StringIO()), Agent)
    (agent,) = agents
    around(agent)
    agent.send("UserPromptSubmit", prompt="and now the farewell")
    agent.send("PreToolUse", tool_name="Read", tool_input={"file_path": str(desk.root / "a.txt")}, tool_use_id="last")
    return agent


def around(agent: demo.Agent) -> None:
    for event, fields in AROUND.items():
        if event != "SessionEnd":
            agent.send(event, **fields)


def faults(folder: Path) -> list[Any]:
    rows = [json.loads(line) for line in (folder / "events.jsonl").read_text().splitlines()]
    assert {row["event"] for row in rows} >= {"UserPromptSubmit", "PreToolUse", "PostToolUse", "Stop"}
    return [row for row in rows if row["kind"] in FAULTS or row.get("error")]


def test_every_capability_is_tried() -> None:
    """Alone and with each other one; what is not here yet joins when its features do."""
    assert {frozenset(one) for one in SUBSETS} > {frozenset((a, b)) for a in NAMES for b in NAMES}
    assert {slug for name in NAMES for slug in CAPABILITIES[name].features} >= OURS & HERE


@pytest.mark.parametrize("state", STATES[1:])
@pytest.mark.parametrize(
    "names", [pytest.param(one, id="+".join(one), marks=[pytest.mark.slow] if one in PAIRS else []) for one in SUBSETS]
)
def test_a_subset_hears_a_whole_task_without_a_fault(desk: Desk, names: tuple[str, ...], state: str) -> None:
    project(desk)
    said = desk.jackline("enable", *names, f"--{state}", "--alone", "--no-checks", "--json", "--yes")
    assert said.data["capabilities"] == dict.fromkeys(names, state)
    assert said.data["faults"] == []
    agent = play(desk)
    assert faults(desk.place) == []
    if state == "lenient" or "gate" not in names:
        assert agent.refused == [], "only a strict gate refuses"
    else:
        assert agent.refused != []
