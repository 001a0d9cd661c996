"""The figures of the design's table, each from the fixture: what to measure, and what to make of the counts."""

from __future__ import annotations

import shutil
import statistics
import tempfile
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from bench import beside, plans, precommit, steps
from bench.count import count, valgrind
from bench.fixture import (
    DIALECTS,
    FEATURES,
    PROMPT,
    RISKY,
    TOOLS,
    Fixture,
    Start,
    bundled,
    grow_log,
    grow_sessions,
    leave_unfolded,
)
from hotpath.loaded import modules, third_party

WORKERS = 2
PARSER = "jackline.shell.grammar"
MANY = 202
"""Two files, and fifty features of four: two hundred and a little."""
SCRIPTS = 200
FEW = 5
"""Entries of a mailbox of which all are told."""
GROWING = ("read", PROMPT)
"""Events that growth is measured on: one that only reads the state, one that changes it."""

Told = Callable[[str], None]


class Part(NamedTuple):
    """What one machine showed: counts by name, processes by name, modules of other people."""

    counts: dict[str, float]
    processes: dict[str, int]
    third: tuple[str, ...] = ()


class Measured(NamedTuple):
    """All parts of one run, with the unit they are held against."""

    bare: float
    parts: Mapping[str, Part]
    beside: Mapping[str, float]

    @property
    def shells(self) -> dict[str, float]:
        """What the entry's shell costs, in bare starts: no part of any figure."""
        unit = self.parts["bare"].counts
        return {"before a tool": unit["before a tool, its shell"] / self.bare, "elsewhere": unit["shell"] / self.bare}

    def ratio(self, part: str, name: str) -> float:
        return self.parts[part].counts[name] / self.bare

    def whole(self, part: str) -> float:
        """The payload set: three parts of the tools' mean, one part of the event that changes the state."""
        tools = statistics.mean(self.ratio(part, name) for name in TOOLS)
        return (3 * tools + self.ratio(part, PROMPT)) / 4

    def growth(self, part: str, names: tuple[str, ...], *, before: str = "claude-code", after: str = "") -> float:
        """By how much `names` cost more than before; `after` is what stands before each name."""
        old = sum(self.parts[before].counts[name] for name in names)
        return sum(self.parts[part].counts[after + name] for name in names) / old - 1


@contextmanager
def workshop() -> Iterator[Path]:
    """A folder for machines, with the bundle they are made from."""
    folder = Path(tempfile.mkdtemp(prefix="jackline-bench-"))
    try:
        bundled(folder)
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


class _Tally:
    """Counts into one part, and tells what was counted; what the entry's shell did stands under a name of its own."""

    def __init__(self, name: str, told: Told) -> None:
        self.name = name
        self.told = told
        self.part = Part({}, {})

    def add(self, name: str, start: Start, before: Callable[[int], None] = lambda run: None) -> None:
        found = count(start, before)
        self.part.counts[name] = found.instructions
        self.part.processes[name] = found.processes
        self.part.counts[f"{name}, its shell"] = found.shell
        self.told(f"{self.name}: {name}")


def _set(tally: _Tally, fixture: Fixture) -> None:
    for sort in (*TOOLS, PROMPT):
        tally.add(sort, fixture.start_of(fixture.payload_of(sort)))


def dialect(folder: Path, name: str, told: Told, *, after: bool = False) -> Part:
    """The payload set of one dialect with default features; `after`: outcomes of the calls too."""
    fixture = Fixture(folder / name, folder / "bundle/jackline", name)
    tally = _Tally(name, told)
    _set(tally, fixture)
    for sort in TOOLS if after else ():
        tally.add(f"{sort} after", fixture.start_of(fixture.payload_of(sort, "PostToolUse")))
    loaded = [fixture.door_of(fixture.payload_of(sort)) for sort in ("read", "shell", PROMPT)]
    third = [other for one in loaded for other in third_party(modules(one.argv, one.raw, one.env, fixture.folder))]
    if name == "claude-code":
        for what, command in RISKY.items():
            risky = fixture.door_of(fixture.shell(command))
            assert PARSER in modules(risky.argv, risky.raw, risky.env, fixture.folder), f"not for the parser: {command}"
            tally.add(what, fixture.start_of(fixture.shell(command)))
        prompt = fixture.start_of(fixture.payload_of(PROMPT))
        tally.add("after 10,000 rows", prompt, lambda run: leave_unfolded(fixture))
        grow_sessions(fixture)
        for sort in GROWING:
            tally.add(f"10,000 sessions {sort}", fixture.start_of(fixture.payload_of(sort)))
        log = grow_log(fixture)
        for sort in GROWING:
            tally.add(f"1 GB log {sort}", fixture.start_of(fixture.payload_of(sort)))
        log.unlink()
    return tally.part._replace(third=tuple(third))


def without(folder: Path, told: Told) -> Part:
    """The payload set with no feature enabled."""
    fixture = Fixture(folder / "no-features", folder / "bundle/jackline", without=FEATURES)
    assert not fixture.table().rows("PreToolUse")
    tally = _Tally("no feature", told)
    _set(tally, fixture)
    return tally.part


def idle(folder: Path, told: Told) -> Part:
    """Eight features more in the order of every call, none of which wants these tools."""
    fixture = Fixture(folder / "eight-more", folder / "bundle/jackline", idle=8)
    assert len(fixture.table().rows("PreToolUse")) == len(FEATURES) + 8
    tally = _Tally("8 idle features", told)
    for sort in TOOLS:
        tally.add(sort, fixture.start_of(fixture.payload_of(sort)))
    return tally.part


def scripted(folder: Path, told: Told) -> Part:
    """Two hundred scripts that are bound to another event."""
    fixture = Fixture(folder / "scripts", folder / "bundle/jackline", scripts=SCRIPTS)
    assert len(fixture.table().scripts("SubagentStop")) == SCRIPTS
    tally = _Tally(f"{SCRIPTS} scripts", told)
    for sort in TOOLS:
        tally.add(sort, fixture.start_of(fixture.payload_of(sort)))
    return tally.part


def compiling(folder: Path, told: Told) -> Part:
    """An event after one of fifty files changed."""
    fixture = Fixture(folder / "changed", folder / "bundle/jackline")
    fixture.two_versions()
    tally = _Tally("compile", told)
    tally.add("read", fixture.start_of(fixture.payload_of("read")), fixture.edit)
    return tally.part


def files(folder: Path, told: Told) -> Part:
    """Two hundred files of configuration and two instead of fifty."""
    fixture = Fixture(folder / "many-files", folder / "bundle/jackline", files=MANY)
    tally = _Tally(f"{MANY} files", told)
    for sort in GROWING:
        tally.add(sort, fixture.start_of(fixture.payload_of(sort)))
    return tally.part


def _cleared(place: Path) -> Callable[[int], None]:
    return lambda run: plans.clear(place)


def planned(folder: Path, told: Told) -> Part:
    """A plan of two thousand nodes: submitted, checked by its schema alone, and submitted with half as many nodes."""
    tally = _Tally("plans", told)
    for name in plans.COUNTED:
        place = folder / "plans" / name.replace(" ", "-")
        tally.add(name, plans.start(name, place), _cleared(place))
    return tally.part


def committing(folder: Path, told: Told) -> Part:
    """git's pre-commit hook with a script that does nothing, as git starts it."""
    tally = _Tally("commit", told)
    tally.add("pre-commit", precommit.ours(folder / "commit"))
    return tally.part


def stepped(folder: Path, told: Told) -> Part:
    """The payload set at work in a step of a plan, and again with much of all that a task collects."""
    fixture = steps.Stepped(folder / "steps", folder / "bundle/jackline")
    tally = _Tally("steps", told)
    _set(tally, fixture)
    steps.post(fixture, FEW)
    for name, grow in (("", None), *steps.GROWN.items()):
        if grow is not None:
            grow(fixture)
        for sort in steps.SORTS if name else ():
            tally.add(f"{name} {sort}", fixture.start_of(fixture.payload_of(sort)))
        tally.add(f"{name} {steps.TOLD}", fixture.start_of(fixture.sub_agent()), lambda run: steps.forget_told(fixture))
    tally.part.counts[steps.TOLD] = tally.part.counts.pop(f" {steps.TOLD}")
    return tally.part


def bare(folder: Path, told: Told) -> Part:
    """The unit, and the shell that both it and an entry are started by."""
    fixture = Fixture(folder / "bare", folder / "bundle/jackline", prime=False)
    tally = _Tally("bare start", told)
    tally.add("pass", fixture.bare())
    tally.add("before a tool", fixture.bare_before_a_tool())
    alone = count(fixture.shell_alone())
    tally.part.counts["shell"] = alone.shell
    return tally.part


MAIN = ("default features, claude-code", "no feature enabled")
"""Figures that tell whether an interpreter starts a door as cheaply as others do: held on each (`scripts/pythons`)."""


def measure_main(told: Told) -> Measured:
    """What `MAIN` needs and no more: a tenth of the time."""

    def defaults(folder: Path) -> Part:
        tally = _Tally("claude-code", told)
        _set(tally, Fixture(folder / "claude-code", folder / "bundle/jackline"))
        return tally.part

    valgrind()
    return _counted({"claude-code": defaults, "none": lambda folder: without(folder, told)}, {}, told)


def _counted(jobs: Mapping[str, Callable[[Path], Part]], clocked: Mapping[str, float], told: Told) -> Measured:
    """All jobs and the unit, two machines at a time."""
    with workshop() as folder, ThreadPoolExecutor(WORKERS) as pool:
        begun = {name: pool.submit(job, folder) for name, job in jobs.items()}
        unit = pool.submit(bare, folder, told)
        parts = {name: one.result() for name, one in begun.items()} | {"bare": unit.result()}
        return Measured(parts["bare"].counts["pass"], parts, clocked)


def measure(told: Told, *, after: bool = False) -> Measured:
    """Everything: what is held by the clock first and alone, then what is counted, two machines at a time."""
    jobs: dict[str, Callable[[Path], Part]] = {
        "claude-code": lambda folder: dialect(folder, "claude-code", told, after=after),
        "codex": lambda folder: dialect(folder, "codex", told, after=after),
        "github": lambda folder: dialect(folder, "github", told, after=after),
        "none": lambda folder: without(folder, told),
        "idle": lambda folder: idle(folder, told),
        "files": lambda folder: files(folder, told),
        "scripts": lambda folder: scripted(folder, told),
        "compile": lambda folder: compiling(folder, told),
        "commit": lambda folder: committing(folder, told),
        "plans": lambda folder: planned(folder, told),
        "steps": lambda folder: stepped(folder, told),
    }
    valgrind()
    return _counted(jobs, beside.measure(told), told)


# --- the figures of the table ---


def _beyond(made: Measured, names: tuple[str, ...]) -> float:
    """What events cost more at work in a step of a plan than by default."""
    return statistics.mean(made.ratio("steps", name) - made.ratio("claude-code", name) for name in names)


def _much(made: Measured, what: str) -> float:
    """By how much the dearest event becomes dearer where there is much of something."""
    sorts = (*steps.SORTS, steps.TOLD)
    return max(made.growth("steps", (sort,), before="steps", after=f"{what} ") for sort in sorts)


FIGURES: dict[str, Callable[[Measured], float]] = {
    "default features, claude-code": lambda made: made.whole("claude-code"),
    "default features, codex": lambda made: made.whole("codex"),
    "default features, github": lambda made: made.whole("github"),
    "no feature enabled": lambda made: made.whole("none"),
    "risky shell command": lambda made: max(made.ratio("claude-code", name) for name in RISKY),
    "8 idle features more": lambda made: made.growth("idle", TOOLS),
    "200 configuration files": lambda made: made.growth("files", GROWING),
    "200 scripts of other events": lambda made: made.growth("scripts", TOOLS),
    "a prompt after 10,000 unfolded rows, beyond a usual one": lambda made: (
        made.ratio("claude-code", "after 10,000 rows") - made.ratio("claude-code", PROMPT)
    ),
    "1 GB log": lambda made: made.growth("claude-code", GROWING, after="1 GB log "),
    "10,000 sessions": lambda made: made.growth("claude-code", GROWING, after="10,000 sessions "),
    "pack, plan, gate and validators on, a call of a tool": lambda made: _beyond(made, TOOLS),
    "pack, plan, gate and validators on, a prompt": lambda made: _beyond(made, (PROMPT,)),
    "a plan of 2,000 nodes": lambda made: _much(made, "plan"),
    "100,000 artifacts": lambda made: _much(made, "artifacts"),
    "1,000 entries in the mailbox": lambda made: _much(made, "mailbox"),
    "an event that compiles after a change, 50 files": lambda made: made.ratio("compile", "read"),
    "pre-commit hook with one script": lambda made: made.ratio("commit", "pre-commit"),
    "a plan of 2,000 nodes submitted, by a schema check alone": lambda made: (
        plans.beyond(made.parts["plans"].counts, "submit") / plans.beyond(made.parts["plans"].counts, "schema")
    ),
    "a plan of 2,000 nodes submitted, by one of 1,000": lambda made: (
        plans.beyond(made.parts["plans"].counts, "submit")
        / plans.beyond(made.parts["plans"].counts, "submit half", "nothing for half")
    ),
    "child processes on PreToolUse": lambda made: (
        max(made.parts[name].processes[sort] for name in (*DIALECTS, "steps") for sort in TOOLS) - 1
    ),
    "third-party modules in a plain event": lambda made: max(len(made.parts[name].third) for name in DIALECTS),
    beside.COMPILED: lambda made: made.beside[beside.COMPILED],
    beside.EVALUATED: lambda made: made.beside[beside.EVALUATED],
}
"""Each figure of `gates.toml`, as it comes out of the counts."""
