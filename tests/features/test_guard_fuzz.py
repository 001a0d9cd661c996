"""The guard under commands broken at random, and dangers in whatever may stand around them (`features.fuzz`)."""

from __future__ import annotations

import random
import shlex

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shell.fuzz import broken

from .fuzz import CARRIERS, DANGERS, carried, decision, inside

TALK = (
    "git commit -m {quoted}", "echo {quoted}", "printf '%s' {quoted}", "grep -rn {quoted} src", "rg {quoted}",
    "git log --grep={quoted}", "cat > notes.md <<'E'\n{plain}\nE\n", "# {plain}\nls", "git tag -m {quoted} v1",
    "gh pr create --title t --body {quoted}", "echo {quoted} | wc -c", "[ {quoted} = x ]", "x={quoted}; echo \"$x\"",
    "for w in {quoted}; do echo \"$w\"; done", "case {quoted} in a) ls;; esac", "git stash push -m {quoted}",
)  # fmt: skip
"""Where the text of a danger is a text."""


@given(st.integers(0, 2**32))
@settings(max_examples=150, deadline=None)
def test_broken_commands_have_an_answer(seed: int) -> None:
    assert decision(broken(random.Random(seed))) in ("allow", "ask", "deny")


@given(st.integers(0, 2**32))
@settings(max_examples=150, deadline=None)
def test_a_danger_is_stopped_whatever_carries_it(seed: int) -> None:
    command = carried(random.Random(seed))
    assert decision(command) != "allow", command


@pytest.mark.parametrize("carrier", CARRIERS)
@pytest.mark.parametrize("danger", DANGERS)
def test_every_danger_in_every_carrier(danger: str, carrier: str) -> None:
    assert decision(inside(carrier, danger)) != "allow"


@pytest.mark.parametrize("talk", TALK)
@pytest.mark.parametrize("danger", DANGERS)
def test_talk_about_a_danger_is_none(danger: str, talk: str) -> None:
    assert decision(talk.format(plain=danger, quoted=shlex.quote(danger))) == "allow"
