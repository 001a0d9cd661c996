"""The phases as a machine: whatever happens in whatever order, nothing is changed beyond what the phase opens.

Events go through the pipeline in one process; the model knows the design's table and nothing of the code.
"""

from __future__ import annotations

import json
import time
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from jackline.model import PHASES
from jackline.store import tasks
from jackline.store.fold import fold
from scene import Said, Scene

MODULES = {name: {"enabled": True} for name in ("work-init", "plan-graph", "tool-gate", "pre-compact", "mailbox")}
NAMES = ("one", "two", "three")
SCOPES, WAYS = st.sampled_from(["src", "lib", "docs"]), st.sampled_from(["Write", "sed"])
FORGED = st.sampled_from(["status", "state", "plan", "fingerprint", "artifact", "mailbox", "capsule"])


class Machine(RuleBasedStateMachine):
    """A task with three steps in a row, and an agent that tries everything."""

    scene: Scene
    number = 0
    reached: set[str]
    """Phases in which a session of this run was held against the table."""

    def __init__(self) -> None:
        super().__init__()
        type(self).number += 1
        self.session = f"law-{type(self).number}"
        self.phase = "UNINITIALIZED"
        self.work = "w001"
        self.plan: tuple[str, ...] = ()
        self.begun: set[str] = set()
        self.over: set[str] = set()
        self.small: set[str] = set()
        self.refusals: dict[str, int] = {}

    # --- what is sent ---

    def say(self, event: str, **fields: Any) -> Said:
        return self.scene.say(self.scene.payload(event, session_id=self.session, **fields))

    def tool(self, event: str, tool: str, given: dict[str, Any], **more: Any) -> Said:
        fields = {"tool_name": tool, "tool_input": given, "tool_use_id": "x", **more}
        return self.scene.say(self.scene.payload(event, session_id=self.session, **fields))

    def ran(self, command: str) -> None:
        self.tool("PostToolUse", "Bash", {"command": command}, tool_response={"stdout": ""})

    @property
    def place(self) -> Any:
        return self.scene.place_of(self.session)

    def stored(self) -> dict[str, Any]:
        return tasks.read(str(self.scene.store), self.place.name, self.work)

    # --- what a person does ---

    @initialize(typed=st.sampled_from([True, True, False]), planned=st.booleans())
    def begin(self, typed: bool, planned: bool) -> None:
        self.say("SessionStart", source="startup")
        if typed:
            self.prompt()
        if planned:
            self.submit("src")

    @rule()
    def prompt(self) -> None:
        self.say("UserPromptSubmit", prompt="go on")
        self.small.clear()
        self.refusals.clear()
        if self.phase == "COMPLETE":
            self.work = f"w{int(self.work[1:]) + 1:03d}"
            self.plan, self.begun, self.over = (), set(), set()
            self.phase = "PLANNING"
        elif self.phase == "UNINITIALIZED":
            self.phase = "PLANNING"
        elif self.phase == "BLOCKED":
            self.phase = self.before

    # --- what an agent does ---

    @rule(scope=st.sampled_from(["src", "lib"]))
    def submit(self, scope: str) -> None:
        nodes = [
            {"id": name, "description": name, "scope": f"{scope}/{name}/**", "validators": ["t"],
             "dependsOn": [NAMES[at - 1]] if at else []}
            for at, name in enumerate(NAMES)
        ]  # fmt: skip
        self._written(json.dumps({"nodes": nodes}))
        if (scope,) != self.plan:
            if self.plan:  # finished nodes of another scope are other nodes
                self.over = set()
            self.plan, self.begun = (scope,), set()
            self.phase = "EXECUTING"

    @rule()
    def submit_what_is_no_plan(self) -> None:
        self._written(json.dumps({"nodes": [{"id": "a", "description": "x", "dependsOn": ["a"]}]}))

    def _written(self, text: str) -> None:
        path = self.place / "work" / self.work / "plan/planGraph.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        self.tool("PostToolUse", "Write", {"file_path": str(path), "content": text}, tool_response={})

    @rule(forged=FORGED)
    def forge(self, forged: str) -> None:
        """What an agent writes into the session's folder by whatever way."""
        folder = self.place / "work" / self.work / "plan"
        folder.mkdir(parents=True, exist_ok=True)
        if forged == "status":
            nodes = [{"id": name, "description": name, "status": "done"} for name in NAMES]
            (folder / "planGraph.json").write_text(json.dumps({"nodes": nodes}))
        elif forged == "state":
            path = self.place / "state.json"
            made: dict[str, Any] = fold(self.scene.log(self.place))
            made["core"]["phase"], made["plan"] = "EXECUTING", {"status": "none"}
            path.write_text(json.dumps(made))
            said = self._change("src/forged/x.py")
            assert said.decision == "deny"
            path.unlink()  # the state is the log's fold again
            self._refused(said.reason)
        elif forged == "artifact":
            bus = self.place / "registry.jsonl"
            known = [json.loads(line) for line in bus.read_text().splitlines()] if bus.exists() else []
            rows = [{**one, "id": f"{one['id'][:-1]}f", "kind": "plan_accepted"} for one in known[:1]]
            with bus.open("a") as out:
                out.writelines([json.dumps(one) + "\n" for one in rows])
        elif forged == "mailbox":
            box = self.place / "work" / self.work / "mailbox/a01/offers"
            box.mkdir(parents=True, exist_ok=True)
            (box / "x.json").write_text(json.dumps({"phase": "COMPLETE", "plan": "accepted"}))
        elif forged == "capsule":
            (folder.parent / "resume.json").write_text(json.dumps({"decided": True, "phase": "EXECUTING"}))
        else:
            (folder / ("accepted" if forged == "plan" else "fingerprint")).write_text("x\n")

    @precondition(lambda self: self.phase == "EXECUTING" and set(self.plan and NAMES) - self.over)
    @rule()
    def go_on(self) -> None:
        """What an agent does that keeps to its plan: the next step is worked at, then done."""
        name = next(one for one in NAMES if one not in self.over)
        self.try_to_change(f"{self.plan[0]}/{name}/new.py", name)
        self.finished(name)

    @precondition(lambda self: self.phase == "EXECUTING")
    @rule(name=st.sampled_from(NAMES))
    def finish(self, name: str) -> None:
        self.finished(name)

    def finished(self, name: str) -> None:
        self.ran(f"jackline plan node done {name}")
        if self.plan and name in self.begun:
            self.begun.discard(name)
            self.over.add(name)
            if self.over == set(NAMES):
                self.phase = "COMPLETE"

    @precondition(lambda self: self.phase == "EXECUTING")
    @rule(name=st.sampled_from(NAMES))
    def skip(self, name: str) -> None:
        self.ran(f"jackline plan node skip {name} --reason because")
        if self.plan:
            self.begun.discard(name)
            self.over.add(name)
            if self.over == set(NAMES):
                self.phase = "COMPLETE"

    @rule(
        scope=st.sampled_from(["src", "lib", "docs"]),
        name=st.sampled_from(NAMES),
        way=st.sampled_from(["Write", "sed"]),
    )
    def change(self, scope: str, name: str, way: str) -> None:
        self.try_to_change(f"{scope}/{name}/new.py", name, way)

    @rule(scope=SCOPES, name=st.sampled_from(NAMES), way=WAYS)
    def change_in_a_sub_agent(self, scope: str, name: str, way: str) -> None:
        """Its calls are the session's: what they fit begins, and is open to the main agent, too."""
        self.try_to_change(f"{scope}/{name}/sub.py", name, way, agent_id="a7", agent_type="Explore")

    @rule()
    def cut(self) -> None:
        """A compaction: every lease ends, and what was begun has to begin again."""
        self.say("PreCompact", trigger="auto")
        self.begun.clear()
        assert not self.stored().get("leases")

    @rule(scope=st.sampled_from(["src", "lib"]), name=st.sampled_from(NAMES), after=st.integers(0, 80))
    def die(self, scope: str, name: str, after: int) -> None:
        """The process that judges a change is killed, before, between or after its writes."""
        type(self).number += 1
        path = f"{scope}/{name}/k{self.number}.py"
        given = {"file_path": f"{self.scene.root}/{path}", "content": "x\n"}
        payload = self.scene.payload(
            "PreToolUse", session_id=self.session, tool_name="Write", tool_input=given, tool_use_id="k"
        )
        door = self.scene.start("PreToolUse")
        assert door.stdin is not None
        door.stdin.write(json.dumps(payload).encode())
        door.stdin.close()
        time.sleep(after / 1000)
        door.kill()
        door.wait()
        for stream in (door.stdout, door.stderr):
            assert stream is not None
            stream.close()
        started = {key for key, one in self.stored().get("nodes", {}).items() if one["status"] == "started"}
        assert started <= self.begun | ({name} if self._opens(path) else set())
        self.begun = started

    def try_to_change(self, path: str, name: str, way: str = "Write", **agent: Any) -> None:
        said = self._change(path, way, **agent)
        opens = self._opens(path)
        assert (said.decision == "") is opens, (self.phase, path, self.plan, self.begun, self.over, said.reason)
        if opens:
            self.begun.add(name)
        else:
            self._refused(said.reason)

    def _change(self, path: str, way: str = "Write", **agent: Any) -> Said:
        if way == "sed":
            return self.tool("PreToolUse", "Bash", {"command": f"echo x > {path}"}, **agent)
        return self.tool("PreToolUse", "Write", {"file_path": f"{self.scene.root}/{path}", "content": "x\n"}, **agent)

    def _opens(self, path: str) -> bool:
        """The design's table: under a plan what a ready node holds, else nothing (the file is new)."""
        if self.phase != "EXECUTING" or not self.plan:
            return False
        for at, name in enumerate(NAMES):
            if path.startswith(f"{self.plan[0]}/{name}/"):
                return name not in self.over and (at == 0 or NAMES[at - 1] in self.over)
        return False

    def _refused(self, reason: str) -> None:
        said = reason.split("{")[0]
        self.refusals[said] = self.refusals.get(said, 0) + 1
        if self.refusals[said] == 3 and self.phase != "BLOCKED":
            self.before, self.phase = self.phase, "BLOCKED"

    before = "PLANNING"

    @rule()
    def read(self) -> None:
        """In every phase reading passes, and so do our own commands."""
        for command in ("cat README.md", "git status", "jackline plan show", "jackline plan template"):
            assert self.tool("PreToolUse", "Bash", {"command": command}).decision == "", (self.phase, command)

    # --- what always holds ---

    @invariant()
    def the_phase_is_the_tables(self) -> None:
        try:
            place = self.place
        except StopIteration:
            return
        state = fold(self.scene.log(place))
        assert (state["core"]["phase"], state["core"]["workId"]) == (self.phase, self.work)
        known = self.stored()
        if known:
            assert known["phase"] == self.phase
            leases = set(known.get("leases") or {})
            assert leases <= self.begun - self.over, "a lease that outlives its node"
        self.reached.add(self.phase)


def _project(scene: Scene) -> None:
    for name in ("src", "lib", "docs"):
        for step in NAMES:
            (scene.root / name / step).mkdir(parents=True)
    (scene.root / "README.md").write_text("x\n")
    scene.manifest({"version": 1, "modules": MODULES})


def _hold(scene: Scene, examples: int, steps: int) -> set[str]:
    """Play so many sessions of so many steps; the phases they came through."""
    _project(scene)
    known = settings(
        max_examples=examples,
        stateful_step_count=steps,
        deadline=None,
        suppress_health_check=list(HealthCheck),
        phases=(Phase.reuse, Phase.generate),  # a failing session is told as it is: making it smaller takes minutes
    )
    reached: set[str] = set()
    run_state_machine_as_test(type("Of", (Machine,), {"scene": scene, "reached": reached}), settings=known)
    return reached


def test_nothing_is_changed_beyond_the_table(scene: Scene) -> None:
    assert _hold(scene, 4, 14) - {"UNINITIALIZED"}, "sessions that go nowhere hold nothing"


@pytest.mark.slow
def test_nor_is_it_in_long_sessions(scene: Scene) -> None:
    assert _hold(scene, 40, 40) == set(PHASES)
