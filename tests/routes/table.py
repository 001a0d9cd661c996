"""The one table of routes to our configuration, store and person verbs: `table.txt`, for the tests and the page."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

TABLE = Path(__file__).with_name("table.txt")


class Route(NamedTuple):
    """`held`: `deny GUARD`, `ask GUARD`, or `-` and what holds it then; `tool` is "" for a shell command."""

    number: int
    target: str
    name: str
    held: str
    call: str

    @property
    def tool(self) -> str:
        return self.call.partition(" ")[0][1:] if self.call.startswith("@") else ""


def routes() -> list[Route]:
    found: list[Route] = []
    target = ""
    for line in TABLE.read_text().splitlines():
        if line.startswith("## "):
            target = line[3:]
        elif line and not line.startswith("#"):
            name, held, call = line.split(" | ", 2)
            found.append(Route(len(found) + 1, target, name, held, call))
    return found
