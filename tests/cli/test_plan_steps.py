"""Steps of a plan that nobody foresaw: odd names, an order that cannot be, scopes as other systems write them."""

from __future__ import annotations

import json
import re
import shlex
from typing import Any

import pytest

from jackline.store import tasks

from .conftest import Desk

STRICT = {
    name: {"enabled": True, "mode": "enforce"} for name in ("work-init", "plan-graph", "tool-gate", "planGraph-exec")
}
COMMAND = re.compile(r"jackline plan node [^\n]*")
NAMES = ("n 1", "-n1", "--x", "--", "$(touch x)", "a'b", "a;b", 'a"b', "ü/é")


def step(name: str, **more: Any) -> dict[str, Any]:
    return {"id": name, "description": "a step", "scope": "src/**", **more}


def check(*needs: str, name: str = "check") -> dict[str, Any]:
    return {"id": name, "kind": "validate", "description": "look", "dependsOn": list(needs)}


@pytest.fixture
def shop(desk: Desk) -> Desk:
    for name in ("src/parse/a.py", "docs/b.md"):
        (desk.root / name).parent.mkdir(parents=True, exist_ok=True)
        (desk.root / name).write_text("a\n")
    desk.manifest({"version": 1, "modules": STRICT})
    desk.begin()
    desk.prompt("rotate")
    return desk


def file(desk: Desk, *nodes: dict[str, Any], at: str = "plan.json") -> str:
    path = desk.root / at
    path.write_text(json.dumps({"nodes": nodes}))
    return str(path)


def submit(desk: Desk, *nodes: dict[str, Any], code: int = 0) -> str:
    return desk.jackline("plan", "submit", file(desk, *nodes), code=code).out


def write(desk: Desk, path: str) -> str:
    given = {"file_path": str(desk.root / path), "content": "new\n"}
    return desk.say(desk.payload("PreToolUse", tool_name="Write", tool_input=given, tool_use_id="t1")).decision


def named(text: str) -> list[str]:
    """The words of the command that a message names, as a shell reads them."""
    [command] = COMMAND.findall(text.replace(" WHY", " because"))
    return shlex.split(command.replace('"WHY"', '"because"'))[1:]


def statuses(desk: Desk) -> dict[str, str]:
    task = tasks.read(str(desk.store), desk.place.name, "w001")
    return {name: one["status"] for name, one in task.get("nodes", {}).items()}


# --- what a message names can be run ----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_the_command_that_a_message_names_means_the_step_whatever_it_is_called(shop: Desk, name: str) -> None:
    submit(shop, step(name), check(name))
    said = shop.jackline("plan", "node", "done", "check", code=1).out
    assert shop.jackline(*named(said)).code == 0
    assert statuses(shop) == {name: "started"}
    said = shop.jackline("plan", "node", "skip", "--", name, code=1).out
    assert shop.jackline(*named(said)).code == 0
    assert statuses(shop) == {name: "skipped"}
    assert not (shop.root / "x").exists()


@pytest.mark.parametrize("name", NAMES)
def test_the_entry_reads_that_command_as_the_command_line_does(shop: Desk, name: str) -> None:
    """A sandbox may keep the command out of the store: then the entry, which sees it, does the step."""
    submit(shop, step(name), check(name))
    said = shop.jackline("plan", "node", "done", "check", code=1).out
    shop.say(shop.tool(shlex.join(["jackline", *named(said)]), event="PostToolUse"))
    assert statuses(shop) == {name: "started"}


@pytest.mark.parametrize("name", NAMES)
def test_a_refusal_names_a_step_that_only_a_command_begins(shop: Desk, name: str) -> None:
    (shop.home / ".config/jackline/config.json").write_text(json.dumps({"tool-gate": {"start": "explicit"}}))
    submit(shop, step(name), check(name))
    said = shop.pre("touch src/new.py")
    assert said.decision == "deny"
    shop.jackline(*named(said.reason))
    assert shop.pre("touch src/new.py").decision == ""


def test_who_waits_is_led_to_the_step_whose_turn_it_is(shop: Desk) -> None:
    """Through a chain in one go: what is named passes."""
    submit(shop, step("a"), step("b", dependsOn=["a"]), step("c", dependsOn=["b"]), check("c"))
    for verb in ("start", "done"):
        for name in ("check", "c", "b"):
            said = shop.jackline("plan", "node", verb, name, code=1).out
            assert named(said) == ["plan", "node", "start", "a"], said
    shop.jackline("plan", "node", "start", "a")
    assert named(shop.jackline("plan", "node", "start", "c", code=1).out) == ["plan", "node", "done", "a"]


def test_a_step_that_waits_for_a_forbidden_one_is_led_past_it(shop: Desk) -> None:
    submit(shop, step("no", status="forbidden", scope="docs/**"), step("a", dependsOn=["no"]), check("a"))
    shop.jackline(*named(shop.jackline("plan", "node", "start", "a", code=1).out))
    shop.jackline("plan", "node", "start", "a")
    assert statuses(shop) == {"no": "skipped", "a": "started"}


def test_what_is_over_stays_so(shop: Desk) -> None:
    """A step that is left out is not done, one that is done is not left out; a plan that is submitted leads on."""
    submit(shop, step("a"), check("a"))
    shop.jackline("plan", "node", "skip", "a", "--reason", "no need")
    for verb in ("done", "start"):
        said = shop.jackline("plan", "node", verb, "a", code=1).out
        assert "a is skipped" in said and "jackline plan submit FILE" in said
    shop.jackline("plan", "node", "done", "check")
    said = shop.jackline("plan", "node", "skip", "check", "--reason", "x", code=1).out
    assert "check is done" in said and "jackline plan submit FILE" in said
    assert statuses(shop) == {"a": "skipped", "check": "done"}


def test_a_plan_in_which_nothing_may_be_done_is_not_over(shop: Desk) -> None:
    submit(shop, step("a", status="forbidden", scope="docs/**"))
    shop.pre("true")
    assert shop.state()["core"]["phase"] == "EXECUTING"
    assert shop.jackline("plan", "show", "--json").data["complete"] is False


# --- scopes and leases ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("scope", ["src\\parse\\**", ".\\src\\parse", "./src/parse/**", "{root}/src/parse/**"])
def test_a_scope_means_what_it_says_however_it_is_written(shop: Desk, scope: str) -> None:
    scope = scope.replace("{root}", str(shop.root))
    submit(shop, step("a", scope=scope), check("a"))
    assert write(shop, "src/parse/new.py") == ""
    assert write(shop, "docs/new.md") == "deny"
    assert shop.jackline("plan", "show", "--json").data["nodes"][0]["scope"][0].startswith("src/parse")


@pytest.mark.parametrize(
    ("scope", "says"),
    [
        ("..\\..\\x", "leads out"),
        ("C:\\work\\src\\**", "leads out"),
        ("/elsewhere/**", "leads out"),
        ("!src/**", "takes something out"),
    ],
)
def test_a_scope_that_opens_nothing_is_told(shop: Desk, scope: str, says: str) -> None:
    assert says in submit(shop, step("a", scope=scope), check("a"), code=1)


@pytest.mark.parametrize(
    ("lease", "says"),
    [
        ({"paths": ["docs/**"]}, "docs/** is out of its scope · write: a glob within src/**"),
        ({"paths": ["src/a.py", "**"]}, "** is out of its scope"),
        ({"tools": ["kind:shell"]}, 'kind:shell is none of its tools · write: "kind:shell" in its tools'),
    ],
)
def test_a_lease_opens_no_more_than_its_step_speaks_of(shop: Desk, lease: dict[str, Any], says: str) -> None:
    """Plan rules and intents judge by scope and tools: a lease beside them would open what nobody judged."""
    assert says in submit(shop, step("a", tools=["Write"], lease=lease), check("a"), code=1)


def test_a_lease_may_open_less(shop: Desk) -> None:
    submit(shop, step("a", tools=["Write"], lease={"paths": ["src\\parse\\**"], "tools": ["kind:edit"]}), check("a"))
    assert write(shop, "src/parse/new.py") == ""
    assert write(shop, "src/new.py") == "deny"


# --- ways in ----------------------------------------------------------------------------------------------------------


def test_the_entry_takes_the_plan_of_the_folder_that_the_command_runs_in(shop: Desk) -> None:
    file(shop, step("wrong"), check("wrong"))
    file(shop, step("right"), check("right"), at="src/plan.json")
    shop.say(shop.tool("cd src && jackline plan submit plan.json", event="PostToolUse"))
    nodes = shop.jackline("plan", "show", "--json").data["nodes"]
    assert [one["id"] for one in nodes] == ["right", "check"]


def test_a_person_sees_the_plan_that_the_command_submits(shop: Desk) -> None:
    """And where nobody can say which one that is, it is refused with what to do."""
    (shop.home / ".config/jackline/config.json").write_text(json.dumps({"plan-graph": {"approval": "person"}}))
    file(shop, step("wrong"), check("wrong"))
    file(shop, step("right"), check("right"), at="src/plan.json")
    said = shop.pre("cd src && jackline plan submit plan.json")
    assert (said.decision, "right  a step" in said.reason, "wrong" in said.reason) == ("ask", True, False)
    said = shop.pre('cd "$SOMEWHERE" && jackline plan submit plan.json')
    assert said.decision == "deny" and "nobody can see this one" in said.reason


BLOCK = json.dumps({"nodes": [step("a"), check("a")]}, indent=1)
OTHER = '{"graph": {"nodes": []}}'


@pytest.mark.parametrize(
    ("text", "phase"),
    [
        (f"# Plan\n```json\n{BLOCK}\n```\nend", "EXECUTING"),
        (f"# Plan\n```JSON\n{BLOCK}\n```", "EXECUTING"),
        (f"# Plan\n```\n{BLOCK}\n```", "EXECUTING"),
        (f"```json\n{OTHER}\n```\n and \n```json\n{BLOCK}\n```", "EXECUTING"),
        (BLOCK, "EXECUTING"),
        (f"the graph is\n```json\n{OTHER}\n```", "PLANNING"),
        ('the key "nodes" of graph.py', "PLANNING"),
    ],
    ids=["json", "JSON", "no language", "behind another", "bare", "another's nodes", "prose"],
)
def test_a_plan_stands_in_the_clients_plan_tool_among_other_text(shop: Desk, text: str, phase: str) -> None:
    """What else an agent shows there is its own, and nothing is said of it."""
    body = shop.say(
        shop.payload("PostToolUse", tool_name="ExitPlanMode", tool_input={"plan": text}, tool_response={"plan": text})
    ).body
    assert shop.state()["core"]["phase"] == phase
    assert (body == {}) is (phase == "PLANNING")
