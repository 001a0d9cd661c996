"""The one printer: all text that reaches a terminal passes here, foreign text with what could deceive shown escaped.

It is cleaned where it is put into a line (so that widths are right), and every piece once more on its way out.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import IO, Any

from rich.box import Box
from rich.cells import chop_cells
from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.padding import Padding
from rich.segment import Segment
from rich.style import Style
from rich.table import Table
from rich.text import Text
from rich.theme import Theme

from jackline.feature_names import shown
from jackline.unicode_escape import escape

THEME = Theme(
    {
        "good": "green",
        "warn": "yellow",
        "bad": "bold red",
        "deny": "bold red",
        "block": "bold red",
        "ask": "bold yellow",
        "approve": "bold cyan",
        "rewrite": "bold cyan",
        "allow": "green",
        "quiet": "dim",
        "name": "cyan",
        "head": "bold",
        "escape": "reverse yellow",
        "added": "green",
        "removed": "red",
        "place": "blue",
    },
    inherit=False,
)

ELSEWHERE = 120
"""Columns where there is no terminal to ask."""

LABEL = 10
"""Columns of a block's margin, in which its label stands."""

RULED = Box("    \n    \n ─  \n    \n    \n    \n    \n    \n")
"""A table's heading with a line below it and nothing else."""


def clean(text: str, *, lines: bool = False) -> str:
    """`text` with every character that could deceive shown by its number; `lines` keeps line ends and tabs."""
    if text.isascii() and text.isprintable():
        return text
    if lines:
        return "\n".join("".join(map(escape, line.expandtabs(4))) for line in text.replace("\r\n", "\n").split("\n"))
    return "".join(map(escape, text))


def foreign(text: str, style: str = "", *, lines: bool = False) -> Text:
    """Foreign text ready to stand in a line: cleaned, and what was escaped marked as such."""
    made = Text(style=style)
    for line_at, line in enumerate(text.replace("\r\n", "\n").split("\n") if lines else (text,)):
        if line_at:
            made.append("\n")
        for letter in line.expandtabs(4) if lines else line:
            shown = escape(letter)
            made.append(shown, "escape" if shown != letter else None)
    return made


class _Clean:
    """Whatever is printed, with the text of every segment cleaned: nothing goes round the printer."""

    def __init__(self, renderable: RenderableType) -> None:
        self.renderable = renderable

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        for segment in console.render(self.renderable, options):
            text, style, control = segment
            yield segment if control or text == "\n" else Segment(clean(text, lines=True), style)


def text(*parts: str | Text | tuple[str, str]) -> Text:
    """A line from plain parts, (part, style) pairs and ready-made texts."""
    made = Text()
    for part in parts:
        if isinstance(part, Text):
            made.append_text(part)
        elif isinstance(part, tuple):
            made.append_text(foreign(shown(part[0]) if part[1] == "name" else part[0], part[1]))
        else:
            made.append_text(foreign(part))
    return made


class Printer:
    """Writes for a person (`line`, `table`, …) and for programs (`data`), on one stream."""

    def __init__(
        self, stream: IO[str] | None = None, *, width: int | None = None, console: Console | None = None
    ) -> None:
        self.stream = stream or sys.stdout
        reconfigure = getattr(self.stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")
        self.console = console or Console(
            file=self.stream, width=width, theme=THEME, markup=False, emoji=False, highlight=False, soft_wrap=False
        )
        if console is None and not self.console.is_terminal and width is None and "COLUMNS" not in os.environ:
            self.console.width = ELSEWHERE

    @property
    def width(self) -> int:
        return self.console.width

    def show(self, renderable: RenderableType, *, indent: int = 0, whole: bool = False) -> None:
        """Print anything rich can; `whole`: lines are not wrapped."""
        made = _Clean(Padding(renderable, (0, 0, 0, indent)) if indent else renderable)
        if self.console.is_terminal:
            self.console.print(made, soft_wrap=whole)
            return
        with self.console.capture() as said:  # in a file or pipe nobody needs cells filled up with blanks
            self.console.print(made, soft_wrap=whole)
        self.stream.write("\n".join(line.rstrip(" ") for line in said.get().split("\n")))

    def line(self, *parts: str | Text | tuple[str, str], indent: int = 0) -> None:
        """One line; wrapped below its own beginning on a terminal, whole elsewhere."""
        if self.console.is_terminal:
            self.show(text(*parts), indent=indent)
        else:
            self.show(text(" " * indent, *parts), whole=True)

    def heading(self, words: str, *rest: str | Text | tuple[str, str]) -> None:
        self.line((words, "head"), *rest)

    def labelled(self, label: str, what: RenderableType) -> None:
        """A block with its label in the margin."""
        made = table([{"width": LABEL - 2, "no_wrap": True}, {}], [], head=False)
        made.add_row(text((label, "quiet")), what)
        self.show(made)

    def blank(self) -> None:
        self.show(Text())

    def whole(self, line: Text) -> None:
        """A line whose blanks count, of a diff or a script: cut at the terminal's edge and nowhere else."""
        ends: list[int] = []
        for part in chop_cells(line.plain, self.width)[:-1] if self.console.is_terminal else ():
            ends.append((ends[-1] if ends else 0) + len(part))
        for piece in line.divide(ends):
            self.show(piece, whole=True)

    def drawn(self, line: Text) -> str:
        """A line as this stream would show it, without its end: for what is drawn over again."""
        with self.console.capture() as said:
            self.console.print(_Clean(line), end="")
        return said.get()

    def data(self, value: Any) -> None:
        """One JSON document. ASCII only, so nothing in it can deceive a terminal either."""
        self.stream.write(json.dumps(value, indent=2, ensure_ascii=True, default=str) + "\n")

    def datum(self, value: Any) -> None:
        """One JSON document on a line of its own, at once."""
        self.stream.write(json.dumps(value, separators=(",", ":"), ensure_ascii=True, default=str) + "\n")
        self.stream.flush()


Column = str | Mapping[str, Any]
"""A column's title, or the arguments of rich's `add_column`."""


def table(columns: Iterable[Column], rows: Iterable[Sequence[str | Text]], *, head: bool = True) -> Table:
    """A table without frames; columns foreign text in cells is cleaned."""
    made = Table(box=RULED if head else None, show_header=head, show_edge=False, pad_edge=False, header_style="quiet")
    made.border_style = "quiet"
    for column in columns:
        options: dict[str, Any] = {"header": column} if isinstance(column, str) else dict(column)
        made.add_column(**{"overflow": "fold", **options})
    for row in rows:
        made.add_row(*[cell if isinstance(cell, Text) else foreign(cell) for cell in row])
    return made


def style_of(decision: str) -> str:
    """The style of a decision's name."""
    return decision if decision in ("deny", "ask", "block", "approve") else "allow" if decision == "allow" else ""


def merged(*styles: str) -> Style:
    """Several style names as one."""
    return Style.combine([THEME.styles[name] for name in styles if name])
