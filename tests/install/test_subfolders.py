"""`doctor` says where a sub-folder has client settings without entries of ours."""

from __future__ import annotations

from pathlib import Path

import pytest

from jackline.install import doctor, installer
from jackline.install.finding import Finding
from jackline.install.site import Site


def told(site: Site, store: Path) -> list[Finding]:
    found = doctor.diagnose(site.root, store, site.home, site.env)
    return [one for one in found if one.code == "sub-folder"]


def own_settings(site: Site, text: str = "{}\n") -> None:
    folder = site.root / "apps/web/.claude"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "settings.json").write_text(text)


@pytest.mark.parametrize("scope", ["project", "user"])
def test_settings_without_entries_are_named(site: Site, store: Path, scope: str) -> None:
    """Entries in the person's own settings hold in every folder."""
    installer.enter(("claude-code",), scope, site, store)
    assert told(site, store) == []
    own_settings(site)
    if scope == "user":
        assert told(site, store) == []
        return
    (one,) = told(site, store)
    assert (one.grade, one.what.split(":")[0]) == ("warn", "apps/web/.claude/settings.json")
    assert "--scope user" in one.cure
    own_settings(site, (site.root / ".claude/settings.json").read_text())
    assert told(site, store) == []


def test_nothing_is_said_of_what_git_ignores(site: Site, store: Path) -> None:
    installer.enter(("claude-code",), "project", site, store)
    own_settings(site)
    (site.root / ".gitignore").write_text("apps/\n")
    assert told(site, store) == []
