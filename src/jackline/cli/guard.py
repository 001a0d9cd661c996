"""`jackline guard`: what the guard says to a command, without running it; `allow` stands in `allowance`."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, cast

import click

from jackline.cli import DONE, FOUND
from jackline.cli.app import Command, Family
from jackline.cli.setting import Setting, pass_setting
from jackline.features.command_guard.packs import NAMES
from jackline.features.command_guard.rules import PRESETS

if TYPE_CHECKING:
    from io import BufferedIOBase

PRESET = click.option("--preset", type=click.Choice(PRESETS), help="As if this preset were set.")
PACKS = click.option(
    "--pack", "packs", type=click.Choice(NAMES), multiple=True, help="With this pack, too; repeatable."
)


@click.group(
    cls=Family,
    later={"allow": "allowance"},
    examples=[
        ("jackline guard explain 'git checkout -- src'", "one command: every effect, every rule"),
        ("jackline guard check --jsonl < commands.jsonl", "many, as data"),
        ("jackline guard allow --list", "what you let pass, and until when"),
    ],
)
def command() -> None:
    """Ask the guard what it would say to a shell command (nothing is run), or let something pass (a person's)."""


@command.command(
    cls=Command,
    examples=[
        ("""echo '{"command":"rm -rf build"}' | jackline guard check""", "one command, as data"),
        (
            "jackline guard check --jsonl < commands.jsonl",
            'many in one process: {"command", "cwd", "project_root", "home"} a line; all but the first may be absent',
        ),
    ],
)
@click.option("--jsonl", is_flag=True, help="Read commands a line each, answer a line each.")
@PRESET
@PACKS
@pass_setting
def check(setting: Setting, jsonl: bool, preset: str | None, packs: tuple[str, ...]) -> int:
    """Judge the command in the JSON object on standard input: decision, risk, rule, reason, safer way, effects."""
    from jackline.cli.judging import answer_to, answers_to, knobs_of, place_of

    knobs, here = knobs_of(setting, preset, packs), place_of(setting)
    if jsonl:
        return answers_to(cast("BufferedIOBase", sys.stdin.buffer), knobs, here)
    try:
        made = json.loads(answer_to(sys.stdin.read(), knobs, here))
    except (ValueError, RecursionError) as fault:
        raise click.UsageError(f"standard input · {fault}") from None
    from jackline.cli.printer import Printer

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
@PRESET
@PACKS
@pass_setting
def explain(setting: Setting, words: tuple[str, ...], preset: str | None, packs: tuple[str, ...]) -> int:
    """Explain COMMAND: what it does as far as its text tells, which rules have a word to say, and the answer."""
    from jackline.cli.explained import explained
    from jackline.cli.judging import knobs_of

    return explained(setting, words, knobs_of(setting, preset, packs))
