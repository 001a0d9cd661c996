"""`jackline completion`: the completion script of a shell."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

from jackline.cli.parts.command import COMPLETING, Command
from jackline.cli.parts.verb import Verb

VERB = Verb(
    group="Keep",
    order=30,
    brief="The completion script of a shell",
    authority="open",
)

PLACES = {"bash": "~/.bashrc", "zsh": "~/.zshrc", "fish": "~/.config/fish/completions/jackline.fish"}


@click.command(
    cls=Command,
    examples=[
        ('eval "$(jackline completion bash)"', "in ~/.bashrc; the same with zsh in ~/.zshrc"),
        ("jackline completion fish > ~/.config/fish/completions/jackline.fish", "for fish"),
    ],
)
@click.argument("shell", type=click.Choice(list(PLACES)))
@click.pass_context
def command(context: click.Context, shell: str) -> None:
    """Print the completion script of SHELL; evaluate it in the shell's start-up file."""
    kind = get_completion_class(shell)
    assert kind is not None
    click.echo(kind(context.find_root().command, {}, "jackline", COMPLETING).source())
