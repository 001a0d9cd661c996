"""Where the pinned real clients lie on this machine."""

from __future__ import annotations

import json
import platform
import sys
import tomllib
from pathlib import Path
from typing import Any

PINS = Path(__file__).parent.parent / "clients.toml"
INSTALLED = PINS.parents[2] / ".tools/clients"
ARCHITECTURES = {"x86_64": "x64", "amd64": "x64", "aarch64": "arm64", "arm64": "arm64"}


MARK = "installed.json"


class NotInstalledError(Exception):
    """A real client is not installed."""


def _here(text: str) -> str:
    """A name with npm's words for this machine."""
    machine = platform.machine().lower()
    return text.format(os=platform.system().lower(), arch=ARCHITECTURES.get(machine, machine))


def pins() -> dict[str, dict[str, str]]:
    """What comes through npm."""
    found = {name: pin for name, pin in tomllib.loads(PINS.read_text()).items() if "package" in pin}
    return {name: {**pin, "package": _here(pin["package"])} for name, pin in found.items()}


def sdks() -> dict[str, dict[str, Any]]:
    """What comes through pip."""
    return {name: pin for name, pin in tomllib.loads(PINS.read_text()).items() if "python" in pin}


def modules(folder: Path = INSTALLED) -> Path:
    """The folder that the SDKs are installed in, for an interpreter's path."""
    found = folder / "python"
    if not (found / MARK).exists():
        raise NotInstalledError(f"no SDKs in {found} · run scripts/clients")
    return found


def mark() -> str:
    """What stands in `MARK` beside SDKs of these pins, installed by this interpreter."""
    return json.dumps({"for": list(sys.version_info[:2]), "pins": sdks()}, sort_keys=True)


def program(name: str, folder: Path = INSTALLED) -> Path:
    """The program of a client: started directly, so that it is the parent of its hooks."""
    pattern = _here(pins()[name]["program"])
    found = sorted((folder / "node_modules").glob(pattern))
    if not found:
        raise NotInstalledError(f"{name} · no {pattern} in {folder}/node_modules · run scripts/clients")
    return found[0]
