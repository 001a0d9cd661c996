"""Laws of the account of a turn's end: it always ends, below the client's cap, and never sooner than its limit."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from jackline.clients.capabilities import row
from jackline.clients.rows import ROWS
from jackline.policy.continuation import LIMIT, PER_SOURCE, SOURCES, WHOSE, ends, lets_go, limit

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


@given(number=st.integers(1, 30), cap=CAPS, source=WHO)
def test_the_limit_alone_ends_it(number: int, cap: int, source: str) -> None:
    """However often the agent stopped, and whatever it did in between."""
    assert (ends(number, cap, source) == "") == (number <= limit(cap, source))


@given(cap=CAPS, source=WHO)
def test_the_reason_names_whose_limit_it_was(cap: int, source: str) -> None:
    whose = lets_go(cap, source)
    assert WHOSE[whose] in ends(limit(cap, source) + 1, cap, source)
    assert (whose == "client") == (limit(cap, source) < (PER_SOURCE if source else LIMIT))


def test_every_client_that_continues_gets_at_least_one() -> None:
    for client, events in ROWS.items():
        for event in events:
            capability = row(client, event).cont
            assert limit(capability) == 0 if capability == 0 else limit(capability) >= 1
