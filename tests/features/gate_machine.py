"""The phases as a machine: a task with three steps in a row, an agent that tries everything, validators, minutes that
pass, and calls that end in the middle. The model knows the design's table and nothing of the code.
"""

from __future__ import annotations

import json
import time
from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from forkserver import CUT
from jackline import system
from jackline.services.plans import nodes
from jackline.services.plans.acceptance import fingerprint
from jackline.services.validators import content, listing, results, runs
from jackline.services.validators.results import Result
from jackline.store import tasks
from jackline.store.reducer import fold
from scene import Said, Scene

FEATURES = ("work-init", "plan-graph", "tool-gate", "pre-compact", "mailbox", "validators")
ROWS = "validators:\n  - {id: check, command: [grep, -q, good, verdict.txt], paths: [verdict.txt], baseline: false}\n"
NAMES = ("one", "two", "three")
SCOPES, WAYS = st.sampled_from(["src", "lib", "docs"]), st.sampled_from(["Write", "sed"])
PLANS, STEPS = st.sampled_from(["src", "lib"]), st.sampled_from(NAMES)
FORGED = st.sampled_from(["status", "state", "plan", "fingerprint", "artifact", "mailbox", "capsule", "manifest"])
LATER_MS = (nodes.MINUTES + 1) * 60_000


def project(scene: Scene, mode: str = "enforce", **gate: Any) -> None:
    """A project with three folders for each scope and one validator, which a person trusts."""
    for name in ("src", "lib", "docs"):
        for step in NAMES:
            (scene.root / name / step).mkdir(parents=True)
    (scene.root / "README.md").write_text("x\n")
    (scene.root / "verdict.txt").write_text("good 0\n")
    scene.hooks.mkdir(parents=True)
    (scene.hooks / "validators.yaml").write_text(ROWS)
    modules = {name: {"enabled": True, "mode": mode} for name in FEATURES}
    scene.manifest({"version": 1, "modules": modules})
    config = {"tool-gate": gate, "budgets": {"Stop": 700}}
    (scene.home / ".config/jackline/config.json").write_text(json.dumps(config))
    scene.trust()


def plan_of(scope: str) -> str:
    """Three steps in a row, each with the validator."""
    made = [
        {"id": name, "description": name, "scope": f"{scope}/{name}/**", "validators": ["check"],
         "dependsOn": [NAMES[at - 1]] if at else []}
        for at, name in enumerate(NAMES)
    ]  # fmt: skip
    return json.dumps({"nodes": made})


class Machine(RuleBasedStateMachine):
    """One session. `reached`: phases in which a session of this run was held against the table."""

    scene: Scene
    reached: set[str]
    strict = True
    explicit = False
    """Whether a step begins by the command alone."""
    number = 0

    def __init__(self) -> None:
        super().__init__()
        type(self).number += 1
        self.session = f"law-{type(self).number}"
        self.phase, self.before = "UNINITIALIZED", "PLANNING"
        self.work = "w001"
        self.plan = ""
        self.begun: set[str] = set()
        self.leased: set[str] = set()
        self.over: set[str] = set()
        self.refusals: dict[str, int] = {}
        self.lost = 0  # refusals that a call may have counted that was cut off
        self.spent = False
        self.running = -1
        self.texts: dict[str, str] = {}
        self.verdict("good")

    def teardown(self) -> None:
        system.close(self.running)
        for path in (self.scene.store / "crash").glob("*"):  # of calls on a full disk
            told = [json.loads(line) for line in path.read_text().splitlines()]
            assert all(one["error"] == "OSError" and "forkserver" in one["stack"][-1] for one in told), told
            path.unlink()

    # --- what is sent ---

    def say(self, event: str, *, cut: str = "", **fields: Any) -> Said:
        env = {CUT: cut} if cut else {}
        return self.scene.say(self.scene.payload(event, session_id=self.session, **fields), env=env)

    def tool(self, event: str, tool: str, given: dict[str, Any], **more: Any) -> Said:
        return self.say(event, **{"tool_name": tool, "tool_input": given, "tool_use_id": "x", **more})

    def ran(self, command: str, **more: Any) -> None:
        self.tool("PostToolUse", "Bash", {"command": command}, tool_response={"stdout": ""}, **more)

    @property
    def place(self) -> Any:
        return self.scene.place_of(self.session)

    def stored(self) -> dict[str, Any]:
        return tasks.read(str(self.scene.store), self.place.name, self.work)

    # --- the validator ---

    @property
    def row(self) -> listing.Validator:
        return listing.read(str(self.scene.store), str(self.scene.root)).rows[0]

    def mark(self) -> str:
        return content.of(self.row, content.look(str(self.scene.root), self.scene.env))

    def result(self) -> Result | None:
        """What came of the validator on what is there now."""
        return results.read(str(self.scene.store), str(self.scene.root), self.row, self.mark())

    def verdict(self, word: str) -> None:
        type(self).number += 1
        (self.scene.root / "verdict.txt").write_text(f"{word} {self.number}\n")

    def lets_end(self) -> bool:
        """Whether the validator lets the task be complete: it passed on what is there, the task left that as it was,
        or it was red before the task began.
        """
        began = ((self.stored().get("validators") or {}).get("began") or {}).get("check", "")
        now = self.result()
        before = results.read(str(self.scene.store), str(self.scene.root), self.row, began)
        was_red = before is not None and not before.ok
        return bool(began == self.mark() or (now and now.ok) or (now and not now.ok and was_red))

    def lets_finish(self) -> bool:
        """The same for a step that names it."""
        began = ((self.stored().get("validators") or {}).get("began") or {}).get("check", "")
        now = self.result()
        before = results.read(str(self.scene.store), str(self.scene.root), self.row, began)
        was_red = before is not None and not before.ok
        return now is not None and (now.ok or was_red)

    @rule(word=st.sampled_from(["good", "bad"]), by_tool=st.booleans())
    def change_what_it_judges(self, word: str, by_tool: bool) -> None:
        """By whomever: what the validator said before is outdated."""
        self.verdict(word)
        if by_tool:
            path = f"{self.scene.root}/verdict.txt"
            self.tool("PostToolUse", "Write", {"file_path": path, "content": word}, tool_response={})

    @rule()
    def validate(self) -> None:
        if self.running < 0:
            tree = runs.Tree(str(self.scene.store), str(self.scene.root), self.scene.env)
            assert runs.compute(self.row, tree, 20_000) is not None

    @rule()
    def run_on_and_on(self) -> None:
        """Some process is at it, and does not come to an end; or it did."""
        if self.running >= 0:
            system.close(self.running)
            self.running = -1
            return
        path = results.lock_path(str(self.scene.store), str(self.scene.root), self.row)
        system.make_dirs(path.rpartition("/")[0])
        self.running = system.lock(path, 20_000)

    @rule()
    def vanish(self) -> None:
        """Its row is gone, or there again: what a person trusted stays in force."""
        path = self.scene.hooks / "validators.yaml"
        if path.exists():
            path.unlink()
        else:
            path.write_text(ROWS)

    @rule()
    def end_the_turn(self) -> None:
        over = self.phase == "EXECUTING" and self.over == set(NAMES) and self.lets_end()
        body = self.say("Stop", stop_hook_active=False).body
        held = body.get("decision") == "block"
        assert not held or self.strict, "lenient keeps nobody going"
        now = self.stored()["phase"] if self.stored() else self.phase
        assert not over or now == "COMPLETE", "all is over and passed, and it is not complete"
        if now == "BLOCKED" and self.phase != "BLOCKED":
            red = self.result()
            assert self.strict and red is not None and not red.ok, "only what is red spends a turn"
            self.before, self.phase, self.spent = self.phase, "BLOCKED", True

    # --- what a person does ---

    @initialize(typed=st.sampled_from([True, True, False]), planned=st.booleans())
    def begin(self, typed: bool, planned: bool) -> None:
        self.say("SessionStart", source="startup")
        if typed:
            self.prompt()
        if planned:
            self.submit("src")

    def _known_work(self) -> str:
        state = fold(self.scene.log(self.place))
        return str((state.get("validators") or {}).get("work", ""))

    @rule()
    def prompt(self) -> None:
        fresh = self._known_work()
        self.say("UserPromptSubmit", prompt="go on")
        self._prompted()
        if fresh != self.work:  # what is there when a task begins is noted behind the answer
            until = time.monotonic() + 20
            while "began" not in (self.stored().get("validators") or {}) and time.monotonic() < until:
                time.sleep(0.02)

    def _prompted(self) -> None:
        self.refusals.clear()
        self.lost, self.spent = 0, False
        if self.phase == "COMPLETE":
            self.work = f"w{int(self.work[1:]) + 1:03d}"
            self.plan, self.begun, self.over, self.leased = "", set(), set(), set()
            self.phase = "PLANNING"
        elif self.phase == "UNINITIALIZED":
            self.phase = "PLANNING"
        elif self.phase == "BLOCKED":
            self.phase = self.before

    @rule()
    def let_time_pass(self) -> None:
        """So many minutes pass that every lease is over: the clock of all that is stored goes on."""

        def later(task: dict[str, Any]) -> dict[str, Any]:
            leases = {
                name: {**one, "until": one["until"] - LATER_MS} for name, one in (task.get("leases") or {}).items()
            }
            return {**task, "leases": leases}

        if self.stored():
            tasks.change(str(self.scene.store), self.place.name, self.work, later)
        self.leased.clear()

    # --- what an agent does ---

    @rule(scope=PLANS)
    def submit(self, scope: str) -> None:
        self._written(plan_of(scope))
        self._submitted(scope)

    def _submitted(self, scope: str) -> None:
        if scope == self.plan:
            return
        if self.plan:  # finished nodes of another scope are other nodes
            self.over = set()
        self.plan, self.phase = scope, "EXECUTING"
        self.begun, self.leased = set(), set()

    @rule()
    def submit_what_is_no_plan(self) -> None:
        self._written(json.dumps({"nodes": [{"id": "a", "description": "x", "dependsOn": ["a"]}]}))

    def _written(self, text: str, cut: str = "") -> None:
        path = self.place / "work" / self.work / "plan/planGraph.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        self.tool("PostToolUse", "Write", {"file_path": str(path), "content": text}, tool_response={}, cut=cut)

    @rule(forged=FORGED)
    def forge(self, forged: str) -> None:
        """What an agent writes into the session's folder by whatever way."""
        folder = self.place / "work" / self.work / "plan"
        folder.mkdir(parents=True, exist_ok=True)
        if forged == "status":
            told = [{"id": name, "description": name, "status": "done"} for name in NAMES]
            (folder / "planGraph.json").write_text(json.dumps({"nodes": told}))
        elif forged == "state":
            self._forge_state()
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
        elif forged == "manifest":
            made = folder.parent / "validators"
            made.mkdir(exist_ok=True)
            (made / "manifest.json").write_text(json.dumps({"version": 1, "nodes": [], "rules": [], "scripts": []}))
        else:
            (folder / ("accepted" if forged == "plan" else "fingerprint")).write_text("x\n")

    def _forge_state(self) -> None:
        path = self.place / "state.json"
        made: dict[str, Any] = fold(self.scene.log(self.place))
        made["core"]["phase"], made["plan"] = "EXECUTING", {"status": "none"}
        path.write_text(json.dumps(made))
        said = self._change("src/forged/x.py")
        assert said.decision == ("deny" if self.strict else "")
        path.unlink()  # the state is the log's fold again
        self._refused(said.reason)

    @precondition(lambda self: self.phase == "EXECUTING" and self.plan and set(NAMES) - self.over)
    @rule()
    def go_on(self) -> None:
        """What an agent does that keeps to its plan: the next step is worked at, checked, and done."""
        name = next(one for one in NAMES if one not in self.over)
        if self.explicit:
            self.start(name)
        self.try_to_change(f"{self.plan}/{name}/new.py", name)
        self.verdict("good")
        self.validate()
        self.finished(name)

    def _may_begin(self, name: str) -> bool:
        at = NAMES.index(name)
        return bool(self.plan) and name not in self.over and (at == 0 or NAMES[at - 1] in self.over)

    @rule(name=STEPS)
    def start(self, name: str) -> None:
        may = self._may_begin(name)
        self.ran(f"jackline plan node start {name}")
        if may:
            self.begun.add(name)
            self.leased.add(name)

    @precondition(lambda self: self.phase == "EXECUTING")
    @rule(name=STEPS)
    def finish(self, name: str) -> None:
        self.finished(name)

    def finished(self, name: str) -> None:
        may = bool(self.plan) and name in self.begun
        passed = self.lets_finish()
        self.ran(f"jackline plan node done {name}")
        done = (self.stored().get("nodes") or {}).get(name, {}).get("status") == "done"
        if name in self.over or not may:
            assert name in self.over or not done, "done without a beginning"
            return
        assert not done or not self.strict or self.lets_finish(), "done with a validator that is red or did not run"
        assert done or not passed or not self._is_touched(name), "it may be done, and is not"
        if done:
            self._is_over(name)

    def _is_touched(self, name: str) -> bool:
        return bool((self.stored().get("touched") or {}).get(name))

    def _is_over(self, name: str) -> None:
        self.begun.discard(name)
        self.leased.discard(name)
        self.over.add(name)

    @precondition(lambda self: self.phase == "EXECUTING")
    @rule(name=STEPS)
    def skip(self, name: str) -> None:
        self.ran(f"jackline plan node skip {name} --reason because")
        if self.plan:
            self._is_over(name)

    @rule(scope=SCOPES, name=STEPS, way=WAYS)
    def change(self, scope: str, name: str, way: str) -> None:
        self.try_to_change(f"{scope}/{name}/new.py", name, way)

    @rule(name=STEPS)
    def insist(self, name: str) -> None:
        """The same three times, where nothing opens it."""
        for _ in range(3):
            self.try_to_change(f"docs/{name}/new.py", name)

    @rule(scope=SCOPES, name=STEPS, way=WAYS)
    def change_in_a_sub_agent(self, scope: str, name: str, way: str) -> None:
        """Its calls are the session's: what they fit begins, and is open to the main agent, too."""
        self.try_to_change(f"{scope}/{name}/sub.py", name, way, agent_id="a7", agent_type="Explore")

    @rule()
    def cut(self) -> None:
        """A compaction: every lease ends, and what was begun has to begin again."""
        self.say("PreCompact", trigger="auto")
        self.begun.clear()
        self.leased.clear()
        assert not self.stored().get("leases")

    def try_to_change(self, path: str, name: str, way: str = "Write", **agent: Any) -> None:
        said = self._change(path, way, **agent)
        opens = self._opens(path)
        held = (self.phase, path, self.plan, self.begun, self.leased, self.over, said.reason)
        assert (said.decision == "") is (opens or not self.strict), held
        if opens:
            self.begun.add(name)
            self.leased.add(name)
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
        for name in NAMES:
            if path.startswith(f"{self.plan}/{name}/"):
                return self._may_begin(name) and (not self.explicit or name in self.leased)
        return False

    def _refused(self, reason: str) -> None:
        if not self.strict:
            return
        said = reason.split("{")[0]
        self.refusals[said] = self.refusals.get(said, 0) + 1
        now = str(self.stored().get("phase", ""))
        third = self.refusals[said] == 3 or (self.lost and now == "BLOCKED")
        if third and self.phase != "BLOCKED":
            self.before, self.phase = self.phase, "BLOCKED"

    @rule()
    def read(self) -> None:
        """In every phase reading passes, and so do our own commands."""
        for command in ("cat README.md", "git status", "jackline plan show", "jackline plan template"):
            assert self.tool("PreToolUse", "Bash", {"command": command}).decision == "", (self.phase, command)

    # --- calls that end in the middle ---

    @rule(what=st.sampled_from(["change", "submit", "done", "compact", "prompt"]),
          how=st.sampled_from(["kill", "fail"]), at=st.integers(1, 14), scope=PLANS)  # fmt: skip
    def cut_off(self, what: str, how: str, at: int, scope: str) -> None:
        """A call is killed behind its n-th change of a file, or that fails: what holds is as before, or as after."""
        before = (self.work, self.phase)
        name = next((one for one in NAMES if one not in self.over), "one")
        begun, over, cut = {*self.begun}, {*self.over}, f"{how} {at}"
        plans = {self.plan}
        if what == "change":
            path = f"{self.plan or scope}/{name}/k{at}.py"
            said = self.tool(
                "PreToolUse", "Write", {"file_path": f"{self.scene.root}/{path}", "content": "x\n"}, cut=cut
            )
            opens = self._opens(path)
            assert said.exit or said.decision or opens or not self.strict, "let through where a phase opens nothing"
            begun |= {name} if opens else set()
            self.lost += 1
        elif what == "submit":
            self._written(plan_of(scope), cut)
            plans.add(scope)
        elif what == "done":
            self.ran(f"jackline plan node done {name}", cut=cut)
            over |= {name} if name in self.begun else set()
        elif what == "compact":
            self.say("PreCompact", trigger="auto", cut=cut)
        else:
            self.say("UserPromptSubmit", prompt="go on", cut=cut)
        after = self._after(what, scope)
        self.ran("ls")  # the next event goes on from whatever stands there
        self._take_up({before, *after}, plans, begun, over)

    def _after(self, what: str, scope: str) -> set[tuple[str, str]]:
        """Where such a call may have led, as task and phase."""
        if what == "submit" and scope != self.plan:
            return {(self.work, "EXECUTING"), (self.work, self.before if self.phase == "BLOCKED" else self.phase)}
        if what == "change":
            return {(self.work, "BLOCKED")} if self.strict else set()
        if what == "prompt":
            later = f"w{int(self.work[1:]) + 1:03d}"
            new = {(later, "PLANNING"), (later, "UNINITIALIZED")} if self.phase == "COMPLETE" else set()
            return new | {(self.work, self.before), (self.work, "PLANNING")} if self.phase in (
                "BLOCKED", "UNINITIALIZED", "COMPLETE") else set()  # fmt: skip
        return set()

    def _take_up(self, allowed: set[tuple[str, str]], plans: set[str], begun: set[str], over: set[str]) -> None:
        """The model goes on from what is stored, which is one of what may be."""
        core = fold(self.scene.log(self.place))["core"]
        work = str(core["workId"])
        if work != self.work:
            plans, begun, over = {""}, set(), set()
        self.work = work
        known = self.stored()
        phase = str(known.get("phase") or core["phase"])
        ends = {(work, "COMPLETE")} if over == set(NAMES) and self.lets_end() else set()
        assert (work, phase) in allowed | ends, (work, phase, allowed)
        mark = (known.get("plan") or {}).get("fingerprint", "")
        marks = {fingerprint(plan_of(one).encode()) if one else "": one for one in plans}
        assert mark in marks, "a plan that nobody submitted"
        by_status = {name: one["status"] for name, one in (known.get("nodes") or {}).items()}
        started = {name for name, how in by_status.items() if how == "started"}
        ended = {name for name, how in by_status.items() if how in nodes.OVER}
        assert started <= begun | over and ended <= over
        if phase == "BLOCKED" and self.phase != "BLOCKED":
            self.before = self.phase
        elif phase != self.phase:
            self.refusals.clear()
        self.phase, self.plan, self.begun, self.over = phase, marks[mark], started, ended
        leases = nodes.leases(known, time.time_ns() // 1_000_000)
        assert set(leases) <= started
        self.leased = set(leases)

    # --- what always holds ---

    def _follow(self, now: str) -> None:
        """Steps that validators make by themselves, as far as they may."""
        if (self.phase, now) == ("EXECUTING", "COMPLETE"):
            assert self.over == set(NAMES), "complete before all is over"
            assert self.lets_end(), "complete with a validator that is red, or outdated"
            self.phase = now
        elif (self.phase, now) == ("COMPLETE", "EXECUTING"):
            assert not self.lets_end(), "complete no more, and nothing changed"
            self.phase = now
        elif self.phase == "BLOCKED" and self.spent and now == self.before:
            assert self.lets_end(), "no validator passed"
            self.phase, self.spent = now, False

    @invariant()
    def the_phase_is_the_tables(self) -> None:
        try:
            place = self.place
        except StopIteration:
            return
        state = fold(self.scene.log(place))
        self._follow(state["core"]["phase"])
        assert (state["core"]["phase"], state["core"]["workId"]) == (self.phase, self.work)
        known = self.stored()
        if known:
            assert known["phase"] == self.phase
            leases = set(nodes.leases(known, time.time_ns() // 1_000_000))
            assert leases <= self.leased, "a lease that outlives its minutes, or a compaction"
            assert leases <= self.begun - self.over, "a lease that outlives its node"
        self.reached.add(self.phase)
