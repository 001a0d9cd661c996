"""The managed block in somebody else's text: there once, found again, gone without a trace."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jackline.install.textblock import BOM, END, START, body, has, put, take_out

LINES = st.sampled_from(
    ["", "# Title", "text", "  ", "```", "~~~", "- item", "<!-- a comment -->", "jackline:start", "\u00e4\udcff"]
)
TEXTS = st.builds(
    lambda lines, end, last, mark: mark + end.join(lines) + (end if last and lines else ""),
    *(st.lists(LINES, max_size=8), st.sampled_from(["\n", "\r\n"]), st.booleans(), st.sampled_from(["", BOM])),
)
BODIES = st.lists(
    st.sampled_from(["Rule one.", "```\ncode\n```", "a\n\nb", START, f"x {END} y", "<!--jackline:END-->"]), min_size=1
).map(body)


def closed(text: str) -> bool:
    """Whether no fence stays open in a text: behind one, nothing is a mark."""
    return text.count("```") % 2 == 0 == text.count("~~~") % 2 and not ("```" in text and "~~~" in text)


@given(TEXTS.filter(closed), BODIES, BODIES)
def test_put_and_taken_out_leaves_every_byte(text: str, first: str, second: str) -> None:
    once = put(text, first)
    assert put(once.text, first, first).text == once.text
    twice = put(once.text, second, first)
    assert put(once.text, first).text == put(twice.text, first, second).text
    assert take_out(twice.text, once.gap, second) == text


@given(TEXTS.filter(closed), TEXTS, BODIES, BODIES)
def test_edits_around_it_stay(before: str, after: str, first: str, second: str) -> None:
    """Whatever a person writes before and behind the block is there afterwards, whatever the block then holds."""
    made = put(before, first)
    after = "\n" + after.removeprefix(BOM)
    changed = put(made.text + after, second, first).text
    assert changed.endswith(after)
    assert changed.startswith(before)
    assert changed.count(START) == changed.count(END) == 1
    left = take_out(changed, made.gap, second)
    assert not has(left) or not closed(before)
    assert left.startswith(before)
    assert left.rstrip("\r\n").endswith(after.rstrip("\r\n").lstrip("\r\n"))


CASES = {
    "an empty file": ("", "A", f"{START}\nA\n{END}\n"),
    "a file with text": ("# T\n", "A", f"# T\n\n{START}\nA\n{END}\n"),
    "no newline at the end": ("# T", "A", f"# T\n\n{START}\nA\n{END}"),
    "a blank line is there": ("# T\n\n", "A", f"# T\n\n{START}\nA\n{END}\n"),
    "other line endings": ("# T\r\n", "A\nB", f"# T\r\n\r\n{START}\r\nA\r\nB\r\n{END}\r\n"),
    "a byte order mark alone": (BOM, "A", f"{BOM}{START}\nA\n{END}\n"),
    "an older block": (f"x\n{START}\nold\n{END}\ny\n", "A", f"x\n{START}\nA\n{END}\ny\n"),
    "an older block first": (f"{BOM}{START}\r\nold\r\n{END}\r\ny\r\n", "A", f"{BOM}{START}\r\nA\r\n{END}\r\ny\r\n"),
    "blocks twice": (f"{START}\na\n{END}\nx\n\n{START}\nb\n{END}\ny\n", "A", f"{START}\nA\n{END}\nx\ny\n"),
    "an end alone": (f"x\n{END}\ny\n", "A", f"x\n{START}\nA\n{END}\ny\n"),
    "a lost end": (f"x\n{START}\nold\ny\n", "A", f"x\n{START}\nA\n{END}\ny\n"),
    "an example": (
        f"```\n{START}\n{END}\n```\n",
        "A",
        f"```\n{START}\n{END}\n```\n\n{START}\nA\n{END}\n",
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_cases(name: str) -> None:
    text, inner, wanted = CASES[name]
    assert put(text, inner, "old").text == wanted


def test_marks_inside_a_body_are_none() -> None:
    made = body([f"read {START}\n{END}", "\n\nB\n"])
    assert made == "read <!-- jackline-start -->\n<!-- jackline-end -->\n\nB"
    text = put("", made).text
    assert (text.count(START), text.count(END)) == (1, 1)
    assert take_out(text, "", made) == ""


def test_texts_are_kept_as_they_are() -> None:
    """No pattern of a replacement is read in them."""
    inner = body([r"$& \1 \g<0> $' %s {0}"])
    assert inner == r"$& \1 \g<0> $' %s {0}"
    assert inner in put("x\n", inner).text
