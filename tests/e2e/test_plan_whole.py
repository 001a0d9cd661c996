"""`jackline enable plan --strict` on each real client: pack, plan, gate and validators together."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from .hands import Hand
from .rig.script import call, say, use
from .site import Site

pytestmark = pytest.mark.e2e

MAKEFILE = "test:\n\tgrep -q 'x = 2' src/form.py\n"
GOAL = "let the form's x be two, as the page says it is"


@pytest.fixture
def shop(here: Site) -> Site:
    """A project with a check, whose person enforces plans by one command."""
    for name, text in {"Makefile": MAKEFILE, "src/form.py": "x = 1\n", "docs/page.md": "x is two\n"}.items():
        path = here.project / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    here.git("add", "-A")
    here.git("commit", "-q", "-m", "the form's x")
    done = here.jackline("enable", "plan", "--strict", "--yes")
    assert "pack, plan, gate: strict" in done.out and "validators: make test" in done.out
    assert {one["state"] for one in json.loads(here.jackline("features", "validators", "--json").out)} == {"strict"}
    here.git("add", "-A")
    here.git("commit", "-q", "-m", "plans")
    return here


def log(site: Site, *kinds: str) -> list[dict[str, Any]]:
    (folder,) = site.sessions()
    found = [json.loads(line) for line in (Path(folder) / "events.jsonl").read_text().splitlines()]
    return [one for one in found if one["kind"] in kinds]


def test_from_the_prompt_to_complete_with_a_check_that_fails_first(shop: Site, hand: Hand) -> None:
    ours = " ".join(shop._command)
    form = shop.project / "src/form.py"
    seen = [call(use("Read", id="seen", file_path=str(form)))]  # which Claude's own Edit asks for
    run = hand.play(
        shop,
        [
            *(seen if hand.client == "claude-code" else []),
            call(hand.shell("early", "printf 'y = 1\\n' > src/new.py")),
            call(hand.shell("plan", f'{ours} plan quick "{GOAL}" --files "src/**"')),
            call(hand.edit("wrong", form, "x = 1", "x = 3")),
            say("DONE-TOO-EARLY"),
            call(hand.edit("right", form, "x = 3", "x = 2")),
            call(hand.shell("done", f"{ours} plan node done change")),
            call(hand.shell("checked", f"{ours} plan node done check")),
            say("DONE"),
        ],
        **({"prompts": (GOAL,)} if hand.client == "claude-code" else {"prompt": GOAL}),
    )
    assert run.exit_code == 0
    assert "there is no plan yet" in run.result("early")
    assert form.read_text() == "x = 2\n" and not (shop.project / "src/new.py").exists()
    steps = [(row["data"]["to"], row["data"]["trigger"]) for row in log(shop, "PHASE_TRANSITION")]
    assert steps[-2:] == [("EXECUTING", "plan_accepted"), ("COMPLETE", "all_done")]
    kinds = {json.loads(line)["kind"] for line in (shop.sessions()[0] / "registry.jsonl").read_text().splitlines()}
    assert {"work_initialized", "context_pack", "plan_accepted", "validator_manifest", "retrospective"} <= kinds
    assert run.times_told("files that belong to this prompt") == 1
    assert run.model_saw("validators are red on what is there now (attempt 1/3)")
