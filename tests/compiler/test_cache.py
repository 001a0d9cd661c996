"""What earlier compiles made is taken as it is, and not a byte of any hook table is another for it."""

from __future__ import annotations

import ast
import builtins
import json
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from jackline.compiler import cache, trust
from jackline.compiler.write import Compiled, compile_table, publish
from jackline.hook_table import HookSpec, first_line, unpack

from .project import Project

NAMES = ("guard", "house", "later")
SOURCES = (
    """from jackline.sdk import deny, hook
from .words import WORDS
@hook(name="{name}", supports=["PreToolUse"], priority=7, tools=["Bash"])
def handle(event, ctx):
    return deny(WORDS)
""",
    """from jackline.sdk import hook, note
@hook(name="{name}", supports=["Stop", "PreCompact"])
def answer(event, ctx):
    return note("{name}", "x" * 3)
""",
    """from jackline.sdk import hook
@hook(name="{name}", supports=["Stop"], priority="late")
def handle(event, ctx): ...
""",
    "def handle(:\n",
)
"""Two that compile, one that declares nonsense, one that is no Python."""

KNOBS = {
    "type": "object",
    "additionalProperties": False,
    "properties": {"most": {"type": "integer", "x-tighten": "less"}, "places": {"type": "array"}},
}

edits = st.one_of(
    st.tuples(st.just("source"), st.sampled_from(NAMES), st.integers(0, 3)),
    st.tuples(st.just("words"), st.sampled_from(NAMES), st.sampled_from(["'no'", "'never'", "[1, {'a': ('b',)}]"])),
    st.tuples(st.just("defaults"), st.sampled_from(NAMES), st.sampled_from(['{"most": 3}', '{"most": "x"}', "{"])),
    st.tuples(st.just("knobs"), st.sampled_from(NAMES), st.booleans()),
    st.tuples(st.just("set"), st.sampled_from(NAMES), st.sampled_from([{"most": 2}, {"most": []}, {"places": ["a"]}])),
    st.tuples(st.just("off"), st.sampled_from(NAMES), st.booleans()),
    st.tuples(st.just("rename"), st.sampled_from(NAMES), st.sampled_from(NAMES)),
    st.tuples(st.just("remove"), st.sampled_from(NAMES), st.none()),
    st.tuples(st.just("distrust"), st.none(), st.none()),
    st.tuples(st.just("damage"), st.integers(0, 5000), st.integers(1, 255)),
)


def edit(project: Project, what: str, name: Any, value: Any) -> None:
    folder = project.hooks / "features" / str(name)
    if what == "source":
        project.write(f"features/{name}/words.py", "WORDS = 'no'\n")
        project.write(f"features/{name}/hook.py", SOURCES[value].format(name=name))
    elif what == "words":
        project.write(f"features/{name}/words.py", f"WORDS = {value}\n")
    elif what == "defaults":
        project.write(f"features/{name}/defaults.json", value)
    elif what == "knobs":
        project.write(f"features/{name}/knobs.schema.json", KNOBS if value else "{}")
    elif what == "set":
        project.write("config.json", {name: value})
    elif what == "off":
        project.manifest({"version": 1, "modules": {name: {"enabled": value}}})
    elif what == "rename" and folder.is_dir() and not (folder.parent / value).exists():
        folder.rename(folder.parent / value)
    elif what == "remove":
        for path in folder.glob("*"):
            path.unlink()
    elif what == "damage":
        for path in (project.store / "wirings").glob("*.parts"):
            data = bytearray(path.read_bytes())
            data[name % len(data)] ^= value
            path.write_bytes(data)


def compiled(project: Project, *, again: bool) -> Compiled:
    return compile_table(str(project.root), str(project.store), **project.options, again=again)


def shown(made: Compiled) -> tuple[Any, ...]:
    """Everything a compile tells, but for its time."""
    found = unpack(made.data)
    assert found is not None
    return found[1], made.faults, made.warnings, made.table.digest, sorted(made.pieces.used)


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(edits, min_size=1, max_size=10))
def test_after_any_edits_it_is_what_a_whole_compile_makes(steps: list[tuple[str, Any, Any]]) -> None:
    with tempfile.TemporaryDirectory() as place:
        project = Project(Path(place).resolve())
        edit(project, "source", "guard", 0)
        for step in (("knobs", "guard", True), *steps):
            edit(project, *step)
            if step[0] != "distrust":
                project.trust()
            else:
                trust.distrust(str(project.store), str(project.root), "person")
            whole, quick = compiled(project, again=False), compiled(project, again=True)
            assert shown(quick) == shown(whole)
            publish(quick, str(project.store))


def rich(project: Project) -> Path:
    """A project with three features, compiled and published; the file beside its hook table."""
    for at, name in enumerate(NAMES):
        edit(project, "source", name, at % 2)
        edit(project, "knobs", name, True)
        edit(project, "defaults", name, '{"most": 3}')
    project.trust()
    project.publish()
    return Path(cache.kept_path(str(project.store), project.compile().slot))


def watched(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What is parsed and compiled from now on."""
    said: list[str] = []
    parse, compile_code = ast.parse, builtins.compile

    def parsed(source: Any, where: Any = "", *args: Any, **named: Any) -> Any:
        said.append(f"parse {where}")
        return parse(source, where, *args, **named)

    def made(source: Any, where: Any, mode: Any, *args: Any, **named: Any) -> Any:
        if named.get("optimize") == 2:
            said.append(f"compile {where}")
        return compile_code(source, where, mode, *args, **named)

    monkeypatch.setattr(ast, "parse", parsed)
    monkeypatch.setattr(builtins, "compile", made)
    return said


def test_only_what_changed_is_parsed_and_compiled(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    rich(project)
    edit(project, "words", "guard", "'never'")
    project.trust()
    said = watched(monkeypatch)
    made = compiled(project, again=True)
    assert said == ["compile .ai/hooks/features/guard/words.py"]
    assert not made.faults
    publish(made, str(project.store))
    edit(project, "source", "house", 0)
    project.trust()
    del said[:]
    compiled(project, again=True)
    place = ".ai/hooks/features/house"
    assert said == [f"parse {place}/hook.py", f"compile {place}/hook.py"]


def test_a_person_compiles_from_nothing(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    rich(project)
    said = watched(monkeypatch)
    compiled(project, again=False)
    assert len([one for one in said if one.startswith("compile .ai/")]) == 9  # with an empty __init__ each
    assert len([one for one in said if one.startswith("parse .ai/")]) == 3


@pytest.mark.parametrize("damage", ["cut", "flipped", "empty", "other build", "missing", "no pieces"])
def test_a_damaged_or_foreign_file_holds_nothing(
    project: Project, monkeypatch: pytest.MonkeyPatch, damage: str
) -> None:
    path = rich(project)
    data = path.read_bytes()
    assert cache.read(str(project.store), path.stem).before
    if damage == "cut":
        path.write_bytes(data[:-7])
    elif damage == "flipped":
        path.write_bytes(data[:-40] + bytes([data[-40] ^ 1]) + data[-39:])
    elif damage == "empty":
        path.write_bytes(b"")
    elif damage == "other build":
        path.write_bytes(first_line("0.0") + data.partition(b"\n")[2])
    elif damage == "missing":
        path.unlink()
    else:
        path.write_bytes(project.compile().data)  # sealed, but a hook table
    assert cache.read(str(project.store), path.stem).before == {}
    whole = shown(project.compile())
    said = watched(monkeypatch)
    assert shown(compiled(project, again=True)) == whole
    assert len(said) >= 12


def test_what_is_not_used_goes(project: Project) -> None:
    path = rich(project)
    before = path.stat().st_size
    edit(project, "remove", "later", None)
    project.trust()
    publish(compiled(project, again=True), str(project.store))
    assert path.stat().st_size < before
    publish(compiled(project, again=True), str(project.store))
    assert path.stat().st_mode & 0o777 == 0o600


def test_nothing_new_is_not_written(project: Project) -> None:
    path = rich(project)
    before = path.stat().st_ino, path.stat().st_mtime_ns
    publish(compiled(project, again=True), str(project.store))
    assert (path.stat().st_ino, path.stat().st_mtime_ns) == before


def test_of_an_untrusted_project_nothing_is_kept(project: Project) -> None:
    edit(project, "source", "guard", 0)
    made = compiled(project, again=True)
    project.trust()
    trusted = compiled(project, again=True)
    assert not made.table.trusted
    assert made.pieces.used.keys() < trusted.pieces.used.keys()


def test_the_same_source_elsewhere_tells_its_own_place(project: Project) -> None:
    """The place is in the code object, for tracebacks: it goes into the key."""
    edit(project, "source", "guard", 0)
    edit(project, "source", "house", 0)
    project.trust()
    row = compiled(project, again=True).table.row("house")
    assert isinstance(row, HookSpec)
    assert {name: b"features/house/" in code for name, code in row.codes} == {name: True for name, _ in row.codes}


def test_knobs_that_no_longer_fit_are_told(project: Project) -> None:
    """A change of configuration alone: the row is another one, and is checked."""
    rich(project)
    project.write("config.json", {"guard": {"most": "many"}})
    project.trust()
    whole, quick = project.compile(), compiled(project, again=True)
    assert quick.faults == whole.faults
    assert "most" in json.dumps([str(one) for one in quick.faults])
