"""Faults of JSON files name their line."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jackline.compiler.fault import Fault
from jackline.compiler.places import lines_of, places

from .project import Project

TEXT = """{
  "a": {"b": [1,
    {"c": "x\\"{[,"}],
  "d": 2},
  "e":
    3
}"""


def test_every_key_and_item_has_its_line() -> None:
    assert places(TEXT) == {"": 1, "a": 2, "a.b": 2, "a.b[0]": 2, "a.b[1]": 3, "a.b[1].c": 3, "a.d": 4, "e": 5}


def test_a_missing_key_has_the_line_of_what_should_hold_it() -> None:
    faults = [Fault(path, "x", "y", where="f") for path in ("a.b[1].nope", "nope", "e")]
    assert [fault.where for fault in lines_of(TEXT, faults)] == ["f:3", "f:1", "f:5"]


VALUES = st.recursive(
    st.none() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("abc"), inner, max_size=3),
    max_leaves=10,
)


def paths(value: object, path: str = "") -> list[str]:
    found = [path]
    if isinstance(value, dict):
        for key, inner in value.items():
            found += paths(inner, f"{path}.{key}" if path else key)
    elif isinstance(value, list):
        for at, inner in enumerate(value):
            found += paths(inner, f"{path}[{at}]")
    return found


@settings(max_examples=150, deadline=None, database=None)
@given(VALUES, st.sampled_from([None, 1]))
def test_every_path_of_any_document_is_found(value: object, indent: int | None) -> None:
    assert set(paths(value)) <= set(places(json.dumps(value, indent=indent))) | {""}


BROKEN = [
    (
        '{"a": 1,}',
        ":1 · expected JSON, got illegal trailing comma before end of object at column 8 · write: no comma",
    ),
    (
        '{\n  "a": 1\n  "b": 2}',
        ":3 · expected JSON, got expecting ',' delimiter at column 3 · write: a comma",
    ),
    (
        '{\n  "a": [1 ,\n ]}',
        ":2 · expected JSON, got illegal trailing comma before end of array at column 11 · write: no comma",
    ),
    ('{"a": [1,,]}', ":1 · expected JSON, got expecting value at column 10 · write: a value"),
    ("{'a': 1}", ":1 · expected JSON, got expecting property name"),
    ('{"a": tru}', ":1 · expected JSON, got expecting value at column 7 · write: a value: JSON has no comments"),
    ('{} {"a": 1}', ":1 · expected JSON, got extra data at column 4 · write: one object only"),
    ('{"a": "x\ny"}', ":1 · expected JSON, got invalid control character at"),
    ("", ":1 · expected JSON, got expecting value at column 1"),
    ('{"mode": NaN}', " · expected JSON, got NaN is not JSON"),
    ('{\n\n  "mode": "loud"}', ":3 · mode: expected one of"),
    ("[]", ":1 · expected an object, got []"),
    ('"text"', ':1 · expected an object, got "text"'),
]


@pytest.mark.parametrize(("text", "said"), BROKEN)
def test_what_is_no_manifest(project: Project, text: str, said: str) -> None:
    project.write("dispatch.manifest.json", text)
    faults = project.compile().faults
    assert len(faults) == 1
    assert str(faults[0]).startswith(f".ai/hooks/dispatch.manifest.json{said}")


def test_bytes_that_are_no_text(project: Project) -> None:
    project.hooks.mkdir(parents=True)
    (project.hooks / "config.json").write_bytes(b'{"a": "\xff\xfe"}')
    assert [str(fault) for fault in project.compile().faults] == [
        ".ai/hooks/config.json · expected UTF-8, got byte 0xff at 7 · write: the file as UTF-8"
    ]
    (project.hooks / "config.json").write_bytes(b'\xef\xbb\xbf{"session": {}}')
    assert project.compile().faults == ()
