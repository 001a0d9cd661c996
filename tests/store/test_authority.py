"""The authority log is a chain: what was allowed cannot be changed, dropped or put in without showing."""

from __future__ import annotations

import json
import os
import stat
from pathlib import Path

import pytest

from jackline import system
from jackline.store import authority


def filled(tmp_path: Path) -> Path:
    for number in range(4):
        authority.append(str(tmp_path), "TRUST", "person", {"digest": str(number)})
    return tmp_path / "authority.jsonl"


def test_records_follow_one_another(tmp_path: Path) -> None:
    path = filled(tmp_path)
    records = authority.read(str(tmp_path))
    assert [record["data"]["digest"] for record in records] == ["0", "1", "2", "3"]
    assert [record["prev"] for record in records] == [authority.FIRST, *[record["hash"] for record in records[:-1]]]
    assert authority.verify(str(tmp_path)) == (4, "")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert sorted(record["id"][:12] for record in records) == [record["id"][:12] for record in records]


def test_nothing_yet(tmp_path: Path) -> None:
    assert authority.verify(str(tmp_path / "none")) == (0, "")
    assert authority.read(str(tmp_path / "none")) == []


def change(lines: list[str]) -> list[str]:
    record = json.loads(lines[1])
    record["data"]["digest"] = "9"
    return [lines[0], json.dumps(record), *lines[2:]]


FORGERIES = {
    "changed": (change, 1, "was changed"),
    "dropped": (lambda lines: [lines[0], *lines[2:]], 1, "does not follow"),
    "swapped": (lambda lines: [lines[1], lines[0], *lines[2:]], 0, "does not follow"),
    "doubled": (lambda lines: [*lines[:2], lines[1], *lines[2:]], 2, "does not follow"),
    "beheaded": (lambda lines: lines[1:], 0, "does not follow"),
}


@pytest.mark.parametrize("name", FORGERIES)
def test_a_forgery_shows(tmp_path: Path, name: str) -> None:
    forge, count, said = FORGERIES[name]
    path = filled(tmp_path)
    path.write_text("\n".join(forge(path.read_text().splitlines())) + "\n")
    found = authority.verify(str(tmp_path))
    assert found[0] == count and said in found[1]


def test_a_torn_line_is_no_record_and_breaks_nothing(tmp_path: Path) -> None:
    path = filled(tmp_path)
    with path.open("a") as file:
        file.write('{"v":1,"id":"torn')
    authority.append(str(tmp_path), "GRANT", "person", {})
    assert authority.verify(str(tmp_path)) == (5, "")


def test_parallel_writers_keep_one_chain(tmp_path: Path) -> None:
    children = []
    for writer in range(4):
        child = os.fork()
        if child == 0:
            try:
                for number in range(10):
                    authority.append(str(tmp_path), "GRANT", f"w{writer}", {"n": number})
                os._exit(0)
            finally:
                os._exit(1)
        children.append(child)
    assert [os.waitpid(child, 0)[1] for child in children] == [0] * 4
    assert authority.verify(str(tmp_path)) == (40, "")


def test_a_link_in_its_place_is_not_followed(tmp_path: Path) -> None:
    target = tmp_path / "target"
    target.write_text("")
    (tmp_path / "authority.jsonl").symlink_to(target)
    with pytest.raises(OSError):
        authority.append(str(tmp_path), "GRANT", "person", {})
    assert target.read_text() == ""


def test_behind_records_that_cannot_be_read_nobody_begins_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A descriptor or memory may be missing for a moment: the record is refused, and the chain is whole after that."""
    path = filled(tmp_path)
    before = path.read_bytes()
    with monkeypatch.context() as patch:
        patch.setattr(system, "read_range", lambda *_: b"")
        with pytest.raises(OSError, match="cannot be read"):
            authority.append(str(tmp_path), "TRUST", "person", {"digest": "4"})
    assert path.read_bytes() == before
    authority.append(str(tmp_path), "TRUST", "person", {"digest": "5"})
    assert authority.verify(str(tmp_path)) == (5, "")
