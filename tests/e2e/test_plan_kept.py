"""A plan outlives what cuts an agent's context: a compaction, `/clear`, and a client that is started again."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from jackline.store import tasks

from .hands import CLAUDE, CODEX, Hand
from .rig.run import Run
from .rig.script import Turn, call, say
from .site import Site

pytestmark = pytest.mark.e2e

MODULES = {name: {"enabled": True} for name in ("work-init", "plan-graph", "tool-gate", "pre-compact")}
DECIDED = "Do not plan again."


@pytest.fixture
def shop(site: Site) -> Site:
    """A project of two files whose person enforces plans."""
    manifest = site.home / ".config/jackline/dispatch.manifest.json"
    manifest.parent.mkdir(parents=True, exist_ok=True)
    manifest.write_text(json.dumps({"version": 1, "modules": MODULES}))
    for name in ("src/form.py", "src/total.py"):
        path = site.project / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("x = 1\n")
    site.git("add", "-A")
    site.git("commit", "-q", "-m", "shop")
    return site


def planned(site: Site, hand: Hand) -> tuple[Turn, ...]:
    """A plan is submitted, and its first node is begun."""
    ours = " ".join(site._command)
    quick = f'{ours} plan quick "make it two" --files "src/**"'
    return call(hand.shell("plan", quick)), call(hand.shell("begin", "sed -i s/1/2/ src/form.py"))


def finished(site: Site, hand: Hand) -> tuple[Turn, ...]:
    """What is left to do, without a plan: the second change begins the node again, then both nodes are done."""
    ours = " ".join(site._command)
    return (
        call(hand.shell("again", "sed -i s/1/2/ src/total.py")),
        call(hand.shell("beside", "touch docs.md")),
        call(hand.shell("done", f"{ours} plan node done change")),
        call(hand.shell("checked", f"{ours} plan node done check")),
    )


def phases(site: Site, folder: Path) -> list[tuple[str, str]]:
    lines = (folder / "events.jsonl").read_text().splitlines()
    found = [json.loads(line) for line in lines]
    return [(row["data"]["to"], row["data"]["trigger"]) for row in found if row["kind"] == "PHASE_TRANSITION"]


def assert_goes_on(site: Site, run: Run, folder: Path, *begun: tuple[str, str]) -> None:
    """What is left was done under the same plan, which the agent was told of once."""
    assert run.exit_code == 0
    assert (site.project / "src/total.py").read_text() == "x = 2\n", "the lease began again by the call that fits"
    assert "LEASE_REQUIRED" in run.result("beside"), "and opens no more than it did"
    assert run.times_told(DECIDED) == 1
    assert phases(site, folder) == [*begun, ("COMPLETE", "all_done")]
    nodes = tasks.read(str(site.store), folder.name, "w001")["nodes"]
    assert {one["status"] for one in nodes.values()} == {"done"}


BEGUN = (("PLANNING", "prompt"), ("EXECUTING", "plan_accepted"))


def test_a_compaction(shop: Site) -> None:
    shop.init("claude-code", "user", "--no-project")
    run = shop.claude(
        *planned(shop, CLAUDE), say("D"), say("<summary>SO-FAR</summary>"), *finished(shop, CLAUDE), say("D"),
        prompts=("make it two", "/compact", "go on"),
    )  # fmt: skip
    (folder,) = shop.sessions()
    assert_goes_on(shop, run, folder, *BEGUN)


def test_a_compaction_in_the_middle_of_a_turn(shop: Site) -> None:
    """Codex compacts by itself, as soon as a model's answer says that its window is full."""
    shop.init("codex", "user", "--no-project")
    plan, begin = planned(shop, CODEX)
    full = begin._replace(usage={"input_tokens": 900_000, "output_tokens": 20, "total_tokens": 900_020})
    run = shop.codex(plan, full, *finished(shop, CODEX), say("D"))
    (folder,) = shop.sessions()
    assert [row["data"]["source"] for row in shop.rows("HOOK_EVENT", event="SessionStart")] == ["startup", "compact"]
    assert_goes_on(shop, run, folder, *BEGUN)


def test_a_cleared_conversation(shop: Site) -> None:
    """The client goes on under another session, which takes the task over."""
    shop.init("claude-code", "user", "--no-project")
    run = shop.claude(
        *planned(shop, CLAUDE), say("D"), *finished(shop, CLAUDE), say("D"),
        prompts=("make it two", "/clear", "go on"),
    )  # fmt: skip
    before, after = sorted(shop.sessions(), key=lambda one: (one / "events.jsonl").stat().st_mtime_ns)
    assert phases(shop, before) == [*BEGUN]
    assert_goes_on(shop, run, after, ("PLANNING", "prompt"), ("EXECUTING", "plan_accepted"))


@pytest.mark.parametrize("hand", [CLAUDE, CODEX], ids=["claude-code", "codex"])
def test_a_client_that_is_started_again(shop: Site, hand: Hand) -> None:
    shop.init(hand.client, "user", "--no-project")
    again = {"claude-code": ("--continue",), "codex": ("resume", "--last")}[hand.client]
    first = hand.play(shop, [*planned(shop, hand), say("D")])
    assert first.exit_code == 0 and not first.times_told(DECIDED)
    run = hand.play(shop, [*finished(shop, hand), say("D")], arguments=again)
    (folder,) = shop.sessions()
    assert run.exit_code == 0
    assert (shop.project / "src/total.py").read_text() == "x = 2\n"
    assert "LEASE_REQUIRED" in run.result("beside")
    assert phases(shop, folder) == [*BEGUN, ("COMPLETE", "all_done")]
