"""Every example of every command runs as it stands in the help, and what a command gives as data has its shape."""

from __future__ import annotations

import importlib
import json
import os
import re
import select
import shlex
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import click
import pytest

from jackline.cli.parts.command import Command, Family
from jackline.cli.parts.shape import fault
from jackline.cli.parts.verb import module_of, verbs
from kept import Kept

from .shown import Shown

SHELL = re.compile(r"[|<>]|\$\(|^[A-Z_]+=")
ENDLESS = ("--watch", "--follow")
"""Options of commands that go on until somebody ends them; of `trust`, `--follow` is another."""
QUIET_S = 0.5
"""For that long says nothing whoever said all there is, and waits for more."""
SILENT = ("jackline", "lock", "run")
"""What says nothing of its own when all is well: its output is the command's that it runs."""
TYPED = {
    "jackline approve 4f1c02": b"y\n",
    "jackline reject 4f1c02": b"y\n",
    "jackline trust --diff": b"n\n",
    "jackline trust .ai/hooks/scripts/lint.sh": b"y\n",
    "jackline trust --watch lint.sh": b"n\n",
    "jackline scripts new": b"event\nMy guard\nStop\npython\n",
}
"""What a person types where only a person at a terminal is asked."""


class Example(NamedTuple):
    """`path`: the command and what stands below it, as the line has them."""

    path: tuple[str, ...]
    command: Command | Family
    line: str

    @property
    def endless(self) -> bool:
        return any(one in self.line.split() for one in ENDLESS) and "origin/main" not in self.line

    def has(self, option: str) -> bool:
        return any(option in param.opts for param in self.command.params)

    def spelled(self, *options: str) -> str:
        """The line with options behind its command."""
        told = " ".join(self.path)
        assert told in self.line
        return self.line.replace(told, " ".join([told, *options]), 1)


def lines(command: click.Command, context: click.Context) -> Iterator[str]:
    """The examples of a command and of all below it."""
    assert isinstance(command, Command | Family)
    yield from [line for line, _ in command.examples]
    if isinstance(command, click.Group):
        for below in command.list_commands(context):
            inner = command.get_command(context, below)
            assert inner is not None
            yield from lines(inner, context)


def example_of(line: str) -> Example:
    """A line with the command that it calls."""
    words = re.split(r"\s+", line[re.search(r"\bjackline ", line).end() :])  # type: ignore[union-attr]
    name = words.pop(0).rstrip(')"')
    command: click.Command = importlib.import_module(module_of(name)).command
    path = ["jackline", name]
    while isinstance(command, click.Group) and words:
        below = command.get_command(click.Context(command), words[0])
        if below is None:
            break
        path.append(words.pop(0))
        command = below
    assert isinstance(command, Command | Family)
    return Example(tuple(path), command, line)


def every() -> list[Example]:
    made: dict[str, Example] = {}
    for name in verbs():
        command = importlib.import_module(module_of(name)).command
        made |= {line: example_of(line) for line in lines(command, click.Context(command))}
    return list(made.values())


EVERY = every()


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory, made_bundle: Path) -> Kept[Shown]:
    return Kept(Shown(tmp_path_factory.mktemp("shown") / "machine", made_bundle))


@pytest.fixture
def machine(kept: Kept[Shown]) -> Shown:
    return kept.ready()


def _hearing() -> None:
    """Who runs these tests in the background may have them ignore an interrupt, and so all they start."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def ended(argv: list[str], machine: Shown) -> str:
    """What a command says that goes on until somebody ends it, once it has said something and then falls silent."""
    child = subprocess.Popen(
        argv, cwd=machine.root, env=machine.env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, start_new_session=True, preexec_fn=_hearing,
    )  # fmt: skip
    try:
        assert child.stdout is not None
        said, waits = b"", 60.0
        while select.select([child.stdout], [], [], waits)[0] and (part := os.read(child.stdout.fileno(), 1 << 16)):
            said, waits = said + part, QUIET_S
        assert said, "nothing in a minute"
        child.send_signal(signal.SIGINT)
        out, err = child.communicate(timeout=60)
        assert b"Traceback" not in err
        return (said + out).decode()
    finally:
        child.kill()
        child.wait()


def run(machine: Shown, example: Example, *options: str) -> str:
    """What an example says on its standard output."""
    if example.has("--yes") and "--yes" not in example.line and example.line not in TYPED:
        options = (*options, "--yes")
    line = example.spelled(*options)
    for word, here in machine.words.items():
        line = line.replace(word, here)
    if example.line in TYPED:
        typed = machine.typed(*shlex.split(line)[1:], keys=TYPED[example.line])
        assert typed.code in (0, 1), (line, typed)
        return typed.out
    if example.endless:
        return ended(machine.command(*shlex.split(line)[1:]), machine)
    if not SHELL.search(line):
        done = machine.jackline(*shlex.split(line)[1:], code=None)
        assert done.code in (0, 1), (line, done)
        return done.out
    ran = subprocess.run(
        ["/bin/bash", "-c", line], cwd=machine.root, env=machine.env, capture_output=True, text=True, check=False,
        timeout=60, stdin=subprocess.DEVNULL, start_new_session=True,
    )  # fmt: skip
    assert ran.returncode in (0, 1), (line, ran)
    assert "Traceback" not in ran.stderr
    return ran.stdout


def documents(text: str) -> list[Any]:
    """One document, or one a line."""
    try:
        return [json.loads(text)]
    except ValueError:
        return [json.loads(line) for line in text.splitlines()]


@pytest.mark.parametrize("example", EVERY, ids=[one.line[:70] for one in EVERY])
def test_every_example_runs(machine: Shown, example: Example) -> None:
    said = run(machine, example)
    if "--json" in example.line:
        for one in documents(said):
            assert fault(one, example.command.shape) == ""


DATA = [
    one for one in EVERY if one.has("--json") and "--json" not in one.line and ">" not in one.line
    and one.line not in (*TYPED, "jackline trust --follow origin/main") and "--watch" not in one.line
]  # fmt: skip


@pytest.mark.parametrize("example", DATA, ids=[one.line[:70] for one in DATA])
def test_every_example_has_the_declared_shape_as_data(machine: Shown, example: Example) -> None:
    said = documents(run(machine, example, "--json"))
    assert said or example.endless or example.path == SILENT
    for one in said:
        assert fault(one, example.command.shape) == ""


def test_every_command_with_data_declares_its_shape() -> None:
    lacking = [" ".join(one.path) for one in EVERY if one.has("--json") and not one.command.shape]
    assert lacking == []


@pytest.mark.parametrize(
    ("value", "shape", "said"),
    [
        ({"a": 1}, {"a": "int", "b?": "str"}, ""),
        ({"a": True}, {"a": "int"}, ".a is True, not int"),
        ({"a": 1, "c": 2}, {"a": "int"}, "it · lacks [] · has ['c'] besides"),
        ({"x": 1, "y": 2.5}, {"*": "number"}, ""),
        ([{"a": 1}, {}], [{"a": "int"}], "[1] · lacks ['a'] · has [] besides"),
        (None, "str|null", ""),
        ([], ({"a": "int"}, ["any"]), ""),
        (3, ({"a": "int"}, "str"), "it is no object and it is 3, not str"),
    ],
)
def test_a_shape_says_where_a_value_differs(value: Any, shape: Any, said: str) -> None:
    assert fault(value, shape) == said
