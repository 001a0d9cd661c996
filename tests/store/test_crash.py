"""Reports of our own faults: shapes, never payloads; the same place has the same mark."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from jackline.store.crash import KEEP, payload_shape, report, shape, stack, stack_hash


def fail(raw: bytes, how: str = "first") -> BaseException:
    try:
        raise ValueError(raw) if how == "first" else KeyError(raw)
    except (ValueError, KeyError) as fault:
        return fault


def test_a_shape_has_no_content() -> None:
    value = {"command": "secret words", "n": 7, "deep": [{"a": None}, 2], "empty": [], "b": b"xx", "t": True}
    assert shape(value) == {
        "command": "str(12)",
        "n": "int",
        "deep": [{"a": "NoneType"}, 2],
        "empty": [0],
        "b": "bytes(2)",
        "t": "bool",
    }


def test_a_shape_ends_somewhere() -> None:
    deep: Any = "x"
    for _ in range(50):
        deep = {"a": [deep]}
    assert len(json.dumps(shape(deep))) < 200
    assert len(shape({str(n): n for n in range(1000)})) == 40


def test_a_stack_tells_places_only() -> None:
    frames = stack(fail(b"secret"))
    assert frames[-1].endswith(" fail")
    assert "secret" not in json.dumps(frames)


def test_the_same_place_has_the_same_mark() -> None:
    assert stack_hash(fail(b"one")) == stack_hash(fail(b"another"))
    assert stack_hash(fail(b"one")) != stack_hash(fail(b"one", "second"))
    assert len(stack_hash(fail(b""))) == 8


def test_a_report_holds_the_payloads_shape(tmp_path: Path) -> None:
    fault = fail(b'{"prompt": "secret words", "n": [1]}')
    assert payload_shape(fault) == {"prompt": "str(12)", "n": ["int", 1]}
    mark = report(str(tmp_path), fault, {"where": "door"}, "1.0")
    text = (tmp_path / "crash" / f"{mark}.jsonl").read_text()
    assert "secret" not in text
    assert json.loads(text)["error"] == "ValueError"
    assert (tmp_path / "crash" / f"{mark}.jsonl").stat().st_mode & 0o077 == 0


def test_reports_do_not_fill_the_disk(tmp_path: Path) -> None:
    folder = tmp_path / "crash"
    folder.mkdir()
    for number in range(KEEP):
        (folder / f"{number}.jsonl").touch()
    report(str(tmp_path), fail(b"x"), {}, "1.0")
    assert len(list(folder.iterdir())) == KEEP


def test_where_nothing_can_be_written_nothing_is(tmp_path: Path) -> None:
    (tmp_path / "crash").write_text("no folder")
    assert report(str(tmp_path), fail(b"x"), {}, "1.0") == ""
