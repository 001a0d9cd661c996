"""`null`, `[]` and `{}` in a client's `hooks` are as good as nothing, and are there again after an uninstallation."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from jackline.install import installer, installs, restore
from jackline.install.site import Site

HOOKS = ("null", "[]", "{}", '{"Stop": null}', '{"Stop": {}}', '{"Stop": []}', '{"Stop": null, "Other": []}')
SHAPES = ('{{"hooks": {}}}', '{{\n  "model": "x", // mine\n  "hooks": {},\n  "more": 1\n}}\n')
FILES = {
    "claude-code": ".claude/settings.json",
    "codex": ".codex/hooks.json",
    "copilot-cli": ".copilot/hooks/jackline.json",
}


@pytest.mark.parametrize("client", FILES)
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("hooks", HOOKS)
def test_nothing_is_nothing(site: Site, store: Path, client: str, shape: str, hooks: str) -> None:
    path = site.home / FILES[client]
    path.parent.mkdir(parents=True, exist_ok=True)
    before = shape.format(hooks)
    path.write_text(before)
    report = installer.enter((client,), "user", site, store)
    assert report.faults == ()
    assert restore.check(store) == []
    assert len(restore.compare(installs.load(store)[0], store)) == 0
    assert path.read_text().count("\n") >= before.count("\n")
    assert installer.enter((client,), "user", site, store).done[0].change == "unchanged"
    installer.uninstall(site, store)
    assert path.read_text() == before


@pytest.mark.parametrize("hooks", ["3", '"x"', "[1]", '{"Stop": 3}', '{"Stop": {"a": 1}}', "false"])
def test_something_else_is_left_alone(site: Site, store: Path, hooks: str) -> None:
    path = site.home / ".claude/settings.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f'{{"hooks": {hooks}}}')
    report = installer.enter(("claude-code",), "user", site, store)
    assert "expected" in report.faults[0].what
    assert json.loads(path.read_text()) == {"hooks": json.loads(hooks)}


def test_others_edit_meanwhile(site: Site, store: Path) -> None:
    path = site.home / ".claude/settings.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text('{"hooks": null}')
    installer.enter(("claude-code",), "user", site, store)
    path.write_text(json.dumps(json.loads(path.read_text()) | {"model": "opus"}))
    installer.uninstall(site, store)
    assert json.loads(path.read_text()) == {"model": "opus"}
