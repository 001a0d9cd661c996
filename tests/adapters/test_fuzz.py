"""The fuzz target runs; its long form is a gate of its own."""

from __future__ import annotations

import pytest

from .fuzz import fuzz


def test_a_short_fuzz_finds_nothing() -> None:
    assert fuzz(1, seed=1) > 100


@pytest.mark.slow
def test_a_long_fuzz_finds_nothing() -> None:
    runs = fuzz(60, seed=2)
    print(f"{runs} fuzz runs of parse and render")
    assert runs > 10_000
