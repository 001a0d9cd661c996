"""The door's clock fits between what scripts may take and what the installer writes for each client's event."""

from __future__ import annotations

import pytest

from jackline import install
from jackline.clients.signs import DEADLINE_MS
from jackline.hook import OTHER_DEADLINE_MS
from jackline.install import dialect as dialects
from jackline.install import timeouts
from jackline.script import TIMEOUTS

EVENTS = [
    (dialect, name, bound)
    for dialect in sorted(set(install.CLIENTS.values()))
    for name, bound in dialects.of(dialect).events.items()
]


@pytest.mark.parametrize(("dialect", "name", "bound"), EVENTS, ids=[f"{row[0]} {row[1]}" for row in EVENTS])
def test_the_door_ends_before_every_client_does(dialect: str, name: str, bound: timeouts.Bound) -> None:
    ends = DEADLINE_MS.get(dialects.of(dialect).word(name), OTHER_DEADLINE_MS) / 1000
    limit = timeouts.client_limit(bound)
    assert ends <= timeouts.door_ends(limit)
    if bound.canonical in ("Stop", "SessionStart") and bound.most is None:
        type = "file" if bound.canonical == "Stop" else "session"
        assert TIMEOUTS[type] < ends == timeouts.door_ends(limit)


def test_native_names_have_the_same_clock() -> None:
    assert DEADLINE_MS["agentStop"] == DEADLINE_MS["Stop"]
    assert DEADLINE_MS["sessionStart"] == DEADLINE_MS["SessionStart"]
    assert DEADLINE_MS["sessionEnd"] == DEADLINE_MS["SessionEnd"]
