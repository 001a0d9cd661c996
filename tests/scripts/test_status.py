"""`status.json`: the schema holds, writers do not lose one another's runs, damage is set aside and never silent."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from jackline import host
from jackline.compiler import schemas
from jackline.script import Outcome, Script
from jackline.scripts import pending, status

NOW = 1_769_903_999_042_000_000
LINT = Script("go-fmt", "file", "/p/.discobot/hooks/go-fmt.sh", b"", "Go format check", pattern=("*.go",))
PASSED, FAILED = Outcome(0, b"fine\n", b"", 12.4), Outcome(1, b"out", b"err\n", 812.0)


def document(place: Path) -> dict[str, object]:
    found: dict[str, object] = json.loads((place / "scripts/status.json").read_text())
    assert schemas.validate("scripts.status", found) == []
    return found


def test_a_run_is_noted_as_the_document_has_it(tmp_path: Path) -> None:
    status.record(str(tmp_path), LINT, FAILED, NOW)
    assert document(tmp_path) == {
        "hooks": {
            "go-fmt": {
                "hookId": "go-fmt",
                "hookName": "Go format check",
                "type": "file",
                "lastRunAt": "2026-01-31T23:59:59.042Z",
                "lastResult": "failure",
                "lastExitCode": 1,
                "outputPath": f"{tmp_path}/scripts/output/go-fmt.log",
                "runCount": 1,
                "failCount": 1,
                "consecutiveFailures": 1,
                "lastDurationMs": 812,
            }
        },
        "pendingHooks": [],
        "lastEvaluatedAt": "",
    }
    assert (tmp_path / "scripts/output/go-fmt.log").read_text() == "out\nerr\n"


def test_counts_go_on_and_failures_in_a_row_end_with_a_success(tmp_path: Path) -> None:
    for outcome in (FAILED, FAILED, PASSED, FAILED):
        status.record(str(tmp_path), LINT, outcome, NOW)
    one = status.read(str(tmp_path)).hooks["go-fmt"]
    assert (one["runCount"], one["failCount"], one["consecutiveFailures"]) == (4, 3, 1)


@pytest.mark.parametrize(
    ("outcome", "result", "said"),
    [
        (Outcome(0), "success", ""),
        (Outcome(-9, late=True, ms=2000.0), "failure", "[stopped after 2 s: its time was over]"),
        (Outcome(127, fault="no such interpreter"), "failure", "[no such interpreter]"),
        (Outcome(0, b"a", b"b"), "success", "a\nb"),
    ],
)
def test_result_and_log_of_an_outcome(tmp_path: Path, outcome: Outcome, result: str, said: str) -> None:
    assert status.record(str(tmp_path), LINT, outcome, NOW)["lastResult"] == result
    assert Path(status.log_path(str(tmp_path), "go-fmt")).read_text() == said


def test_a_run_that_nobody_wanted_any_more_is_no_result(tmp_path: Path) -> None:
    assert status.record(str(tmp_path), LINT, Outcome(-15, b"half", stopped=True), NOW) == {}
    assert list(tmp_path.iterdir()) == []


def test_who_waits_stands_in_the_file_and_nowhere_else(tmp_path: Path) -> None:
    place = str(tmp_path)
    pending.add(place, ["lint", "go-fmt"])
    assert document(tmp_path)["pendingHooks"] == ["go-fmt", "lint"]
    status.record(place, LINT, PASSED, NOW)
    status.note_evaluation(place, NOW)
    assert status.read(place).pending == ("go-fmt", "lint")
    pending.remove(place, "lint")
    assert document(tmp_path)["pendingHooks"] == ["go-fmt"]
    assert pending.keys(place) == {"go-fmt"}
    assert sorted(path.name for path in (tmp_path / "scripts").iterdir()) == ["lock", "output", "status.json"]


def test_an_evaluation_never_goes_back_in_time(tmp_path: Path) -> None:
    status.note_evaluation(str(tmp_path), NOW)
    assert status.note_evaluation(str(tmp_path), NOW - 10**12).evaluated == status.iso(NOW)


@pytest.mark.parametrize(
    "damage",
    [
        b"",
        b"{",
        b"[]",
        b"\xff\xfe",
        b'{"hooks": []}',
        b'{"hooks": {"a": {}}, "lastEvaluatedAt": ""}',
        b'{"hooks": {}, "pendingHooks": [7], "lastEvaluatedAt": ""}',
        b"{" * 4000,
    ],
    ids=["empty", "cut off", "no object", "no text", "no hooks", "half a script", "no names", "deep"],
)
def test_a_damaged_file_is_set_aside(tmp_path: Path, damage: bytes) -> None:
    (tmp_path / "scripts").mkdir()
    (tmp_path / "scripts/status.json").write_bytes(damage)
    found = status.read(str(tmp_path))
    assert (found.hooks, found.damaged) == ({}, True)
    assert (tmp_path / "scripts/status.json").read_bytes() == damage, "a reader changes nothing"
    status.record(str(tmp_path), LINT, PASSED, NOW)
    assert (tmp_path / "scripts/status.json.damaged-1").read_bytes() == damage
    assert set(document(tmp_path)["hooks"]) == {"go-fmt"}  # type: ignore[call-overload]


def test_what_is_sound_of_a_damaged_file_is_carried_on(tmp_path: Path) -> None:
    status.record(str(tmp_path), LINT, PASSED, NOW)
    file = tmp_path / "scripts/status.json"
    found = json.loads(file.read_text())
    found["hooks"]["other"] = {"hookId": 7}
    file.write_text(json.dumps(found))
    status.record(str(tmp_path), LINT, PASSED, NOW)
    assert document(tmp_path)["hooks"]["go-fmt"]["runCount"] == 2  # type: ignore[index]
    assert json.loads((tmp_path / "scripts/status.json.damaged-1").read_text()) == found


def test_only_a_few_damaged_files_are_kept(tmp_path: Path) -> None:
    (tmp_path / "scripts").mkdir()
    for number in range(6):
        (tmp_path / "scripts/status.json").write_text(f"damage {number}")
        status.note_evaluation(str(tmp_path), NOW)
    kept = sorted(path.name for path in (tmp_path / "scripts").glob("*.damaged-*"))
    assert kept == [f"status.json.damaged-{n}" for n in (1, 2, 3)]


def test_output_is_masked_bounded_and_ours_alone(tmp_path: Path) -> None:
    secret = "ghp_" + "a1B2c3D4" * 4
    big = Outcome(1, f"token {secret}\n".encode() + b"x\n" * (1 << 18), b"the end\n")
    status.record(str(tmp_path), LINT, big, NOW)
    log = tmp_path / "scripts/output/go-fmt.log"
    text = log.read_text()
    assert secret not in text and text.startswith("token ***")
    assert text.endswith("the end\n") and len(text) < status.LOG_LIMIT + 100 and "bytes left out" in text
    assert {path.stat().st_mode & 0o777 for path in (log, tmp_path / "scripts/status.json")} == {0o600}
    assert (tmp_path / "scripts").stat().st_mode & 0o777 == 0o700


@pytest.mark.parametrize("planted", ["scripts", "scripts/output"])
def test_a_link_in_the_way_is_not_followed(tmp_path: Path, planted: str) -> None:
    place, elsewhere = tmp_path / "place", tmp_path / "elsewhere"
    (place / planted).parent.mkdir(parents=True)
    elsewhere.mkdir()
    (place / planted).symlink_to(elsewhere)
    with pytest.raises(OSError):
        status.record(str(place), LINT, PASSED, NOW)
    assert list(elsewhere.iterdir()) == []


def test_a_link_instead_of_the_file_is_replaced_not_written_through(tmp_path: Path) -> None:
    (tmp_path / "scripts").mkdir()
    (tmp_path / "target").write_text("mine")
    (tmp_path / "scripts/status.json").symlink_to(tmp_path / "target")
    status.record(str(tmp_path), LINT, PASSED, NOW)
    assert (tmp_path / "target").read_text() == "mine"
    assert not (tmp_path / "scripts/status.json").is_symlink()
    assert set(document(tmp_path)["hooks"]) == {"go-fmt"}  # type: ignore[call-overload]


@pytest.mark.parametrize("key", ["../../x", "a/b", ".hidden", "", "plugins.lint", "x" * 200])
def test_no_key_leads_out_of_the_folder(tmp_path: Path, key: str) -> None:
    path = Path(status.keep(str(tmp_path), key, "said"))
    assert path.parent == tmp_path / "scripts/output" and path.read_text() == "said"


def test_waiting_for_the_lock_has_an_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "scripts").mkdir()
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(tmp_path / "scripts/lock")], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert holder.stdout is not None and holder.stdout.readline() == b"held\n"
    monkeypatch.setattr(status, "WAIT_MS", 50)
    before = host.clock()
    with pytest.raises(TimeoutError):
        status.note_evaluation(str(tmp_path), NOW)
    assert 50 <= (host.clock() - before) / 1e6 < 5000
    holder.communicate()


HOLD = """
import sys
from jackline import system
assert system.lock(sys.argv[1], 1000) >= 0
print("held", flush=True)
sys.stdin.read()
"""

WRITER = """
import sys
from jackline.script import Outcome, Script
from jackline.scripts import status
me = sys.argv[2]
own = Script(f"own-{me}", "file", "/p/own.sh", b"")
shared = Script("shared", "file", "/p/shared.sh", b"")
sys.stdin.readline()
for number in range(5):
    status.record(sys.argv[1], own, Outcome(number % 2), 1_769_903_999_042_000_000)
    status.record(sys.argv[1], shared, Outcome(1, b"x" * 5000), 1_769_903_999_042_000_000)
"""


def test_32_writers_at_once_lose_nothing(tmp_path: Path) -> None:
    writers = [
        subprocess.Popen([sys.executable, "-c", WRITER, str(tmp_path), str(n)], stdin=subprocess.PIPE)
        for n in range(32)
    ]
    for one in writers:
        assert one.stdin is not None
        one.stdin.write(b"go\n")
        one.stdin.close()
    assert [one.wait(60) for one in writers] == [0] * 32
    hooks = document(tmp_path)["hooks"]
    assert isinstance(hooks, dict)
    assert {key: (one["runCount"], one["failCount"]) for key, one in hooks.items()} == {
        **{f"own-{n}": (5, 2) for n in range(32)},
        "shared": (160, 160),
    }
    left = sorted(path.name for path in (tmp_path / "scripts").iterdir())
    assert left == ["lock", "output", "status.json"]


def test_threads_of_one_process_lose_nothing(tmp_path: Path) -> None:
    """A lock on a file does not hold between threads, and any thread's close would give it up."""

    def write() -> None:
        for _ in range(20):
            status.record(str(tmp_path), LINT, PASSED, NOW)

    threads = [threading.Thread(target=write) for _ in range(8)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert status.read(str(tmp_path)).hooks["go-fmt"]["runCount"] == 160


def test_a_writer_killed_at_any_moment_leaves_a_whole_file(tmp_path: Path) -> None:
    script = WRITER.replace("range(5)", "range(100000)")
    for delay in (0.01, 0.02, 0.05):
        child = subprocess.Popen([sys.executable, "-c", script, str(tmp_path), "0"], stdin=subprocess.PIPE)
        assert child.stdin is not None
        child.stdin.write(b"go\n")
        child.stdin.close()
        while not os.path.exists(tmp_path / "scripts/status.json"):
            assert child.poll() is None
        threading.Event().wait(delay)
        child.kill()
        child.wait()
        document(tmp_path)
    assert not list((tmp_path / "scripts").glob("*.damaged-*"))
