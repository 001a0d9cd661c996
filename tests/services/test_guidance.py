"""What agents are told of what is switched on: little, and only that."""

from __future__ import annotations

import pytest

from jackline.install.textblock import put
from jackline.services import capabilities, guidance
from jackline.services.capabilities import CAPABILITIES, STATES, State, state_in, state_of, values

SLUGS = [slug for one in CAPABILITIES.values() for slug in one.features]


def test_all_of_it_takes_no_more_than_its_lines() -> None:
    states: list[State] = ["lenient", "strict"]
    block = put("", guidance.text({slug: states[at % 2] for at, slug in enumerate(SLUGS)})).text
    assert len(block.splitlines()) <= guidance.MOST
    assert max(map(len, block.splitlines())) <= 120
    assert set(guidance.LINES) <= set(SLUGS)


@pytest.mark.parametrize("slug", guidance.LINES)
def test_only_what_is_on_is_told(slug: str) -> None:
    [name] = [name for name, one in CAPABILITIES.items() if slug in one.features]
    said = guidance.lines({slug: "lenient", **{other: "off" for other in SLUGS if other != slug}})
    assert said[2:] == [f"{name}: what comes too early is told.", *guidance.LINES[slug]]


def test_nothing_is_told_where_nothing_is_on() -> None:
    assert guidance.text({"plan-graph": "off"}) == ""


@pytest.mark.parametrize("state", STATES)
def test_a_state_is_what_its_keys_come_to(state: State) -> None:
    said = values(state)
    assert state_in(said["enabled"], said.get("mode")) == state


FLAGS = [(True, "lenient"), (1, "lenient"), ("on", "lenient"), ("Strict", "strict"), ("0", "off"), (False, "off"),
         ("maybe", None), (None, None), (2, None), ([], None)]  # fmt: skip


@pytest.mark.parametrize(("said", "state"), FLAGS)
def test_a_flags_value_has_one_meaning(said: object, state: State | None) -> None:
    assert state_of(said) == state


def test_each_feature_belongs_to_one_capability() -> None:
    slugs = [slug for one in CAPABILITIES.values() for slug in one.features] + [*capabilities.WITH_ANY]
    assert len(slugs) == len(set(slugs))
    assert {one for each in CAPABILITIES.values() for one in each.offers} <= set(CAPABILITIES)
