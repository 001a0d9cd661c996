"""The fuzz target runs; its long form is `make fuzz`."""

from __future__ import annotations

from .fuzz import fuzz


def test_a_short_fuzz_finds_nothing() -> None:
    assert fuzz(1, seed=1) > 100
