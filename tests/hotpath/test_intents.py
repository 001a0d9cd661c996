"""intent-scope, where it is on: what only looks pays one look at its kind, and a change opens no third-party module."""

from __future__ import annotations

import json

from hotpath.loaded import modules, third_party
from jackline.intents.choose import select
from scene import Scene

FILE = "active_intents:\n- id: INT-001\n  status: ACTIVE\n  owned_scope: [src/**]\n"
ROOMS = (
    "jackline.intents",
    "jackline.affected_paths",
    "jackline.edits",
    "jackline.mutation",
    "jackline.features.intent_scope.",
)


def ready(scene: Scene) -> None:
    scene.manifest({"version": 1, "modules": {"intent-scope": {"enabled": True}}})
    (scene.root / ".orchestration").mkdir()
    (scene.root / ".orchestration/active_intents.yaml").write_text(FILE)
    scene.begin()
    select(str(scene.store), str(scene.root), scene.place.name, "INT-001", "agent", 1)
    for _ in range(2):
        scene.pre("git status")
        scene.say(write(scene))


def write(scene: Scene) -> dict[str, object]:
    given = {"file_path": f"{scene.root}/src/a.py", "content": "x"}
    return scene.tool(tool_name="Write", tool_input=given)


def test_what_only_looks_loads_nothing_of_it(scene: Scene) -> None:
    ready(scene)
    read = scene.tool(tool_name="Read", tool_input={"file_path": f"{scene.root}/a.py"})
    for payload in (read, scene.tool("git status --short"), {**read, "hook_event_name": "PostToolUse"}):
        event = str(payload["hook_event_name"])
        loaded = modules(scene.argv(event), json.dumps(payload).encode(), scene.env, scene.folder)
        assert third_party(loaded) == []
        strange = [name for name in loaded if name.startswith(ROOMS) and not name.endswith((".hook", "intent_scope"))]
        assert strange == [], event


def test_a_change_is_judged_without_a_parser(scene: Scene) -> None:
    ready(scene)
    loaded = modules(scene.argv("PreToolUse"), json.dumps(write(scene)).encode(), scene.env, scene.folder)
    assert third_party(loaded) == []
    assert "jackline.intents.intent_index" in loaded and "jackline.intents.document" not in loaded
    assert not {"yaml", "ruamel", "json", "hashlib"} & set(loaded)
