"""`CONTRIBUTING.md`: what it has one add is added to a copy of the package, and runs."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import jackline
from docs.blocks import blocks
from docs.regions import REPO

PAGE = (REPO / "CONTRIBUTING.md").read_text()
PACKAGE = Path(jackline.__path__[0])
Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The package with a client, a command, a feature and a rule more."""
    repo = tmp_path_factory.mktemp("copy")
    shutil.copytree(PACKAGE, repo / "src/jackline", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(REPO / "scripts", repo / "scripts")
    for block in blocks(PAGE, "python", "json"):
        if block.note.startswith("src/"):
            path = repo / block.note
            path.parent.mkdir(exist_ok=True)
            path.write_text(block.text)
    (repo / "src/jackline/features/no_hello/__init__.py").write_text('"""Refuse to greet."""\n')
    (repo / "src/jackline/features/no_hello/README.md").write_text("# no-hello\n")
    clients = repo / "src/jackline/clients/specs.py"
    assert clients.read_text().count("\n    kimi_code,") == 2
    clients.write_text(clients.read_text().replace("\n    kimi_code,", "\n    heron,\n    kimi_code,"))
    rules = repo / "src/jackline/features/command_guard/services.py"
    (row,) = [block.text for block in blocks(PAGE, "text") if block.note == "rule"]
    begin = '_TABLE = """\n'
    assert begin in rules.read_text()
    rules.write_text(rules.read_text().replace(begin, begin + row))
    return repo


@pytest.fixture
def run(copy: Path, tmp_path: Path) -> Run:
    (tmp_path / "home").mkdir()
    (tmp_path / "shop/.ai/hooks").mkdir(parents=True)
    env = {
        "PATH": os.environ["PATH"], "HOME": str(tmp_path / "home"), "PYTHONPATH": str(copy / "src"),
        "LC_ALL": "C.UTF-8",
    }  # fmt: skip

    def start(*words: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
        done = subprocess.run(
            [sys.executable, *words], cwd=tmp_path / "shop", env=env, input=stdin, capture_output=True, text=True,
            timeout=120, check=False,
        )  # fmt: skip
        assert "our fault" not in done.stderr, done.stderr
        return done

    return start


def test_a_client_is_one_file_of_data(copy: Path, run: Run) -> None:
    shown = json.loads(run("-m", "jackline.cli", "clients", "--json").stdout)
    assert "heron" in json.dumps(shown)
    (call,) = [block.text for block in blocks(PAGE, "json") if block.note == "before_tool"]
    for event in ("before_tool", "PreToolUse"):
        tried = json.loads(run("-m", "jackline.cli", "try", "--json", "heron", event, stdin=call).stdout)
        assert (tried["client"], tried["event"]) == ("heron", "PreToolUse")
        assert (tried["verdict"]["decision"], tried["verdict"]["by"]) == ("ask", ["command-guard"])
    path = copy / "src/jackline/clients/heron.py"
    assert len(path.read_text().splitlines()) <= 150


@pytest.mark.parametrize("name", re.findall(r"`((?:src|tests|scripts)/[\w./-]+)`", PAGE))
def test_what_is_to_be_touched_is_there(name: str) -> None:
    if not re.search(r"NAME|heron", name):
        assert (REPO / name).exists()


def test_a_command_is_one_file(run: Run) -> None:
    assert run("-m", "jackline.cli", "hello").stdout == "hello, shop\n"
    assert json.loads(run("-m", "jackline.cli", "hello", "--json").stdout) == {"hello": "shop"}
    assert "  hello       Greet the project\n" in run("-m", "jackline.cli", "--help").stdout
    assert "Example:\n  jackline hello\n" in run("-m", "jackline.cli", "hello", "--help").stdout


def test_a_command_that_is_a_persons_is_refused_by_the_guard(copy: Path, run: Run) -> None:
    path = copy / "src/jackline/cli/hello.py"
    before = path.read_text()
    path.write_text(before.replace('authority="open"', 'authority={"": "open", "--loud": "human-only"}'))
    try:
        assert run(str(copy / "scripts/verbs"), "--check").returncode == 1
        assert run(str(copy / "scripts/verbs")).returncode == 0
        judged = "from jackline.features.self_protect.verbs import person_verb as v; print(v(['hello', '--loud']))"
        assert run("-c", judged).stdout == "hello --loud\n"
    finally:
        path.write_text(before)


def test_a_guard_rule_is_one_row(run: Run) -> None:
    made = json.loads(run("-m", "jackline.cli", "guard", "check", "frobctl frobnicate cluster").stdout)
    assert (made["decision"], made["rule"]) == ("ask", "cloud.frobnicate")
    assert json.loads(run("-m", "jackline.cli", "guard", "check", "frobctl list").stdout)["rule"] != "cloud.frobnicate"


def test_a_feature_is_one_folder(copy: Path, run: Run, tmp_path: Path) -> None:
    done = run(str(copy / "scripts/features"))
    assert done.returncode == 0, done
    listed = json.loads(run("-m", "jackline.cli", "features", "--json").stdout)
    assert "no-hello" in [one["feature"] for one in listed]
    manifest = {"version": 1, "modules": {"no-hello": {"enabled": True}}}
    (tmp_path / "shop/.ai/hooks/dispatch.manifest.json").write_text(json.dumps(manifest))
    call = json.dumps({"tool_name": "Bash", "tool_input": {"command": "echo hello"}})
    words = ("-m", "jackline.cli", "try", "--json", "claude-code", "PreToolUse")
    tried = json.loads(run(*words, stdin=call).stdout)
    assert (tried["verdict"]["decision"], tried["verdict"]["by"]) == ("deny", ["no-hello"])
