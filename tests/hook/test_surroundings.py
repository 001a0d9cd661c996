"""Neither the environment, nor a limit, nor a working folder makes a verdict laxer, and what differs is told."""

from __future__ import annotations

import json
import os
import resource
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from jackline import host, surroundings
from jackline.install import entry
from jackline.install.entry import Entry
from scene import Scene

STRICTER = {"": 0, "allow": 0, "ask": 1, "deny": 2}
CALLS = (
    "rm -rf ~",
    "rm -rf $HOME/Documents",
    "echo x >> ~/.bashrc",
    "cp src/x ~/.config/systemd/user/x.service",
    "cat ~/.local/state/jackline/authority.jsonl",
    "cat <H>/.ssh/id_ed25519",
    "rm -rf <H>/Documents",
    "git -C <R> checkout -f",
    "jackline trust",
    "rm -rf /",
)
HOSTILE = {
    "home": {"HOME": "/tmp/x"},
    "no home": {"HOME": ""},
    "project as home": {"HOME": "<R>"},
    "temporary": {"TMPDIR": "/"},
    "home as temporary": {"TMPDIR": "<H>"},
    "relative temporary": {"TMPDIR": ".."},
    "above everything": {"TMPDIR": "<F>"},
    "configuration": {"XDG_CONFIG_HOME": "/tmp/x", "CLAUDE_CONFIG_DIR": "/tmp/x", "CODEX_HOME": "/tmp/x"},
    "state": {"XDG_STATE_HOME": "/tmp/x", "JACKLINE_STORE": "/tmp/x", "JACKLINE_SKIP": "all", "JACKLINE_HOME": "/"},
    "programs": {"PATH": "<R>/bin:/tmp/x", "GIT_DIR": "/tmp/x", "GIT_CONFIG_GLOBAL": "/tmp/x", "PYTHONPATH": "<R>"},
    "another client's marks": {"COPILOT_HOOK_DIR": "/tmp/x", "GEMINI_SESSION_ID": "x", "QWEN_CODE_SESSION_ID": "x"},
    "project": {"CLAUDE_PROJECT_DIR": "/tmp", "CLAUDE_CODE_SESSION_ATTENDED": "1"},
    "everything": {"HOME": "/tmp/x", "TMPDIR": "/", "XDG_CONFIG_HOME": "/tmp/x", "XDG_STATE_HOME": "/tmp", "PATH": ""},
}


def spell(scene: Scene, text: str) -> str:
    return text.replace("<R>", str(scene.root)).replace("<H>", str(scene.home)).replace("<F>", str(scene.folder))


@pytest.fixture
def ready(scene: Scene) -> Scene:
    (scene.home / "Documents").mkdir(parents=True)
    (scene.home / ".ssh").mkdir()
    (scene.home / ".ssh/id_ed25519").write_text("x")
    (scene.root / "bin").mkdir()
    (scene.root / "bin/git").write_text("#!/bin/sh\nexit 0\n")
    (scene.root / "bin/git").chmod(0o755)
    return scene


@pytest.mark.parametrize("name", HOSTILE)
def test_no_variable_makes_a_verdict_laxer(ready: Scene, name: str) -> None:
    env = {key: spell(ready, value) for key, value in HOSTILE[name].items()}
    usual, met = [], []
    for one in CALLS:
        call = ready.tool(spell(ready, one))
        usual.append((one, ready.say(call).decision))
        ready.session = "22222222-2222-3333-4444-555555555555"  # pinned in that environment as well
        met.append((one, ready.say({**call, "session_id": ready.session, "tool_use_id": f"h{one}"}, env=env).decision))
        ready.session = "11111111-2222-3333-4444-555555555555"
    laxer = [(one, was, now) for (one, was), (_, now) in zip(usual, met, strict=True) if STRICTER[now] < STRICTER[was]]
    assert laxer == []
    assert [was for _, was in usual].count("") == 0


LIMITS: dict[str, Callable[[], None]] = {
    f"{name} {size}": lambda what=what, size=size: resource.setrlimit(what, (size, size))  # type: ignore[misc]
    for name, what, sizes in (
        ("files", resource.RLIMIT_NOFILE, (0, 1, 3, 5, 8)),
        ("memory", resource.RLIMIT_AS, (1 << 20, 1 << 24, 40_000_000, 60_000_000)),
        ("time", resource.RLIMIT_CPU, (0,)),
        ("size", resource.RLIMIT_FSIZE, (0, 100)),
        ("stack", resource.RLIMIT_STACK, (65_536, 262_144)),
        ("processes", resource.RLIMIT_NPROC, (0,)),
    )
    for size in sizes
}


@pytest.mark.parametrize("name", LIMITS)
@pytest.mark.parametrize("command", ["rm -rf /", "echo x >> ~/.bashrc", "rm -rf ~/Documents"])
def test_no_limit_makes_a_verdict_laxer(ready: Scene, name: str, command: str) -> None:
    """By the entry's line: it refuses for a door that cannot live, and itself where it cannot start one."""
    if not (ready.store / "bin").exists():
        (ready.store / "bin").mkdir()
        (ready.store / "bin/python").symlink_to(ready.argv("x")[0])
    line = entry.write(Entry(str(ready.store), "claude-code", "PreToolUse"))
    raw = json.dumps(ready.tool(command)).encode()
    ran = subprocess.run(
        ["/bin/sh", "-c", line], input=raw, env=ready.env, cwd=ready.root, capture_output=True, timeout=60,
        preexec_fn=LIMITS[name], check=False,
    )  # fmt: skip
    shutil.rmtree(ready.store / "crash", ignore_errors=True)  # a door that is starved says so, as far as it can
    told = json.loads(ran.stdout)["hookSpecificOutput"]["permissionDecision"] if ran.stdout.strip() else ""
    # A client's shell that cannot even run the line is the client's own end, and told by its exit.
    assert told in ("ask", "deny") or ran.returncode != 0, (ran, told)


def gone(folder: Path) -> None:
    folder.rmdir()


def unreadable(folder: Path) -> None:
    folder.chmod(0)


def a_link_to_the_home(folder: Path) -> None:
    folder.rmdir()
    folder.symlink_to(folder.parent / "home")


@pytest.mark.parametrize("harm", [gone, unreadable, a_link_to_the_home])
@pytest.mark.parametrize(
    "command", ["rm -rf /", "rm -rf ~/Documents", "rm -rf ../home/Documents", "echo x >> ~/.zshrc"]
)
def test_no_working_folder_makes_a_verdict_laxer(ready: Scene, harm: Callable[[Path], None], command: str) -> None:
    place = ready.folder / "place"
    place.mkdir()
    usual = ready.say(ready.tool(command, cwd=str(place)))
    door = ready.start("PreToolUse", cwd=place)
    harm(place)
    try:
        out, _ = door.communicate(json.dumps(ready.tool(command, cwd=str(place))).encode(), 60)
    finally:
        if not place.is_symlink() and place.exists():
            place.chmod(0o700)
    met = json.loads(out)["hookSpecificOutput"]["permissionDecision"]
    assert STRICTER[met] >= STRICTER[usual.decision] > 0


def test_what_differs_is_told_when_a_session_starts(scene: Scene) -> None:
    surroundings.note(str(scene.store), {"HOME": str(scene.home), "TMPDIR": "/scratch/p"})
    body = scene.say(scene.payload("SessionStart", source="startup"), env={"HOME": "/tmp/x", "TMPDIR": "/"}).body
    assert "HOME is /tmp/x, not " + str(scene.home) in body["systemMessage"]
    assert "TMPDIR is /, not /scratch/p" in body["systemMessage"]
    rows = [one["data"] for one in scene.rows("SURROUNDINGS")]
    assert rows == [
        {"variable": "HOME", "said": "/tmp/x", "installed": str(scene.home)},
        {"variable": "TMPDIR", "said": "/", "installed": "/scratch/p"},
    ]


@pytest.mark.parametrize("env", [{}, {"TMPDIR": "/tmp/claude"}, {"TMPDIR": "/scratch/p/job"}])
def test_what_moves_nothing_is_not_told(scene: Scene, env: dict[str, str]) -> None:
    surroundings.note(str(scene.store), {"HOME": str(scene.home), "TMPDIR": "/scratch/p"})
    assert scene.say(scene.payload("SessionStart", source="startup"), env=env).body == {}
    assert scene.rows("SURROUNDINGS") == []


def test_a_portable_door_of_another_store_changes_no_verdict_of_the_persons(ready: Scene) -> None:
    """It was led there by the environment; the person's own entry says what it says, before it and after."""
    call = ready.tool("rm -rf ~/Documents")
    env = {"HOME": "/tmp/x", "XDG_STATE_HOME": str(ready.folder / "other")}
    assert ready.say(call, "project", env=env).decision == ready.say(call, env=env).decision == "ask"


def test_a_home_is_remembered_once(tmp_path: Path) -> None:
    store = tmp_path / "store"
    store.mkdir()
    assert host.home_of("/home/p/.local/state/jackline") == "/home/p"
    surroundings.note(str(store), {"HOME": "/home/p", "TMPDIR": "/home"})
    surroundings.note(str(store), {"HOME": "/tmp/x", "TMPDIR": "/tmp/y"})
    assert (host.home_of(str(store)), surroundings.recorded_folder(str(store), "temporary")) == ("/home/p", "/tmp/y")
    surroundings.note(str(store), {"HOME": "/home/q"}, anew=True)
    assert (host.home_of(str(store)), os.listdir(store)) == ("/home/q", os.listdir(store))
