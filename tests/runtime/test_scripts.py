"""The stage of scripts: a fault of ours costs the scripts, is reported, and never the turn."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from jackline.runtime.stages import response
from jackline.runtime.stages import scripts as stage
from jackline.scripts import event
from scripts.site import Site


def reports(site: Site) -> list[dict[str, Any]]:
    return [json.loads(line) for path in (site.store / "crash").glob("*") for line in path.read_text().splitlines()]


def raising(*_: object) -> None:
    raise RuntimeError("ours")


@pytest.mark.parametrize(
    ("name", "type", "part"),
    [("SessionStart", "session", "start"), ("Stop", "file", "stop"), ("SessionStart", "file", "begin")],
)
def test_a_loop_that_breaks_is_reported_and_the_scripts_of_the_event_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, type: Any, part: str
) -> None:
    site = Site(tmp_path)
    site.script("loop", "true", type)
    site.script("bound", "echo said; touch ran", "event", events=(name,))
    site.scripts[name] = site.scripts.pop("event")
    monkeypatch.setattr(stage, "take", lambda module: SimpleNamespace(**{part: raising}))
    run = site.run(name)
    try:
        stage.run(run.request, run)
    finally:
        run.close()
    assert run.verdict.decision == ""
    assert [one.hook for one in run.ran] == ["script:bound"]
    assert (site.root / "ran").exists()
    assert [(one["error"], one["event"]) for one in reports(site)] == [("RuntimeError", name)]
    assert "ours" not in json.dumps(reports(site)), "shapes, not words"


def test_a_script_that_breaks_us_costs_itself_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    site = Site(tmp_path)
    site.script("one", "true", "event")
    site.script("two", "touch ran", "event")
    site.scripts["PreToolUse"] = site.scripts.pop("event")
    real = event.run

    def broken(script: Any, *given: Any, **more: Any) -> Any:
        if script.key == "one":
            raise ValueError("ours")
        return real(script, *given, **more)

    monkeypatch.setattr(event, "run", broken)
    run = site.run("PreToolUse", tool_name="Bash", tool_input={"command": "ls"}, tool_use_id="u1")
    try:
        stage.run(run.request, run)
    finally:
        run.close()
    assert [one.hook for one in run.ran] == ["script:two"] and (site.root / "ran").exists()
    assert [one["where"] for one in reports(site)] == ["script one"]


def test_no_time_left_is_said_and_nothing_runs(tmp_path: Path) -> None:
    site = Site(tmp_path)
    site.script("late", "touch ran", "event")
    site.scripts["PostToolUse"] = site.scripts.pop("event")
    run = site.run("PostToolUse", deadline_s=1.0, tool_name="Bash", tool_input={"command": "ls"}, tool_use_id="u1")
    try:
        stage.run(run.request, run)
        response.run(run.request, run)
    finally:
        run.close()
    assert run.verdict.notes == ('"late" was not run: no time was left; the result passed',)
    assert run.skipped == [("script:late", "no time left")]
    assert [one.hook for one in run.ran] == ["script:late"]
    assert not (site.root / "ran").exists()
