"""`jackline feature new`: a feature from the template joins by the bus and its flag, with no change of ours."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from jackline.compiler.write import refresh
from jackline.hook_table import HookSpec
from jackline.services.plans.one_line_plan import quick

from .conftest import SRC, Desk

NAME = "release-notes"
FLAG = "FEATURE_RELEASE_NOTES"


@pytest.fixture
def made(desk: Desk) -> Desk:
    """A fresh project with the feature, trusted by its person, and with plans."""
    said = desk.jackline("feature", "new", NAME).out
    assert said.startswith(f"wrote .ai/hooks/features/{NAME}\n")
    desk.manifest({"version": 1, "modules": {name: {"enabled": True} for name in ("work-init", "plan-graph")}})
    agree(desk)
    return desk


def agree(desk: Desk) -> None:
    desk.jackline("trust", "--yes", desk.jackline("trust", "--json", code=1).data["digest"])


def folder(desk: Desk) -> Path:
    return desk.hooks / "features" / NAME


def row(desk: Desk) -> HookSpec | None:
    refresh(str(desk.root), str(desk.store))
    return desk.table().row(NAME)


def plan(desk: Desk) -> str:
    """An agent writes a plan to its place; the artifact that comes of it."""
    desk.begin()
    desk.prompt("go on")
    path = desk.place / "work/w001/plan/planGraph.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(quick("better notes", ["src/**"]))
    given = {"file_path": str(path), "content": path.read_text()}
    desk.say(desk.tool(event="PostToolUse", tool_name="Write", tool_input=given, tool_response={}))
    return str(desk.state()["core"]["latest"]["plan_accepted"]["id"])


def bus(desk: Desk, kind: str) -> list[dict[str, Any]]:
    rows = [json.loads(line) for line in (desk.place / "registry.jsonl").read_text().splitlines()]
    return [one for one in rows if one["kind"] == kind]


# --- the folder ----------------------------------------------------------------------------------------------------


def test_one_folder_has_all_that_a_feature_is(desk: Desk) -> None:
    data = desk.jackline("feature", "new", NAME, "--json").data
    assert data == {"path": f".ai/hooks/features/{NAME}", "name": NAME, "hears": "plan_accepted", "flag": FLAG}
    names = ["README.md", "defaults.json", "hook.py", "knobs.schema.json", "test_hook.py"]
    assert sorted(path.name for path in folder(desk).iterdir()) == names
    assert FLAG in (folder(desk) / "README.md").read_text()
    assert desk.jackline("compile", "--check").code == 0


def test_its_own_test_passes_and_its_types_hold(desk: Desk) -> None:
    desk.jackline("feature", "new", NAME)
    for words in (("pytest", "-q", "-p", "no:cacheprovider", "test_hook.py"), ("mypy", "--strict", "hook.py")):
        done = subprocess.run(
            [sys.executable, "-m", *words], cwd=folder(desk), capture_output=True, text=True, check=False,
            env={"PATH": "/usr/bin:/bin", "MYPYPATH": str(SRC), "PYTHONPATH": str(SRC), "HOME": str(desk.home)},
        )  # fmt: skip
        assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("Release Notes",), 2, "expected small letters"),
        (("../x",), 2, "expected small letters"),
        (("tool-gate",), 2, "jackline eject tool-gate"),
        (("notes", "--hears", "a b"), 2, "expected a kind of artifact"),
        (("notes", "--hears", '"), evil=("'), 2, "expected a kind of artifact"),
    ],
)
def test_a_name_that_can_be_none_is_refused(desk: Desk, words: tuple[str, ...], code: int, said: str) -> None:
    assert said in desk.jackline("feature", "new", *words, code=code).err
    assert not desk.hooks.exists()


def test_nothing_is_overwritten_and_no_link_followed(desk: Desk) -> None:
    desk.jackline("feature", "new", NAME)
    (folder(desk) / "hook.py").write_text("mine\n")
    assert "it exists already" in desk.jackline("feature", "new", NAME, code=1).err
    assert (folder(desk) / "hook.py").read_text() == "mine\n"
    (desk.folder / "elsewhere").mkdir()
    (desk.hooks / "features/linked").symlink_to(desk.folder / "elsewhere")
    assert "it exists already" in desk.jackline("feature", "new", "linked", code=1).err
    assert list((desk.folder / "elsewhere").iterdir()) == []


ASKS = """
from jackline.services import guards
answer = guards.judge("{command}", guards.of_context(event, ctx))
return note(ctx.slug, answer.why or "it passes")
"""


@pytest.mark.parametrize(
    ("command", "said"), [("pytest -q", "it passes"), ("jackline trust --yes", "it is refused: trust is for a person")]
)
def test_it_asks_the_guards_about_a_command_that_it_would_run(desk: Desk, command: str, said: str) -> None:
    desk.jackline("feature", "new", NAME)
    handler, file = (
        "".join("    " + line for line in ASKS.format(command=command).splitlines(True)),
        folder(desk) / "hook.py",
    )
    file.write_text(file.read_text().partition('    """None means')[0] + handler)
    agree(desk)
    desk.begin()
    assert f"{NAME}: {said}" in desk.pre("ls").body["hookSpecificOutput"]["additionalContext"]
    assert desk.rows("ERROR_MODULE", "SELF_PROTECT_DENY") == []


# --- it joins ------------------------------------------------------------------------------------------------------


def test_it_hears_what_ours_announces_and_answers_on_the_bus(made: Desk) -> None:
    heard = plan(made)
    said = made.pre("ls").body["hookSpecificOutput"]["additionalContext"]
    assert f"{NAME}: work/w001/plan/planGraph.json is there" in said
    [answer] = bus(made, "release_notes_answer")
    assert (answer["dependsOn"], answer["producer"]) == ([heard], NAME)
    assert made.state()[NAME] == {"seen": heard}
    assert "additionalContext" not in made.pre("ls").body.get("hookSpecificOutput", {}), "once"
    tree = made.jackline("artifacts", "tree").out
    assert tree.index("release_notes_answer") < tree.index("plan_accepted")
    assert made.rows("ERROR_MODULE") == []


def test_it_is_listed_as_ours_are(made: Desk) -> None:
    [one] = [one for one in made.jackline("features", "--json").data if one["feature"] == NAME]
    assert (one["needs"], one["produces"], one["services"]) == (
        ["plan_accepted"], ["release_notes_answer"], ["artifacts"],
    )  # fmt: skip
    assert (one["state"], one["waits"]) == ("strict", ["plan_accepted: plan-graph makes it"])


def test_a_person_switches_it_by_its_name(made: Desk) -> None:
    made.jackline("enable", NAME, "--yes")
    assert getattr(row(made), "mode", "") == "warn"
    made.jackline("disable", NAME, "--yes")
    assert row(made) is not None and getattr(row(made), "mode", "") == "enforce", "as it was"


def test_its_flag_switches_it_in_the_project_and_counts_when_trusted(made: Desk) -> None:
    flags = made.root / ".ai/config/hooks.runtime.json"
    flags.parent.mkdir()
    flags.write_text(json.dumps({FLAG: False}))
    assert row(made) is not None, "nobody trusts it yet"
    agree(made)
    assert row(made) is None
    flags.write_text(json.dumps({FLAG: "lenient"}))
    agree(made)
    found = row(made)
    assert found is not None and found.mode == "warn"


@pytest.mark.parametrize("place", ["environment", ".env"])
def test_its_flag_of_the_environment_only_tightens(made: Desk, place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def say(value: str) -> None:
        if place == ".env":
            (made.root / ".env").write_text(f"{FLAG}={value}\n")
        else:
            monkeypatch.setenv(FLAG, value)

    say("0")
    assert row(made) is not None, "it may only tighten"
    modules = {"release-notes": {"enabled": False}}
    (made.hooks / "dispatch.manifest.json").write_text(json.dumps({"version": 1, "modules": modules}))
    agree(made)
    assert row(made) is None
    say("strict")
    found = row(made)
    assert found is not None and found.mode == "enforce"


def test_a_flag_of_no_feature_is_told(made: Desk) -> None:
    flags = made.root / ".ai/config/hooks.runtime.json"
    flags.parent.mkdir()
    flags.write_text(json.dumps({"FEATURE_SOMETHING_ELSE": True}))
    told = refresh(str(made.root), str(made.store)).warnings
    assert ".ai/config/hooks.runtime.json · modules.something-else: there is no feature of this name" in told
