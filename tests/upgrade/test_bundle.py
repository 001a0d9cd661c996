"""Doors that run while the files that they are made of are renewed."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from jackline.compiler import bundle
from scene import Scene


def wait_for(pid: int, name: str) -> None:
    """Until a process has opened a file of this name."""
    until = time.monotonic() + 20
    while not any(name in link for link in links(pid)):
        assert time.monotonic() < until
        time.sleep(0.01)


def links(pid: int) -> list[str]:
    found = []
    for path in Path(f"/proc/{pid}/fd").iterdir():
        with suppress(OSError):
            found.append(os.readlink(path))
    return found


def other(files: Mapping[str, bytes], word: bytes) -> dict[str, bytes]:
    """A bundle of some other version: none of its files holds anything for a door that began before."""
    rest = next(name for name in files if name.startswith(bundle.REST))
    return {bundle.name_of_rest(word) if name == rest else name: word for name in files}


def test_a_door_that_runs_while_the_bundle_is_renewed_judges_with_its_own(scene: Scene, made_bundle: Path) -> None:
    """It waits for its payload, or for a script of some minutes, and needs what lies in the second file after that."""
    scene.begin()
    made = {path.name: path.read_bytes() for path in made_bundle.iterdir() if path.is_file()}
    door = scene.start("PreToolUse")
    wait_for(door.pid, "hot-")
    bundle.build(str(scene.store), other(made, b"another"))
    out, err = door.communicate(json.dumps(scene.tool("rm -rf ~")).encode(), 30)
    assert (door.returncode, err) == (0, b"")
    assert json.loads(out)["hookSpecificOutput"]["permissionDecision"] == "deny"
    bundle.build(str(scene.store), made)


def test_one_earlier_second_file_stays(tmp_path: Path) -> None:
    store = tmp_path / "store"
    files = {bundle.name_of_rest(b""): b"", "door.py": b""}
    for number, word in enumerate((b"one", b"two", b"three"), 1):
        made = other(files, word)
        assert bundle.build(str(store), made)
        assert not bundle.build(str(store), made)
        os.utime(store / bundle.name_of_rest(word), ns=(0, number * 1_000_000_000))
    left = {path.name for path in store.glob("cold-*")}
    assert left == {bundle.name_of_rest(b"two"), bundle.name_of_rest(b"three")}
