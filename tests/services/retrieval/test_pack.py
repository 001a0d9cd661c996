"""A pack: within its budget, the same bytes everywhere, nothing in it that may not be shown."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jackline.git import GitError
from jackline.services.retrieval import FLAT, Pack, Tiers, make_pack
from jackline.services.retrieval.tiers import tokens
from services.retrieval.repository import PROMPTS, Place, small

PROMPT = "the gizmo frobnicates"
KEY = "AKIA" + "ABCDEFGHIJKLMNOP"


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return small(tmp_path)


def packed(place: Place, prompt: str = PROMPT, tiers: Tiers = Tiers()) -> Pack:  # noqa: B008
    return make_pack(str(place.root), str(place.index), prompt, tiers=tiers)


def paths(pack: Pack) -> list[str]:
    return [item.path for item in pack.items]


def test_every_item_says_what_why_where_and_what_it_costs(place: Place) -> None:
    pack = packed(place, "rotate refresh tokens")
    first = pack.items[0]
    assert (first.path, first.form) == ("src/auth/token.py", "excerpt")
    assert first.content == place.git("rev-parse", "HEAD:src/auth/token.py")
    assert first.lines == ((1, 7),)
    assert first.text == "src/auth/token.py\n" + (place.root / first.path).read_text()
    assert first.tokens == tokens(first.text)
    near = (("imports", 3, "tests/test_token.py"), ("tests", 2, "tests/test_token.py"))
    second = place.git("rev-parse", "--short=12", "HEAD~1")
    assert first.why == (("words", 1, ""), ("symbols", 1, ""), ("history", 2, second), *near)
    assert pack.tokens == sum(item.tokens for item in pack.items)


def test_a_named_file_comes_first_even_a_changelog(place: Place) -> None:
    place.commit("news", {"CHANGELOG.md": "# News\n\nrefresh token token token\n"})
    assert "CHANGELOG.md" not in paths(packed(place, "refresh token"))
    pack = packed(place, "refresh token: say so in CHANGELOG.md")
    assert pack.items[0].path == "CHANGELOG.md"
    assert pack.items[0].why[0] == ("named", 1, "CHANGELOG.md")


def test_a_name_of_several_files_is_told(place: Place) -> None:
    place.commit("more", {"a/config.py": "x = 1\n", "b/config.py": "x = 2\n"})
    assert packed(place, "change config.py").ambiguous == {"config.py": ["a/config.py", "b/config.py"]}


def test_further_files_are_cards(place: Place) -> None:
    place.commit(
        "many", {f"src/gizmo{at}.py": f'"""Gizmo number {at} of many."""\n\ndef frob{at}(): ...\n' for at in range(9)}
    )
    pack = packed(place, tiers=Tiers(files=2))
    assert [item.form for item in pack.items] == ["excerpt"] * 2 + ["card"] * 7
    assert pack.items[2].text == f"{pack.items[2].path}: Gizmo number 2 of many.\n  frob2\n"
    assert {item.form for item in packed(place, tiers=FLAT).items} == {"excerpt"}


@settings(max_examples=40)
@given(
    sizes=st.lists(st.integers(0, 3000), min_size=1, max_size=12),
    budget=st.integers(0, 3000),
    per_file=st.integers(1, 900),
    card=st.integers(1, 150),
    files=st.one_of(st.none(), st.integers(0, 6)),
)
def test_no_budget_is_exceeded(
    tmp_path_factory: pytest.TempPathFactory, sizes: list[int], budget: int, per_file: int, card: int, files: int | None
) -> None:
    place = Place(tmp_path_factory.mktemp("budget"), repository=False)
    place.write({f"gizmo-{at}-ä.py": "gizmo ß = 1\n" * size for at, size in enumerate(sizes)})
    pack = packed(place, tiers=Tiers(budget, per_file, card, files))
    assert pack.tokens == sum(tokens(item.text) for item in pack.items) <= budget
    for item in pack.items:
        assert tokens(item.text) == item.tokens <= (per_file if item.form == "excerpt" else card)


MAKE = """
import sys
from jackline.services.retrieval import make_pack
for prompt in sys.argv[3:]:
    sys.stdout.buffer.write(make_pack(*sys.argv[1:3], prompt).canonical())
"""


def test_the_bytes_are_the_same_in_every_process_and_place(place: Place, tmp_path: Path) -> None:
    """Another process, another seed of hashes, another folder, another way to the same state."""
    other = Place(tmp_path / "elsewhere", repository=False)
    other.git("clone", "-q", str(place.root), str(other.root), cwd=tmp_path)
    place.git("checkout", "-q", "HEAD~2")
    packed(place)
    place.git("checkout", "-q", "main")
    made = set()
    for at, seed in ((place, "0"), (place, "1"), (other, "2")):
        words = [sys.executable, "-c", MAKE, str(at.root), str(at.index), *PROMPTS]
        env = {**os.environ, "PYTHONHASHSEED": seed}
        made.add(subprocess.run(words, env=env, capture_output=True, check=True).stdout)
    (found,) = made
    assert b"src/auth/token.py" in found and str(tmp_path).encode() not in found
    for line in found.splitlines():
        assert line == json.dumps(json.loads(line), sort_keys=True, separators=(",", ":")).encode()


def test_the_hash_tells_whether_something_changed(place: Place) -> None:
    before = packed(place, "rotate refresh tokens").hash
    place.write({"unrelated.txt": "nothing of it\n"})
    place.git("add", "-A")
    os.utime(place.root / "src/auth/token.py", (1, 1))
    assert packed(place, "rotate refresh tokens").hash == before
    place.write({"src/auth/token.py": "# refresh tokens, otherwise\n"})
    assert packed(place, "rotate refresh tokens").hash != before


def test_what_may_not_be_shown_is_not_there(place: Place, tmp_path: Path) -> None:
    """Ignored files, links, binaries, secrets, locks: none of them, however well it would fit."""
    text = "gizmo frobnicates gizmo frobnicates\n"
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "gizmo.py").write_text(text)
    place.commit("what is ignored", {".gitignore": "ignored.py\nbuild/\n"})
    place.write(
        {
            "ignored.py": text,
            "build/gizmo.py": text,
            ".env": f"GIZMO={KEY} {text}",
            "deploy/id_rsa": text,
            ".aws/credentials": text,
            "gizmo.bin": b"gizmo frobnicates\0",
            "gizmo.dat": b"gizmo frobnicates\0 gizmo",
            "package-lock.json": text,
            "locale/de/gizmo.po": text,
            "gizmo.large.py": text * 10_000,
            "gizmo.data.txt": "gizmo frobnicates " * 300,
            "gizmo.py": text,
        }
    )
    (place.root / "gizmo-link.py").symlink_to(outside / "gizmo.py")
    (place.root / "gizmo-folder").symlink_to(outside)
    place.git("add", "-f", ".env", "deploy/id_rsa", ".aws/credentials", "gizmo-link.py", "gizmo-folder")
    assert paths(packed(place)) == ["gizmo.py"]
    place.commit("gizmo")
    assert paths(packed(place)) == ["gizmo.py"]
    names = "ignored.py build/gizmo.py .env deploy/id_rsa gizmo-link.py gizmo-folder/gizmo.py package-lock.json"
    named = packed(place, f"{PROMPT}: {names} ../outside/gizmo.py {outside}/gizmo.py")
    assert "gizmo.py" in paths(named)
    assert not {*names.split()} & {*paths(named)}


def test_a_folder_that_became_a_link_out_of_the_root_is_not_followed(place: Place, tmp_path: Path) -> None:
    place.commit("gizmo", {"inner/gizmo.py": "gizmo frobnicates\n"})
    assert paths(packed(place)) == ["inner/gizmo.py"]
    outside = tmp_path / "outside"
    (place.root / "inner").rename(outside)
    (outside / "gizmo.py").write_text("gizmo frobnicates outside\n")
    (place.root / "inner").symlink_to(outside)
    assert paths(packed(place)) == []


def test_secrets_within_a_file_are_masked(place: Place) -> None:
    key = "-----BEGIN RSA PRIVATE KEY-----\n" + "gizmo/Ab+9\n" * 9 + "-----END RSA PRIVATE KEY-----\n"
    place.commit(
        "gizmo",
        {
            "gizmo.py": f'# gizmo {KEY} frobnicates\npassword = "hunter22hunter"\n{key}',
            "later.py": f'"""The gizmo key {KEY} frobnicates."""\n' + "gizmo = 1\n" * 50,
        },
    )
    for tiers in (Tiers(), Tiers(files=0), FLAT):
        made = packed(place, tiers=tiers).canonical().decode()
        assert "gizmo.py" in made and "later.py" in made
        assert not [one for one in (KEY, "hunter22", "Ab+9") if one in made]


ODD: Mapping[str, str] = {
    "space": "a gizmo.py",
    "newline": "new\nline gizmo.py",
    "quotes": "quo\"te'gizmo.py",
    "letters": "größe-gizmo.py",
    "no text": os.fsdecode(b"gizmo-\xff.py"),
    "glob": "gizmo[*]?.py",
    "option": "-gizmo.py",
    "percent": "gizmo%s\\.py",
}


@pytest.mark.parametrize("name", ODD.values(), ids=ODD)
@pytest.mark.parametrize("kept", ["committed", "loose", "no git"])
def test_names_of_every_kind(tmp_path: Path, name: str, kept: str) -> None:
    place = Place(tmp_path, repository=kept != "no git")
    place.write({name: b"gizmo frobnicates \xe9\n"})
    if kept == "committed":
        place.commit("a gizmo frobnicates")
    pack = packed(place)
    assert [(item.path, item.text) for item in pack.items] == [(name, f"{name}\ngizmo frobnicates é\n")]
    assert json.loads(pack.canonical())["items"][0]["path"] == name


def test_a_folder_without_git_is_walked(tmp_path: Path) -> None:
    place = Place(tmp_path, repository=False)
    place.write(dict.fromkeys(("gizmo.py", "node_modules/gizmo.py", ".hidden/gizmo.py", "in/gizmo.py"), "gizmo\n"))
    assert paths(packed(place)) == ["gizmo.py", "in/gizmo.py"]


def test_where_git_refuses_nothing_is_walked(place: Place, tmp_path: Path) -> None:
    """It could not be told what is ignored."""
    place.write({".gitignore": "gizmo.py\n", "gizmo.py": "gizmo\n", "inner/gizmo.py": "gizmo\n"})
    bare = Place(tmp_path / "bare", repository=False)
    bare.git("init", "-q", "--bare")
    (place.root / ".git").rename(tmp_path / "moved")
    (place.root / ".git").write_text("gitdir: nowhere\n")
    for root in (place.root, place.root / "inner", bare.root):
        with pytest.raises(GitError):
            make_pack(str(root), str(place.index), PROMPT)


@pytest.mark.parametrize("repository", [True, False])
def test_nothing_has_an_empty_pack(tmp_path: Path, repository: bool) -> None:
    place = Place(tmp_path, repository=repository)
    assert packed(place) == Pack((), 0, 8000, {})


def test_before_the_first_commit_files_count(tmp_path: Path) -> None:
    place = Place(tmp_path)
    place.write({"gizmo.py": "gizmo\n", "staged.py": "gizmo gizmo\n"})
    place.git("add", "staged.py")
    assert sorted(paths(packed(place))) == ["gizmo.py", "staged.py"]


def test_a_sub_folder_is_a_root_of_its_own(place: Place) -> None:
    """Paths are seen from there, and what lies beside is out."""
    place.commit("a gizmo frobnicates", {"inner/deep/gizmo.py": "gizmo\n", "gizmo.py": "gizmo\n"})
    place.write({"inner/new.py": "gizmo gizmo\n"})
    pack = make_pack(str(place.root / "inner"), str(place.index), PROMPT)
    assert sorted(paths(pack)) == ["deep/gizmo.py", "new.py"]
    assert ("history", 1) in [rule[:2] for item in pack.items for rule in item.why]


def test_a_submodule_is_not_entered(place: Place, tmp_path: Path) -> None:
    other = Place(tmp_path / "other")
    other.commit("gizmo", {"gizmo.py": "gizmo frobnicates\n"})
    place.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", str(other.root), "gizmo")
    place.commit("a gizmo module")
    assert [path for path in paths(packed(place)) if path.startswith("gizmo/")] == []


def test_a_linked_work_tree_has_files_of_its_own(tmp_path: Path) -> None:
    """Wherever it lies."""
    place = small(tmp_path / "new\nline")
    place.commit("a gizmo frobnicates", {"gizmo.py": "gizmo\n"})
    other = Place(tmp_path / "other\nline", repository=False)
    other.root.rmdir()
    place.git("worktree", "add", "-q", "-b", "other", str(other.root))
    for at in (place, other, other):
        assert paths(packed(at)) == ["gizmo.py"]
    other.write({"gizmo.py": "nothing\n"})
    assert [item.why[0][0] for item in packed(other).items] == ["words"], "its name"
    assert packed(place).items[0].text == "gizmo.py\ngizmo\n"
    assert packed(other).items[0].text == "gizmo.py\nnothing\n"


def test_a_conflict_has_an_answer(place: Place) -> None:
    place.git("checkout", "-q", "-b", "other")
    place.commit("theirs", {"src/user.py": "gizmo theirs\n"})
    place.git("checkout", "-q", "main")
    place.commit("ours", {"src/user.py": "gizmo ours\n"})
    with pytest.raises(subprocess.CalledProcessError):
        place.git("merge", "other")
    item = packed(place).items[0]
    assert item.path == "src/user.py" and "gizmo theirs" in item.text


def test_a_commit_is_asked_in_place_of_the_work_tree(place: Place) -> None:
    old = place.commit("a gizmo", {"gizmo.py": "gizmo = 'old'\n"})
    place.commit("another", {"gizmo.py": "gizmo = 'new'\n", "gizmo2.py": "gizmo\n"})
    with place.open(old) as opened:
        (item,) = opened.pack(PROMPT).items
    assert item.text == "gizmo.py\ngizmo = 'old'\n"
