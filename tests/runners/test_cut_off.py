"""Features that hang, print, exit, fork or return nonsense: the door still gives one answer, in its time.

Each runs as a trusted project feature behind a real door. A critical one that fails refuses, another one's faults
change nothing, and no feature disarms the guards after it (contract sections 8.2 and 10, design section 2).
"""

from __future__ import annotations

import json
import signal
import sys
import time
from collections.abc import Callable
from types import FrameType, SimpleNamespace
from typing import cast

import pytest

from jackline import system
from jackline.hook_table import HookSpec
from jackline.model import Event
from jackline.runners import python
from jackline.sdk import Context
from scene import Scene

SPIN = "while True: pass"
HOLD = """
while True:
    try:
        while True: pass
    except BaseException:
        pass
"""
SLEEP = "import time\ntime.sleep(60)"
DEAF = """
import time
while True:
    try:
        time.sleep(60)
    except:
        continue
"""
WAIT = "import posix\nread, write = posix.pipe()\nposix.read(read, 1)"
SLOW_EXPRESSION = "import re\nre.match('(a+)+$', 'a' * 64 + 'b')"
ENDLESS = {"spin": SPIN, "hold": HOLD, "sleep": SLEEP, "deaf": DEAF, "wait": WAIT, "expression": SLOW_EXPRESSION}

PRINT = (
    "import sys\nprint('{}')\nprint('x', file=sys.stderr)\nimport posix\nposix.write(1, b'{}')\nposix.write(2, b'x')"
)
EXIT = "import sys\nsys.exit(2)"
LEAVE = "import os\nos._exit(3)"
LEAVE_EARLY = "import posix\nposix._exit(3)"
QUIT = "raise SystemExit"
BREAK = "raise KeyboardInterrupt"
CANCEL = "class Cancelled(BaseException): pass\nraise Cancelled"
RAISE = "raise ValueError('\\ud800 password=hunter22hunter22')"
RECURSE = "return handle(event, ctx)"
GARBAGE = "return 7"
WRONG = "return {'decision': 'maybe'}"
UNKNOWN = "return {'verdict': 'deny'}"
WRONG_TYPE = "return Action(decision='deny', reason=7)"
WITH_BYTES = "return {'warnings': [b'x']}"
IMPORT = "import nothing_of_that_name"
GENERATOR = "yield deny('no')"
FAULTS = {
    "exit": EXIT,
    "leave": LEAVE,
    "leave_early": LEAVE_EARLY,
    "quit": QUIT,
    "break_": BREAK,
    "raise_": RAISE,
    "cancel": CANCEL,
    "recurse": RECURSE,
    "garbage": GARBAGE,
    "wrong": WRONG,
    "unknown": UNKNOWN,
    "wrong_type": WRONG_TYPE,
    "with_bytes": WITH_BYTES,
    "import_": IMPORT,
    "generator": GENERATOR,
}
CHILD = "import os\nif os.fork() == 0:\n    import time\n    time.sleep(20)\n    os._exit(0)"
CHILD_COMES_BACK = "import os\nif os.fork() == 0:\n    return deny('from the child')"
CHILD_RAISES = "import os\nif os.fork() == 0:\n    raise ValueError"
CHILDREN = {"sleeps": CHILD, "comes-back": CHILD_COMES_BACK, "raises": CHILD_RAISES}


def prepared(scene: Scene, body: str, *, critical: bool, runner: str = "inline", budget: int = 120) -> None:
    """One feature with this body, and a session that has begun and compiled."""
    scene.feature("odd", body, critical=critical, runner=runner, priority=-5)
    scene.manifest({"budgets": {"PreToolUse": budget}, "modules": {"planGraph-exec": {"enabled": False}}})
    scene.trust()
    scene.begin()


def faults(scene: Scene) -> list[tuple[str, str]]:
    kinds = ("ERROR_MODULE", "ERROR_MODULE_CRITICAL", "BUDGET_EXCEEDED")
    return [(row["kind"], row["producer"]) for row in scene.rows(*kinds)]


@pytest.mark.parametrize("runner", ["inline", "forked"])
@pytest.mark.parametrize("body", ENDLESS.values(), ids=ENDLESS)
def test_what_never_ends_is_left_behind(scene: Scene, body: str, runner: str) -> None:
    prepared(scene, body, critical=False, runner=runner)
    said = scene.pre()
    assert said.decision == ""
    assert said.ms < 2500  # the budget is 120 ms, the second timer 100 ms after it
    assert faults(scene) == [("BUDGET_EXCEEDED", "odd")]
    assert scene.decided() == ["allow"]


@pytest.mark.slow
@pytest.mark.parametrize("body", ENDLESS.values(), ids=ENDLESS)
def test_a_guard_that_never_ends_refuses_at_its_hard_deadline(scene: Scene, body: str) -> None:
    """Critical features are not cut by the budget, but by five seconds."""
    prepared(scene, body, critical=True)
    said = scene.pre()
    assert said.decision == "deny"
    assert 4500 < said.ms < 8000
    assert scene.decided() == ["deny"]


@pytest.mark.parametrize("critical", [False, True])
def test_a_short_limit_of_the_clients_is_kept(scene: Scene, critical: bool) -> None:
    """SessionEnd is waited for one to three seconds: the door ends before, whoever hangs."""
    scene.feature("odd", HOLD, critical=critical, supports=["SessionEnd"])
    scene.trust()
    scene.begin()
    said = scene.say(scene.payload("SessionEnd", reason="other"))
    assert said.out == b"{}\n"
    assert said.ms < 3000


@pytest.mark.parametrize("runner", ["inline", "forked"])
@pytest.mark.parametrize("body", FAULTS.values(), ids=FAULTS)
def test_what_fails_changes_nothing(scene: Scene, body: str, runner: str) -> None:
    """Non-critical: errors are logged with a mark of their place, outputs dropped (contract section 10)."""
    prepared(scene, body, critical=False, runner=runner, budget=2000)
    assert scene.pre().decision == ""
    assert faults(scene) == [("ERROR_MODULE", "odd")]
    row = scene.rows("ERROR_MODULE")[0]
    assert row["error"]["stackHash"]
    assert "hunter22" not in json.dumps(row)


@pytest.mark.parametrize("body", FAULTS.values(), ids=FAULTS)
def test_a_guard_that_fails_refuses(scene: Scene, body: str) -> None:
    prepared(scene, body, critical=True)
    said = scene.pre()
    assert said.decision == "deny"
    assert "HOOK_INTERNAL_ERROR" in said.reason
    assert faults(scene) == [("ERROR_MODULE_CRITICAL", "odd")]


def test_what_a_feature_prints_goes_nowhere(scene: Scene) -> None:
    prepared(scene, PRINT, critical=False)
    assert scene.pre().decision == ""
    assert faults(scene) == []


@pytest.mark.parametrize("body", CHILDREN.values(), ids=CHILDREN)
def test_a_child_neither_speaks_nor_holds_the_answer(scene: Scene, body: str) -> None:
    """Most clients wait until everybody closed the outputs; a child that comes back is no second door."""
    prepared(scene, body, critical=False, budget=5000)
    said = scene.pre()
    assert said.decision == ""
    assert said.ms < 4000
    time.sleep(0.1)
    assert scene.decided() == ["allow"]


@pytest.mark.parametrize(
    "body", [HOLD, DEAF, SPIN, LEAVE, CHILD_COMES_BACK], ids=["hold", "deaf", "spin", "leave", "child"]
)
def test_no_feature_disarms_the_guards_after_it(scene: Scene, body: str) -> None:
    scene.feature("odd", body, priority=-5)
    scene.feature("guard", "return deny('not this one')", priority=60, critical=True)
    scene.manifest({"budgets": {"PreToolUse": 120}})
    scene.trust()
    scene.begin()
    said = scene.pre()
    assert said.decision == "deny"
    assert said.reason.startswith("not this one")
    assert scene.decided() == ["deny"]


@pytest.mark.slow
@pytest.mark.parametrize("body", [HOLD, SPIN], ids=["hold", "spin"])
def test_what_was_decided_before_stands(scene: Scene, body: str) -> None:
    scene.feature("guard", "return ask('sure?')", priority=-9, critical=True)
    scene.feature("odd", body, priority=60, critical=True)
    scene.trust()
    scene.begin()
    payload = scene.tool()
    said = scene.say(payload)
    assert said.decision == "deny"
    assert "sure?" not in said.reason.split("\n")[0]


AGAIN = """
import time
while "-m" in event.command:
    try:
        time.sleep(1)
    except BaseException:
        pass
"""


def test_a_guard_that_hangs_over_the_rewritten_call_refuses(scene: Scene) -> None:
    """The second judgement is cut off like the first: the guards behind judge once, and the call does not pass."""
    scene.feature("odd", AGAIN, critical=True, priority=30)
    scene.trust()
    scene.begin()
    said = scene.pre("grep -rn x .")
    assert said.decision == "deny" and "odd failed" in said.reason
    assert said.ms < 12_000
    assert faults(scene) == [("BUDGET_EXCEEDED", "odd")]
    assert scene.decided() == ["deny"]


@pytest.mark.parametrize("mode", ["observe", "warn"])
def test_a_guard_on_trial_never_refuses_even_when_it_hangs(scene: Scene, mode: str) -> None:
    scene.feature("odd", RAISE, critical=True)
    scene.manifest({"modules": {"odd": {"mode": mode}}})
    scene.trust()
    scene.begin()
    assert scene.pre().decision == ""


def test_the_budget_is_shared_and_told(scene: Scene) -> None:
    """Non-critical features that come too late are skipped, and the log says which (contract section 8.2)."""
    scene.feature("slow", "import time\ntime.sleep(5)", priority=51)
    scene.feature("late", "return deny('too late to say')", priority=52)
    scene.feature("guard", "return note('seen', 'yes')", priority=53, critical=True)
    scene.manifest({"budgets": {"PreToolUse": 200}, "modules": {"planGraph-exec": {"enabled": False}}})
    scene.trust()
    scene.begin()
    assert scene.pre().body["hookSpecificOutput"]["additionalContext"] == "seen: yes"
    assert faults(scene) == [("BUDGET_EXCEEDED", "slow"), ("BUDGET_EXCEEDED", "kernel")]
    assert scene.rows("BUDGET_EXCEEDED")[1]["data"] == {"skipped": ["late"], "budgetMs": 200.0}


def test_a_feature_that_changes_a_foreign_state_is_told_off(scene: Scene) -> None:
    wanted = {"core": {"phase": "COMPLETE"}, "odd": {"a": 1, "list": [1]}, "plan": {"status": "accepted"}}
    prepared(scene, f"return Action(state_patch={wanted!r})", critical=False)
    scene.pre()
    assert scene.rows("PATCH_DROPPED")[0]["data"]["keys"] == ["core", "odd.list", "plan.status"]
    assert scene.state()["odd"] == {"a": 1}
    assert scene.state()["core"]["phase"] == "UNINITIALIZED"


STRANGE_ROWS = """
return Action(
    decision='deny', reason='no',
    emit_events=(
        {'kind': 'my own kind!', 'decision': object(), 'ms': float('nan'), 'id': 'forged', 'v': 9, 'extra': b'x',
         'producer': 'kernel', 'code': ['x'], 'reason': 'fine', 'data': [1, 2]},
        {'kind': 7}, {}, {'kind': 'STATE_PATCH', 'data': {'patch': {'core': {'phase': 'COMPLETE'}}}},
    ),
    register_artifacts=({'kind': 'Big Thing', 'ref': 'odd/output/x', 'summary': 'y' * 500, 'tags': 7, 'more': object()},
                        {'kind': 'x', 'ref': '../../x'}, {'ref': '/etc/passwd'}, {'ref': 'a\\0b'}, {}),
    metrics={'deep': object()}, state_patch={'odd': {'value': object(), 'nan': float('inf')}},
)
"""


def test_strange_rows_reach_the_log_in_order_and_the_answer_stands(scene: Scene) -> None:
    """What a feature emits is foreign: it becomes what the schemas say, and cannot speak for the kernel."""
    prepared(scene, STRANGE_ROWS, critical=False)
    assert scene.pre().decision == "deny"
    rows = [row for row in scene.log() if row["producer"] == "odd"]
    assert [row["kind"] for row in rows][:4] == ["MY_OWN_KIND_", "NOTE", "NOTE", "NOTE"]
    assert [row["kind"] for row in rows].count("ERROR_MODULE") == 4
    assert scene.state()["core"]["phase"] == "UNINITIALIZED"
    bus = [json.loads(line) for line in (scene.place / "registry.jsonl").read_text().splitlines()]
    assert [(one["kind"], one["ref"], len(one["summary"])) for one in bus] == [("big_thing", "odd/output/x", 200)]


# --- a signal at any point ---


class Rings:
    """A tracer that lets the alarm ring once, at the `at`-th step of the runner and of what sets and ends its alarm."""

    def __init__(self, at: int) -> None:
        self.left = at
        self.rang = False

    def __call__(self, frame: FrameType, what: str, argument: object) -> Rings | None:
        if frame.f_code.co_filename not in (python.__file__, system.__file__):
            return None
        frame.f_trace_opcodes = True
        if what == "opcode" and not self.rang:
            self.left -= 1
            if self.left < 0:
                self.rang = True
                signal.raise_signal(signal.SIGALRM)
        return self


@pytest.mark.parametrize("ends", [lambda: None, lambda: 1 / 0, lambda: sys.exit(2)], ids=["well", "fault", "exit"])
def test_a_ring_at_any_point_is_held(monkeypatch: pytest.MonkeyPatch, ends: Callable[[], None]) -> None:
    """Whenever the signal comes, between two instructions as well, the run of the feature comes to its `Ran`."""
    monkeypatch.setattr(python, "handler", lambda row: lambda event, context: ends())
    clock = iter(range(0, 1 << 62, 1 << 40)).__next__
    monkeypatch.setattr(system, "time", SimpleNamespace(monotonic_ns=clock))  # whatever rings is due

    def run() -> str:
        given = Event("PreToolUse")
        done = python.run(
            HookSpec("odd"),
            given,
            cast(Context, None),
            60_000,
            stuck=lambda row: pytest.fail("left"),
            clock=clock,
            timers=True,
        )
        return done.error

    def watched(rings: Rings) -> str:
        before = sys.gettrace()
        sys.settrace(rings)
        try:
            return run()
        finally:
            sys.settrace(before)

    plain = run()
    watched(Rings(1 << 60))  # CPython 3.12 tells of instructions from the second time on
    seen: list[str] = []
    rang = True
    while rang:
        rings = Rings(len(seen))
        seen.append(watched(rings))
        signal.raise_signal(signal.SIGALRM)  # and once more when all is over
        rang = rings.rang
    assert len(seen) > 100
    assert {*seen} == {plain, "BUDGET_EXCEEDED"}
    assert seen[-1] == plain
