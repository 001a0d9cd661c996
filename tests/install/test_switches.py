"""Claude Code, VS Code and Copilot: what besides the entries keeps hooks from running."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from jackline.install import claude_code, github, installer, installs
from jackline.install.finding import Finding
from jackline.install.site import Site


def write(path: Path, value: dict[str, Any]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    given = json.loads(path.read_text()) if path.exists() else {}
    path.write_text(json.dumps({**given, **value}))


def grades(found: list[Finding]) -> set[tuple[str, str]]:
    return {(one.code, one.grade) for one in found}


@pytest.fixture
def claude(site: Site, store: Path) -> Site:
    installer.enter(("claude-code",), "project", site, store)
    write(site.home / ".claude.json", {"projects": {str(site.root): {"hasTrustDialogAccepted": True}}})
    return site


@pytest.fixture
def copilot(site: Site, store: Path) -> Site:
    installer.enter(("vscode", "copilot-cli"), "project", site, store)
    write(site.home / ".copilot/config.json", {"trusted_folders": [str(site.root)]})
    return site


def test_claude_is_green_in_a_trusted_folder(claude: Site, store: Path) -> None:
    assert grades(claude_code.diagnose(installs.load(store)[0], claude)) == {("folder-trust", "ok")}
    write(claude.home / ".claude.json", {"projects": {str(claude.root.parent): {"hasTrustDialogAccepted": True}}})
    assert grades(claude_code.diagnose(installs.load(store)[0], claude)) == {("folder-trust", "ok")}


@pytest.mark.parametrize("text", ['{"projects": {}}', "{", "[]", '{"projects": {"/": 3}}'])
def test_claude_warns_until_the_trust_question_is_answered(claude: Site, store: Path, text: str) -> None:
    (claude.home / ".claude.json").write_text(text)
    assert grades(claude_code.diagnose(installs.load(store)[0], claude)) == {("folder-trust", "warn")}
    report = installer.enter(("claude-code",), "project", claude, store)
    assert report.todo == (f"start `claude` once in {claude.root} and accept its folder trust question",)


@pytest.mark.parametrize("scope", ["user", "project", "local", "managed"])
def test_hooks_switched_off_anywhere_are_found(claude: Site, store: Path, scope: str) -> None:
    path = claude_code.settings(scope, claude)
    write(path, {"disableAllHooks": True})
    found = claude_code.diagnose(installs.load(store)[0], claude)
    assert [(one.code, one.grade, str(path) in one.cure) for one in found if one.grade == "bad"] == [
        ("hooks-off", "bad", True)
    ]


def test_managed_hooks_only_is_found(claude: Site, store: Path) -> None:
    write(claude_code.settings("managed", claude), {"allowManagedHooksOnly": True})
    assert ("hooks-off", "bad") in grades(claude_code.diagnose(installs.load(store)[0], claude))


def test_an_empty_matcher_that_makes_copilot_drop_the_file_is_found(claude: Site, store: Path) -> None:
    path = claude.root / ".claude/settings.json"
    given = json.loads(path.read_text())
    given["hooks"]["Stop"].append({"matcher": "", "hooks": [{"type": "command", "command": "x"}]})
    path.write_text(json.dumps(given))
    assert ("foreign-entry", "warn") in grades(claude_code.diagnose(installs.load(store)[0], claude))


def test_copilot_is_green_in_a_trusted_folder(copilot: Site, store: Path) -> None:
    assert grades(github.diagnose(installs.load(store)[0], copilot)) == {("folder-trust", "ok")}
    write(copilot.home / ".copilot/config.json", {"trusted_folders": []})
    assert grades(github.diagnose(installs.load(store)[0], copilot)) == {("folder-trust", "warn")}
    todo = installer.enter(("vscode", "copilot-cli"), "project", copilot, store).todo
    assert [line.split(" ")[0] for line in todo] == ["start", "trust"]


def test_copilots_file_is_not_asked_for_trust_in_the_persons_home(site: Site, store: Path) -> None:
    installer.enter(("copilot-cli",), "user", site, store)
    assert github.diagnose(installs.load(store)[0], site) == []


def test_copilots_switches_and_versions_are_found(copilot: Site, store: Path) -> None:
    path = copilot.root / ".github/hooks/jackline.json"
    write(path, {"version": 2})
    write(copilot.root / ".github/copilot/settings.json", {"disableAllHooks": True})
    assert grades(github.diagnose(installs.load(store)[0], copilot)) == {
        ("hooks-off", "bad"),
        ("foreign-entry", "bad"),
        ("folder-trust", "ok"),
    }
