"""intent-scope on each real client: out-of-scope changes do not happen by any way, those in scope do."""

from __future__ import annotations

import json
from typing import Any

import pytest

from .hands import CODEX, Hand
from .rig.run import Run
from .rig.script import call, say, use
from .site import Site

pytestmark = pytest.mark.e2e

FILE = """active_intents:
  - id: INT-001
    name: Sign-in
    status: IN_PROGRESS
    owned_scope:
      - src/auth/**
"""
BILLING = "def total():\n    return 1\n"


@pytest.fixture
def shop(here: Site) -> Site:
    """A project with an intent, and the feature on."""
    manifest = here.home / ".config/jackline/dispatch.manifest.json"
    manifest.parent.mkdir(parents=True, exist_ok=True)
    manifest.write_text(json.dumps({"version": 1, "modules": {"intent-scope": {"enabled": True}}}))
    for name, text in {
        ".orchestration/active_intents.yaml": FILE,
        "src/auth/form.py": "x = 1\n",
        "src/billing/total.py": BILLING,
        "fix.sh": "sed -i s/1/2/ src/billing/total.py\n",
    }.items():
        path = here.project / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    here.git("add", "-A")
    here.git("commit", "-q", "-m", "shop")
    return here


def refusal(run: Run, name: str) -> dict[str, Any]:
    """The JSON of the refusal that the model read for a call."""
    _, found, rest = run.result(name).partition('{"type":"tool_error"')
    assert found, f"no refusal of ours in {run.result(name)!r}"
    told, _ = json.JSONDecoder().raw_decode(found + rest)
    assert isinstance(told, dict)
    return told


OUT = {
    "sed": "sed -i s/1/2/ src/billing/total.py",
    "redirection": "echo x > src/billing/new.py",
    "up": "echo x > src/auth/../billing/new.py",
    "tee": "echo x | tee src/billing/total.py",
    "cp": "cp src/auth/form.py src/billing/total.py",
    "mv": "mv src/billing/total.py src/auth/total.py",
    "script": "bash fix.sh",
    "intents": "sed -i s/auth/billing/ .orchestration/active_intents.yaml",
}


def test_out_of_scope_changes_do_not_happen_and_those_in_scope_do(shop: Site, hand: Hand) -> None:
    project = shop.project
    run = hand.play(
        shop,
        [
            call(hand.shell("early", "echo x > src/auth/early.py")),
            call(hand.shell("select", f"{' '.join(shop._command)} intents select INT-001")),
            *(call(hand.shell(name, command)) for name, command in OUT.items()),
            call(hand.write("write-out", project / "src/billing/new.py", "x = 1\n")),
            call(hand.write("write-in", project / "src/auth/new.py", "x = 1\n")),
            call(hand.shell("sed-in", "sed -i s/1/2/ src/auth/form.py")),
            call(hand.shell("tee-in", "echo x | tee src/auth/tee.txt")),
            call(hand.shell("read", "cat src/billing/total.py && git status --short")),
            say("DONE"),
        ],
    )
    assert run.exit_code == 0
    assert refusal(run, "early")["code"] == "NO_ACTIVE_INTENT"
    assert "works for INT-001" in run.result("select")
    for name in (*OUT, "write-out"):
        told = refusal(run, name)
        assert told["code"] == "SCOPE_VIOLATION", (name, told)
        assert told["meta"]["intent_id"] == "INT-001"
    assert (project / "src/billing/total.py").read_text() == BILLING
    assert sorted(path.name for path in (project / "src/billing").iterdir()) == ["total.py"]
    assert (project / ".orchestration/active_intents.yaml").read_text() == FILE
    assert not (project / "src/auth/early.py").exists()
    assert (project / "src/auth/form.py").read_text() == "x = 2\n"
    assert (project / "src/auth/new.py").read_text() == "x = 1\n"
    assert (project / "src/auth/tee.txt").read_text() == "x\n"
    assert "return 1" in run.result("read")
    rows = [json.loads(line) for line in (project / ".orchestration/agent_trace.jsonl").read_text().splitlines()]
    touched = {one["path"] for row in rows for one in row["files"] if one["before"] != one["after"]}
    assert touched == {"src/auth/form.py", "src/auth/new.py", "src/auth/tee.txt"}
    assert "`src/auth/form.py`" in (project / ".orchestration/intent_map.md").read_text()


def test_a_patch_that_moves_a_file_out_of_scope_is_refused_on_codex(site: Site) -> None:
    site.init("codex")
    manifest = site.home / ".config/jackline/dispatch.manifest.json"
    manifest.parent.mkdir(parents=True, exist_ok=True)
    manifest.write_text(json.dumps({"version": 1, "modules": {"intent-scope": {"enabled": True}}}))
    (site.project / ".orchestration").mkdir()
    (site.project / ".orchestration/active_intents.yaml").write_text(FILE)
    (site.project / "src/auth").mkdir(parents=True)
    (site.project / "src/auth/form.py").write_text("x = 1\n")

    def patch(name: str, target: str) -> Any:
        moved = f"*** Update File: src/auth/form.py\n*** Move to: {target}\n@@\n-x = 1\n+x = 2\n"
        return call(use("apply_patch", id=name, raw=f"*** Begin Patch\n{moved}*** End Patch\n"))

    run = CODEX.play(
        site,
        [
            call(CODEX.shell("select", f"{' '.join(site._command)} intents select INT-001")),
            patch("out", "src/billing/form.py"),
            patch("in", "src/auth/page.py"),
            say("DONE"),
        ],
    )
    assert refusal(run, "out")["code"] == "SCOPE_VIOLATION"
    assert not (site.project / "src/billing").exists()
    assert (site.project / "src/auth/page.py").read_text() == "x = 2\n"
