"""Jackline as a person gets it: a wheel of this tree, installed into an environment of its own, once per run."""

from __future__ import annotations

import subprocess
import sys
import venv
from collections.abc import Callable
from pathlib import Path

import pytest

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
    return folder / "venv/bin/jackline"


@pytest.fixture
def site(tmp_path: Path, command: Path) -> Site:
    return Site(tmp_path, str(command))


@pytest.fixture
def installed(site: Site) -> Callable[..., Site]:
    """A machine where `jackline init` was run for these clients."""

    def install(*clients: str, scope: str = "project") -> Site:
        for client in clients:
            site.init(client, scope)
        return site

    return install
