"""Requests, words and uses in the store: each is claimed once, and a code stands in no file."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import Any

import pytest

from jackline.store import approvals, grants
from jackline.store.approvals import LIFE_MS, Request, Word

NOW = 1_740_700_000_000


def request(name: str = "0a1b2c", **fields: Any) -> Request:
    made = {
        "id": name, "salt": "5a17", "born": NOW, "until": NOW + LIFE_MS, "sid": "0badcafe", "client": "codex",
        "root": "/r", "cwd": "/r", "agent": "u00", "turn": 3, "tool": "Bash", "kind": "shell", "subject": "rm x",
        "binds": approvals.BINDS,
        "reason": "what\nrule\nsafer", "mark": "m", "rules": "r", "files": {"/r/x": "d"}, "by": ("command-guard",),
        "affected": ("x",), "preview": ("-a", "+b"),
    }  # fmt: skip
    return Request(**{**made, **fields})


@pytest.fixture
def store(tmp_path: Path) -> str:
    folder = tmp_path / "jackline"
    folder.mkdir(mode=0o700)
    return str(folder)


def test_a_request_comes_back_whole(store: str) -> None:
    assert approvals.ask(store, request())
    assert approvals.requests(store) == [request()]
    assert approvals.load(store, "0a1b2c") == request()
    assert not approvals.ask(store, request())  # the id is taken
    folder = Path(store) / "approvals"
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert {stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()} == {0o600}


@pytest.mark.parametrize("name", ["", "../key", "0A1B2C", "0a1b2", "0a1b2cd", "zzzzzz"])
def test_nothing_foreign_becomes_a_path(store: str, name: str) -> None:
    approvals.ask(store, request())
    assert approvals.load(store, name) is None


def test_what_cannot_be_read_is_no_request(store: str) -> None:
    approvals.ask(store, request())
    folder = Path(store) / "approvals"
    (folder / "111111.ask").write_text("{")
    (folder / "222222.ask").write_text('{"v": 9}')
    (folder / "333333.ask").write_text('{"v": 1, "id": "333333"}')
    (folder / "444444.ask").symlink_to(folder / "0a1b2c.ask")
    assert [one.id for one in approvals.requests(store)] == ["0a1b2c"]


def test_the_first_word_counts(store: str) -> None:
    approvals.ask(store, request())
    assert approvals.say(store, "0a1b2c", Word("reject", "person", NOW, 3, "no"))
    assert not approvals.say(store, "0a1b2c", Word("approve", "person", NOW))
    assert approvals.word(store, "0a1b2c") == Word("reject", "person", NOW, 3, "no")


@pytest.mark.parametrize(
    ("steps", "at", "standing"),
    [
        ((), 0, "waiting"),
        ((), LIFE_MS, "expired"),
        (("wrong", "wrong"), 0, "waiting"),
        (("wrong", "wrong", "wrong"), 0, "locked"),
        (("reject",), LIFE_MS * 9, "rejected"),
        (("approve",), LIFE_MS - 1, "approved"),
        (("approve",), LIFE_MS, "expired"),
        (("approve", "spend"), 0, "used"),
        (("approve", "take back"), 0, "ended"),
        (("session",), LIFE_MS * 99, "approved"),
        (("session", "spend"), 0, "approved"),
        (("session", "take back"), 0, "ended"),
    ],
    ids=str,
)
def test_standing(store: str, steps: tuple[str, ...], at: int, standing: str) -> None:
    asked = request()
    approvals.ask(store, asked)
    for step in steps:
        if step == "wrong":
            approvals.wrong(store, [asked], NOW)
        elif step == "spend":
            approvals.spend(store, asked.id, "call", NOW)
        elif step == "take back":
            assert approvals.take_back(store, asked.id, "session" if "session" in steps else "once", NOW)
        else:
            scope = "session" if step == "session" else "once"
            approvals.say(store, asked.id, Word("reject" if step == "reject" else "approve", "p", NOW, scope=scope))
    assert approvals.standing(store, asked, NOW + at) == standing


def test_what_was_used_is_not_taken_back(store: str) -> None:
    approvals.ask(store, request())
    approvals.say(store, "0a1b2c", Word("approve", "p", NOW))
    assert approvals.spend(store, "0a1b2c", "call", NOW)
    assert not approvals.take_back(store, "0a1b2c", "once", NOW)


def test_wrong_codes_count_against_all_that_waits(store: str) -> None:
    both = [request(), request("9f8e7d")]
    for one in both:
        approvals.ask(store, one)
    assert approvals.wrong(store, both[:1], NOW) == 2
    assert approvals.wrong(store, both, NOW) == 1
    assert approvals.wrong(store, both, NOW) == 0
    assert [approvals.standing(store, one, NOW) for one in both] == ["locked", "waiting"]


def test_a_code_is_of_one_request_in_one_store(store: str, tmp_path: Path) -> None:
    first, second = request(), request("9f8e7d")
    code = approvals.code(store, first)
    assert code == approvals.code(store, first)
    assert len({code, approvals.code(store, second), approvals.code(store, request(salt="0"))}) == 3
    assert code != approvals.code(str(tmp_path / "another"), first)
    assert len(code) == 7
    assert set(code) <= {*approvals.LETTERS, "-"}
    assert approvals.by_code(store, code.lower().replace("-", " "), [second, first]) == first
    assert approvals.by_code(store, code, [second]) is None
    assert approvals.by_code(store, "", [first]) is None


@pytest.mark.parametrize(
    ("text", "plain"),
    [("bcd-fgh", "BCDFGH"), ("BCDFGH", "BCDFGH"), ("bcd fgh", "BCDFGH"), ("abcdef", ""), ("BCDFG", ""), ("0a1b2c", "")],
)
def test_plain(text: str, plain: str) -> None:
    assert approvals.plain(text) == plain


def test_an_id_never_looks_like_a_code() -> None:
    for _ in range(200):
        made = approvals.fresh_id(os.urandom)
        assert len(made) == 6
        assert approvals.plain(made) == ""


def test_old_requests_are_swept_with_all_that_became_of_them(store: str) -> None:
    old, kept, lasting = request("0a1b2c"), request("9f8e7d", born=NOW + 2), request("5c5c5c")
    for one in (old, kept, lasting):
        approvals.ask(store, one)
    approvals.say(store, old.id, Word("approve", "p", NOW))
    approvals.spend(store, old.id, "call", NOW)
    approvals.say(store, lasting.id, Word("approve", "p", NOW, scope="session"))
    approvals.sweep(store, NOW + approvals.KEPT_MS)
    assert approvals.requests(store) == [lasting, kept]
    assert not [path for path in (Path(store) / "approvals").iterdir() if path.name.startswith(old.id)]
    grants.forget(store, "0badcafe")
    assert approvals.requests(store) == []


def test_who_asks_without_end_fills_no_store(store: str) -> None:
    """What waits, holds or was rejected stays; of the rest the newest."""
    rejected = request("00000f", born=NOW - 2)
    held = request("00000e", born=NOW - 1, until=NOW)
    for one in (rejected, held):
        approvals.ask(store, one)
    approvals.say(store, rejected.id, Word("reject", "p", NOW))
    approvals.say(store, held.id, Word("approve", "p", NOW, scope="session"))
    for number in range(approvals.MOST + 5):
        approvals.ask(store, request(f"{number + 0x100:06x}", born=NOW + number, until=NOW + LIFE_MS))
    approvals.sweep(store, NOW + LIFE_MS - 1)
    assert len(approvals.requests(store)) == approvals.MOST + 7, "all of them wait"
    approvals.sweep(store, NOW + LIFE_MS)
    left = approvals.requests(store)
    assert left[:2] == [rejected, held]
    assert [one.born for one in left[2:]] == [NOW + number for number in range(5, approvals.MOST + 5)]


@pytest.mark.parametrize(
    ("now", "changed"),
    [
        ({"/r/x": "d"}, ()),
        ({"/r/x": "e"}, ("/r/x",)),
        ({}, ("/r/x",)),
        ({"/r/x": "d", "/r/y": "-"}, ("/r/y",)),
    ],
)
def test_changed_files(now: dict[str, str], changed: tuple[str, ...]) -> None:
    assert grants.changed_files(request(), now) == changed


def test_a_no_lasts_for_its_turn(store: str) -> None:
    asked = request(turn=3)
    approvals.ask(store, asked)
    approvals.say(store, asked.id, Word("reject", "p", NOW, turn=4))
    assert grants.rejection(store, [asked], 3) is not None
    assert grants.rejection(store, [asked], 4) is not None
    assert grants.rejection(store, [asked], 5) is None
