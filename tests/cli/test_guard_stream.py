"""`jackline guard check --jsonl`: a stream in, a stream out, whatever stands in a line."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import pytest

from jackline.cli.parts import guard_check

from .conftest import SRC


@pytest.fixture
def stream(tmp_path: Path) -> Iterator[subprocess.Popen[bytes]]:
    env = {"HOME": str(tmp_path), "PATH": "/usr/bin:/bin", "PYTHONPATH": str(SRC)}
    words = [sys.executable, "-m", "jackline.cli", "guard", "check", "--jsonl"]
    with subprocess.Popen(
        words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=tmp_path, env=env
    ) as process:
        yield process


def said(process: subprocess.Popen[bytes], line: bytes) -> dict[str, object]:
    assert process.stdin is not None and process.stdout is not None
    process.stdin.write(line + b"\n")
    process.stdin.flush()
    found: dict[str, object] = json.loads(process.stdout.readline())
    return found


def test_each_line_is_answered_before_the_next_is_read(stream: subprocess.Popen[bytes]) -> None:
    """One who writes a line and waits gets its answer; what is no question gets an error, and the rest goes on."""
    assert said(stream, b'{"command": "ls"}')["decision"] == "allow"
    assert "line 2" in str(said(stream, b'{"command": ')["error"])
    assert "line 3" in str(said(stream, b'{"command": "\xff"}')["error"])
    assert "line 4" in str(said(stream, b'{"command": 7}')["error"])
    assert "line 5" in str(said(stream, b"[" * 100_000)["error"])
    assert said(stream, b'{"command": "git reset --hard"}')["decision"] == "ask"
    stream.stdin.close()  # type: ignore[union-attr]
    assert stream.wait() == 2, "one line at least was wrong"


def test_a_right_stream_ends_well(stream: subprocess.Popen[bytes]) -> None:
    assert said(stream, b'{"command": "rm -rf /"}')["decision"] == "deny"
    stream.stdin.close()  # type: ignore[union-attr]
    assert stream.wait() == 0


def test_a_megabyte_is_answered(stream: subprocess.Popen[bytes]) -> None:
    """In time, and in order."""
    for text in ("a;" * 500_000, "((((" * 250_000, "$(" * 500_000, "xargs " * 160_000, "{a,b}" * 200_000):
        assert said(stream, json.dumps({"command": text}).encode())["decision"] == "ask", text[:8]
    assert said(stream, b'{"command": "pwd"}')["decision"] == "allow"


def test_a_line_without_an_end_is_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guard_check, "LONGEST", 8)
    for chunk in (1, 3, 8, 1000):
        monkeypatch.setattr(guard_check, "CHUNK", chunk)
        stream = BytesIO(b"1234567\n" + b"x" * 100 + b"\n\nabc\n12345678\nlast")
        assert list(guard_check.lines_of(stream, bool)) == [b"1234567", None, b"", b"abc", None, b"last"]
        assert list(guard_check.lines_of(BytesIO(b"12345678"), bool)) == [None]


def test_a_line_names_its_shell_its_folder_and_its_home(stream: subprocess.Popen[bytes]) -> None:
    """A backslash hides a quote from a POSIX shell, and from no other."""
    text = 'echo "a\\"; Remove-Item -Recurse ~/work; echo \\"b"'
    asked = {"command": text, "cwd": "/srv/p", "home": "/home/a"}
    assert said(stream, json.dumps(asked).encode())["decision"] == "allow"
    assert said(stream, json.dumps({**asked, "shell": "powershell"}).encode())["decision"] == "ask"
    quoted = {"command": "echo 'a & rd /s /q C:\\Users'", "cwd": "/srv/p"}
    assert said(stream, json.dumps({**quoted, "shell": "zsh"}).encode())["decision"] == "allow"
    assert said(stream, json.dumps({**quoted, "shell": "cmd"}).encode())["decision"] != "allow"
    assert said(stream, b'{"command": "rm -rf ~", "cwd": "/srv/p", "home": "/home/a"}')["decision"] == "deny"
    found = said(stream, b'{"command": "rm -rf ~/x", "cwd": "/srv/p", "home": "/home/b"}')["effects"]
    assert found == [{"kind": "delete", "path": "/home/b/x", "program": "rm", "deep": True}]


@pytest.mark.parametrize(
    ("key", "value", "wrong"),
    [
        ("shell", "fish", 'shell: expected one of bash zsh sh powershell cmd, got "fish"'),
        ("shell", 7, "shell: expected one of bash zsh sh powershell cmd, got 7"),
        ("shell", ["bash"], 'shell: expected one of bash zsh sh powershell cmd, got ["bash"]'),
        ("cwd", "src", 'cwd: expected an absolute path, got "src"'),
        ("home", "~", 'home: expected an absolute path, got "~"'),
        ("home", 7, "home: expected a text, got 7"),
        ("project_root", [], "project_root: expected a text, got []"),
    ],
)
def test_what_is_wrong_in_a_line_is_said(key: str, value: object, wrong: str) -> None:
    here = guard_check.Asked("", "/srv", "/srv", "/home/a")
    with pytest.raises(ValueError, match="^" + re.escape(wrong) + "$"):
        guard_check.asked_in(json.dumps({"command": "ls", key: value}), here)
