"""Nothing that could deceive a reader reaches a terminal, whichever way it is printed."""

from __future__ import annotations

import ast
import io
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import jackline.cli
from jackline import unicode_escape
from jackline.cli.parts.printer import THEME, Printer, clean, foreign, table, text

CLI = Path(jackline.cli.__file__).parent


def printed(width: int = 60) -> tuple[Printer, io.StringIO]:
    stream = io.StringIO()
    return Printer(stream, width=width), stream


def deceives(letter: str) -> bool:
    return unicodedata.category(letter) in unicode_escape.DECEIVING and letter != "\n"


CASES = {
    "escape": ("\x1b[2J", "\\x1b[2J"),
    "bell": ("\a", "\\x07"),
    "delete": ("\x7f", "\\x7f"),
    "csi": ("\x9b31m", "\\x9b31m"),
    "newline": ("a\nb", "a\\nb"),
    "return": ("a\rb", "a\\rb"),
    "tab": ("a\tb", "a\\tb"),
    "bidi override": ("a\u202eb", "a\\u202eb"),
    "bidi isolate": ("\u2066x\u2069", "\\u2066x\\u2069"),
    "arabic mark": ("\u061c", "\\u061c"),
    "zero width space": ("a\u200bb", "a\\u200bb"),
    "joiner": ("\u200d", "\\u200d"),
    "byte order mark": ("\ufeff", "\\ufeff"),
    "soft hyphen": ("\xad", "\\xad"),
    "line separator": ("\u2028", "\\u2028"),
    "tag": ("\U000e0041", "\\U000e0041"),
    "variation selector": ("a\ufe01", "a\\ufe01"),
    "supplement selector": ("\U000e0100", "\\U000e0100"),
    "hangul filler": ("\u3164", "\\u3164"),
    "grapheme joiner": ("\u034f", "\\u034f"),
    "braille blank": ("\u2800", "\\u2800"),
    "lone surrogate": ("\ud800", "\\ud800"),
    "private use": ("\ue000", "\\ue000"),
    "plain": ("grep -r 'ü' ./später", "grep -r 'ü' ./später"),
    "other scripts": ("日本語 عربي", "日本語 عربي"),
}


@pytest.mark.parametrize(("given_text", "shown"), CASES.values(), ids=list(CASES))
def test_what_could_deceive_is_shown_by_its_number(given_text: str, shown: str) -> None:
    assert clean(given_text) == shown
    assert foreign(given_text).plain == shown


@given(st.text())
def test_nothing_hidden_is_left(told: str) -> None:
    assert not any(deceives(letter) for letter in clean(told))
    assert "\n" not in clean(told)
    assert not any(deceives(letter) for letter in clean(told, lines=True))
    assert clean(clean(told)) == clean(told)
    assert foreign(told).plain == clean(told)


@given(st.text())
def test_no_way_of_printing_goes_round_it(told: str) -> None:
    from rich.text import Text

    out, stream = printed()
    out.line(told, (told, "name"))
    out.heading(told, told)
    out.show(table([told[:20], {"header": "x"}], [(told, told)]))
    out.show(Text(told))
    out.whole(Text(told))
    out.data({told: told})
    out.datum([told])
    assert not any(deceives(letter) for letter in stream.getvalue())


def test_foreign_text_is_no_markup() -> None:
    out, stream = printed()
    out.line("[bold red]x[/] :smile: https://example.org")
    assert stream.getvalue() == "[bold red]x[/] :smile: https://example.org\n"


def test_lines_keep_their_ends_and_tabs_become_blanks() -> None:
    assert clean("a\n\tb\x1b", lines=True) == "a\n    b\\x1b"


def test_no_colour_where_there_is_no_terminal() -> None:
    out, stream = printed()
    out.line(("deny", "deny"), (" x", "name"))
    assert stream.getvalue() == "deny x\n"


def test_what_was_escaped_is_marked() -> None:
    made = text(("a\x1bb", "name"))
    assert [(made.plain[span.start : span.end], span.style) for span in made.spans if span.style == "escape"] == [
        ("\\x1b", "escape")
    ]
    assert "escape" in THEME.styles


PRINTING = {"print", "echo", "secho", "Console"}
ALLOWED = {
    ("completion.py", "echo"),  # click's own script, nothing foreign
    ("printer.py", "Console"),
    ("printer.py", "print"),
}


def test_nobody_else_in_the_room_prints() -> None:
    """A command that wrote to a terminal itself would go round the printer."""
    found = set()
    for path in sorted(CLI.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call):
                name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
                if name in PRINTING:
                    found.add((path.name, name))
    assert found == ALLOWED
