"""Removed, an installation locks nobody out: prompts, tools, the end of the turn. Damaged, it refuses every tool."""

from __future__ import annotations

import json
import shutil
import signal
from collections.abc import Callable
from pathlib import Path

import pytest

from jackline.install import entry

from .hands import Hand
from .rig.script import call, say
from .site import Site

pytestmark = pytest.mark.e2e


def _dangling(link: Path) -> None:
    link.unlink()
    link.symlink_to("/nonexistent/python")


def _unlink(*paths: Path) -> None:
    for path in paths:
        path.unlink()


def _bundle(store: Path) -> Path:
    (bundle,) = store.glob("hot*.bin")
    return bundle


def _bundle_and_package(store: Path) -> None:
    _bundle(store).unlink()
    (store / "package").write_text("/nonexistent")


def _dies(number: int) -> Callable[[Path], object]:
    return lambda store: (store / "door.py").write_text(f"import posix\nposix.kill(posix.getpid(), {number})\n")


def _starved(limit: str) -> Callable[[Path], object]:
    """An interpreter that gets too little of something, as below a client that has used it up."""

    def starve(store: Path) -> None:
        python = (store / "bin/python").resolve()
        (store / "bin/python").unlink()
        (store / "bin/python").write_text(f'#!/bin/sh\nulimit {limit}\nexec {python} "$@"\n')
        (store / "bin/python").chmod(0o755)

    return starve


ABSENT: dict[str, Callable[[Path], object]] = {
    "the store": shutil.rmtree,
    "the interpreter's link": lambda store: (store / "bin/python").unlink(),
    "the interpreter behind the link": lambda store: _dangling(store / "bin/python"),
    "link and door": lambda store: _unlink(store / "bin/python", store / "door.py"),
}
"""Silent: exit 0, not a word."""

ALIVE: dict[str, Callable[[Path], object]] = {
    "the bundle": lambda store: _bundle(store).unlink(),
    "half of the bundle": lambda store: _bundle(store).write_bytes(_bundle(store).read_bytes()[:5000]),
    "the wirings": lambda store: shutil.rmtree(store / "wirings"),
}
"""A slower way is left."""

HALF = b'{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny"'
DAMAGED: dict[str, Callable[[Path], object]] = {
    "the door gone": lambda store: (store / "door.py").unlink(),
    "the door emptied": lambda store: (store / "door.py").write_bytes(b""),
    "the door replaced by text": lambda store: (store / "door.py").write_text("not what it was\n"),
    "the door raising": lambda store: (store / "door.py").write_text("raise RuntimeError('ours')\n"),
    "half a document written": lambda store: (store / "door.py").write_text(
        f"import posix\nposix.write(1, {HALF!r})\n"
    ),
    "killed by SIGKILL": _dies(signal.SIGKILL),
    "killed by SIGSEGV": _dies(signal.SIGSEGV),
    "no descriptors": _starved("-n 4"),
    "no memory": _starved("-v 9000"),
    "bundle and package gone": _bundle_and_package,
    "all but the door gone": lambda store: _unlink(_bundle(store), store / "slow.py"),
}
"""Refuses every tool call."""


def goes_on(site: Site, hand: Hand) -> int:
    """The exit code of a session: prompt, tools, the end of the turn, with nothing of ours in the model's way."""
    loop = 'for name in src/*.py; do wc -l "$name"; done | sort && echo looped'
    run = hand.play(
        site,
        [
            call(hand.shell("one", "echo went-on"), hand.write("two", site.project / "new.txt", "written\n")),
            call(hand.shell("three", loop)),
            say("ENDED"),
        ],
    )
    assert run.model_saw("MAIN-PROMPT")
    assert "went-on" in run.result("one")
    assert "looped" in run.result("three")
    assert (site.project / "new.txt").read_text() == "written\n"
    assert [request.answer.text for request in run.thread()] == ["", "", "ENDED"]
    for wreck in ("can't open file", "Traceback", "No such file", "hook error", "hook blocking"):
        assert not run.model_saw(wreck), wreck
    return run.exit_code


@pytest.mark.parametrize("gone", [*ABSENT, *ALIVE])
def test_nobody_is_locked_out_without(site: Site, hand: Hand, gone: str) -> None:
    site.init(hand.client)
    {**ABSENT, **ALIVE}[gone](site.store)
    assert goes_on(site, hand) == 0


@pytest.mark.parametrize("damage", DAMAGED)
def test_a_damaged_installation_refuses_every_tool_call(site: Site, hand: Hand, damage: str) -> None:
    """The prompt and the end of the turn stay open; the model reads what a person can do."""
    site.init(hand.client)
    DAMAGED[damage](site.store)
    run = hand.play(
        site,
        [
            call(hand.shell("one", "touch was-run"), hand.write("two", site.project / "new.txt", "written\n")),
            say("ENDED"),
        ],
    )
    assert run.exit_code == 0
    assert run.model_saw("MAIN-PROMPT")
    for name in ("one", "two"):
        assert entry.REASON in run.result(name)
    assert not (site.project / "was-run").exists() and not (site.project / "new.txt").exists()
    assert [request.answer.text for request in run.thread()] == ["", "ENDED"]
    for wreck in ("can't open file", "Traceback", "No such file", "hook blocking"):
        assert not run.model_saw(wreck), wreck


def test_the_way_out_that_the_refusal_names_works(site: Site, hand: Hand) -> None:
    site.init(hand.client)
    (site.store / "door.py").write_bytes(b"")
    (site.store / "bin/python").unlink()
    assert goes_on(site, hand) == 0


def test_installed_to_fail_open_a_damaged_one_lets_pass(site: Site, hand: Hand) -> None:
    site.init(hand.client, "project", "--fail", "open")
    (site.store / "door.py").unlink()
    assert goes_on(site, hand) == 0


@pytest.mark.parametrize("gone", ["the interpreter's link", "the interpreter behind the link"])
def test_a_session_that_starts_without_the_interpreter_says_so(site: Site, gone: str) -> None:
    """On both clients, to the person: nothing judges here."""
    turns = [say("DONE")]
    for client, play in (("claude-code", site.claude), ("codex", site.codex_server)):
        site.init(client)
        ABSENT[gone](site.store)
        told = json.dumps([one for one in play(*turns).hook_events if "ession" in json.dumps(one)])
        assert entry.GONE in told, client
        site.jackline("init", "--client", client, "--scope", "project")


def test_nobody_is_locked_out_without_the_package(tmp_path: Path, command: Path, hand: Hand) -> None:
    """The environment Jackline was installed into is deleted; its store and its entries stay."""
    environment = tmp_path / "environment"
    shutil.copytree(command.parents[1], environment, symlinks=True)
    site = Site(tmp_path, str(environment / "bin/python"), "-m", "jackline.cli")
    site.init(hand.client)
    shutil.rmtree(environment)
    assert goes_on(site, hand) == 0


def test_uninstalled_it_leaves_what_was_there(site: Site, hand: Hand) -> None:
    settings = site.settings(hand.client)
    settings.parent.mkdir()
    settings.write_text('{\n    "hooks": {}\n}\n')
    before = settings.read_bytes()
    site.init(hand.client)
    assert settings.read_bytes() != before
    site.jackline("uninstall", "--purge", "--yes")
    assert settings.read_bytes() == before
    assert not site.store.exists()
    assert goes_on(site, hand) == 0
    assert not site.events()
