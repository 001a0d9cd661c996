"""The trace of what was changed for intents, and the map that is drawn from it."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from jackline.intents.chart import BEGIN, END, day, draw, drawn, touched
from jackline.intents.intent_index import Said
from jackline.intents.trace import files, left, read, sha256, take, wait, write
from jackline.model import Event

INTENTS = (
    Said("INT-001", "Sign-in", "IN_PROGRESS", ("src/**",), True, "INT-000", ("INT-002",)),
    Said("INT-002", "", "PENDING", (), True),
)


def event(root: Path, name: str = "t1") -> Event:
    return Event("PreToolUse", tool="Edit", kind="edit", tool_use_id=name, root=str(root), cwd=str(root))


def row(path: str, intent: str = "INT-001", after: str = "b", ts: int = 1_740_700_000_000) -> dict[str, Any]:
    return {"v": 1, "ts": ts, "intentId": intent, "files": [{"path": path, "before": "a", "after": after}]}


def test_a_file_is_told_by_its_digest(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"text\n")
    assert sha256(str(tmp_path), "a") == hashlib.sha256(b"text\n").hexdigest()
    assert sha256(str(tmp_path), str(tmp_path / "a")) == hashlib.sha256(b"text\n").hexdigest()
    assert sha256(str(tmp_path), "none") == ""
    assert sha256(str(tmp_path), ".") is None


def test_what_waits_is_taken_once(tmp_path: Path) -> None:
    session = tmp_path / "session"
    session.mkdir()
    (tmp_path / "a").write_text("1")
    one, two = event(tmp_path), event(tmp_path, "../t2")
    wait(str(session), one, ["a", "b"])
    wait(str(session), two, ["a"])
    (tmp_path / "a").write_text("2")
    told = take(str(session), one)
    assert told is not None and (told["tool"], told["texts"]) == ("Edit", {})
    first, second = files(str(tmp_path), told["files"])
    assert first["before"] != first["after"] and (second["before"], second["after"]) == ("", "")
    assert take(str(session), one) is None
    assert [list(one["files"]) for one in left(str(session))] == [["a"]]
    assert left(str(session)) == [] and not list((session / "intent-scope/before").iterdir())
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a", "session"]


def test_the_text_of_a_whole_write_waits_too(tmp_path: Path) -> None:
    session = tmp_path / "session"
    session.mkdir()
    (tmp_path / "a").write_text("1")
    (tmp_path / "b").write_bytes(b"\xff")
    for path, text in (("a", "1"), ("b", None), ("c", None)):
        one = event(tmp_path, path)
        one.kind = "write"
        wait(str(session), one, [path])
        told = take(str(session), one)
        assert told is not None and told["texts"] == {path: text}


def test_rows_are_masked_and_appended_with_one_write(tmp_path: Path) -> None:
    assert not write(str(tmp_path), [row("a")])
    (tmp_path / ".orchestration").mkdir()
    assert write(str(tmp_path), [])
    secret = "ghp_" + "a1B2" * 9
    assert write(str(tmp_path), [row("a"), row(f"x/{secret}")])
    assert write(str(tmp_path), [row("b")])
    text = (tmp_path / ".orchestration/agent_trace.jsonl").read_text()
    assert secret not in text and len(text.splitlines()) == 3
    assert [one["files"][0]["path"] for one in read(str(tmp_path))][::2] == ["a", "b"]
    assert [one["files"][0]["path"] for one in read(str(tmp_path), limit=150)] == ["b"]


@pytest.mark.parametrize("what", ["folder", "file"])
def test_nothing_is_written_through_a_link(tmp_path: Path, what: str) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    root = tmp_path / "root"
    root.mkdir()
    if what == "folder":
        (root / ".orchestration").symlink_to(outside)
    else:
        (root / ".orchestration").mkdir()
        for name in ("agent_trace.jsonl", "intent_map.md"):
            (outside / name).write_text("")
            (root / ".orchestration" / name).symlink_to(outside / name)
    assert not write(str(root), [row("a")])
    assert not draw(str(root), INTENTS, [row("a")])
    assert [path.read_text() for path in outside.iterdir()] in ([], ["", ""])


def test_the_map_has_a_section_per_intent() -> None:
    text = drawn("", INTENTS, touched([row("src/a.py"), row("b", "INT-002"), row("same", after="a")]))
    assert (
        text
        == f"""# Intents

## INT-001 Sign-in

{BEGIN}
Status: IN_PROGRESS

Depends on: INT-000, INT-002

Files touched:

- `src/a.py` (2025-02-27)
{END}

## INT-002

{BEGIN}
Status: PENDING

Depends on: nothing

Files touched:

- `b` (2025-02-27)
{END}
"""
    )
    assert drawn(text, INTENTS, touched([row("src/a.py"), row("b", "INT-002")])) == text


HAND = """# Our map

Words on top.

## INT-002: Billing

By hand.

## INT-010

Of another time.

## INT-001

Before.

<!-- jackline:begin -->
old
<!-- jackline:end -->

After.

# The end

Words below.
"""


def test_what_was_written_by_hand_stays() -> None:
    text = drawn(HAND, INTENTS, {})
    assert drawn(text, INTENTS, {}) == text
    kept = [line for line in HAND.splitlines() if line and line not in (BEGIN, END, "old")]
    rest = [line for line in text.splitlines() if line in kept]
    assert rest == kept
    assert text.count(BEGIN) == text.count(END) == 2
    assert "old" not in text.splitlines()
    assert text.index("## INT-002: Billing") < text.index(BEGIN) < text.index("By hand.")


def test_foreign_text_cannot_break_out_of_the_map() -> None:
    odd = Said("INT-001", "x\n## INT-666\n<!-- jackline:end -->", "PENDING", (), True)
    text = drawn("", (odd,), {"INT-001": {"a`b\n# c": "2025-02-27"}})
    assert text.count("\n## ") == 1 and text.count("\n# c") == 0 and text.count(END) == 1
    assert drawn(text, (odd,), {"INT-001": {"a`b\n# c": "2025-02-27"}}) == text


def test_a_map_is_written_only_when_it_changes(tmp_path: Path) -> None:
    (tmp_path / ".orchestration").mkdir()
    place = tmp_path / ".orchestration/intent_map.md"
    assert draw(str(tmp_path), INTENTS, [row("a")])
    before = place.stat().st_ino
    assert draw(str(tmp_path), INTENTS, [row("a")])
    assert place.stat().st_ino == before
    place.write_bytes(b"\xff\xfe")
    assert not draw(str(tmp_path), INTENTS, [row("a")])
    assert place.read_bytes() == b"\xff\xfe"


@pytest.mark.parametrize(
    ("date", "milliseconds"),
    [("1970-01-01", 0), ("2000-02-29", 951782400000), ("2025-02-27", 1740700000000), ("2100-03-01", 4107542400000)],
)
def test_a_day_by_the_calendar(date: str, milliseconds: int) -> None:
    assert day(milliseconds) == date


def test_rows_that_are_none_are_left_out() -> None:
    odd: list[Any] = [{}, {"intentId": 1}, {"intentId": "a", "ts": 1, "files": [1, {}, {"path": 2}]}, json.loads("{}")]
    assert touched(odd) == {}
