"""Edits of JSON text: what we put in comes out again, and nothing else moves."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jackline.install import jsontext
from jackline.install.fault import InstallError
from jackline.install.jsontext import Document, Node

VALUE = {"type": "command", "command": "[ -x '/a b' ] && é \"q\"", "timeout": 15}


def read(text: str) -> Document:
    return jsontext.parse(text, "settings.json")


def at(document: Document, *keys: str) -> Node:
    node = document.root
    assert node is not None
    for key in keys:
        below = node.get(key)
        assert below is not None
        node = below
    return node


SHAPES = {
    "two spaces": '{\n  "model": "opus",\n  "list": [\n    {\n      "a": 1\n    }\n  ]\n}\n',
    "four spaces, no end": '{\n    "list": [\n        1,\n        2\n    ]\n}',
    "tabs": '{\n\t"list": [\n\t\t1\n\t]\n}\n',
    "crlf": '{\r\n  "list": [\r\n    1\r\n  ]\r\n}\r\n',
    "one line": '{"list": [1, 2], "b": {}}',
    "minified": '{"list":[1],"b":2}\n',
    "trailing commas": '{\n  "list": [\n    1,\n    2,\n  ],\n}\n',
    "comments": '// top\n{\n  /* a */ "list": [ // b\n    1, // c\n    2 // d\n    //f\n  ] /* g */\n  // h\n}\n// i\n',
    "comment with commas": '{"list": [\n  "//", /* , */ "/*" // ],\n]}',
    "odd indents": '{ "list":\n   [ 1\n   , 2\n   ]\n}',
    "list of lists": '{"list": [[1,\n2], [3]]}',
    "blank lines": '\n\n{\n\n  "list": [\n\n    1\n\n  ]\n\n}\n\n',
}


@pytest.mark.parametrize("text", SHAPES.values(), ids=SHAPES)
def test_what_is_appended_comes_out_to_the_byte(text: str) -> None:
    document = read(text)
    before = at(document).value()
    added, _ = jsontext.apply(document, jsontext.append(document, at(document, "list"), "", VALUE))
    assert at(added, "list").value() == [*before["list"], VALUE]
    taken, _ = jsontext.apply(added, jsontext.remove(added, at(added, "list"), len(before["list"])))
    assert taken.text == text


@pytest.mark.parametrize("text", SHAPES.values(), ids=SHAPES)
def test_a_new_key_comes_out_to_the_byte(text: str) -> None:
    document = read(text)
    added, _ = jsontext.apply(document, jsontext.append(document, at(document), "hooks", {"Stop": [VALUE]}))
    assert at(added).value() == {**at(document).value(), "hooks": {"Stop": [VALUE]}}
    taken, _ = jsontext.apply(added, jsontext.remove(added, at(added), len(at(added).members) - 1))
    assert taken.text == text


@pytest.mark.parametrize("text", ["{}", "{ }\n", "{\n}\n", '{"list": [], "b": 1}', "{\n  // only a comment\n}\n"])
def test_undo_of_a_first_member_is_exact(text: str) -> None:
    document = read(text)
    added, undo = jsontext.apply(document, jsontext.append(document, at(document), "hooks", {"Stop": [VALUE]}))
    assert at(added, "hooks").value() == {"Stop": [VALUE]}
    back, _ = jsontext.apply(added, [])
    for start, end, new in undo:
        back = back._replace(text=back.text[:start] + new + back.text[end:])
    assert back.text == text


def test_the_style_of_the_file_is_kept() -> None:
    document = read('{\r\n\t"list": [\r\n\t\t1\r\n\t]\r\n}\r\n')
    added, _ = jsontext.apply(document, jsontext.append(document, at(document), "hooks", {"Stop": [{"a": 1}]}))
    assert added.text == (
        '{\r\n\t"list": [\r\n\t\t1\r\n\t],\r\n\t"hooks": {\r\n\t\t"Stop": [\r\n\t\t\t{\r\n\t\t\t\t"a": 1\r\n\t\t\t}'
        "\r\n\t\t]\r\n\t}\r\n}\r\n"
    )


def test_a_line_comment_stays_with_its_line() -> None:
    document = read('{\n  "a": 1 // mine\n}\n')
    added, _ = jsontext.apply(document, jsontext.append(document, at(document), "b", 2))
    assert added.text == '{\n  "a": 1, // mine\n  "b": 2\n}\n'


def test_the_middle_one_of_three_leaves_its_neighbours_alone() -> None:
    document = read('{"list": [\n  1, // one\n  2, // two\n  3 // three\n]}')
    taken, _ = jsontext.apply(document, jsontext.remove(document, at(document, "list"), 1))
    assert taken.text == '{"list": [\n  1, // one\n // two\n  3 // three\n]}'


BROKEN = {
    "not closed": ('{"a": 1', "settings.json:1:8", "expected a comma or '}', found 'the end of the file'"),
    "no colon": ('{\n  "a" 1}', "settings.json:2:7", "expected a colon after the key"),
    "single quotes": ("{'a': 1}", "settings.json:1:2", "expected a string in double quotes"),
    "no value": ('{"a": }', "settings.json:1:7", "expected a value, found '}'"),
    "a word": ('{"a": yes}', "settings.json:1:7", "expected a value, found 'yes'"),
    "two values": ("{} {}", "settings.json:1:4", "more text after the end of the value"),
    "open comment": ("{} /* a", "settings.json:1:4", "a comment is not closed"),
    "no comma": ("[1 2]", "settings.json:1:4", "expected a comma or ']', found '2'"),
    "bare comma": ("[,]", "settings.json:1:2", "expected a value, found ','"),
    "deep": ("[" * 5000, "settings.json:1:202", "nested deeper than 200"),
    "bad escape": (r'{"\q": 1}', "settings.json:1:2", "a string with a broken escape"),
}


@pytest.mark.parametrize(("text", "where", "what"), BROKEN.values(), ids=BROKEN)
def test_broken_json_is_refused_with_its_place(text: str, where: str, what: str) -> None:
    with pytest.raises(InstallError) as refused:
        read(text)
    assert (refused.value.where, refused.value.what) == (where, what)
    assert refused.value.cure


def test_bytes_that_are_no_text_are_refused() -> None:
    with pytest.raises(InstallError, match="not UTF-8 at byte 1"):
        jsontext.decode(b'"\xff"', "x")


def test_a_byte_order_mark_is_kept() -> None:
    data = b'\xef\xbb\xbf{"a": 1}'
    assert jsontext.encode(jsontext.decode(data, "x")) == data


def test_the_last_of_two_equal_keys_counts() -> None:
    assert at(read('{"a": 1, "a": 2}'), "a").value() == 2


plain = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda below: st.lists(below, max_size=4) | st.dictionaries(st.text(max_size=5), below, max_size=4),
    max_leaves=12,
)
gap = st.sampled_from(["", " ", "\n", "\n  ", "\r\n\t", " /* c, ] */ ", " // x } ,\n", "\n\n    "])


@st.composite
def written(draw: st.DrawFn, value: Any) -> str:
    """A value as somebody might have written it: blanks, comments and trailing commas anywhere."""
    if isinstance(value, dict | list):
        parts = []
        for key in value:
            name = json.dumps(key) + draw(gap) + ":" + draw(gap) if isinstance(value, dict) else ""
            item = value[key] if isinstance(value, dict) else key
            parts.append(draw(gap) + name + draw(written(item)) + draw(gap))
        comma = bool(parts) and draw(st.sampled_from([True, False]))
        inside = ",".join(parts) + ("," if comma else "") + (draw(gap) if comma or not parts else "")
        return "{" + inside + "}" if isinstance(value, dict) else "[" + inside + "]"
    return json.dumps(value, ensure_ascii=draw(st.booleans()))


files = st.dictionaries(st.text(max_size=5), plain, max_size=4).flatmap(
    lambda value: st.tuples(st.just(value), written(value))
)


@given(files, gap, gap)
def test_any_file_reads_as_it_was_meant(file: tuple[dict[str, Any], str], before: str, after: str) -> None:
    value, text = file
    assert at(read(before + text + after)).value() == value


@given(files, plain, st.data())
def test_any_edit_changes_just_that_and_can_be_undone(
    file: tuple[dict[str, Any], str], new: Any, data: st.DataObject
) -> None:
    value, text = file
    document = read(text)
    key = data.draw(st.text(min_size=1, max_size=5).filter(lambda key: key not in value))
    added, undo = jsontext.apply(document, jsontext.append(document, at(document), key, new))
    assert at(added).value() == {**value, key: new}
    back = added.text
    for start, end, old in undo:
        back = back[:start] + old + back[end:]
    assert back == text
    index = data.draw(st.integers(0, len(value)))
    taken, _ = jsontext.apply(added, jsontext.remove(added, at(added), index))
    assert (
        list(at(taken).value().items())
        == [*value.items(), (key, new)][:index] + [*value.items(), (key, new)][index + 1 :]
    )


@given(files, plain)
def test_what_is_appended_to_any_file_with_members_comes_out_to_the_byte(
    file: tuple[dict[str, Any], str], new: Any
) -> None:
    value, text = file
    if not value or "k" in value:
        return
    document = read(text)
    added, _ = jsontext.apply(document, jsontext.append(document, at(document), "k", new))
    taken, _ = jsontext.apply(added, jsontext.remove(added, at(added), len(value)))
    assert taken.text == text
