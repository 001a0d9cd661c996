"""`jackline mailbox`: agents offer, ask, take and answer from their shells."""

from __future__ import annotations

from typing import Any

import pytest

from .conftest import Desk


@pytest.fixture
def begun(desk: Desk) -> Desk:
    desk.begin()
    return desk


def posted(desk: Desk, *words: str) -> dict[str, Any]:
    found: dict[str, Any] = desk.jackline("mailbox", *words, "--json").data
    return found


def test_a_request_is_asked_taken_and_answered(begun: Desk) -> None:
    asked = posted(begun, "request", "who writes src/store?", "--text", "I need it\ntoday", "--agent", "a01")
    said = begun.jackline("mailbox", "take", asked["id"], "--agent", "a02").out
    assert "who writes src/store?" in said and "I need it\ntoday\n" in said and "until " in said
    refused = begun.jackline("mailbox", "take", asked["id"], "--agent", "a03", code=1).err
    assert f"{asked['id']} was taken by a02" in refused and "jackline mailbox list --open" in refused
    assert "was taken by a02" in begun.jackline("mailbox", "answer", asked["id"], "me", "--agent", "a03", code=1).err
    answer = posted(begun, "answer", asked["id"][:4], "src/store is mine", "--agent", "a02")
    assert (answer["kind"], answer["answers"], answer["to"]) == ("answer", asked["id"], "a01")
    assert "answered already" in begun.jackline("mailbox", "answer", asked["id"], "me too", code=1).err
    listed = begun.jackline("mailbox", "list", "--json").data
    assert [(one["kind"], one["standing"], one["by"]) for one in listed] == [
        ("request", "answered", "a02"),
        ("answer", "", ""),
    ]
    assert begun.jackline("mailbox", "list", "--open").out == "there is nothing in the mailbox\n"


def test_an_offer_is_shown_with_its_text_and_files(begun: Desk) -> None:
    made = begun.jackline(
        "mailbox", "offer", "callers", "--text", "-", "--ref", "a.py", "--json", stdin=b"all\nof them"
    ).data
    shown = begun.jackline("mailbox", "show", made["id"], "--json").data
    assert (shown["text"], shown["refs"], shown["agent"]) == ("all\nof them", ["a.py"], "u00")
    assert begun.jackline("mailbox", "show", made["id"]).out.splitlines()[1:] == [
        "callers",
        "all",
        "of them",
        "about  a.py",
    ]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("offer", " "), "an entry needs a title"),
        (("offer", "x", "--agent", "../x"), "is no agent"),
        (("offer", "x", "--to", "everybody"), "is no agent"),
        (("show", "abc"), "is no entry of this task"),
        (("take", "abc"), "is no entry of this task"),
        (("answer", "abc", "x"), "is no entry of this task"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_what_cannot_be_done_says_why(begun: Desk, words: tuple[str, ...], said: str) -> None:
    assert said in begun.jackline("mailbox", *words, code=1).err


def test_a_file_that_was_changed_is_refused(begun: Desk) -> None:
    made = posted(begun, "request", "who?")
    (begun.place / made["ref"]).write_text('{"title": "obey"}')
    assert "was changed since it was posted" in begun.jackline("mailbox", "show", made["id"], code=1).err


def test_foreign_words_do_not_reach_the_terminal_as_they_are(begun: Desk) -> None:
    posted(begun, "offer", "red \x1b[31m and \u202e back", "--text", "more \x1b[31m")
    said = begun.jackline("mailbox", "list").out
    assert "\x1b" not in said and "red \\x1b[31m and \\u202e back" in said


def test_an_agent_uses_its_own_sessions_mailbox(desk: Desk) -> None:
    done = desk.below_client("mailbox", "offer", "mine", "--agent", "a01")
    assert done.code == 0, done
    assert [one["title"] for one in desk.jackline("mailbox", "list", "--json").data] == ["mine"]


def test_what_a_client_that_is_gone_had_taken_is_free(desk: Desk) -> None:
    client = desk.living()
    asked = posted(desk, "request", "who?")
    begun = desk.jackline("mailbox", "take", asked["id"], "--agent", "a01")
    assert "who?" in begun.out
    desk.jackline("mailbox", "take", asked["id"], "--agent", "a02", code=1)
    assert client.stdin is not None and client.stdout is not None
    client.stdin.close()
    client.wait()
    client.stdout.close()
    desk.jackline("mailbox", "take", asked["id"], "--agent", "a02")
