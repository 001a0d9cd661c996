"""What is left of the scripts of a commit: their status, and what they printed, in the terminal and in a file."""

from __future__ import annotations

import fcntl
import json
import os
import pty
import struct
import subprocess
import termios
from pathlib import Path

import pytest

from install.test_precommit import Repository
from jackline import host, processes
from jackline.install.site import Site
from jackline.runtime.pipeline import run
from jackline.runtime.request import Request, Store
from jackline.scripts import status
from jackline.store.ids import slot


@pytest.fixture
def repository(site: Site, store: Path) -> Repository:
    return Repository(site, store)


def statuses(place: Path) -> dict[str, tuple[str, str]]:
    """By script: how its last run ended, and what it printed."""
    found = status.read(str(place)).hooks
    return {key: (one["lastResult"], Path(one["outputPath"]).read_text()) for key, one in found.items()}


def test_a_run_is_noted_with_its_output_in_the_order_it_came(repository: Repository) -> None:
    """As of every other script: `jackline scripts` shows it."""
    repository.script("a-lint.sh", "echo one; echo two >&2; echo three")
    repository.script("b-types.sh", "echo wrong >&2; exit 1")
    repository.script("c-never.sh", "echo never")
    repository.install()
    said = repository.commit()
    place = repository.store / "repos" / slot(str(repository.root))
    assert statuses(place) == {"a-lint": ("success", "one\ntwo\nthree\n"), "b-types": ("failure", "wrong\n")}
    assert said.stderr.startswith("one\ntwo\nthree\nwrong\n")


def test_a_commit_of_an_agent_is_noted_in_its_session(repository: Repository) -> None:
    """The client is the process that started the agent's shell: here it is this one."""
    repository.script("lint.sh", "echo fine")
    repository.install()
    (repository.root / ".ai").mkdir(exist_ok=True)
    me = processes.Process(os.getpid(), processes.start_ticks(os.getpid()), "claude", "")
    request = Request(
        "claude-code", "SessionStart",
        json.dumps({"session_id": "s", "hook_event_name": "SessionStart", "cwd": str(repository.root)}).encode(),
        env=repository.env, cwd=str(repository.root), uid=os.getuid(), now=host.now(), entropy=host.entropy(),
        clock=host.clock, home=repository.env["HOME"], pid=os.getpid(), ancestors=lambda: (me,),
    )  # fmt: skip
    run(request, Store(str(repository.store)), lambda answer: None)
    assert repository.commit().returncode == 0
    (folder,) = [path for path in (repository.root / ".ai/tmp").iterdir() if path.is_dir()]
    assert statuses(folder) == {"lint": ("success", "fine\n")}


def test_in_a_terminal_a_script_finds_one(repository: Repository) -> None:
    """Colours and widths are those of the person's terminal, and what it prints there is kept all the same."""
    repository.script("lint.sh", "test -t 1 && test -t 2 && stty size <&1")
    repository.install()
    (repository.root / "file.txt").write_text("1")
    repository.git("add", "file.txt")
    mine, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 33, 111, 0, 0))
    child = subprocess.Popen(
        ["git", "commit", "-q", "-m", "x"], cwd=repository.root, env=repository.env, stdout=theirs, stderr=theirs
    )
    os.close(theirs)
    assert child.wait(60) == 0
    assert os.read(mine, 4096) == b"33 111\r\n"
    os.close(mine)
    place = repository.store / "repos" / slot(str(repository.root))
    assert statuses(place) == {"lint": ("success", "33 111\n")}
