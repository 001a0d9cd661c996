"""`docs/writing-a-feature.md`: every example runs and type-checks, every word of the SDK is described."""

from __future__ import annotations

import ast
import inspect
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cli.conftest import Desk
from docs.blocks import Block, blocks, shows
from docs.regions import REPO
from docs.test_contract import quoted
from jackline import sdk, session_paths
from jackline.cli.parts import hook_states
from jackline.compiler import schemas
from jackline.compiler.declare import WORDS
from jackline.compiler.write import refresh
from jackline.model import Action, Event
from jackline.runtime.sanitize import FITS, KEPT
from scene import Scene

PAGE = REPO / "docs/writing-a-feature.md"
TEXT = PAGE.read_text()
EXAMPLES = [block for block in blocks(TEXT, "python") if block.note and "/" not in block.note]
TESTS = [block for block in blocks(TEXT, "python") if "/" in block.note]


def install(scene: Scene, block: Block) -> None:
    """Put an example where it belongs, with its files, and trust it as a person does."""
    folder = scene.hooks / "features" / block.note
    folder.mkdir(parents=True)
    (folder / "hook.py").write_text(block.text)
    for other in blocks(TEXT, "json"):
        if other.note.startswith(block.note + "/"):
            (folder / other.note.rpartition("/")[2]).write_text(other.text)
    scene.trust()
    made = refresh(str(scene.root), str(scene.store))
    assert made.faults == ()


def wrote(scene: Scene, name: str, text: str) -> dict[str, Any]:
    given = {"file_path": str(scene.root / name), "content": text}
    return scene.tool(tool_name="Write", tool_input=given)


def _no_migrate(scene: Scene) -> None:
    assert scene.pre("make migrate").reason.split("\n")[:3] == [
        "no migrations from an agent",
        "no-migrate: the database is changed by people",
        "ask a person to run `make migrate`",
    ]
    assert scene.pre("make test").decision == ""


def _env_files(scene: Scene) -> None:
    read = scene.tool(tool_name="Read", tool_input={"file_path": str(scene.root / "app/.env.local")})
    assert scene.say(read).decision == "ask"
    assert scene.say(scene.tool(tool_name="Read", tool_input={"file_path": "README.md"})).decision == ""


def _no_friday_push(scene: Scene) -> None:
    """What day it is, is its test's to say."""
    assert scene.pre("echo git push").decision == ""


def _quiet_tests(scene: Scene) -> None:
    said = scene.pre("pytest").body["hookSpecificOutput"]
    assert said["updatedInput"] == {"command": "pytest -q"}
    assert "was added" in said["additionalContext"]


def _house_rules(scene: Scene) -> None:
    said = scene.begin().body["hookSpecificOutput"]["additionalContext"]
    assert said.startswith("house rules: Tests stand beside")


def _tests_first(scene: Scene) -> None:
    scene.prompt()
    stop = scene.payload("Stop", stop_hook_active=False)
    assert scene.say(stop).body == {}
    scene.say({**wrote(scene, "a.py", "x"), "hook_event_name": "PostToolUse", "tool_response": {}})
    assert scene.say(stop).body["decision"] == "block"
    scene.say(scene.tool("python -m pytest", event="PostToolUse"))
    assert scene.say(stop).body == {}
    assert scene.state()["tests-first"] == {"pending": False}


def _turn_notes(scene: Scene) -> None:
    scene.prompt()
    scene.say(scene.payload("Stop", stop_hook_active=False))
    row = json.loads((scene.place / "registry.jsonl").read_text())
    assert (row["kind"], row["ref"], row["summary"]) == ("note", "turn-notes/output/turn-1.md", "turn 1")
    assert (scene.place / row["ref"]).read_text() == "turn 1 of w001 ended\n"


def _long_files(scene: Scene) -> None:
    assert scene.say(wrote(scene, "a.txt", "x\n" * 10)).decision == ""
    assert scene.say(wrote(scene, "a.txt", "x\n" * 401)).reason.startswith(
        "402 lines, 400 are the most — refused by long-files\n"
    )
    (scene.hooks / "config.json").write_text('{"long-files": {"lines": 5}}')
    scene.trust()
    refresh(str(scene.root), str(scene.store))
    assert scene.say(wrote(scene, "a.txt", "x\n" * 10)).decision == "deny"


def _valid_data(scene: Scene) -> None:
    # the example imports a large package; a busy machine may take longer for that than the budget of 300 ms
    (scene.hooks / "dispatch.manifest.json").write_text('{"version": 1, "budgets": {"PreToolUse": 10000}}')
    scene.trust()
    refresh(str(scene.root), str(scene.store))
    assert scene.say(wrote(scene, "people.json", '[{"name": "Ada"}]')).decision == ""
    assert scene.say(wrote(scene, "people.json", "[{}]")).reason.startswith(
        "'name' is a required property — refused by valid-data\n"
    )


DOES: dict[str, Callable[[Scene], None]] = {
    "no-migrate": _no_migrate,
    "env-files": _env_files,
    "no-friday-push": _no_friday_push,
    "quiet-tests": _quiet_tests,
    "house-rules": _house_rules,
    "tests-first": _tests_first,
    "turn-notes": _turn_notes,
    "long-files": _long_files,
    "valid-data": _valid_data,
}


def test_every_example_is_tried() -> None:
    assert [block.note for block in EXAMPLES] == list(DOES)


@pytest.mark.parametrize("block", EXAMPLES, ids=[block.note for block in EXAMPLES])
def test_the_example_does_what_is_said(block: Block, scene: Scene) -> None:
    """Installed as told, trusted, and asked through the door."""
    install(scene, block)
    DOES[block.note](scene)
    assert scene.rows("ERROR_MODULE") == []


@pytest.mark.parametrize("block", TESTS, ids=[block.note for block in TESTS])
def test_the_test_of_an_example_passes(block: Block, tmp_path: Path) -> None:
    name, _, file = block.note.partition("/")
    (example,) = [one.text for one in EXAMPLES if one.note == name]
    (tmp_path / "hook.py").write_text(example)
    (tmp_path / file).write_text(block.text)
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", file],
        cwd=tmp_path,
        env={"PYTHONPATH": str(REPO / "src"), "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout


def test_observe_warn_enforce(scene: Scene) -> None:
    """The way of adoption: logged, told, decided."""
    install(scene, EXAMPLES[0])
    manifest = scene.hooks / "dispatch.manifest.json"
    example = json.loads(next(one.text for one in blocks(TEXT, "json") if one.note == "manifest"))
    said = {}
    for mode in ("observe", "warn", "enforce"):
        example["modules"]["no-migrate"]["mode"] = mode
        manifest.write_text(json.dumps(example))
        scene.trust()
        refresh(str(scene.root), str(scene.store))
        scene.pre("echo once")  # the missing plan is mentioned once
        said[mode] = scene.pre("make migrate")
    assert said["observe"].body == {}
    assert said["warn"].decision == ""
    assert "no-migrate would deny" in said["warn"].body["systemMessage"]
    assert said["enforce"].decision == "deny"
    assert [row["decision"] for row in scene.rows("WOULD_DENY")] == ["deny", "deny"]


def test_examples_type_check(tmp_path: Path) -> None:
    """mypy, strict, as for our own code."""
    for at, block in enumerate(blocks(TEXT + (REPO / "README.md").read_text(), "python")):
        name, _, test = block.note.partition("/")
        if test:
            (tmp_path / "hook.py").write_text(next(one.text for one in EXAMPLES if one.note == name))
        (tmp_path / f"example_{at}.py").write_text(block.text)
    command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(tmp_path / "cache"), str(tmp_path)]
    done = subprocess.run(
        command,
        cwd=tmp_path,
        env={"MYPYPATH": str(REPO / "src"), "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout


def public(module: object) -> list[str]:
    """Functions and classes that a module itself defines."""
    made = vars(module)
    return [name for name, one in made.items() if inspect.isfunction(one) or inspect.isclass(one)]


ANSWERS = [name for name, one in vars(sdk).items() if inspect.isfunction(one) and name != "hook"]


@pytest.mark.parametrize("name", ANSWERS)
def test_each_answer_is_described_with_its_arguments(name: str) -> None:
    given = inspect.signature(vars(sdk)[name]).parameters
    shown = ", ".join(key + ("=" if one.kind is one.KEYWORD_ONLY else "") for key, one in given.items())
    assert f"{name}({shown})" in quoted(TEXT)


def test_each_argument_of_the_decorator_is_described() -> None:
    given = inspect.signature(sdk.hook).parameters
    assert set(given) == set(WORDS)
    for name, one in given.items():
        row = next(line for line in TEXT.split("\n") if line.startswith(f"| `{name}` |"))
        if isinstance(one.default, (bool, int, str)):
            assert row.endswith(f"| `{one.default}` |"), row


@pytest.mark.parametrize("field", Action._fields)  # type: ignore[attr-defined,unused-ignore]
def test_each_field_of_an_action_is_described(field: str) -> None:
    assert field in quoted(TEXT)


def test_each_field_of_the_event_is_described() -> None:
    fields = {name for name in vars(Event("PreToolUse")) if not name.startswith("_")} | {"paths", "effects"}
    table = TEXT.partition("## The event")[2].partition("## The context")[0]
    assert fields <= quoted(table)


def test_all_of_the_context_is_described() -> None:
    table = TEXT.partition("## The context")[2].partition("## State")[0]
    told = {one.partition("(")[0] for one in quoted(table)}
    context = sdk.Context("x", sdk.Ids("", "", "", 0, ""), "", "", {}, {}, lambda: 0)
    own = {name for name in vars(context) if name[0] != "_"} - {"start_ms", "budget_ms"}
    nested = {"ids", "paths", "feature", "timers"}
    assert own - nested <= told
    for name, made in (
        ("ids", sdk.Ids),
        ("paths", session_paths.Paths),
        ("feature", session_paths.Folder),
        ("timers", session_paths.Timers),
    ):
        members = {
            one for one in (*getattr(made, "__slots__", made.__dict__.get("_fields", ())), *vars(made)) if one[0] != "_"
        }
        assert {f"{name}.{one}" for one in members} <= told, name


def test_examples_import_only_what_the_sdk_offers() -> None:
    offered = {*public(sdk), "Action", "Event", "Context"}
    for block in EXAMPLES:
        for node in ast.walk(ast.parse(block.text)):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("jackline"):
                assert node.module == "jackline.sdk"
                assert {one.name for one in node.names} <= offered


def test_fields_of_rows_are_those_the_kernel_takes() -> None:
    """What a feature may put into a row of the bus or the log."""
    own = set(schemas.load("artifact-record")["properties"]) - KEPT - {"sessionId"}
    text = TEXT.partition("## Files and the bus")[2].partition("## Knobs")[0]
    assert own | set(FITS) <= quoted(text)


# --- when it goes wrong --------------------------------------------------------------------------------------------


def shown(desk: Desk, note: str, *words: str, code: int = 0, stdin: bytes = b"") -> None:
    """A command says what the page shows."""
    [expected] = [one.text for one in blocks(TEXT, "text") if one.note == note]
    said = desk.jackline(*words, code=code, stdin=stdin, env={"COLUMNS": "80"}).out
    if note == "why":
        said = said[said.index("raised") : said.index("took ")]
    assert shows(expected, said), said


def test_what_an_author_sees_of_a_feature_that_is_wrong(desk: Desk) -> None:
    """Misspelt, and raising: from the check to the traceback."""
    [example] = [block for block in EXAMPLES if block.note == "no-migrate"]
    folder = desk.hooks / "features" / "no-migrate"
    folder.mkdir(parents=True)
    (folder / "hook.py").write_text(example.text.replace('["PreToolUse"]', '["PreTolUse"]'))
    shown(desk, "check", "compile", "--check", code=1)
    (folder / "hook.py").write_text(example.text.replace("event.command", "event.comand"))
    asked = json.dumps({"tool_name": "Bash", "tool_input": {"command": "make migrate"}}).encode()
    shown(desk, "try", "try", "--as-checked-out", "claude-code", "PreToolUse", code=1, stdin=asked)
    desk.trust()
    desk.begin()
    desk.pre("make migrate")
    shown(desk, "log", "log")
    [row] = desk.rows("TOOL_DECISION")
    shown(desk, "why", "why", row["id"])


def test_every_state_of_a_hook_is_described() -> None:
    for state in (*hook_states.BAD, *hook_states.STYLES, hook_states.SILENT):
        assert state in quoted(TEXT), state


@pytest.fixture
def desk(tmp_path: Path, made_bundle: Path) -> Desk:
    return Desk(tmp_path / "machine", made_bundle)
