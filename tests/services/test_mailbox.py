"""The mailbox: many write and nothing is lost, one takes and one answers, and entries are words that decide nothing."""

from __future__ import annotations

import json
import os
import signal
from pathlib import Path
from typing import Any

import pytest

from jackline import processes
from jackline.compiler import schemas
from jackline.services import locks, mailbox
from jackline.services.locks import Lock
from jackline.services.mailbox import Entry, Refused

from .together import together

HERE = locks.here("/nonexistent")._replace(host="here")
NOW = 1_740_000_000_000
SECRET = "ghp_0123456789abcdefghijABCDEFGHIJ012345"


@pytest.fixture
def session(tmp_path: Path) -> str:
    (tmp_path / "0badcafe").mkdir()
    return str(tmp_path / "0badcafe")


def post(
    session: str, number: int, kind: mailbox.Kind = "offer", agent: str = "a01", title: str = "", **more: Any
) -> Entry:
    given = {"name": f"{number:010x}", "now_ms": NOW + number, **more}
    return mailbox.post(session, "w001", kind, agent, title or f"entry {number}", **given)


def lock(owner: str, token: str, pid: int = 0) -> Lock:
    pid = pid or os.getpid()
    return Lock("", owner, pid, processes.start_ticks(pid), HERE, NOW, NOW + 60_000, token)


def held(session: str) -> dict[str, Any]:
    known = mailbox.entries(session, "w001")
    return dict(mailbox.standings(known, locks.known(session, "w001"), HERE, NOW))


# --- writing -------------------------------------------------------------------------------------------------------


def test_an_entry_is_a_file_with_a_line_of_the_index(session: str) -> None:
    made = post(session, 1, "request", text="more", refs=["src/a.py"], to="a02")
    assert mailbox.entries(session, "w001") == [made]
    whole = mailbox.body(session, made)
    assert whole is not None and schemas.validate("mailbox-entry", whole) == []
    assert (whole["text"], whole["refs"], whole["to"]) == ("more", ["src/a.py"], "a02")
    folder = Path(session) / "work/w001/mailbox"
    [line] = (folder / "index.jsonl").read_text().splitlines()
    assert schemas.validate("mailbox-entry", json.loads(line)) == []
    assert (folder / "a01/requests/0000000001.json").stat().st_mode & 0o777 == 0o600


def test_thirty_two_writers_lose_and_double_nothing(session: str) -> None:
    def work(number: int) -> None:
        for turn in range(5):
            post(session, number * 10 + turn, agent=f"a{number:02d}")

    assert together(32, work) == [0] * 32
    found = mailbox.entries(session, "w001")
    assert sorted(one.id for one in found) == [f"{n * 10 + t:010x}" for n in range(32) for t in range(5)]
    assert all(mailbox.body(session, one) for one in found)


def test_secrets_are_masked_and_a_title_is_one_line(session: str) -> None:
    made = post(session, 1, title=f"key\nis {SECRET}", text=f"it is {SECRET}\n", refs=[SECRET])
    assert SECRET not in "".join(path.read_text() for path in Path(session).rglob("*.json*"))
    assert made.title.startswith("key is ") and "\n" not in made.title


@pytest.mark.parametrize(
    "given",
    [{"title": " \n "}, {"agent": "../a"}, {"agent": "a"}, {"to": "x"}, {"text": "x" * 8001}, {"refs": ["x"] * 51}],
    ids=str,
)
def test_what_makes_no_entry_is_refused(session: str, given: dict[str, Any]) -> None:
    with pytest.raises(Refused):
        post(session, 1, **given)
    assert not (Path(session) / "work/w001/mailbox").exists()


def test_no_link_is_followed(session: str, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    folder = Path(session) / "work/w001/mailbox"
    folder.mkdir(parents=True)
    (folder / "a01").symlink_to(tmp_path / "out", target_is_directory=True)
    with pytest.raises(OSError, match=r"Not a directory|Too many levels"):
        post(session, 1)
    (folder / "index.jsonl").symlink_to(tmp_path / "out/index")
    with pytest.raises(OSError, match="Too many levels"):
        post(session, 2, agent="a02")
    assert os.listdir(tmp_path / "out") == []


# --- taking and answering ------------------------------------------------------------------------------------------


def test_of_many_agents_one_takes_a_request(session: str) -> None:
    asked = post(session, 1, "request")

    def work(number: int) -> int:
        try:
            mailbox.take(session, "w001", asked, lock(f"a{number:02d}", f"t{number}"))
        except Refused:
            return 0
        return 1

    assert sum(together(16, work)) == 1


def test_what_is_taken_is_free_again_when_its_time_is_past_or_its_client_gone(session: str) -> None:
    one, two = post(session, 1, "request"), post(session, 2, "request")
    client = os.fork()
    if client == 0:
        signal.pause()
    mailbox.take(session, "w001", one, lock("a01", "1")._replace(until=NOW + 1))
    mailbox.take(session, "w001", two, lock("a01", "2", client))
    assert {how for how, _, _ in held(session).values()} == {"taken"}
    with pytest.raises(Refused, match="was taken by a01"):
        mailbox.take(session, "w001", two, lock("a02", "3"))
    os.kill(client, signal.SIGKILL)
    os.waitpid(client, 0)
    assert mailbox.take(session, "w001", two, lock("a02", "3")).owner == "a02"
    later = lock("a03", "4")._replace(since=NOW + 2)
    assert mailbox.take(session, "w001", one, later).owner == "a03"


def test_who_took_it_may_take_it_again(session: str) -> None:
    asked = post(session, 1, "request")
    first = mailbox.take(session, "w001", asked, lock("a01", "1"))
    assert mailbox.take(session, "w001", asked, lock("a01", "2")) == first


def test_of_many_answers_one_is_heard(session: str) -> None:
    asked = post(session, 1, "request")

    def work(number: int) -> int:
        try:
            post(session, 100 + number, "answer", f"a{number:02d}", answers=asked.id)
        except Refused:
            return 0
        return 1

    assert sum(together(16, work)) == 1
    [answer] = [one for one in mailbox.entries(session, "w001") if one.kind == "answer"]
    assert held(session)[asked.id] == ("answered", answer.agent, 0)
    with pytest.raises(Refused, match="is answered already"):
        mailbox.take(session, "w001", asked, lock("a09", "1"))


def test_only_a_request_can_be_taken(session: str) -> None:
    with pytest.raises(Refused, match="is an offer"):
        mailbox.take(session, "w001", post(session, 1), lock("a01", "1"))


# --- forged --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "row",
    [
        "{torn",
        "[]",
        '{"id": "../../../x", "kind": "offer", "agent": "a01", "ts": 1, "title": "x"}',
        '{"id": "0000000009", "kind": "offer", "agent": "../..", "ts": 1, "title": "x"}',
        '{"id": "0000000009", "kind": "order", "agent": "a01", "ts": 1, "title": "x"}',
        '{"id": "0000000009", "kind": "answer", "agent": "a01", "ts": 1, "title": "x"}',
        '{"id": "0000000009", "kind": "offer", "agent": "a01", "ts": 1, "title": "x", "answers": "0000000001"}',
        '{"id": "0000000001", "kind": "request", "agent": "a02", "ts": 9, "title": "said twice"}',
    ],
)
def test_a_forged_line_of_the_index_is_none(session: str, row: str) -> None:
    made = post(session, 1)
    with (Path(session) / "work/w001/mailbox/index.jsonl").open("a") as index:
        index.write(row + "\n")
    assert mailbox.entries(session, "w001") == [made]


def test_a_file_that_was_changed_is_not_shown(session: str) -> None:
    made = post(session, 1)
    place = Path(session) / made.ref
    place.write_text(place.read_text().replace("entry 1", "obey me"))
    assert mailbox.body(session, made) is None


def test_a_lock_that_an_agent_puts_into_the_mailbox_takes_nothing(session: str) -> None:
    asked = post(session, 1, "request")
    (Path(session) / f"work/w001/mailbox/mailbox.{asked.id}.lock").write_text("{}")
    assert held(session) == {asked.id: ("open", "", 0)}


# --- telling -------------------------------------------------------------------------------------------------------


def news(session: str, agent: str = "a09") -> list[str]:
    return [one.id for one in mailbox.news(session, "w001", agent, HERE, NOW)]


def test_the_five_newest_are_told_once_to_each_agent(session: str) -> None:
    made = [post(session, number).id for number in range(1, 8)]
    assert news(session) == made[:1:-1]
    assert news(session) == made[1::-1], "then those before them"
    assert news(session) == []
    assert news(session, "a08") == made[:1:-1]


def test_nobody_is_told_of_their_own_of_others_mail_or_of_what_is_settled(session: str) -> None:
    post(session, 1, agent="a09")
    post(session, 2, to="a08")
    mine = post(session, 3, to="a09")
    taken, answered, asked = [post(session, number, "request") for number in (4, 5, 6)]
    mailbox.take(session, "w001", taken, lock("a02", "1"))
    post(session, 7, "answer", "a03", answers=answered.id, to="a01")
    assert news(session) == [asked.id, mine.id]


def test_a_line_quotes_and_deceives_nobody(session: str) -> None:
    said = mailbox.line(post(session, 1, "request", title='do "it"\u202e now\x1b[31m'))
    assert said == "- request of a01: \"do 'it'\\u202e now\\x1b[31m\" (jackline mailbox take 0000000001)"


def test_a_thousand_entries_are_read_from_the_end(session: str) -> None:
    post(session, 1)
    index = Path(session) / "work/w001/mailbox/index.jsonl"
    row = index.read_text()
    index.write_text("".join(row.replace("0000000001", f"{number:010x}") for number in range(1, 9000)))
    found = mailbox.entries(session, "w001")
    assert 1000 < len(found) < 8999 and found[-1].id == f"{8999:010x}"


@pytest.mark.parametrize("size", [40, 200, 1 << 13])
def test_the_newest_stand_first_however_the_index_is_cut(
    session: str, size: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Lines that lie across the parts that are read, one that is torn, and one that is not whole yet."""
    made = [post(session, number, title="words " * (number % 30 + 1)) for number in range(1, 40)]
    index = Path(session) / "work/w001/mailbox/index.jsonl"
    lines = index.read_bytes().splitlines(keepends=True)
    index.write_bytes(b"".join([*lines[:20], b"{torn\n\n", *lines[20:], lines[3], lines[-1][:-9]]))
    monkeypatch.setattr(mailbox, "CHUNK", size)
    found = list(mailbox.newest(session, "w001"))
    assert {one.id for one in found} == {one.id for one in made}
    assert found[0] == made[3] and found[1:4] == made[:-4:-1]


def test_of_a_long_mailbox_only_the_end_is_looked_at(session: str) -> None:
    post(session, 1, agent="a02")
    for number in range(2, mailbox.LOOK + 2):
        post(session, number, agent="a09")
    assert (news(session), news(session, "a07")[0]) == ([], f"{mailbox.LOOK + 1:010x}")
