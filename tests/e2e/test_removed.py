"""A removed or half-removed installation locks nobody out: prompts, tools and the end of the turn go on."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

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


REMOVALS: dict[str, Callable[[Path], object]] = {
    "the store": shutil.rmtree,
    "the interpreter's link": lambda store: (store / "bin/python").unlink(),
    "the interpreter behind the link": lambda store: _dangling(store / "bin/python"),
    "the door": lambda store: (store / "door.py").unlink(),
    "the bundle": lambda store: _bundle(store).unlink(),
    "half of the bundle": lambda store: _bundle(store).write_bytes(_bundle(store).read_bytes()[:5000]),
    "all but the door": lambda store: _unlink(_bundle(store), store / "slow.py"),
    "the wirings": lambda store: shutil.rmtree(store / "wirings"),
}


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


@pytest.mark.parametrize("gone", list(REMOVALS))
def test_nobody_is_locked_out_without(site: Site, hand: Hand, gone: str) -> None:
    site.init(hand.client)
    REMOVALS[gone](site.store)
    assert goes_on(site, hand) == 0


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
