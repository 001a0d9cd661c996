"""The index says what the repository says, however it came to its state."""

from __future__ import annotations

import contextlib
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jackline.services.retrieval import database, index
from services.retrieval.repository import SOURCES, Place, small, state


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return small(tmp_path)


def updated(place: Place, wait_ms: int = 60_000) -> index.Update:
    return index.update(str(place.root), str(place.index), wait_ms=wait_ms)


def test_only_what_is_new_is_read(place: Place) -> None:
    assert updated(place) == index.Update(True, files=6, commits=3, read=6)
    assert updated(place) == index.Update(True, files=0, commits=0, read=0)
    place.commit("one file", {"src/user.py": "def other(): ...\n"})
    assert updated(place) == index.Update(True, files=2, commits=1, read=1)  # one row goes, one comes


def test_a_switch_of_branches_and_back_parses_nothing(place: Place) -> None:
    updated(place)
    place.git("checkout", "-q", "-b", "other")
    place.commit("rewrite all", {name: text + "\n# more\n" for name, text in SOURCES.items()})
    assert updated(place).read == 6
    for branch in ("main", "other", "main"):
        place.git("checkout", "-q", branch)
        done = updated(place)
        assert (done.files, done.commits, done.read) == (12, 1, 0)


def test_a_change_that_is_committed_later_is_parsed_once(place: Place) -> None:
    place.write({"src/user.py": "def changed(): ...\n", "new.py": "def new(): ...\n"})
    assert updated(place).read == 7
    place.commit("now")
    assert updated(place) == index.Update(True, files=0, commits=1, read=0)


def test_the_work_tree_counts_as_it_stands(place: Place) -> None:
    place.write({".gitignore": "*.log\n", "new.py": "def brand_new(): ...\n", "noise.log": "brand new\n"})
    (place.root / "README.md").unlink()
    place.git("mv", "src/user.py", "src/person.py")
    updated(place)
    assert sorted(path for path, *_ in state(place)["files"]) == [  # type: ignore[attr-defined]
        b".gitignore", b"new.py", b"src/auth/token.py", b"src/cli/options.py", b"src/person.py",
        b"tests/test_options.py", b"tests/test_token.py",
    ]  # fmt: skip


def test_what_differs_from_the_index_is_found_and_forgotten(place: Place) -> None:
    """Git's index stays as it is meanwhile."""
    text = SOURCES["src/user.py"]
    place.git("update-index", "--refresh")
    for _ in range(2):
        for change in (None, "def other(): ...\n", text):
            (place.root / "src/user.py").unlink(missing_ok=True)
            (place.root / "loose.py").unlink(missing_ok=True)
            if change is not None:
                place.write({"src/user.py": change, **({} if change == text else {"loose.py": "x\n"})})
            updated(place)
            fresh = place.index.parent / f"fresh{len(change or '')}"
            shutil.rmtree(fresh, ignore_errors=True)
            index.update(str(place.root), str(fresh))
            assert state(place) == state(place, fresh), change


NAMES = ("src/user.py", "src/auth/token.py", "docs/guide.md", "lib/new.js", "tests/test_token.py")
BODIES = (*list(SOURCES.values())[:3], "import { x } from './new'\nexport function parseOptions() {}\n", "\0binary")
STEP = st.one_of(
    st.tuples(st.just("write"), st.sampled_from(NAMES), st.sampled_from(BODIES)),
    st.tuples(st.just("delete"), st.sampled_from(NAMES), st.just("")),
    st.tuples(st.just("move"), st.sampled_from(NAMES), st.sampled_from(NAMES)),
    st.tuples(st.just("commit"), st.sampled_from(["rotate tokens", "parse options", "user names"]), st.just("")),
    st.tuples(st.just("branch"), st.sampled_from(["main", "other"]), st.just("")),
    st.tuples(st.just("update"), st.just(""), st.just("")),
)


def _branch(place: Place, name: str) -> None:
    place.commit("before the switch")
    known = place.git("branch", "--list", name)
    place.git("checkout", "-q", *([] if known else ["-b"]), name)


def _take(place: Place, kind: str, first: str, second: str) -> None:
    path = place.root / first
    if kind == "write":
        place.write({first: second})
    elif kind == "delete":
        path.unlink(missing_ok=True)
    elif kind == "move" and path.is_file() and first != second:
        (place.root / second).parent.mkdir(parents=True, exist_ok=True)
        path.rename(place.root / second)
    elif kind == "commit":
        place.commit(first)
    elif kind == "branch":
        _branch(place, first)
    elif kind == "update":
        updated(place)


@settings(max_examples=15)  # each is some thirty processes
@given(steps=st.lists(STEP, min_size=3, max_size=12))
def test_many_updates_come_to_what_one_does(
    tmp_path_factory: pytest.TempPathFactory, steps: list[tuple[str, ...]]
) -> None:
    place = small(tmp_path_factory.mktemp("steps"))
    updated(place)
    for kind, first, second in steps:
        _take(place, kind, first, second)
    updated(place)
    fresh = place.index.parent / "fresh"
    index.update(str(place.root), str(fresh))
    assert state(place) == state(place, fresh)


@pytest.mark.parametrize(
    "damage", [b"", b"no database at all" * 100, None], ids=["empty", "another file", "another version"]
)
def test_a_file_that_is_no_index_of_ours_is_made_anew(place: Place, damage: bytes | None) -> None:
    updated(place)
    wanted = state(place)
    if damage is None:
        opened = database.open_index(str(place.file))
        opened.execute("UPDATE meta SET value = '0' WHERE key = 'version'")
        opened.close()
    else:
        place.file.write_bytes(damage)
    assert updated(place).read == 6
    assert state(place) == wanted


def test_a_file_that_is_damaged_within_is_made_anew(place: Place) -> None:
    updated(place)
    wanted = state(place)
    data = bytearray(place.file.read_bytes())
    for at in range(3 * 4096, len(data), 4096):
        data[at : at + 512] = b"\xa5" * 512
    place.file.write_bytes(data)
    place.write({"src/user.py": "x = 1\n"})
    updated(place)
    place.git("checkout", "-q", ".")
    updated(place)
    assert state(place) == wanted


def test_only_the_owner_reads_it(place: Place) -> None:
    updated(place)
    assert {path.stat().st_mode & 0o777 for path in place.index.iterdir()} == {0o600}
    assert place.index.stat().st_mode & 0o777 == 0o700


def test_who_finds_another_at_it_leaves_it_as_it_is(place: Place) -> None:
    updated(place)
    before = state(place)
    place.commit("more", {"src/more.py": "def more(): ...\n"})
    with database.writing(str(place.file)) as ours:
        assert ours
        assert updated(place, wait_ms=10) == index.Update(False, 0, 0, 0)
        assert state(place) == before, "readers go on meanwhile"
        with place.open() as opened:
            assert opened.pack("parse options", wait_ms=10).current is False
    assert updated(place).files == 1


UPDATE = "import sys; from jackline.services.retrieval import update; print(update(*sys.argv[1:]).current)"


def test_two_that_write_at_once_lose_and_double_nothing(place: Place) -> None:
    words = [sys.executable, "-c", UPDATE, str(place.root), str(place.index)]
    with ThreadPoolExecutor(4) as pool:
        done = [*pool.map(lambda _: subprocess.run(words, capture_output=True, text=True, check=True), range(4))]
    assert [one.stdout for one in done] == ["True\n"] * 4
    updated(place)
    fresh = place.index.parent / "fresh"
    index.update(str(place.root), str(fresh))
    assert state(place) == state(place, fresh)


def test_two_threads_that_write_at_once_lose_and_double_nothing(place: Place) -> None:
    with ThreadPoolExecutor(4) as pool:
        assert [one.current for one in pool.map(lambda _: updated(place), range(4))] == [True] * 4
    fresh = place.index.parent / "fresh"
    index.update(str(place.root), str(fresh))
    assert state(place) == state(place, fresh)


def test_a_reader_sees_one_state_while_others_write(place: Place) -> None:
    with place.open() as opened:
        opened.update()
        before = opened.find("parse options")
        place.commit("rewrite", dict.fromkeys(SOURCES, "nothing = 1\n"))
        assert updated(place).files == 12
        assert opened.find("parse options") == before
        assert opened.find("rewrite") == []
        opened.update()
        assert opened.find("parse options") != before


def test_a_writer_that_is_killed_leaves_an_index_that_goes_on(place: Place) -> None:
    place.commit("many", {f"many/f{at}.py": f"def parse_{at}(): ...\n" * 40 for at in range(200)})
    words = [sys.executable, "-c", UPDATE, str(place.root), str(place.index)]
    for number in range(6):
        with subprocess.Popen(words, stdout=subprocess.PIPE) as child:
            with contextlib.suppress(subprocess.TimeoutExpired):
                child.wait(0.05 + number * 0.03)
            child.kill()
    fresh = place.index.parent / "fresh"
    updated(place)
    index.update(str(place.root), str(fresh))
    assert state(place) == state(place, fresh)
