"""Checks are found in a project's own files, and none of its words becomes a command."""

from __future__ import annotations

from pathlib import Path

import pytest

from jackline.install.checks import Check, find

FOUND = {
    "pytest by its table": ({"pyproject.toml": "[tool.pytest.ini_options]\n"}, ["pytest -q"]),
    "pytest by a requirement": ({"pyproject.toml": '[dependency-groups]\ndev = ["pytest>=8", "mypy"]\n'},
                                ["pytest -q", "mypy ."]),
    "pytest by an extra": ({"pyproject.toml": '[project.optional-dependencies]\ntest = ["pytest"]\n'}, ["pytest -q"]),
    "a name that only begins so": ({"pyproject.toml": '[project]\ndependencies = ["mypyc"]\n'}, []),
    "through the project's own runner": ({"pyproject.toml": "[tool.ruff]\n", "uv.lock": ""}, ["uv run ruff check ."]),
    "package scripts": ({"package.json": '{"scripts": {"test": "vitest", "lint": "eslint .", "build": "x"}}'},
                        ["npm run test", "npm run lint"]),
    "by another manager": ({"package.json": '{"scripts": {"typecheck": "tsc"}}', "pnpm-lock.yaml": ""},
                           ["pnpm run typecheck"]),
    "no tests yet": ({"package.json": '{"scripts": {"test": "echo \\"Error: no test specified\\" && exit 1"}}'}, []),
    "a makefile": ({"Makefile": "lint: deps\n\truff\ntest:\n\tpytest\ncheck: test lint\n"}, ["make test", "make lint"]),
    "a variable is no target": ({"Makefile": "test := 1\ntest = 2\n"}, []),
    "a makefile beside a language": ({"Makefile": "test:\nlint:\n", "go.mod": "module x\n"},
                                     ["go test ./...", "go vet ./..."]),
    "rust": ({"Cargo.toml": '[package]\nname = "x"\n'}, ["cargo test"]),
    "nothing": ({"README.md": "pytest"}, []),
    "broken files": ({"pyproject.toml": "[", "package.json": "{", "go.mod": "\0", "Cargo.toml": "\x01"}, []),
    "other shapes": ({"pyproject.toml": "tool = 1\nproject = 2\n", "package.json": "[]"}, []),
}  # fmt: skip


@pytest.mark.parametrize(("files", "commands"), FOUND.values(), ids=FOUND)
def test_what_a_project_has_is_found(tmp_path: Path, files: dict[str, str], commands: list[str]) -> None:
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    assert [str(one) for one in find(tmp_path)] == commands


def test_a_check_says_when_it_runs_and_what_it_judges(tmp_path: Path) -> None:
    (tmp_path / "Cargo.toml").write_text("[workspace]\n")
    [found] = find(tmp_path)
    assert found == Check("test", "cargo-test", ("cargo", "test"), ("**/*.rs",))
    assert found.row == {"id": "cargo-test", "command": ["cargo", "test"], "paths": ["**/*.rs"], "when": "node"}


def test_no_link_is_followed(tmp_path: Path) -> None:
    (tmp_path / "project").mkdir()
    (tmp_path / "outside.toml").write_text("[package]\n")
    (tmp_path / "project/Cargo.toml").symlink_to(tmp_path / "outside.toml")
    assert find(tmp_path / "project") == []
