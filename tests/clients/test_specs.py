"""What a client is stands in one file of data, and nowhere else."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import Any

import pytest

import jackline
from jackline.clients import specs
from jackline.clients.codecs import CODECS
from jackline.clients.grades import GUARANTEES
from jackline.clients.signs import SHAPES
from jackline.compiler import derived
from jackline.install import dialect
from jackline.model import EVENTS, KINDS

PACKAGE = Path(jackline.__file__).parent
SPECS = list(specs.SPECS.values())
INSTALLED = [one for one in SPECS if one.installed]
MOST = 150
"""Lines of a spec: a client is data, and nothing besides."""

WORDS = ("deny", "ask", "approve", "both", "context", "note")


def names(value: Any) -> Any:
    return getattr(value, "name", None)


@pytest.mark.parametrize("client", specs.MODULES)
def test_a_spec_is_one_short_file_without_functions(client: str) -> None:
    path = PACKAGE.parent / (specs.MODULES[client].replace(".", "/") + ".py")
    assert path.stem == client.replace("-", "_")
    assert len(path.read_text().splitlines()) <= MOST
    tree = ast.parse(path.read_text())
    assert not [one for one in ast.walk(tree) if isinstance(one, (ast.FunctionDef, ast.ClassDef, ast.Lambda))]


@pytest.mark.parametrize("spec", SPECS, ids=names)
def test_a_spec_says_what_the_form_allows(spec: Any) -> None:
    assert set(spec.events) <= set(EVENTS)
    assert {word for at in spec.events.values() for word in at.can.split()} <= set(WORDS)
    assert {at.rewrite for at in spec.events.values()} <= {"", "replace", "merge"}
    assert {kind for kind, *_ in spec.tools.values()} <= set(KINDS) - {"mcp", "other"}
    assert set(spec.grades) <= set(GUARANTEES) and {"sub-agents", "failure"} <= set(spec.grades)
    assert set(spec.native.values()) <= set(EVENTS)
    assert spec.form in ("", *CODECS)
    assert {name for names in spec.known_as.values() for name in names.split()} <= set(spec.tools)
    assert spec.version and spec.sources


@pytest.mark.parametrize("spec", INSTALLED, ids=names)
def test_entries_are_written_for_events_that_the_client_or_its_neighbours_have(spec: Any) -> None:
    spoken = dialect.of(spec.dialect)
    heard = {event for one in INSTALLED if one.dialect == spec.dialect for event in one.events}
    assert {bound.canonical for bound in spoken.events.values()} <= heard
    assert set(spoken.written.clamps) <= set(spoken.events)
    assert "user" in spoken.written.files


@pytest.mark.parametrize("spec", INSTALLED, ids=names)
def test_a_line_before_a_tool_is_known_as_such(spec: Any) -> None:
    """It refuses by itself where the door is dead. Where events are spelt otherwise that takes `canonical`."""
    spoken = dialect.of(spec.dialect)
    words = {bound.canonical: spoken.word(event).partition(".")[0] for event, bound in spoken.events.items()}
    for event in {"PreToolUse", "SessionStart"} & words.keys():
        assert words[event] == event, f"{event} is passed on as {words[event]}: set `canonical` in `installed`"


def test_the_names_that_clients_go_by_are_each_ones_own() -> None:
    said = [name for one in SPECS for name in (one.name, *one.aliases)]
    assert len(said) == len(set(said))
    executables = [name for one in SPECS for name in one.signs.executables]
    assert len(executables) == len(set(executables))
    shapes = SHAPES.split("\n")
    assert len(shapes) == len(set(shapes))
    assert [one.dialect for one in INSTALLED if one.signs.default] == list(specs.DIALECTS)


def test_two_clients_of_a_dialect_mean_the_same_by_one_name_of_a_tool() -> None:
    """A call may come to us by the other's configuration, and be told apart too late."""
    for name in specs.DIALECTS:
        found: dict[str, Any] = {}
        for one in specs.speakers(name):
            for tool, row in one.tools.items():
                assert found.setdefault(tool, row) == row, (name, tool)


# --- what the bundle holds --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("module", sorted(derived.DERIVED))
def test_the_bundle_holds_values_as_the_specs_say_them(module: str) -> None:
    made: dict[str, Any] = {}
    exec(compile(derived.tree(module), module, "exec"), made)
    held = {name: value for name, value in made.items() if name.isupper()}
    told = vars(__import__(module, None, None, ["*"]))
    assert held and held == {name: told[name] for name in held}
    assert {"TOOLS", "WIRE"} <= held.keys() or module in derived.TABLES


@pytest.mark.parametrize("value", [{1, 2}, ["a"], b"a", object(), {"a": ["b"]}, (1, {2})])
def test_what_cannot_be_written_as_it_is_read_is_no_literal(value: object) -> None:
    assert not derived.is_literal(value)


# --- nowhere else -----------------------------------------------------------------------------------------------------

EXCEPTIONS = {
    "cli/hook.py": "an example in its help",
    "cli/init.py": "an example in its help",
    "cli/check.py": "writes a payload of its own, in the field names that most clients took over",
    "cli/clients.py": "an example in its help",
    "cli/try_.py": "an example in its help",
    "cli/uninstall.py": "an example in its help",
    "features/command_guard/services.py": "a rule about the programs themselves",
    "features/self_protect/processes.py": "an entry as it runs, to try patterns on",
    "features/self_protect/unknown.py": "names of programs that our folder of links may have",
    "install/conditions/claude_code.py": "asks a person to start the program",
    "install/conditions/codex.py": "asks a person to start the program",
    "install/conditions/codex_app.py": "starts the program, and asks it",
    "install/conditions/github.py": "two clients share a file: who of them it is for",
}
NAMED = re.compile(
    rf"(?<![\w./$~-])({'|'.join([*specs.SPECS, *[p for one in SPECS for p in one.signs.executables]])})(?![\w-])"
)
OTHER_MEANINGS = re.compile(r"(?<![\w.-])code\b|\bmath pi\b")


def _literals(path: Path) -> list[str]:
    tree = ast.parse(path.read_text())
    told = {id(one.value) for one in ast.walk(tree) if isinstance(one, ast.Expr)}  # documentation
    found = [one for one in ast.walk(tree) if isinstance(one, ast.Constant) and id(one) not in told]
    return [one.value for one in found if isinstance(one.value, str)]


def test_no_other_file_names_a_client() -> None:
    """But those whose reason stands beside them; and each of these still has it."""
    found = set()
    for path in sorted(PACKAGE.rglob("*.py")):
        inner = str(path.relative_to(PACKAGE))
        texts = [OTHER_MEANINGS.sub("", text) for text in _literals(path)]
        if not inner.startswith("clients/") and any(NAMED.search(text) for text in texts):
            found.add(inner)
    assert found == EXCEPTIONS.keys()
