"""Operating-system calls: files below folders an agent can write, claims, locks, appends."""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from jackline import host, processes, system


@pytest.fixture
def at(tmp_path: Path) -> Iterator[int]:
    fd = system.descend(str(tmp_path), ())
    yield fd
    os.close(fd)


def test_read_takes_regular_files_only(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"x" * 200_000)
    assert system.read(f"{tmp_path}/file") == b"x" * 200_000
    assert len(system.read(f"{tmp_path}/file", limit=70_000)) < 200_000
    (tmp_path / "link").symlink_to("file")
    assert system.read(f"{tmp_path}/link", limit=10)
    os.mkfifo(tmp_path / "pipe")
    for name in ("pipe", "", "missing"):
        with pytest.raises(OSError):
            system.read(f"{tmp_path}/{name}")
    with pytest.raises(OSError):
        system.read(f"{tmp_path}/link", follow=False)


def test_descend_follows_no_link_and_asks_for_the_owner(tmp_path: Path) -> None:
    (tmp_path / "a" / "b").mkdir(parents=True)
    (tmp_path / "link").symlink_to("a")
    (tmp_path / "file").write_text("")
    os.close(system.descend(str(tmp_path), ("a", "b"), uid=os.getuid()))
    for parts in (("link",), ("link", "b"), ("a", "missing"), ("file",)):
        with pytest.raises(OSError):
            system.descend(str(tmp_path), parts)
    with pytest.raises(PermissionError):
        system.descend(str(tmp_path), ("a",), uid=os.getuid() + 1)
    os.close(system.descend(str(tmp_path), ("new", "deep"), create=True))
    assert stat.S_IMODE((tmp_path / "new" / "deep").stat().st_mode) == 0o700


def test_no_descriptor_is_left_open(tmp_path: Path) -> None:
    before = len(os.listdir("/proc/self/fd"))
    (tmp_path / "link").symlink_to("/")
    for _ in range(5):
        with pytest.raises(OSError):
            system.descend(str(tmp_path), ("link", "x"))
        with pytest.raises(OSError):
            system.read(str(tmp_path))
        system.lock(f"{tmp_path}/missing/lock", 1)
        system.claim(f"{tmp_path}/claim", b"x")
        system.append(f"{tmp_path}/log", b"x\n")
        system.replace(f"{tmp_path}/file", b"x")
    assert len(os.listdir("/proc/self/fd")) == before


def test_append_tells_where_it_stands_and_closes_a_torn_line(tmp_path: Path) -> None:
    path = f"{tmp_path}/log"
    assert system.append(path, b"one\n") == 4
    assert system.append(path, b"two\n") == 8
    with open(path, "ab") as log:
        log.write(b"torn")
    assert system.append(path, b"three\n") == 19
    assert Path(path).read_bytes() == b"one\ntwo\ntorn\nthree\n"
    assert stat.S_IMODE(os.stat(path).st_mode) == 0o600


SLOW = """import fcntl, sys, time
with open(sys.argv[1], "ab", buffering=0) as log:
    fcntl.lockf(log, fcntl.LOCK_EX)
    log.write(b"one\\nhal")
    print("now", flush=True)
    time.sleep(0.02)
    log.write(b"f\\n")
"""


def test_append_leaves_no_empty_line_behind_a_write_that_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(system, "TURN_MS", 20_000)
    path = tmp_path / "log"
    with subprocess.Popen([sys.executable, "-c", SLOW, str(path)], stdout=subprocess.PIPE) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == b"now\n"
        assert system.append(str(path), b"three\n") == 15
    assert path.read_bytes() == b"one\nhalf\nthree\n"


def test_append_follows_no_link(tmp_path: Path, at: int) -> None:
    (tmp_path / "log").symlink_to("elsewhere")
    with pytest.raises(OSError):
        system.append("log", b"x\n", at=at)
    assert not (tmp_path / "elsewhere").exists()


def test_replace_is_whole_or_nothing(tmp_path: Path, at: int) -> None:
    system.replace("file", b"one", at=at)
    (tmp_path / "outside").write_text("mine")
    (tmp_path / "link").symlink_to("outside")
    system.replace("link", b"two", at=at)
    assert (tmp_path / "outside").read_text() == "mine"
    assert (tmp_path / "link").read_text() == "two"
    (tmp_path / "folder").mkdir()
    with pytest.raises(OSError):
        system.replace("folder", b"x", at=at)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", "folder", "link", "outside"]


def test_a_claim_is_one_processs_with_its_content_at_once(tmp_path: Path) -> None:
    script = f"""
import sys; sys.path.insert(0, {str(Path(system.__file__).parent.parent)!r})
from jackline import system
sys.stdin.read()
print(sum(system.claim({str(tmp_path)!r} + f"/{{n}}", b"x" * 50 if n % 2 else b"") for n in range(200)))
"""
    racers = [
        subprocess.Popen([sys.executable, "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        for _ in range(4)
    ]
    time.sleep(0.2)
    for racer in racers:
        assert racer.stdin is not None
        racer.stdin.close()
        racer.stdin = None
    won = [int(racer.communicate(timeout=30)[0]) for racer in racers]
    assert sum(won) == 200
    assert {len((tmp_path / str(n)).read_bytes()) for n in range(1, 200, 2)} == {50}
    assert len(list(tmp_path.iterdir())) == 200


def test_a_lock_waits_no_longer_than_told_and_dies_with_its_process(tmp_path: Path) -> None:
    path = f"{tmp_path}/lock"
    script = f"""
import sys; sys.path.insert(0, {str(Path(system.__file__).parent.parent)!r})
from jackline import system
held = system.lock({path!r}, 1000)
print(held >= 0, flush=True)
sys.stdin.read()
"""
    with subprocess.Popen([sys.executable, "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"True\n"
        begun = time.monotonic()
        assert system.lock(path, 60) == -1
        assert 0.05 < time.monotonic() - begun < 2
        holder.kill()
    held = system.lock(path, 2000)
    assert held >= 0
    system.close(held)
    assert system.lock(f"{tmp_path}/missing/lock", 5) == -1


def test_an_alarm_interrupts_and_can_be_taken_back() -> None:
    hits: list[int] = []

    def hit() -> None:
        hits.append(1)
        raise TimeoutError

    system.alarm(0.02, hit)
    with pytest.raises(TimeoutError):
        time.sleep(5)
    system.alarm(0.02, hit)
    system.quiet()
    time.sleep(0.05)
    assert hits == [1]


def test_names_are_sorted_and_missing_folders_empty(tmp_path: Path) -> None:
    for name in ("b", "a", "ü"):
        (tmp_path / name).touch()
    assert system.names(str(tmp_path)) == ["a", "b", "ü"]
    assert system.names(f"{tmp_path}/missing") == []


NODE = processes.Process(4, 40, "node", "")
SH = processes.Process(5, 50, "sh", "", ("sh", "-c", "exec python"))
BASH = processes.Process(6, 60, "bash", "", ("-bash",), leads=True)
PTY = processes.Process(7, 70, "sh", "", ("/bin/sh", "-lc", "exec python"), leads=True)
TERMINAL = processes.Process(8, 80, "a-terminal", "")


@pytest.mark.parametrize(
    ("chain", "found"),
    [
        ((NODE, BASH, TERMINAL), NODE),
        ((SH, NODE, BASH, TERMINAL), NODE),
        ((PTY, NODE, BASH, TERMINAL), NODE),
        ((SH, BASH, TERMINAL), SH),
        ((BASH, TERMINAL), None),
        ((SH, processes.Process(9, 90, "bash", "", ("bash", "./try"))), SH),
        ((), None),
    ],
    ids=["client", "shell between", "shell in a terminal of its own", "by hand", "typed", "only shells", "nobody"],
)
def test_who_opened_the_door(chain: tuple[processes.Process, ...], found: processes.Process | None) -> None:
    assert processes.opener(chain) == found


def test_processes_above_us() -> None:
    chain = host.ancestors()
    assert chain[0].pid == os.getppid()
    assert all(processes.alive(one.pid, one.start) for one in chain)
    assert not processes.alive(chain[0].pid, chain[0].start + 1)
    assert processes.running(os.getpid())
    child = subprocess.Popen(["/bin/true"])
    time.sleep(0.1)
    assert not processes.running(child.pid), "it only waits to be reaped"
    child.wait()
    assert not processes.running(child.pid)


def test_a_ring_that_comes_late_calls_nobody() -> None:
    """The signal was on its way when the alarm was taken back, or when the next one was set."""
    called: list[str] = []
    system.alarm(60, lambda: called.append("first"))
    system.quiet()
    signal.raise_signal(signal.SIGALRM)
    system.alarm(60, lambda: called.append("second"))
    signal.raise_signal(signal.SIGALRM)
    system.alarm(0.001, lambda: called.append("third"))
    time.sleep(0.05)
    system.quiet()
    assert called == ["third"]
