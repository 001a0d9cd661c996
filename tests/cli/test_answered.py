"""A search that an artifact of the task answers is pointed at it once; a strict gate refuses it when it comes again."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest

from jackline import host
from jackline.services import artifacts
from jackline.store import session_index, tasks
from scene import Said, git

from .conftest import Desk

NAMES = ("work-init", "context-pack", "tool-gate")
TOKENS = "def rotate_refresh_token(old):\n    return old + 1\n"


def task(desk: Desk) -> dict[str, Any]:
    return tasks.read(str(desk.store), desk.place.name, "w001")


@pytest.fixture
def shop(desk: Desk) -> Desk:
    """A project whose task has a pack that the agent was told."""
    for name, text in (("src/tokens.py", TOKENS), ("src/billing.py", "def total(lines):\n    return sum(lines)\n")):
        (desk.root / name).parent.mkdir(parents=True, exist_ok=True)
        (desk.root / name).write_text(text)
    git(desk.root, "add", "-A")
    git(desk.root, "-c", "user.name=n", "-c", "user.email=n@example.org", "commit", "-qm", "tokens")
    desk.manifest({"version": 1, "modules": {name: {"enabled": True} for name in NAMES}})
    desk.begin()
    desk.prompt("rotate the refresh tokens in tokens.py once a day")
    until = time.monotonic() + 60
    while not task(desk).get("context", {}).get("hash"):
        assert time.monotonic() < until, "nobody made the pack"
        time.sleep(0.05)
    desk.pre("ls")
    return desk


def search(desk: Desk, pattern: str, **more: Any) -> Said:
    given = {"pattern": pattern, "path": f"{desk.root}/src", "head_limit": 9, **more}
    return desk.say(desk.tool(tool_name="Grep", tool_input=given))


def context(said: Said) -> str:
    return str(said.body.get("hookSpecificOutput", {}).get("additionalContext", ""))


def test_once_it_is_pointed_at_and_then_refused(shop: Desk) -> None:
    said = search(shop, "rotate_refresh_token")
    assert said.decision == ""
    assert "`jackline pack show src/tokens.py` has what this search looks for" in context(said)
    for _ in range(2):
        said = search(shop, "rotate_refresh_token")
        assert said.decision == "deny" and '"code":"POLICY_DENIED"' in said.reason
        assert said.reason.count("jackline") == 1 and "now: jackline pack show src/tokens.py" in said.reason
    assert shop.pre("jackline pack show src/tokens.py").decision == ""
    assert "def rotate_refresh_token" in shop.jackline("pack", "show", "src/tokens.py").out


@pytest.mark.parametrize("command", ["rg -n rotate_refresh_token src", "grep -rn rotate_refresh_token src",
                                     "git grep rotate_refresh_token"])  # fmt: skip
def test_by_a_shell_it_is_the_same(shop: Desk, command: str) -> None:
    assert "jackline pack show" in context(shop.pre(command))
    assert shop.pre(command).decision == "deny"


@pytest.mark.parametrize("pattern", ["nothing_of_it", "rot.*", "sum", "total(lines", "[a-z]+"])
def test_what_no_artifact_answers_is_searched_as_often_as_one_likes(shop: Desk, pattern: str) -> None:
    if pattern == "total(lines":
        shop.jackline("pack", "drop", "src/billing.py")
    for _ in range(4):
        said = search(shop, pattern)
        assert (said.decision, "pack show" in context(said)) == ("", False)


def test_another_place_is_another_search_and_a_changed_file_answers_no_more(shop: Desk) -> None:
    search(shop, "rotate_refresh_token")
    assert search(shop, "rotate_refresh_token", path=str(shop.root)).decision == ""
    (shop.root / "src/tokens.py").write_text(TOKENS + "# more\n")
    assert search(shop, "rotate_refresh_token").decision == ""


def test_a_pack_that_somebody_wrote_answers_nothing(shop: Desk) -> None:
    place = shop.place / "work/w001/pack/contextPack.json"
    made = json.loads(place.read_text())
    made["items"][0]["text"] += "forged_word"
    place.write_text(json.dumps(made))
    assert context(search(shop, "forged_word")) == ""


def test_what_a_feature_computed_answers_too(shop: Desk) -> None:
    place = shop.place / "work/w001/symbols.txt"
    place.write_text("class InvoicePrinter src/billing.py\n")
    [session] = session_index.sessions(shop.store, shop.root)
    entry = artifacts.described("computed_symbols", "work/w001/symbols.txt", place.read_bytes())
    artifacts.announce(str(shop.store), session, "harness", [entry], now=host.now(), entropy=host.entropy())
    assert "jackline artifacts show computed_symbols" in context(search(shop, "InvoicePrinter"))
    assert search(shop, "InvoicePrinter").decision == "deny"
    assert "symbols.txt" in shop.jackline("artifacts", "show", "computed_symbols").out
    place.write_text("InvoicePrinter\n")
    assert search(shop, "InvoicePrinter").decision == "", "it is not what was announced"


def test_lenient_refuses_nothing(shop: Desk) -> None:
    shop.manifest({"version": 1, "modules": {name: {"enabled": True, "mode": "warn"} for name in NAMES}})
    for _ in range(3):
        said = search(shop, "rotate_refresh_token")
        assert said.decision == ""
    assert "tool-gate would deny: the same search again" in said.body["systemMessage"]
