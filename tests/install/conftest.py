"""A person's machine in a folder: HOME, a project with git, a store made by the real bundle."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from jackline.compiler import bundle
from jackline.install import home
from jackline.install.site import Site, standard_store
from once.sitecustomize import reuse


@pytest.fixture(autouse=True)
def no_home(monkeypatch: pytest.MonkeyPatch, one_bundle: None) -> None:
    """Whoever touches the home folder of this process finds none."""
    monkeypatch.setenv("HOME", "/nonexistent/home")


@pytest.fixture(scope="session")
def made_store(tmp_path_factory: pytest.TempPathFactory, made_bundle: Path) -> Path:
    store = tmp_path_factory.mktemp("made") / "jackline"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bundle, "files", reuse(bundle, str(made_bundle)))
        home.make(store)
    return store


def machine(folder: Path, made: Path) -> Site:
    """A machine below `folder`, whose store is ready where portable entries look for it."""
    (folder / "home").mkdir(parents=True)
    root = folder / "project"
    root.mkdir()
    subprocess.run(["git", "init", "-q", str(root)], check=True)
    env = {"HOME": str(folder / "home"), "PATH": "/usr/bin:/bin"}
    site = Site(root, env, folder / "machine")
    shutil.copytree(made, standard_store(env), symlinks=True)
    os.chmod(standard_store(env), 0o700)
    return site


@pytest.fixture
def site(tmp_path: Path, made_store: Path) -> Site:
    return machine(tmp_path, made_store)


@pytest.fixture
def store(site: Site) -> Path:
    return standard_store(site.env)
