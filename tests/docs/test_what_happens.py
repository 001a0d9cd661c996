"""`docs/what-happens.md` tells one tool call: its stages are the table's, its files those that the call passes."""

from __future__ import annotations

import json
import os
import re
import sys
from types import FrameType

from docs.regions import REPO
from jackline import host
from jackline.runtime import pipeline
from jackline.runtime.request import Request, Store
from scene import Scene

PAGE = (REPO / "docs/what-happens.md").read_text()
FILES = 8
COMMAND = "grep -rn TODO ."
STAGE = re.compile(r"^\d+\. `(\w+)` – (\*\*runs\.\*\*)?", re.MULTILINE)


def files() -> list[str]:
    """The source files that the page leads to."""
    return re.findall(r"\]\(\.\./(src/[\w/.]+\.py)\)", PAGE)


def test_the_story_is_the_table() -> None:
    assert [name for name, _ in STAGE.findall(PAGE)] == [name for name, _ in pipeline.STAGES]


def test_it_takes_eight_files_at_most() -> None:
    assert len(set(files())) == len(files()) <= FILES


def test_the_call_of_the_page_passes_its_files_and_stages(scene: Scene) -> None:
    """The very call of the page, in this process: the files it leads to are passed, of the stages those that run."""
    scene.begin()
    scene.pre("echo first")
    passed: set[str] = set()

    def note(frame: FrameType, what: str, argument: object) -> None:
        passed.add(frame.f_code.co_filename)

    raw = json.dumps(scene.tool(COMMAND)).encode()
    request = Request(
        "claude-code", "PreToolUse", raw, {}, str(scene.root), uid=os.getuid(), now=host.now(), entropy=bytes(32),
        ancestors=lambda: (), home=str(scene.home),
    )  # fmt: skip
    sys.setprofile(note)
    try:
        pipeline.run(request, Store(str(scene.store)), lambda answer: None)
    finally:
        sys.setprofile(None)
    own = {os.path.relpath(path, REPO) for path in passed if path.startswith(str(REPO / "src"))}
    assert set(files()) - own == {"src/jackline/hook.py"}
    ran = [name for name, _ in pipeline.STAGES if f"src/jackline/runtime/stages/{name}.py" in own]
    assert ran == [name for name, runs in STAGE.findall(PAGE) if runs]


def test_the_answer_of_the_page_is_the_entry_points(scene: Scene) -> None:
    assert COMMAND in PAGE
    scene.begin()
    said = scene.pre(COMMAND).body
    shown = json.loads(next(line for line in PAGE.split("\n") if line.startswith('{"hookSpecificOutput"')))
    shown["hookSpecificOutput"]["additionalContext"] = said["hookSpecificOutput"]["additionalContext"]
    assert said == shown
