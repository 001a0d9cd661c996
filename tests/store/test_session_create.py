"""What is noted of a session when it is born."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest

from jackline import system
from jackline.model import Event
from jackline.processes import Process, above, start_ticks
from jackline.runtime.request import Request
from jackline.store import session_create
from jackline.store.session_index import living, records
from jackline.store.sessions import load, resume, save
from scene import BASE, Scene

HOMES = {"CLAUDE_CONFIG_DIR": "settings.json", "CODEX_HOME": "hooks.json", "COPILOT_HOME": "hooks/jackline.json"}


def entry(path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text('{"command": "exec python door.py"}')


@pytest.mark.parametrize(("variable", "name"), HOMES.items())
def test_entries_are_counted_where_a_client_was_told_to_look(tmp_path: Path, variable: str, name: str) -> None:
    root, home = tmp_path / "root", str(tmp_path / "home")
    entry(root / ".claude/settings.json")
    moved = tmp_path / "moved"
    entry(moved / name)
    assert session_create.entry_places(str(root), home, {}) == 1
    assert session_create.entry_places(str(root), home, {variable: str(moved)}) == 2


@pytest.mark.parametrize("client", ["opencode", "kilo"])
def test_a_client_with_a_program_of_ours_reads_nobody_elses_entries(tmp_path: Path, client: str) -> None:
    root, home = str(tmp_path / "root"), str(tmp_path / "home")
    entry(tmp_path / "root/.claude/settings.json")
    assert session_create.entry_places(root, home, {}, client) == 0
    entry(tmp_path / f"root/.{client}/plugin/jackline.js")
    entry(tmp_path / f"home/.config/{client}/plugin/jackline.js")
    assert (session_create.entry_places(root, home, {}, client), session_create.entry_places(root, home, {})) == (2, 1)


def test_a_folder_that_is_moved_is_not_the_one_below_home(tmp_path: Path) -> None:
    root, home = str(tmp_path / "root"), str(tmp_path / "home")
    entry(tmp_path / "home/.codex/hooks.json")
    assert session_create.entry_places(root, home, {}) == 1
    assert session_create.entry_places(root, home, {"CODEX_HOME": str(tmp_path / "empty")}) == 0
    assert session_create.entry_places(root, home, {"CODEX_HOME": "relative"}) == 1


TERMINAL = "import pty; pty.spawn(['/bin/sh', '-i'])"
"""A terminal that nobody knows by name, with a shell in it."""


def test_who_tries_an_entry_in_a_terminal_marks_nobody(scene: Scene) -> None:
    """The terminal lives on, and would be taken for a client: all that is a person's would be refused below it."""
    (scene.root / "payload").write_text(json.dumps(scene.payload("SessionStart", source="startup")))
    door = f"exec {shlex.join(scene.argv('SessionStart'))}"
    typed = f"cat payload | sh -c {shlex.quote(door)} > said; while :; do sleep 1; done\n"
    said, until = scene.root / "said", time.monotonic() + 60
    streams: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.DEVNULL}
    terminal = subprocess.Popen([BASE, "-c", TERMINAL], cwd=scene.root, env=scene.env, **streams)
    try:
        assert terminal.stdin is not None
        terminal.stdin.write(typed.encode())
        terminal.stdin.flush()
        while time.monotonic() < until and not (said.exists() and said.read_bytes().endswith(b"\n")):
            time.sleep(0.05)
        assert said.read_bytes() == b"{}\n"
        assert [record["key"] for _, record in records(scene.store)] == [scene.session]
        assert living(scene.store) == []
    finally:
        terminal.kill()
        terminal.communicate()


def opened_by(scene: Scene, process: Process) -> Request:
    return Request("claude-code", "SessionStart", b"", {}, str(scene.root), ancestors=lambda: (process,))


def test_a_process_is_remembered_as_long_as_it_lives(scene: Scene) -> None:
    """However many others took up the session after it: those that ended make room, it does not."""
    scene.begin()
    store, event = str(scene.store), Event("SessionStart", session=scene.session, client="claude-code")
    (us,) = above(os.getpid(), 1)
    record = load(store, "claude-code", scene.session)
    assert record is not None
    save(store, record | {"pid": us.pid, "start": us.start})
    session = resume(store, opened_by(scene, us), event)
    assert session is not None
    for _ in range(20):
        with subprocess.Popen(["sleep", "60"]) as other:
            session_create.recount(
                store, session, opened_by(scene, Process(other.pid, start_ticks(other.pid), "sleep", ""))
            )
            other.kill()
    system.close(session.place.fd)
    assert [(one.pid, one.start) for one in living(scene.store)] == [(us.pid, us.start)]
