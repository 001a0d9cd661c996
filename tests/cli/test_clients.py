"""`clients`: every client beside the others, one of them in words, and all that is known of it as data."""

from __future__ import annotations

import pytest

from jackline.clients.grades import GUARANTEES, grades
from jackline.clients.specs import SPECS

from .conftest import Desk


def test_every_client_stands_beside_the_others(desk: Desk) -> None:
    said = desk.jackline("clients", env={"COLUMNS": "140"}).out
    lines = {line.split()[0]: line for line in said.splitlines() if line.split()}
    for spec in SPECS.values():
        assert spec.version.split()[0] in lines[spec.name]
        assert ("not yet" in lines[spec.name]) is (spec.installed is None)
        assert sum(lines[spec.name].count(mark) for mark in "●◐○") == len(GUARANTEES)


@pytest.mark.parametrize("client", SPECS)
def test_one_client_in_words_and_as_data(desk: Desk, client: str) -> None:
    told = desk.jackline("clients", client, "--json").data
    assert told["client"] == client
    assert told["grades"] == grades(client)
    assert set(told["events"]) == set(SPECS[client].events)
    assert told["sources"]
    said = " ".join(desk.jackline("clients", client, env={"COLUMNS": "140"}).out.split())
    assert grades(client)["failure"] in said


def test_all_of_them_as_data(desk: Desk) -> None:
    told = desk.jackline("clients", "--json").data
    assert [one["client"] for one in told] == list(SPECS)
    assert {one["client"]: one["installed"] is not None for one in told} == {
        name: spec.installed is not None for name, spec in SPECS.items()
    }
    assert told[0]["installed"]["files"]["project"] == ".claude/settings.json"


def test_a_client_that_there_is_not(desk: Desk) -> None:
    assert desk.jackline("clients", "emacs", code=2).code == 2
