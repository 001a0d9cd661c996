"""The measured tables as Markdown."""

from __future__ import annotations

import os
import platform
import statistics
import subprocess
from collections.abc import Sequence

from bench import precommit
from bench.clocked import COMPILE, LINE, WAITING, Clocked
from bench.count import valgrind
from bench.figures import MANY, Measured
from bench.fixture import DIALECTS, PROMPT, RISKY, TOOLS
from bench.gates import held
from scene import BASE

WALL_GATE, WALL_GOAL = 1.35, 1.15
COMPILE_GATE = 10
"""The design's figures that only the clock can hold: continuous integration does not."""


def table(head: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> str:
    lines = [head, ("---", *["---:"] * (len(head) - 1)), *rows]
    return "\n".join(f"| {' | '.join(row)} |" for row in lines) + "\n"


def times(value: float) -> str:
    return f"{value:.2f}"


def told(value: float, design: float, goal: float | None = None) -> str:
    return "above the design's" if value > design else "holds" if goal is None or value > goal else "goal reached"


def design(made: Measured, clock: Clocked) -> str:
    """The design's table: what is held by continuous integration, then what the clock says."""
    rows = []
    for one in held(made):
        figure, value, gate, wanted, goal, _ = one.row
        rows.append((figure, value, gate, wanted, goal, told(one.value, one.gate.design, one.gate.goal)))
    for name in DIALECTS:
        wall = clock.whole(name).wall
        numbers = (times(wall), "", times(WALL_GATE), times(WALL_GOAL), told(wall, WALL_GATE, WALL_GOAL))
        rows.append((f"default features, {name}, paired wall median", *numbers))
    wall = clock.one(COMPILE).wall
    rows.append(("compile after a change, paired wall median", times(wall), "", "10.00", "", told(wall, COMPILE_GATE)))
    return table(("figure", "measured", "gate held", "design's gate", "goal", ""), rows)


def events(made: Measured, clock: Clocked) -> str:
    rows: list[tuple[str, ...]] = []
    for name in DIALECTS:
        for sort in (*TOOLS, PROMPT):
            after = "" if sort == PROMPT else times(made.ratio(name, f"{sort} after"))
            wall = clock.one(f"{name} {sort}")
            what = "typed prompt (changes the state)" if sort == PROMPT else sort
            row = (times(made.ratio(name, sort)), after, times(wall.wall), times(wall.cpu), f"{wall.least:.1f} ms")
            rows.append((f"{name}: {what}", *row))
    for command in RISKY:
        rows.append(
            (f"claude-code: risky shell command: {command}", times(made.ratio("claude-code", command)), *[""] * 4)
        )
    head = ("event", "instructions", "its outcome", "wall median", "processor median", "least wall")
    return table(head, rows)


def growing(made: Measured, clock: Clocked) -> str:
    """What costs more when there is more of it."""

    def tools(part: str) -> str:
        return times(statistics.mean(made.ratio(part, sort) for sort in TOOLS))

    def two(part: str, before: str = "") -> str:
        return times(statistics.mean(made.ratio(part, f"{before}{sort}") for sort in ("read", PROMPT)))

    def wall(machine: str) -> str:
        return times(clock.whole(machine).wall)

    default = "claude-code"
    rows = [
        ("features: 0", tools("none"), "", wall("none")),
        ("features: 4 (the default)", tools(default), "", wall(default)),
        ("features: 4, and 8 idle ones", tools("idle"), "", wall("idle")),
        ("configuration files: 50", "", two(default), wall(default)),
        (f"configuration files: {MANY}", "", two("files"), wall("files")),
        ("sessions: 10,000", "", two(default, "10,000 sessions "), ""),
        ("log: 1 GB (and 10,000 sessions)", "", two(default, "1 GB log "), wall("grown")),
    ]
    return table(("", "calls of tools, instructions", "a read and a prompt, instructions", "set, wall median"), rows)


def where(made: Measured, clock: Clocked) -> str:
    version = subprocess.run(
        [BASE, "-c", "import platform; print(platform.python_version())"], capture_output=True, text=True, check=True
    )
    tool = subprocess.run([valgrind(), "--version"], capture_output=True, text=True, check=True).stdout.strip()
    machine = f"{platform.system()} on {platform.machine()}, {os.cpu_count()} processors"
    least = min(seen["bare"].wall for seen in clock.rounds)
    return (
        f"Measured with CPython {version.stdout.strip()}, {tool}, {machine}; {len(clock.rounds)} rounds of the clock.\n"
        f"A bare start is {made.bare / 1e6:.1f} million instructions, and {least:.1f} ms at least; below it is 1.00.\n"
    )


def commits(made: Measured, cost: precommit.Cost) -> str:
    return (
        "git's pre-commit hook with one script that does nothing: "
        f"{times(made.ratio('commit', 'pre-commit'))} in instructions; {cost.ours:.1f} ms, prek's with the same script "
        f"{cost.prek:.1f} ms; ours to prek's, as medians of paired ratios: wall {times(cost.ratio)}, "
        f"processor {times(cost.cpu)}.\n"
    )


def page(made: Measured, clock: Clocked) -> str:
    shell, waits = clock.one(LINE), clock.one(WAITING)
    changed = clock.one(COMPILE)
    return "\n".join(
        (
            where(made, clock),
            "### Figures and gates\n",
            design(made, clock),
            "### By event\n",
            events(made, clock),
            "### By what there is more of\n",
            growing(made, clock),
            "### Beside events\n",
            table(
                ("", "instructions", "wall median", "processor median", "least wall"),
                [
                    (
                        "an event that compiles after a change, 50 files",
                        times(made.ratio("compile", "read")),
                        times(changed.wall),
                        times(changed.cpu),
                        f"{changed.least:.1f} ms",
                    ),
                    (
                        "the entry's shell alone, before it becomes the door",
                        times(made.shells["elsewhere"]),
                        times(shell.wall),
                        times(shell.cpu),
                        f"{shell.least:.1f} ms",
                    ),
                    (
                        "the entry's shell before a tool, with a bare start that it waits for",
                        times(1 + made.shells["before a tool"]),
                        times(waits.wall),
                        times(waits.cpu),
                        f"{waits.least:.1f} ms",
                    ),
                ],
            ),
            commits(made, clock.commit),
        )
    )
