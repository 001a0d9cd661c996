"""Laws of the account of a turn's end: it always ends, below the client's cap, and sooner when nothing changes."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from jackline.adapters.capabilities import ROWS, row
from jackline.policy.continuation import LIMIT, PER_SOURCE, SOURCES, ends, limit

CAPS = st.integers(-1, 20)
WHO = st.sampled_from(("", *SOURCES))


@given(cap=CAPS, source=WHO)
def test_never_more_than_the_cap_minus_one(cap: int, source: str) -> None:
    most = limit(cap, source)
    assert 0 <= most <= LIMIT
    if cap >= 0:
        assert most <= max(cap - 1, 0)
    if source:
        assert most <= PER_SOURCE


@given(cap=CAPS, source=WHO, same=st.lists(st.booleans(), max_size=30), changed=st.booleans())
def test_it_always_ends(cap: int, source: str, same: list[bool], changed: bool) -> None:
    """However often hooks block and whatever the agent does in between."""
    went_on = 0
    for number, again in enumerate([*same, *[False] * 30], 1):
        if ends(number, cap, same_failure=again, changed=changed, source=source):
            break
        went_on += 1
    assert went_on <= limit(cap, source)


@given(number=st.integers(1, 6), cap=CAPS)
def test_the_same_failure_twice_without_a_change_ends_it(number: int, cap: int) -> None:
    assert ends(number, cap, same_failure=True, changed=False)


@given(number=st.integers(1, 30), cap=CAPS, source=WHO)
def test_within_the_account_a_new_failure_goes_on(number: int, cap: int, source: str) -> None:
    for same, changed in ((False, False), (False, True), (True, True)):
        why = ends(number, cap, same_failure=same, changed=changed, source=source)
        assert (why == "") == (number <= limit(cap, source))


def test_every_client_that_continues_gets_at_least_one() -> None:
    for client, events in ROWS.items():
        for event in events:
            able = row(client, event).cont
            assert limit(able) == 0 if able == 0 else limit(able) >= 1
