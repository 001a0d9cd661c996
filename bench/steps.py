"""The work in steps: what pack, plan, gate and validators cost beyond the default, and what much of anything adds.

A task whose plan is accepted and whose step has begun, on the fixture of all other figures. What grows is put there by
hand, as valid as what we write ourselves.
"""

from __future__ import annotations

import json
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from bench.fixture import PROMPT, TOOLS, Fixture, run
from jackline.services import mailbox
from jackline.services.plans import acceptance, steps
from jackline.services.plans.acceptance import Where
from jackline.services.validators import listing, runs
from jackline.store import tasks

MODULES = ("work-init", "context-pack", "plan-graph", "tool-gate", "validators", "pre-compact", "mailbox")
"""What `enable plan` switches on, and the mailbox, which hears of sub-agents alone."""
ROWS = """\
- id: words
  command: [grep, -q, split, src/parser.py]
  paths: ["src/**"]
  when: change
- id: whole
  command: [grep, -rq, parse, src]
  paths: ["**"]
  when: stop
"""
PARSER = {
    "id": "parser",
    "description": "let it take bytes",
    "scope": "src/**",
    "tools": ["Write", "memo/remember"],
}
"""The step that has begun. It lends what the set calls: a server's tool that nobody understands needs that."""
NODES, ARTIFACTS, ENTRIES = 2_000, 100_000, 1_000
"""How much of each there is where figures say that much of it costs nothing."""
TOLD = "told"
"""The event at which a sub-agent hears what is new in its mailbox."""
SORTS = ("write", PROMPT)
"""Events that growth is measured on: one that the gate judges, one that changes the state."""


class Stepped(Fixture):
    """A scratch machine at work in a step of its plan."""

    def __init__(self, folder: Path, made: Path) -> None:
        super().__init__(folder, made)
        sid = self.own.name
        self.where = Where(str(self.store), str(self.root), sid, "w001", str(self.own))
        self.submit([PARSER | {"validators": ["words"]}])
        self.settle()

    def _project(self, files: int, idle: int) -> None:
        super()._project(files, idle)
        path = self.hooks / "dispatch.manifest.json"
        manifest = json.loads(path.read_text())
        manifest["modules"] |= {name: {"enabled": True} for name in MODULES}
        path.write_text(json.dumps(manifest))
        (self.hooks / "validators.yaml").write_text(ROWS)
        self.git("add", "-A")
        self.git("-c", "user.name=bench", "-c", "user.email=bench@localhost", "commit", "-q", "-m", "first")

    def git(self, *words: str) -> None:
        subprocess.run(["git", *words], cwd=self.root, env=self.env, check=True)

    def submit(self, nodes: list[dict[str, Any]], begin: str = "parser") -> None:
        """Make a plan the task's, and begin a step of it."""
        now = time.time_ns() // 1_000_000
        made = acceptance.submit(self.where, json.dumps({"nodes": nodes}).encode(), "bench", now)
        assert made.accepted, made.findings
        steps.start(self.where, begin, now)

    def settle(self) -> None:
        """Have every validator's result, and play what is measured until nothing is new."""
        known = listing.read(self.where.store, self.where.root)
        assert len(known.rows) == ROWS.count("- id:")
        tree = runs.Tree(self.where.store, self.where.root, self.env, self.where.folder, self.where.sid)
        assert all(one is not None and one.ok for one in runs.compute_all(known.rows, tree).values())
        for sort in (*TOOLS, PROMPT, PROMPT):
            answer = run(self.start_of(self.payload_of(sort)))
            assert b'"deny"' not in answer, answer  # what is measured is work that goes on
        assert tasks.read(self.where.store, self.where.sid, "w001")["phase"] == "EXECUTING"

    def sub_agent(self) -> dict[str, Any]:
        begin = {**self.payload_of(PROMPT), "hook_event_name": "SubagentStart"}
        del begin["prompt"]
        return {**begin, "agent_id": "a1b2c3", "agent_type": "general-purpose"}


# --- what grows ---


def grow_plan(fixture: Stepped) -> None:
    """A plan of as many nodes as one may have; half of them are done."""
    nodes = [{"id": f"n{at:04}", "description": f"step {at}", "scope": f"lib/part-{at:04}/**"} for at in range(NODES)]
    nodes[-1] = PARSER
    fixture.submit(nodes)
    done = {f"n{at:04}": {"status": "done", "at": 1_795_000_000_000 + at} for at in range(NODES // 2)}
    where = fixture.where
    tasks.change(where.store, where.sid, where.work, lambda task: {**task, "nodes": {**done, **task["nodes"]}})
    fixture.settle()


def grow_bus(fixture: Stepped) -> None:
    """As many announcements on the session's bus."""
    bus = fixture.own / "registry.jsonl"
    (row, *_) = bus.read_text().splitlines()
    known = json.loads(row)
    with bus.open("a") as file:
        for at in range(ARTIFACTS):
            file.write(json.dumps({**known, "id": f"{known['id'][:-8]}{at:08x}"}, separators=(",", ":")) + "\n")


def grow_mailbox(fixture: Stepped) -> None:
    post(fixture, ENTRIES)


def post(fixture: Stepped, count: int) -> None:
    """So many offers of another agent, with those that are there."""
    there = len(mailbox.entries(fixture.where.folder, "w001"))
    for at in range(there, count):
        mailbox.post(
            fixture.where.folder, "w001", "offer", "a09", f"what part {at} needs", name=f"{at:010x}",
            now_ms=1_795_000_000_000 + at,
        )  # fmt: skip


def forget_told(fixture: Stepped) -> None:
    """Nobody was told of anything in the mailbox."""
    for path in (fixture.own / "once").glob("mail.*"):
        path.unlink()


GROWN: dict[str, Callable[[Stepped], None]] = {"mailbox": grow_mailbox, "artifacts": grow_bus, "plan": grow_plan}
"""What is measured one after the other, each with all that was there before."""
