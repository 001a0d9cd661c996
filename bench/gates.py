"""Hold the figures to their gates: a table of what was measured, and whether it holds."""

from __future__ import annotations

import platform
import sys
import time
import tomllib
from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from typing import NamedTuple

from bench.count import Missing
from bench.figures import FIGURES, MAIN, Measured, measure, measure_main

TABLE = Path(__file__).parent / "gates.toml"
FORMS: dict[str, Callable[[float], str]] = {
    "ratio": lambda value: f"{value:.3f}",
    "growth": lambda value: f"{value:+.1%}",
    "count": lambda value: f"{value:.0f}",
}


class Gate(NamedTuple):
    """One row of `gates.toml`: `gate` is held, `design` and `goal` are where it leads."""

    name: str
    form: str
    gate: float
    design: float
    goal: float

    def text(self, value: float) -> str:
        return FORMS[self.form](value)


class Held(NamedTuple):
    """A gate with what was measured."""

    gate: Gate
    value: float

    @property
    def ok(self) -> bool:
        return self.value <= self.gate.gate

    @property
    def row(self) -> tuple[str, ...]:
        """Figure, measured, gate, the design's gate, goal, and what is to be said."""
        gate = self.gate
        numbers = [gate.text(value) for value in (self.value, gate.gate, gate.design, gate.goal)]
        above = " · above the design's" if self.value > gate.design else ""
        return (gate.name, *numbers, ("ok" if self.ok else "FAIL") + above)


HEAD = ("figure", "measured", "gate", "design", "goal", "")


def gates() -> list[Gate]:
    """The rows of the file: one for each figure, no other."""
    found = tomllib.loads(TABLE.read_text())
    assert set(found) == set(FIGURES), f"{TABLE.name} and figures.py differ: {sorted(set(found) ^ set(FIGURES))}"
    return [Gate(name, **found[name]) for name in FIGURES]


def held(made: Measured, names: Collection[str] = tuple(FIGURES)) -> list[Held]:
    return [Held(gate, FIGURES[gate.name](made)) for gate in gates() if gate.name in names]


def lined(rows: list[tuple[str, ...]]) -> str:
    """Rows as columns for a terminal: the first and the last to the left, numbers to the right."""
    widths = [max(len(row[at]) for row in rows) for at in range(len(rows[0]))]
    last = len(widths) - 1
    return "\n".join(
        "  ".join(
            cell.ljust(widths[at]) if at in (0, last) else cell.rjust(widths[at]) for at, cell in enumerate(row)
        ).rstrip()
        for row in rows
    )


def progress() -> Callable[[str], None]:
    """What was counted last, on a terminal's one line, or as a line each where nobody looks."""
    begun = time.monotonic()

    def told(what: str) -> None:
        line = f"{time.monotonic() - begun:4.0f} s  {what}"
        print(
            f"\r\033[K{line}" if sys.stderr.isatty() else line, end="" if sys.stderr.isatty() else "\n", file=sys.stderr
        )
        sys.stderr.flush()

    return told


def main(given: Sequence[str] = ()) -> int:
    """Print the table; 1 when a gate does not hold. `--main`: the two gates that are held on every interpreter."""
    if set(given) - {"--main"}:
        print(f"gates · expected --main or nothing, got {' '.join(given)}", file=sys.stderr)
        return 2
    print(f"on {platform.python_implementation()} {platform.python_version()}", flush=True)
    try:
        made = measure_main(progress()) if given else measure(progress())
    except Missing as missing:
        print(f"gates · cannot be measured: {missing}", file=sys.stderr)
        return 1
    found = held(made, MAIN) if given else held(made)
    print(lined([HEAD, *[one.row for one in found]]))
    told = ", ".join(f"{value:.3f} {where}" for where, value in made.shells.items())
    print(f"the entry's shell, counted apart for the unit too: {told}")
    failed = [one.gate.name for one in found if not one.ok]
    for name in failed:
        print(f"FAIL · {name} · dearer than its gate · see bench/gates.toml, and `make bench` for the whole table")
    return 1 if failed else 0
