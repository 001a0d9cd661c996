"""What is noted of a session when it is born."""

from __future__ import annotations

from pathlib import Path

import pytest

from jackline.store import birth

HOMES = {"CLAUDE_CONFIG_DIR": "settings.json", "CODEX_HOME": "hooks.json", "COPILOT_HOME": "hooks/jackline.json"}


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    told = {b"HOME": str(tmp_path / "home").encode()}
    monkeypatch.setattr("jackline.paths.posix.environ", told)
    return tmp_path / "home"


def entry(path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text('{"command": "exec python door.py"}')


@pytest.mark.parametrize(("variable", "name"), HOMES.items())
def test_entries_are_counted_where_a_client_was_told_to_look(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, variable: str, name: str
) -> None:
    root = tmp_path / "root"
    entry(root / ".claude/settings.json")
    moved = tmp_path / "moved"
    entry(moved / name)
    assert birth.entry_places(str(root)) == 1
    told = {b"HOME": str(home).encode(), variable.encode(): str(moved).encode()}
    monkeypatch.setattr("jackline.paths.posix.environ", told)
    assert birth.entry_places(str(root)) == 2


def test_a_folder_that_is_moved_is_not_the_one_below_home(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    entry(home / ".codex/hooks.json")
    assert birth.entry_places(str(tmp_path)) == 1
    told = {b"HOME": str(home).encode(), b"CODEX_HOME": str(tmp_path / "empty").encode()}
    monkeypatch.setattr("jackline.paths.posix.environ", told)
    assert birth.entry_places(str(tmp_path)) == 0
    monkeypatch.setattr("jackline.paths.posix.environ", told | {b"CODEX_HOME": b"relative"})
    assert birth.entry_places(str(tmp_path)) == 1
