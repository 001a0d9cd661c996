"""The progressive features on each real client: from the prompt to COMPLETE by what refusals say alone."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from .hands import Hand
from .rig.script import Thread, Tool, call, say, use
from .site import Site

pytestmark = pytest.mark.e2e

MODULES = {name: {"enabled": True} for name in ("work-init", "plan-graph", "tool-gate")}


@pytest.fixture
def shop(here: Site) -> Site:
    """A project whose person enforces plans."""
    manifest = here.home / ".config/jackline/dispatch.manifest.json"
    manifest.parent.mkdir(parents=True, exist_ok=True)
    manifest.write_text(json.dumps({"version": 1, "modules": MODULES}))
    for name in ("src/form.py", "src/total.py", "docs/page.md"):
        path = here.project / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("x = 1\n")
    here.git("add", "-A")
    here.git("commit", "-q", "-m", "shop")
    return here


def rows(site: Site, *kinds: str) -> list[dict[str, Any]]:
    (folder,) = site.sessions()
    found = [json.loads(line) for line in (Path(folder) / "events.jsonl").read_text().splitlines()]
    return [one for one in found if one["kind"] in kinds]


def refused(text: str, code: str) -> str:
    """The command that a refusal names."""
    assert f'"code":"{code}"' in text, text
    return text.partition("now: ")[2].partition("\n")[0]


def test_from_the_prompt_to_complete(shop: Site, hand: Hand) -> None:
    ours = " ".join(shop._command)
    project = shop.project
    run = hand.play(
        shop,
        [
            call(hand.shell("look", "cat src/form.py && git log --oneline -1")),
            call(hand.shell("early", "printf 'x = 2\\n' > src/new.py")),
            call(hand.shell("plan", f'{ours} plan quick "make it two" --files "src/**"')),
            call(hand.shell("sed", "sed -i s/1/2/ src/form.py")),
            call(hand.write("write", project / "src/new.py", "x = 2\n")),
            call(hand.shell("beside", "echo more >> docs/page.md")),
            call(hand.shell("push", "git push origin main")),
            call(hand.shell("done", f"{ours} plan node done change")),
            call(hand.shell("checked", f"{ours} plan node done check")),
            call(hand.shell("late", "sed -i s/2/3/ src/form.py")),
            call(hand.shell("show", f"{ours} plan show")),
            say("DONE"),
        ],
    )
    assert run.exit_code == 0
    assert "x = 1" in run.result("look")
    assert refused(run.result("early"), "PLAN_REQUIRED") == 'jackline plan quick "WHAT" --files "src/**"'
    assert "accepted" in run.result("plan") or "takes the plan over" in run.result("plan")
    assert refused(run.result("beside"), "LEASE_REQUIRED") == "jackline plan submit FILE"
    assert refused(run.result("push"), "LEASE_REQUIRED") == "jackline plan submit FILE"
    assert 'a node of kind "side_effect"' in run.result("push")
    assert refused(run.result("late"), "PHASE_DENIED").startswith("jackline plan quick")
    assert (project / "src/form.py").read_text() == (project / "src/new.py").read_text() == "x = 2\n"
    assert (project / "docs/page.md").read_text() == "x = 1\n"
    steps = [(row["data"]["to"], row["data"]["trigger"]) for row in rows(shop, "PHASE_TRANSITION")]
    assert steps == [("PLANNING", "prompt"), ("EXECUTING", "plan_accepted"), ("COMPLETE", "all_done")]


def test_who_fixes_one_line_reads_and_commits_notices_nothing(shop: Site, hand: Hand) -> None:
    project = shop.project
    seen = [call(use("Read", id="seen", file_path=str(project / "src/form.py")))]  # which Claude's own Edit asks for
    run = hand.play(
        shop,
        [
            *(seen if hand.client == "claude-code" else []),
            call(hand.shell("read", "grep -rn x src | head")),
            call(hand.edit("fix", project / "src/form.py", "x = 1", "x = 2")),
            call(hand.shell("test", "python3 -m pytest -q --co || true")),
            call(hand.shell("commit", "git add -A && git commit -q -m fix && git log --oneline -1")),
            say("DONE"),
        ],
    )
    assert run.exit_code == 0
    assert (project / "src/form.py").read_text() == "x = 2\n"
    assert "fix" in run.result("commit")
    assert rows(shop, "GATE_DENY", "WOULD_DENY", "WOULD_ASK") == []


# --- sub-agents --------------------------------------------------------------------------------------------------

PLANNED = {
    "nodes": [
        {"id": "two", "description": "make it two", "scope": "src/**"},
        {"id": "check", "description": "look at it", "kind": "validate", "dependsOn": ["two"]},
    ]
}


class Later(Mapping[str, Any]):
    """What a tool is given, known only when the model calls it."""

    def __init__(self, make: Callable[[], dict[str, Any]]) -> None:
        self.make = make

    def __getitem__(self, key: str) -> Any:
        return self.make()[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self.make())

    def __len__(self) -> int:
        return len(self.make())


def planner(site: Site) -> Site:
    """A project whose person enforces plans, and what planning sub-agents owe."""
    manifest = site.home / ".config/jackline/dispatch.manifest.json"
    manifest.parent.mkdir(parents=True, exist_ok=True)
    modules = {**MODULES, "plan-subagent-contract": {"enabled": True}}
    manifest.write_text(json.dumps({"version": 1, "modules": modules}))
    (site.project / "src").mkdir(exist_ok=True)
    (site.project / "src/form.py").write_text("x = 1\n")
    site.init("claude-code")
    return site


def test_a_plan_sub_agent_that_forgets_its_file_is_continued_once(site: Site) -> None:
    """Claude's own planning agent ends without its plan, is asked for it, leaves it, and the task goes on with it."""
    planner(site)

    def left() -> dict[str, Any]:
        (folder,) = site.sessions()
        place = Path(folder) / "plan-subagent-contract/output/sa/Plan/a01/planGraph.json"
        command = f"cat > {place} <<'EOF'\n{json.dumps(PLANNED)}\nEOF"
        return {"command": command, "description": "leave the plan"}

    sub = Thread(
        "sub",
        "SUB-PROMPT",
        (say("PLANNED-IN-WORDS"), call(Tool("Bash", Later(left), "leave")), say("PLANNED-IN-A-FILE")),
    )
    task: dict[str, Any] = {"description": "plan it", "prompt": "SUB-PROMPT", "subagent_type": "Plan"}
    task["run_in_background"] = False
    run = site.claude(
        call(use("Agent", id="plan", **task)),
        call(use("Bash", id="change", command="sed -i s/1/2/ src/form.py", description="change it")),
        say("DONE"),
        threads=[sub],
    )
    assert run.exit_code == 0
    assert [one.answer.text for one in run.thread("sub")] == ["PLANNED-IN-WORDS", "", "PLANNED-IN-A-FILE"]
    assert run.model_saw("you are a01, a planning sub-agent of task w001", "sub")
    assert run.model_saw("planGraph.json is not there", "sub")
    assert "PLANNED-IN-A-FILE" in run.result("plan")
    assert (site.project / "src/form.py").read_text() == "x = 2\n"
    held = [row["data"]["held"] for row in rows(site, "SUBAGENT_HARVEST")]
    assert held == [True, False]
    steps = [(row["data"]["to"], row["data"]["trigger"]) for row in rows(site, "PHASE_TRANSITION")]
    assert steps[:2] == [("PLANNING", "prompt"), ("EXECUTING", "plan_accepted")]


def test_what_the_policy_leaves_to_sub_agents_they_do(here: Site, hand: Hand) -> None:
    """The main agent's change is refused and names the way; a sub-agent has its packet, and makes the change."""
    folder = here.home / ".config/jackline"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "dispatch.manifest.json").write_text(
        json.dumps({"version": 1, "modules": {name: {"enabled": True} for name in ("work-init", "rlm-work")}})
    )
    rule = {"toolName": "kind:edit", "mode": "deny", "exemptPatterns": ["docs/**"], "reason": "keep your context"}
    (folder / "rlm-policy.json").write_text(json.dumps({"version": 1, "requireSubagent": [rule]}))
    project = here.project
    (project / "docs").mkdir(exist_ok=True)
    sub = Thread("sub", "SUB-PROMPT", (call(hand.write("theirs", project / "made.py", "x = 1\n")), say("SUB-DONE")))
    run = hand.play(
        here,
        [
            call(hand.write("mine", project / "mine.py", "x = 1\n")),
            call(hand.shell("heredoc", "printf 'x = 1\\n' > mine.py")),
            call(hand.write("page", project / "docs/made.md", "a page\n")),
            *hand.delegate("SUB-PROMPT"),
            say("DONE"),
        ],
        threads=[sub],
        default=say("DONE"),
    )
    assert run.exit_code == 0
    for name in ("mine", "heredoc"):
        assert "mine.py is a sub-agent's to work on (keep your context)" in run.result(name)
        assert refused(run.result(name), "POLICY_DENIED").startswith("start a sub-agent for it (")
    assert not (project / "mine.py").exists()
    assert (project / "docs/made.md").read_text() == "a page\n"
    assert (project / "made.py").read_text() == "x = 1\n"
    assert run.model_saw("context packet: you are a01", "sub")
    found = [(row["data"]["mode"], row["data"]["rule"]) for row in rows(here, "RLM_SUBAGENT_REQUIRED")]
    assert found == [("deny", "kind:edit")] * 2
