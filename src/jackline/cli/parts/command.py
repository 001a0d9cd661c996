"""What every command is made of: help that ends with examples, and families of commands."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

import click

from jackline.cli.parts.shape import Shape

COMPLETING = "_JACKLINE_COMPLETE"
"""The variable by which a shell asks for completions."""


def _examples(formatter: click.HelpFormatter, examples: Sequence[tuple[str, str]]) -> None:
    """Command lines as they are typed, never wrapped, each with what it is for below it."""
    with formatter.section("Example" if len(examples) == 1 else "Examples"):
        for line, what in examples:
            formatter.write(f"{'':{formatter.current_indent}}{line}\n")
            formatter.indent()
            formatter.indent()
            formatter.write_text(what)
            formatter.dedent()
            formatter.dedent()


class Command(click.Command):
    """A command whose help ends with examples. `shape`: of what it gives with `--json`."""

    def __init__(self, *args: Any, examples: Sequence[tuple[str, str]] = (), shape: Shape = "", **options: Any) -> None:
        super().__init__(*args, **options)
        self.examples = tuple(examples)
        self.shape = shape

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        _examples(formatter, self.examples)


SENTENCE = 200
"""Signs of a command's first sentence, which are never cut off in a list of commands."""


class Family(click.Group):
    """A command with commands below it, each with its whole first sentence, and examples.

    `later`: a command's name to a function that imports it, called when it is asked for.
    """

    def __init__(
        self,
        *args: Any,
        examples: Sequence[tuple[str, str]] = (),
        shape: Shape = "",
        later: Mapping[str, Callable[[], click.Command]] = MappingProxyType({}),
        **options: Any,
    ) -> None:
        super().__init__(*args, **options)
        self.examples = tuple(examples)
        self.shape = shape
        self.later = later

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [*self.later, *self.commands]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        return self.later[cmd_name]() if cmd_name in self.later else super().get_command(ctx, cmd_name)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        known = {name: self.get_command(ctx, name) for name in self.list_commands(ctx)}
        rows = [(name, one.get_short_help_str(SENTENCE).rstrip(".")) for name, one in known.items() if one]
        with formatter.section("Commands"):
            formatter.write_dl(rows)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        _examples(formatter, self.examples)
