"""`docs/engine.md`: every example runs and says what the page shows, tables are the code's, the SDKs' hosts real."""

from __future__ import annotations

import inspect
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from docs.blocks import Block, blocks, shows
from docs.regions import REPO
from jackline.clients.claude_code import TOOLS as CLAUDE
from jackline.inprocess import HookEngine, Invocation, Line, Outcome, ToolError
from jackline.inprocess.vocabulary import EDITOR
from jackline.model import CODES, KINDS

TEXT = (REPO / "docs/engine.md").read_text()
HOSTS = ("claude_host.py", "openai_host.py")
SCRIPTS = [one for one in blocks(TEXT, "python") if one.note not in HOSTS]
OUTPUT = {one.note: one.text for one in blocks(TEXT, "output")}


def names(one: Block) -> str:
    return one.note


@pytest.fixture
def project(tmp_path: Path) -> Path:
    made = tmp_path / "project"
    for one in blocks(TEXT, "yaml"):
        (made / one.note).parent.mkdir(parents=True)
        (made / one.note).write_text(one.text)
    (made / "src/auth").mkdir(parents=True)
    return made


@pytest.mark.parametrize("script", SCRIPTS, ids=names)
def test_every_example_says_what_the_page_shows(project: Path, script: Block) -> None:
    file = project.parent / script.note
    file.write_text(script.text)
    env = {"HOME": str(project.parent / "home"), "PATH": os.defpath, "PYTHONPATH": str(REPO / "src")}
    done = subprocess.run(
        [sys.executable, "-W", "error", str(file)], cwd=project, env=env, capture_output=True, text=True, timeout=60
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert shows(OUTPUT[script.note], done.stdout), done.stdout


def test_every_example_type_checks(tmp_path: Path) -> None:
    files = []
    for one in SCRIPTS:
        files.append(tmp_path / one.note)
        files[-1].write_text(one.text)
    command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(REPO / ".mypy_cache/examples")]
    env = {**os.environ, "MYPYPATH": str(REPO / "src")}
    done = subprocess.run([*command, *map(str, files)], cwd=tmp_path, env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("name", HOSTS)
def test_the_hosts_of_sdks_are_those_that_run_against_the_real_ones(name: str) -> None:
    """Line by line: `tests/e2e/test_sdks.py` drives them."""
    (shown,) = [one for one in blocks(TEXT, "python") if one.note == name]
    source = [line.strip() for line in (REPO / "tests/e2e/hosts" / name).read_text().split("\n")]
    at = 0
    for line in filter(None, map(str.strip, shown.text.split("\n"))):
        assert line in source[at:], line
        at = source.index(line, at) + 1


def test_every_member_is_described() -> None:
    for owner in (HookEngine, Invocation):
        for name in vars(owner):
            if name[0] != "_" and name not in ("describe", "stamp", "rewrite", "refuse", "fail", "ended", "tool_error"):
                assert name in TEXT or name in ("named_intent", "may_ask"), f"{owner.__name__}.{name}"
    for name in inspect.signature(HookEngine.execute_tool).parameters:
        assert name in ("self", "tool_name") or f"`{name}" in TEXT or f" {name}" in TEXT
    for name in Outcome.__dataclass_fields__:
        assert f"`{name}`" in TEXT, name
    for name in Line.__annotations__["phase"].__forward_arg__, *Invocation.__annotations__:
        assert name
    for phase in ("begin", "features", "pre", "rewrite", "approval", "execute", "post", "end"):
        assert f"`{phase}`" in TEXT


def test_names_codes_and_kinds_are_the_codes() -> None:
    assert "`use` takes the names of the [features that come with Jackline](contract.md#14-features)" in TEXT
    for code in CODES:
        assert f"`{code}`" in TEXT
    for kind in KINDS:
        assert f"`{kind}`" in TEXT
    for name in ("read_file", "write_to_file", "execute_command", "apply_diff", "search_and_replace"):
        assert name in EDITOR and f"`{name}`" in TEXT
    assert "Bash" in CLAUDE


def test_the_refusal_has_the_fields_of_the_type() -> None:
    (shown,) = [json.loads(one.text) for one in blocks(TEXT, "json")]
    assert list(shown) == list(ToolError.__annotations__)
    from jackline.inprocess import Meta

    assert [*shown["meta"], "diff_preview"] == list(Meta.__annotations__)
