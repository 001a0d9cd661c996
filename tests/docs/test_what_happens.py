"""`docs/what-happens.md` walks one tool call: the functions it names are called, in its order."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

from docs.regions import REPO
from scene import BASE, Scene

PAGE = REPO / "docs/what-happens.md"
CALL = re.compile(r"<!-- call ([\w.]+):([\w.]+) -->`([^`]+)`")
COMMAND = "grep -rn TODO ."

TRACER = """
import sys
src, store, out, *words = sys.argv[1:]
sys.path.insert(0, src)
import posix
import jackline.hook
called = []

def watch(frame, event, arg):
    code = frame.f_code
    if event == "call" and code.co_filename.startswith(src):
        module = code.co_filename[len(src) + 1:].removesuffix(".py").removesuffix("/__init__").replace("/", ".")
        called.append(f"{module}:{code.co_qualname}")
        if called[-1] == "jackline.system:leave":
            sys.setprofile(None)
            with open(out, "w") as file:
                file.write("\\n".join(called))

sys.argv = ["door.py", *words]
sys.setprofile(watch)
jackline.hook.enter(store)
"""
"""The door with a tracer: the package itself in place of the bundle, every call of ours noted."""


def traced(scene: Scene, event: str, payload: dict[str, object], folder: Path) -> tuple[list[str], bytes]:
    noted = folder / "calls"
    script = folder / "tracer.py"
    script.write_text(TRACER)
    argv = [BASE, "-I", "-S", str(script), str(REPO / "src"), str(scene.store), str(noted), "claude-code", event]
    done = subprocess.run(
        argv, input=json.dumps(payload).encode(), cwd=scene.root, env=scene.env, capture_output=True, check=True
    )
    return noted.read_text().split("\n"), done.stdout


def test_the_functions_of_the_page_are_called_in_its_order(scene: Scene, tmp_path: Path) -> None:
    """From `enter` to `leave`, as the page tells it."""
    text = PAGE.read_text()
    assert COMMAND in text
    scene.begin()
    scene.pre("echo first")
    called, out = traced(scene, "PreToolUse", scene.tool(COMMAND), tmp_path)
    at = 0
    for module, name, _ in CALL.findall(text):
        wanted = f"{module}:{name}"
        assert wanted in called[at:], f"{wanted} is not called after {called[at - 1]} (or not at all)"
        at = called.index(wanted, at) + 1
    assert called[-1] == "jackline.system:leave"
    shown = json.loads(next(line for line in text.split("\n") if line.startswith('{"hookSpecificOutput"')))
    said = json.loads(out)
    shown["hookSpecificOutput"]["additionalContext"] = said["hookSpecificOutput"]["additionalContext"]
    assert said == shown


def test_the_page_names_what_it_marks() -> None:
    """Every marked function stands in the text by its own name, a feature by its slug."""
    found = CALL.findall(PAGE.read_text())
    assert len(found) > 25
    for module, name, shown in found:
        slug = module.split(".")[-2].replace("_", "-")
        assert shown.replace("G", "-g") in (name, slug), (module, name, shown)
