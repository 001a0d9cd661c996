"""The gate: stat first, content where stat cannot vouch; damaged files are no hook tables."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from jackline import file_stat, hook_table, staleness, system
from jackline.hook_table import HookTable, load, pack, path_of, unpack
from jackline.staleness import fresh, pack_stamps, restamp, unpack_stamps

from .project import Project


def aged(project: Project) -> HookTable:
    """A hook table whose inputs are old enough for stat to vouch for them."""
    project.feature("guard")
    project.manifest({"budgets": {"Stop": 4000}})
    project.trust()
    time.sleep(0.03)
    return project.publish()


def file_of(project: Project) -> Path:
    return next(path for path in (project.store / "wirings").glob("*.bin") if path.name != "builtin.bin")


def test_nothing_moved(project: Project) -> None:
    found = aged(project)
    assert found.newest < found.built - hook_table.RACY
    assert fresh(found) == "fresh"


def test_plain_freshness_opens_no_file(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    found = aged(project)
    monkeypatch.setattr(system, "read", None)
    monkeypatch.setattr(system, "names", None)
    assert fresh(found) == "fresh"


def test_packing_loses_nothing(tmp_path: Path) -> None:
    odd = os.fsdecode(b"caf\xe9\n")
    (tmp_path / odd).write_text("x")
    listed = [
        (name, file_stat.of(name), seen)
        for name, seen in ((str(tmp_path / odd), b"1" * 16), (str(tmp_path), b"2" * 16), (str(tmp_path / "no"), b""))
    ]
    assert unpack_stamps(pack_stamps(listed)) == tuple(listed)
    assert system.stats(pack_stamps(listed)[0]) == [number for _, stamp, _ in listed for number in stamp]
    assert unpack_stamps(pack_stamps(())) == () and system.stats(b"") == []
    newest, held = staleness.stamps_of([(str(tmp_path / odd), b""), ("/no\0where", b"")])
    assert newest == max(listed[0][1][1:3]) and [name for name, _, _ in unpack_stamps(held)] == [str(tmp_path / odd)]


def rewrite(project: Project) -> None:
    project.feature("guard", "on")  # "no" before: the same size


def touch(project: Project) -> None:
    os.utime(project.hooks / "features/guard/hook.py")


def add(project: Project) -> None:
    project.write("features/another/hook.py", "")


def rename(project: Project) -> None:
    (project.hooks / "features/guard").rename(project.hooks / "features/guards")


def remove(project: Project) -> None:
    (project.hooks / "dispatch.manifest.json").unlink()


def local(project: Project) -> None:
    project.write("hooks.local.json", {})


def swap(project: Project) -> None:
    path = project.hooks / "dispatch.manifest.json"
    other = path.with_name("new")
    other.write_text(path.read_text().replace("4000", "4001"))
    stamp = path.stat()
    os.utime(other, ns=(stamp.st_atime_ns, stamp.st_mtime_ns))
    other.replace(path)


def backdate(project: Project) -> None:
    """The same size and the old mtime, forged: ctime tells."""
    path = project.hooks / "dispatch.manifest.json"
    stamp = path.stat()
    path.write_text(path.read_text().replace("4000", "4001"))
    os.utime(path, ns=(stamp.st_atime_ns, stamp.st_mtime_ns))


def user(project: Project) -> None:
    project.manifest({}, project.user)


def managed(project: Project) -> None:
    project.manifest({}, project.managed)


def editor(project: Project) -> None:
    (project.hooks / ".dispatch.manifest.json.swp").write_text("x")
    (project.hooks / "dispatch.manifest.json~").write_text("x")
    (project.hooks / "features/guard/__pycache__").mkdir()


def runtime(project: Project) -> None:
    (project.root / ".ai/tmp/a3f0c812").mkdir(parents=True)


def source(project: Project) -> None:
    (project.root / "main.py").write_text("x")


MOVES: list[tuple[Any, str]] = [
    (rewrite, "stale"),
    (touch, "restat"),
    (add, "stale"),
    (rename, "stale"),
    (remove, "stale"),
    (local, "stale"),
    (swap, "stale"),
    (backdate, "stale"),
    (user, "stale"),
    (managed, "stale"),
    (editor, "restat"),
    (runtime, "fresh"),
    (source, "fresh"),
]


@pytest.mark.parametrize(("move", "expected"), MOVES, ids=lambda value: getattr(value, "__name__", value))
@pytest.mark.parametrize("strict", [False, True], ids=["stat", "strict"])
def test_what_moves_is_seen(project: Project, move: Any, expected: str, strict: bool) -> None:
    project.manifest({"strict": strict}, project.user)
    found = aged(project)
    assert found.strict is strict and fresh(found) == "fresh"
    move(project)
    assert fresh(found) == expected


def test_strict_sees_what_no_stamp_tells(project: Project) -> None:
    """Forged so that even the stamp is the same: only the content differs."""
    project.manifest({"strict": True}, project.user)
    found = aged(project)
    path = str(project.hooks / "dispatch.manifest.json")
    (project.hooks / "dispatch.manifest.json").write_text("{}")
    forged = [(name, file_stat.of(name), seen) for name, _, seen in unpack_stamps(found.packed)]
    found.packed = pack_stamps(forged)
    assert path in [name for name, _, _ in forged]
    assert fresh(found) == "stale"
    found.strict = False
    assert fresh(found) == "fresh"


def test_a_young_input_is_hashed_until_it_is_old(project: Project) -> None:
    """Git's racy rule: within one tick of the clock a second change may leave every stamp as it was."""
    found = aged(project)
    path = project.hooks / "dispatch.manifest.json"
    forged = path.read_text().replace("4000", "4001")
    tick = found.built - 1
    young = [
        (name, (stamp[0], tick, tick, stamp[3]) if name == str(path) else stamp, seen)
        for name, stamp, seen in unpack_stamps(found.packed)
    ]
    found.packed, found.newest = pack_stamps(young), tick
    assert fresh(found, now=time.time_ns()) == "restat", "the same content: stat may vouch again"
    path.write_text(forged)
    again = [(name, file_stat.of(name), seen) for name, _, seen in unpack_stamps(found.packed)]
    found.packed = pack_stamps(again)
    found.newest = max(max(stamp[1:3]) for _, stamp, _ in again)
    found.built = found.newest
    assert fresh(found) == "stale", "the stamps are equal, the content is not"


def test_restamping_makes_it_fresh_and_changes_no_content(project: Project) -> None:
    found = aged(project)
    before = unpack(file_of(project).read_bytes())
    touch(project)
    time.sleep(0.03)
    assert fresh(found) == "restat"
    assert restamp(str(file_of(project)), found, time.time_ns())
    again = load(str(file_of(project)))
    assert again is not None and fresh(again) == "fresh"
    after = unpack(file_of(project).read_bytes())
    assert before is not None and after is not None and before[1] == after[1]
    rewrite(project)
    assert not restamp(str(file_of(project)), found, time.time_ns()), "other content is for the compiler"
    assert unpack(file_of(project).read_bytes()) == after


def test_a_future_time_does_not_make_every_event_write(project: Project) -> None:
    found = aged(project)
    later = time.time() + 3600
    os.utime(project.hooks / "dispatch.manifest.json", (later, later))
    assert fresh(found) == "restat"
    time.sleep(0.03)
    assert restamp(str(file_of(project)), found, time.time_ns())
    again = load(str(file_of(project)))
    assert again is not None and fresh(again) == "fresh"


@pytest.mark.parametrize("version", ["0.0.0", "9.9.9"])
def test_another_build_does_not_read_it(project: Project, version: str) -> None:
    aged(project)
    assert load(str(file_of(project)), version) is None


def test_another_interpreter_or_format_does_not_read_it(project: Project) -> None:
    aged(project)
    data = file_of(project).read_bytes()
    line, _, rest = data.partition(b"\n")
    assert line.startswith(f"jackline wiring {hook_table.FORMAT} ".encode())
    older = f"wiring {hook_table.FORMAT - 1}".encode()
    next_minor = sys.hexversion + (1 << 16)  # a byte each: major, minor, micro; a nibble each: level, serial
    for other in (
        line.replace(f"wiring {hook_table.FORMAT}".encode(), older),
        line.replace(f"{sys.hexversion:08x}".encode(), f"{next_minor:08x}".encode()),
    ):
        assert other != line
        file_of(project).write_bytes(other + b"\n" + rest)
        assert load(str(file_of(project))) is None


def test_missing_and_odd_files_are_no_hook_tables(tmp_path: Path) -> None:
    assert load(str(tmp_path / "none")) is None
    assert load(str(tmp_path)) is None
    for data in (b"", b"\0" * 100, hook_table.first_line("0.1.0"), hook_table.first_line("0.1.0") + b"12345678"):
        (tmp_path / "odd").write_bytes(data)
        assert load(str(tmp_path / "odd"), "0.1.0") is None


GOOD = pack(("", 0, 0, pack_stamps(()), (), (), "b"), b"body" * 50, "b")


@settings(max_examples=300, deadline=None, database=None, suppress_health_check=list(HealthCheck))
@given(at=st.integers(0, len(GOOD) - 1), bit=st.integers(0, 7), cut=st.booleans())
def test_a_damaged_file_is_never_unmarshalled(at: int, bit: int, cut: bool) -> None:
    """`marshal` may crash the interpreter on damaged bytes: the check sum keeps them from it."""
    damaged = bytearray(GOOD)
    damaged[at] ^= 1 << bit
    assert unpack(GOOD[:at] if cut else bytes(damaged), "b") is None
    assert unpack(GOOD, "b") is not None


def test_the_hot_side_imports_nothing_slow(project: Project) -> None:
    """Reading a hook table, the gate and the rows take no module that is not there already or free."""
    aged(project)
    source = str(Path(hook_table.__file__).parents[1])
    code = f"""
import sys
sys.path.insert(0, {source!r})
from jackline import hook_table, staleness
before = set(sys.modules)
found = hook_table.load({str(file_of(project))!r})
assert staleness.fresh(found) == "fresh"
rows = found.rows("PreToolUse")
assert "guard" in [row.slug for row in rows]
print(sorted(set(sys.modules) - before))
print(sorted(name for name in before if name.split(".")[0] in
      ("re", "json", "typing", "os", "pathlib", "enum", "functools", "dataclasses", "subprocess", "ast", "_blake2")))
"""
    made = subprocess.run([sys.executable, "-I", "-S", "-c", code], capture_output=True, text=True, check=True)
    assert made.stdout == "[]\n[]\n"


def test_a_slot_is_one_worktree(project: Project, tmp_path: Path) -> None:
    project.publish()
    first = file_of(project)
    other = tmp_path / "other"
    other.mkdir()
    project.root = other
    project.publish()
    assert len(list((project.store / "wirings").glob("*.bin"))) == 2
    assert first == Path(path_of(str(project.store), first.stem))
