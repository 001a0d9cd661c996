"""A prompt and a file say the same words, however each writes them."""

from __future__ import annotations

import pytest

from jackline.services.retrieval import words


@pytest.mark.parametrize(
    ("identifier", "found"),
    [
        ("getUserNames", ["get", "user", "nam", "getusernames"]),
        ("get_user_names", ["get", "user", "nam", "getusernames"]),
        ("HTTPServer2", ["http", "serv", "2", "httpserver2"]),
        ("__init__", ["init"]),
        ("caching", ["cach"]),
        ("cached", ["cach"]),
        ("caches", ["cach"]),
        ("dependencies", ["dependency"]),
        ("status", ["status"]),
        ("planned", ["plan"]),
        ("_", []),
        ("größe", ["größ"]),
        ("x" * 65, []),
    ],
)
def test_an_identifier_has_parts_and_a_whole(identifier: str, found: list[str]) -> None:
    assert words.split(identifier) == found


def test_a_prompt_has_words_that_tell_and_words_for_names() -> None:
    assert words.query("Fix the new_parser\nand the parsers of use") == words.Query(
        telling=("new", "pars", "newparser"),
        first=("new", "pars", "newparser"),
        every=("fix", "new", "pars", "newparser", "use"),
    )
    assert words.query("one\n\ntwo").first == ("one",)


def test_a_prompt_that_says_nothing_looks_for_nothing() -> None:
    assert words.query("it is, was it? …") == ((), (), ())


def test_a_word_counts_so_often_and_no_more() -> None:
    assert words.text("a b a a", most=2) == "a a b"
