"""`scripts/pythons` finds the interpreters of a machine, gives each an environment, and does not pass over one.

The interpreters here are shell scripts that say which version they are, so that the machine's own do not matter.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

REPO = Path(__file__).resolve().parent.parent
OTHERS = [minor for minor in ("3.11", "3.12", "3.13") if minor != f"3.{sys.version_info.minor}"]
OTHER, LAST = OTHERS[-2:]

PYTHON = """#!/bin/sh
case "$*" in
"-I -c "*) printf '%s\\n' '{told}' ;;
"-m venv "*)
    for folder; do :; done
    {making}
    mkdir -p "$folder/bin"
    printf '#!/bin/sh\\necho {told} "$*" >>"%s/ran"\\nexit {code}\\n' "$(dirname "$folder")" >"$folder/bin/python"
    chmod +x "$folder/bin/python"
    echo made >>"$(dirname "$folder")/made" ;;
esac
"""


def interpreter(path: Path, version: str, *, kind: str = "cpython final", making: str = "", code: int = 0) -> Path:
    """A program that says it is this version, and whose environments run every command with exit `code`."""
    name, level, *flags = kind.split()
    told = "\t".join([name, *version.split("."), level, "0", *(flags or ["-"])])
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(PYTHON.format(told=told, making=making, code=code))
    path.chmod(0o755)
    return path


class Machine:
    """A checkout with the script, and places where interpreters may be."""

    def __init__(self, folder: Path) -> None:
        self.repo = folder / "repo"
        self.bin = folder / "bin"
        self.pyenv = folder / "pyenv"
        self.uv = folder / "uv"
        self.named = ""
        (self.repo / "scripts").mkdir(parents=True)
        self.bin.mkdir()
        shutil.copy(REPO / "scripts/pythons", self.repo / "scripts")
        shutil.copy(REPO / "pyproject.toml", self.repo)
        (self.repo / "scripts/install-dev").write_text("")
        for tool in ("chmod", "dirname", "mkdir"):  # of the machine's folders none: its own interpreters stand there
            (self.bin / tool).symlink_to(str(shutil.which(tool)))

    def run(self, *words: str) -> subprocess.CompletedProcess[str]:
        env = {
            "HOME": str(self.bin),
            "PATH": str(self.bin),
            "JACKLINE_PYTHONS": self.named,
            "PYENV_ROOT": str(self.pyenv),
            "UV_PYTHON_INSTALL_DIR": str(self.uv),
        }
        argv = [sys.executable, str(self.repo / "scripts/pythons"), *words]
        return subprocess.run(argv, env=env, capture_output=True, text=True, check=False, timeout=120)

    def listed(self, minor: str) -> str:
        """What is said of a version: its whole one and its program; "" where it was not found."""
        lines = self.run("--list").stdout.splitlines()
        return next((line for line in lines if line.startswith(f"Python {minor}.")), "")


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


def test_each_place_is_looked_at_and_the_preferred_one_taken(machine: Machine, tmp_path: Path) -> None:
    assert machine.listed(OTHER) == ""
    program = interpreter(machine.uv / f"cpython-{OTHER}.9-linux-x86_64-gnu/bin/python{OTHER}", f"{OTHER}.9")
    assert machine.listed(OTHER) == f"Python {OTHER}.9  {program}"
    program = interpreter(machine.pyenv / f"versions/{OTHER}.2/bin/python{OTHER}", f"{OTHER}.2")
    assert machine.listed(OTHER) == f"Python {OTHER}.2  {program}"
    program = interpreter(machine.pyenv / f"versions/{OTHER}.10/bin/python{OTHER}", f"{OTHER}.10")
    assert machine.listed(OTHER) == f"Python {OTHER}.10  {program}"
    program = interpreter(machine.bin / f"python{OTHER}", f"{OTHER}.1")
    assert machine.listed(OTHER) == f"Python {OTHER}.1  {program}"
    program = interpreter(tmp_path / "own/any-name", f"{OTHER}.3")
    machine.named = f"{tmp_path}/nothing{os.pathsep}{program}"
    assert machine.listed(OTHER) == f"Python {OTHER}.3  {program}"


def test_a_shim_that_leads_nowhere_is_passed_over(machine: Machine) -> None:
    shim = machine.bin / f"python{OTHER}"
    shim.write_text("#!/bin/sh\necho 'pyenv: command not found' >&2\nexit 127\n")
    program = interpreter(machine.pyenv / f"versions/{OTHER}.4/bin/python{OTHER}", f"{OTHER}.4")
    assert machine.listed(OTHER) == f"Python {OTHER}.4  {program}"


@pytest.mark.parametrize("kind", ["pypy final", "cpython candidate", "cpython final t"])
def test_what_is_no_plain_release_is_not_taken(machine: Machine, kind: str) -> None:
    interpreter(machine.bin / f"python{OTHER}", f"{OTHER}.1", kind=kind)
    assert machine.listed(OTHER) == ""


def test_a_command_runs_on_each_in_an_environment_that_is_kept(machine: Machine) -> None:
    for minor in OTHERS:
        interpreter(machine.bin / f"python{minor}", f"{minor}.1")
    for _ in range(2):
        done = machine.run("-m", "sample")
        assert done.returncode == 0, done.stdout + done.stderr
    ran = (machine.repo / "ran").read_text().splitlines()
    assert [line.split()[1:3] + line.split()[-2:] for line in ran] == 2 * [
        ["3", minor.partition(".")[2], "-m", "sample"] for minor in OTHERS
    ]
    assert (machine.repo / "made").read_text().splitlines() == ["made"] * len(OTHERS)
    project = machine.repo / "pyproject.toml"
    project.write_text(project.read_text() + "\n# another dependency\n")
    machine.run("-m", "sample")
    assert (machine.repo / "made").read_text().splitlines() == ["made"] * len(OTHERS) * 2


def test_a_failure_on_one_is_a_failure(machine: Machine) -> None:
    interpreter(machine.bin / f"python{OTHER}", f"{OTHER}.1")
    interpreter(machine.bin / f"python{LAST}", f"{LAST}.1", code=1)
    done = machine.run("-m", "sample")
    assert (done.returncode, done.stdout.splitlines()[-1].partition(" · ")[2]) == (1, f"FAIL on {LAST}.1")


def test_only_one_tried_where_several_are_present_is_a_failure(machine: Machine) -> None:
    interpreter(machine.bin / f"python{OTHER}", f"{OTHER}.1", making="exit 1")
    done = machine.run("-m", "sample")
    assert done.returncode == 1
    assert "only one was tried although several are present" in done.stdout


def test_one_that_is_alone_is_enough(machine: Machine) -> None:
    done = machine.run("-m", "sample")
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"not here: {', '.join(OTHERS)}" in done.stdout
