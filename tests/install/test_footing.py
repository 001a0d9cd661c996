"""Every file that an installed door and our command open is one that no agent may write, wherever it lies."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from features.feature import call, context_of
from jackline.compiler import runtime_files
from jackline.features.command_guard.hook import handle as command_guard
from jackline.features.self_protect.hook import handle as self_protect

WATCH = """
import posix, sys
report = posix.open({report!r}, posix.O_WRONLY | posix.O_APPEND | posix.O_CREAT, 0o600)
def seen(name, args):
    for one in args[:2] if name in ("open", "import") else ():
        text = one.decode() if isinstance(one, bytes) else one
        if isinstance(text, str) and text.startswith("/"):
            posix.write(report, text.encode() + bytes((10,)))
for line in open("/proc/self/maps"):
    seen("open", line.split()[5:6])
sys.addaudithook(seen)
"""
"""What a process maps when it starts, and every file that it opens from then on."""
DOOR = """
sys.argv = [{door!r}, "claude-code", "PreToolUse"]
__file__ = {door!r}
exec(compile(open(__file__).read(), __file__, "exec"))
"""
COMMAND = """
from jackline.cli.parts.app import main
sys.argv = ["jackline", "version"]
main()
"""


def opened(python: Path, options: list[str], code: str, cwd: Path, env: dict[str, str], raw: bytes = b"") -> set[str]:
    """The files outside the project that code opens, the program itself and what tells it where its library is."""
    report = cwd.parent / "report"
    report.unlink(missing_ok=True)
    text = WATCH.format(report=str(report)) + code
    subprocess.run([str(python), *options, "-c", text], input=raw, cwd=cwd, env=env, capture_output=True, timeout=120)
    away = ("/proc/", "/dev/", "/sys/", str(cwd), str(report))
    paths = {*report.read_text().splitlines(), str(python), str(python.parent.parent / "pyvenv.cfg")}
    return {one for one in paths if os.path.isfile(one) and not one.startswith(away) and "__pycache__" not in one}


@pytest.fixture(params=["environment", "linked prefix"])
def machine(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[Path, Path]:
    """(home, python): an environment of its own with our package in it, and perhaps a link for its parent folder."""
    base = tmp_path / ("far" if request.param == "linked prefix" else "tools")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(base / "venv")], check=True)
    site = next((base / "venv/lib").glob("python*/site-packages"))
    package = Path(runtime_files.PACKAGE)
    shutil.copytree(package, site / "jackline", ignore=shutil.ignore_patterns("__pycache__"))
    known: dict[str, object] = {}
    runtime_files._distributions("jackline", known)  # type: ignore[arg-type]
    for one in known.values():
        for top in {path.parts[0] for path in one.files if path.parts[0] not in ("..", "jackline")}:  # type: ignore[attr-defined]
            place = Path(one.locate_file(top))  # type: ignore[attr-defined]
            if place.is_dir():
                shutil.copytree(place, site / top, ignore=shutil.ignore_patterns("__pycache__"), dirs_exist_ok=True)
    if request.param == "linked prefix":
        (tmp_path / "tools").symlink_to(base)
    home = tmp_path / "home"
    home.mkdir()
    return home, tmp_path / "tools/venv/bin/python"


def test_what_is_opened_is_protected(machine: tuple[Path, Path], tmp_path: Path) -> None:
    home, python = machine
    env = {"HOME": str(home), "PATH": "/usr/bin:/bin"}
    store, project = home / ".local/state/jackline", tmp_path / "project"
    (project / "src").mkdir(parents=True)
    subprocess.run(["git", "init", "-q", str(project)], check=True)
    making = (
        "import sys; from pathlib import Path; from jackline.install.home import make; print(make(Path(sys.argv[1])))"
    )
    subprocess.run([str(python), "-c", making, str(store)], check=True, env=env, cwd=project, capture_output=True)
    door = DOOR.format(door=str(store / "door.py"))
    given = {
        "session_id": "s", "prompt_id": "p", "cwd": str(project), "hook_event_name": "PreToolUse",
        "tool_name": "Bash", "tool_input": {"command": "rm -rf ~/x; git push --force"}, "tool_use_id": "t",
    }  # fmt: skip
    raw = json.dumps(given).encode()
    paths = opened(store / "bin/python", ["-I", "-S"], door, project, env, raw)
    assert {f"{store}/door.py", f"{store}/bin/python"} < paths
    ours = opened(python, [], COMMAND, project, env)
    assert {one.rpartition("/")[2] for one in ours} > {"pyvenv.cfg", "app.py"}
    paths |= ours
    protected = {"store": str(store), "package": "", "home": str(home)}
    free = []
    for path in sorted(paths):
        event = call("Bash", "shell", {"command": f"cp src/x {path}"}, project, home=str(home), env=env)
        event.command = f"cp src/x {path}"
        said = [
            guard(event, context_of(name, project, protected=protected))
            for name, guard in (("self-protect", self_protect), ("command-guard", command_guard))
        ]
        if not any(said):
            free.append(path)
    assert free == []


def test_links_on_the_way_are_known(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a/python3.11").write_text("")
    (tmp_path / "a/python").symlink_to("python3.11")
    (tmp_path / "b").symlink_to(tmp_path / "a")
    (tmp_path / "p").symlink_to("b/../b/python")
    base = os.path.realpath(tmp_path)
    assert [one.removeprefix(base) for one in runtime_files.chain(f"{base}/p")] == [
        "/p",
        "/b",
        "/b",
        "/a/python",
        "/a/python3.11",
    ]


def test_a_ring_of_links_ends(tmp_path: Path) -> None:
    (tmp_path / "a").symlink_to("b")
    (tmp_path / "b").symlink_to("a")
    assert len([*runtime_files.chain(str(tmp_path / "a"))]) <= runtime_files.HOPS + 1
