"""How the guard does on a corpus of commands with known verdicts, and how quickly.

    python -m bench.guard PATH            stopped, friction, asked, hard; by source and by category
    python -m bench.guard PATH --misses   with every miss and every friction
    python -m bench.guard PATH --sources  each suite by the rules that stand without it, and by those others met
    python -m bench.guard PATH --speed    commands a second, beside what the tolerant parser needs for the same
    python -m bench.guard DRAW            friction of a stream by both guards a thousand distinct commands, by reason;
                                          rates of suites by the command guard
    python -m bench.guard DRAW --labels FILE   with the questions that FILE calls rightful counted apart
    python -m bench.guard DRAW DRAW       both as one stream: a command that both have counts once

The corpus is read where it lies. A row holds `command`, `expected` (`block`, `allow`), `accept`, `category`, `source`,
and where it was fixed `cwd`, `project_root`, `home`. Where the file is absent, that is said, and nothing is measured.
A draw is a file of `bench.streams`: rows without `expected` are a stream, rows with `policy` those of suites.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path
from statistics import median
from typing import IO, Any, NamedTuple

from bench import drawn, protected
from jackline.calls import acts
from jackline.features.command_guard import guard
from jackline.features.command_guard.judge import ALLOWED, Ruling, ruling
from jackline.features.command_guard.rules import BY_ID, Finding, Rule
from jackline.model import Event
from jackline.shell.effects import LANGUAGES, effects
from jackline.shell.screen import cleared

CWD, HOME, TEMPORARY = "/nowhere/project", "/home/somebody", "/tmp"
"""Where a row runs that fixed no folder."""

LIMITS = {"stopped": 0.97, "friction": 0.025, "hard": 0.01, "source": 0.93, "apart": 0.05}
"""What must hold: at least this share stopped (of all, and of each source), at most these shares of the others.

A question that a row's label accepts is none of them.
"""

SHORT = {"dcg": "destructive_command_guard", "cc-safety-net": "cc-safety-net", "nah": "nah"}
"""How rules name the suites."""


SLOWEST = 20.0
"""Commands that the parser may read while the guard judges one."""

TURNS, LENGTH = 40, 16
"""For the speed: how often each goes through the corpus in turn, and the parser for one turn of the guard's."""


class Row(NamedTuple):
    """One row of the corpus, and what the guard has to say of it."""

    command: str
    block: bool
    accept: tuple[str, ...]
    category: str
    source: str
    findings: tuple[Finding, ...]

    def decision(self, without: str = "", only: frozenset[str] | None = None) -> str:
        """The answer; `without`: by the rules that do not rest on this suite alone; `only`: by these rules."""
        kept = [one for one in self.findings if not without or independent(one.rule, without)]
        kept = [one for one in kept if only is None or one.rule.id in only]
        return ruling(kept).decision


class Figures(NamedTuple):
    """Shares of the rows."""

    block: int
    allow: int
    stopped: float
    friction: float
    asked: float
    hard: float


def independent(rule: Rule, suite: str) -> bool:
    """The rule stands on something else than one suite: another, or a reference outside."""
    return any(one.strip() != suite for one in rule.sources.split(","))


def suite_of(source: str) -> str:
    repository = source.partition(" ")[0].rpartition("/")[2]
    return next((name for name, full in SHORT.items() if full == repository), repository)


def answer(raw: dict[str, Any], packs: Sequence[str] = ()) -> Ruling:
    """What the guard says to a row, in the shell and from the folder that it names."""
    command = raw["command"]
    if command.startswith("mcp__"):
        return called(raw)
    cwd = raw.get("cwd") or CWD
    root, home = raw.get("project_root") or cwd, raw.get("home") or HOME
    language = LANGUAGES.get(raw.get("shell") or "bash", "")
    if cleared(command, language):
        return ALLOWED
    config = {"packs": [*packs]} if packs else {}
    known = effects(command, cwd, {"HOME": home, "TMPDIR": TEMPORARY}, root, language, None, 0, alone=True)
    ground = guard.ground_of(cwd, root, home, config, TEMPORARY)
    return guard.rule_on(command, known, ground, config, "standard", "2000-01-01")


def called(raw: dict[str, Any]) -> Ruling:
    """What the guard says to a row that is no command but the call of a tool: its name, and its input as JSON."""
    tool, _, given = raw["command"].partition(" ")
    try:
        held = json.loads(given.strip().strip("'"))
    except ValueError:
        held = {"input": given}
    event = Event("PreToolUse", tool=tool, kind="mcp", input=held, client="claude-code")
    event.root = event.cwd = CWD
    event.home, event.env = HOME, {"HOME": HOME}
    ground = guard.ground_of(CWD, CWD, HOME, {}, TEMPORARY)
    return guard.rule_on("", acts(event), ground, {}, "standard", "2000-01-01")


def judged(raw: dict[str, Any]) -> Row:
    found = answer(raw).findings
    accept, source = tuple(raw["accept"]), suite_of(raw["source"])
    return Row(raw["command"], raw["expected"] == "block", accept, raw["category"], source, found)


def elsewhere(rows: Iterable[Row], suite: str) -> frozenset[str]:
    """The rules that a dangerous row of another suite meets: what this one's rows could not have brought in."""
    return frozenset(one.rule.id for row in rows if row.block and row.source != suite for one in row.findings)


def figures(rows: Iterable[Row], without: str = "", only: frozenset[str] | None = None) -> Figures:
    """The shares of some rows."""
    count: Counter[str] = Counter()
    for row in rows:
        said = row.decision(without, only)
        if row.block:
            count.update(block=1, stopped=said != "allow")
        else:
            outside = said.replace("deny", "block") not in row.accept
            count.update(allow=1, friction=outside, asked=said == "ask", hard=said == "deny")
    block, allow = count["block"] or 1, count["allow"] or 1
    return Figures(
        count["block"],
        count["allow"],
        count["stopped"] / block,
        count["friction"] / allow,
        count["asked"] / allow,
        count["hard"] / allow,
    )


def faults(rows: Sequence[Row]) -> list[str]:
    """What does not hold of what must."""
    whole = figures(rows)
    found = [] if whole.stopped >= LIMITS["stopped"] else [f"stopped {whole.stopped:.1%}"]
    for name in ("friction", "hard"):
        if getattr(whole, name) > LIMITS[name]:
            found.append(f"{name} {getattr(whole, name):.1%}")
    for source in sorted({row.source for row in rows}):
        own = [row for row in rows if row.source == source]
        here, left_out = figures(own), figures(own, source)
        if here.stopped < LIMITS["source"]:
            found.append(f"{source}: stopped {here.stopped:.1%}")
        if here.stopped - left_out.stopped > LIMITS["apart"]:
            found.append(f"{source}: stopped {left_out.stopped:.1%} by rules that stand without it")
    return found + claims(rows)


def claims(rows: Sequence[Row]) -> list[str]:
    """Rules that name a suite in which no dangerous row meets them."""
    seen = {(one.rule.id, row.source) for row in rows if row.block for one in row.findings}
    return [
        f"{rule.id} names {name}, which has no row for it"
        for rule in BY_ID.values()
        for name in SHORT
        if name in (one.strip() for one in rule.sources.split(",")) and (rule.id, name) not in seen
    ]


def read(path: Path) -> list[Row]:
    """The rows of a corpus, judged."""
    return [judged(json.loads(line)) for line in path.read_text().splitlines() if line.strip()]


def _line(name: str, found: Figures) -> str:
    return (
        f"{name:<34} {found.block:>4} block {found.stopped:>6.1%} stopped   {found.allow:>4} allow "
        f"{found.friction:>6.1%} friction {found.asked:>6.1%} asked {found.hard:>6.1%} hard"
    )


def _groups(rows: Sequence[Row], key: str) -> Iterable[tuple[str, list[Row]]]:
    found: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        found[f"{row.source} {row.category}" if key == "category" else row.source].append(row)
    return sorted(found.items())


class Speed(NamedTuple):
    """Commands a second of processor time, and how many the parser reads while the guard judges one."""

    guard: float
    parser: float
    ratio: float


def speed(path: Path) -> Speed:
    """The rate of `guard check --jsonl`, and that of the parser library for the same commands.

    The guard's is that of the command's own process, from bytes of JSON to bytes of JSON, without its start, which is
    paid once. The parser's is what whoever asks it anything needs: the text as bytes, its tree, whether it has errors.
    Both take turns of about the same length, as a busy machine slows whoever runs; medians, the ratio's that of turns.
    """
    import tree_sitter
    import tree_sitter_bash

    raw = path.read_bytes().rstrip(b"\n") + b"\n"
    texts = [json.loads(line)["command"] for line in raw.splitlines() if line.strip()]
    tolerant = tree_sitter.Parser(tree_sitter.Language(tree_sitter_bash.language()))
    with tempfile.TemporaryDirectory() as folder, _guard(folder) as process:
        _checked(process, raw, len(texts))  # what is loaded once
        rows = [(_checked(process, raw, len(texts)), _parsed(tolerant, texts)) for _ in range(TURNS)]
    own, other = (len(texts) / median(row[at] for row in rows) for at in (0, 1))
    return Speed(own, other, median(mine / its for mine, its in rows))


def _guard(folder: str) -> subprocess.Popen[bytes]:
    words = [sys.executable, "-m", "jackline.cli", "guard", "check", "--jsonl"]
    # Wide pipes: who reads and writes at the other end is not what is measured.
    return subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=folder, pipesize=1 << 20)


def _checked(process: subprocess.Popen[bytes], raw: bytes, lines: int) -> float:
    """Seconds of processor time that the process needs to answer these lines."""
    assert process.stdin and process.stdout
    clock = (~process.pid << 3) | 2  # its processor time, as `clock_getcpuclockid(3)` names it
    begun = time.clock_gettime(clock)
    writer = threading.Thread(target=_write, args=(process.stdin, raw))
    writer.start()
    for _ in range(lines):
        if not process.stdout.readline():
            raise RuntimeError("guard check ended before it answered each line")
    needed = time.clock_gettime(clock) - begun
    writer.join()
    return needed


def _write(stream: IO[bytes], raw: bytes) -> None:
    stream.write(raw)
    stream.flush()


def _parsed(tolerant: Any, texts: Sequence[str]) -> float:
    """Seconds of processor time that the parser needs for each of these once, over as long a turn as the guard's."""
    begun = time.process_time()
    for _ in range(LENGTH):
        for text in texts:
            tolerant.parse(text.encode()).root_node.has_error  # noqa: B018 - to ask is what is measured
    return (time.process_time() - begun) / LENGTH


def measured(rows: Sequence[dict[str, Any]], given: argparse.Namespace) -> int:
    """A draw's figures; with `misses`, the rows behind them."""

    def judge(row: dict[str, Any]) -> Ruling:
        both = answer(row, given.pack), ALLOWED if "expected" in row else protected.answer(row)
        return max(both, key=lambda one: one.decision)  # allow, ask, deny: by the alphabet, too

    protected.world()
    if "expected" not in rows[0]:
        print(drawn.told(drawn.friction(rows, judge, drawn.labels(given.labels))))
    else:
        for name, found in drawn.stopped(rows, judge).items():
            print(f"{name:<42} {found}")
    for row in rows if given.misses else ():
        ruling, expected = judge(row), row.get("expected", "allow")
        if (ruling.decision == "allow") == (expected == "block"):
            print(f"{ruling.rule or 'missed'} · {row['source']} · {row['command']!r}")
    return 0


def main(words: Sequence[str]) -> int:
    options = argparse.ArgumentParser(prog="python -m bench.guard", description=(__doc__ or "").partition("\n")[0])
    options.add_argument("path", type=Path)
    options.add_argument("more", type=Path, nargs="*", help="further draws, for one stream with the first")
    for name in ("misses", "sources", "speed"):
        options.add_argument(f"--{name}", action="store_true")
    options.add_argument("--labels", type=Path, help="rows of a stream that a person should be asked about")
    options.add_argument("--pack", action="append", default=[], help="with this pack, for a draw; repeatable")
    given = options.parse_args(words)
    if not given.path.is_file():
        print(f"{given.path} · no corpus here · nothing is measured")
        return 0
    if given.speed:
        made = speed(given.path)
        print(f"guard {made.guard:,.0f}/s · parser {made.parser:,.0f}/s · 1/{made.ratio:.1f}")
        return 0 if made.ratio <= SLOWEST else 1
    texts = [path.read_text() for path in (given.path, *given.more)]
    raw = [json.loads(line) for text in texts for line in text.splitlines() if line.strip()]
    if raw and ("expected" not in raw[0] or "policy" in raw[0]):
        return measured(raw, given)
    rows = [judged(one) for one in raw]
    for key in ("source", "category"):
        for name, group in _groups(rows, key):
            print(_line(name, figures(group)))
        print()
    print(_line("all", figures(rows)))
    if given.sources:
        for name, group in _groups(rows, "source"):
            print(_line(f"{name}, rules without it", figures(group, name)))
            print(_line(f"{name}, rules met elsewhere", figures(group, only=elsewhere(rows, name))))
    if given.misses:
        for row in rows:
            said = row.decision()
            if (row.block and said == "allow") or (not row.block and said.replace("deny", "block") not in row.accept):
                print(f"{'missed' if row.block else said} · {row.source} {row.category} · {row.command!r}")
    found = faults(rows)
    for fault in found:
        print(f"not as it must be: {fault}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
