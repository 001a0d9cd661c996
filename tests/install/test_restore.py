"""Third layer of self-protection: entries of ours that were removed or changed are noticed and put back."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from jackline.install import installer, installs, restore
from jackline.install.restore import Difference
from jackline.install.site import Site

FOREIGN = {"hooks": [{"type": "command", "command": "echo foreign"}]}


@pytest.fixture
def settings(site: Site, store: Path) -> Path:
    path = site.root / ".claude/settings.json"
    path.parent.mkdir()
    path.write_text('{\n  // mine\n  "hooks": {"Stop": [' + json.dumps(FOREIGN) + "]}\n}\n")
    installer.enter(("claude-code",), "project", site, store)
    path.write_text(path.read_text().replace("  // mine\n", ""))  # so that tests can edit it as JSON
    return path


def edit(path: Path, change: Callable[[dict[str, Any]], object]) -> None:
    given = json.loads(path.read_text())
    change(given)
    path.write_text(json.dumps(given, indent=4))


def switch_off(given: dict[str, Any]) -> None:
    hook = given["hooks"]["PreToolUse"][0]["hooks"][0]
    hook["command"] = "true; # " + hook["command"]


def forget(given: dict[str, Any]) -> None:
    del given["hooks"]["PreToolUse"]


def disarm(given: dict[str, Any]) -> None:
    given["hooks"]["PreToolUse"][0]["matcher"] = "Nothing"


def hurry(given: dict[str, Any]) -> None:
    given["hooks"]["PreToolUse"][0]["hooks"][0]["timeout"] = 1


def move(given: dict[str, Any]) -> None:
    given["hooks"]["Notification"] += given["hooks"].pop("PreToolUse")


CHANGES = {
    "forgotten": (forget, [("PreToolUse", "missing")]),
    "switched off": (switch_off, [("PreToolUse", "changed")]),
    "hurried": (hurry, [("PreToolUse", "changed")]),
    "narrowed by a matcher": (disarm, [("PreToolUse", "changed")]),
    "moved elsewhere": (move, [("PreToolUse", "missing"), ("Notification", "extra")]),
    "all hooks gone": (lambda given: given.pop("hooks"), None),
}


@pytest.mark.parametrize(("change", "wanted"), CHANGES.values(), ids=CHANGES)
def test_a_change_is_noticed_and_taken_back(
    store: Path, settings: Path, change: Callable[[dict[str, Any]], object], wanted: list[tuple[str, str]] | None
) -> None:
    assert restore.check(store) == []
    whole = json.loads(settings.read_text())["hooks"]
    before = restore.digest(settings.read_bytes(), str(settings), store)
    assert restore.watch_list(store) == [(str(settings), before)]
    edit(settings, change)
    found = restore.check(store)
    if wanted is None:
        assert {one.what for one in found} == {"missing"} and len(found) == len(installs.load(store)[0].wanted)
    else:
        assert [(one.event, one.what) for one in found] == wanted
    assert restore.digest(settings.read_bytes(), str(settings), store) != before
    assert [done.change for done in restore.restore(store)] == ["changed"]
    assert restore.check(store) == []
    after = json.loads(settings.read_text())["hooks"]
    assert {event: after[event] for event in whole if event != "Stop"} == {
        event: whole[event] for event in whole if event != "Stop"
    }


def test_foreign_edits_are_no_difference_and_survive_a_restoration(site: Site, store: Path, settings: Path) -> None:
    before = restore.digest(settings.read_bytes(), str(settings), store)
    edit(settings, lambda given: given["hooks"]["Stop"].insert(0, FOREIGN))
    edit(settings, lambda given: given.update(model="opus"))
    assert restore.check(store) == []
    assert restore.digest(settings.read_bytes(), str(settings), store) == before
    edit(settings, lambda given: given["hooks"].pop("PreToolUse"))
    restore.restore(store)
    given = json.loads(settings.read_text())
    assert (given["model"], given["hooks"]["Stop"][:2]) == ("opus", [FOREIGN, FOREIGN])
    installer.uninstall(site, store)
    assert json.loads(settings.read_text()) == {"model": "opus", "hooks": {"Stop": [FOREIGN, FOREIGN]}}


def test_a_deleted_file_is_made_again(site: Site, store: Path) -> None:
    installer.enter(("copilot-cli",), "project", site, store)
    path = site.root / ".github/hooks/jackline.json"
    whole = path.read_bytes()
    path.unlink()
    assert restore.check(store) == [Difference(str(path), "copilot-cli", "project", "", "gone")]
    restore.restore(store)
    assert path.read_bytes() == whole
    installer.uninstall(site, store)
    assert not (site.root / ".github").exists()


def test_a_file_that_cannot_be_read_is_told_and_left_alone(store: Path, settings: Path) -> None:
    settings.write_text("{")
    assert [(one.event, one.what) for one in restore.check(store)] == [("", "unreadable")]
    assert restore.restore(store) == []
    assert settings.read_text() == "{"
    assert restore.digest(b"{", str(settings), store) == ""


def test_a_project_that_is_gone_is_no_difference(site: Site, store: Path, settings: Path) -> None:
    site.root.rename(site.root.with_name("moved"))
    assert restore.check(store) == []
    assert restore.restore(store) == []
    assert restore.watch_list(store) == []


def test_a_project_watches_its_own_files_and_those_of_the_person(site: Site, store: Path, settings: Path) -> None:
    installer.enter(("codex",), "user", site, store)
    other = site.root.with_name("other")
    other.mkdir()
    installer.enter(("codex",), "project", site._replace(root=other), store)
    assert [path for path, _ in restore.watch_list(store, other)] == [
        str(site.home / ".codex/hooks.json"),
        str(other / ".codex/hooks.json"),
    ]
    assert all(restore.digest(Path(path).read_bytes(), path, store) == held for path, held in restore.watch_list(store))
