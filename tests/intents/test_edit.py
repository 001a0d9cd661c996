"""Writing `active_intents.yaml`: comments, order and layout stay, and the result says exactly what was meant."""

from __future__ import annotations

import difflib
from collections.abc import Callable

import pytest

from jackline.intents.document import Intent, document
from jackline.intents.edit import Unwritable, with_globs, with_intent, with_status

from .test_document import WHOLE


def changes(before: bytes, after: bytes) -> list[str]:
    """The lines that went and came."""
    rows = difflib.ndiff(before.decode().splitlines(), after.decode().splitlines())
    return [row for row in rows if row[:1] in "+-"]


def test_a_status_changes_one_line() -> None:
    after = with_status(WHOLE, "INT-001", "COMPLETED")
    assert changes(WHOLE, after) == ["-     status: IN_PROGRESS", "+     status: COMPLETED"]


def test_globs_are_added_below_the_last_one() -> None:
    after = with_globs(WHOLE, "INT-001", ["docs/**", "!docs/old/**", "src/auth/**"])
    assert changes(WHOLE, after) == ['+       - "docs/**"', '+       - "!docs/old/**"']
    found = document(after).find("INT-001")
    assert found is not None and found.scope[-2:] == ("docs/**", "!docs/old/**")


def test_an_intent_is_added_as_the_last_one() -> None:
    made = Intent("INT-003", 'Say "hi"', "PENDING", ("src/hi/**", "!**/*.lock"), ("be kind",))
    after = with_intent(WHOLE, made)
    assert after.startswith(WHOLE) and document(after).faults == ()
    found = document(after).find("INT-003")
    assert found is not None and found._replace(line=0) == made


@pytest.mark.parametrize(
    "text", [b"", b"# only a word\nactive_intents:\n", b"active_intents: []\n", b"active_intents:\n- id: a\n"]
)
def test_the_first_intent_of_a_file(text: bytes) -> None:
    after = with_intent(text, Intent("INT-001", "x", "ACTIVE", ("src/**",)))
    found = document(after)
    assert (found.faults, found.intents[-1].id, found.intents[-1].scope) == ((), "INT-001", ("src/**",))
    assert b"# only a word" not in text or b"# only a word" in after


HEAD = "# one\nactive_intents:\n  - id: a # two\n    status: PENDING\n"

LAYOUTS = {
    "lists at the key": "active_intents:\n- id: a # one\n  status: PENDING # two\n  owned_scope:\n  - x # three\n",
    "flow list": "active_intents:\n  - id: a # one\n    status: 'PENDING' # two\n    owned_scope: [x, y] # three\n",
    "flow intent": "active_intents:\n  # one\n  - {id: a, status: PENDING, owned_scope: [x]} # two\n# three\n",
    "no scope": "# one\nactive_intents:\n  - id: a # two\n    status: PENDING # three\n",
    "one text": "# one\nactive_intents:\n  - id: a # two\n    owned_scope: x # three\n    status: PENDING\n",
    "no status": "# one\nactive_intents:\n  - name: n # two\n    id: a\n    owned_scope:\n      - x # three\n",
    "a scope of two lines": f"{HEAD}    owned_scope:\n      - >-\n        x\n# three\n",
    "not the last part": f"{HEAD}    owned_scope: [x]\nversion: 3 # three\n",
    "a document mark": f"---\n{HEAD}    owned_scope:\n      - x # three\n",
    "no end of line": f"{HEAD}    # three\n    owned_scope:\n      - x",
    "marked": f"\ufeff{HEAD}    owned_scope:\n      - x # three\n",
    "flow list of lines": f"{HEAD}    owned_scope: [\n      x, # three\n      'y'\n    ]\n",
    "flow list with a last comma": f"{HEAD}    owned_scope: [x, y,] # three\n",
    "windows": f"{HEAD}    owned_scope:\n      - x # three\n".replace("\n", "\r\n"),
}


@pytest.mark.parametrize("layout", LAYOUTS.values(), ids=LAYOUTS)
def test_every_layout_keeps_its_comments_and_says_what_was_meant(layout: str) -> None:
    text = layout.encode()
    after = with_status(text, "a", "BLOCKED")
    after = with_globs(after, "a", ["docs/**"])
    after = with_intent(after, Intent("b", "more", "PENDING", ("z",)))
    for word in (b"# one", b"# two", b"# three"):
        assert after.count(word) == text.count(word) == 1
    assert (b"\r\n" in after) is (b"\r\n" in text) and after.count(b"\n") - after.count(b"\r\n") in (
        0,
        after.count(b"\n"),
    )
    assert after[:3] == b"\xef\xbb\xbf" or text[:3] != b"\xef\xbb\xbf"
    first, second = document(after).intents
    assert (first.id, first.status, first.scope[-1], second.scope) == ("a", "BLOCKED", "docs/**", ("z",))
    assert first.scope[:-1] == document(text).intents[0].scope


def test_a_scope_that_intents_share_grows_for_one_alone() -> None:
    text = b"active_intents:\n- id: a\n  owned_scope: &both\n  - x\n- id: b # one\n  owned_scope: *both\n"
    for name, scopes in (("a", [("x", "z"), ("x",)]), ("b", [("x",), ("x", "z")])):
        after = with_globs(text, name, ["z"])
        assert [one.scope for one in document(after).intents] == scopes
        assert b"# one" in after


REFUSED: dict[str, Callable[[], bytes]] = {
    "an unknown intent": lambda: with_status(WHOLE, "INT-009", "BLOCKED"),
    "no YAML": lambda: with_status(b"active_intents: [", "INT-001", "BLOCKED"),
    "two of one id": lambda: with_globs(b"active_intents:\n- id: a\n- id: a\n", "a", ["x"]),
    "an id that is taken": lambda: with_intent(WHOLE, Intent("INT-001")),
    "no text": lambda: with_intent(b"\xff", Intent("INT-001")),
}


@pytest.mark.parametrize("change", REFUSED.values(), ids=REFUSED)
def test_what_cannot_be_changed_is_told(change: Callable[[], bytes]) -> None:
    with pytest.raises(Unwritable, match=r"active_intents\.yaml"):
        change()
