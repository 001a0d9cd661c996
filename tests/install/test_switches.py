"""Members are put into a file that belongs to somebody, and taken out again, whatever else it says."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jackline.install import switches

OURS = {"modules": {"plan-graph": {"enabled": True, "mode": "warn"}, "tool-gate": {"enabled": True}}}

TEXTS = [
    '{"version": 1}',
    '{\n  "version": 1\n}\n',
    '{ /* a */ "modules": {"plan-graph": {"enabled": false, "mode": "enforce"}}, } // b\n',
    '{\r\n\t"modules": {\r\n\t\t"x": {"enabled": true},\r\n\t}\r\n}',
    '{"modules": {"plan-graph": {"mode": "observe", "priority": 3}}}',
    "{}",
]


@pytest.mark.parametrize("text", TEXTS)
def test_what_is_ours_goes_and_what_was_there_comes_back(text: str) -> None:
    base = text.encode()
    data = switches.merge(base, OURS, "m.json")
    assert switches.strip(data, OURS, base, "m.json") == base


def test_what_somebody_set_otherwise_is_not_taken_out() -> None:
    base = b'{"version": 1}'
    data = switches.merge(base, OURS, "m.json").replace(b'"mode": "warn"', b'"mode": "enforce"')
    left = json.loads(switches.strip(data, OURS, base, "m.json"))
    assert left == {"version": 1, "modules": {"plan-graph": {"mode": "enforce"}}}


def test_a_file_that_is_not_there_is_begun() -> None:
    assert json.loads(switches.merge(None, OURS, "m.json")) == {"version": 1, **OURS}


VALUES: Any = st.recursive(
    st.booleans() | st.sampled_from(["warn", "enforce"]),
    lambda inner: st.dictionaries(st.sampled_from("abcd"), inner, min_size=1, max_size=3),
    max_leaves=8,
)
OBJECTS: Any = st.dictionaries(st.sampled_from("abcd"), VALUES, min_size=1, max_size=3)


def _is_over(base: Any, ours: Any) -> bool:
    """Whether what is put somewhere replaces an object by a value, or the other way round."""
    both = [(base[key], value) for key, value in ours.items() if key in base]
    return any(
        isinstance(old, dict) != isinstance(new, dict) or (isinstance(new, dict) and _is_over(old, new))
        for old, new in both
    )


@given(OBJECTS, OBJECTS, st.sampled_from([None, 1, 2, "\t"]))
def test_taking_out_is_the_reverse_of_putting_in(base: Any, ours: Any, indent: Any) -> None:
    """Where both have an object in the same place; the file's other members keep their values."""
    if _is_over(base, ours):
        return
    before = json.dumps(base, indent=indent).encode()
    data = switches.merge(before, ours, "m.json")
    again = switches.merge(data, ours, "m.json")
    assert again == data
    assert json.loads(switches.strip(data, ours, before, "m.json")) == base
