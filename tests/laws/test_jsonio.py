"""Laws of JSON in and out: the standard library's results and errors, without its import."""

from __future__ import annotations

import json
import math
import subprocess
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jackline import jsonio
from scene import BASE

TEXT = st.text(st.characters(codec=None, categories=None), max_size=20)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXT,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=4),
    max_leaves=15,
)
PIECES = st.sampled_from(
    ["{", "}", "[", "]", ",", ":", '"', '"a"', "1", "-", "0", "1e9", "1E400", "true", "null", "nul", "NaN", "Infinity",
     "-Infinity", " ", "\n", "\t", "\r", "\\", "\\u", '"\\ud800"', '"\x01"', "\ufeff", "\u00a0", "\x00", "'a'", "//",
     "01", "1.", ".5", "+1", "\u2028", '"\\x"', "9" * 5000]
)  # fmt: skip
DOCUMENTS = st.lists(PIECES, max_size=8).map("".join)


def outcome(loads: Any, text: str) -> tuple[str, str]:
    """A value, or the kind of error, as something that can be compared (NaN is not itself)."""
    try:
        return "value", repr(loads(text))
    except (ValueError, RecursionError) as fault:
        return "fault", type(fault).__name__


def library(text: str) -> Any:
    """`json.loads` without the three words that are no JSON."""

    def refuse(name: str) -> Any:
        raise ValueError(name)

    return json.loads(text, parse_constant=refuse)


@given(value=VALUES, indent=st.sampled_from((None, 0, 2)), ascii_only=st.booleans())
def test_every_document_reads_as_with_the_library(value: Any, indent: int | None, ascii_only: bool) -> None:
    text = json.dumps(value, indent=indent, ensure_ascii=ascii_only)
    assert jsonio.loads(text) == value
    assert repr(jsonio.loads(text)) == repr(library(text))


@given(text=DOCUMENTS | TEXT)
def test_what_is_no_document_fails_as_with_the_library(text: str) -> None:
    assert outcome(jsonio.loads, text) == outcome(library, text)


@given(value=VALUES)
def test_what_is_written_is_compact_ascii_and_reads_back(value: Any) -> None:
    text = jsonio.dumps(value)
    assert text == json.dumps(value, separators=(",", ":"))
    assert text.isascii()
    assert "\n" not in text
    assert jsonio.loads(text) == value


@given(value=VALUES)
def test_slow_and_quick_roads_agree(value: Any) -> None:
    """An interpreter without CPython's scanner takes the library."""
    quick = jsonio.dumps(value)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(jsonio, "make_scanner", None)
        assert jsonio.dumps(value) == quick
        assert jsonio.loads(quick) == value


@pytest.mark.parametrize("value", [{1, 2}, b"x", object(), {"a": 1j}, {("a",): 1}, [print]])
def test_foreign_types_are_refused(value: Any) -> None:
    with pytest.raises(TypeError):
        jsonio.dumps(value)


@pytest.mark.parametrize("value", [math.nan, math.inf, [-math.inf]])
def test_numbers_that_json_has_not_are_refused(value: Any) -> None:
    with pytest.raises(ValueError, match="JSON compliant"):
        jsonio.dumps(value)


def test_a_circle_is_refused() -> None:
    circle: list[Any] = []
    circle.append(circle)
    with pytest.raises(ValueError, match="Circular"):
        jsonio.dumps(circle)


@pytest.mark.parametrize("opening", ["[", '{"a":', '[{"b":'])
@pytest.mark.parametrize("extra", [-1, 0, 1, 100_000])
def test_depth_has_a_limit_and_ends_nothing(opening: str, extra: int) -> None:
    per = opening.count("[") + opening.count("{")
    depth = jsonio.MAX_DEPTH // per + extra
    text = opening * depth + "1" + "".join({"[": "]", "{": "}"}[c] for c in reversed(opening) if c in "[{") * depth
    if extra <= 0:
        assert jsonio.loads(text) == json.loads(text)
    else:
        with pytest.raises(ValueError, match="nested"):
            jsonio.loads(text)


@given(quoted=st.text('[]{}\\"a', max_size=40), count=st.integers(0, 900))
def test_brackets_inside_texts_are_no_depth(quoted: str, count: int) -> None:
    value = [quoted + "[{" * count]
    assert jsonio.loads(json.dumps(value)) == value


def test_equal_keys_the_last_wins_as_with_the_library() -> None:
    text = '{"a":1,"b":2,"a":3}'
    assert jsonio.loads(text) == json.loads(text) == {"a": 3, "b": 2}


def test_reading_and_writing_import_nothing() -> None:
    script = (
        "import sys; sys.path.insert(0, sys.argv[1]); from jackline import jsonio; before = set(sys.modules)\n"
        "assert jsonio.loads(jsonio.dumps({'a': [1, 2.5, None, 'x']})) == {'a': [1, 2.5, None, 'x']}\n"
        "print(sorted(set(sys.modules) - before), 'json' in sys.modules, 're' in sys.modules)"
    )
    src = jsonio.__file__.rpartition("/jackline/")[0]
    done = subprocess.run([BASE, "-I", "-S", "-c", script, src], capture_output=True, text=True, check=True)
    assert done.stdout == "[] False False\n"
