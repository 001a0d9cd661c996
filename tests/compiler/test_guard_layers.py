"""Knobs of the command guard through the compile: a repository may tighten them, and loosens nothing unasked."""

from __future__ import annotations

from typing import Any

import pytest

from jackline.features.command_guard import guard
from jackline.shell.effects import effects

from .project import Project

SLUG = "command-guard"
ALLOW = {"rule": "git.reset", "command": "git reset --hard", "reason": "mine"}
ON = {"version": 1, "modules": {SLUG: {"enabled": True}}}


def knobs(project: Project) -> dict[str, Any]:
    row = next(row for row in project.publish().rows("PreToolUse") if row.slug == SLUG)
    return dict(row.config)


def said(project: Project, command: str) -> str:
    config = knobs(project)
    root = str(project.root)
    found = effects(command, root, {"HOME": "/home/ada", "TMPDIR": "/tmp"}, root)
    ground = guard.ground_of(root, root, "/home/ada", config, "/tmp")
    return guard.rule_on(command, found, ground, config, guard.preset_of(config), "2031-05-05").decision


LOOSE = [
    {"preset": "standard"},
    {"allow": [{"rule": "*", "command": "*", "reason": "let me"}]},
    {"disposable": ["**"]},
    {"packs": []},
    {"rules": []},
]


@pytest.mark.parametrize("loose", LOOSE, ids=lambda one: next(iter(one)))
@pytest.mark.parametrize("name", ["config.json", "hooks.local.json"])
def test_a_repository_loosens_nothing(project: Project, loose: dict[str, Any], name: str) -> None:
    project.manifest(ON, project.user)
    rule = {"command": "make migrate*", "decision": "deny", "reason": "people migrate"}
    project.write("config.json", {SLUG: {"preset": "strict", "packs": ["kubernetes"], "rules": [rule]}}, project.user)
    before = knobs(project)
    commands = ("git reset --hard", "rm -rf src", "sudo ls", "kubectl delete pod x", "make migrate")
    decisions = [said(project, one) for one in commands]
    assert decisions == ["ask", "ask", "ask", "ask", "deny"]
    project.write(name, {SLUG: loose} if name == "config.json" else {"version": 1, "config": {SLUG: loose}})
    assert knobs(project) == before
    assert [said(project, one) for one in commands] == decisions


def test_a_repository_may_tighten(project: Project) -> None:
    project.manifest(ON, project.user)
    project.write("config.json", {SLUG: {"packs": ["kubernetes"], "allow": [ALLOW]}}, project.user)
    assert [said(project, one) for one in ("git reset --hard", "sudo ls", "gh run cancel 1")] == ["allow"] * 3
    tight = {"preset": "strict", "packs": ["kubernetes", "ci"], "allow": []}
    project.write("config.json", {SLUG: tight})
    assert [said(project, one) for one in ("git reset --hard", "sudo ls", "gh repo delete x")] == ["ask"] * 3


def test_what_the_machines_manager_sets_holds_for_the_user(project: Project) -> None:
    project.manifest(ON, project.managed)
    project.write("config.json", {SLUG: {"preset": "paranoid", "allow": []}}, project.managed)
    project.write("config.json", {SLUG: {"preset": "standard", "allow": [ALLOW]}}, project.user)
    assert said(project, "git reset --hard") == "deny"


def test_a_users_allowance_holds_and_ends(project: Project) -> None:
    project.manifest(ON, project.user)
    for until, decision in (("2031-05-05", "allow"), ("2031-05-04", "ask")):
        project.write("config.json", {SLUG: {"allow": [ALLOW | {"until": until}]}}, project.user)
        assert said(project, "git reset --hard") == decision
