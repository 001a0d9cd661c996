"""Which clients a person has, and which of them a project uses."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from jackline.install import CLIENTS
from jackline.install.site import Site

PROGRAMS = {
    "claude-code": ("claude",),
    "codex": ("codex",),
    "vscode": ("code", "code-insiders", "codium"),
    "copilot-cli": ("copilot",),
}
HOMES = {
    "claude-code": (".claude", ".claude.json"),
    "codex": (".codex",),
    "vscode": (".vscode", ".vscode-server", ".config/Code", "Library/Application Support/Code"),
    "copilot-cli": (".copilot",),
}
VARIABLES = {"claude-code": "CLAUDE_CONFIG_DIR", "codex": "CODEX_HOME", "copilot-cli": "COPILOT_HOME"}
IN_PROJECT = {
    "claude-code": (".claude", "CLAUDE.md"),
    "codex": (".codex",),
    "vscode": (".vscode",),
    "copilot-cli": (".github/hooks", ".github/copilot", ".github/copilot-instructions.md"),
}


class Seen(NamedTuple):
    """A client in use, and what shows it. `program` is "" where only its traces are there."""

    client: str
    dialect: str
    program: str
    why: tuple[str, ...]


def _traces(client: str, site: Site) -> list[str]:
    variable = VARIABLES.get(client, "")
    found = [f"${variable}"] if variable and Path(site.env.get(variable, "") or "/nonexistent").is_dir() else []
    found += [f"~/{name}" for name in HOMES[client] if (site.home / name).exists()]
    return found + [name for name in IN_PROJECT[client] if (site.root / name).exists()]


def find(site: Site) -> list[Seen]:
    """The clients in use, in a fixed order: by program on the path, by folder in the home, by folder in the project."""
    found = []
    for client, dialect in CLIENTS.items():
        program = site.program(*PROGRAMS[client])
        why = ([program] if program else []) + _traces(client, site)
        if why:
            found.append(Seen(client, dialect, program, tuple(why)))
    return found
