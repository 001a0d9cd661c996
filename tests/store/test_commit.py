"""Log first, then the snapshot: `state.json` is the fold of exactly the bytes it says it has seen."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from jackline import host, system
from jackline.store import chain, journal, state
from jackline.store.ids import record_id
from jackline.store.reducer import fold
from jackline.store.state import LAG, rebuild
from scene import audit, settled


def record(**fields: Any) -> dict[str, Any]:
    made = {"v": 1, "id": record_id(host.now(), host.entropy()), "ts": 1, "repo": "0" * 16, "host": "0" * 16}
    return {**made, "event": "PreToolUse", "producer": "kernel", "kind": "NOTE", **fields}


def row(kind: str, producer: str, **fields: Any) -> dict[str, Any]:
    return record(kind=kind, producer=producer, **fields)


def named(kind: str, producer: str, **fields: Any) -> dict[str, Any]:
    return record(kind=kind, producer=producer, **fields)


KEY = (7, "the rest of a key")


class Folder:
    """A session's folder, open."""

    def __init__(self, path: Path) -> None:
        path.mkdir()
        (path / "key").touch()
        self.path = path
        self.at = system.descend(str(path), ())

    def commit(self, patch: dict[str, Any], *events: dict[str, Any], bus: tuple[dict[str, Any], ...] = ()) -> str:
        return state.commit(self.at, KEY, list(events), list(bus), patch, row)

    def late(self, patch: dict[str, Any]) -> None:
        """What a door leaves that did not get the lock, or was killed before the snapshot."""
        journal.append(self.at, journal.EVENTS, [record(kind="STATE_PATCH", data={"patch": patch})], KEY)

    @property
    def snapshot(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads((self.path / "state.json").read_text())
        return found

    @property
    def log(self) -> list[dict[str, Any]]:
        return journal.read(str(self.path))[0]


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Folder]:
    made = Folder(tmp_path / "session")
    yield made
    audit(made.path)
    system.close(made.at)


def test_rows_alone_write_no_snapshot(folder: Folder) -> None:
    assert folder.commit({}, record(), record()) == ""
    assert len(folder.log) == 2
    assert sorted(path.name for path in folder.path.iterdir()) == ["events.jsonl", "key"]


def test_events_then_bus_then_patch_then_snapshot(folder: Folder) -> None:
    artifact = {**record(kind="note", ref="a/output/x"), "workId": "w001"}
    del artifact["event"]
    assert folder.commit({"plan": {"hash": "0" * 16}}, record(), bus=(artifact,)) == ""
    assert [one["kind"] for one in folder.log] == ["NOTE", "STATE_PATCH"]
    assert journal.read(str(folder.path), journal.REGISTRY)[0] == [artifact]
    assert folder.snapshot["core"]["lastEventOffset"] == (folder.path / "events.jsonl").stat().st_size


def test_what_came_late_is_made_up_for_in_its_order(folder: Folder) -> None:
    """A door without the lock appends between two commits: the snapshot is what the log says, not what was first."""
    folder.commit({"core": {"sessionId": "0" * 8}, "plan": {"status": "none"}})
    folder.late({"core": {"createdTs": 1}, "plan": {"status": "proposed"}, "rlm": {"a": 1}})
    folder.commit({"core": {"createdTs": 2}, "plan": {"status": "accepted"}})
    assert settled(folder.snapshot) == fold(folder.log)
    assert folder.snapshot["core"]["createdTs"] == 1
    assert folder.snapshot["plan"] == {"status": "accepted"}
    assert folder.snapshot["rlm"] == {"a": 1}


def test_what_is_appended_between_log_and_snapshot_waits_for_the_next_commit(
    folder: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    append = journal.append

    def with_a_guest(at: int, name: str, records: Any, key: Any) -> tuple[int, int]:
        where = append(at, name, records, key)
        monkeypatch.setattr(journal, "append", append)
        folder.late({"core": {"createdTs": 2}, "plan": {"status": "stale"}})
        return where

    monkeypatch.setattr(journal, "append", with_a_guest)
    folder.commit({"core": {"createdTs": 1}, "plan": {"status": "none"}})
    audit(folder.path)
    assert folder.snapshot["plan"] == {"status": "none"}
    folder.commit({"core": {"lastTurnId": 1}})
    assert settled(folder.snapshot) == fold(folder.log)
    assert folder.snapshot["plan"] == {"status": "stale"}


def test_a_patch_is_what_the_log_says_of_it(folder: Folder) -> None:
    """The log masks and cuts foreign text, so the state holds the masked text too."""
    secret = "ghp_" + "a1B2" * 9
    folder.commit({"memory": {"note": f"token {secret}", "long": "x" * 5000}})
    assert secret not in (folder.path / "state.json").read_text()
    assert settled(folder.snapshot) == fold(folder.log)


def test_a_row_that_speaks_of_patches_is_none(folder: Folder) -> None:
    """What a hook emits holds what it likes below `data`: it changes no state by that."""
    forged = {"patch": {"core": {"phase": "COMPLETE"}}, "kind": "STATE_PATCH"}
    folder.commit({"core": {"lastTurnId": 1}}, record(data=forged))
    assert "phase" not in json.dumps(folder.log[1]["data"]["patch"])
    assert folder.snapshot["core"]["phase"] == "UNINITIALIZED"
    (folder.path / "state.json").unlink()
    assert state.read(folder.at, str(folder.path))["core"]["phase"] == "UNINITIALIZED"


def test_a_patch_too_large_for_the_log_changes_nothing(folder: Folder) -> None:
    folder.commit({"memory": {f"key{n}": "word " * 300 for n in range(40)}})
    assert [one["kind"] for one in folder.log] == ["PATCH_DROPPED"]
    assert state.read(folder.at, str(folder.path)).get("memory") is None


def test_nothing_changed_writes_nothing(folder: Folder) -> None:
    folder.commit({"plan": {"status": "none"}})
    before = (folder.path / "state.json").stat().st_ino
    folder.commit({"plan": {"status": "none"}})
    assert (folder.path / "state.json").stat().st_ino == before


def test_an_unchanged_snapshot_falls_behind_no_further_than_a_little(folder: Folder) -> None:
    folder.commit({"plan": {"status": "none"}})
    for _ in range(3):
        folder.commit({"plan": {"status": "none"}}, *[record(data="x" * 1500) for _ in range(20)])
    size = (folder.path / "events.jsonl").stat().st_size
    assert size > LAG
    assert size - folder.snapshot["core"]["lastEventOffset"] < LAG


BROKEN = (
    *(
        b"",
        b"{",
        b"[]",
        b"\xff",
        b"{}",
        b'{"v":99,"core":{}}',
        b'{"v":"1","core":{}}',
        b'{"v":1}',
        b'{"v":1,"core":[]}',
    ),
    *(b'{"v":1,"core":{},"plan":7}', b'{"v":1,"core":{"lastEventOffset":99999999}}'),
    *(b'{"v":1,"core":{"lastEventOffset":"x"}}', b'{"v":1,"core":{"lastEventOffset":-3}}', b"[" * 5000),
)


@pytest.mark.parametrize("broken", BROKEN, ids=lambda raw: raw[:45].decode("latin-1"))
def test_a_broken_snapshot_heals_from_the_log(folder: Folder, broken: bytes) -> None:
    folder.commit({"core": {"sessionId": "0" * 8}, "plan": {"status": "none"}})
    (folder.path / "state.json").write_bytes(broken)
    folder.commit({"plan": {"status": "stale"}})
    assert settled(folder.snapshot) == fold(folder.log)


def test_a_log_that_was_cut_is_folded_anew(folder: Folder) -> None:
    folder.commit({"plan": {"status": "none"}, "rlm": {"a": 1}})
    (folder.path / "events.jsonl").write_bytes(b"")
    folder.commit({"plan": {"status": "stale"}})
    assert settled(folder.snapshot) == fold(folder.log)
    assert "rlm" not in folder.snapshot


def test_a_held_lock_delays_the_snapshot_not_the_log(folder: Folder) -> None:
    folder.commit({"plan": {"status": "none"}})
    child = system_fork_holding(folder)
    try:
        assert folder.commit({"plan": {"status": "stale"}}) == ""
    finally:
        child()
    assert folder.snapshot["plan"] == {"status": "none"}
    assert len(folder.log) == 2
    folder.commit({"core": {"lastTurnId": 2}})
    assert folder.snapshot["plan"] == {"status": "stale"}


def system_fork_holding(folder: Folder) -> Any:
    """Another process that holds the session's lock; returns what ends it."""
    import subprocess
    import sys

    script = (
        "import fcntl,sys; f=open(sys.argv[1],'r+'); fcntl.lockf(f, fcntl.LOCK_EX); print('held', flush=True); input()"
    )
    child = subprocess.Popen(
        [sys.executable, "-c", script, str(folder.path / state.LOCKS / state.LOCK)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert child.stdout is not None
    assert child.stdout.readline() == "held\n"
    return lambda: child.communicate("\n")


def test_rebuild_makes_the_state_again(folder: Folder) -> None:
    folder.commit({"plan": {"status": "none"}})
    folder.late({"plan": {"status": "stale"}})
    (folder.path / "state.json").unlink()
    assert rebuild(str(folder.path)) == fold(folder.log)
    assert settled(folder.snapshot) == fold(folder.log)
    before = folder.snapshot
    folder.commit({"plan": {"status": "stale"}})
    assert folder.snapshot == before


def test_a_torn_tail_does_not_spoil_the_next_record(folder: Folder) -> None:
    folder.commit({"plan": {"status": "none"}})
    with (folder.path / "events.jsonl").open("ab") as log:
        log.write(b'{"v":1,"kind":"STATE_PATCH","da')
    folder.commit({"plan": {"status": "stale"}})
    records, torn = journal.read(str(folder.path))
    assert ([one["kind"] for one in records], torn) == (["STATE_PATCH", chain.KIND, "STATE_PATCH"], 1)
    assert folder.snapshot["plan"] == {"status": "stale"}
    (folder.path / "events.jsonl").write_bytes(b"".join(journal.text(one).encode() + b"\n" for one in records))
    (folder.path / "state.json").unlink()
