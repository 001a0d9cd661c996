"""`jackline hook` is the door by name: quick, and at exit 0 whatever it is given."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from .conftest import SRC, Desk


def test_it_answers_as_the_installed_entry_does(desk: Desk) -> None:
    payload = desk.payload("PreToolUse", tool_name="Grep", tool_input={"pattern": "x"}, tool_use_id="t1")
    said = desk.jackline("hook", "claude-code", "PreToolUse", stdin=json.dumps(payload).encode())
    assert said.err == ""
    again = desk.say({**payload, "tool_use_id": "t2"})
    assert json.loads(said.out)["hookSpecificOutput"]["updatedInput"] == {"pattern": "x", "head_limit": 200}
    assert json.loads(said.out)["hookSpecificOutput"] == again.body["hookSpecificOutput"]
    assert desk.decided() == ["allow", "allow"]


@pytest.mark.parametrize(
    "words",
    [
        (),
        ("claude-code",),
        ("nonsense", "PreToolUse"),
        ("claude-code", "Nonsense"),
        ("claude-code", "PreToolUse", "--nosuch", "x"),
        ("--fail",),
        ("copilot-cli", "preToolUse"),
        ("vscode", "PreToolUse", "project"),
    ],
    ids=lambda words: " ".join(words) or "nothing",
)
@pytest.mark.parametrize("raw", [b"", b"{", b"[]", b"\xff\xfe"], ids=["empty", "broken", "list", "bytes"])
def test_whatever_it_is_given_it_says_one_object_at_exit_0(desk: Desk, words: tuple[str, ...], raw: bytes) -> None:
    said = desk.jackline("hook", *words, stdin=raw)
    assert isinstance(json.loads(said.out), dict)
    assert said.err == ""
    for folder in desk.sessions():  # what the log says of nonsense is held where the engine is tested
        shutil.rmtree(folder)


def test_without_an_installation_it_is_silent_and_makes_none(desk: Desk, tmp_path: Path) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    said = desk.jackline("hook", "codex", "Stop", stdin=b"{}", env={"HOME": str(empty)})
    assert (said.out, said.err) == ("{}\n", "")
    assert list(empty.iterdir()) == []


def test_no_variable_of_ours_moves_it(desk: Desk, tmp_path: Path) -> None:
    """A repository's client settings can set variables: the door takes the standard place."""
    payload = json.dumps(desk.payload("SessionStart", source="startup")).encode()
    desk.jackline("hook", "claude-code", "SessionStart", stdin=payload, env={"JACKLINE_STORE": str(tmp_path)})
    assert len(desk.sessions()) == 1
    assert (desk.store / "sessions").is_dir()


def test_nothing_slow_is_imported_before_the_door_opens(desk: Desk) -> None:
    script = (
        "import sys; sys.argv = ['jackline', 'hook', 'codex', 'Stop']\n"
        "import jackline.hook\n"
        "jackline.hook.main = lambda store, words: sys.exit(' '.join([store, *words, *sys.modules]))\n"
        "from jackline.cli import main; main()\n"
    )
    script = f"import sys; sys.path.insert(0, {str(SRC)!r})\n" + script
    command = [sys.executable, "-I", "-S", "-c", script]
    done = subprocess.run(command, env=desk.env, capture_output=True, text=True)
    store, *rest = done.stderr.split()
    assert store == str(desk.store)
    assert rest[:2] == ["codex", "Stop"]
    assert not {"click", "rich", "json", "re", "typing", "pathlib", "jackline.cli.parts.app"} & set(rest)


def test_it_has_help(desk: Desk) -> None:
    assert "DIALECT EVENT" in desk.jackline("hook", "--help").out
