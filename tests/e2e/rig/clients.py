"""Where the pinned real clients lie on this machine."""

from __future__ import annotations

import platform
import tomllib
from pathlib import Path

PINS = Path(__file__).parent.parent / "clients.toml"
INSTALLED = PINS.parents[2] / ".tools/clients"
ARCHITECTURES = {"x86_64": "x64", "amd64": "x64", "aarch64": "arm64", "arm64": "arm64"}


class NotInstalledError(Exception):
    """A real client is not installed."""


def pins() -> dict[str, dict[str, str]]:
    return tomllib.loads(PINS.read_text())


def program(name: str, folder: Path = INSTALLED) -> Path:
    """The native program of a client: started directly, so that it is the parent of its hooks."""
    machine = platform.machine().lower()
    pattern = pins()[name]["program"].format(os=platform.system().lower(), arch=ARCHITECTURES.get(machine, machine))
    found = sorted((folder / "node_modules").glob(pattern))
    if not found:
        raise NotInstalledError(f"{name} · no {pattern} in {folder}/node_modules · run scripts/clients")
    return found[0]
