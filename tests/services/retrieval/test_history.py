"""The past speaks for files by the names they have today, and only the past of the commit at hand."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from jackline.services.retrieval import Recipe, history
from jackline.services.retrieval.words import query
from services.retrieval.repository import Place, state

WORD = "zanzibar"


def _lines(count: int, word: str) -> str:
    return "".join(f"{word} line {at}\n" for at in range(count))


@pytest.fixture
def place(tmp_path: Path) -> Place:
    made = Place(tmp_path)
    made.commit("begin", {"a.py": _lines(20, "one"), "b.py": _lines(20, "two"), "c.py": _lines(20, "three")})
    return made


def by_history(place: Place, prompt: str, commit: str = "", **recipe: int) -> list[str]:
    with place.open(commit) as opened:
        opened.update()
        return [path for path, _, _ in opened.reader.by_history(query(prompt), Recipe(**recipe))]  # type: ignore[arg-type]


def test_files_of_a_similar_message(place: Place) -> None:
    place.commit("the zanzibar protocol", {"b.py": _lines(21, "two")})
    assert by_history(place, f"speak {WORD}") == ["b.py"]


def test_neither_a_commit_nor_what_came_later_speaks_at_its_parent(place: Place) -> None:
    """Asked at every commit in turn, with one index, forwards and backwards: no word of a later message is known."""
    commits = [place.git("rev-parse", "HEAD")]
    own = ("alpha", "bravo", "charlie", "delta", "echo", "foxtrot")
    for at, word in enumerate(own):
        commits.append(place.commit(f"{word} {WORD}", {"abc"[at % 3] + ".py": _lines(22 + at, "more")}))
    for at in [*range(1, 7), *range(6, 0, -1)]:
        parent = commits[at - 1]
        assert [word for word in own if by_history(place, word, parent)] == [*own[: at - 1]]
        known = by_history(place, WORD, parent)
        assert len(known) == min(at - 1, 3)
        assert {row[0] for row in state(place)["past"]} == {*commits[:at]}  # type: ignore[attr-defined]


def test_what_another_branch_says_is_not_known(place: Place) -> None:
    place.git("checkout", "-q", "-b", "other")
    place.commit(f"{WORD} there", {"c.py": "x\n"})
    assert by_history(place, WORD) == ["c.py"]
    place.git("checkout", "-q", "main")
    assert by_history(place, WORD) == []


def test_a_renamed_file_answers_by_its_new_name(place: Place) -> None:
    place.commit(f"the {WORD} protocol", {"b.py": _lines(22, "two")})
    place.git("mv", "b.py", "moved.py")
    place.commit("move")
    (place.root / "deep").mkdir()
    place.git("mv", "moved.py", "deep/last.py")
    place.commit("move once more")
    assert by_history(place, WORD) == ["deep/last.py"]


def test_a_file_that_is_gone_answers_no_more(place: Place) -> None:
    place.commit(f"the {WORD} protocol", {"b.py": _lines(22, "two")})
    (place.root / "b.py").unlink()
    place.commit("drop it")
    assert by_history(place, WORD) == []


def test_names_that_go_round_come_to_an_end(place: Place) -> None:
    place.commit(f"the {WORD} protocol", {"b.py": _lines(22, "two")})
    for old, new in (("b.py", "x.py"), ("x.py", "b.py"), ("b.py", "x.py")):
        place.git("mv", old, new)
        place.commit("move")
    (place.root / "x.py").unlink()
    place.commit("gone")
    assert by_history(place, WORD) == []


@pytest.mark.parametrize(("count", "found"), [(history.FILES, history.FILES), (history.FILES + 1, 0)])
def test_a_commit_over_many_files_says_nothing_about_one(place: Place, count: int, found: int) -> None:
    place.commit(f"{WORD} all", {f"many/{at}.py": "x\n" for at in range(count)})
    assert len(by_history(place, WORD)) == found


def test_hidden_commits_do_not_speak(place: Place) -> None:
    place.commit(f"{WORD} early", {"a.py": "x\n"})
    hidden = place.clock + 30
    place.commit(f"{WORD} late", {"b.py": "x\n"})
    assert by_history(place, WORD, before=hidden) == ["a.py"]
    assert by_history(place, WORD) == ["a.py", "b.py"]


def test_a_shallow_clone_says_nothing_for_its_last_commit(place: Place, tmp_path: Path) -> None:
    """Against nothing it seems to have added every file."""
    place.commit(f"{WORD} one", {"a.py": "x\n"})
    place.commit(f"{WORD} two", {"b.py": "x\n"})
    other = Place(tmp_path / "other", repository=False)
    subprocess.run(
        ["git", "clone", "-q", "--depth=2", f"file://{place.root}", other.root], check=True, capture_output=True
    )
    assert by_history(other, WORD) == ["b.py"]


@pytest.mark.parametrize(
    ("message", "said"),
    [
        ("Fix it (#12)\n\nCloses: #3\nCo-authored-by: A B <a@b.invalid>", "Fix it"),
        ("See https://example.invalid/x?y for GH-31", "See   for"),
        ("owner/name#7: parse", ": parse"),
        ("Keep a/b and x: y", "Keep a/b and x: y"),
    ],
)
def test_what_a_message_says_of_code(message: str, said: str) -> None:
    assert history.plain(message) == said
