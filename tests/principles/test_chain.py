"""Principle 10: the log says when it was touched.

What an agent could do to the files without the key of the store, in a matrix of its own: which log, what is done to it,
and when. `UNSEEN` is all that stays unseen, and docs/threat-model.md says so.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from jackline import system
from jackline.store import authority, chain, journal, log_check
from jackline.store.ids import record_id
from jackline.store.log_check import Break
from jackline.store.session_index import SessionEntry

SID = "0a1b2c3d"


def record(number: int, **fields: Any) -> dict[str, Any]:
    made = {"v": 1, "id": record_id(number * 1_000_000, bytes(10)), "ts": number, "repo": "0" * 16, "host": "0" * 16}
    return {**made, "event": "PreToolUse", "producer": "kernel", "kind": "NOTE", "data": f"call {number}", **fields}


class Log:
    """A session's log with its store, as the entry point leaves them."""

    def __init__(self, folder: Path) -> None:
        self.store = str(folder / "store")
        self.folder = folder / "project/.ai/tmp" / SID
        self.path = self.folder / journal.EVENTS
        self.folder.mkdir(parents=True)
        (self.folder / "key").touch()
        self.key = chain.key(self.store, SID)
        self.count = 0
        self.older = b""

    def write(self, *rows: int, key: bool = True) -> None:
        """An event for each, which leaves so many rows."""
        at = system.descend(str(self.folder), ())
        for some in rows:
            records = [record(self.count + number) for number in range(1, some + 1)]
            self.count += some
            journal.append(at, journal.EVENTS, records, self.key if key else None)
        system.close(at)
        if rows:
            (self.folder / "state.json").touch()

    def anchor(self) -> None:
        at = system.descend(str(self.folder), ())
        chain.anchor(self.store, at, journal.EVENTS, SID, 1)
        system.close(at)

    def breaks(self, begun: log_check.Begun = "born") -> list[Break]:
        session = SessionEntry(SID, "claude-code", "", str(self.folder), chain=begun)
        return log_check.of_session(self.store, session, log_check.anchors(self.store))

    @property
    def lines(self) -> list[bytes]:
        return self.path.read_bytes().splitlines(keepends=True)

    @lines.setter
    def lines(self, lines: list[bytes]) -> None:
        self.path.write_bytes(b"".join(lines))


@pytest.fixture
def log(tmp_path: Path) -> Log:
    return Log(tmp_path)


Change = Callable[[list[bytes]], list[bytes]]
FORGED = json.dumps(record(99, kind="TOOL_DECISION", decision="allow"), separators=(",", ":")).encode()


def sealed(number: int) -> bytes:
    """A row that looks like one of ours."""
    return FORGED[:-1] + b',"chain":"%d-0123456789abcdef"}\n' % number


def at(place: int, change: Callable[[bytes], bytes]) -> Change:
    return lambda lines: [change(one) if number == place % len(lines) else one for number, one in enumerate(lines)]


def without(*places: int) -> Change:
    return lambda lines: [one for number, one in enumerate(lines) if number not in {at % len(lines) for at in places}]


def behind(place: int, line: bytes) -> Change:
    return lambda lines: [*lines[: place % len(lines) + 1], line, *lines[place % len(lines) + 1 :]]


def swapped(lines: list[bytes]) -> list[bytes]:
    return [*lines[:1], lines[2], lines[1], *lines[3:]]


CHANGES: dict[str, Change] = {
    "edit the first row": at(0, lambda row: row.replace(b"call", b"cake")),
    "edit a row": at(2, lambda row: row.replace(b"call", b"cake")),
    "edit the last row": at(-1, lambda row: row.replace(b"call", b"cake")),
    "edit a row's digest": at(2, lambda row: row[:-6] + b'0000"}\n'[-6:]),
    "take a digest out": at(2, lambda row: row[: row.rindex(b',"chain"')] + b"}\n"),
    "take every digest out": lambda lines: [row[: row.rindex(b',"chain"')] + b"}\n" for row in lines],
    "delete the first row": without(0),
    "delete a row": without(2),
    "delete two rows": without(1, 2),
    "delete the last row": without(-1),
    "delete all but the last": lambda lines: lines[-1:],
    "cut the tail": lambda lines: lines[:2],
    "double a row": lambda lines: [*lines[:3], lines[1], *lines[3:]],
    "double the last row": lambda lines: [*lines, lines[-1]],
    "swap two rows": swapped,
    "turn it around": lambda lines: lines[::-1],
    "move the first row to the end": lambda lines: [*lines[1:], lines[0]],
    "insert a row": behind(1, FORGED + b"\n"),
    "insert a row with a digest": behind(1, sealed(3)),
    "append a row": lambda lines: [*lines, FORGED + b"\n"],
    "append a row with a digest": lambda lines: [*lines, sealed(len(lines) + 1)],
    "append rubbish": lambda lines: [*lines, b"rubbish\n"],
    "insert rubbish": behind(1, b"rubbish\n"),
    "make a row unreadable": at(2, lambda row: b"\xff" + row[1:]),
    "empty it": lambda lines: [],
}
"""What may be done to the lines of a log."""


def removed(log: Log) -> None:
    log.path.unlink()


def with_state_removed(log: Log) -> None:
    log.path.unlink()
    (log.folder / "state.json").unlink()


def rotated(log: Log) -> None:
    log.path.rename(log.path.with_suffix(".1"))


def replaced(log: Log) -> None:
    log.path.write_bytes(log.older)


def folder_removed(log: Log) -> None:
    for path in log.folder.iterdir():
        path.unlink()


def blocked(log: Log) -> None:
    log.path.unlink()
    log.path.mkdir()


def as_act(change: Change) -> Callable[[Log], None]:
    def act(log: Log) -> None:
        log.lines = change(log.lines)

    return act


ACTS: dict[str, Callable[[Log], None]] = {
    **{name: as_act(change) for name, change in CHANGES.items()},
    "remove it": removed,
    "remove it with the state": with_state_removed,
    "rotate it away": rotated,
    "replace it by an older copy": replaced,
    "remove the folder's files": folder_removed,
    "put a folder in its place": blocked,
}


class When(NamedTuple):
    """Rows before the older copy, then to the anchor, then after it; and whether events come after the act."""

    before: int
    anchored: int
    after: int
    goes_on: bool


WHEN = {
    "at rest, anchored": When(3, 4, 0, False),
    "anchored, and the session goes on": When(3, 4, 0, True),
    "rows after the anchor": When(0, 3, 5, False),
    "rows after the anchor, and the session goes on": When(0, 3, 5, True),
    "never anchored": When(3, 0, 4, False),
    "never anchored, and the session goes on": When(3, 0, 4, True),
}
LATE = [name for name in WHEN if "rows after" in name or "never" in name]
UNSEEN = {
    *product(("delete the last row",), LATE),
    *product(("replace it by an older copy", "cut the tail"), [name for name in LATE if "never" in name]),
    *product(("replace it by an older copy",), [name for name in LATE if "rows after" in name]),
    ("remove it with the state", "never anchored, and the session goes on"),
}
"""Rows cut off the end since the last anchor: the log that is left was there once."""


def touched(log: Log, act: str, when: str) -> list[Break]:
    """What is found after the act."""
    plan = WHEN[when]
    log.write(*[1] * plan.before)
    log.older = log.path.read_bytes() if plan.before else b""
    if plan.anchored:
        log.write(*[1] * plan.anchored)
        log.anchor()
    if not plan.before:
        log.older = log.path.read_bytes()
    log.write(*[1] * plan.after)
    assert log.breaks() == []
    ACTS[act](log)
    if plan.goes_on:
        try:
            log.write(1, 2)
        except OSError:
            assert act == "put a folder in its place"
    return log.breaks()


@pytest.mark.parametrize("when", WHEN)
@pytest.mark.parametrize("act", ACTS)
def test_what_is_done_to_a_log_is_seen(log: Log, act: str, when: str) -> None:
    found = touched(log, act, when)
    assert bool(found) == ((act, when) not in UNSEEN), found


def test_without_the_principle_most_of_it_passes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The one function of the principle is `of_log`: without it only what the file system says is left."""
    monkeypatch.setattr(log_check, "of_log", lambda *given: [])
    seen = [bool(touched(Log(tmp_path / str(n)), *one)) for n, one in enumerate(product(ACTS, WHEN))]
    assert sum(seen) < len(seen) / 2


WHERE: dict[str, tuple[int, str]] = {
    "edit a row": (3, "changed"),
    "delete a row": (3, "missing"),
    "delete two rows": (2, "missing"),
    "double a row": (4, "doubled"),
    "insert a row": (3, "changed"),
    "insert a row with a digest": (3, "changed"),
    "append a row with a digest": (8, "changed"),
    "insert rubbish": (3, "unreadable"),
    "cut the tail": (2, "cut"),
    "empty it": (0, "gone"),
}


@pytest.mark.parametrize("act", WHERE)
def test_it_says_where_and_what(log: Log, act: str) -> None:
    found = touched(log, act, "at rest, anchored")
    assert [(one.line, one.what) for one in found] == [WHERE[act]]


def test_a_row_is_bound_by_the_bytes_as_they_stand(log: Log) -> None:
    """Whoever writes the same values in another way has changed the row."""
    log.write(1, 1, 1)
    lines = log.lines
    log.lines = [lines[0], json.dumps(json.loads(lines[1])).encode() + b"\n", lines[2]]
    assert [one.line for one in log.breaks()][:1] == [2]


# --- innocent ---


def test_rows_of_one_write_and_of_many(log: Log) -> None:
    log.write(1, 4, 2, 1)
    log.anchor()
    log.write(3)
    assert log.breaks() == []


def test_a_log_of_an_older_version_is_read_and_begins_a_chain(log: Log) -> None:
    log.write(3, 2, key=False)
    log.write(1, 2)
    assert log.breaks("later") == []
    records, torn = journal.read(str(log.folder))
    assert [one["kind"] for one in records] == ["NOTE"] * 5 + [chain.KIND] + ["NOTE"] * 3
    assert (records[5]["data"]["why"], records[5]["data"]["rows"], torn) == ("began", 5, 0)
    log.lines = [log.lines[0].replace(b"call", b"cake"), *log.lines[1:]]
    assert [one.line for one in log.breaks("later")] == [6]


def test_a_log_that_no_new_version_wrote_has_nothing_to_say(log: Log) -> None:
    log.write(3, key=False)
    assert log.breaks("") == []


def test_an_older_version_that_writes_again_is_told_and_locks_nobody_out(log: Log) -> None:
    log.write(1, 1)
    log.write(2, key=False)
    log.write(1)
    assert [(one.line, one.what, one.bad) for one in log.breaks()] == [(3, "unsealed", False)]


@pytest.mark.parametrize("torn", [b"{", b'{"v":1,"id":"', b'{"a":1}'])
def test_a_torn_line_has_a_row_of_its_own(log: Log, torn: bytes) -> None:
    log.write(2)
    with log.path.open("ab") as file:
        file.write(torn)
    log.write(1)
    log.anchor()
    assert [one["data"]["why"] for one in journal.read(str(log.folder))[0] if one.get("kind") == chain.KIND] == ["torn"]
    assert [one for one in log.breaks() if one.bad] == []


def test_a_log_of_another_store_cannot_be_checked_here(log: Log, tmp_path: Path) -> None:
    log.write(3, 1)
    other = str(tmp_path / "other")
    session = SessionEntry(SID, "", "", str(log.folder))
    assert [one.what for one in log_check.of_session(other, session, {})] == ["foreign"]


@pytest.mark.parametrize("before", [(), (2,)], ids=["of nothing", "of two rows"])
def test_who_writes_without_waiting_begins_a_branch_that_is_joined(
    log: Log, monkeypatch: pytest.MonkeyPatch, before: tuple[int, ...]
) -> None:
    """Another's rows come between the look at the end of the log and the write."""
    log.write(*before)
    text, once = journal.text, [True]

    def slow(given: Any) -> str:
        if once and once.pop():
            log.write(1)
        return text(given)

    monkeypatch.setattr(journal, "text", slow)
    log.write(1)
    assert [one["data"].get("why") for one in journal.read(str(log.folder))[0] if one["kind"] == chain.KIND] == [
        "joined"
    ]
    assert log.breaks() == []
    first = sum(before)
    log.lines = [*log.lines[:first], *log.lines[first + 1 :]]
    assert log.breaks() != []


def test_the_chain_of_the_store_goes_on_behind_a_long_record(tmp_path: Path) -> None:
    store = str(tmp_path / "store")
    for size in (10, 40_000, 10):
        authority.append(store, "TRUST", "person", {"text": "x" * size})
    assert authority.verify(store) == (3, "")


@pytest.fixture
def records(tmp_path: Path) -> Iterator[Path]:
    store = tmp_path / "store"
    for number in range(5):
        authority.append(str(store), "TRUST", "person", {"number": number})
    yield store / authority.NAME


@pytest.mark.parametrize("act", ["edit a row", "delete the first row", "delete a row", "swap two rows", "double a row"])
def test_what_is_done_to_the_store_s_records_is_seen(records: Path, act: str) -> None:
    change = at(2, lambda row: row.replace(b"TRUST", b"TRASH")) if act == "edit a row" else CHANGES[act]
    records.write_bytes(b"".join(change(records.read_bytes().splitlines(keepends=True))))
    assert authority.verify(str(records.parent))[1]
