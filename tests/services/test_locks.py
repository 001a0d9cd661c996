"""Locks of a task: of many who ask one has it, and nobody waits for the dead."""

from __future__ import annotations

import json
import os
import signal
import time
from pathlib import Path
from typing import Any

import pytest

from jackline import processes
from jackline.services import locks
from jackline.services.locks import Here, Lock

from .together import together

HERE = locks.here("/nonexistent")._replace(host="here")
LATER = 60_000


@pytest.fixture
def session(tmp_path: Path) -> str:
    (tmp_path / "0badcafe").mkdir()
    return str(tmp_path / "0badcafe")


def lock(key: str = "db", token: str = "t", pid: int = 0, **more: Any) -> Lock:
    """A lock as a living process would have it."""
    pid, now = pid or os.getpid(), time.time_ns() // 1_000_000
    given = {"since": now, "until": now + LATER, "here": HERE, "start": processes.start_ticks(pid), **more}
    return Lock(key, "tester", pid, token=token, **given)


def file(session: str, name: str = "db") -> Path:
    return Path(session) / "work/w001/locks" / f"{name}.lock"


def sleeping() -> int:
    """A process that does nothing until somebody kills it."""
    pid = os.fork()
    if pid == 0:
        try:
            signal.pause()
        finally:
            os._exit(0)
    return pid


def killed(pid: int) -> None:
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)


def test_one_has_it_until_it_is_given_back(session: str) -> None:
    mine, other = lock(token="1"), lock(token="2")
    assert locks.take(session, "w001", mine) == mine
    assert locks.take(session, "w001", other) == mine, "the other one is told who has it"
    assert locks.take(session, "w002", other) == other, "another task is another lock"
    assert locks.known(session, "w001") == [mine]
    assert not locks.give_back(session, "w001", other), "not theirs"
    assert locks.give_back(session, "w001", mine)
    assert locks.take(session, "w001", other) == other
    assert file(session).stat().st_mode & 0o777 == 0o600


def test_of_many_processes_one_wins(session: str) -> None:
    def work(number: int) -> int:
        mine = lock(token=str(number))
        return 1 if locks.take(session, "w001", mine) == mine else 0

    assert sum(together(32, work)) == 1


def test_of_many_who_find_a_dead_owner_one_takes_over(session: str) -> None:
    owner = sleeping()
    locks.take(session, "w001", lock(token="dead", pid=owner))
    assert locks.take(session, "w001", lock(token="2")).token == "dead"
    killed(owner)

    def work(number: int) -> int:
        mine = lock(token=f"n{number}")
        found = locks.take(session, "w001", mine)
        return 1 if found == mine else 0

    assert sum(together(16, work)) == 1


def test_thirty_two_processes_that_take_turns_lose_nothing(session: str) -> None:
    """Under the lock each reads a number and writes the next one: with two at once one of them would be lost."""
    count = Path(session) / "count"
    count.write_text("0")

    def work(number: int) -> None:
        mine = lock(token=str(number))
        while locks.take(session, "w001", mine).token != mine.token:
            time.sleep(0.002)
        old = int(count.read_text())
        time.sleep(0.001)
        count.write_text(str(old + 1))
        assert locks.give_back(session, "w001", mine)

    assert together(32, work) == [0] * 32
    assert count.read_text() == "32"
    assert locks.known(session, "w001") == []


def test_a_lock_whose_time_is_past_is_taken_over_from_the_living(session: str) -> None:
    old = lock(token="1", until=1)
    locks.take(session, "w001", old)
    mine = lock(token="2")
    assert locks.take(session, "w001", mine) == mine
    assert not locks.give_back(session, "w001", old), "what was taken over is not given back by the first one"
    assert locks.known(session, "w001") == [mine]


def test_a_process_number_that_was_given_again_is_another_process(session: str) -> None:
    locks.take(session, "w001", lock(token="1", start=processes.start_ticks(os.getpid()) - 1))
    mine = lock(token="2")
    assert locks.take(session, "w001", mine) == mine


@pytest.mark.parametrize(
    ("where", "taken"),
    [
        (HERE._replace(boot="before"), True),
        (HERE._replace(space="pid:[1]"), False),
        (Here("another host", "x", "y"), False),
    ],
    ids=["the machine started anew", "another space of process numbers", "another machine"],
)
def test_nobody_is_called_dead_whose_number_means_nothing_here(session: str, where: Here, taken: bool) -> None:
    locks.take(session, "w001", lock(token="1", pid=2**22 - 1, start=1, here=where))
    mine = lock(token="2")
    assert (locks.take(session, "w001", mine) == mine) == taken


def test_a_lock_may_be_handed_on_to_the_process_that_works(session: str) -> None:
    mine, worker = lock(token="1"), sleeping()
    try:
        locks.take(session, "w001", mine)
        mine = locks.hand_on(session, "w001", mine, worker)
        assert (mine.pid, locks.known(session, "w001")) == (worker, [mine])
    finally:
        killed(worker)
    other = lock(token="2")
    assert locks.take(session, "w001", other) == other


FORGED = {
    "nothing": b"",
    "no JSON": b"{",
    "too deep": b"[" * 10_000,
    "no lock": b"[]",
    "wrong types": json.dumps({"v": 1, "key": 1}).encode(),
    "a pipe": None,
}


@pytest.mark.parametrize("content", FORGED.values(), ids=FORGED)
def test_what_is_no_lock_holds_nobody_up_for_long(session: str, content: bytes | None) -> None:
    place = file(session)
    place.parent.mkdir(parents=True)
    if content is None:
        os.mkfifo(place)
    else:
        place.write_bytes(content)
    mine = lock()
    assert locks.take(session, "w001", mine).owner == "nobody known", "somebody may be writing it"
    old = time.time() - 2 * locks.UNREADABLE_MS / 1000
    os.utime(place, (old, old))
    assert locks.take(session, "w001", mine) == mine


def test_a_forged_lock_holds_no_longer_than_a_real_one_may(session: str) -> None:
    locks.take(session, "w001", lock())
    place = file(session)
    place.write_text(json.dumps({**json.loads(place.read_text()), "until": 1 << 60}))
    [found] = locks.known(session, "w001")
    assert found.until - found.since == locks.MINUTES * 60_000


def test_no_link_is_followed(session: str, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.write_text("mine")
    place = file(session)
    place.parent.mkdir(parents=True)
    place.symlink_to(outside)
    locks.take(session, "w001", lock(since=1 << 50, until=1 << 51))
    assert outside.read_text() == "mine" and not place.is_symlink()
    place.parent.rename(tmp_path / "before")
    place.parent.symlink_to(tmp_path, target_is_directory=True)
    with pytest.raises(OSError, match=r"Not a directory|Too many levels"):
        locks.take(session, "w001", lock())
    assert not (tmp_path / "db.lock").exists()


@pytest.mark.parametrize("key", ["../../x", "a/b", "", "x" * 300, "-rf", "\0", "ä b"])
def test_a_key_never_leads_out_of_the_folder(session: str, key: str) -> None:
    if not key or len(key) > locks.KEY or "\0" in key:
        with pytest.raises(ValueError, match="characters"):
            locks.take(session, "w001", lock(key))
        return
    assert locks.take(session, "w001", lock(key)).key == key
    assert [path.parent.name for path in Path(session).rglob("*.lock")] == ["locks"]


@pytest.mark.parametrize("work", ["", "../w001", "w", "w1/..", "x001"])
def test_only_a_task_has_locks(session: str, work: str) -> None:
    with pytest.raises(ValueError, match="is no task"):
        locks.take(session, work, lock())
