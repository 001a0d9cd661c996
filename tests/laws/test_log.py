"""Laws of the log: whatever is torn or foreign in it, every whole record is read, and nothing else."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from jackline import system
from jackline.jsonio import dumps
from jackline.store import journal
from jackline.store.ids import record_id, slot
from jackline.store.sessions import safe_name

TEXT = st.text(st.characters(codec=None, categories=None), max_size=30)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | TEXT | st.binary(max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3) | st.tuples(inner),
    max_leaves=10,
)
RECORDS = st.dictionaries(st.sampled_from(("message", "data", "reason", "toolName", "paths")), VALUES, max_size=4)
GARBAGE = st.binary(max_size=20) | st.sampled_from(
    (b"", b"{", b"[]", b"null", b'{"a":1', b"\xff\xfe", b"[" * 3000, b"NaN")
)


def lines_of(records: list[dict[str, Any]]) -> bytes:
    """Records as the lines of a file without a chain."""
    return b"".join(journal.text(one).encode("ascii") + b"\n" for one in records)


def readable(raw: bytes) -> bool:
    try:
        return isinstance(json.loads(raw.decode("utf-8"), parse_constant=lambda name: 1 / 0), dict)
    except (ValueError, ZeroDivisionError, RecursionError):
        return False


@given(records=st.lists(RECORDS, max_size=5))
def test_any_record_is_one_line_of_json(records: list[dict[str, Any]]) -> None:
    data = lines_of(records)
    assert data.count(b"\n") == len(records)
    found, torn = journal.parse(data)
    assert (len(found), torn) == (len(records), 0)
    assert data.isascii()
    for record in found:
        json.dumps(record, allow_nan=False)


@given(parts=st.lists(st.tuples(RECORDS, GARBAGE), max_size=5), tail=GARBAGE)
def test_whole_records_are_read_between_garbage(parts: list[tuple[dict[str, Any], bytes]], tail: bytes) -> None:
    data = b""
    expected = []
    foreign = 0
    for record, garbage in parts:
        garbage = garbage.replace(b"\n", b" ")
        data += journal.text(record).encode() + b"\n" + garbage + b"\n"
        expected.append(json.loads(journal.text(record)))
        if readable(garbage):
            expected.append(json.loads(garbage))
        elif garbage.strip():
            foreign += 1
    tail = tail.replace(b"\n", b" ")
    found, torn = journal.parse(data + tail)
    assert [dumps(one) for one in found] == [dumps(one) for one in expected]
    assert torn == foreign + bool(tail.strip())


@given(records=st.lists(RECORDS, min_size=1, max_size=5), data=st.data())
def test_a_cut_loses_one_record_at_most(records: list[dict[str, Any]], data: st.DataObject) -> None:
    """A writer that dies in the middle: everything before it is read, its own line counts as torn, not as a record."""
    lines = [lines_of([one]) for one in records]
    whole = b"".join(lines)
    at = data.draw(st.integers(0, len(whole)))
    found, torn = journal.parse(whole[:at])
    complete = whole[:at].count(b"\n")
    assert len(found) == complete
    assert torn == (0 if whole[:at].endswith(b"\n") or not at else 1)


@given(
    records=st.lists(RECORDS, min_size=1, max_size=4), torn=st.sampled_from((b"", b'{"v":1,"ki', b'{"a":1}', b"x" * 50))
)
def test_the_next_writer_closes_a_torn_tail(tmp_path_factory: Any, records: list[dict[str, Any]], torn: bytes) -> None:
    folder: Path = tmp_path_factory.mktemp("log")
    at = system.descend(str(folder), ())
    (folder / "registry.jsonl").write_bytes(torn)
    start, end = journal.append(at, "registry.jsonl", records)
    system.close(at)
    data = (folder / "registry.jsonl").read_bytes()
    assert data[start:end].removeprefix(b"\n") == lines_of(records)
    assert len(journal.parse(data[start:end])[0]) == len(records)
    assert end == len(data)


@settings(max_examples=10)
@given(record=RECORDS)
def test_no_line_grows_without_bound(record: dict[str, Any]) -> None:
    for large in ({"blob": ["x" * 5000] * 50}, {str(n): "word " * 100 for n in range(300)}, ["y" * 3000] * 300):
        for key in ("data", "paths", "reason"):
            assert len(journal.text({**record, "kind": "NOTE", key: large})) < 2 * journal.LARGE


@given(text=TEXT | st.sampled_from(("../../x", "a/b", ".", "..", "", "~", "a\0b", "x" * 10_000, "\ud800")))
def test_no_foreign_text_becomes_a_path(text: str) -> None:
    name = safe_name(text)
    assert "/" not in name
    assert "\0" not in name
    assert name not in ("", ".", "..")
    assert not name.startswith((".", "-"))
    assert len(name) <= 80
    assert name.isascii()


@given(one=TEXT, other=TEXT)
def test_different_texts_have_different_names(one: str, other: str) -> None:
    assert (safe_name(one) == safe_name(other)) == (one == other)
    assert (slot(one) == slot(other)) == (one == other)


@given(times=st.lists(st.integers(0, 2**60), min_size=2, max_size=5), entropy=st.binary(min_size=16, max_size=16))
def test_record_ids_are_ordered_by_time(times: list[int], entropy: bytes) -> None:
    ids = [record_id(now, entropy) for now in sorted(times)]
    assert ids == sorted(ids)
    assert all(len(one) == 32 and int(one, 16) >= 0 for one in ids)
