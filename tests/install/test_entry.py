"""The entry line: written as the design says, known again, and harmless when its target is gone."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jackline.install import entry
from jackline.install.entry import Entry
from jackline.install.fault import InstallError
from jackline.install.site import Site

LINES = {
    "plain": (
        Entry("/s/jackline", "codex", "PreToolUse"),
        "[ -x /s/jackline/bin/python ] && [ -f /s/jackline/door.py ] || exit 0; "
        "exec /s/jackline/bin/python -I -S /s/jackline/door.py codex PreToolUse",
    ),
    "place and fail": (
        Entry("/s/jackline", "claude-code", "Stop", "local", "closed"),
        "[ -x /s/jackline/bin/python ] && [ -f /s/jackline/door.py ] || exit 0; "
        "exec /s/jackline/bin/python -I -S /s/jackline/door.py claude-code Stop local --fail closed",
    ),
    "blanks and quotes": (
        Entry("/home/o'brien/my state/jackline", "github", "Stop"),
        "[ -x '/home/o'\"'\"'brien/my state/jackline/bin/python' ] && "
        "[ -f '/home/o'\"'\"'brien/my state/jackline/door.py' ] || exit 0; "
        "exec '/home/o'\"'\"'brien/my state/jackline/bin/python' -I -S "
        "'/home/o'\"'\"'brien/my state/jackline/door.py' github Stop",
    ),
    "portable": (
        Entry("", "codex", "PreToolUse", "project"),
        'J="${XDG_STATE_HOME:-$HOME/.local/state}/jackline"; [ -x "$J/bin/python" ] && [ -f "$J/door.py" ] || exit 0; '
        'exec "$J/bin/python" -I -S "$J/door.py" codex PreToolUse project',
    ),
}


@pytest.mark.parametrize(("given_entry", "line"), LINES.values(), ids=LINES)
def test_the_line_is_written_so_and_read_again(given_entry: Entry, line: str) -> None:
    assert entry.write(given_entry) == line
    assert entry.read(line) == given_entry
    assert entry.near(line)


entries = st.builds(
    Entry,
    st.just("") | st.text("/ab c'\"$`\\;&é!*~#\t(", max_size=20).map(lambda text: "/s" + text),
    st.sampled_from(["claude-code", "codex", "github"]),
    st.sampled_from(["PreToolUse", "Stop", "ErrorOccurred"]),
    st.sampled_from(entry.PLACES),
    st.sampled_from(["open", "closed"]),
)


@given(entries)
def test_any_entry_is_known_again(one: Entry) -> None:
    assert entry.read(entry.write(one)) == one


FOREIGN = {
    "somebody's": "python3 hooks/check.py",
    "like ours": "[ -x /bin/python ] && [ -f /opt/gate/door.py ] || exit 0; exec /bin/python /opt/gate/door.py x Stop",
    "empty": "",
    "open quote": "echo 'x -I -S y codex Stop",
    "only flags": " -I -S ",
}


@pytest.mark.parametrize("line", FOREIGN.values(), ids=FOREIGN)
def test_a_foreign_line_is_not_ours(line: str) -> None:
    assert entry.read(line) is None
    assert not entry.near(line, Path("/home/a/.local/state/jackline"))


DAMAGED = {
    "switched off": "true; # {}",
    "swallowed": "{} >/dev/null",
    "without the test": "exec /s/jackline/bin/python -I -S /s/jackline/door.py codex Stop",
    "another event": "{} Stop",
    "behind false": "false && ({})",
}


@pytest.mark.parametrize("change", DAMAGED.values(), ids=DAMAGED)
def test_a_damaged_line_of_ours_is_ours_and_not_whole(change: str) -> None:
    line = change.format(entry.write(Entry("/s/jackline", "codex", "PreToolUse")))
    assert entry.read(line) is None
    assert entry.near(line)


@pytest.mark.parametrize("path", ["relative/store", "/a\nb", "/a\0b", "/a\udcff"])
def test_a_store_that_no_file_can_name_is_refused(path: str) -> None:
    with pytest.raises(InstallError, match="JACKLINE_STORE"):
        entry.check_store(Path(path))


SHELLS = {
    "sh": ("/bin/sh", "-c"),
    "dash": ("/usr/bin/dash", "-c"),
    "bash": ("/bin/bash", "--norc", "-c"),
    "bash -eu": ("/bin/bash", "-euo", "pipefail", "-c"),
}


SILENT = (0, "", "")


def run(shell: tuple[str, ...], line: str, env: dict[str, str], cwd: Path) -> tuple[int, str, str]:
    payload = json.dumps(
        {"jackline_probe": True, "hook_event_name": "PreToolUse", "tool_name": "Read", "tool_input": {}}
    )
    done = subprocess.run([*shell, line], input=payload, env=env, cwd=cwd, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout, done.stderr


def answers(said: tuple[int, str, str]) -> bool:
    """One JSON object at exit 0, nothing else: what it says is the engine's."""
    return said[0] == 0 and isinstance(json.loads(said[1]), dict) and not said[2]


@pytest.fixture(params=["plain", "with blank", "o'br\"ien $(x) `y`", "dollar$HOME", "süß;&|"])
def home_folder(request: pytest.FixtureRequest, tmp_path: Path, made_store: Path) -> Path:
    folder: Path = tmp_path / request.param
    shutil.copytree(made_store, folder / ".local/state/jackline", symlinks=True)
    return folder


@pytest.mark.parametrize("shell", SHELLS.values(), ids=SHELLS)
@pytest.mark.parametrize("portable", [False, True], ids=["absolute", "portable"])
def test_the_line_answers_and_is_silent_when_half_of_it_is_gone(
    home_folder: Path, shell: tuple[str, ...], portable: bool, tmp_path: Path
) -> None:
    """Interpreter gone, link dangling, door gone, store gone: exit 0, not a word, nobody locked out."""
    store = home_folder / ".local/state/jackline"
    line = entry.write(Entry("" if portable else str(store), "claude-code", "PreToolUse"))
    env = {"HOME": str(home_folder), "PATH": "/usr/bin:/bin"}
    assert answers(run(shell, line, env, tmp_path))
    (store / "door.py").rename(store / "door.py.away")
    assert run(shell, line, env, tmp_path) == SILENT
    (store / "door.py.away").rename(store / "door.py")
    (store / "bin/python").unlink()
    assert run(shell, line, env, tmp_path) == SILENT
    (store / "bin/python").symlink_to("/nonexistent/python")
    assert run(shell, line, env, tmp_path) == SILENT
    shutil.rmtree(store)
    assert run(shell, line, env, tmp_path) == SILENT


def test_a_portable_line_follows_the_state_folder(site: Site, store: Path, tmp_path: Path) -> None:
    line = entry.write(Entry("", "claude-code", "PreToolUse", "project"))
    store.parent.rename(tmp_path / "my state")
    assert run(SHELLS["sh"], line, dict(site.env), tmp_path) == SILENT
    moved = {**site.env, "XDG_STATE_HOME": str(tmp_path / "my state")}
    assert answers(run(SHELLS["sh"], line, moved, tmp_path))


def test_the_door_is_the_clients_child(site: Site, store: Path, tmp_path: Path) -> None:
    """`exec`: no shell stays between the client and the door, so that signals and pids mean the door."""
    (store / "door.py").write_text("import posix\nposix.write(1, b'%d' % posix.getpid())\n")
    for place in ("", str(store)):
        line = entry.write(Entry(place, "codex", "Stop"))
        child = subprocess.Popen(["/bin/sh", "-c", line], env=dict(site.env), stdout=subprocess.PIPE)
        assert child.communicate()[0] == b"%d" % child.pid
