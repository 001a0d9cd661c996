"""What came of a task: announced when it is complete, once for each plan, for whoever learns from it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from jackline.compiler import schemas
from jackline.services import retrospective
from scene import Scene

STRICT = {name: {"enabled": True} for name in ("work-init", "plan-graph", "tool-gate")}
PLAN: list[dict[str, Any]] = [
    {"id": "n1", "description": "change it", "scope": "src/**", "validators": ["t"]},
    {"id": "n2", "kind": "look", "description": "look around", "dependsOn": ["n1"]},
    {"id": "n3", "description": "leave it", "scope": "db/**", "tools": ["kind:edit"], "status": "forbidden"},
]


@pytest.fixture
def shop(scene: Scene) -> Scene:
    (scene.root / "src").mkdir()
    (scene.root / "src/a.py").write_text("a\n")
    scene.manifest({"version": 1, "modules": STRICT})
    scene.begin()
    scene.prompt("rotate the tokens")
    return scene


def after(scene: Scene, command: str) -> None:
    scene.say(scene.tool(command, event="PostToolUse"))


def submit(scene: Scene, *nodes: dict[str, Any]) -> None:
    path = scene.folder / "plan.json"
    path.write_text(json.dumps({"nodes": nodes}))
    after(scene, f"jackline plan submit {path}")


def work_off(scene: Scene) -> None:
    submit(scene, *PLAN)
    assert scene.pre("touch src/b.py").decision == ""
    (scene.root / "src/b.py").write_text("b\n")
    after(scene, "jackline plan node done n1")
    after(scene, "jackline plan node skip n2 --reason 'nothing to see'")


def announced(scene: Scene) -> list[dict[str, Any]]:
    lines = (scene.place / "registry.jsonl").read_text().splitlines()
    return [one for line in lines if (one := json.loads(line))["kind"] == "retrospective"]


def test_what_came_of_it(shop: Scene) -> None:
    shop.pre("touch new.py")
    shop.pre("touch new.py")
    submit(shop, {"id": "n1", "description": "nothing checks it"})
    work_off(shop)
    assert announced(shop) == []
    shop.say(shop.payload("Stop"))
    assert shop.state()["core"]["phase"] == "COMPLETE"
    (entry,) = announced(shop)
    assert (entry["ref"], entry["workId"]) == ("work/w001/retrospective.json", "w001")
    assert entry["summary"].startswith("1 of 3 nodes done, 2 refusals, ")
    made = json.loads((shop.place / entry["ref"]).read_text())
    assert schemas.validate("retrospective", made) == []
    assert [(one["id"], one["status"], one.get("reason", "")) for one in made["nodes"]] == [
        ("n1", "done", ""),
        ("n2", "skipped", "nothing to see"),
        ("n3", "forbidden", ""),
    ]
    assert made["attempts"] == {"accepted": 1, "denied": 1, "continued": 0}
    assert (made["refused"], made["refusals"][0]["times"], made["refusals"][0]["by"]) == (2, 2, "tool-gate")
    assert (made["goal"], made["work"]) == ("rotate the tokens", "w001")
    (row,) = shop.rows("RETROSPECTIVE")
    assert row["data"]["refused"] == 2


def test_once_for_a_plan(shop: Scene) -> None:
    work_off(shop)
    for _ in range(2):
        after(shop, "ls")
        shop.say(shop.payload("Stop"))
    assert len(announced(shop)) == 1
    submit(shop, *PLAN, {"id": "n4", "description": "more", "scope": "src/**", "validators": ["t"]})
    assert shop.state()["core"]["phase"] == "EXECUTING"
    shop.pre("touch src/c.py")
    (shop.root / "src/c.py").write_text("c\n")
    for name in ("n4", "n2"):
        after(shop, f"jackline plan node done {name}")
    after(shop, "ls")
    first, second = announced(shop)
    assert second["supersedes"] == first["id"]


def test_the_next_task_has_its_own(shop: Scene) -> None:
    work_off(shop)
    shop.prompt("and now the keys")
    assert [one["workId"] for one in announced(shop)] == ["w001"]
    after(shop, "ls")
    assert len(announced(shop)) == 1


def test_another_feature_hears_of_it(shop: Scene) -> None:
    shop.feature(
        "learner",
        'found = ctx.state["core"].get("latest", {}).get("retrospective")\n'
        'return note("learnt", found["ref"]) if found else None',
        supports=["PreToolUse"],
    )
    shop.trust()
    work_off(shop)
    shop.say(shop.payload("Stop"))
    assert "work/w001/retrospective.json" in shop.pre("ls").out.decode()


def test_minutes_are_those_within_turns() -> None:
    rows = [
        {"ts": at * 60_000, "turnId": turn} for at, turn in ((0, 1), (3, 1), (100, 2), (101, 2), (104, 2), (500, 3))
    ]
    assert retrospective.minutes(rows) == 7.0
