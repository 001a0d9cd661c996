"""The command line as a whole: help, exit codes, faults."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
from pathlib import Path

import click
import pytest

from jackline.cli.parts import app
from jackline.cli.parts.app import jackline
from jackline.cli.parts.command import Command, Family
from jackline.cli.parts.verb import GROUPS, verbs

from .conftest import Desk

TREE = [(name,) for name in verbs()]


def context() -> click.Context:
    """As the command line has it: commands keep the help option they were first asked for."""
    return click.Context(jackline, info_name="jackline", **jackline.context_settings)


def command(name: str) -> click.Command:
    found = jackline.get_command(context(), name)
    assert found is not None
    return found


def every() -> list[tuple[str, click.Command]]:
    """Every command, and those below one, by its full name."""
    found = [(name, command(name)) for name in verbs()]
    for name, one in list(found):
        if isinstance(one, click.Group):
            for below in one.list_commands(context()):
                inner = one.get_command(context(), below)
                assert inner is not None
                found.append((f"{name} {below}", inner))
    return found


EVERY = every()


def test_every_command_is_in_one_part_of_the_help() -> None:
    assert {one.group for one in verbs().values()} == set(GROUPS)
    help_text = jackline.get_help(context())
    for name, one in verbs().items():
        assert f"  {name} " in help_text
        assert one.brief in " ".join(help_text.split())


@pytest.mark.parametrize(("name", "one"), EVERY, ids=[name for name, _ in EVERY])
def test_every_command_says_what_it_does_and_shows_an_example(name: str, one: click.Command) -> None:
    assert isinstance(one, Command | Family)
    assert one.help
    assert one.examples
    text = one.get_help(click.Context(one, info_name=name, parent=context()))
    for line, what in one.examples:
        assert line in text
        assert what.split()[0] in text
    for option in one.params:
        assert not isinstance(option, click.Option) or option.help, option.name


def spoken(line: str) -> list[str]:
    """The words of an example that come after `jackline`, without what the shell makes of the rest."""
    words = shlex.split(line.replace('eval "$(', "").replace(')"', ""))
    start = len(words) - words[::-1].index("jackline")
    after = words[start:]
    stop = next((at for at, word in enumerate(after) if word in ("|", "<", ">")), len(after))
    return after[:stop]


EXAMPLES = [(line, name) for name, one in EVERY if isinstance(one, Command | Family) for line, _ in one.examples]


@pytest.mark.parametrize(("line", "name"), EXAMPLES, ids=[line[:60] for line, _ in EXAMPLES])
def test_every_example_parses(line: str, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No example uses an option or argument that is not there."""
    (tmp_path / "payload.json").write_text("{}")
    monkeypatch.chdir(tmp_path)
    words = spoken(line)
    assert words[0] == name.split()[0]
    at: click.Command = jackline
    top = context()
    while isinstance(at, click.Group):
        rest = [word for word in words if not word.startswith("-")]
        below = at.get_command(top, rest[0]) if rest else None
        if below is None:
            break
        words = words[words.index(rest[0]) + 1 :]
        at = below
    at.make_context(name, list(words), parent=top)


def test_a_word_that_is_no_command_is_wrong_use_and_the_nearest_is_named(desk: Desk) -> None:
    done = desk.jackline("shema", code=2)
    assert done.err == "jackline · no command 'shema'; did you mean schema?\nsee: jackline --help\n"


def test_an_unknown_option_is_wrong_use(desk: Desk) -> None:
    assert "--nosuch" in desk.jackline("log", "--nosuch", code=2).err


def test_a_fault_of_ours_leaves_a_report_and_no_traceback(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(**options: object) -> None:
        secret = "payload of the person"
        raise ZeroDivisionError(secret)

    monkeypatch.setenv("HOME", str(desk.home))
    monkeypatch.delenv("JACKLINE_STORE", raising=False)
    monkeypatch.delenv("XDG_STATE_HOME", raising=False)
    monkeypatch.chdir(desk.root)
    monkeypatch.setattr(command("schema"), "callback", broken)
    assert app.run(["schema"]) == 3
    said = capsys.readouterr()
    assert said.out == ""
    head, _, report = said.err.partition("\n")
    assert head.endswith("Please report this:")
    told = json.loads(report)
    assert (told["error"], told["command"]) == ("ZeroDivisionError", "schema")
    assert any("test_app.py" in frame for frame in told["stack"])
    assert "payload" not in said.err
    [kept] = desk.crashes()
    assert (kept["error"], kept["where"], kept["command"]) == ("ZeroDivisionError", "cli", "schema")
    for path in (desk.store / "crash").iterdir():
        path.unlink()


def test_a_reader_that_has_enough_is_no_fault(desk: Desk) -> None:
    script = f"set -o pipefail; {shlex.join(desk.command('schema', 'dispatch.manifest'))} | head -c 10 >/dev/null"
    done = subprocess.run(["bash", "-c", script], env=desk.env, cwd=desk.root, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_store_that_cannot_be_written_is_a_fault_of_the_surroundings(desk: Desk) -> None:
    if os.geteuid() == 0:
        (desk.store / "wirings").write_text("a file where a folder should be")
    else:
        desk.store.chmod(0o500)
    done = desk.jackline("compile", code=1)
    assert done.out == ""
    assert str(desk.store) in done.err
    desk.store.chmod(0o700)


def test_it_works_in_another_folder(desk: Desk, tmp_path: Path) -> None:
    (desk.root / "deep").mkdir()
    assert desk.jackline("-C", "deep", "version", "--json").data["root"] == str(desk.root)
    assert desk.jackline("-C", str(tmp_path), "version", "--json").data["root"] == str(tmp_path)


def test_the_store_may_be_told(desk: Desk, tmp_path: Path) -> None:
    told = desk.jackline("version", "--json", env={"JACKLINE_STORE": str(tmp_path / "x")}).data
    assert told["store"] == str(tmp_path / "x")
    assert desk.jackline("version", "--json").data["store"] == str(desk.store)


STEPS = (
    "features",
    "pack",
    "plan",
    "artifacts",
    "lock",
    "mailbox",
    "validators",
    "enable",
    "disable",
    "report",
)
"""The commands of the progressive runtime."""


def leaves(name: str) -> list[tuple[str, click.Command]]:
    """The commands at the ends of a family."""
    found, left = [], [(name, command(name))]
    while left:
        words, one = left.pop()
        below = [(f"{words} {name}", one.commands[name]) for name in one.commands] if isinstance(one, Family) else []
        left += below
        if not below or (isinstance(one, Family) and one.invoke_without_command):
            found.append((words, one))
    return found


@pytest.mark.parametrize("words", [words for name in STEPS for words, _ in leaves(name)])
def test_every_step_gives_what_it_says_as_data_too(words: str) -> None:
    (one,) = [one for known, one in leaves(words.partition(" ")[0]) if known == words]
    assert "--json" in [option for param in one.params for option in param.opts]
