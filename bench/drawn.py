"""How the guard does on a draw of `bench.streams`: friction of commands that people and agents ran, verdicts of suites.

A stream's row has no verdict: whoever ran it wanted it to run, so what is asked about or refused is friction, unless a
file of labels calls the question rightful. A suite's row may be marked `policy`; both rates are told.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

from jackline.features.command_guard.judge import Ruling

Judge = Callable[[dict[str, Any]], Ruling]


class Friction(NamedTuple):
    """What a stream met, a thousand distinct commands; `rightful` of the asked and refused together."""

    rows: int
    sources: int
    asked: float
    refused: float
    rightful: float
    labelled: int
    passed: int
    reasons: tuple[tuple[str, int, int], ...]


def labels(path: Path | None) -> dict[str, str]:
    """Command, or what it is known by, to why a person should be asked, as a file says: rows of JSON, or digests."""
    if path is None:
        return {}
    lines = [line for line in path.read_text().splitlines() if line.strip() and line[0] != "#"]
    rows = [json.loads(line) for line in lines if line[0] == "{"]
    known = {line: "labelled blind" for line in lines if line[0] != "{"}
    return known | {row["command"]: row["rightful"] for row in rows}


def known_by(command: str) -> str:
    """What a command is known by where its text is not kept."""
    return sha256(command.encode(errors="surrogatepass")).hexdigest()[:12]


def friction(rows: Sequence[dict[str, Any]], judge: Judge, labelled: dict[str, str]) -> Friction:
    """The friction of a stream; by the rule that decided, how often, and how often rightly."""
    count: Counter[str] = Counter()
    reasons: dict[str, Counter[str]] = defaultdict(Counter)
    seen: set[str] = set()
    for row in rows:
        if row["command"] in seen:
            continue
        seen.add(row["command"])
        ruling, right = judge(row), row["command"] in labelled or known_by(row["command"]) in labelled
        count.update({ruling.decision: 1, "labelled": right, "passed": right and ruling.decision == "allow"})
        if ruling.decision != "allow":
            count["rightful"] += right
            reasons[ruling.rule].update(all=1, rightful=int(right))
    share = 1000 / (len(seen) or 1)
    return Friction(
        len(seen),
        len({row["source"] for row in rows}),
        count["ask"] * share,
        count["deny"] * share,
        count["rightful"] * share,
        count["labelled"],
        count["passed"],
        tuple((rule, found["all"], found["rightful"]) for rule, found in sorted(reasons.items(), key=_most)),
    )


def _most(reason: tuple[str, Counter[str]]) -> tuple[int, str]:
    return -reason[1]["all"], reason[0]


def told(found: Friction) -> str:
    stopped = found.asked + found.refused
    lines = [
        f"{found.rows} distinct commands of {found.sources} repositories · a thousand: asked {found.asked:.1f}, "
        f"refused {found.refused:.1f} · rightly {found.rightful:.1f}, otherwise {stopped - found.rightful:.1f} · "
        f"labelled rightful {found.labelled}, of which {found.passed} passed",
        *(f"  {rule:<24} {count:>4}   rightly {right}" for rule, count, right in found.reasons),
    ]
    return "\n".join(lines)


class Stopped(NamedTuple):
    """Rows of a suite: those to be stopped and how many were, with and without what is policy; those that may pass."""

    block: int
    stopped: int
    plain: int
    plain_stopped: int
    allow: int
    asked: int
    refused: int

    def __str__(self) -> str:
        def rate(part: int, whole: int) -> str:
            return f"{part / whole:>6.1%}" if whole else "     –"

        asked, refused = rate(self.asked + self.refused, self.allow), rate(self.refused, self.allow)
        return (
            f"{rate(self.stopped, self.block)} of {self.block:>4} stopped · without policy "
            f"{rate(self.plain_stopped, self.plain)} of {self.plain:>4} · friction "
            f"{asked} of {self.allow:>4} · refused {refused}"
        )


def stopped(rows: Iterable[dict[str, Any]], judge: Judge) -> dict[str, Stopped]:
    """By repository, and `all`."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for row in rows:
        said = judge(row).decision
        for name in (row["source"].partition(" ")[0], "all"):
            count, held = counts[name], said != "allow"
            if row["expected"] == "block":
                count.update(block=1, stopped=held, plain=not row["policy"], plain_stopped=held and not row["policy"])
            else:
                count.update(allow=1, asked=said == "ask", refused=said == "deny")
    return {name: Stopped(*(count[key] for key in Stopped._fields)) for name, count in sorted(counts.items())}
