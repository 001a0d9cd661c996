"""The world that the tables are put to: one for each module, since making it takes longer than a thousand calls."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from .world import World


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    with pytest.MonkeyPatch.context() as patch:
        made = World(tmp_path_factory.mktemp("principles").resolve())
        patch.setenv("HOME", str(made.home))
        yield made
        made.end()
