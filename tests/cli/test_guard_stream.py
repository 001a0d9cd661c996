"""`jackline guard check --jsonl`: a stream in, a stream out, whatever stands in a line."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import pytest

from jackline.cli import judging

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
    monkeypatch.setattr(judging, "LONGEST", 8)
    for chunk in (1, 3, 8, 1000):
        monkeypatch.setattr(judging, "CHUNK", chunk)
        stream = BytesIO(b"1234567\n" + b"x" * 100 + b"\n\nabc\n12345678\nlast")
        assert list(judging.lines_of(stream, bool)) == [b"1234567", None, b"", b"abc", None, b"last"]
        assert list(judging.lines_of(BytesIO(b"12345678"), bool)) == [None]
