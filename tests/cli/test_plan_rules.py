"""A project's rules for plans: what an agent reads whose plan is against them, and what a person's yes changes."""

from __future__ import annotations

import json
from typing import Any

import pytest
from ruamel.yaml import YAML

from jackline.compiler import schemas
from scene import git

from .conftest import Desk

TESTS = "  - {id: tests, paths: ['src/**', '!src/docs/**'], require: validator, reason: it breaks silently}\n"
SCHEMA = "  - {id: schema, paths: ['db/**'], require: escalate, reason: others read it}\n"
WHY = "  - {id: why, tools: [kind:shell], require: evidence}\n"
CLIENTS = "  - {id: clients, from: one, to: two}\n"
ALL = TESTS + SCHEMA + WHY + CLIENTS


def shop_of(desk: Desk, rows: str, *, trusted: bool = True, mode: str = "enforce") -> Desk:
    desk.manifest(
        {"version": 1, "modules": {name: {"enabled": True, "mode": mode} for name in ("work-init", "plan-graph")}}
    )
    desk.trust()
    desk.hooks.mkdir(parents=True, exist_ok=True)
    text = f"rules:\n{rows}"
    assert schemas.validate("plan-rules", YAML(typ="safe").load(text)) == []
    (desk.hooks / "plan-rules.yaml").write_text(text)
    if trusted:
        desk.trust()
    desk.begin()
    desk.prompt("rotate the tokens")
    return desk


@pytest.fixture
def shop(desk: Desk) -> Desk:
    return shop_of(desk, ALL)


def change(name: str = "n1", scope: str = "lib/**", **more: Any) -> dict[str, Any]:
    return {"id": name, "description": "change it", "kind": "change", "scope": scope, "tools": ["kind:edit"], **more}


def check(*needs: str, **more: Any) -> dict[str, Any]:
    return {"id": "check", "kind": "validate", "description": "look at it", "dependsOn": [*needs], **more}


def judged(desk: Desk, *nodes: dict[str, Any], code: int = 1) -> list[str]:
    """The findings of a plan, a line each."""
    path = desk.folder / "plan.json"
    path.write_text(json.dumps({"nodes": nodes}))
    made = desk.jackline("plan", "check", str(path), "--json", code=code).data
    return [f"{one['node']} · {one['rule']} · {one['what']} · {one['write']}" for one in made["findings"]]


ASKED = {
    "id": "ask", "kind": "escalate", "description": "ask", "request": {"type": "decision", "question": "may it?"},
}  # fmt: skip

HOLD: dict[str, list[dict[str, Any]]] = {
    "no rule speaks of it": [change(), check("n1")],
    "its paths are taken out": [change(scope="src/docs/**"), check("n1")],
    "a validator of its own": [change(scope="src/a/**", validators=["t"]), check("n1")],
    "a node behind it that names one": [change(scope="src/a/**"), check("n1", validators=["t"])],
    "a person is asked first": [ASKED, change(scope="db/**", dependsOn=["ask"]), check("n1")],
    "by way of another": [
        ASKED, change("n0", dependsOn=["ask"]), change(scope="db/**", dependsOn=["n0"]), check("n1", "n0"),
    ],
    "evidence that is there": [change(tools=["Bash"], evidence=["README.md"]), check("n1")],
    "it is forbidden": [change(scope="db/**", status="forbidden"), change("n2"), check("n2")],
    "the rule approves the migration": [
        change(claims={"migration": {"from": "one", "to": "two", "rule": "clients"}}), check("n1"),
    ],
    "a rule that names none speaks of it": [
        change(scope="src/a/**", validators=["t"], claims={"migration": {"from": "a", "to": "b", "rule": "tests"}}),
        check("n1"),
    ],
}  # fmt: skip

VALIDATOR = '"validators": ["NAME"] in it, or in a node of kind "validate" that depends on it'
ESCALATE = 'a node of kind "escalate" that asks a person, and its id in the dependsOn of this one'
ASK = 'a node of kind "escalate" that asks for the decision'
BREAK: dict[str, tuple[list[dict[str, Any]], str]] = {
    "no validator": (
        [change(scope="src/a/**"), check("n1")], f"n1 · plan rule tests · it breaks silently · {VALIDATOR}",
    ),
    "everywhere holds it": (
        [change(scope="**", dependsOn=["ask"]), ASKED, check("n1")],
        f"n1 · plan rule tests · it breaks silently · {VALIDATOR}",
    ),
    "nobody is asked": (
        [change(scope="db/x.sql"), check("n1")], f"n1 · plan rule schema · others read it · {ESCALATE}",
    ),
    "asked too late": (
        [change(scope="db/**"), {**ASKED, "dependsOn": ["n1"]}, check("n1")],
        f"n1 · plan rule schema · others read it · {ESCALATE}",
    ),
    "a side effect": (
        [change(), check("n1"), {**change("n2", "db/**", dependsOn=["check"]), "kind": "side_effect"}],
        f"n2 · plan rule schema · others read it · {ESCALATE}",
    ),
    "no evidence": (
        [change(tools=["Bash"]), check("n1")],
        'n1 · plan rule why · it needs evidence · "evidence": ["PATH"], a file or an artifact that shows why',
    ),
    "an unknown rule": (
        [change(claims={"migration": {"from": "one", "to": "two", "rule": "x"}}), check("n1")],
        "n1 · claim · no approved rule is called 'x': one → two is approved by nobody · \"rule\": \"clients\"",
    ),
    "another migration": (
        [change(claims={"migration": {"from": "two", "to": "three", "rule": "clients"}}), check("n1")],
        f"n1 · claim · the rule clients approves one → two, not two → three · {ASK}",
    ),
    "a rule of other paths": (
        [change(claims={"migration": {"from": "a", "to": "b", "rule": "schema"}}), check("n1")],
        f"n1 · claim · the rule schema does not speak of this step's paths and tools · {ASK}",
    ),
    "no rule": (
        [change(claims={"migration": {"from": "one", "to": "two"}}), check("n1")],
        'n1 · claim · it cites no rule: one → two is approved by nobody · "rule": "clients"',
    ),
}  # fmt: skip


def test_what_the_rules_let_through(shop: Desk) -> None:
    (shop.root / "README.md").write_text("why\n")
    assert {name: judged(shop, *nodes, code=0) for name, nodes in HOLD.items()} == {name: [] for name in HOLD}


def test_what_they_stop_and_what_is_to_be_written(shop: Desk) -> None:
    found = {name: judged(shop, *nodes) for name, (nodes, _) in BREAK.items()}
    assert found == {name: [line] for name, (_, line) in BREAK.items()}


def test_a_plan_against_a_rule_is_refused_and_leads_on_by_what_it_reads(shop: Desk) -> None:
    path = shop.folder / "plan.json"
    path.write_text(json.dumps({"nodes": [change(scope="src/**"), check("n1")]}))
    said = shop.jackline("plan", "submit", str(path), code=1).out
    assert "n1 · plan rule tests · it breaks silently · write:" in said
    path.write_text(json.dumps({"nodes": [change(scope="src/**", validators=["t"]), check("n1")]}))
    shop.jackline("plan", "submit", str(path))


def test_scopes_keep_to_the_pack_where_the_project_says_so(desk: Desk) -> None:
    """What is there and not in it is a finding that names the command; what is new, and what was added, is not."""
    for name in ("src/a.py", "src/b.py"):
        (desk.root / name).parent.mkdir(exist_ok=True)
        (desk.root / name).write_text(f"{name}: rotate tokens\n")
    git(desk.root, "add", "-A")
    git(desk.root, "-c", "user.name=n", "-c", "user.email=n@example.org", "commit", "-qm", "tokens")
    modules = {name: {"enabled": True} for name in ("work-init", "plan-graph", "context-pack")}
    desk.manifest({"version": 1, "modules": modules})
    (desk.home / ".config/jackline/config.json").write_text(json.dumps({"plan-graph": {"scopes": "pack"}}))
    desk.begin()
    desk.prompt("ok")

    def plan(*scopes: str, code: int = 0) -> str:
        words = [word for one in scopes for word in ("--files", one)]
        return desk.jackline("plan", "quick", "rotate", *words, code=code).out

    assert "no context pack yet" in plan("src/a.py", code=1)
    desk.jackline("pack", "make", "look at src/a.py")
    desk.jackline("pack", "drop", "src/b.py")
    said = plan("src/**", code=1)
    assert "change · pack · src/** holds src/b.py, which the context pack does not" in said
    assert "jackline pack add src/b.py" in said
    assert "accepted" in plan("src/a.py", "src/new/**")
    desk.jackline("pack", "add", "src/b.py")
    assert "accepted" in plan("src/**")


def test_lenient_tells_and_accepts(desk: Desk) -> None:
    shop = shop_of(desk, ALL, mode="warn")
    said = shop.jackline("plan", "quick", "x", "--files", "src/**").out
    assert "plan rule tests" in said and "accepted" in said


def test_a_rule_that_nobody_trusts_demands_and_approves_nothing(desk: Desk) -> None:
    shop = shop_of(desk, ALL, trusted=False)
    found = judged(shop, change(scope="src/a/**"), check("n1"))
    assert found == [
        f"n1 · plan rule tests · it needs a validator (nobody has trusted this rule yet, and it counts) · {VALIDATOR}"
    ]
    found = judged(shop, change(claims={"migration": {"from": "one", "to": "two", "rule": "clients"}}), check("n1"))
    assert found == [f"n1 · claim · no approved rule is called 'clients': one → two is approved by nobody · {ASK}"]
    shop.trust()
    shop.pre("ls")  # an event compiles anew
    one = change(claims={"migration": {"from": "one", "to": "two", "rule": "clients"}})
    assert judged(shop, one, check("n1"), code=0) == []


def test_an_agent_that_takes_a_rule_away_gains_nothing(shop: Desk) -> None:
    (shop.hooks / "plan-rules.yaml").unlink()
    shop.pre("ls")  # an event compiles anew
    assert judged(shop, change(scope="src/a/**"), check("n1")) == [
        f"n1 · plan rule tests · it breaks silently · {VALIDATOR}"
    ]


def test_an_agent_may_not_write_them(shop: Desk) -> None:
    place = str(shop.hooks / "plan-rules.yaml")
    call = shop.tool(tool_name="Write", tool_input={"file_path": place, "content": "rules: []"})
    assert shop.say(call).decision == "deny"


def test_where_scopes_keep_to_the_pack_a_refusal_names_a_plan_for_the_file(desk: Desk) -> None:
    """A new file is always free, so that what is named is accepted as it stands."""
    (desk.root / "src").mkdir()
    (desk.root / "src/a.py").write_text("a\n")
    desk.manifest(
        {"version": 1, "modules": {name: {"enabled": True} for name in ("work-init", "plan-graph", "tool-gate")}}
    )
    (desk.home / ".config/jackline/config.json").write_text(json.dumps({"plan-graph": {"scopes": "pack"}}))
    desk.begin()
    desk.prompt("rotate")
    desk.jackline("pack", "make", "look at src/a.py", code=0)
    said = desk.pre("touch src/new.py")
    assert said.decision == "deny" and 'now: jackline plan quick "WHAT" --files "src/new.py"' in said.reason
    assert "accepted" in desk.jackline("plan", "quick", "WHAT", "--files", "src/new.py").out
    assert desk.pre("touch src/new.py").decision == ""
