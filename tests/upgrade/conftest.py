"""Every earlier version's machine, before and after the upgrade."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from scene import audit
from upgrade import archive
from upgrade.machine import Machine


@pytest.fixture(params=archive.ARCHIVES, ids=lambda one: one.name)
def old(request: pytest.FixtureRequest, tmp_path: Path, made_bundle: Path, one_bundle: None) -> Iterator[Machine]:
    made = Machine(tmp_path / "machine", made_bundle, request.param)
    try:
        yield made
    finally:
        made.client.close()
        made.screen.close()
    audit(made.place)
    assert made.crashes() == []


@pytest.fixture
def machine(old: Machine) -> Machine:
    """The same machine after the upgrade."""
    old.upgrade()
    return old
