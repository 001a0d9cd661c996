"""A host in a scratch project, with nothing of the person's own about."""

from __future__ import annotations

from pathlib import Path

import pytest

from inprocess.host import Host


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    made = tmp_path / "project"
    made.mkdir()
    return made


@pytest.fixture
def host(root: Path) -> Host:
    return Host(root)
