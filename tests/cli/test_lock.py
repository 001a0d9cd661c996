"""`jackline lock run`: one at a time, with the exit code of the command, and nobody is waited for in vain."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from pathlib import Path

import pytest

from jackline import processes
from jackline.session_paths import task_ref

from .conftest import Desk


@pytest.fixture
def begun(desk: Desk) -> Desk:
    desk.begin()
    return desk


def started(desk: Desk, *words: str) -> subprocess.Popen[str]:
    """A command that is running when this returns: it has printed a line."""
    child = subprocess.Popen(
        desk.command("lock", "run", *words), env=desk.env, cwd=desk.root, text=True,
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    assert child.stdout is not None
    assert child.stdout.readline() == "on\n"
    return child


def ended(child: subprocess.Popen[str]) -> str:
    """What it said at its end."""
    return "".join(child.communicate(timeout=30))


HOLDS = ("sh", "-c", "echo on; sleep 30")


@pytest.mark.parametrize("code", [0, 1, 7, 255])
def test_its_exit_code_is_that_of_the_command(begun: Desk, code: int) -> None:
    said = begun.jackline("lock", "run", "db", "--", "sh", "-c", f"echo done; exit {code}", code=code)
    assert said.out == "done\n" and said.err == ""
    assert begun.jackline("lock", "list", "--json").data == [], "and the lock is given back"


def test_a_command_that_dies_of_a_signal_has_the_code_of_shells(begun: Desk) -> None:
    said = begun.jackline("lock", "run", "db", "--", "sh", "-c", "kill -9 $$", code=137)
    assert (said.code, said.out) == (128 + signal.SIGKILL, "")
    assert begun.jackline("lock", "list", "--json").data == [], "and the lock is given back"


def test_its_words_reach_it_as_they_are(begun: Desk) -> None:
    """No shell reads them, and options behind the key are the command's own."""
    said = begun.jackline("lock", "run", "db", "--", "printf", "%s|", "$HOME", "a b", ";", "--wait", "*")
    assert said.out == "$HOME|a b|;|--wait|*|"
    assert begun.jackline("lock", "run", "db", "printf", "%s", "--json").out == "--json"


def test_while_it_runs_others_are_told_who_has_it_and_until_when(begun: Desk) -> None:
    child = started(begun, "--agent", "a01", "db", "--", *HOLDS)
    said = begun.jackline("lock", "run", "db", "--", "touch", "no", code=1)
    assert said.out == "" and not (begun.root / "no").exists()
    [row] = begun.jackline("lock", "list", "--json").data
    assert (row["key"], row["free"]) == ("db", False)
    assert row["owner"] == f"a01 in session {begun.place.name}"
    assert f"db · held by {row['owner']} (process {row['pid']}) until " in said.err
    assert "--wait SECONDS" in said.err
    assert begun.jackline("lock", "run", "other", "--", "true").err == "", "another key"
    child.send_signal(signal.SIGTERM)
    ended(child)
    assert child.returncode == 143, "a signal is passed on to the command"
    begun.jackline("lock", "run", "db", "--", "true")


def test_who_waits_has_it_next(begun: Desk) -> None:
    child = started(begun, "db", "--", "sh", "-c", "echo on; sleep 1")
    assert begun.jackline("lock", "run", "--wait", "20", "db", "--", "echo", "mine").out == "mine\n"
    ended(child)


def test_a_killed_owner_is_taken_over_but_not_a_command_that_lives_on(begun: Desk) -> None:
    child = started(begun, "db", "--", *HOLDS)
    [row] = begun.jackline("lock", "list", "--json").data
    child.kill()
    child.wait()
    refused = begun.jackline("lock", "run", "db", "--", "touch", "early", code=1)
    assert f"process {row['pid']}" in refused.err and not (begun.root / "early").exists(), "the command still runs"
    os.killpg(row["pid"], signal.SIGKILL)
    while processes.running(row["pid"]):
        time.sleep(0.01)
    assert begun.jackline("lock", "run", "db", "--", "echo", "mine").out == "mine\n"
    ended(child)
    assert begun.jackline("lock", "list", "--json").data == []


def test_a_command_ends_with_its_lock(begun: Desk) -> None:
    child = started(begun, "--minutes", "0.02", "db", "--", "sh", "-c", "echo on; sleep 30 & wait")
    said = ended(child)
    assert child.returncode == 124
    assert "its lock ended at" in said and "--minutes" in said


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("db", "--", "no-such-program"), 127, "no-such-program · there is no such command"),
        (("db", "--", "./plain"), 126, "Permission denied"),
        (("db",), 2, "Missing argument"),
        (("db", "--"), 2, "no command behind KEY"),
        (("", "--", "true"), 2, "a lock's key has 1 to 200 characters"),
        (("--minutes", "0", "db", "--", "true"), 2, "0"),
        (("--minutes", "9999", "db", "--", "true"), 2, "1440"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_what_cannot_run_says_so_and_holds_nothing(begun: Desk, words: tuple[str, ...], code: int, said: str) -> None:
    (begun.root / "plain").write_text("x")
    assert said in begun.jackline("lock", "run", *words, code=code).err
    assert begun.jackline("lock", "list").out == "nobody holds a lock\n"


def test_an_agents_lock_is_its_sessions(desk: Desk) -> None:
    done = desk.below_client("lock", "run", "db", "--", "sh", "-c", f"ls .ai/tmp/*/{task_ref('w001', 'locks')}")
    assert (done.code, done.out) == (0, "{}\ndb.lock\n".removeprefix("{}\n")), done
    assert Path(desk.place / "work/w001/locks").is_dir()


def test_who_holds_it_as_data(begun: Desk) -> None:
    child = started(begun, "db", "--", *HOLDS)
    try:
        said = begun.jackline("lock", "run", "--json", "db", "--", "echo", "no", code=1).data
        assert said["taken"] is False and said["free"] is False and said["key"] == "db"
        assert said["pid"] == begun.jackline("lock", "list", "--json").data[0]["pid"]
    finally:
        child.terminate()
        ended(child)
    assert begun.jackline("lock", "run", "--json", "db", "--", "echo", "yes").out == "yes\n", "its output is its own"
