"""What a session wrote stays its own under every limit, and the entry's line says the same in a strange environment.

Guards ask since when a session lives. A session that cannot be kept (a full disk, a limit on files, a folder that is
not ours) began no later than its first event all the same.
"""

from __future__ import annotations

import ctypes
import json
import os
import resource
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path

import pytest

from jackline.install import entry
from jackline.install.entry import Entry
from scene import Said, Scene

STRICTER = {"": 0, "allow": 0, "ask": 1, "deny": 2}
Limit = Callable[[], None]


def limited(what: int, size: int) -> Limit:
    return lambda: resource.setrlimit(what, (size, size))


def bare() -> None:
    """Take from a root process what lets it ignore permissions."""
    prctl = ctypes.CDLL(None, use_errno=True).prctl
    for capability in (1, 2, 3):  # DAC_OVERRIDE, DAC_READ_SEARCH, FOWNER
        prctl(24, capability, 0, 0, 0)  # PR_CAPBSET_DROP


LIMITS: dict[str, Limit] = {
    **{f"file size {size}": limited(resource.RLIMIT_FSIZE, size) for size in (0, 100, 400, 700, 1000, 1400, 4000)},
    **{f"files {size}": limited(resource.RLIMIT_NOFILE, size) for size in (8, 9, 10, 12)},
    **{f"memory {size}": limited(resource.RLIMIT_AS, size << 20) for size in (40, 80, 120)},
    "processes 0": limited(resource.RLIMIT_NPROC, 0),
    "pending signals 0": limited(resource.RLIMIT_SIGPENDING, 0),
    "locked memory 0": limited(resource.RLIMIT_MEMLOCK, 0),
}
WROTE = {
    "run.sh": "git reset --hard\n",
    "Makefile": "build:\n\tjackline pause --minutes 5 --yes\n",
    "own.py": "import os\nos.system('jackline pause')\n",
    "package.json": '{"scripts": {"x": "jackline uninstall --yes"}}\n',
    "quiet.sh": "ls\ngit status\n",
}
HOSTILE = ("bash run.sh", "make build", "python3 own.py", "npm run x", "ls; make build")
HARMLESS = ("bash quiet.sh", "ls -la", "git status")


def wrote(scene: Scene) -> None:
    """What a call of the session did a moment ago."""
    time.sleep(0.02)  # clocks of files tick slower than ours
    for name, text in WROTE.items():
        (scene.root / name).write_text(text)


@pytest.fixture
def session(scene: Scene) -> Iterator[Scene]:
    yield scene
    shutil.rmtree(scene.store / "crash", ignore_errors=True)  # a door that is starved says so, as far as it can
    for folder in scene.sessions():
        shutil.rmtree(folder)  # and tears its lines


def met(said: Said) -> str:
    """What the client makes of it: a door that dies says nothing, and its line refuses."""
    return said.decision if said.out else "deny"


@pytest.mark.parametrize("since", ["from its first event on", "from the call on"])
@pytest.mark.parametrize("name", LIMITS)
def test_what_the_session_wrote_is_its_own_under_every_limit(session: Scene, name: str, since: str) -> None:
    first = LIMITS[name] if since == "from its first event on" else None
    session.say(session.payload("SessionStart", source="startup"), preexec_fn=first)
    wrote(session)
    said = {one: met(session.say(session.tool(one), preexec_fn=LIMITS[name])) for one in HOSTILE}
    assert [one for one, answer in said.items() if answer not in ("ask", "deny")] == []


@pytest.mark.parametrize("name", [name for name in LIMITS if name.startswith(("file size", "pending"))])
def test_what_is_harmless_passes_where_nothing_can_be_kept(session: Scene, name: str) -> None:
    session.say(session.payload("SessionStart", source="startup"), preexec_fn=LIMITS[name])
    wrote(session)
    said = {one: session.say(session.tool(one), preexec_fn=LIMITS[name]).decision for one in HARMLESS}
    assert said == dict.fromkeys(HARMLESS, "")


def test_what_was_there_before_the_session_is_the_projects_own(scene: Scene) -> None:
    """The counterpart: with a session that is kept, older files are judged as what a person brought."""
    (scene.root / "own.sh").write_text('eval "$(cat list)"\n')
    os.utime(scene.root / "own.sh", (1_600_000_000, 1_600_000_000))
    scene.begin()
    assert scene.pre("bash own.sh").decision == ""
    (scene.root / "own.sh").write_text('eval "$(cat list)"\n')
    assert scene.pre("bash own.sh").decision == "ask"


def in_no_place(scene: Scene) -> Callable[[], None]:
    """Neither the tree nor the store may be written; returns what gives them back."""
    own = scene.folder / "own"
    shutil.copytree(scene.store, own, symlinks=True)
    shutil.rmtree(scene.store)
    own.rename(scene.store)
    places = [scene.store, scene.root / ".ai"]
    for place in places:
        place.chmod(0o555)

    def back() -> None:
        for place in places:
            place.chmod(0o755)

    return back


def test_what_the_session_wrote_is_its_own_where_nothing_may_be_written(session: Scene) -> None:
    back = in_no_place(session)
    try:
        session.say(session.payload("SessionStart", source="startup"), preexec_fn=bare)
        wrote(session)
        said = {one: met(session.say(session.tool(one), preexec_fn=bare)) for one in HOSTILE}
        assert [one for one, answer in said.items() if answer not in ("ask", "deny")] == []
    finally:
        back()


def test_a_session_whose_files_are_gone_began_when_it_began(scene: Scene) -> None:
    scene.begin()
    wrote(scene)
    shutil.rmtree(scene.place)
    assert scene.pre("make build").decision == "deny"


@pytest.mark.parametrize("name", ["events.jsonl", "state.json", "key"])
def test_a_pipe_in_the_place_of_a_file_of_the_session_hangs_nobody(session: Scene, name: str) -> None:
    session.begin()
    wrote(session)
    (session.place / name).unlink()
    os.mkfifo(session.place / name)
    assert session.say(session.tool("make build"), timeout=10).decision == "deny"
    assert session.say(session.payload("Stop", stop_hook_active=False), timeout=10).body is not None
    assert session.say(session.payload("SessionEnd", reason="clear"), timeout=10).body is not None


# --- the entry's line ------------------------------------------------------------------------------------------------

CALLS = ("rm -rf /", "rm -rf ~/Documents", "echo x >> ~/.bashrc", "jackline trust", "cp src/x .claude/settings.json")
STRANGE = {
    **{name: {name: value} for name, value in (
        ("PYTHONPATH", "<R>/evil"), ("PYTHONHOME", "/tmp/x"), ("PYTHONSTARTUP", "<R>/evil/posix.py"),
        ("PYTHONOPTIMIZE", "2"), ("PYTHONHASHSEED", "x"), ("PYTHONMALLOC", "x"), ("PYTHONIOENCODING", "rot13"),
        ("PYTHONUTF8", "x"), ("PYTHONINSPECT", "1"), ("PYTHONWARNINGS", "error"), ("PYTHONDEVMODE", "1"),
        ("PYTHONTRACEMALLOC", "x"), ("PYTHONPLATLIBDIR", "x"), ("PYTHONPYCACHEPREFIX", "/dev/null"),
        ("PYTHONINTMAXSTRDIGITS", "1"), ("PYTHONVERBOSE", "9"), ("PYTHONUNBUFFERED", "x"), ("PYTHONNOUSERSITE", ""),
        ("PYTHONEXECUTABLE", "/tmp/x"), ("PYTHONCASEOK", "1"), ("PYTHONCOERCECLOCALE", "warn"),
    )},
    **{f"{name}={value}": {name: value} for name, value in product(
        ("LC_ALL", "LANG"), ("C", "POSIX", "tr_TR.UTF-8", "xx_XX.KOI8-R", "\x01", "x" * 5000))},
    **{f"PATH={value[:9]}": {"PATH": value} for value in ("", ":", "<R>/evil", "/nonexistent", "x" * 100_000)},
    "IFS": {"IFS": "jackline/ "}, "TZ": {"TZ": "../../x"}, "CDPATH": {"CDPATH": "/"}, "PS4": {"PS4": "$(exit 1)"},
    "ENV": {"ENV": "<R>/evil/env"}, "POSIXLY_CORRECT": {"POSIXLY_CORRECT": "1"}, "J": {"J": "/tmp/x"},
    "MALLOC_": {"MALLOC_ARENA_MAX": "0", "MALLOC_PERTURB_": "255"}, "LD_": {"LD_BIND_NOW": "1", "LD_DEBUG": "x"},
    "many": {f"V{number}": "x" * 1000 for number in range(900)}, "COLUMNS": {"COLUMNS": "-1", "LINES": "x"},
    "a": {"a": '{"a":1}'},
}  # fmt: skip


@pytest.fixture
def lined(scene: Scene) -> Scene:
    """With what a hostile repository may bring for a variable to lead to, and the interpreter that the line names."""
    evil = scene.root / "evil"
    evil.mkdir()
    for name in ("posix", "json", "sitecustomize", "jackline", "marshal"):
        (evil / f"{name}.py").write_text("import os\nos._exit(0)\n")
    (evil / "env").write_text("exit 0\n")
    (evil / "python").write_text("#!/bin/sh\necho '{}'\n")
    (evil / "python").chmod(0o755)
    (scene.home / "Documents").mkdir(parents=True)
    (scene.store / "bin").mkdir(exist_ok=True)
    (scene.store / "bin/python").symlink_to(scene.argv("x")[0])
    return scene


def by_line(scene: Scene, command: str, shell: str, env: dict[str, str], before: str = "") -> str:
    """What the client hears from the line of its own file."""
    line = before + entry.write(Entry(str(scene.store), "claude-code", "PreToolUse"))
    raw = json.dumps(scene.tool(command)).encode()
    told = {name: value.replace("<R>", str(scene.root)) for name, value in {**scene.env, **env}.items()}
    done = subprocess.run([shell, "-c", line], input=raw, env=told, cwd=scene.root, capture_output=True, timeout=60)
    found = json.loads(done.stdout)["hookSpecificOutput"] if done.stdout.strip() != b"{}" else {}
    return str(found.get("permissionDecision", ""))


@pytest.mark.parametrize("shell", ["/bin/sh", "/bin/bash"])
def test_no_variable_of_an_interpreter_or_a_shell_makes_the_line_laxer(lined: Scene, shell: str) -> None:
    usual = {one: by_line(lined, one, shell, {}) for one in CALLS}
    assert set(usual.values()) <= {"ask", "deny"}
    laxer = []
    for number, (name, env) in enumerate(STRANGE.items()):
        command = CALLS[number % len(CALLS)]
        said = by_line(lined, command, shell, env)
        laxer += [(name, command, said)] if STRICTER[said] < STRICTER[usual[command]] else []
    assert laxer == []


@pytest.mark.parametrize("name", ["BASH_ENV", "BASH_FUNC_[%%"])
def test_what_a_shell_runs_before_the_line_may_end_it(lined: Scene, name: str) -> None:
    """What docs/threat-model.md says of such variables is so, and an agent's settings of them are refused."""
    line = entry.write(Entry(str(lined.store), "claude-code", "PreToolUse"))
    env = {**lined.env, name: str(lined.root / "evil/env") if name == "BASH_ENV" else "() { return 1; }"}
    raw = json.dumps(lined.tool("rm -rf /")).encode()
    done = subprocess.run(
        ["/bin/bash", "-c", line], input=raw, env=env, cwd=lined.root, capture_output=True, timeout=60
    )
    assert (done.returncode, done.stdout) == (0, b"")
    settings = {"file_path": f"{lined.root}/.claude/settings.json", "content": json.dumps({"env": {name: "x"}})}
    assert lined.say(lined.tool("", tool_name="Write", tool_input=settings)).decision == "deny"


FOLDERS = {
    "removed": "mkdir gone; cd gone; rmdir ../gone; ",
    "moved": "mkdir gone; cd gone; mv ../gone ../other; ",
    "replaced by a file": "mkdir gone; cd gone; rmdir ../gone; echo x > ../gone; ",
    "not to be read": "mkdir gone; cd gone; chmod 0 ../gone; ",
    "a proc": "cd /proc/self; ",
}


@pytest.mark.parametrize("folder", FOLDERS)
def test_no_folder_that_the_line_is_run_in_makes_it_laxer(lined: Scene, folder: str) -> None:
    usual = {one: by_line(lined, one, "/bin/sh", {}) for one in CALLS}
    for one in CALLS:
        shutil.rmtree(lined.root / "gone", ignore_errors=True)
        shutil.rmtree(lined.root / "other", ignore_errors=True)
        Path(lined.root / "gone").unlink(missing_ok=True)
        assert by_line(lined, one, "/bin/sh", {}, FOLDERS[folder]) == usual[one], one
