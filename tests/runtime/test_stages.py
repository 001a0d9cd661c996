"""The table of stages: what it holds, who runs which part of it, and that a new stage is one file and one row."""

from __future__ import annotations

import importlib
import json
import os
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from jackline import host
from jackline.runtime import pipeline, stages
from jackline.runtime.outcome import Outcome
from jackline.runtime.request import Request, Store

NAMES = [name for name, _ in pipeline.STAGES]


def send(root: Path, store: Path, command: str, number: int = 1) -> Outcome:
    payload = {
        "session_id": "s", "prompt_id": "p", "cwd": str(root), "hook_event_name": "PreToolUse",
        "tool_name": "Bash", "tool_input": {"command": command}, "tool_use_id": f"u-{number}",
    }  # fmt: skip
    raw = json.dumps(payload).encode()
    request = Request(
        "claude-code", "PreToolUse", raw, {}, str(root), uid=os.getuid(), now=host.now(), entropy=host.entropy(32)
    )
    return pipeline.run(request, Store(str(store)), lambda answer: None)


@pytest.fixture
def places(tmp_path: Path) -> tuple[Path, Path]:
    root = Path(os.path.realpath(tmp_path)) / "project"
    (root / ".ai").mkdir(parents=True)
    (root / ".git").mkdir()
    store = root.parent / "store"
    store.mkdir()
    return root, store


def test_every_stage_is_a_file_with_a_function() -> None:
    files = sorted(path.stem for path in Path(stages.__path__[0]).glob("*.py") if path.stem != "__init__")
    assert files == sorted(NAMES)
    for name, due in pipeline.STAGES:
        module = importlib.import_module(f"jackline.runtime.stages.{name}")
        assert callable(module.run) and module.__doc__ and due.__doc__


@pytest.mark.parametrize("part", ["SECOND", "HOSTED", "ASKED", "RECHECKED"])
def test_other_ways_run_stages_of_the_table(part: str) -> None:
    assert set(getattr(pipeline, part)) <= set(NAMES)


ASKS = '''
def run(request, outcome):
    """Count the asks of a session, for `report`."""
    outcome.add("ASKS_COUNTED", "asks", data={"by": list(outcome.verdict.by)})
'''


def is_asked(request: Request, outcome: Outcome) -> bool:
    """a hook wants a person's word"""
    return outcome.verdict.decision == "ask"


def test_a_stage_is_one_function_and_one_row(places: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch) -> None:
    """The stage that counts asks per session: its row stands in the log of every call that asks, and in no other."""
    made: Any = ModuleType("jackline.runtime.stages.asks")
    exec(ASKS, made.__dict__)
    monkeypatch.setitem(sys.modules, "jackline.runtime.stages.asks", made)
    at = NAMES.index("approvals")
    monkeypatch.setattr(pipeline, "STAGES", (*pipeline.STAGES[:at], ("asks", is_asked), *pipeline.STAGES[at:]))
    root, store = places
    outcomes = [send(root, store, command, at) for at, command in enumerate(("ls", "git reset --hard", "ls"))]
    assert [one.fault for one in outcomes] == ["", "", ""]
    log = next((root / ".ai/tmp").glob("*/events.jsonl")).read_text().splitlines()
    counted = [row for row in map(json.loads, log) if row["kind"] == "ASKS_COUNTED"]
    assert [(row["producer"], row["data"]) for row in counted] == [("asks", {"by": ["command-guard"]})]
