"""At work in a step of a plan an event loads what concerns it, reads no more than that, and starts nothing."""

from __future__ import annotations

import json
import subprocess
import time
from collections.abc import Callable
from typing import Any

import pytest

from hotpath.loaded import modules
from jackline.services.plans import acceptance, steps
from jackline.services.plans.acceptance import Where
from jackline.store import tasks
from scene import Scene, git

MODULES = ("work-init", "context-pack", "plan-graph", "tool-gate", "validators", "pre-compact")
"""What `enable plan` switches on."""
LIBRARY = ("re", "typing", "collections", "functools", "hashlib", "json", "os", "subprocess", "encodings.utf_8_sig")
PLANS = ("jackline.services.plans.document", "jackline.services.plans.acceptance", "jackline.services.plans.rules")
WHOLE = (*LIBRARY, *PLANS, "jackline.features.validators.moments", "jackline.features.context_pack.build")
"""What no event needs in the middle of a step."""
ROWS = "- id: words\n  command: [grep, -q, a, src/a.py]\n  paths: ['src/**']\n"
MANY = 2_000

WATCH = """
import sys, posix
door = posix.getpid()
def hear(event, given):
    if posix.getpid() == door and event in ("os.fork", "os.forkpty", "os.posix_spawn", "os.exec", "subprocess.Popen"):
        told, out = map(int, sys.argv[-1].split(","))
        answered = posix.fstat(out).st_size > 0
        posix.write(told, (event + (" behind the answer" if answered else " before it") + "\\n").encode())
sys.addaudithook(hear)
sys.argv.pop(0)
__file__ = sys.argv[0]
exec(open(__file__).read())
"""


def where(scene: Scene) -> Where:
    return Where(str(scene.store), str(scene.root), scene.place.name, "w001", str(scene.place))


def project(scene: Scene) -> None:
    """Everything is on, and there is a file under git."""
    (scene.root / "src").mkdir()
    (scene.root / "src/a.py").write_text("a\n")
    git(scene.root, "add", "-A")
    git(scene.root, "-c", "user.name=me", "-c", "user.email=me@localhost", "commit", "-q", "-m", "first")
    scene.hooks.mkdir()
    (scene.hooks / "validators.yaml").write_text(ROWS)
    scene.manifest({"version": 1, "modules": {name: {"enabled": True} for name in MODULES}})
    scene.trust()


def submit(scene: Scene, count: int = 0) -> None:
    """A plan is accepted, with so many nodes done beside the one that is worked at."""
    names = [f"n{at:04}" for at in range(count)]
    nodes = [{"id": name, "description": name, "scope": f"lib/{name}/**"} for name in names]
    nodes.append({"id": "a", "description": "change a", "scope": "src/**"})
    now = time.time_ns() // 1_000_000
    assert acceptance.submit(where(scene), json.dumps({"nodes": nodes}).encode(), "me", now).accepted
    steps.start(where(scene), "a", now)
    done = {name: {"status": "done", "at": now} for name in names}
    task = (str(scene.store), scene.place.name, "w001")
    tasks.change(*task, lambda task: {**task, "nodes": {**done, **task["nodes"]}})


WORK = "let src/a.py take bytes too"
"""A prompt that asks for a pack."""


def wait(until: Callable[[], object]) -> None:
    deadline = time.monotonic() + 60
    while not until() and time.monotonic() < deadline:
        time.sleep(0.05)
    assert until()


@pytest.fixture(params=["with a pack", "without"])
def begun(scene: Scene, request: pytest.FixtureRequest) -> Scene:
    """In the middle of a step: every event was played, and nothing is new."""
    project(scene)
    scene.begin()
    packed = request.param == "with a pack"
    scene.prompt(WORK if packed else "go on")
    wait(lambda: not packed or (scene.place / "work/w001/pack/hash").exists())
    submit(scene)
    for payload in (*[EVENTS[name](scene) for name in EVENTS], scene.payload("Stop", stop_hook_active=False)) * 2:
        scene.say(payload)
    wait(lambda: list(scene.store.glob("validators/*/*-*")))
    for _ in range(2):
        scene.say(EVENTS["prompt"](scene))
    assert scene.state()["core"]["phase"] == "EXECUTING"
    assert ("hash" in scene.state().get("pack", {})) is packed
    return scene


def write(scene: Scene) -> dict[str, Any]:
    given = {"file_path": str(scene.root / "src/a.py"), "content": "a\nb\n"}
    return scene.tool(tool_name="Write", tool_input=given)


EVENTS: dict[str, Callable[[Scene], dict[str, Any]]] = {
    "prompt": lambda scene: scene.payload("UserPromptSubmit", prompt="go on"),
    "write": write,
    "read": lambda scene: scene.tool(tool_name="Read", tool_input={"file_path": str(scene.root / "src/a.py")}),
    "search": lambda scene: scene.tool(tool_name="Grep", tool_input={"pattern": "a", "path": str(scene.root)}),
    "shell": lambda scene: scene.tool("git status --short"),
}


def loaded(scene: Scene, name: str) -> set[str]:
    payload = EVENTS[name](scene)
    argv = scene.argv(payload["hook_event_name"])
    return set(modules(argv, json.dumps(payload).encode(), scene.env, scene.folder))


@pytest.mark.parametrize("name", [name for name in EVENTS if name != "search"])
def test_an_event_loads_what_concerns_it(begun: Scene, name: str) -> None:
    """No plan is read, no validator looked at, no pack made: one reads a task's head at most."""
    assert loaded(begun, name).intersection(WHOLE) == set()


def test_a_task_of_many_nodes_is_read_as_one_of_few(begun: Scene) -> None:
    """What events ask of a task is as short as ever: the plan and the status of its nodes lie apart."""
    few = tasks.head(str(begun.store), begun.place.name, "w001")
    submit(begun, MANY - 1)
    place = begun.store / "tasks" / begun.place.name / "w001"
    head, rest = place.read_bytes().split(b"\n", 1)
    assert len(head) < 2_000 < 40_000 < len(rest)
    many = tasks.head(str(begun.store), begun.place.name, "w001")
    assert many.keys() == few.keys() and "nodes" not in many
    assert len(tasks.read(str(begun.store), begun.place.name, "w001")["nodes"]) == MANY
    begun.say(EVENTS["write"](begun))
    for _ in range(2):  # the plan is rendered, and the step that began anew is one that the agent was reminded of
        begun.say(EVENTS["prompt"](begun))
    for name in ("write", "prompt"):
        assert loaded(begun, name).intersection(PLANS) == set(), name
    assert (begun.state()["plan"]["nodes"], begun.state()["plan"]["over"]) == (MANY, MANY - 1)


def started(scene: Scene, payload: dict[str, Any]) -> list[str]:
    """The processes that a door starts, and whether its answer stood there by then."""
    argv = scene.argv(payload["hook_event_name"])
    with (scene.folder / "out").open("w+b") as out, (scene.folder / "heard").open("w+b") as heard:
        fds = (heard.fileno(), out.fileno())
        command = [*argv[:3], "-c", WATCH, *argv[3:], ",".join(map(str, fds))]
        raw = json.dumps(payload).encode()
        subprocess.run(command, input=raw, env=scene.env, cwd=scene.root, pass_fds=fds, stdout=out, check=True)
        assert json.loads((scene.folder / "out").read_text()) is not None
        return (scene.folder / "heard").read_text().splitlines()


@pytest.mark.parametrize("name", ["write", "read", "search", "shell"])
def test_a_call_starts_no_process(begun: Scene, name: str) -> None:
    assert started(begun, EVENTS[name](begun)) == []


def test_a_missing_pack_is_the_one_thing_that_is_started_behind_the_answer(scene: Scene) -> None:
    """The prompt's own start was lost: the first call starts it again, once."""
    project(scene)
    scene.begin()
    tasks.change(str(scene.store), scene.place.name, "w001", lambda task: {**task, "goal": WORK})
    heard = started(scene, EVENTS["read"](scene))
    assert heard and set(heard) == {"os.fork behind the answer"}
    wait((scene.place / "work/w001/pack/hash").exists)
    scene.say(EVENTS["read"](scene))
    assert started(scene, EVENTS["read"](scene)) == [], "it is there"
