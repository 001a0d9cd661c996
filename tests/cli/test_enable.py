"""`enable` and `disable`: capabilities on and off, in the file of each scope, and every file as it was afterwards."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from jackline.compiler.registry import KNOWN
from jackline.hook_table import HookSpec
from jackline.install.switches import BOOK
from jackline.services.capabilities import CAPABILITIES, WITH_ANY

from .conftest import Desk

STAND_INS = ("context-pack", "plan-graph", "tool-gate", "validators")
"""Features that a project brings itself, under the names of ours."""

WRITTEN = """{
  // ours since spring
  "version": 1,
  "budgets": {"PreToolUse": 300},   "modules": {
    "stale-file": { "enabled":true }, /* kept */
  },
}
"""


@pytest.fixture
def team(desk: Desk) -> Desk:
    """A project whose features stand in for those of ours that a version may not have."""
    for slug in STAND_INS:
        desk.feature(slug, "return None", supports=("Stop",))
    desk.jackline("trust", "--yes", desk.jackline("trust", "--json", code=1).data["digest"])
    return desk


def tree(desk: Desk) -> dict[str, bytes]:
    """Every file of the project beside its sessions' and git's."""
    found = [path for path in sorted(desk.root.rglob("*")) if path.is_file()]
    names = {str(path.relative_to(desk.root)): path.read_bytes() for path in found}
    return {name: data for name, data in names.items() if not name.startswith((".git/", ".ai/tmp/"))}


def manifest(desk: Desk) -> Path:
    return desk.hooks / "dispatch.manifest.json"


def row(desk: Desk, slug: str) -> HookSpec | None:
    return desk.table().row(slug)


def modes(desk: Desk, *slugs: str) -> list[str]:
    return [one.mode if (one := row(desk, slug)) else "off" for slug in slugs]


def states(desk: Desk, *words: str, code: int = 0) -> Any:
    return desk.jackline("enable", *words, "--yes", "--json", code=code).data


# --- on and off ----------------------------------------------------------------------------------------------------


def test_a_plan_brings_what_works_with_it_and_blocks_nothing(team: Desk) -> None:
    before = tree(team)
    done = team.jackline("enable", "plan", "--yes")
    assert done.out.startswith(
        "pack, plan, gate: lenient, they tell and never block   (.ai/hooks/dispatch.manifest.json)\n"
    )
    assert "agents learn it from AGENTS.md, CLAUDE.md (" in done.out
    assert "next: work as always; `jackline plan show --follow` to watch" in done.out
    assert modes(team, "context-pack", "plan-graph", "tool-gate", "planGraph-exec", "validators") == ["warn"] * 4 + [
        "off"
    ]
    assert team.jackline("trust", "--json").data["trusted"] is True
    assert team.jackline("disable", "plan", "--yes").out.startswith("pack, plan, gate: off   (")
    assert tree(team) == before
    assert modes(team, "plan-graph", "tool-gate", "planGraph-exec") == ["off", "off", "enforce"]
    assert not (team.store / BOOK).exists()


def test_strict_is_said_to_the_features_and_to_the_agents(team: Desk) -> None:
    team.jackline("enable", "plan", "--yes")
    lenient = (team.root / "AGENTS.md").read_text()
    assert "pack, plan, gate: what comes too early is told." in lenient
    assert "plan, gate: strict, they refuse" not in team.jackline("enable", "plan", "--yes", "--lenient").out
    said = team.jackline("enable", "plan", "--strict", "--yes").out
    assert said.startswith("pack, plan, gate: strict, they refuse what comes too early   (")
    assert modes(team, "plan-graph", "tool-gate", "planGraph-exec") == ["enforce"] * 3
    assert "pack, plan, gate: what comes too early is refused." in (team.root / "CLAUDE.md").read_text()


def test_what_is_on_already_changes_nothing(team: Desk) -> None:
    team.jackline("enable", "plan", "--yes")
    before, book = tree(team), (team.store / BOOK).read_bytes()
    assert "pack, plan, gate: already lenient" in team.jackline("enable", "plan", "--yes").out
    assert (tree(team), (team.store / BOOK).read_bytes()) == (before, book)
    team.jackline("disable", "plan", "--yes")
    assert "plan: nothing to switch off" in team.jackline("disable", "plan", "--yes").out


def test_a_persons_text_keeps_every_byte_but_ours(team: Desk) -> None:
    manifest(team).write_text(json.dumps({"version": 1, "modules": {"stale-file": {"enabled": True}}}))
    before = tree(team)
    team.jackline("enable", "pack", "--strict", "--yes")
    team.jackline("enable", "gate", "--yes")
    team.jackline("disable", "pack", "--yes")
    assert modes(team, "stale-file", "tool-gate") == ["enforce", "warn"]
    team.jackline("disable", "gate", "--yes")
    assert tree(team) == before


def test_what_somebody_wrote_meanwhile_stays(team: Desk) -> None:
    manifest(team).write_text('{\n  "version": 1,\n  "prompts": "off"\n}\n')
    team.jackline("enable", "plan", "--yes")
    text = manifest(team).read_text()
    manifest(team).write_text(text.replace('"prompts": "off"', '"prompts": "off",\n  "strict": true'))
    assert "read it first" in team.jackline("disable", "plan", "--yes", code=1).err
    team.jackline("trust", "--yes", team.jackline("trust", "--json", code=1).data["digest"])
    team.jackline("disable", "plan", "--yes")
    assert manifest(team).read_text() == '{\n  "version": 1,\n  "prompts": "off",\n  "strict": true\n}\n'


def test_one_of_those_that_came_along_is_switched_off_alone(team: Desk) -> None:
    team.jackline("enable", "plan", "--yes")
    team.jackline("disable", "gate", "--yes")
    said = json.loads(manifest(team).read_text())["modules"]
    assert "tool-gate" not in said
    assert said["plan-graph"] == {"enabled": True, "mode": "warn"}
    team.jackline("disable", "plan", "--yes")
    assert not manifest(team).exists()


def test_what_a_colleague_switched_on_is_switched_off(team: Desk) -> None:
    """A file that another machine's command wrote: this store's book knows nothing of it."""
    team.jackline("enable", "plan", "--yes")
    (team.store / BOOK).unlink()
    team.jackline("disable", "plan", "--yes")
    assert "plan-graph" not in json.loads(manifest(team).read_text()).get("modules", {})


@pytest.mark.parametrize("scope", ["user", "local"])
def test_one_persons_capability_is_no_text_for_everybody(team: Desk, scope: str) -> None:
    before = tree(team)
    file = states(team, "plan", "--scope", scope)["file"]
    assert json.loads(Path(file).read_text())["modules"]["plan-graph"] == {"enabled": True, "mode": "warn"}
    assert not (team.root / "AGENTS.md").exists()
    assert modes(team, "tool-gate") == ["warn"]
    team.jackline("disable", "plan", "--yes")
    assert tree(team) == before
    assert not Path(file).exists()


@pytest.mark.parametrize("scope", ["project", "user", "local"])
def test_agents_are_told_in_a_file_or_at_their_sessions_start(desk: Desk, scope: str) -> None:
    desk.jackline("enable", "plan", "--scope", scope, "--yes")
    said = json.dumps(desk.begin().body)
    told = "plan, gate: what comes too early is told." in said or "pack, plan, gate: what comes" in said
    assert told is (scope != "project")
    assert told is not (desk.root / "AGENTS.md").exists()


def test_any_feature_is_switched_on_by_its_name(desk: Desk) -> None:
    assert states(desk, "intent-scope", "--strict")["capabilities"] == {"intent-scope": "strict"}
    assert modes(desk, "intent-scope") == ["enforce"]
    assert (
        "intent-scope: already strict, it refuses   ("
        in desk.jackline("enable", "intent-scope", "--strict", "--yes").out
    )
    desk.jackline("disable", "intent-scope", "--yes")
    assert row(desk, "intent-scope") is None


def test_with_any_capability_comes_what_all_need(team: Desk) -> None:
    for slug in WITH_ANY:
        team.feature(slug, "return None", supports=("Stop",))
    team.jackline("trust", "--yes", team.jackline("trust", "--json", code=1).data["digest"])
    team.jackline("enable", "pack", "--yes")
    assert modes(team, *WITH_ANY) == ["warn"] * len(WITH_ANY)
    team.jackline("enable", "gate", "--strict", "--yes")
    assert modes(team, *WITH_ANY) == ["enforce"] * len(WITH_ANY)


def test_from_telling_to_refusing_and_back(desk: Desk) -> None:
    """With the features of this version: what lenient told, strict refuses; the session's history stays."""
    (desk.root / "src").mkdir()
    (desk.root / "src/a.py").write_text("x = 1\n" * 50)
    before = tree(desk)

    def edit() -> Any:
        given = {"file_path": str(desk.root / "src/a.py"), "content": "y = 2\n" * 40}
        call = desk.payload("PreToolUse", tool_name="Write", tool_input=given, tool_use_id="t1")
        return desk.say(call | {"tool_use_id": f"t{len(desk.rows('TOOL_DECISION'))}"})

    desk.jackline("enable", "plan", "--yes")
    desk.begin()
    desk.prompt("change all of it")
    assert "tool-gate would deny" in edit().body["systemMessage"]
    [told] = [one for one in desk.jackline("report", "--json").data["strict"] if one["feature"] == "tool-gate"]
    assert (told["refused"], told["calls"], told["tasks"]) == (1, 1, 1)
    desk.jackline("enable", "plan", "--strict", "--yes")
    refused = edit()
    assert refused.decision == "deny"
    assert "jackline plan quick" in refused.reason
    desk.jackline("disable", "plan", "--yes")
    assert edit().decision == ""
    assert tree(desk) == before
    assert desk.decided() == ["allow", "deny", "allow"]


def test_the_file_of_one_person_is_none_for_git(desk: Desk) -> None:
    said = desk.jackline("enable", "stale-file", "--scope", "local", "--yes").out
    assert "! git does not ignore .ai/hooks/hooks.local.json · jackline init writes the line" in said
    desk.jackline("init", "--client", "claude-code")
    assert "does not ignore" not in desk.jackline("enable", "stale-file", "--scope", "local", "--yes").out


def test_a_flag_of_the_environments_file_is_in_force_and_told(desk: Desk) -> None:
    (desk.root / ".env").write_text("DB=x\nexport FEATURE_PLAN=strict FEATURE_X=1\nFEATURE_TOOL_GATING='strict'\n")
    (desk.root / "a.py").write_text("x = 1\n" * 50)
    desk.begin()
    desk.prompt("change all of it")
    given = {"file_path": str(desk.root / "a.py"), "content": "y = 2\n" * 40}
    refused = desk.say(desk.payload("PreToolUse", tool_name="Write", tool_input=given, tool_use_id="t1"))
    assert refused.decision == "deny"
    said = desk.jackline("disable", "gate", "--yes", code=1).out
    assert "gate is still on, by the layer environment · jackline features gate" in said
    [gate] = desk.jackline("features", "gate", "--json").data
    assert (gate["state"], gate["layer"]) == ("strict", "environment")


def test_what_is_here_of_a_capability_is_switched_on(team: Desk) -> None:
    """With the feature that leads it or without; what is not here yet is named."""
    here = [slug for slug in CAPABILITIES["subagents"].features if KNOWN[slug].here]
    done = team.jackline("enable", "subagents", "--yes", code=0 if here else 2)
    for slug in CAPABILITIES["subagents"].features if here else ():
        assert (f"– {slug}  not yet in this version, left out" in done.out) is (slug not in here)
    assert modes(team, *here) == ["warn"] * len(here)
    assert team.jackline("enable", "subagents", "--yes", "--json").data["capabilities"] == {"subagents": "lenient"}
    team.jackline("disable", "subagents", "--yes")
    assert modes(team, *here) == ["off"] * len(here)


# --- refused -------------------------------------------------------------------------------------------------------

ABSENT = [name for name, one in CAPABILITIES.items()
          if not any(KNOWN[slug].here for slug in one.features if not KNOWN[slug].on)]  # fmt: skip


def test_what_is_not_here_yet_is_refused_with_a_sentence(desk: Desk) -> None:
    for name in [*ABSENT, "memory-journal"]:
        said = desk.jackline("enable", name, "--yes", code=2).err
        assert f"{name} · not yet in this version · jackline features lists what there is" in said
    assert tree(desk) == {}


def test_an_unknown_name_is_refused_with_the_nearest(desk: Desk) -> None:
    assert (
        "there is no capability 'plann' · did you mean plan?" in desk.jackline("enable", "plann", "--yes", code=2).err
    )
    assert "there is no capability" in desk.jackline("disable", "../x", "--yes", code=2).err


def test_what_nobody_read_is_not_trusted_along(team: Desk) -> None:
    manifest(team).write_text('{"version": 1, "modules": {"command-guard": {"enabled": false}}}')
    before = tree(team)
    said = team.jackline("enable", "plan", "--yes", code=1).err
    assert ".ai/hooks/dispatch.manifest.json · is not trusted yet · read it first: jackline trust --diff" in said
    assert tree(team) == before


@pytest.mark.parametrize("text", ["[1]", '{"version": 1, "modules": [', '{"version": 1, "modules": []}'])
def test_a_file_that_is_none_stays_as_it_was(team: Desk, text: str) -> None:
    manifest(team).write_text(text)
    team.jackline("enable", "plan", "--yes", code=1)
    assert manifest(team).read_text() == text


def test_no_link_is_followed(team: Desk) -> None:
    outside = team.root / ".ai" / "theirs.json"
    outside.write_text('{"version": 1}')
    manifest(team).symlink_to(outside)
    assert "is reached through a link" in team.jackline("enable", "plan", "--yes", code=1).err
    assert outside.read_text() == '{"version": 1}'


def test_without_a_terminal_a_yes_is_needed(team: Desk) -> None:
    assert "no terminal to ask on · add --yes" in team.jackline("enable", "plan", code=2).err
    assert "no terminal to ask on · add --yes" in team.jackline("disable", "plan", code=2).err


def test_a_book_that_cannot_be_read_is_told(team: Desk) -> None:
    (team.store / BOOK).write_text("{")
    assert "cannot be read" in team.jackline("enable", "plan", "--yes", code=1).err


# --- checks --------------------------------------------------------------------------------------------------------

PYPROJECT = '[tool.pytest.ini_options]\naddopts = "-q"\n[tool.ruff]\n'
ROWS = """\
# Checks of this project: when they run, and the paths they judge.
validators:
  - id: pytest
    command: [pytest, -q]
    paths: ['**/*.py']
    when: node
  - id: ruff
    command: [ruff, check, .]
    paths: ['**/*.py']
    when: change
"""


def test_checks_that_are_found_are_written_with_a_yes(team: Desk) -> None:
    (team.root / "pyproject.toml").write_text(PYPROJECT)
    before = tree(team)
    done = team.jackline("enable", "plan", "--yes")
    assert "validators: pytest -q, ruff check .   (.ai/hooks/validators.yaml)" in done.out
    assert (team.hooks / "validators.yaml").read_text() == ROWS
    assert modes(team, "validators") == ["warn"]
    assert states(team, "plan")["checks"] == []
    team.jackline("disable", "plan", "--yes")
    assert tree(team) == before


@pytest.mark.parametrize(("keys", "written"), [(b"y\n", True), (b"n\n", False)], ids=["yes", "no"])
def test_in_a_terminal_the_person_is_asked(team: Desk, keys: bytes, written: bool) -> None:
    (team.root / "pyproject.toml").write_text(PYPROJECT)
    done = team.typed("enable", "plan", keys=keys)
    assert done.code == 0, done
    asked = "checks found: pytest -q, ruff check .   use them (.ai/hooks/validators.yaml, trusted)? [y/N]"
    assert asked in done.out
    assert (team.hooks / "validators.yaml").exists() is written
    assert modes(team, "validators") == ["warn" if written else "off"]


def test_a_persons_rows_stay_as_they_are(team: Desk) -> None:
    (team.root / "pyproject.toml").write_text(PYPROJECT)
    theirs = "validators:\n- id: pytest   # slow\n  command: [pytest, -x]\n  when: stop"
    (team.hooks / "validators.yaml").write_text(theirs)
    team.jackline("enable", "validators", "--yes")
    text = (team.hooks / "validators.yaml").read_text()
    assert text.startswith(theirs + "\n- id: ruff\n  command: [ruff, check, .]\n")
    (team.hooks / "validators.yaml").write_text(text + "- id: more\n  command: [true]\n")
    team.jackline("disable", "validators", "--yes")
    assert (team.hooks / "validators.yaml").read_text() == theirs + "\n- id: more\n  command: [true]\n"


def test_no_row_of_anybody_else_is_trusted_along(team: Desk) -> None:
    (team.root / "pyproject.toml").write_text(PYPROJECT)
    (team.hooks / "validators.yaml").write_text("validators:\n  - id: theirs\n    command: [rm, -rf, x]\n")
    team.jackline("enable", "validators", "--yes")
    units = {one["place"]: one["state"] for one in team.jackline("trust", "--json", code=1).data["units"]}
    states = {place.partition("#")[2]: state for place, state in units.items() if "#" in place}
    assert states == {"theirs": "new", "pytest": "trusted", "ruff": "trusted"}


def test_no_checks_are_proposed_where_none_are_wanted(team: Desk) -> None:
    (team.root / "pyproject.toml").write_text(PYPROJECT)
    team.jackline("enable", "plan", "--no-checks", "--yes")
    team.jackline("enable", "pack", "--yes")
    assert not (team.hooks / "validators.yaml").exists()


def test_git_sees_nothing_of_it_but_what_was_written(team: Desk) -> None:
    subprocess.run(["git", "add", "."], cwd=team.root, check=True, env=team.env)
    team.jackline("enable", "plan", "--yes")
    status = ["git", "status", "--porcelain", "--untracked-files=all"]
    listed = subprocess.run(status, cwd=team.root, env=team.env, check=True, capture_output=True, text=True)
    fresh = [line[3:] for line in listed.stdout.splitlines() if line.startswith("??")]
    assert [name for name in fresh if not name.startswith(".ai/tmp/")] == [
        ".ai/hooks/dispatch.manifest.json",
        "AGENTS.md",
        "CLAUDE.md",
    ]
