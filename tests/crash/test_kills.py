"""kill -9 at random, a thousand times: log and state readable, at most the torn record lost."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from crash.kills import run

KILLS = int(os.environ.get("JACKLINE_KILLS", "1000"))


@pytest.mark.slow
def test_a_thousand_kills(tmp_path: Path, made_bundle: Path, capsys: pytest.CaptureFixture[str]) -> None:
    count = run(KILLS, tmp_path, made_bundle)
    with capsys.disabled():
        print(f"\n{count}")
    assert count.kills >= KILLS


def test_a_few_kills(tmp_path: Path, made_bundle: Path) -> None:
    """The quick form, in every run of the tests."""
    assert run(15, tmp_path, made_bundle).kills >= 15
