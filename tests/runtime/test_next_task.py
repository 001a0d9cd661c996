"""A person's prompt after COMPLETE begins another task, which nothing of the last one closes."""

from __future__ import annotations

import json

from jackline.store import tasks
from scene import Scene

MODULES = ("work-init", "plan-graph", "tool-gate", "context-pack")


def test_the_next_task_is_not_complete(scene: Scene) -> None:
    """With context packs on, a task waits for its pack: its phase is the first one until then."""
    scene.manifest({"version": 1, "modules": {name: {"enabled": True} for name in MODULES}})
    scene.begin()
    scene.prompt("go on")
    path = scene.place / "work/w001/plan/planGraph.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    nodes = [
        {"id": "a", "description": "a", "scope": "src/**"},
        {"id": "b", "description": "b", "kind": "validate", "dependsOn": ["a"]},
    ]
    path.write_text(json.dumps({"nodes": nodes}))
    given = {"file_path": str(path), "content": path.read_text()}
    scene.say(scene.tool(event="PostToolUse", tool_name="Write", tool_input=given, tool_response={}))
    for name in ("a", "b"):
        scene.say(scene.tool(f"jackline plan node skip {name} --reason because", event="PostToolUse"))
    assert scene.state()["core"]["phase"] == "COMPLETE"
    scene.prompt("and now for something else", prompt_id="p-2")
    assert scene.state()["core"]["workId"] == "w002"
    assert tasks.read(str(scene.store), scene.place.name, "w002").get("phase") != "COMPLETE"
    assert scene.pre("touch new.py").reason.startswith("there is no plan yet")
