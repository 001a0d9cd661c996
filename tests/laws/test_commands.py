"""A command is its file: every file of `cli` declares one, and what is derived from the declarations holds."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import jackline.cli
from jackline.cli.parts.verb import GROUPS, Verb, human_only, module_of, verbs
from jackline.features.self_protect.human_only import HUMAN_ONLY
from jackline.features.self_protect.verbs import JUDGES, person_verb

CLI = Path(jackline.cli.__path__[0])
REPO = CLI.parents[2]
PYTHONS_OWN = {"__init__.py", "__main__.py"}
DOOR = ("hook",)
"""Commands that no person types either."""


def test_the_folder_shows_commands_and_nothing_else() -> None:
    files = {path.name for path in CLI.iterdir() if path.name != "__pycache__"} - PYTHONS_OWN
    assert files == {f"{module_of(name).rpartition('.')[2]}.py" for name in verbs()} | {"parts"}


@pytest.mark.parametrize("name", verbs())
def test_what_is_read_of_a_file_is_what_it_declares(name: str) -> None:
    """The application reads the text; Python itself says the same."""
    module = __import__(module_of(name), fromlist=["VERB"])
    assert isinstance(module.VERB, Verb)
    assert verbs()[name] == module.VERB
    assert set(module.VERB.ways().values()) <= {"open", "human-only", "clients"}
    assert "" in module.VERB.ways()


def test_the_order_of_the_help_is_declared() -> None:
    """Two commands of one group have no place in common, so that no file's name decides."""
    places = [(verb.group, verb.order) for verb in verbs().values()]
    assert len(set(places)) == len(places)
    assert [verb.group for verb in verbs().values()] == sorted(
        [verb.group for verb in verbs().values()], key=GROUPS.index
    )


def test_the_guard_knows_what_is_declared() -> None:
    """`scripts/verbs` writes it: what judges an agent's call imports no command."""
    done = subprocess.run([sys.executable, REPO / "scripts/verbs", "--check"], capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def spelled(way: str) -> list[str]:
    """A way to call a command, as an agent would."""
    words = way.partition(" (")[0].split()
    return [*words, "IN_PROGRESS"] if words == ["intents", "status"] else words


@pytest.mark.parametrize("way", [*human_only(), *DOOR])
def test_an_agent_is_refused_what_is_a_persons(way: str) -> None:
    words = spelled(way)
    itself = way.startswith("init ")  # nothing tells from outside whether an entry would change
    assert bool(person_verb(words)) is not itself
    assert not person_verb([*words, "--help"])


def test_every_condition_has_a_judge() -> None:
    judged = {words for words, more in HUMAN_ONLY.items() if more and not more.startswith("--")}
    assert judged == set(JUDGES)


def test_whoever_asks_for_a_person_says_so_in_the_declaration() -> None:
    """What is given to `person.require` and `person.allowed` is a way that some command declares to be human-only."""
    asked = {
        node.args[1].value
        for path in CLI.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
        and isinstance(node.func.value, ast.Name) and node.func.value.id == "person"
        and len(node.args) > 1 and isinstance(node.args[1], ast.Constant)
    }  # fmt: skip
    assert "gc" in asked
    assert asked <= {way.partition(" (")[0] for way in human_only()}
