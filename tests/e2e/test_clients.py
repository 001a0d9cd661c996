"""`scripts/clients`: what is there is left alone, what is missing is named, and without npm the way out is said."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from .rig.clients import MARK, mark, pins, program

SCRIPT = Path(__file__).resolve().parents[2] / "scripts/clients"


def install(folder: Path, path: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(SCRIPT), str(folder)]
    return subprocess.run(command, env={"PATH": str(path)}, capture_output=True, text=True)


def npm(folder: Path, does: str) -> Path:
    """A folder with a `node` and an `npm` of the test's own."""
    folder.mkdir()
    for name, text in {"node": "exit 0", "npm": does}.items():
        (folder / name).write_text(f"#!/bin/sh\n{text}\n")
        (folder / name).chmod(0o755)
    return folder


def put(folder: Path, version: str) -> None:
    """The clients as npm would leave them, and the SDKs."""
    (folder / "python").mkdir(parents=True)
    (folder / "python" / MARK).write_text(mark())
    for pin in pins().values():
        package = folder / "node_modules" / pin["package"]
        package.mkdir(parents=True)
        (package / "package.json").write_text(json.dumps({"version": version or pin["version"]}))
        for machine in ("linux-x64", "linux-arm64", "darwin-x64", "darwin-arm64"):
            os_name, arch = machine.split("-")
            native = folder / "node_modules" / pin["program"].format(os=os_name, arch=arch).replace("*", "any")
            native.parent.mkdir(parents=True, exist_ok=True)
            native.touch()


def test_pinned_clients_that_are_there_are_left_alone(tmp_path: Path) -> None:
    put(tmp_path / "clients", "")
    done = install(tmp_path / "clients", tmp_path)  # no npm to be found
    assert (done.returncode, done.stderr) == (0, "")
    assert str(program("codex", tmp_path / "clients")) in done.stdout


def test_another_version_is_replaced_by_the_pinned_one(tmp_path: Path) -> None:
    put(tmp_path / "clients", "0.0.1")
    done = install(tmp_path / "clients", npm(tmp_path / "bin", "exit 7"))
    assert done.returncode == 1
    assert "npm could not install" in done.stderr
    asked = json.loads((tmp_path / "clients/package.json").read_text())
    assert asked["dependencies"] == {pin["package"]: pin["version"] for pin in pins().values()}


def test_an_installation_without_the_native_program_is_named(tmp_path: Path) -> None:
    done = install(tmp_path / "clients", npm(tmp_path / "bin", "exit 0"))
    assert done.returncode == 1
    assert "no native program of claude-code, codex" in done.stderr


def test_without_node_the_way_out_is_said(tmp_path: Path) -> None:
    done = install(tmp_path / "clients", tmp_path)
    assert done.returncode == 1
    assert "node and npm are needed" in done.stderr
    assert "do: install Node.js" in done.stderr
    assert not (tmp_path / "clients").exists()
