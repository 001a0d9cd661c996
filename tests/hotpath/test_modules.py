"""What a door loads at a plain event is written down in `modules.txt`: who adds to it says why.

`JACKLINE_HOTPATH=renew` writes the list anew.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest

from hotpath.loaded import modules, third_party
from jackline.compiler import bundle_modules
from scene import Scene

LIST = Path(__file__).parent / "modules.txt"
EVENTS = ("PreToolUse Read", "PostToolUse Read", "PreToolUse Bash")
HEAD = """# Modules that a door process loads at a plain event, beyond those of a bare interpreter.
# JACKLINE_HOTPATH=renew pytest tests/hotpath writes this list; a commit that changes it says why.
"""


def asked(scene: Scene, event: str, tool: str) -> dict[str, str]:
    """The modules of a door in the middle of a session, at a call that nobody objects to."""
    given = {"Read": {"file_path": f"{scene.root}/a.py"}, "Bash": {"command": "git status --short"}}[tool]
    payload = scene.tool(event=event, tool_name=tool, tool_input=given)
    return modules(scene.argv(event), json.dumps(payload).encode(), scene.env, scene.folder)


def in_the_middle(scene: Scene) -> None:
    """A session that has begun, a hook table that is compiled and settled."""
    scene.begin()
    scene.prompt()
    for event in ("PreToolUse", "PostToolUse"):
        for tool in ("Read", "Bash"):
            asked(scene, event, tool)


def written() -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    name = ""
    for line in LIST.read_text().splitlines():
        if line.startswith("["):
            name = line.strip("[]")
            found[name] = []
        elif line and not line.startswith("#"):
            found[name].append(line)
    return found


def test_a_door_loads_exactly_what_is_listed(scene: Scene) -> None:
    in_the_middle(scene)
    found = {event: asked(scene, *event.split()) for event in EVENTS}
    for loaded in found.values():
        assert third_party(loaded) == []
    if os.environ.get("JACKLINE_HOTPATH") == "renew":
        parts = [f"[{event}]\n" + "".join(f"{name}\n" for name in sorted(found[event])) for event in EVENTS]
        LIST.write_text(HEAD + "\n" + "\n".join(parts))
    said = written()
    assert {event: sorted(loaded) for event, loaded in found.items()} == said, "JACKLINE_HOTPATH=renew writes the list"


def test_what_is_not_ours_is_built_in(scene: Scene) -> None:
    """No file but ours is opened for a module: what comes from the interpreter is compiled into it or its library."""
    for names in written().values():
        for name in names:
            if not name.startswith("jackline"):
                assert name in sys.stdlib_module_names
                assert name.startswith("_") or name in sys.builtin_module_names, name


def test_the_places_of_all_that_is_listed_are_told_first() -> None:
    """Else a plain event reads the table of all that judges commands, and `scripts/hotset` plays no plain event."""
    listed = {name for names in written().values() for name in names if name.startswith("jackline")}
    assert listed <= bundle_modules.plain()
    assert "jackline.shell.grammar" not in bundle_modules.plain()


@pytest.mark.parametrize("module", ["json", "re", "os", "typing"])
def test_the_check_sees_a_module(scene: Scene, module: str) -> None:
    """A door that loads one more than listed is seen."""
    door = scene.store / "door.py"
    text = door.read_text().replace("import marshal", f"import {module}, marshal", 1)
    door.unlink()  # it is the door of all tests
    door.write_text(text)
    assert module in asked(scene, "PreToolUse", "Read")
    assert module not in written()["PreToolUse Read"]
