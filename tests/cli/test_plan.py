"""`jackline plan`: what an agent and a person type, what they read, and what stands in the store then."""

from __future__ import annotations

import json
import subprocess
import xml.etree.ElementTree as ET
from typing import Any

import pytest

from jackline.services.plans.one_line_plan import template
from jackline.store import authority, tasks

from .conftest import Desk

MODULES = {name: {"enabled": True} for name in ("work-init", "plan-graph", "tool-gate")}
PLAN: dict[str, Any] = {
    "goal": "rotate",
    "nodes": [
        {"id": "n1", "kind": "look", "description": "find callers", "tools": ["kind:search"], "scope": "src/**"},
        {"id": "n2", "description": "change the parser", "scope": "src/parse/**", "dependsOn": ["n1"]},
        {"id": "n3", "kind": "validate", "description": "run the tests", "dependsOn": ["n2"]},
    ],
}


@pytest.fixture
def shop(desk: Desk) -> Desk:
    (desk.root / "src/parse").mkdir(parents=True)
    (desk.root / "src/parse/a.py").write_text("a\n")
    desk.manifest({"version": 1, "modules": MODULES})
    desk.begin()
    desk.prompt("rotate")
    return desk


def file(desk: Desk, value: Any = PLAN, name: str = "plan.json") -> str:
    path = desk.folder / name
    path.write_text(json.dumps(value))
    return str(path)


def task(desk: Desk) -> dict[str, Any]:
    return tasks.read(str(desk.store), desk.place.name, "w001")


def test_from_a_plan_to_its_end(shop: Desk) -> None:
    """Submitted, shown, worked off: each command says what comes next, and the phase follows at the next event."""
    said = shop.jackline("plan", "submit", file(shop))
    assert "accepted · 3 nodes · now: work on n1" in said.out
    shop.pre("ls")
    assert shop.state()["core"]["phase"] == "EXECUTING"
    shown = shop.jackline("plan", "show").out
    assert "0/3 nodes" in shown and "▶" not in shown and "after n1" in shown
    for name in ("n1", "n2", "n3"):
        assert shop.jackline("plan", "node", "start", name).out.startswith(f"{name}: start")
        if name == "n2":
            (shop.root / "src/parse/a.py").write_text("b\n")
        shop.jackline("plan", "node", "done", name)
    facts = shop.jackline("plan", "show", "--json").data
    assert facts["complete"] is True
    assert [one["status"] for one in facts["nodes"]] == ["done", "done", "done"]
    shop.pre("ls")
    assert shop.state()["core"]["phase"] == "COMPLETE"
    kinds = [row["kind"] for row in shop.rows("PLAN_ACCEPTED", "PLAN_NODE")]
    assert kinds == ["PLAN_ACCEPTED"] + ["PLAN_NODE"] * 6
    assert {(row["repo"], row["host"]) for row in shop.log()} == {(shop.log()[0]["repo"], shop.log()[0]["host"])}
    assert [row["kind"] for row in authority.read(str(shop.store), "PLAN_ACCEPTED")] == ["PLAN_ACCEPTED"]


def announced(shop: Desk) -> list[tuple[str, str]]:
    """Plans on the bus: each kind and place, where the file is as it was announced."""
    found = [one for one in shop.jackline("artifacts", "--json").data if one["kind"].startswith("plan_")]
    assert all("as announced" in shop.jackline("artifacts", "show", one["id"]).out for one in found[-1:])
    return [(one["kind"], one["ref"]) for one in found]


def test_a_plan_that_a_command_submits_is_announced_as_by_an_event(shop: Desk) -> None:
    """Who waits for a plan on the bus hears of it, and the task's folder shows it."""
    place = shop.place / "work/w001/plan"
    shop.jackline(
        "plan", "submit", file(shop, {"nodes": [{"id": "a", "description": "x", "dependsOn": ["b"]}]}), code=1
    )
    assert announced(shop) == [("plan_denied", "work/w001/plan/denied")]
    assert (place / "denied").exists() and not (place / "accepted").exists()
    shop.jackline("plan", "submit", file(shop))
    assert announced(shop)[1:] == [("plan_accepted", "work/w001/plan/planGraph.json")]
    assert json.loads((place / "planGraph.json").read_text()) == PLAN
    assert shop.state()["core"]["latest"]["plan_accepted"]["ref"] == "work/w001/plan/planGraph.json"
    shop.jackline("plan", "submit", file(shop))
    shop.say(shop.tool("ls", event="PostToolUse"))
    assert len(announced(shop)) == 2, "an equal plan is no other"


def test_a_plan_that_the_shell_writes_at_its_place_is_taken_over(shop: Desk) -> None:
    """The task's folder is there from the beginning: nobody has to make it first."""
    place = (shop.place / "work/w001/plan/planGraph.json").relative_to(shop.root)
    command = f"cat > {place} <<'EOF'\n{json.dumps(PLAN)}\nEOF"
    assert shop.pre(command).decision == ""
    subprocess.run(["/bin/sh", "-c", command], cwd=shop.root, check=True)
    said = shop.say(shop.tool(command, event="PostToolUse"))
    assert "plan: accepted, 3 nodes" in said.body["hookSpecificOutput"]["additionalContext"]
    assert {path.name for path in (shop.place / "work/w001").iterdir() if path.is_dir()} == {
        "pack", "plan", "validators", "artifacts", "memory", "mailbox", "steps", "locks",
    }  # fmt: skip
    assert announced(shop) == [("plan_accepted", "work/w001/plan/planGraph.json")]


def test_a_plan_from_one_line(shop: Desk) -> None:
    said = shop.jackline("plan", "quick", "fix the form", "--files", "src/parse/**", "--check", "pytest", "--json")
    assert (said.data["accepted"], said.data["nodes"]) == (True, 2)
    assert shop.pre("touch src/parse/new.py").decision == ""


def test_all_findings_at_once_and_nothing_kept(shop: Desk) -> None:
    wrong = {"nodes": [{"id": "a", "description": "x", "scope": "../y", "evidence": ["gone"]}]}
    said = shop.jackline("plan", "submit", file(shop, wrong), code=1)
    for word in ("leads out of the project", "gone is not there", "nothing checks this change", "not accepted"):
        assert word in said.out
    assert task(shop).get("plan") is None
    assert "gone is not there" in shop.jackline("plan", "show").out, "a plan that was denied stays to be seen"
    assert shop.jackline("plan", "check", file(shop, wrong), code=1).out.count("evidence") == 1


def test_an_equal_plan_changes_nothing_and_another_shows_how(shop: Desk) -> None:
    shop.jackline("plan", "submit", file(shop))
    shop.jackline("plan", "node", "start", "n1")
    shop.jackline("plan", "node", "done", "n1")
    again = shop.jackline("plan", "submit", file(shop, dict(reversed(PLAN.items()))))
    assert "accepted already" in again.out
    more = {**PLAN, "nodes": [*PLAN["nodes"][:1], {**PLAN["nodes"][1], "scope": "src/**"}, *PLAN["nodes"][2:]]}
    assert "~ n2" in shop.jackline("plan", "submit", file(shop, more)).out
    assert task(shop)["nodes"] == {"n1": {"at": task(shop)["nodes"]["n1"]["at"], "status": "done"}}


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("start", "n2"), "n2 waits for n1"),
        (("done", "n2"), "n2 waits for n1 · jackline plan node start n1"),
        (("skip", "n1"), "say why"),
        (("start", "n9"), "no node 'n9'"),
    ],
    ids=["early", "not begun", "no reason", "unknown"],
)
def test_steps_that_cannot_be(shop: Desk, words: tuple[str, str], says: str) -> None:
    shop.jackline("plan", "submit", file(shop))
    assert says in shop.jackline("plan", "node", *words, code=1).out


def test_steps_as_data(shop: Desk) -> None:
    assert isinstance(shop.jackline("plan", "template", "--json").data["nodes"], list)
    shop.jackline("plan", "submit", file(shop))
    made = shop.jackline("plan", "node", "start", "n1", "--json").data
    assert made == {"node": "n1", "step": "start", "taken": True, "refused": "", "waits": "", "said": [],
                    "next": "now: work on n1, then jackline plan node done n1"}  # fmt: skip
    made = shop.jackline("plan", "node", "done", "n2", "--json", code=1).data
    assert (made["taken"], made["next"]) == (False, "") and "n2 waits for n1" in made["refused"]
    assert shop.jackline("plan", "node", "skip", "n1", "--reason", "x", "--json").data["taken"] is True
    assert shop.jackline("sessions", "work", "--new", "--json", "--yes").data == {
        "session": shop.place.name,
        "work": "w002",
    }


def test_before_there_is_a_plan(shop: Desk) -> None:
    assert "no plan was accepted yet" in shop.jackline("plan", "node", "start", "n1", code=1).out
    assert "no plan yet" in shop.jackline("plan", "show").out


def test_what_is_no_plan(shop: Desk) -> None:
    (shop.folder / "odd").write_bytes(b"\xff\xfe{")
    assert "no valid JSON" in shop.jackline("plan", "submit", str(shop.folder / "odd"), code=1).out
    assert "name a file" in shop.jackline("plan", "submit", "gone.json", code=1).err
    assert "name a file" in shop.jackline("plan", "submit", str(shop.folder), code=1).err
    assert "larger than" in shop.jackline("plan", "check", "/dev/zero", code=1).out


def test_the_template_is_a_plan(shop: Desk) -> None:
    assert shop.jackline("plan", "template").out == template().decode()
    path = shop.folder / "template.json"
    path.write_bytes(template())
    assert shop.jackline("plan", "check", str(path), "--json").data["accepted"] is True


def test_pictures(shop: Desk) -> None:
    """At sixty nodes, with names that a picture would trip over."""
    nodes = [{"id": f"n{at}", "description": f'step <{at}> & "more"', "dependsOn": [f"n{at - 1}"] if at % 7 else [],
              "validators": ["t"]} for at in range(60)]  # fmt: skip
    shop.jackline("plan", "submit", file(shop, {"nodes": nodes}))
    drawn = ET.fromstring(shop.jackline("plan", "show", "--svg").out)
    assert len([one for one in drawn.iter() if one.tag.endswith("rect")]) == 61
    chart = shop.jackline("plan", "show", "--mermaid").out
    assert chart.startswith("flowchart TD\n") and chart.count("-->") == 51
    assert len(shop.jackline("plan", "show").out.splitlines()) == 61


def test_pictures_of_words_that_deceive(shop: Desk) -> None:
    """No line of its own, no sign that XML does not have, none that a terminal obeys."""
    deceiving = "a\n  click n0 href \x1b[2J \u202e\x00"
    nodes = [{"id": deceiving, "description": deceiving, "scope": deceiving, "validators": ["t"]}]
    shop.jackline("plan", "submit", file(shop, {"nodes": nodes}))
    chart, drawn = (shop.jackline("plan", "show", f"--{form}").out for form in ("mermaid", "svg"))
    assert len(chart.splitlines()) == 2 and len([*ET.fromstring(drawn).iter()]) == 8
    for said in (chart, drawn, shop.jackline("plan", "show").out):
        assert not {"\x1b", "\u202e", "\x00"} & set(said)


def test_follow_ends_with_the_task(shop: Desk) -> None:
    shop.jackline("plan", "quick", "x", "--files", "src/**")
    env = {**shop.env, "JACKLINE_FOLLOW_SECONDS": "0.05"}
    following = subprocess.Popen(shop.command("plan", "show", "--follow"), cwd=shop.root, env=env,
                                 stdout=subprocess.PIPE, text=True)  # fmt: skip
    assert following.stdout is not None
    first = following.stdout.readline()
    shop.jackline("plan", "node", "skip", "change", "--reason", "not needed")
    shop.jackline("plan", "node", "skip", "check", "--reason", "nothing to check")
    rest = following.communicate(timeout=60)[0]
    assert "0/2 nodes" in first
    assert "2/2 nodes" in rest.splitlines()[-3]
    assert following.returncode == 0


def test_a_plan_file_that_changes_behind_our_back_is_stale_and_not_followed(shop: Desk) -> None:
    """Told once for each content, shown as long as it stands there, and followed when it is submitted."""
    shop.jackline("plan", "submit", file(shop))
    place = shop.place / "work/w001/plan/planGraph.json"
    assert "stale" not in shop.jackline("plan", "show").out

    def told() -> bool:
        body = shop.prompt("go on").body
        return "stale: work/w001/plan/planGraph.json" in json.dumps(body)

    assert not told()
    place.write_text(json.dumps({**PLAN, "nodes": PLAN["nodes"][1:]}))
    assert told() and not told()
    assert (
        "stale" in shop.jackline("plan", "show").out and shop.jackline("plan", "show", "--json").data["stale"] is True
    )
    assert len(shop.jackline("plan", "show", "--json").data["nodes"]) == 3
    place.write_text(json.dumps(dict(reversed(PLAN.items()))))
    assert not told(), "an equal plan is none"
    more = {"nodes": [{**PLAN["nodes"][1], "dependsOn": [], "validators": ["t"]}]}
    place.write_text(json.dumps(more))
    assert told()
    shop.jackline("plan", "submit", str(place))
    assert not told() and "stale" not in shop.jackline("plan", "show").out


def test_two_that_start_one_node_have_one_lease(shop: Desk) -> None:
    shop.jackline("plan", "submit", file(shop))
    starting = [
        subprocess.Popen(shop.command("plan", "node", "start", "n1"), cwd=shop.root, env=shop.env, text=True,
                         stdout=subprocess.PIPE) for _ in range(8)
    ]  # fmt: skip
    assert [one.wait(timeout=120) for one in starting] == [0] * 8
    for one in starting:
        one.communicate()
    assert list(task(shop)["leases"]) == ["n1"]


def test_a_sandbox_that_may_not_write_the_store(shop: Desk) -> None:
    """The command judges and says that the door goes on; the door, which sees the command end, submits the plan."""
    place = file(shop)
    said = shop.say(shop.tool(f"jackline plan submit {place}", event="PostToolUse", tool_response={"stdout": "valid"}))
    assert "accepted, 3 nodes" in said.body["hookSpecificOutput"]["additionalContext"]
    assert task(shop)["plan"]["nodes"] == 3


def test_what_a_capped_task_used_is_shown(desk: Desk) -> None:
    desk.manifest({"version": 1, "modules": MODULES})
    folder = desk.home / ".config/jackline"
    (folder / "config.json").write_text(json.dumps({"work-init": {"caps": {"toolCalls": 2}}}))
    desk.begin()
    desk.prompt("rotate")
    desk.say(desk.tool("ls", event="PostToolUse"))
    assert desk.jackline("sessions", "work", "--json").data["used"] == {"toolCalls": 1, "minutes": 0, "tokens": 0}
    desk.say(desk.tool("ls", event="PostToolUse"))
    shown = desk.jackline("sessions", "work").out
    assert "2 tool calls, 0 minutes at work, 0 tokens" in shown and "BLOCKED" in shown
    assert "reached its cap of 2 tool calls (work-init.caps.toolCalls): the person's next prompt goes on" in shown


def test_a_plan_that_a_command_submits_leads_out_of_blocked(shop: Desk) -> None:
    for _ in range(3):
        assert shop.pre("touch new.py").decision == "deny"
    assert shop.state()["core"]["phase"] == "BLOCKED"
    path = file(shop)
    shop.jackline("plan", "submit", path)
    shop.say(shop.tool(f"jackline plan submit {path}", event="PostToolUse"))
    assert shop.state()["core"]["phase"] == "EXECUTING"


def test_a_plan_that_was_accepted_before_leads_out_of_no_later_block(shop: Desk) -> None:
    path = file(shop)
    shop.jackline("plan", "submit", path)
    for _ in range(3):
        assert shop.pre("touch other/new.py").decision == "deny"
    assert shop.state()["core"]["phase"] == "BLOCKED"
    shop.say(shop.tool(f"jackline plan submit {path}", event="PostToolUse"))
    assert shop.state()["core"]["phase"] == "BLOCKED"


@pytest.mark.parametrize("given", ["soon", "-1", "nan", "inf"])
def test_a_pause_that_is_none_is_told(shop: Desk, given: str) -> None:
    shop.jackline("plan", "quick", "x", "--files", "src/**")
    said = shop.jackline("plan", "show", "--follow", env={"JACKLINE_FOLLOW_SECONDS": given}, code=2)
    assert f"JACKLINE_FOLLOW_SECONDS · expected seconds from 0 to 3600, got '{given}' · write: " in said.err
