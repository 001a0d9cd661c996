"""Capabilities by their flags: files of `.ai/config` as layers, `.env` and the environment, which only tighten."""

from __future__ import annotations

import os
from typing import Any

import pytest

from jackline.compiler.collect import Survey
from jackline.compiler.flags import BY_FLAG
from jackline.services.capabilities import CAPABILITIES, WITH_ANY, State, state_in
from jackline.staleness import fresh

from .project import Project


def states(found: Survey) -> dict[str, State]:
    """What each capability came to."""
    assert found.resolved is not None
    values = found.resolved.values
    leads = {name: f"modules.{one.features[0]}" for name, one in CAPABILITIES.items()}
    come = {name: state_in(values[f"{at}.enabled"], values.get(f"{at}.mode", "enforce")) for name, at in leads.items()}
    return {name: state for name, state in come.items() if state != "off"}


def flags(project: Project, value: Any, name: str = "hooks.runtime.json") -> None:
    project.write(name, value, project.root / ".ai" / "config")


# --- files of flags ------------------------------------------------------------------------------------------------


def test_flags_switch_capabilities_on_with_what_they_need(project: Project) -> None:
    flags(project, {"FEATURE_PLAN": True, "FEATURE_TOOL_GATING": "strict", "FEATURE_PACK": "off"})
    found = project.survey()
    assert states(found) == {"plan": "lenient", "gate": "strict"}
    assert found.resolved is not None
    assert [found.resolved.values.get(f"modules.{slug}.mode", "enforce") for slug in WITH_ANY] == ["enforce"] * len(
        WITH_ANY
    )
    assert found.resolved.values["modules.tool-gate.critical"] is True
    assert found.resolved.layers["modules.plan-graph.enabled"] == "project"


def test_the_local_file_is_the_later_layer_and_ours_wins_over_both(project: Project) -> None:
    flags(project, {"FEATURE_PLAN": "lenient", "FEATURE_PACK": True})
    flags(project, {"FEATURE_PLAN": "strict", "FEATURE_PACK": False}, "hooks.local.json")
    project.trust()
    assert states(project.survey()) == {"plan": "strict"}
    project.manifest({"version": 1, "modules": {"context-pack": {"enabled": True, "mode": "enforce"}}})
    project.trust()
    assert states(project.survey()) == {"plan": "strict"}, "local is above project"
    project.write("hooks.local.json", {"version": 1, "modules": {"context-pack": {"enabled": True, "mode": "warn"}}})
    project.trust()
    assert states(project.survey()) == {"plan": "strict", "pack": "lenient"}


def test_what_a_file_of_flags_loosens_waits_for_a_person(project: Project) -> None:
    project.manifest({"version": 1, "modules": {"plan-graph": {"enabled": True, "mode": "enforce"}}}, project.user)
    flags(project, {"FEATURE_PLAN": False})
    found = project.survey()
    assert states(found) == {"plan": "strict"}
    assert [one.key for one in found.waiting] == [("configuration", ".ai/config/hooks.runtime.json")]
    project.trust()
    assert states(project.survey()) == {}


def test_a_trusted_file_that_is_gone_counts_on(project: Project) -> None:
    project.manifest({"version": 1, "modules": {"plan-graph": {"enabled": True, "mode": "enforce"}}}, project.user)
    flags(project, {"FEATURE_PLAN": False})
    project.trust()
    project.publish()
    (project.root / ".ai/config/hooks.runtime.json").unlink()
    assert states(project.survey()) == {}
    assert [one.state for one in project.survey().standings] == ["gone"]


def test_a_change_of_a_file_of_flags_is_seen(project: Project) -> None:
    flags(project, {"FEATURE_PLAN": True})
    table = project.publish()
    flags(project, {"FEATURE_PLAN": "strict"})
    assert fresh(table) == "stale"


@pytest.mark.parametrize("value", ["maybe", 3, None, ["on"]])
def test_a_value_that_means_nothing_is_a_fault_with_its_place(project: Project, value: Any) -> None:
    flags(project, {"FEATURE_PLAN": value, "FEATURE_PACK": True})
    made = project.compile()
    [fault] = made.faults
    assert (fault.where, fault.path) == (".ai/config/hooks.runtime.json", "FEATURE_PLAN")
    assert states(made.survey) == {}


def test_a_name_that_means_nothing_is_told(project: Project) -> None:
    flags(project, {"version": 1, "FEATURE_PLANS": True, "FEATURE_MEMORY": True, "FEATURE_PACK": True})
    made = project.compile()
    where = ".ai/config/hooks.runtime.json"
    assert f"{where} · FEATURE_PLANS: there is no flag of this name, did you mean FEATURE_PLAN?" in made.warnings
    assert f"{where} · FEATURE_MEMORY: not yet in this version" in made.warnings
    assert states(made.survey) == {"pack": "lenient"}


def test_no_link_leads_to_flags(project: Project) -> None:
    outside = project.root.parent / "theirs.json"
    outside.write_text('{"FEATURE_PLAN": true}')
    (project.root / ".ai/config").mkdir(parents=True)
    (project.root / ".ai/config/hooks.runtime.json").symlink_to(outside)
    assert states(project.survey()) == {}


def test_no_event_asks_about_flags_that_nobody_has(project: Project) -> None:
    project.manifest({"version": 1})
    (project.root / ".env").write_text("SECRET=1\n")
    asked = [path.removeprefix(str(project.root)) for path in project.survey().sources.inputs]
    assert [path for path in asked if path.startswith(("/.ai/config", "/.env"))] == []


# --- environment ---------------------------------------------------------------------------------------------------

STRICT = {"version": 1, "modules": {"plan-graph": {"enabled": True, "mode": "enforce"}}}


@pytest.mark.parametrize("place", ["environment", ".env"])
def test_the_environment_only_tightens(project: Project, monkeypatch: pytest.MonkeyPatch, place: str) -> None:
    def say(**given: str) -> dict[str, State]:
        if place == ".env":
            lines = [f"{name}={value}\n" for name, value in given.items()]
            (project.root / ".env").write_text("# flags\nOTHER='x\n" + "".join(lines))
        else:
            for name in BY_FLAG:
                monkeypatch.delenv(name, raising=False)
            for name, value in given.items():
                monkeypatch.setenv(name, value)
        return states(project.survey())

    assert say(FEATURE_PLAN="1", FEATURE_PACK="strict") == {"plan": "lenient", "pack": "strict"}
    assert say(FEATURE_PLAN="perhaps") == {}
    project.manifest(STRICT, project.user)
    assert say(FEATURE_PLAN="0") == {"plan": "strict"}
    assert say(FEATURE_PLAN="lenient") == {"plan": "strict"}
    told = [line for line in project.compile().warnings if "FEATURE_PLAN" in line]
    assert told == [f"{place} · FEATURE_PLAN: lenient does not count: it may only tighten"]
    assert project.survey().resolved.layers["modules.plan-graph.enabled"] == "user"  # type: ignore[union-attr]


WRITTEN = [
    ("export FEATURE_PLAN=true", "lenient"),
    ('FEATURE_PLAN="strict" # always', "strict"),
    ("FEATURE_PLAN='on'", "lenient"),
    ("  FEATURE_PLAN = strict\r", "strict"),
    ("#FEATURE_PLAN=true", None),
    ("MY_FEATURE_PLAN=true", None),
    ("FEATURE_PLAN=", None),
]


@pytest.mark.parametrize(("line", "state"), WRITTEN)
def test_a_line_of_an_env_file_is_read_as_shells_do(project: Project, line: str, state: State | None) -> None:
    (project.root / ".env").write_text(f"A=1\n{line}\nB=2\n")
    assert states(project.survey()).get("plan") == state


def test_a_change_of_flags_in_an_env_file_is_seen(project: Project) -> None:
    (project.root / ".env").write_text("FEATURE_PLAN=1\n")
    table = project.publish()
    (project.root / ".env").write_text("FEATURE_PLAN=strict\n")
    assert fresh(table) == "stale"


@pytest.mark.parametrize("kind", ["link", "folder", "large", "bytes"])
def test_what_is_no_env_file_says_nothing(project: Project, kind: str) -> None:
    path = project.root / ".env"
    if kind == "link":
        (project.root.parent / "env").write_text("FEATURE_PLAN=1\n")
        path.symlink_to(project.root.parent / "env")
    elif kind == "folder":
        path.mkdir()
    elif kind == "bytes":
        path.write_bytes(b"\xff\nFEATURE_PLAN=1\n")
    else:
        path.write_bytes(b"A=" + b"x" * (1 << 16) + b"\nFEATURE_PLAN=1\n")
    assert states(project.survey()) == {}
    assert project.compile().faults == ()


def test_what_stands_there_already_is_nothing_of_the_environments(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert not any(name in os.environ for name in BY_FLAG)
    flags(project, {"FEATURE_PLAN": "strict"})
    before = project.survey()
    monkeypatch.setenv("FEATURE_PLAN", "strict")
    again = project.survey()
    assert (again.layers, again.resolved, again.digest) == (before.layers, before.resolved, before.digest)
