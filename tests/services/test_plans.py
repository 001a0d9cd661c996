"""What becomes of a plan in the store: two at once, a writer that is killed, nodes of one plan and of the next."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jackline import system
from jackline.services.plans import acceptance, nodes, show, steps
from jackline.services.plans.acceptance import Where
from jackline.services.plans.document import Node, Plan, parse
from jackline.store import tasks

from .together import together

NOW = 1_700_000_000_000


@pytest.fixture
def where(tmp_path: Path) -> Where:
    for name in ("store", "root/.ai/tmp/0badcafe", "root/src"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "root/src/a.py").write_text("a\n")
    root = str(tmp_path / "root")
    return Where(str(tmp_path / "store"), root, "0badcafe", "w001", f"{root}/.ai/tmp/0badcafe")


def plan(*described: str) -> bytes:
    """A plan with a step for each of these words."""
    made = [{"id": f"n{at}", "description": word, "scope": f"src/{word}/**"} for at, word in enumerate(described)]
    return json.dumps({"nodes": made}).encode()


def submit(where: Where, data: bytes) -> None:
    assert acceptance.submit(where, data, "agent", NOW).accepted


def known(where: Where) -> dict[str, Any]:
    return tasks.read(where.store, where.sid, where.work)


def is_whole(where: Where) -> bool:
    """Whether the plan in the store is the one that its task speaks of."""
    data = tasks.read_plan(where.store, where.sid, where.work)
    return bool(acceptance.fingerprint(data) == known(where)["plan"]["fingerprint"])


def test_of_two_plans_at_once_one_is_the_tasks(where: Where) -> None:
    for _ in range(5):
        assert together(8, lambda number: submit(where, plan(f"p{number}"))) == [0] * 8
        assert is_whole(where)


def test_a_plan_that_cannot_be_kept_leaves_the_one_before(where: Where) -> None:
    submit(where, plan("first"))

    told, tell = os.pipe()

    def second(number: int) -> int:
        if number:
            held = system.lock(f"{where.store}/tasks/{where.sid}/{tasks.LOCK}", 0)
            os.write(tell, b"!")
            return 0 if held >= 0 else 1  # the lock is held until both have answered
        os.read(told, 1)
        try:
            acceptance.submit(where, plan("second"), "agent", NOW)
        except OSError:
            return 2
        return 3

    assert sorted(together(2, second)) == [0, 2]
    assert is_whole(where)
    assert acceptance.accepted(where).nodes[0].description == "first"


def test_a_node_of_another_plan_is_not_done_for_its_name(where: Where) -> None:
    """A writer was killed when the new plan stood there and the task did not know of it yet."""
    submit(where, plan("first", "second"))
    tasks.change(where.store, where.sid, where.work, lambda task: _over(where, _over(where, task, "n0"), "n1"))
    tasks.keep_plan(where.store, where.sid, where.work, plan("first", "other"))
    submit(where, plan("first", "other"))
    assert nodes.status(known(where), "n1") == ""


def _over(where: Where, task: tasks.Task, name: str) -> tasks.Task:
    return nodes.ended(task, nodes.find(acceptance.accepted(where), name), "skipped", NOW, "no need")


def test_what_was_changed_for_one_node_finishes_no_other_of_its_name(where: Where) -> None:
    submit(where, plan("first"))
    steps.start(where, "n0", NOW)
    tasks.change(where.store, where.sid, where.work, lambda task: {**task, "touched": {"n0": True}})
    steps.finish(where, "n0", NOW)
    submit(where, plan("second"))
    steps.start(where, "n0", NOW)
    with pytest.raises(nodes.Refused, match="nothing in src/second"):
        steps.finish(where, "n0", NOW)


def test_what_stays_as_it_was_stays_over(where: Where) -> None:
    submit(where, plan("first"))
    tasks.change(where.store, where.sid, where.work, lambda task: _over(where, task, "n0"))
    submit(where, plan("first", "second"))
    assert (nodes.status(known(where), "n0"), nodes.status(known(where), "n1")) == ("skipped", "")


def test_the_largest_plan_is_kept_with_all_its_nodes(where: Where) -> None:
    """However long its ids are in the store's own writing."""
    made = [{"id": f"{at:04d}" + "\u2028" * 150, "description": "d", "scope": "src/**"} for at in range(1_700)]
    submit(where, json.dumps({"nodes": made}, ensure_ascii=False).encode())
    plan = acceptance.accepted(where)

    def begun(task: tasks.Task) -> tasks.Task:
        for node in plan.nodes:
            task = nodes.started(task, node, NOW)
        return task

    tasks.change(where.store, where.sid, where.work, begun)
    assert len(nodes.leases(known(where), NOW)) == 1_700


def test_a_task_that_could_not_be_read_again_is_not_written(where: Where) -> None:
    submit(where, plan("first"))
    before = known(where)
    with pytest.raises(OSError, match="at most"):
        tasks.change(where.store, where.sid, where.work, lambda task: {**task, "goal": "x" * tasks.LIMIT})
    assert known(where) == before


def test_a_long_reason_is_kept_in_short(where: Where) -> None:
    submit(where, plan("first"))
    steps.skip(where, "n0", "because " * 10_000, NOW)
    assert known(where)["nodes"]["n0"]["reason"] == ("because " * 100)[: nodes.REASON]


def plainly(plan: Plan) -> list[str]:
    """The order of a tree as it is said: of those that wait for nothing the first, and so on."""
    waiting, order = list(plan.nodes), list[str]()
    while waiting:
        node = next((one for one in waiting if set(order).issuperset(one.needs)), waiting[0])
        waiting.remove(node)
        order.append(node.id)
    return order


@given(st.lists(st.lists(st.integers(0, 12), max_size=3), max_size=12))
def test_a_tree_stands_in_the_order_of_what_needs_what(needs: list[list[int]]) -> None:
    """Circles and names of nobody too: a picture is drawn before anybody judged the plan."""
    made = [Node(f"n{at}", description="x", needs=tuple(f"n{one}" for one in some)) for at, some in enumerate(needs)]
    plan = Plan(nodes=tuple(made))
    assert [one.id for one in show.lines(plan, {}, 0)] == plainly(plan)


def test_the_picture_before_a_question_deceives_nobody() -> None:
    """Each node is one line, and no part of a secret is left where a line is cut."""
    secret = "x " * 40 + "ghp_0123456789abcdefghijABCDEFGHIJ012345"
    data = {"nodes": [{"id": "a\n└─ b", "description": "\x1b[2J"}, {"id": "c", "description": secret}]}
    drawn = show.picture(parse(json.dumps(data).encode()))
    assert len(drawn) == 2 and not any({"\n", "\x1b"} & set(line) for line in drawn)
    assert "ghp_0" not in drawn[1]
