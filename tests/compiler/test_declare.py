"""Declarations are read from literals; whatever else stands there is named with its line, and never run."""

from __future__ import annotations

from pathlib import Path

import pytest

from jackline import features
from jackline.builtin import BUILTIN, REWRITE_OWNER
from jackline.compiler.cache import Kept
from jackline.compiler.declare import declared
from jackline.compiler.declared import Declared
from jackline.compiler.discover import builtin
from jackline.compiler.fault import Fault
from jackline.compiler.prepare import Part, prepare
from jackline.compiler.registry import BUILT_IN, KNOWN, folder_of, reader_of
from jackline.sdk import hook


def faults(text: str) -> list[str]:
    found = declared(text.encode(), "f/hook.py")
    assert isinstance(found, list)
    return [str(fault) for fault in found]


def test_a_whole_declaration() -> None:
    text = """
from jackline import sdk
@sdk.hook(name="a-b", supports=("Stop", "PreToolUse"), priority=-3, hot_path_safe=False, critical=True,
          tools=["kind:shell", "Edit"], imports=["yaml"], runner="forked")
def judge(event, ctx): ...
"""
    assert declared(text.encode(), "f/hook.py") == Declared(
        "a-b", ("PreToolUse", "Stop"), -3, False, True, ("Edit", "kind:shell"), ("yaml",), "forked", "judge", 3
    )


def test_defaults_are_those_of_the_decorator() -> None:
    import inspect

    found = declared(b'@hook(name="a", supports=["Stop"])\ndef handle(event, ctx): ...', "f/hook.py")
    assert isinstance(found, Declared)
    for name, parameter in inspect.signature(hook).parameters.items():
        if parameter.default is not inspect.Parameter.empty:
            assert getattr(found, name) == parameter.default


ONE = "def handle(event, ctx): ...\n"
BAD = [
    ("def handle(event, ctx): ...", ["f/hook.py:1 · expected one function decorated with @hook(...), got none"]),
    (
        '@hook(name="a", supports=["Stop"])\n' + ONE + '@hook(name="b", supports=["Stop"])\n' + ONE,
        ["got handle, handle"],
    ),
    ("@hook\n" + ONE, ["f/hook.py:2 · expected @hook(...) with arguments, got @hook"]),
    ('@hook("a", supports=["Stop"], name="a")\n' + ONE, ["f/hook.py:1 · expected arguments by name, got 'a'"]),
    ('@hook(supports=["Stop"])\n' + ONE, ["f/hook.py:1 · name: expected the feature's name in quotes, got nothing"]),
    ('@hook(name="a")\n' + ONE, ['supports: expected a list of events, got nothing · write: supports=["PreToolUse"]']),
    (
        'NAME = "a"\n@hook(name=NAME, supports=["Stop"])\n' + ONE,
        [
            "f/hook.py:2 · name: expected the feature's name in quotes written out (the code is not run to find it), "
            'got NAME · write: name="my-feature"'
        ],
    ),
    ('@hook(name="a", supports=[*EVENTS])\n' + ONE, ["supports: expected a list of events written out"]),
    ('@hook(name="a", supports="Stop")\n' + ONE, ["f/hook.py:1 · supports: expected a list of events, got 'Stop'"]),
    ('@hook(name="a", supports=["PreTooluse"])\n' + ONE, ['got "PreTooluse" · write: "PreToolUse"']),
    ('@hook(name="a", supports=["Stop"], priority="high")\n' + ONE, ["priority: expected a whole number, got 'high'"]),
    ('@hook(name="a", supports=["Stop"], priority=True)\n' + ONE, ["priority: expected a whole number, got True"]),
    ('@hook(name="a", supports=["Stop"], critcal=True)\n' + ONE, ['got "critcal" · write: critical=False']),
    ('@hook(name="a", supports=["Stop"], hotPathSafe=True)\n' + ONE, ["write: hot_path_safe=True"]),
    ('@hook(name="a", supports=["Stop"], **more)\n' + ONE, ["got **more"]),
    ('@hook(name="a", supports=["Stop"], runner="thread")\n' + ONE, ['runner: expected "inline" or "forked"']),
    (
        '@hook(name="a", supports=["Stop"])\nasync def handle(event, ctx): ...',
        ["expected a plain function, got an async"],
    ),
    ('@hook(name="a", supports=["Stop"])\ndef handle(event): ...', ["handle: expected two parameters, got (event)"]),
    ("def broken(:\n", ["f/hook.py:1 · expected Python, got invalid syntax at column 12"]),
    ("x = '\0'", ["f/hook.py"]),
    ("(" * 5000, ["f/hook.py"]),
    ("-" * 100_000 + "1", ["f/hook.py"]),
    ("x = [" * 300 + "]" * 300, ["f/hook.py"]),
]


@pytest.mark.parametrize(("text", "said"), BAD)
def test_what_is_wrong_is_named(text: str, said: list[str]) -> None:
    found = faults(text)
    assert len(found) == len(said)
    for one, part in zip(found, said, strict=True):
        assert part in one


def test_bytes_that_are_no_python() -> None:
    for data in (b"\xff\xfe\x00", b"# -*- coding: nonsense -*-\n", b"\x00"):
        found = declared(data, "f/hook.py")
        assert isinstance(found, list) and found[0].where.startswith("f/hook.py")


def test_several_faults_are_told_together() -> None:
    found = faults('@hook(name=1, supports=["Nope"], prio=3)\nasync def handle(e, c): ...')
    assert [one.split(" · ")[1].split(":")[0] for one in found] == ["handle", "name", "supports", "prio"]


def test_reading_runs_nothing(tmp_path: Path) -> None:
    mark = tmp_path / "ran"
    text = f"""
open({str(mark)!r}, "w")
@hook(name="a", supports=["Stop"], priority=open({str(mark)!r}, "w").fileno())
def handle(event, ctx): ...
"""
    assert "priority: expected a whole number written out" in faults(text)[0]
    assert not mark.exists()


def parts() -> list[Part]:
    made = [prepare(found, found.slug, Kept()) for found in builtin()]
    assert all(isinstance(one, Part) for one in made), made
    return [one for one in made if isinstance(one, Part)]


def test_the_table_is_what_the_folders_declare() -> None:
    """Written by `scripts/features`; a folder that is in no table would never run."""
    said = {one.name: one for one in [part.declared for part in parts()]}
    assert [one._replace(line=0) for one in said.values()] == [*BUILT_IN]
    folders = {path.parent.name for path in Path(features.__path__[0]).glob("*/hook.py")}
    assert folders == {folder_of(one.name) for one in BUILT_IN}


def test_one_feature_owns_rewrites_and_one_reads_each_file() -> None:
    assert [one.name for one in BUILT_IN if one.rewrite_owner] == [REWRITE_OWNER]
    read = [file for one in BUILT_IN for file in one.reads]
    assert len(read) == len({*read}) and all(reader_of(file) for file in read)


def test_a_built_in_feature_has_its_place_in_the_order() -> None:
    assert [*KNOWN] == sorted(KNOWN, key=lambda slug: (KNOWN[slug].priority, slug))
    assert {slug for slug, known in KNOWN.items() if known.here} == {one.name for one in BUILT_IN}
    assert {slug for slug, known in KNOWN.items() if known.on} == {one["name"] for one in BUILTIN}


def test_a_feature_is_called_as_its_folder_is() -> None:
    found = next(builtin())._replace(slug="another")
    wrong = prepare(found, "x", Kept())
    assert isinstance(wrong, list) and isinstance(wrong[0], Fault)
    assert wrong[0].expected == '"another", as its folder is called'
