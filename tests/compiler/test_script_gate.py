"""The gate over scripts: however content moves, the next event runs what is right, and who asks about what."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from jackline import staleness, system
from jackline.hook_table import HookTable, load, path_of
from jackline.staleness import CHUNK, fresh, restamp

from .project import Project
from .test_scripts import FILE, put, text, trusted

GIT = ["git", "-c", "user.name=a", "-c", "user.email=a@b", "-c", "commit.gpgsign=false"]


def settle() -> None:
    """Long enough for stat to vouch for what was written before."""
    time.sleep(0.03)


def git(project: Project, *words: str) -> None:
    subprocess.run([*GIT, *words], cwd=project.root, check=True, capture_output=True)


def lint(project: Project) -> Path:
    return project.root / ".ai/hooks/scripts/lint.sh"


def in_place(project: Project) -> None:
    with lint(project).open("r+") as file:
        file.write(lint(project).read_text().replace("exit 0", "exit 1"))


def sed(project: Project) -> None:
    subprocess.run(["sed", "-i", "s/exit 0/exit 1/", str(lint(project))], check=True)


def editor(project: Project) -> None:
    """As most do it: written beside, then renamed over; the same size, the same time."""
    other = lint(project).with_name(".lint.sh.swp")
    other.write_text(lint(project).read_text().replace("exit 0", "exit 1"))
    other.chmod(0o755)
    stamp = lint(project).stat()
    os.utime(other, ns=(stamp.st_atime_ns, stamp.st_mtime_ns))
    other.replace(lint(project))


def checkout(project: Project) -> None:
    git(project, "checkout", "-q", "other")


def rename(project: Project) -> None:
    lint(project).rename(lint(project).with_name("check.sh"))


def new_file(project: Project) -> None:
    put(project, ".ai/hooks/scripts/new.sh", text(*FILE))


def new_root(project: Project) -> None:
    put(project, ".discobot/hooks/new.sh", text(*FILE))


def below(project: Project) -> None:
    put(project, ".ai/hooks/scripts/more/new.sh", text(*FILE))


def deletion(project: Project) -> None:
    lint(project).unlink()


def not_executable(project: Project) -> None:
    lint(project).chmod(0o644)


def link(project: Project) -> None:
    put(project, "other.sh", text(*FILE).replace("exit 0", "exit 1"))
    lint(project).unlink()
    lint(project).symlink_to("../../../other.sh")


MOVES: list[Callable[[Project], None]] = [
    in_place,
    sed,
    editor,
    checkout,
    rename,
    new_file,
    new_root,
    below,
    deletion,
    not_executable,
    link,
]


def moved(project: Project, move: Callable[[Project], None]) -> tuple[HookTable, HookTable]:
    """The hook table before a move, and as it was compiled after it."""
    put(project, ".ai/hooks/scripts/lint.sh", text(*FILE))
    put(project, ".ai/hooks/scripts/test.sh", text("event: PostToolUse"))
    git(project, "init", "-q", "-b", "main")
    git(project, "add", ".")
    git(project, "commit", "-q", "-m", "a")
    git(project, "checkout", "-q", "-b", "other")
    subprocess.run(["sed", "-i", "s/exit 0/exit 3/", str(lint(project))], check=True)
    git(project, "commit", "-q", "-a", "-m", "b")
    git(project, "checkout", "-q", "main")
    project.trust()
    settle()
    before = project.publish()
    assert fresh(before) == fresh(before, "PreToolUse") == "fresh"
    move(project)
    assert fresh(before) == "stale"
    return before, trusted(project)


@pytest.mark.parametrize("move", MOVES, ids=lambda move: move.__name__)
@pytest.mark.parametrize("event", ["PreToolUse", "Stop"])
def test_the_next_event_sees_what_moved(project: Project, move: Callable[[Project], None], event: str) -> None:
    before, after = moved(project, move)
    assert fresh(before, event) == "stale"
    for one in after.scripts("file"):
        assert staleness.content(one.path) == one.digest
    files = {one.path for one in after.scripts("file")}
    assert files == {str(path) for path in project.root.glob(".*/**/*.sh") if path.stem not in ("test",)}
    assert (before._scripts != after._scripts) is True


def test_a_touched_script_is_stamped_again_and_not_compiled(project: Project) -> None:
    put(project, ".ai/hooks/scripts/lint.sh", text(*FILE))
    project.trust()
    settle()
    found = project.publish()
    os.utime(lint(project))
    settle()
    assert fresh(found) == fresh(found, "PreToolUse") == "restat"
    place = path_of(str(project.store), next((project.store / "wirings").glob("*.bin")).stem)
    assert restamp(place, found, time.time_ns())
    again = load(place)
    assert again is not None and fresh(again) == "fresh"
    assert again._scripts == found._scripts and len(again.chunks) == len(found.chunks) == 1
    in_place(project)
    assert not restamp(place, again, time.time_ns())


def many(project: Project, count: int, event: str = "PostToolUse") -> HookTable:
    for at in range(count):
        put(project, f".ai/hooks/scripts/s{at:03}.sh", text(f"event: {event}"))
    project.trust()
    settle()
    return project.publish()


def asked(monkeypatch: pytest.MonkeyPatch, found: HookTable, event: str) -> int:
    """How many files and folders one event asks about."""
    seen: list[bytes] = []

    def stats(paths: bytes, real: Callable[[bytes], list[int]] = system.stats) -> list[int]:
        seen.extend(paths.split(b"\0") if paths else ())
        return real(paths)

    with monkeypatch.context() as patch:
        patch.setattr(system, "stats", stats)
        assert fresh(found, event) == "fresh"
    return len(seen)


def test_a_call_before_a_tool_asks_about_few_scripts(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    none = asked(monkeypatch, project.publish(), "PreToolUse")
    found = many(project, 200)
    assert len(found.chunks) == 7
    before = asked(monkeypatch, found, "PreToolUse")
    assert before <= none + CHUNK + 1, "one chunk, and the folder"
    assert asked(monkeypatch, found, "PostToolUse") >= none + 200


def test_where_scripts_answer_it_a_call_before_a_tool_asks_about_all(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert asked(monkeypatch, many(project, 70, "PreToolUse"), "PreToolUse") >= 70


def test_an_edit_in_place_of_one_of_many_is_seen_within_a_few_calls(project: Project) -> None:
    found = many(project, 100)
    path = project.root / ".ai/hooks/scripts/s050.sh"
    with path.open("a") as file:
        file.write("# more\n")
    assert fresh(found, "PostToolUse") == "stale"
    said = [fresh(found, "PreToolUse", turn=at << 16) for at in range(len(found.chunks))]
    assert sorted(said) == ["fresh"] * (len(found.chunks) - 1) + ["stale"]


def test_many_folders_are_not_asked_about_at_every_call(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    none = asked(monkeypatch, project.publish(), "PreToolUse")
    for at in range(60):
        put(project, f".config/n{at:02}/spec.md", "---\nsurface: hook\nevents: [Stop]\n---\n")
        put(project, f".config/n{at:02}/run.sh", "#!/bin/sh\n")
    project.trust()
    settle()
    assert asked(monkeypatch, project.publish(), "PreToolUse") <= none + 16 + CHUNK


def test_a_broken_script_keeps_no_last_good_hook_table(project: Project) -> None:
    """It runs as it was trusted, and is told; the others run as they are now."""
    put(project, ".ai/hooks/scripts/lint.sh", text(*FILE))
    put(project, ".ai/hooks/scripts/test.sh", text(*FILE))
    trusted(project)
    put(project, ".ai/hooks/scripts/lint.sh", "#!/bin/sh\n#---\n# type: fiel\n# pattern: x\n#---\n")
    put(project, ".ai/hooks/scripts/test.sh", text(*FILE, "name: Anew"))
    found = trusted(project)
    assert found.faults == () and [one.name for one in found.scripts("file")] == ["lint.sh", "Anew"]
    assert found.report()["warnings"] == (
        '.ai/hooks/scripts/lint.sh:3 · type: expected one of event, session, file, pre-commit, got "fiel"'
        " · write: type: file",
    )


RACE = """
import sys, time
from jackline.compiler import write
made = []
real = write.compile_table
def counted(*words, **options):
    open(sys.argv[3], "a").write("x")
    return real(*words, **options)
write.compile_table = counted
from jackline.runtime.hook_table_cache import hook_table
from jackline.runtime.request import Store
sys.stdin.read(1)
found = hook_table(Store(sys.argv[1]), sys.argv[2], now=time.time_ns())
print([one.key for one in found.scripts("file")])
"""


def test_of_many_processes_at_once_one_compiles(project: Project, tmp_path: Path) -> None:
    for at in range(5):
        put(project, f".ai/hooks/scripts/s{at}.sh", text(*FILE))
    project.trust()
    (project.store / "config").symlink_to(project.user)
    from jackline.compiler.write import refresh

    refresh(str(project.root), str(project.store))
    put(project, ".ai/hooks/scripts/s5.sh", text(*FILE))
    project.trust()
    settle()
    words = [sys.executable, "-c", RACE, str(project.store), str(project.root), str(tmp_path / "compiled")]
    started = [subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) for _ in range(32)]
    for one in started:
        assert one.stdin is not None
        one.stdin.write("x")
        one.stdin.flush()
    said = [one.communicate(timeout=60)[0].strip() for one in started]
    old, new = str([f"s{at}" for at in range(5)]), str([f"s{at}" for at in range(6)])
    assert set(said) <= {old, new} and new in said
    assert (tmp_path / "compiled").read_text() == "x"
    last = subprocess.run(words, input="x", capture_output=True, text=True, check=True)
    assert last.stdout.strip() == new and (tmp_path / "compiled").read_text() == "x"
