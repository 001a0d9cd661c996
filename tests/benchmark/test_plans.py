"""A large plan costs what its size says: steps of the interpreter are counted, which no clock and no load changes."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from bench import plans

from jackline.services.plans import acceptance
from jackline.services.plans.acceptance import Where


def lines(job: Callable[[], object]) -> int:
    """How many lines of Python run."""
    count = 0

    def trace(frame: FrameType, event: str, arg: Any) -> Any:
        nonlocal count
        count += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        job()
    finally:
        sys.settrace(before)
    return count


def where(folder: Path, name: str) -> Where:
    (folder / "project").mkdir(exist_ok=True)
    return Where(f"{folder}/{name}", f"{folder}/project", "0badcafe", "w001", f"{folder}/session")


def wide(size: int) -> bytes:
    """Every change before one validation, and a side effect behind it for each."""
    nodes: list[dict[str, Any]] = [
        {"id": f"c{at}", "description": "x", "scope": f"a{at}/**"} for at in range(size // 2)
    ]
    nodes.append({"id": "v", "kind": "validate", "description": "x", "dependsOn": [one["id"] for one in nodes]})
    more = [{"id": f"s{at}", "kind": "side_effect", "description": "x", "dependsOn": ["v"]} for at in range(size // 2)]
    return json.dumps({"nodes": nodes + more}).encode()


def deep(size: int) -> bytes:
    """A chain: each step behind the one before, changes and validations in turn."""
    kinds = ("change", "validate")
    nodes = [
        {"id": f"n{at}", "kind": kinds[at % 2], "description": "x", "dependsOn": [f"n{at - 1}"] if at else []}
        for at in range(size)
    ]
    return json.dumps({"nodes": nodes}).encode()


@pytest.mark.parametrize("shape", [plans.plan, wide, deep], ids=lambda one: one.__name__)
def test_twice_the_nodes_cost_twice_as_much(tmp_path: Path, shape: Callable[[int], bytes]) -> None:
    half, whole = shape(500), shape(1_000)
    plans.submit(half, where(tmp_path, "first"))  # what is loaded and compiled once is no part of it
    few = lines(lambda: plans.submit(half, where(tmp_path, "half")))
    many = lines(lambda: plans.submit(whole, where(tmp_path, "whole")))
    assert 1.8 < many / few <= 2.2


def test_a_submission_costs_at_most_two_checks_by_its_schema(tmp_path: Path) -> None:
    data = plans.plan(500)
    plans.submit(data, where(tmp_path, "first"))
    plans.schema(data, where(tmp_path, "first"))
    submitted = lines(lambda: plans.submit(data, where(tmp_path, "again")))
    assert submitted <= 2 * lines(lambda: plans.schema(data, where(tmp_path, "again")))


def test_the_largest_plan_is_accepted_and_one_more_node_is_not(tmp_path: Path) -> None:
    assert acceptance.check(where(tmp_path, "store"), plans.plan(plans.NODES)).accepted
    refused = acceptance.check(where(tmp_path, "store"), plans.plan(plans.NODES + 1))
    assert not refused.accepted and "expected 1 to 2000" in refused.findings[0].what
