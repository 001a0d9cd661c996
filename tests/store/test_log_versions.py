"""A log that one Python wrote is verified by every other: the digest that is built into them is the same."""

from __future__ import annotations

import json
import subprocess
import sys
from itertools import permutations
from pathlib import Path

import pytest

from jackline.store import chain

REPO = Path(__file__).resolve().parents[2]

WRITE = """
import sys
from pathlib import Path
from jackline import system
from jackline.store import chain, journal
store, folder = sys.argv[1:]
Path(folder).mkdir(parents=True)
Path(folder, "key").touch()
at = system.descend(folder, ())
for n in range(4):
    row = {"v": 1, "id": f"{n:032x}", "ts": n, "event": "Stop", "producer": "kernel", "kind": "NOTE", "data": "é" * n}
    journal.append(at, journal.EVENTS, [row], chain.key(store, "0a1b2c3d"))
chain.anchor(store, at, journal.EVENTS, "0a1b2c3d", 1)
"""
READ = """
import json, sys
from jackline.store import authority, log_check, journal
from jackline.store.session_index import SessionEntry
store, folder = sys.argv[1:]
found = log_check.of_session(store, SessionEntry("0a1b2c3d", "", "", folder, chain="born"), log_check.anchors(store))
print(json.dumps([[list(one) for one in found], list(authority.verify(store)), len(journal.read(folder)[0])]))
"""


def interpreters() -> list[str]:
    """The running one, and every other supported one that is here."""
    told = subprocess.run([REPO / "scripts/pythons", "--list"], capture_output=True, text=True, check=True).stdout
    rows = [line.split("  ")[1] for line in told.splitlines() if line.startswith("Python ")]
    assert rows, told
    return rows


def run(python: str, code: str, *words: Path) -> str:
    env = {"PYTHONPATH": str(REPO / "src"), "PATH": "/usr/bin:/bin", "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run([python, "-c", code, *map(str, words)], env=env, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, ""), (python, done)
    return done.stdout


@pytest.mark.process
def test_what_one_python_wrote_every_other_verifies(tmp_path: Path) -> None:
    found = interpreters()
    pairs = [*permutations(found, 2), (sys.executable, sys.executable)]
    for number, (writer, reader) in enumerate(pairs):
        store, folder = tmp_path / f"store{number}", tmp_path / f"project{number}/.ai/tmp/0a1b2c3d"
        run(writer, WRITE, store, folder)
        assert json.loads(run(reader, READ, store, folder)) == [[], [1, ""], 4], (writer, reader)
        log = folder / "events.jsonl"
        log.write_bytes(log.read_bytes().replace(b'"ts":2', b'"ts":7'))
        [[line, what, _]] = json.loads(run(reader, READ, store, folder))[0]
        assert (line, what) == (3, "changed"), (writer, reader)


def test_the_digest_is_what_it_always_was() -> None:
    """SipHash-1-3 of a known key and text: whoever runs these tests with another Python holds it to the same."""
    assert chain.mark((0x0123456789ABCDE, "rest of a key"), b"a row of a log") == "8c051a011de31331"
