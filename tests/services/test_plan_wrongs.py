"""All that is wrong with a plan is told at once: each thing with its node, and what to write instead."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jackline.services.plans.document import parse
from jackline.services.plans.rules import STRUCTURE, Facts, findings
from jackline.services.plans.structure_faults import EXAMPLES, _circles


def told(root: Path, *nodes: Any, **more: Any) -> list[tuple[str, str]]:
    data = json.dumps({"nodes": nodes, **more}).encode()
    return [(one.node, one.what.partition(": ")[0]) for one in findings(data, Facts(str(root)))[1]]


def node(name: str, **more: Any) -> dict[str, Any]:
    return {"id": name, "description": "x", "validators": ["t"], **more}


def test_every_fault_of_every_node_is_told_at_once(tmp_path: Path) -> None:
    """Structure, and what else can be judged of the nodes that can be read."""
    assert told(
        tmp_path,
        node("a", dependsOn=["b"], evidence=["notes.md"]),
        node("b", dependsOn=["a", "q"]),
        {"id": "c", "description": 3, "scope": 7, "lease": {"minutes": "x"}, "evidence": ["unread"]},
        5,
        {"description": "w"},
        node("a"),
        node("d", scope="../x"),
        goal=7,
    ) == [
        ("", "plan.goal"),
        ("c", "nodes[2].description"),
        ("c", "nodes[2].scope"),
        ("c", "nodes[2].lease.minutes"),
        ("", "nodes[3]"),
        ("", "nodes[4].id"),
        ("a", "nodes[5].id"),
        ("b", "its dependencies"),
        ("a", "its dependencies lead in a circle"),
        ("d", "../x leads out of the project"),
        ("a", "notes.md is not there"),
    ]


def test_a_circle_is_named_with_all_who_wait_in_it(tmp_path: Path) -> None:
    data = json.dumps({"nodes": [node("a", dependsOn=["b"]), node("b", dependsOn=["c"]), node("c", dependsOn=["b"])]})
    (found,) = [one for one in findings(data.encode(), Facts(str(tmp_path)))[1] if one.rule == STRUCTURE]
    assert (found.node, found.what) == ("b", "its dependencies lead in a circle: b → c → b")


@pytest.mark.parametrize(
    ("data", "what"),
    [(b"{", "no valid JSON"), (b"[]", "expected an object"), (b'{"nodes": []}', "nodes: expected 1 to"),
     (b'{"nodes": [{"id": "a", "description": "\\ud800"}, {}]}', "half a character"), (b" " * (2 << 20), "larger than"),
     (json.dumps({"nodes": [{}] * 2001}).encode(), "nodes: expected 1 to")],
    ids=["torn", "no object", "none", "half", "large", "many"],
)  # fmt: skip
def test_what_is_wrong_with_the_whole_is_told_alone(tmp_path: Path, data: bytes, what: str) -> None:
    (found,) = findings(data, Facts(str(tmp_path)))[1]
    assert found.rule == STRUCTURE and found.what.startswith(what)


LISTS = st.lists(st.text(max_size=2), max_size=2)
OBJECTS = st.dictionaries(st.sampled_from(["minutes", "paths", "fixes", "command"]), st.integers(0, 2), max_size=2)
VALUES = st.one_of(st.none(), st.booleans(), st.integers(-1, 3), st.text(max_size=3), LISTS, OBJECTS)
NODES = st.one_of(VALUES, st.dictionaries(st.sampled_from([*EXAMPLES, "odd"]), VALUES, max_size=6))


@given(st.lists(NODES, max_size=4))
def test_a_plan_that_faults_has_a_finding_and_one_that_is_mended_so_has_none(nodes: list[Any]) -> None:
    """What the one reader refuses the other explains, and no fault makes it raise."""
    data = json.dumps({"nodes": nodes}).encode()
    found = [one for one in findings(data, Facts("/nowhere"))[1] if one.rule == STRUCTURE]
    assert bool(found) is bool(parse(data).fault)
    assert all(one.what and one.write for one in found)


@given(st.lists(st.lists(st.integers(0, 7), max_size=3), min_size=1, max_size=8))
def test_circles_are_circles_and_none_is_missed(needs: list[list[int]]) -> None:
    names = {str(at): [str(one) for one in before] for at, before in enumerate(needs)}
    found = _circles(names)
    for circle in found:
        assert all(after in names[name] for name, after in zip(circle, [*circle[1:], circle[0]], strict=True))
    plan = {"nodes": [node(name, dependsOn=[one for one in before if one in names]) for name, before in names.items()]}
    assert bool(found) is bool(parse(json.dumps(plan).encode()).fault)
