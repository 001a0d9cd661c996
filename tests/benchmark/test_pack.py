"""The benchmark of context packs asks what its protocol says, of the parent's files and past alone."""

from __future__ import annotations

from pathlib import Path

import pytest
from bench import pack, pack_commits, pack_rivals
from bench.pack_commits import MACHINE, is_named, prompt_of

from jackline.services.retrieval import Recipe, Repository
from services.retrieval.repository import Place


@pytest.mark.parametrize(
    "subject",
    [
        'Revert "Parse options"',
        "Release 1.2.3 of it",
        "v1.2.3: some news",
        "1.2.3 is out now",
        "Bump lodash from 1 to 2",
        "chore(deps): update all of it",
        "build(deps-dev): eslint to 9",
        "run black on everything",
        "fix formatting of tables",
        "Update translations for German",
        "update the changelog for it",
        "chore: release a version",
    ],
)
def test_what_machines_and_releases_say_is_no_question(subject: str) -> None:
    assert MACHINE.search(subject)


@pytest.mark.parametrize(
    "subject", ["Parse options of the format", "fix: tests revert nothing", "Add bumper cars here"]
)
def test_what_people_say_is_one(subject: str) -> None:
    assert not MACHINE.search(subject)


def test_a_prompt_has_neither_trailers_nor_links_nor_numbers() -> None:
    message = "Parse it (#12)\n\nSee https://x.invalid/1 and GH-3.\n\nCo-Authored-By: A <a@b.invalid>\nFixes: #4\n"
    assert prompt_of(message).split() == "Parse it See and .".split()  # noqa: SIM905


@pytest.mark.parametrize(
    ("prompt", "named"),
    [
        ("change src/a/token.py now", True),
        ("change `token.py`", True),
        ("change a/token.py", True),
        ("change the token", False),
        ("change oken.py", False),
        ("change other/token.py", False),
    ],
)
def test_a_prompt_names_a_file_by_its_path_or_name(prompt: str, named: bool) -> None:
    assert is_named(prompt, ("src/a/token.py", "x.py")) == named


OWN = "alpha bravo charlie delta echo foxtrot golf hotel india juliett kilo lima".split()  # noqa: SIM905


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Place:
    """Twelve commits, each of which changes a file of its own and says a word of its own."""
    monkeypatch.setattr(pack_commits, "BEFORE", 2)
    made = Place(tmp_path)
    made.commit("begin with all files", {f"src/f{at}.py": f"alpha{at} = {at}\n" for at in range(12)})
    for at in range(12):
        made.commit(f"change {OWN[at]} of many", {f"src/f{at}.py": f"alpha{at} = -{at}\n"})
    made.commit("six are too many here", {f"src/f{at}.py": f"beta{at} = {at}\n" for at in range(6)})
    made.commit("only new files come", {"src/new.py": "x = 1\n"})
    made.commit("news of this", {"CHANGELOG.md": "x\n"})
    made.commit("more news of this", {"CHANGELOG.md": "y\n"})
    made.commit("two words", {"src/f1.py": "y = 1\n"})
    made.commit("change f2.py by its name", {"src/f2.py": "z = 1\n"})
    return made


def test_questions_are_what_the_protocol_says(place: Place) -> None:
    plain, naming = pack_commits.questions(str(place.root), 20, 1)
    assert [one.prompt for one in naming] == ["change f2.py by its name"]
    assert {one.prompt for one in plain} == {f"change {OWN[at]} of many" for at in range(1, 12)}
    for one in plain:
        assert one.parent == place.git("rev-parse", f"{one.commit}~1")
    again, _ = pack_commits.questions(str(place.root), 5, 1)
    other, _ = pack_commits.questions(str(place.root), 5, 2)
    assert again == pack_commits.questions(str(place.root), 5, 1)[0] != other


def test_no_method_sees_the_commit_or_what_came_later(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each message has a word of its own: the past that is asked knows those of earlier messages only."""
    known: list[tuple[str, list[str]]] = []
    ask = pack._asked

    def asked(root: str, folder: str, one: pack_commits.Question, *rest: object) -> dict[str, pack.Score]:
        found = ask(root, folder, one, *rest)  # type: ignore[arg-type]
        with Repository(root, folder, commit=one.parent) as opened:
            words = [word for word in OWN if opened.find(word, recipe=Recipe(words=0.0, symbols=0.0))]
            past = {row[0] for row in opened.reader.index.execute("SELECT hash FROM past")}
        assert past == {*place.git("rev-list", one.parent).split()}
        assert words == [word for word in OWN if word in place.git("log", "--format=%s", one.parent)]
        assert not set(words) & {*one.prompt.split()}
        known.append((one.commit, [*found]))
        return found

    monkeypatch.setattr(pack, "_asked", asked)
    assert pack.main([str(place.root), "--count", "11", "--parts", "--map"]) == 0
    assert len(known) == 12, "eleven that name no file, and one that does"


def test_rivals_find_what_they_should(place: Place) -> None:
    known = pack_rivals.Contents(str(place.root))
    place.commit(
        "callers",
        {"src/caller.py": "import f3\nlong_function_name()\n", "src/owner.py": "def long_function_name(): ...\n"},
    )
    files = {path: place.git("rev-parse", f"HEAD:{path}") for path in place.git("ls-files").split()}
    known.learn(files)
    assert pack_rivals.bm25(known, files, "long_function_name") == ["src/owner.py", "src/caller.py"]
    assert pack_rivals.repository_map(known, files, "what is long_function_name")[0] == "src/owner.py"


def test_an_interval_of_equals_is_nothing() -> None:
    question = pack_commits.Question("c", "p", 0, "x", ("a",), False)
    same = pack.Score(0.5, 0.5, 0.5, 0.5)
    results = [pack.Result("r", question, {"pack": same, "BM25": same})] * 4
    assert pack.interval(results, "pack", "BM25", "flat", 1) == (0.0, 0.0, 0.0)
    better = [one._replace(scores={"pack": same._replace(flat=1.0), "BM25": same}) for one in results]
    assert pack.interval(better, "pack", "BM25", "flat", 1) == (0.5, 0.5, 0.5)
