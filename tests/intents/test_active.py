"""The active intent of a session, as the store keeps it."""

from __future__ import annotations

from pathlib import Path

import pytest

from jackline.intents import Active, active, drop, keep

CHOSEN = Active("INT-001", "Sign-in", ("src/auth/**", "!src/auth/old/**"), 1740700600000, "agent", "/srv/shop")


def test_what_is_kept_is_read_again(tmp_path: Path) -> None:
    store = str(tmp_path / "store")
    assert active(store, "0badcafe") is None
    keep(store, "0badcafe", CHOSEN)
    assert active(store, "0badcafe") == CHOSEN
    keep(store, "0badcafe", CHOSEN._replace(given=("docs/**",)))
    found = active(store, "0badcafe")
    assert found is not None and found.given == ("docs/**",)
    assert active(store, "0badcaff") is None
    assert (tmp_path / "store/intents/0badcafe").stat().st_mode & 0o777 == 0o600
    drop(store, "0badcafe")
    drop(store, "0badcafe")
    assert active(store, "0badcafe") is None


@pytest.mark.parametrize("text", ["", "{", "[]", "null", '{"v": 2, "id": "INT-001"}', '{"v": 1, "id": 7}', "[" * 9000])
def test_what_cannot_be_read_is_no_intent(tmp_path: Path, text: str) -> None:
    (tmp_path / "intents").mkdir()
    (tmp_path / "intents/0badcafe").write_text(text)
    assert active(str(tmp_path), "0badcafe") is None
