"""The tree of a plan on a terminal: a head, a line for each node, and what was denied.

At a terminal's width a plan of many nodes has one line for each, cut where it does not fit; `--json` has all of it.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

from rich.cells import cell_len, set_cell_size
from rich.text import Text

from jackline.cli.parts.printer import Printer, foreign, table, text
from jackline.policy.continuation import PER_SOURCE
from jackline.services.plans import show as shows
from jackline.services.plans.document import Plan
from jackline.services.plans.show import Line
from jackline.services.validators import node as checks
from jackline.unicode_escape import escape_line

FEW = 12
"""Nodes up to which long texts go on in the next line."""
GAP = 2
"""Columns between two parts of a line."""
STYLES = {"✓": "good", "▶": "warn", "✗": "deny"}
OF_CHECKS = {"passed": "good", "red": "deny", "running": "warn"}
STALE = "the plan's file is another than the accepted plan, which is followed · jackline plan submit FILE"
UP, WIPE = "\x1b[{}A", "\x1b[J"
"""What leads a terminal back over lines, and wipes what stands below."""


def _head(facts: Mapping[str, Any]) -> Text:
    nodes = facts["nodes"]
    over = sum(one["status"] in ("done", "skipped") for one in nodes)
    told = [facts["goal"], f"{over}/{len(nodes)} nodes" if nodes else "no plan yet"]
    if nodes and facts["minutes"] >= 1:
        told.append(f"{int(facts['minutes'])} min")
    if nodes and facts["files"]:
        told.append(f"{facts['files']} file{'s' * (facts['files'] != 1)}")
    return text((f"{facts['work']} ", "name"), (f"{facts['phase']}  ", "head"), "  ".join(filter(None, told)))


def _note(line: Line, standings: Mapping[str, str], held: int) -> list[tuple[str, str]]:
    """What stands behind a node: what is to be said of it, and its validators; `held`: ends of the turn they held."""
    made = [(line.note, "quiet")] if line.note else []
    for name, how in standings.items():
        count = f" {min(held, PER_SOURCE)}/{PER_SOURCE}" if held and how == "red" else ""
        made.append((f"{'  ' if made else ''}{name} {checks.SIGNS[how]}{count}", OF_CHECKS.get(how, "quiet")))
    return made


def _cut(words: str, width: int, *, middle: bool = False) -> str:
    """A text that fits; `middle`: its beginning and its end stay, as those of a path."""
    words = escape_line(words)
    if cell_len(words) <= width or width <= 0:
        return words if width > 0 else ""
    if not middle or width < 12:
        return set_cell_size(words, max(width - 1, 0)).rstrip() + "…"
    tail = words[-(width * 2 // 3) :]
    while cell_len(tail) > width * 2 // 3:
        tail = tail[1:]
    return set_cell_size(words, width - 1 - cell_len(tail)) + "…" + tail


def shares(needed: Sequence[int], room: int) -> list[int]:
    """Widths for parts that need so much, in this room: who needs little has it, the others share what is left."""
    made = [0] * len(needed)
    for count, at in enumerate(sorted(range(len(needed)), key=lambda one: needed[one])):
        made[at] = min(needed[at], max(room, 0) // (len(needed) - count))
        room -= made[at]
    return made


def _row(line: Line, note: Sequence[tuple[str, str]], widths: Sequence[int]) -> Text:
    """One node within these widths: of its id, its description, its scope and its note."""
    ident, what, scope, left = widths
    row = text((line.branch, "quiet"), " ", (line.sign, STYLES.get(line.sign, "")), " ")
    parts = ((_cut(line.id, ident), ident, "name"), (_cut(line.description, what), what, ""),
             (_cut(line.scope, scope, middle=True), scope, "place"))  # fmt: skip
    for words, wide, style in parts:
        row.append(set_cell_size(words, wide) + " " * GAP * (wide > 0), style)
    for words, style in note:
        piece = _cut(words, left)
        row.append(piece, style)
        left -= cell_len(piece)
        if piece != escape_line(words):
            break
    row.rstrip()
    return row


def _short(lines: Sequence[Line], notes: Sequence[list[tuple[str, str]]], width: int) -> list[Text]:
    """One line for each node, within the width."""
    told = ["".join(part for part, _ in note) for note in notes]
    columns = [one.id for one in lines], [one.description for one in lines], [one.scope for one in lines], told
    ident, *needed = [max(cell_len(escape_line(one)) for one in column) for column in columns]
    ident = min(ident, width // 4)
    widths = shares(needed, width - 5 - ident - GAP * sum(one > 0 for one in needed))
    return [_row(line, note, (ident, *widths)) for line, note in zip(lines, notes, strict=True)]


def _is_narrow(printer: Printer) -> bool:
    """Whether lines have to fit: at a terminal, or where somebody says how wide it is."""
    return printer.console.is_terminal or "COLUMNS" in os.environ


def show(printer: Printer, facts: Mapping[str, Any], plan: Plan, task: Mapping[str, Any], now_ms: int) -> None:
    """The whole tree."""
    lines = shows.lines(plan, task, now_ms)
    notes = _notes(facts, lines)
    printer.line(_head(facts))
    if len(lines) > FEW and _is_narrow(printer):
        for row in _short(lines, notes, printer.width):
            printer.show(row)
    elif lines:
        rows = [
            (text((one.branch, "quiet"), " ", (one.sign, STYLES.get(one.sign, "")), " ", (one.id, "name")),
             one.description, text((one.scope, "place")), text(*note))
            for one, note in zip(lines, notes, strict=True)
        ]  # fmt: skip
        wide = Printer(printer.stream) if _is_narrow(printer) else Printer(printer.stream, width=1 << 16)
        wide.show(table([{}, {}, {}, {}], rows, head=False))
    for line in (facts["denied"] or {}).get("findings", []):
        printer.line(("denied  ", "deny"), line)
    if facts["stale"]:
        printer.line(("stale   ", "warn"), STALE)


def _notes(facts: Mapping[str, Any], lines: Sequence[Line]) -> list[list[tuple[str, str]]]:
    beside = {one["id"]: one["validators"] for one in facts["nodes"]}
    return [_note(one, beside[one.id], facts["held"]) for one in lines]


# --- drawn over again ----------------------------------------------------------------------------------------------


def _fitted(lines: list[Line], high: int) -> tuple[list[Line], str]:
    """As many nodes as fit, those that are over left out first; and what is said of the others."""
    if len(lines) <= high:
        return lines, ""
    left = [one for one in lines if one.sign not in ("✓", "–")]
    over = len(lines) - len(left)
    kept = left[: max(high - 1, 1)]
    told = [f"{over} over"] if over else []
    told += [f"{len(left) - len(kept)} more wait"] if len(left) > len(kept) else []
    return kept, "… " + ", ".join(told)


class Live:
    """A tree that is drawn over itself on a terminal; elsewhere each change is printed below the one before."""

    def __init__(self, printer: Printer) -> None:
        self.printer = printer
        self.drawn = 0

    def show(self, facts: Mapping[str, Any], plan: Plan, task: Mapping[str, Any], now_ms: int) -> None:
        if not self.printer.console.is_terminal:
            show(self.printer, facts, plan, task, now_ms)
        else:
            rows = self._rows(facts, plan, task, now_ms)
            back = UP.format(self.drawn) + WIPE if self.drawn else ""
            self.printer.stream.write(back + "".join(self.printer.drawn(row).rstrip("\n") + "\n" for row in rows))
            self.drawn = len(rows)
        self.printer.stream.flush()

    def _rows(self, facts: Mapping[str, Any], plan: Plan, task: Mapping[str, Any], now_ms: int) -> list[Text]:
        width, denied = self.printer.width, (facts["denied"] or {}).get("findings", [])[:3]
        high = self.printer.console.height - len(denied) - facts["stale"] - 2
        lines, more = _fitted(shows.lines(plan, task, now_ms), high)
        rows = [_head(facts), *(_short(lines, _notes(facts, lines), width) if lines else [])]
        rows += [text((more, "quiet"))] if more else []
        rows += [foreign(f"denied  {line}", "deny") for line in denied]
        rows += [foreign(f"stale   {STALE}", "warn")] if facts["stale"] else []
        for row in rows:
            row.truncate(width, overflow="ellipsis")
        return rows
