"""A door that is damaged, starved or killed refuses every tool call, in the words of the entry's own line.

Run as clients run it: the line itself, in each shell, for each dialect. What a client makes of the bytes is tried with
the real ones (tests/e2e/test_removed.py).
"""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from jackline.compiler import bundle
from jackline.install import entry
from jackline.install.entry import Entry
from jackline.install.site import Site

SHELLS = {"dash": ("/usr/bin/dash", "-c"), "bash": ("/bin/bash", "--norc", "-c")}
DIALECTS = tuple(entry.DENIALS)


def writes(raw: bytes, end: str = "posix._exit(0)") -> str:
    """A door that prints some bytes and ends."""
    return f"import posix, signal\nposix.write(1, {raw!r})\n{end}\n"


def bundle_and_package(store: Path) -> None:
    """The store's second way leads to a package: that is gone too."""
    (store / bundle.name_of_bundle()).unlink()
    (store / "package").write_text("/nonexistent")


def bundle_and_second_way(store: Path) -> None:
    (store / bundle.name_of_bundle()).unlink()
    (store / "slow.py").unlink()


def broken_bundle(store: Path) -> None:
    bundle_and_package(store)
    (store / bundle.name_of_bundle()).write_bytes(b"\0" * 5000)


def folder_for_door(store: Path) -> None:
    (store / "door.py").unlink()
    (store / "door.py").mkdir()


def another_program(store: Path) -> None:
    (store / "bin/python").unlink()
    (store / "bin/python").symlink_to("/bin/true")


def no_program(store: Path) -> None:
    (store / "bin/python").unlink()
    (store / "bin/python").write_bytes(b"\x7fELF")
    (store / "bin/python").chmod(0o755)


def dying(number: int) -> str:
    return f"import posix\nposix.kill(posix.getpid(), {number})\n"


DOORS: dict[str, str] = {
    "emptied": "",
    "replaced by text": "this is not what it was\n",
    "replaced by bytes": "\0\1\2",
    "raises": "raise RuntimeError('ours')\n",
    "raises after a document that is cut off": writes(b'{"hookSpecificOutput":{"hookEventName":', "raise ValueError"),
    "writes half a document": writes(b'{"hookSpecificOutput":{"hookEventName":"PreToolUse"'),
    "writes text": writes(b"Segmentation fault\n"),
    "writes text before a document": writes(b'warning: x\n{"a":1}\n'),
    "writes a document and text": writes(b'{"a":1}\nwarning: x\n'),
    "writes newlines": writes(b"\n\n\n"),
    "writes nothing at all, in peace": writes(b""),
    "is killed": dying(signal.SIGKILL),
    "is killed half way": writes(b'{"hook', "posix.kill(posix.getpid(), signal.SIGKILL)"),
    "crashes": dying(signal.SIGSEGV),
    "is told to end": dying(signal.SIGTERM),
    "finds nobody to write to": dying(signal.SIGPIPE),
}
FILES: dict[str, Callable[[Path], None]] = {
    "the door": lambda store: (store / "door.py").unlink(),
    "the door, a folder in its place": folder_for_door,
    "bundle and package": bundle_and_package,
    "bundle and second way": bundle_and_second_way,
    "half of the bundle, and the package": broken_bundle,
    "another program behind the link": another_program,
    "a program that does not start": no_program,
}
LIMITS = {
    "no descriptor for its files": "ulimit -n 5; ",
    "hardly a descriptor": "ulimit -n 7; ",
    "no memory": "ulimit -v 5000; ",
    "hardly any memory": "ulimit -v 12000; ",
}
SPINS = "ulimit -t 5; "
"""CPython 3.12 that gets no memory may turn in a circle while it starts, before any line of ours: this ends it."""


def call(site: Site, command: str = "ls") -> bytes:
    tool = {"tool_name": "Bash", "tool_input": {"command": command}, "tool_use_id": "t1"}
    return json.dumps({"hook_event_name": "PreToolUse", "session_id": "s1", "cwd": str(site.root), **tool}).encode()


def run(site: Site, shell: str, line: str, raw: bytes = b"") -> tuple[int, bytes]:
    done = subprocess.run(
        [*SHELLS[shell], line], input=raw or call(site), env=dict(site.env), cwd=site.root, capture_output=True
    )
    return done.returncode, done.stdout


@pytest.mark.parametrize("shell", SHELLS)
@pytest.mark.parametrize("door", DOORS)
def test_a_dead_door_refuses(site: Site, store: Path, shell: str, door: str) -> None:
    (store / "door.py").write_text(DOORS[door])
    for dialect in DIALECTS:
        for place in ("", str(store)):
            line = entry.write(Entry(place, dialect, "PreToolUse", "project" if not place else "user"))
            assert run(site, shell, line) == (0, entry.DENIALS[dialect].encode() + b"\n"), (dialect, place)


@pytest.mark.parametrize("shell", SHELLS)
@pytest.mark.parametrize("gone", FILES)
def test_a_damaged_installation_refuses(site: Site, store: Path, shell: str, gone: str) -> None:
    FILES[gone](store)
    for dialect in DIALECTS:
        line = entry.write(Entry(str(store), dialect, "PreToolUse"))
        assert run(site, shell, line) == (0, entry.DENIALS[dialect].encode() + b"\n"), dialect


@pytest.mark.parametrize("shell", SHELLS)
@pytest.mark.parametrize("limit", LIMITS)
def test_a_starved_door_refuses(site: Site, store: Path, shell: str, limit: str) -> None:
    line = entry.write(Entry(str(store), "codex", "PreToolUse"))
    assert run(site, shell, SPINS + LIMITS[limit] + line) == (0, entry.DENIALS["codex"].encode() + b"\n")


@pytest.mark.parametrize("shell", SHELLS)
def test_no_limit_between_enough_and_none_lets_a_refused_call_pass(site: Site, store: Path, shell: str) -> None:
    """Wherever in its run a door meets the end of what it may have. dash itself ends with 2 where it has no pipe left,
    which every client here reads as a refusal."""
    line = entry.write(Entry(str(store), "claude-code", "PreToolUse"))
    raw = call(site, "rm -rf ~")
    for limit in [*(f"-n {number}" for number in range(3, 14)), *(f"-v {size}" for size in range(12000, 20000, 400))]:
        code, out = run(site, shell, f"{SPINS}ulimit {limit}; {line}", raw)
        assert (shell, code, out) == ("dash", 2, b"") or b'"permissionDecision":"deny"' in out, (limit, code, out)


@pytest.mark.parametrize("shell", SHELLS)
def test_without_the_bundle_the_package_judges(site: Site, store: Path, shell: str) -> None:
    (store / bundle.name_of_bundle()).unlink()
    line = entry.write(Entry(str(store), "claude-code", "PreToolUse"))
    assert run(site, shell, line) == (0, b"{}\n")


REFUSALS = re.compile(rb'"(permissionDecision":"deny"|decision":"(deny|block)"|cancel":true)')
"""A refusal in the words of any client."""


@pytest.mark.parametrize("shell", SHELLS)
@pytest.mark.parametrize("tables", ["there", "gone"])
def test_without_the_package_the_bundle_judges(site: Site, store: Path, shell: str, tables: str) -> None:
    """Also where a hook table would have to be compiled first, for which the package is needed."""
    (store / "package").write_text("/nonexistent")
    if tables == "gone":
        shutil.rmtree(store / "wirings", ignore_errors=True)
    for dialect in DIALECTS:
        line = entry.write(Entry(str(store), dialect, "PreToolUse"))
        assert run(site, shell, line) == (0, b"{}\n"), dialect
        code, out = run(site, shell, line, call(site, "rm -rf ~"))
        assert code == 0 and REFUSALS.search(out) and entry.REASON.encode() not in out, dialect


@pytest.mark.parametrize("shell", SHELLS)
@pytest.mark.parametrize("how", ["link gone", "link that leads nowhere"])
def test_without_the_interpreter_a_session_that_starts_is_told(site: Site, store: Path, shell: str, how: str) -> None:
    """To the byte, in every dialect; nothing else is said, and nothing refused. Without the door nobody is told."""
    (store / "bin/python").unlink()
    if how == "link that leads nowhere":
        (store / "bin/python").symlink_to("/nonexistent/python")
    for present in (True, False):
        for dialect in DIALECTS:
            for place in ("", str(store)):
                start = entry.write(Entry(place, dialect, "SessionStart", "user" if place else "project"))
                notice = entry.NOTICES[dialect].encode() + b"\n"
                assert run(site, shell, start) == (0, notice if present else b""), (dialect, place)
                for event in ("PreToolUse", "UserPromptSubmit", "Stop"):
                    assert run(site, shell, entry.write(Entry(place, dialect, event))) == (0, b""), (dialect, event)
        (store / "door.py").unlink(missing_ok=True)


@pytest.mark.parametrize("shell", SHELLS)
@pytest.mark.parametrize("event", ["SessionStart", "UserPromptSubmit", "PostToolUse", "Stop", "SessionEnd"])
def test_elsewhere_a_dead_door_objects_to_nothing(site: Site, store: Path, shell: str, event: str) -> None:
    """The end of a turn stays open: the next tool call is refused. Nothing is said on standard output."""
    line = entry.write(Entry(str(store), "claude-code", event))
    for text in ("", "raise RuntimeError\n", dying(signal.SIGKILL)):
        (store / "door.py").write_text(text)
        assert run(site, shell, line)[1] == b""
    bundle_and_package(store)
    (store / "door.py").write_text(bundle.DOOR)
    assert run(site, shell, line) == (0, b"{}\n")


@pytest.mark.parametrize("shell", SHELLS)
def test_installed_to_fail_open_a_dead_door_lets_pass(site: Site, store: Path, shell: str) -> None:
    line = entry.write(Entry(str(store), "claude-code", "PreToolUse", fail="open"))
    assert run(site, shell, line) == (0, b"{}\n")
    (store / "door.py").unlink()
    assert run(site, shell, line) == (0, b"")
    (store / "door.py").write_text(bundle.DOOR)
    bundle_and_package(store)
    assert run(site, shell, line) == (0, b"")


@pytest.mark.parametrize("shell", SHELLS)
@pytest.mark.parametrize("size", [0, 100, 70_000, 3_000_000])
def test_a_living_doors_bytes_pass_as_they_are(site: Site, store: Path, shell: str, size: int) -> None:
    """Of any length, with everything that a shell or `printf` might take for its own."""
    text = "%s %d \\n \\0 $(id) `id` $HOME * ' \" \\\\ é\u2028" + "x" * size
    answer = json.dumps({"reason": text}, ensure_ascii=size % 2 == 1).encode() + b"\n"
    (store.parent / "answer").write_bytes(answer)
    (store / "door.py").write_text(
        f"import sys\nsys.stdout.buffer.write(open({str(store.parent / 'answer')!r}, 'rb').read())"
    )
    line = entry.write(Entry(str(store), "claude-code", "PreToolUse"))
    assert run(site, shell, line) == (0, answer)


@pytest.mark.parametrize("shell", SHELLS)
def test_the_right_way_out_works_without_a_package(site: Site, store: Path, shell: str) -> None:
    """What the refusal says: a person removes the link, and everything is as without Jackline."""
    (store / "door.py").unlink()
    line = entry.write(Entry(str(store), "codex", "PreToolUse"))
    assert run(site, shell, line)[1] == entry.DENIALS["codex"].encode() + b"\n"
    (store / "bin/python").unlink()
    assert run(site, shell, line) == (0, b"")


@pytest.mark.parametrize("shell", SHELLS)
def test_a_client_that_reads_no_further_meets_no_hanging_shell(site: Site, store: Path, shell: str) -> None:
    line = entry.write(Entry(str(store), "claude-code", "PreToolUse"))
    child = subprocess.Popen(
        [*SHELLS[shell], line], env=dict(site.env), cwd=site.root, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert child.stdin is not None and child.stdout is not None
    child.stdout.close()
    child.stdin.write(call(site))
    child.stdin.close()
    child.wait(20)


def doors(pid: int) -> list[int]:
    """The doors below a shell, however often it forked for one."""
    found = []
    for child in map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text().split()):
        words = Path(f"/proc/{child}/cmdline").read_text().split("\0")
        found += [child] if words[0].endswith("/bin/python") else doors(child)
    return found


def wait(of: Callable[[], object]) -> None:
    until = time.monotonic() + 30
    while not of():
        assert time.monotonic() < until
        time.sleep(0.02)


def gone(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return True


@pytest.mark.parametrize("shell", SHELLS)
@pytest.mark.parametrize("how", ["group", "shell"])
def test_a_client_that_ends_its_hook_leaves_no_door_behind(site: Site, store: Path, shell: str, how: str) -> None:
    """By its process group, as most clients do; or the shell alone, whose end also closes the door's input."""
    line = entry.write(Entry(str(store), "claude-code", "PreToolUse"))
    child = subprocess.Popen(
        [*SHELLS[shell], line], env=dict(site.env), cwd=site.root, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        start_new_session=True,
    )  # fmt: skip
    assert child.stdin is not None and child.stdout is not None
    wait(lambda: doors(child.pid))
    (door,) = doors(child.pid)
    if how == "group":
        os.killpg(child.pid, signal.SIGKILL)
    else:
        os.kill(child.pid, signal.SIGTERM)
    child.stdin.close()
    child.wait(20)
    wait(lambda: gone(door))
    child.stdout.close()


def test_an_uninstalled_store_goes_interpreter_first(site: Site, store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Cut off in the middle, it is an absent installation and no damaged one."""
    from jackline.install import home

    seen: list[bool] = []
    monkeypatch.setattr(shutil, "rmtree", lambda path: seen.append((store / "bin/python").is_symlink()))
    home.purge(store)
    assert seen == [False]
    assert (store / "door.py").is_file()
