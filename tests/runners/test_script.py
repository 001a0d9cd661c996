"""A script as a child: whatever it does costs its deadline and nothing else."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import forked
from jackline.runners.process import KEEP
from jackline.runners.script import User, run
from jackline.script import CHANGED, Outcome, Script
from jackline.scripts.status import words
from jackline.staleness import content
from nobody import as_nobody

if TYPE_CHECKING:
    from jackline.script import Type

ENV = {"PATH": "/usr/bin:/bin", "HOME": "/nowhere", "LC_ALL": "C"}


@pytest.fixture(autouse=True)
def nothing_left() -> Iterator[None]:
    """After every test: as many descriptors as before, no child of ours, no mask, no dead process to reap."""
    before = sorted(os.listdir("/proc/self/fd"))
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, ())
    yield
    assert sorted(os.listdir("/proc/self/fd")) == before
    assert signal.pthread_sigmask(signal.SIG_BLOCK, ()) == mask
    assert forked.children() == []


def made(tmp_path: Path, body: str, *, first: str = "#!/bin/sh", mode: int = 0o755, **fields: Any) -> Script:
    path = tmp_path / "it.sh"
    path.write_text(f"{first}\n{body}\n" if first else body + "\n")
    path.chmod(mode)
    return Script("it", "event", str(path), content(str(path)), **fields)


def go(
    tmp_path: Path, body: str, limit_s: float = 20, *, first: str = "#!/bin/sh", mode: int = 0o755, **given: Any
) -> Outcome:
    script = made(tmp_path, body, first=first, mode=mode, **given.pop("fields", {}))
    return run(script, root=str(tmp_path), env=given.pop("env", ENV), limit_s=limit_s, **given)


# --- what it is given and what it gives ---


def test_streams_exit_arguments_and_folder(tmp_path: Path) -> None:
    found = go(tmp_path, 'cat; echo "$1|$2"; pwd; echo wrong >&2; exit 3', stdin=b"given\n", arguments=("a b", "$c"))
    said = f"given\na b|$c\n{tmp_path}\n".encode()
    assert found._replace(ms=0.0, both=b"") == Outcome(3, said, b"wrong\n")
    assert 0 < found.ms < 10_000


MIXED = "for n in 1 2 3; do echo out $n; echo err $n >&2; done"


@pytest.mark.parametrize("type_", ["file", "session", "pre-commit"])
def test_both_streams_are_kept_in_the_order_they_came(tmp_path: Path, type_: Type) -> None:
    path = tmp_path / "it.sh"
    path.write_text(f"#!/bin/sh\n{MIXED}\n")
    path.chmod(0o755)
    found = run(Script("it", type_, str(path), content(str(path))), root=str(tmp_path), env=ENV, limit_s=20)
    assert found.out == b"".join([b"out %d\nerr %d\n" % (n, n) for n in (1, 2, 3)])
    assert (found.err, found.both) == (b"", b"")


def test_an_event_scripts_streams_are_read_apart_and_shown_as_they_came(tmp_path: Path) -> None:
    found = go(tmp_path, "echo one; sleep 0.2; echo two >&2; sleep 0.2; echo three")
    assert (found.out, found.err, found.both) == (b"one\nthree\n", b"two\n", b"one\ntwo\nthree\n")
    assert words(found) == "one\ntwo\nthree\n"


@pytest.mark.parametrize("status", [0, 1, 2, 3, 77, 126, 127, 128, 255])
def test_exit_codes_are_the_scripts_own(tmp_path: Path, status: int) -> None:
    found = go(tmp_path, f"exit {status}")
    assert (found.exit, found.fault, found.ok) == (status, "", status == 0)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL, signal.SIGSEGV, signal.SIGALRM, signal.SIGPIPE])
def test_a_signal_that_ends_it_is_told(tmp_path: Path, number: int) -> None:
    found = go(tmp_path, f"kill -{int(number)} $$; sleep 5")
    assert (found.exit, found.late) == (-number, False)


def test_all_of_a_large_input_arrives_and_all_of_the_answer_is_read(tmp_path: Path) -> None:
    data = os.urandom(3_000_000).hex().encode()
    assert go(tmp_path, "wc -c", stdin=data).out.strip() == str(len(data)).encode()
    assert go(tmp_path, "cat >/dev/null; head -c 130000 /dev/zero").out == bytes(130_000)


def test_an_interpreter_and_its_words_go_before_the_file(tmp_path: Path) -> None:
    fields = {"argv": ("sh", "-u")}
    assert go(tmp_path, 'echo $-; echo "$0"', mode=0o600, first="", fields=fields).out.endswith(b"it.sh\n")


def test_a_file_without_first_line_runs_as_every_shell_runs_it(tmp_path: Path) -> None:
    assert go(tmp_path, "echo plain", first="").out == b"plain\n"


def test_it_has_a_session_of_its_own_and_default_signals(tmp_path: Path) -> None:
    body = """import os, signal
print(os.getsid(0) == os.getpid() == os.getpgid(0))
print([one.name for one in map(signal.Signals, (1, 2, 3, 14, 15, 17)) if signal.getsignal(one) == signal.SIG_IGN])
print(signal.pthread_sigmask(signal.SIG_BLOCK, ()))"""
    previous = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        found = go(tmp_path, body, first=f"#!{sys.executable}")
    finally:
        signal.signal(signal.SIGHUP, previous)
    assert found.out == b"True\n[]\nset()\n", found


def test_nothing_else_is_open_in_it(tmp_path: Path) -> None:
    """Not even what our own parent handed down to us."""
    reading, writing = os.pipe()
    os.set_inheritable(writing, True)
    try:
        found = go(tmp_path, "ls /proc/self/fd")
    finally:
        os.close(reading)
        os.close(writing)
    assert found.out.split() == [b"0", b"1", b"2", b"3"], "3 is the folder that `ls` reads"


# --- hostile ones ---


def took(begun: float) -> float:
    return time.monotonic() - begun


def test_a_hang_costs_its_deadline(tmp_path: Path) -> None:
    begun = time.monotonic()
    found = go(tmp_path, "echo begun; sleep 100", 0.4)
    assert (found.exit, found.out, found.late, found.ok) == (-15, b"begun\n", True, False)
    assert 0.4 <= took(begun) < 3


def test_whoever_ignores_term_is_killed_with_all_its_group(tmp_path: Path) -> None:
    begun = time.monotonic()
    found = go(tmp_path, "trap '' TERM; sh -c 'sleep 100; true' & echo $!; while :; do sleep 1; done", 0.4)
    assert (found.exit, found.late) == (-9, True)
    assert took(begun) < 4
    assert gone(int(found.out))


def gone(pid: int) -> bool:
    for _ in range(100):
        try:
            if (Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]) == "Z":
                return True
        except OSError:
            return True
        time.sleep(0.02)
    return False


def test_a_script_may_clean_up_when_its_time_is_over(tmp_path: Path) -> None:
    found = go(tmp_path, "trap 'echo cleaned; exit 7' TERM; while :; do sleep 0.05; done", 0.3)
    assert (found.exit, found.out, found.late) == (7, b"cleaned\n", True)


def test_a_daemon_that_holds_the_output_costs_a_fifth_of_a_second(tmp_path: Path) -> None:
    begun = time.monotonic()
    found = go(tmp_path, "sleep 30 & echo $!; exit 4")
    pid = int(found.out)
    assert (found.exit, found.late) == (4, False)
    assert took(begun) < 2
    os.kill(pid, 9)  # what it started on purpose goes on


def test_a_daemon_in_a_session_of_its_own_costs_no_more(tmp_path: Path) -> None:
    begun = time.monotonic()
    found = go(tmp_path, "setsid sh -c 'echo $$; exec sleep 30' & sleep 0.2; exit 0")
    assert found.ok
    assert took(begun) < 2
    os.kill(int(found.out), 9)


def test_a_gigabyte_is_drained_and_its_ends_are_kept(tmp_path: Path) -> None:
    found = go(tmp_path, "echo first; head -c 1000000000 /dev/zero; echo last; yes | head -c 10000000 >&2", 60)
    assert found.exit == 0 and found.cut
    assert found.out.startswith(b"first\n\0") and found.out.endswith(b"\0last\n")
    assert b"bytes left out" in found.out and len(found.out) < 2 * KEEP + 100
    assert len(found.err) < 2 * KEEP + 100


def test_output_without_end_costs_the_deadline(tmp_path: Path) -> None:
    begun = time.monotonic()
    found = go(tmp_path, "exec yes", 0.5)
    assert found.late and found.cut and took(begun) < 4


def test_killing_its_own_group_kills_nobody_else(tmp_path: Path) -> None:
    assert go(tmp_path, "kill -9 0").exit == -9
    assert go(tmp_path, "kill -9 -$$").exit == -9


def test_an_input_that_is_never_read_is_let_go(tmp_path: Path) -> None:
    assert go(tmp_path, "exec 0<&-; sleep 0.1; exit 5", stdin=b"x" * 10_000_000).exit == 5
    begun = time.monotonic()
    assert go(tmp_path, "sleep 100", 0.4, stdin=b"x" * 10_000_000).late
    assert took(begun) < 3


def test_a_broken_pipe_does_not_end_us_where_it_would(tmp_path: Path) -> None:
    previous = signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    try:
        assert go(tmp_path, "exec 0<&-; sleep 0.1", stdin=b"x" * 1_000_000).ok
    finally:
        signal.signal(signal.SIGPIPE, previous)


def test_stopping_and_continuing_itself_is_no_end(tmp_path: Path) -> None:
    begun = time.monotonic()
    found = go(tmp_path, "kill -STOP $$; echo on", 0.5)
    assert found.late and took(begun) < 4


# --- who is not run ---


def test_other_bytes_than_those_compiled_are_not_run(tmp_path: Path) -> None:
    script = made(tmp_path, "echo old")
    Path(script.path).write_text("#!/bin/sh\necho new > ran\n")
    assert run(script, root=str(tmp_path), env=ENV, limit_s=5) == Outcome(126, fault=CHANGED)
    assert not (tmp_path / "ran").exists()


def test_a_file_swapped_after_it_was_read_is_not_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script = made(tmp_path, "echo old")
    from jackline.runners import child

    def swap() -> None:
        other = tmp_path / "other"
        other.write_text("#!/bin/sh\necho new\n")
        other.chmod(0o755)
        other.rename(script.path)

    monkeypatch.setattr(child, "_signals", swap)  # runs in the child, just before
    found = run(script, root=str(tmp_path), env=ENV, limit_s=5)
    assert (found.out, found.fault) == (b"", CHANGED)


def replaced_by(make: Callable[[Path], None]) -> Callable[[Path], None]:
    def change(path: Path) -> None:
        path.unlink()
        make(path)

    return change


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        (lambda path: path.unlink(), "cannot be read: No such file or directory"),
        (replaced_by(os.mkdir), "is no file"),
        (replaced_by(os.mkfifo), "is no file"),
        (lambda path: path.chmod(0o644), "could not be started: Permission denied"),
    ],
    ids=["gone", "folder", "pipe", "not executable"],
)
def test_why_it_could_not_be_run(tmp_path: Path, change: Any, fault: str) -> None:
    script = made(tmp_path, "echo no")
    change(Path(script.path))
    found = run(script, root=str(tmp_path), env=ENV, limit_s=5)
    assert (found.exit, found.fault, found.out) == (126, fault, b"")


def test_a_missing_interpreter_is_named(tmp_path: Path) -> None:
    found = go(tmp_path, "x", first="#!/no/such/thing -x")
    assert (found.exit, found.fault) == (127, "could not be started: its interpreter '/no/such/thing' is not there")
    found = go(tmp_path, "x", first="", fields={"argv": ("nosuchthing", "-u")})
    assert (found.exit, found.fault) == (127, "could not be started: nosuchthing: No such file or directory")


def test_a_missing_folder_and_too_many_words_are_faults(tmp_path: Path) -> None:
    script = made(tmp_path, "echo no")
    assert "No such file" in run(script, root=str(tmp_path / "gone"), env=ENV, limit_s=5).fault
    long = {**ENV, "LONG": "x" * 200_000}
    assert "too long" in run(script, root=str(tmp_path), env=long, limit_s=5).fault
    assert run(script, root=str(tmp_path), env={**ENV, "NUL": "a\0b"}, limit_s=5).fault.startswith(
        "could not be started"
    )


def test_a_script_that_deletes_itself_runs_to_its_end(tmp_path: Path) -> None:
    found = go(tmp_path, 'rm "$0"; echo still here')
    assert found.ok and found.out == b"still here\n"


# --- whether it is wanted ---


def test_it_is_stopped_when_nobody_wants_it_any_more(tmp_path: Path) -> None:
    asked: list[float] = []

    def wanted() -> bool:
        asked.append(time.monotonic())
        return len(asked) < 3

    found = go(tmp_path, "sleep 100", 60, wanted=wanted)
    assert (found.stopped, found.late, found.ok, found.exit) == (True, False, False, -15)
    assert len(asked) == 3 and asked[2] - asked[0] < 3


def test_a_fault_of_who_asks_leaves_nothing_running(tmp_path: Path) -> None:
    pids: list[int] = []
    with pytest.raises(ZeroDivisionError):
        go(tmp_path, "sleep 100", 60, wanted=lambda: 1 // 0 > 0, started=pids.append)
    assert gone(pids[0])


# --- users and sandboxes ---

ROOT = pytest.mark.skipif(os.getuid() != 0, reason="only root can become somebody else")


@ROOT
def test_privileges_are_given_up(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    for above in tmp_path.parents[:3]:
        above.chmod(0o755)
    nobody = User(65534, 65534, "nobody", "/somewhere")
    found = go(tmp_path, 'id -u; id -G; echo "$HOME $USER $LOGNAME"; id -ru', user=nobody)
    assert found.out == b"65534\n65534\n/somewhere nobody nobody\n65534\n", found


def test_somebody_else_is_refused(tmp_path: Path) -> None:
    script = made(tmp_path, "echo no")

    def work() -> tuple[bytes, str]:
        found = run(script, root=str(tmp_path), env=ENV, limit_s=20, user=User(0, 0, "root", "/root"))
        return found.out, found.fault

    assert as_nobody(work, tmp_path) == (b"", "cannot be run as root: only root can")


def has_landlock() -> bool:
    probe = "import ctypes; print(ctypes.CDLL(None).syscall(444, None, ctypes.c_size_t(0), 1) > 0)"
    return subprocess.run([sys.executable, "-c", probe], capture_output=True, check=True).stdout == b"True\n"


@pytest.mark.skipif(not has_landlock(), reason="this kernel has no Landlock")
def test_a_sandboxed_script_writes_below_its_folders_only(tmp_path: Path) -> None:
    places = {name: tmp_path / name for name in ("root", "session", "temporary", "elsewhere")}
    for place in places.values():
        place.mkdir()
    (places["elsewhere"] / "kept").write_text("kept")
    script = made(
        tmp_path,
        'for to in "$@"; do echo x > "$to/new" && echo "$to"; done; rm -f ../elsewhere/kept; : > /dev/null\n'
        "cat ../elsewhere/kept",
        sandbox="project",
    )
    found = run(
        script,
        root=str(places["root"]),
        env={**ENV, "TMPDIR": str(places["temporary"])},
        arguments=tuple(str(place) for place in places.values()),
        limit_s=10,
        writable=(str(places["session"]),),
    )
    allowed = [str(places[name]) for name in ("root", "session", "temporary")]
    assert found.out.decode().splitlines() == [*allowed, "kept"], found
    assert not (places["elsewhere"] / "new").exists()
    assert (tmp_path / "it.sh").exists()


def test_without_a_sandbox_to_be_had_it_is_not_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from jackline.runners import landlock

    monkeypatch.setattr(landlock, "VERSION", 1 << 20)  # a flag no kernel knows: as if there were none
    found = go(tmp_path, "echo no", fields={"sandbox": "project"})
    assert (found.exit, found.out, found.fault) == (126, b"", landlock.MISSING)


# --- a process that was started oddly ---


@pytest.mark.parametrize("closed", ["0", "1", "2", "0,1,2"])
def test_it_works_without_standard_streams(tmp_path: Path, closed: str) -> None:
    script = made(tmp_path, "cat; echo out; echo err >&2")
    code = f"""
import os
for fd in ({closed},): os.close(fd)
from jackline.runners.script import run
from jackline.script import Script
found = run(Script("it", "event", {script.path!r}, {script.digest!r}), root="/", env={ENV!r}, stdin=b"in ", limit_s=9)
with open({str(tmp_path / "told")!r}, "w") as told: told.write(repr((found.exit, found.out, found.err, found.fault)))
os._exit(0)
"""
    subprocess.run([sys.executable, "-c", code], check=True)
    assert (tmp_path / "told").read_text() == repr((0, b"in out\n", b"err\n", ""))
