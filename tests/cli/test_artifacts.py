"""`jackline artifacts`: what was announced, what it was made from, and whether it is still so."""

from __future__ import annotations

import json
import subprocess

import pytest

from .conftest import Desk

ANNOUNCES = """
from jackline.model import Action
from jackline.session_paths import task_place
from jackline.services.artifacts import described
folder = task_place(ctx.paths.session_root, "w001", "artifacts", "computed")
import os
os.makedirs(folder, exist_ok=True)
name = event.command.split()[-1]
open(folder + "/" + name, "w").write(name)
depends = [f"work/w001/artifacts/computed/{one}" for one in event.command.split()[1:-1]]
entry = described("computed_" + name, "work/w001/artifacts/computed/" + name, name.encode(), depends=depends)
return Action(register_artifacts=(entry,))
"""


@pytest.fixture
def announced(desk: Desk) -> Desk:
    """A session in which `b` was made from `a` and something that is not there."""
    desk.feature("maker", ANNOUNCES)
    desk.trust()
    desk.pre("echo a")
    desk.pre("echo a gone b")
    return desk


def test_they_are_listed_by_kind_and_as_data(announced: Desk) -> None:
    said = announced.jackline("artifacts").out.splitlines()
    assert len(said) == 4 and "computed_a" in said[2] and said[2].endswith("work/w001/artifacts/computed/a")
    [one] = announced.jackline("artifacts", "--kind", "computed_b", "--json").data
    assert (one["kind"], one["producer"], one["work"]) == ("computed_b", "maker", "w001")
    assert one["dependsOn"] == ["work/w001/artifacts/computed/a", "work/w001/artifacts/computed/gone"]
    assert announced.jackline("artifacts", "--work", "w002").out == "nothing was announced\n"


def test_one_is_shown_with_whether_its_file_is_as_announced(announced: Desk) -> None:
    one = announced.jackline("artifacts", "show", "computed_a", "--json").data
    assert one["now"] == "as announced"
    place = announced.place / one["ref"]
    assert one["file"] == str(place)
    place.write_text("forged")
    assert "changed since" in announced.jackline("artifacts", "show", one["id"], code=1).out
    place.unlink()
    assert announced.jackline("artifacts", "show", "computed_a", "--json", code=1).data["now"] == "gone"
    assert "jackline artifacts lists them" in announced.jackline("artifacts", "show", "no", code=2).err


def test_a_tree_shows_what_they_were_made_from(announced: Desk) -> None:
    assert announced.jackline("artifacts", "tree").out.splitlines() == [
        "computed_b  work/w001/artifacts/computed/b",
        "  computed_a  work/w001/artifacts/computed/a",
        "  work/w001/artifacts/computed/gone  not on the bus",
    ]
    data = announced.jackline("artifacts", "tree", "computed_a", "--json").data
    assert [(line["depth"], line["kind"]) for line in data] == [(0, "computed_a")]


def test_follow_shows_what_comes(announced: Desk) -> None:
    child = subprocess.Popen(
        announced.command("artifacts", "--follow", "--json"), env=announced.env, cwd=announced.root,
        stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert child.stdout is not None
    try:
        assert [json.loads(child.stdout.readline())["kind"] for _ in range(2)] == ["computed_a", "computed_b"]
        announced.pre("echo c")
        assert json.loads(child.stdout.readline())["kind"] == "computed_c"
    finally:
        child.kill()
        child.wait()
        child.stdout.close()
