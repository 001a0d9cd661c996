"""`features`: what each declares and is set to, what it waits for and did last, what a client cannot carry of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from jackline.cli import features
from jackline.compiler.registry import KNOWN, folder_of
from jackline.services.capabilities import CAPABILITIES, WITH_ANY

from .conftest import Desk

MAKER = """
from jackline.sdk import *

@hook(name="maker", supports=["PostToolUse"], priority=3, produces=["fact"], state=["facts"], services=["artifacts"])
def handle(event, ctx):
    if event.command != "echo make":
        return None
    return Action(register_artifacts=({"kind": "fact", "ref": "out/a.md"},))
"""
READER = """
from jackline.sdk import *

@hook(name="reader", supports=["PreToolUse", "PreCompact", "SubagentStart"], priority=4, needs=["fact", "intents"])
def handle(event, ctx):
    return deny("no pushing from here") if event.command == "git push" else None
"""


def own(desk: Desk, **texts: str) -> None:
    for name, text in texts.items():
        folder = desk.hooks / "features" / name
        folder.mkdir(parents=True)
        (folder / "hook.py").write_text(text)
    desk.jackline("trust", "--yes", desk.jackline("trust", "--json", code=1).data["digest"])


def rows(desk: Desk, *words: str) -> dict[str, Any]:
    return {one["feature"]: one for one in desk.jackline("features", *words, "--json").data}


def test_every_feature_is_told_with_its_state(desk: Desk) -> None:
    desk.jackline("enable", "intent-scope", "--yes")
    found = rows(desk)
    assert set(KNOWN) <= set(found)
    assert {slug for slug, one in found.items() if one["state"] == "absent"} == {
        slug for slug, known in KNOWN.items() if not known.here
    }
    assert (found["session"]["state"], found["intent-scope"]["state"]) == ("strict", "lenient")
    assert (found["stale-file"]["state"], found["intent-scope"]["layer"]) == ("off", "project")
    assert {one["capability"] for one in found.values()} == {*CAPABILITIES, ""}
    assert set(WITH_ANY) <= set(found)
    assert [*found] == sorted(found, key=lambda slug: (found[slug]["priority"], slug))


def test_what_it_declares_is_what_is_told(desk: Desk) -> None:
    own(desk, maker=MAKER, reader=READER)
    maker = rows(desk, "maker")["maker"]
    assert (maker["produces"], maker["stateParts"], maker["services"]) == (["fact"], ["facts"], ["artifacts"])
    assert rows(desk, "reader")["reader"]["needs"] == ["fact", "intents"]
    said = desk.jackline("features", "maker").out
    assert "maker  strict" in said
    assert "facts" in said


def test_it_waits_for_what_another_makes_until_that_is_there(desk: Desk) -> None:
    own(desk, maker=MAKER, reader=READER)
    assert rows(desk)["reader"]["waits"] == ["fact: maker makes it"]
    desk.manifest({"modules": {"maker": {"enabled": False}}})
    assert rows(desk)["reader"]["waits"] == ["fact: maker is off"]
    assert "fact: maker is off" in desk.jackline("features").out
    desk.manifest({})
    desk.begin()
    (desk.place / "out").mkdir()
    (desk.place / "out/a.md").write_text("a fact")
    desk.say(desk.tool("echo make", event="PostToolUse"))
    found = rows(desk)
    assert found["reader"]["waits"] == []
    assert found["maker"]["last"]["kind"] == "ARTIFACT_REGISTERED"


def test_what_it_did_last_is_in_the_newest_session(desk: Desk) -> None:
    own(desk, reader=READER)
    assert rows(desk)["reader"]["last"] is None
    desk.pre("git push")
    last = rows(desk)["reader"]["last"]
    assert (last["kind"], last["decision"]) == ("TOOL_DECISION", "deny")
    assert "no pushing from here" in last["what"]
    assert "TOOL_DECISION deny" in desk.jackline("features", "reader").out


def test_what_a_client_in_use_cannot_carry_is_told(desk: Desk) -> None:
    own(desk, reader=READER)
    desk.jackline("init", "--client", "vscode", "--no-project")
    assert rows(desk)["reader"]["cannot"] == {"vscode": ["marks no sub-agents"]}
    desk.jackline("init", "--client", "codex", "--no-project")
    desk.jackline("enable", "stale-file", "--yes")
    assert "codex has no" not in desk.jackline("features", "reader").out
    assert "! vscode: marks no sub-agents  (" in desk.jackline("features").out


def test_one_capability_or_one_feature_is_shown_whole(desk: Desk) -> None:
    assert set(rows(desk, "subagents")) == {*CAPABILITIES["subagents"].features}
    assert "planGraph-exec" in desk.jackline("features", "plan").out
    assert "there is no feature 'plann' · did you mean plan?" in desk.jackline("features", "plann", code=2).err


@pytest.mark.parametrize("words", [(), ("session",)], ids=["all", "one"])
def test_an_agent_may_look(desk: Desk, words: tuple[str, ...]) -> None:
    assert desk.below_client("features", *words).code == 0


def test_only_who_keeps_an_agent_going_is_told_where_it_cannot() -> None:
    """The table has those of ours whose code says `block`."""
    folder = Path(features.__file__).parents[1] / "features"
    found = {slug for slug, one in KNOWN.items() if one.here and _blocks(folder / folder_of(slug))}
    assert found == {*features.KEEPING}


def _blocks(folder: Path) -> bool:
    """Whether a module of a feature says that an agent goes on."""
    texts = [path.read_text() for path in folder.glob("*.py")]
    return any('decision="block"' in text or ("import" in text and " block," in text) for text in texts)
