"""A fork says and leaves what a process of its own says and leaves; where it would not, there is no fork."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

import forked
from cli.conftest import Desk
from scene import BASE, Said, Scene

FACTS = """
import gc, os, signal, sys
said = {
    "argv": sys.argv, "flags": str(sys.flags).replace("utf8_mode=0", "utf8_mode=1"), "path": sys.path,
    "environ": sorted(os.environ.items()), "cwd": os.getcwd(), "collector": gc.isenabled(),
    "umask": os.umask(0o022), "group": os.getpgrp() == os.getpgid(os.getppid()), "session": os.getsid(0),
    "descriptors": len(os.listdir("/proc/self/fd")), "executable": sys.executable, "finders": len(sys.meta_path),
    "signals": [str(signal.getsignal(one)) for one in (signal.SIGINT, signal.SIGPIPE, signal.SIGTERM, signal.SIGCHLD)],
    "mask": sorted(signal.pthread_sigmask(signal.SIG_BLOCK, ())), "encoding": sys.getfilesystemencoding(),
    "name": open("/proc/self/comm").read(), "above": open(f"/proc/{os.getppid()}/comm").read() in ABOVE,
    "streams": [sys.stdin.encoding, sys.stdin.errors, sys.stdout.errors, sys.stderr.errors],
}
import json
return note("facts", json.dumps(said))
"""


def both(scene: Scene, payload: Mapping[str, Any], *more: str, **options: Any) -> list[Said]:
    """A door that is a fork, and one that is a process."""
    forks = forked.count()
    said = [scene.say(payload, *more, process=process, **options) for process in (False, True)]
    assert forked.count() == forks + 1
    return said


def test_a_feature_finds_the_same_surroundings(scene: Scene) -> None:
    above = ["python\n", Path("/proc/self/comm").read_text(), f"{os.path.basename(BASE)[:15]}\n"]
    scene.feature("facts", FACTS.replace("ABOVE", repr(above)))
    scene.trust()
    (scene.root / "below").mkdir()
    scene.pre()  # which compiles
    for env in ({}, {"LC_ALL": "C.UTF-8", "TZ": "UTC", "ODD": "ü\udcff"}):
        said = both(scene, scene.tool("echo hi"), env=env, cwd=scene.root / "below")
        facts = [
            json.loads(one.body["hookSpecificOutput"]["additionalContext"].removeprefix("facts: ")) for one in said
        ]
        assert facts[0] == facts[1]


ID = re.compile(r"\b[0-9a-f]{6,}\b")


def paths(folder: Path) -> list[str]:
    """What lies below `folder`, in an order that no drawn id decides."""
    return sorted(ID.sub("<id>", str(path.relative_to(folder))) for path in folder.rglob("*"))


def drawn(*found: object) -> list[str]:
    """What was found, line by line, without ids and codes that are drawn, and times."""
    text = ID.sub("<id>", json.dumps(found, indent=1))
    text = re.sub(r"\b[B-Z]{3}-[B-Z]{3}\b", "<code>", text)
    return re.sub(r"\b[0-9.]+ ?ms\b", "<ms>", text).splitlines()


EVENTS: dict[str, tuple[dict[str, Any], tuple[str, ...]]] = {
    "a plain command": ({"command": "ls -la"}, ()),
    "a danger": ({"command": "git reset --hard && rm -rf ~"}, ()),
    "a question": ({"command": "git clean -fd"}, ()),
    "a rewrite": ({"command": "grep -r password ."}, ()),
    "no command": ({"command": 7}, ()),
    "refused when it fails": ({}, ("--fail", "closed")),
}


@pytest.mark.parametrize(("given", "more"), EVENTS.values(), ids=EVENTS)
@pytest.mark.parametrize("client", ["", "claude"])
def test_doors_answer_and_leave_the_same(
    given: dict[str, Any], more: tuple[str, ...], client: str, tmp_path: Path, made_bundle: Path
) -> None:
    """Each on a machine of its own, from the first event on: the one compiles in a fork, the other in a process."""
    told = []
    for process in (False, True):
        scene = (Desk if client else Scene)(tmp_path / "machine", made_bundle)
        said = [
            scene.say(payload, *more, process=process)
            for payload in (
                scene.payload("SessionStart", source="startup"),
                scene.payload("UserPromptSubmit", prompt="do it"),
                {**scene.tool(), "tool_input": given, "tool_use_id": "use-1"},
                {**scene.tool(event="PostToolUse"), "tool_input": given, "tool_use_id": "use-1"},
                scene.payload("Stop", stop_hook_active=False),
            )
        ]
        rows = [(row["kind"], row.get("decision"), row.get("by"), row.get("reasons")) for row in scene.log()]
        left = [path for path in paths(scene.place) if "~" not in path]
        told.append(drawn([[one.exit, str(one.out), str(one.err)] for one in said], rows, left))
        shutil.rmtree(scene.folder)
    assert told[0] == told[1]


def test_bytes_that_are_no_payload(scene: Scene) -> None:
    for raw in (b"", b"{", b"[]", b"\xff\xfe", b'{"a":' * 5000):
        said = [scene.send(raw, "PreToolUse", process=process) for process in (False, True)]
        assert said[0][:3] == said[1][:3]


COMMANDS: tuple[tuple[tuple[str, ...], bytes, int], ...] = (
    (("--help",), b"", 0),
    (("version",), b"", 0),
    (("nosuch",), b"", 2),
    (("log", "--nosuch"), b"", 2),
    (("compile",), b"", 0),
    (("status", "--json"), b"", 1),
    (("guard", "check"), b'{"command": "rm -rf ~"}', 1),
    (("guard", "explain", "rm -rf ~"), b"", 1),
    (("hooks", "--table"), b"", 0),
    (("pause",), b"", 2),
    (("hook", "claude-code", "PreToolUse"), b"{}", 0),
    (("init", "--client", "claude-code", "--yes"), b"", 0),
)


@pytest.mark.parametrize(("words", "stdin", "code"), COMMANDS, ids=[" ".join(one[0]) for one in COMMANDS])
def test_commands_say_and_leave_the_same(
    words: tuple[str, ...], stdin: bytes, code: int, tmp_path: Path, made_bundle: Path
) -> None:
    told = []
    for process in (False, True):
        desk = Desk(tmp_path / "machine", made_bundle)
        forks = forked.count()
        done = desk.jackline(*words, code=code, stdin=stdin, process=process)
        assert forked.count() == forks + (not process)
        told.append(drawn([*done], paths(desk.folder)))
        shutil.rmtree(desk.folder)
    assert told[0] == told[1]


def test_a_signal_that_ends_it_is_told(scene: Scene) -> None:
    scene.feature("dies", "import os\nos.kill(os.getpid(), 9)")
    scene.trust()
    said = both(scene, scene.tool())
    assert [one.exit for one in said] == [-9, -9]


def test_what_a_server_does_not_have_takes_a_process(scene: Scene, tmp_path: Path, made_bundle: Path) -> None:
    desk = Desk(tmp_path / "desk", made_bundle)
    door, command = scene.argv("PreToolUse"), desk.command("version")
    assert forked.planned(door, scene.env) and forked.planned(command, desk.env)
    assert forked.planned(door, {**scene.env, "LC_ALL": "en_US.ISO-8859-1"}) is None
    assert forked.planned(["/usr/bin/python3", *door[1:]], scene.env) is None
    assert forked.planned(command, {**desk.env, "PYTHONPATH": "/opt/other"}) is None
    assert forked.planned([sys.executable, "-c", "pass"], desk.env) is None
    slow = scene.store / "slow.py"
    text = slow.read_text()
    slow.unlink()
    assert forked.planned(door, scene.env) is None
    slow.write_text(text)
    assert forked.planned(door, scene.env)
    slow.write_text(text + "#")
    assert forked.planned(door, scene.env) is None


def test_what_this_process_hands_on_takes_a_process(monkeypatch: pytest.MonkeyPatch) -> None:
    assert forked.is_plain()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGUSR1})
    assert not forked.is_plain()
    signal.pthread_sigmask(signal.SIG_SETMASK, before)
    monkeypatch.setenv("JACKLINE_PROCESSES", "1")
    assert not forked.is_plain()


@pytest.mark.process
def test_a_test_may_ask_for_processes(scene: Scene) -> None:
    forks = forked.count()
    scene.pre()
    assert forked.count() == forks


def test_it_is_the_code_of_the_bundle_that_runs(scene: Scene) -> None:
    """Not that of the package: a fork that was given nothing else finds the entry point where the door has it."""
    scene.feature("who", "import sys\nreturn note('who', sorted(sys.modules['__main__'].__dict__)[0])")
    scene.feature("where", "import sys\nreturn note('where', str('hook.enter' in sys.modules['__main__'].__dict__))")
    scene.trust()
    said = both(scene, scene.tool())
    assert "where: True" in said[0].out.decode() and said[0].out == said[1].out
