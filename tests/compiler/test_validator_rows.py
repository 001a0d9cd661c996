"""What `.ai/hooks/validators.yaml` may say: rows that count, each by itself, and what is wrong with the others."""

from __future__ import annotations

import json
from functools import partial
from typing import Any

import pytest

from jackline.compiler import row_files
from jackline.compiler.row_files import VALIDATORS

from .project import Project

rows = partial(row_files.rows, form=VALIDATORS)
read = partial(row_files.read, form=VALIDATORS)
written = partial(row_files.written, form=VALIDATORS)

PYTEST = {"id": "pytest", "command": ["pytest", "-q"]}


def good(text: str) -> dict[str, Any]:
    return {name: read(data) for name, data in rows(text.encode()).good.items()}


@pytest.mark.parametrize(
    "text",
    [
        "validators:\n  - id: pytest\n    command: [pytest, -q]\n",
        "version: 1\nvalidators: [{id: pytest, command: [pytest, -q]}]\n",
        "- command:\n    - pytest\n    - '-q'\n  id: pytest\n",
        '{"validators": [{"id": "pytest", "command": ["pytest", "-q"]}]}',
        "\ufeffvalidators:\r\n- id: pytest # ours\r\n  command: ['pytest', \"-q\"]\r\n",
    ],
)
def test_a_row_is_the_same_however_it_is_laid_out(text: str) -> None:
    assert good(text) == {"pytest": PYTEST}
    assert rows(text.encode()).good == {"pytest": written(PYTEST)}


@pytest.mark.parametrize(
    ("said", "value"),
    [
        ("command: [make, yes, 1, on, null, 0x10]", {"command": ["make", "yes", "1", "on", "null", "0x10"]}),
        ("paths: src/**", {"paths": ["src/**"]}),
        ("paths: ['**/*.py', '!dist/**']", {"paths": ["**/*.py", "!dist/**"]}),
        ("when: stop", {"when": "stop"}),
        ("timeout: 30", {"timeout": 30}),
        ("needs: lint", {"needs": ["lint"]}),
        ("needs: []", {"needs": []}),
        ("baseline: false", {"baseline": False}),
    ],
)
def test_each_key(said: str, value: dict[str, Any]) -> None:
    row = f"- id: x\n  {'' if said.startswith('command') else 'command: [a]'}\n  {said}\n"
    assert good(row) == {"x": {"id": "x", "command": ["a"]} | value}


@pytest.mark.parametrize(
    ("said", "what"),
    [
        ("command: pytest -q", "command"),
        ("command: []", "command"),
        ("command: [[a]]", "command[0]"),
        ("command: [a, '']", "command[1]"),
        ("command: [a]\n  timeout: 5m", "timeout"),
        ("command: [a]\n  timeout: 0", "timeout"),
        ("command: [a]\n  when: sometimes", "when"),
        ("command: [a]\n  baseline: perhaps", "baseline"),
        ("command: [a]\n  comand: [b]", "comand"),
        ("command: [a]\n  paths: {a: b}", "paths"),
    ],
)
def test_a_wrong_row_holds_up_no_other(said: str, what: str) -> None:
    found = rows(f"validators:\n- id: bad\n  {said}\n- id: pytest\n  command: [pytest, -q]\n".encode())
    assert set(found.good) == {"pytest"} and set(found.bad) == {"bad"}
    assert [(fault.path, fault.where) for fault in found.faults] == [(what, ".ai/hooks/validators.yaml:2")]


@pytest.mark.parametrize("name", ["../up", "a b", "", "-x", "a" * 65, "a\nb"])
def test_a_name_is_no_path_and_no_option(name: str) -> None:
    found = rows(f"- id: {name!r}\n  command: [a]\n".encode())
    assert not found.good and found.faults


@pytest.mark.parametrize(
    "data",
    [
        b"validators: [",
        b"\xff",
        b"validators: {a: b}",
        b"checks: []",
        b"x",
        b"a: &a [*a]\nvalidators: *a\n",
        b"- &a [*a]",
    ],
)
def test_a_broken_file_is_a_fault_and_no_exception(data: bytes) -> None:
    found = rows(data)
    assert not found.good and found.faults


@pytest.mark.parametrize("data", [b"", b"# nothing yet\n", b"validators:\n", b"validators: []\n"])
def test_an_empty_file_has_no_rows_and_no_faults(data: bytes) -> None:
    assert rows(data) == row_files.Rows({})


def test_of_two_rows_with_one_name_the_first_counts() -> None:
    found = rows(b"- {id: a, command: [one]}\n- {id: a, command: [two]}\n")
    assert found.good == {"a": written({"id": "a", "command": ["one"]})}
    assert [(fault.path, fault.where) for fault in found.faults] == [("id", ".ai/hooks/validators.yaml:2")]


def test_rows_that_wait_for_each_other_are_no_rows() -> None:
    """None of them would ever run, and no task of theirs end."""
    text = "- {id: a, command: [x], needs: b}\n- {id: b, command: [x], needs: [c]}\n- {id: c, command: [x], needs: a}\n"
    text += "- {id: behind, command: [x], needs: a}\n- {id: self, command: [x], needs: self}\n- {id: z, command: [x]}\n"
    found = rows(text.encode())
    assert set(found.good) == {"z"} and set(found.bad) == {"a", "b", "c", "behind", "self"}
    assert "a circle" in str(found.faults[0])


@pytest.mark.parametrize("glob", ["../**", "/etc/**", "!../x", "src/../../x", "!/x"])
def test_a_glob_that_names_no_file_of_the_project_is_told(glob: str) -> None:
    found = rows(f"- {{id: a, command: [x], paths: ['{glob}']}}\n".encode())
    assert not found.good and "below the project" in str(found.faults[0])
    assert good("- {id: a, command: [x], paths: ['src/**', '!a..b/*', '**/..x', '!.ci/*']}")["a"]["paths"]


def test_a_need_that_is_no_row_is_told() -> None:
    found = rows(b"- {id: a, command: [one], needs: [b, c]}\n- {id: b, command: [two]}\n")
    assert set(found.good) == {"a", "b"}
    assert [(fault.path, fault.got, fault.write) for fault in found.faults] == [("a.needs", "c", "b")]


@pytest.mark.parametrize(
    ("command", "program"),
    [
        (["sh", "tools/check.sh"], "tools/check.sh"),
        (["bash", "-eu", "tools/check.sh"], "tools/check.sh"),
        (["./tools/check.sh", "-q"], "tools/check.sh"),
        (["python3", "tools/check.py"], "tools/check.py"),
        (["sh", "-c", "tools/check.sh"], ""),
        (["python3", "-m", "tools/check.py"], ""),
        (["node", "--test", "tools/check.py"], ""),
        (["pytest", "tools/check.py"], ""),
        (["node_modules/.bin/eslint", "tools/check.py"], ""),
        (["../outside.sh"], ""),
        (["sh", "tools/gone.sh"], ""),
    ],
    ids=" ".join,
)
def test_which_file_is_part_of_a_row(project: Project, command: list[str], program: str) -> None:
    """Its program, where that is a file of the project: never what it judges, nor what is installed."""
    for name in ("tools/check.sh", "tools/check.py", "node_modules/.bin/eslint", "../outside.sh"):
        project.write(name, "true\n", project.root)
    project.write("validators.yaml", json.dumps([{"id": "a", "command": command}]))
    (found,) = project.survey().standings
    assert found.unit is not None
    assert [name for name in found.unit.own if "#" not in name] == ([program] if program else [])


def test_one_row_changes_and_the_others_stay_trusted(project: Project) -> None:
    """A person says yes row by row, and layout and comments are no part of a row."""
    project.write("validators.yaml", "- {id: a, command: [one]}\n- {id: b, command: [two]}\n")
    project.trust()
    project.write(
        "validators.yaml", "# more\n- {id: b, command: [two]}\n- id: a\n  command: [other]\n- {id: c, command: [c]}\n"
    )
    states = {one.key[1].rpartition("#")[2]: one.state for one in project.survey().standings}
    assert states == {"a": "changed", "b": "trusted", "c": "new"}


def test_where_the_feature_is_off_nothing_is_in_force_and_nothing_holds(project: Project) -> None:
    project.write("validators.yaml", "- {id: a, command: [one]}\n")
    project.trust()
    project.publish()
    assert project.survey().listed["validators"] == ("", ())
    assert not [*(project.store / "wirings").glob("*.validators")]
