"""The tree of a plan: a line for each node at a terminal's width, and drawn over itself while it is followed."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.console import Console

from jackline.cli.parts import plan_tree
from jackline.cli.parts.plan_tree import UP, WIPE, Live, shares
from jackline.cli.parts.printer import THEME, Printer
from jackline.services.plans import show
from jackline.services.plans.document import Node, Plan, parse

from .conftest import Desk

LONG = "move every caller of the parser to the form that reads both headers"
FACTS: dict[str, Any] = {
    "work": "w001", "phase": "EXECUTING", "goal": "a long task", "minutes": 11.4, "files": 3, "held": 0, "denied": None,
    "stale": False,
}  # fmt: skip


def plan_of(count: int) -> Plan:
    nodes = [
        {"id": f"n{at}", "description": f"{LONG} {at}", "scope": [f"packages/shop/src/part-{at}/**", "docs/**"],
         "dependsOn": [f"n{one}" for one in range(max(0, at - 5), at)]}
        for at in range(count)
    ]  # fmt: skip
    return parse(json.dumps({"nodes": nodes}).encode())


def facts_of(plan: Plan, **more: Any) -> dict[str, Any]:
    nodes = [{"id": one.id, "status": "open", "validators": {"check": "red"}} for one in plan.nodes]
    return {**FACTS, "nodes": nodes, **more}


def terminal(width: int = 80, height: int = 24) -> Printer:
    stream = io.StringIO()
    console = Console(file=stream, width=width, height=height, force_terminal=True, color_system=None, theme=THEME)
    return Printer(stream, console=console)


def said(printer: Printer) -> str:
    assert isinstance(printer.stream, io.StringIO)
    return printer.stream.getvalue()


@pytest.mark.parametrize("width", [40, 80, 120, 200])
def test_sixty_nodes_have_a_line_each_that_fits(monkeypatch: pytest.MonkeyPatch, width: int) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    stream = io.StringIO()
    plan = plan_of(60)
    plan_tree.show(Printer(stream), facts_of(plan), plan, {}, 0)
    lines = stream.getvalue().splitlines()
    assert len(lines) == 61
    assert all(cell_len(line) <= width for line in lines[1:])
    assert [line.split()[2] for line in lines[1:]] == [node.id for node in plan.nodes]


def test_where_nobody_says_how_wide_it_is_nothing_is_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)
    stream = io.StringIO()
    plan = plan_of(60)
    plan_tree.show(Printer(stream), facts_of(plan), plan, {}, 0)
    lines = stream.getvalue().splitlines()
    assert len(lines) == 61
    assert all(node.description in line and ", ".join(node.scopes) in line
               for node, line in zip(plan.nodes, lines[1:], strict=True))  # fmt: skip


def test_the_head_says_what_was_used() -> None:
    printer, plan = terminal(), plan_of(2)
    plan_tree.show(printer, facts_of(plan), plan, {}, 0)
    assert said(printer).splitlines()[0].endswith("a long task  0/2 nodes  11 min  3 files")


def test_a_red_validator_says_how_often_it_held_the_turn() -> None:
    printer, plan = terminal(200), plan_of(1)
    plan_tree.show(printer, facts_of(plan, held=1), plan, {}, 0)
    assert "check ✗ 1/3" in said(printer)


def test_a_tree_that_is_followed_is_drawn_over_itself_and_fits() -> None:
    """At a terminal of 24 lines: what is over goes first, then what waits longest."""
    printer, plan = terminal(), plan_of(60)
    live, task = Live(printer), {"nodes": {f"n{at}": {"status": "done"} for at in range(10)}}
    live.show(facts_of(plan), plan, task, 0)
    first = said(printer)
    assert first.count("\n") <= 24 and "n0 " not in first and "n10" in first
    assert "… 10 over, " in first and " more wait" in first
    live.show(facts_of(plan), plan, task, 0)
    assert said(printer)[len(first) :] == UP.format(first.count("\n")) + WIPE + first


def test_what_was_denied_is_followed_too() -> None:
    printer = terminal()
    Live(printer).show(facts_of(Plan(), denied={"findings": ["n1 · " + "x" * 100]}), Plan(), {}, 0)
    assert [len(line) <= 80 for line in said(printer).splitlines()] == [True, True]


@given(st.lists(st.integers(0, 300), min_size=1, max_size=4), st.integers(-10, 400))
def test_parts_share_the_room_there_is(needed: list[int], room: int) -> None:
    made = shares(needed, room)
    assert sum(made) <= max(room, 0) and all(0 <= got <= want for got, want in zip(made, needed, strict=True))
    if sum(needed) <= room:
        assert made == needed


@given(st.lists(st.lists(st.integers(0, 9), max_size=4), min_size=1, max_size=10))
def test_a_picture_leaves_out_only_what_it_says_already(needs: list[list[int]]) -> None:
    nodes = tuple(Node(f"n{at}", needs=tuple(f"n{one}" for one in rest if one < at)) for at, rest in enumerate(needs))

    def reached(pairs: list[tuple[str, str]]) -> set[tuple[str, str]]:
        found = set(pairs)
        while more := {(a, d) for a, b in found for c, d in found if b == c} - found:
            found |= more
        return found

    every = [(name, node.id) for node in nodes for name in dict.fromkeys(node.needs)]
    drawn = show.edges(Plan(nodes))
    assert reached(drawn) == reached(every) and set(drawn) <= set(every)
    assert all(reached([two for two in drawn if two != one]) != reached(drawn) for one in drawn)


def test_a_task_without_a_plan_shows_its_goal(desk: Desk) -> None:
    desk.manifest({"version": 1, "modules": {"work-init": {"enabled": True}}})
    desk.begin()
    desk.prompt("rotate the tokens")
    assert desk.jackline("plan", "show").out == "w001 PLANNING  rotate the tokens  no plan yet\n"
