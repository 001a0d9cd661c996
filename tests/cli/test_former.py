"""Spellings of the version before: they do what they did, and say on stderr how it is spelled now."""

from __future__ import annotations

import json

import pytest

from jackline.cli.check import respelled
from jackline.cli.parts.verb import former, human_only

from .conftest import Desk

SPELLED = {
    ("wiring",): ("hooks", "--table"),
    ("state", "show"): ("sessions", "state"),
    ("work", "show"): ("sessions", "work"),
    ("work",): ("sessions", "work"),
    ("scripts", "run"): ("check", "--note", "--type", "file"),
}


@pytest.mark.parametrize("old", SPELLED, ids=" ".join)
def test_an_old_spelling_does_the_same_and_says_the_new_one(desk: Desk, old: tuple[str, ...]) -> None:
    desk.begin()
    now = desk.jackline(*SPELLED[old], "--json")
    done = desk.jackline("-C", ".", *old, "--json")
    assert json.loads(done.out) == now.data, "data stays data"
    assert done.err.count("\n") == 1
    assert done.err.startswith(f"jackline · `jackline {' '.join(old)}` is now `jackline {SPELLED[old][0]} ")
    assert now.err == ""


@pytest.mark.parametrize(("old", "way"), [("state rebuild", "state --rebuild"), ("work new", "work --new")])
def test_what_was_a_persons_still_is(desk: Desk, old: str, way: str) -> None:
    assert f"sessions {way}" in human_only()
    done = desk.below_client(*old.split(), "--yes")
    assert done.code == 2
    assert f"`jackline sessions {way}` is a human-only command" in done.err


@pytest.mark.parametrize(
    ("words", "now"),
    [
        ("", "--note --type file"),
        ("lint", "--note --script lint"),
        ("lint --files a b", "--note --script lint --files a b"),
        ("--session 11 lint", "--note --session 11 --script lint"),
        ("--event Stop --payload x.json", "--note --event Stop --payload x.json"),
        ("--type=file --files a b", "--note --type=file --files a b"),
        ("--help", "--note --help"),
    ],
)
def test_the_words_of_scripts_run(words: str, now: str) -> None:
    assert respelled(words.split()) == now.split()


def test_no_old_spelling_is_a_command() -> None:
    assert set(former()) == {
        "wiring",
        "state",
        "state show",
        "state rebuild",
        "work",
        "work show",
        "work new",
        "scripts run",
    }
