"""Which clients are in use is seen from programs, from folders at home, and from the project."""

from __future__ import annotations

from pathlib import Path

from jackline.install import clients
from jackline.install.clients import Seen
from jackline.install.site import Site


def test_nothing_is_found_on_an_empty_machine(site: Site) -> None:
    assert clients.find(site) == []


def test_clients_are_found_by_what_they_leave(site: Site, tmp_path: Path) -> None:
    program = tmp_path / "bin/claude"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    (site.home / ".claude").mkdir()
    (site.root / ".vscode").mkdir()
    (tmp_path / "codex").mkdir()
    env = {**site.env, "PATH": f"{program.parent}:/usr/bin:/bin", "CODEX_HOME": str(tmp_path / "codex")}
    assert clients.find(site._replace(env=env)) == [
        Seen("claude-code", "claude-code", str(program), (str(program), "~/.claude")),
        Seen("codex", "codex", "", ("$CODEX_HOME",)),
        Seen("vscode", "github", "", (".vscode",)),
    ]
