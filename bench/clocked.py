"""What is measured by the clock: each dialect's set, features, files, growth, the shell line, and a compile."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from bench import precommit
from bench.figures import MANY, workshop
from bench.fixture import DIALECTS, FEATURES, PROMPT, TOOLS, Fixture, grow_log, grow_sessions
from bench.wall import BARE, BARE_BEFORE_TOOL, Paired, Rounds, paired, rounds

SET = {**dict.fromkeys(TOOLS, 0.75 / len(TOOLS)), PROMPT: 0.25}
"""The payload set: of four events one changes the state."""
COMPILE = "compile"
LINE = "shell line"
WAITING = "shell line that waits"


class Clocked(NamedTuple):
    """All rounds; names are `<machine> <event>`."""

    rounds: Rounds
    commit: precommit.Cost

    def whole(self, machine: str) -> Paired:
        return self._paired({f"{machine} {sort}": weight for sort, weight in SET.items()})

    def one(self, name: str) -> Paired:
        return self._paired({name: 1.0})

    def _paired(self, weights: dict[str, float]) -> Paired:
        units = {name: BARE_BEFORE_TOOL for name in weights if name.rpartition(" ")[2] in (*TOOLS, COMPILE)}
        return paired(self.rounds, weights, units)


def measure(number: int, told: Callable[[str], None]) -> Clocked:
    with workshop() as folder:
        made = folder / "bundle/jackline"
        machines = {name: Fixture(folder / name, made, name) for name in DIALECTS}
        machines["none"] = Fixture(folder / "no-features", made, without=FEATURES)
        machines["idle"] = Fixture(folder / "eight-more", made, idle=8)
        machines["files"] = Fixture(folder / "many-files", made, files=MANY)
        machines["grown"] = grown(folder, made)
        changed = Fixture(folder / "changed", made)
        changed.two_versions()
        starts = {BARE: machines["claude-code"].bare(), LINE: changed.shell_alone()}
        starts[BARE_BEFORE_TOOL] = starts[WAITING] = machines["claude-code"].bare_before_a_tool()
        for name, fixture in machines.items():
            starts |= {f"{name} {sort}": fixture.start_of(fixture.payload_of(sort)) for sort in SET}
        starts[COMPILE] = changed.start_of(changed.payload_of("read"))
        seen = rounds(starts, number, {COMPILE: changed.edit}, told)
        return Clocked(seen, precommit.measure(precommit.program(), number, told))


def grown(folder: Path, made: Path) -> Fixture:
    """A machine with 10,000 sessions, one of them with a log of 1 GB."""
    fixture = Fixture(folder / "long-lived", made)
    grow_sessions(fixture)
    grow_log(fixture)
    return fixture
