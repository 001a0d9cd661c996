"""`jackline guard`: what the guard says to a command, without running it; `allow` stands in `allowance`."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, cast

import click

from jackline.cli.parts.command import Command, Family
from jackline.cli.parts.exits import DONE, FOUND
from jackline.cli.parts.setting import Setting, pass_setting
from jackline.cli.parts.shape import Shape
from jackline.cli.parts.verb import Verb
from jackline.features.command_guard.packs import NAMES
from jackline.features.command_guard.rules import PRESETS
from jackline.shell.effects import LANGUAGES

VERB = Verb(
    group="Look",
    order=50,
    brief="What the guard says to a shell command; runs nothing",
    authority={"": "open", "allow": "human-only"},
)

JUDGED: Shape = {
    "decision": "str",
    "risk": "str",
    "rule": "str",
    "reason": "str",
    "safer": "str",
    "understood": "bool",
    "effects": ["object"],
    "*": "any",
}
"""The answer to one command."""

if TYPE_CHECKING:
    from io import BufferedIOBase

PRESET = click.option("--preset", type=click.Choice(PRESETS), help="As if this preset were set.")
PACKS = click.option(
    "--pack", "packs", type=click.Choice(NAMES), multiple=True, help="With this pack, too; repeatable."
)

SHELL = click.option(
    "--shell", type=click.Choice([*LANGUAGES]), default="bash", show_default=True, help="The shell that would read it."
)


def _allow() -> click.Command:
    from jackline.cli.parts.allowance import command

    return command


@click.group(
    cls=Family,
    later={"allow": _allow},
    examples=[
        ("jackline guard explain 'git checkout -- src'", "one command: every effect, every rule"),
        ("jackline guard check --jsonl < commands.jsonl", "many, as data"),
        ("jackline guard allow --list", "what you let pass, and until when"),
    ],
)
def command() -> None:
    """Ask the guard what it would say to a shell command (nothing is run), or let something pass (a person's)."""


def _one(words: tuple[str, ...], verb: str) -> str:
    """The command as one text: a shell that takes its quotes and `&&` away leaves another command."""
    if words[0].startswith("-"):
        raise click.NoSuchOption(words[0])
    if len(words) > 1:
        raise click.UsageError(f"COMMAND is one word · put all of it in quotes: jackline guard {verb} '{words[0]} …'")
    if not words[0].strip():
        raise click.UsageError("COMMAND is empty · name one, in quotes")
    return words[0]


@command.command(
    cls=Command,
    shape=(JUDGED, {"error": "str", "*": "any"}),
    context_settings={"ignore_unknown_options": True},
    examples=[
        ("jackline guard check 'rm -rf build'", "one command; its answer as data"),
        ("jackline guard check --shell powershell 'Remove-Item -Recurse src'", "as PowerShell would read it"),
        ("""echo '{"command":"rm -rf build","cwd":"/srv"}' | jackline guard check""", "as it would run elsewhere"),
        (
            "jackline guard check --jsonl < commands.jsonl",
            'many in one process: {"command", "shell", "cwd", "project_root", "home"} a line; all but the first may be '
            "absent",
        ),
    ],
)
@click.argument("words", metavar="[COMMAND]", nargs=-1)
@click.option("--jsonl", is_flag=True, help="Read commands a line each, answer a line each.")
@SHELL
@PRESET
@PACKS
@pass_setting
def check(
    setting: Setting, words: tuple[str, ...], jsonl: bool, shell: str, preset: str | None, packs: tuple[str, ...]
) -> int:
    """Judge COMMAND, or the one in the JSON object on standard input: decision, risk, rule, reason, safer, effects."""
    from jackline.cli.parts.guard_check import answer_to, answers_to, asked_in, knobs_of, place_of

    knobs, here = knobs_of(setting, preset, packs), place_of(setting, shell)
    if jsonl:
        if words:
            raise click.UsageError("--jsonl reads commands from standard input · leave COMMAND out")
        return answers_to(cast("BufferedIOBase", sys.stdin.buffer), knobs, here)
    if words:
        asked = here._replace(command=_one(words, "check"))
    else:
        try:
            asked = asked_in(sys.stdin.read(), here)
        except (ValueError, RecursionError) as fault:
            raise click.UsageError(f"standard input · {fault}") from None
    made = json.loads(answer_to(asked, knobs))
    from jackline.cli.parts.printer import Printer

    Printer().data(made)
    return DONE if made["decision"] == "allow" else FOUND


@command.command(
    cls=Command,
    context_settings={"ignore_unknown_options": True},
    examples=[
        (
            "jackline guard explain 'find . -name node_modules -exec rm -rf {} +'",
            "what it does, and what is said to it",
        ),
        ("jackline guard explain --preset strict 'sudo ls'", "as another preset would see it"),
    ],
)
@click.argument("words", metavar="COMMAND", nargs=-1, required=True)
@SHELL
@PRESET
@PACKS
@pass_setting
def explain(setting: Setting, words: tuple[str, ...], shell: str, preset: str | None, packs: tuple[str, ...]) -> int:
    """Explain COMMAND: what it does as far as its text tells, which rules have a word to say, and the answer."""
    from jackline.cli.parts.explanation import explained
    from jackline.cli.parts.guard_check import knobs_of

    return explained(setting, _one(words, "explain"), knobs_of(setting, preset, packs), shell)
