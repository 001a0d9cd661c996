"""Jackline as a person gets it: a wheel of this tree, installed into an environment of its own, once per run."""

from __future__ import annotations

import shutil
import subprocess
import sys
import venv
from collections.abc import Iterator
from pathlib import Path

import pytest

from once import sitecustomize
from scene import audit

from .hands import HANDS, Hand
from .site import Site

REPO = Path(__file__).resolve().parents[2]


def _pip(*arguments: str) -> None:
    done = subprocess.run([sys.executable, "-m", "pip", *arguments, "--quiet"], capture_output=True, text=True)
    assert done.returncode == 0, f"pip {' '.join(arguments)}\n{done.stdout}{done.stderr}"


@pytest.fixture(scope="session")
def command(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The installed command `jackline`."""
    folder = tmp_path_factory.mktemp("installed")
    _pip("wheel", "--no-deps", "--wheel-dir", str(folder), str(REPO))
    venv.create(folder / "venv", with_pip=False)
    (wheel,) = folder.glob("jackline-*.whl")
    _pip("--python", str(folder / "venv"), "install", str(wheel))
    (packages,) = (folder / "venv/lib").glob("python*/site-packages")
    shutil.copy(sitecustomize.__file__, packages)
    return folder / "venv/bin/jackline"


@pytest.fixture(scope="session")
def made(command: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The bundle as the installed package makes it, for all machines (test_removed.py has one that makes its own)."""
    store = tmp_path_factory.mktemp("bundle") / "jackline"
    code = "import sys; from jackline.compiler.bundle import build; build(sys.argv[1])"
    done = subprocess.run([command.with_name("python"), "-c", code, store], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    return store


@pytest.fixture
def site(tmp_path: Path, command: Path, made: Path) -> Iterator[Site]:
    """A machine; whatever a client did there, its sessions are sound afterwards, and we had no fault."""
    site = Site(tmp_path, str(command))
    site.env[sitecustomize.MADE] = str(made)
    try:
        yield site
    finally:
        site.leave()
    for folder in site.sessions():
        audit(folder)
    assert [report.read_text() for report in site.store.glob("crash/*")] == []


@pytest.fixture(params=list(HANDS))
def hand(request: pytest.FixtureRequest) -> Hand:
    """How a client is used: the test runs for each."""
    return HANDS[request.param]


@pytest.fixture
def here(site: Site, hand: Hand) -> Site:
    """A project where `jackline init` was run for the client of this test."""
    site.init(hand.client)
    return site
