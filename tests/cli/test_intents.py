"""`jackline intents`: what a person and an agent may do, and what the next call meets."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import time
from collections.abc import Mapping
from typing import Any

import pytest

from jackline.intents import Active, active
from jackline.intents.choose import select
from jackline.intents.first_scopes import known
from jackline.intents.scope_requests import Wish, wish
from jackline.store import authority
from scene import git

from .conftest import Desk

FILE = """# Ours.
active_intents:
  - id: INT-001
    name: Sign-in  # the form
    status: IN_PROGRESS
    owned_scope:
      - src/auth/**
  - id: INT-002
    name: Billing
    status: COMPLETED
    owned_scope:
      - src/billing/**
"""


@pytest.fixture
def shop(desk: Desk) -> Desk:
    desk.manifest({"version": 1, "modules": {"intent-scope": {"enabled": True}}})
    write(desk, FILE)
    return desk


def write(desk: Desk, text: str) -> None:
    (desk.root / ".orchestration").mkdir(exist_ok=True)
    (desk.root / ".orchestration/active_intents.yaml").write_text(text)


def edit(desk: Desk, path: str, event: str = "PreToolUse", **more: Any) -> Mapping[str, Any]:
    given = {"file_path": str(desk.root / path), "content": "text\n"}
    return desk.payload(event, tool_name="Write", tool_input=given, tool_use_id=f"t-{path}", **more)


def chosen(desk: Desk) -> Active | None:
    return active(str(desk.store), desk.place.name)


def code(reason: str) -> str:
    return str(json.loads(reason[reason.index("{") :].split("\n")[0])["code"])


def test_select_work_violation_expansion(shop: Desk) -> None:
    """The walk-through of docs/intents.md."""
    shop.begin()
    said = shop.say(edit(shop, "src/auth/a.py"))
    assert (said.decision, code(said.reason)) == ("deny", "NO_ACTIVE_INTENT")
    assert "jackline intents select" in said.reason and "INT-001 (Sign-in)" in said.reason

    done = shop.below_client("intents", "select", "INT-001")
    assert done.code == 0, done
    found = chosen(shop)
    assert found is not None and (found.id, found.by, found.scope) == ("INT-001", "agent", ("src/auth/**",))
    assert shop.say(edit(shop, "src/auth/a.py")).decision == ""

    said = shop.say(edit(shop, "docs/auth.md"))
    assert (said.decision, code(said.reason)) == ("deny", "SCOPE_VIOLATION")
    assert "jackline intents expand INT-001 'docs/auth.md'" in said.reason

    done = shop.below_client("intents", "request", "INT-001", "docs/auth.md", "--reason", "the flow is described there")
    assert done.code == 0, done
    assert shop.say(edit(shop, "docs/auth.md")).decision == "deny", "a request widens nothing"
    listed = shop.jackline("intents", "list")
    assert "wants INT-001 to hold docs/auth.md: the flow is described there" in listed.out
    refused = shop.below_client("intents", "expand", "INT-001", "docs/auth.md", "--yes")
    assert refused.code == 2 and "is a human-only command" in refused.err

    shop.jackline("intents", "expand", "INT-001", "docs/auth.md", "--yes")
    assert shop.say(edit(shop, "docs/auth.md")).decision == ""
    assert shop.say(edit(shop, "docs/other.md")).decision == "deny", "it covers what it names"
    assert shop.jackline("intents", "list", "--json").data["requests"] == []
    text = (shop.root / ".orchestration/active_intents.yaml").read_text()
    assert text == FILE.replace("      - src/auth/**\n", '      - src/auth/**\n      - "docs/auth.md"\n')
    kinds = [one["kind"] for one in authority.read(str(shop.store))]
    assert kinds == ["INTENT_SELECT", "INTENT_FILE", "INTENT_EXPAND", "INTENT_EXPAND"]
    assert authority.verify(str(shop.store)) == (4, "")


def test_003_an_intent_that_is_closed_cannot_be_selected(shop: Desk) -> None:
    shop.begin()
    for name in ("INT-002", "INT-003", "INT-01"):
        done = shop.below_client("intents", "select", name)
        assert done.code == 1, done
    assert "INT-002 · is COMPLETED · open: INT-001" in shop.below_client("intents", "select", "INT-002").err
    assert "did you mean INT-001?" in shop.below_client("intents", "select", "INT-01").err
    assert chosen(shop) is None


def test_a_scope_that_grew_in_the_file_needs_a_person_to_select_it(shop: Desk) -> None:
    shop.begin()
    shop.below_client("intents", "select", "INT-001")
    write(shop, FILE.replace("src/auth/**", '"**"'))
    for _ in range(2):
        assert shop.below_client("intents", "select", "INT-001").code == 0
        assert shop.say(edit(shop, "README.md")).decision == "deny"
    done = shop.jackline("intents", "select", "INT-001")
    assert "scope  **" in done.out
    assert shop.say(edit(shop, "README.md")).decision == ""
    assert known(str(shop.store), str(shop.root)) == {"INT-001": ("**",)}


def test_an_agent_selects_for_its_own_session_only(shop: Desk) -> None:
    shop.begin()
    other = shop.payload("SessionStart", source="startup", session_id="22222222-0000-0000-0000-000000000000")
    shop.say(other)
    theirs = shop.place_of("22222222-0000-0000-0000-000000000000").name
    done = shop.below_client("intents", "select", "INT-001", "--session", theirs)
    assert done.code == 2 and "is not yours" in done.err
    assert active(str(shop.store), theirs) is None


def test_the_door_selects_where_the_command_may_not_write(shop: Desk) -> None:
    """A client's sandbox forbids the command the store; the door saw the command, and may."""
    shop.begin()
    sid = shop.place.name
    shop.pre("jackline intents select INT-001 --json")
    found = chosen(shop)
    assert found is not None and (found.id, found.by) == ("INT-001", "agent")
    shop.pre("jackline intents request INT-001 'docs/**' --reason 'they say so'")
    shop.pre("jackline intents request 'INT-001; rm x' 'docs/**'")
    shop.pre("jackline intents request INT-001 ../other")
    (kept,) = shop.jackline("intents", "list", "--json").data["requests"]
    assert kept["globs"] == ["docs/**"], "what the command refuses the door does not keep"
    for command in (
        "jackline intents select INT-002",
        "echo jackline intents clear",
        "jackline intents clear --session 00000000",
        "jackline intents select INT-001; echo x > README.md",
    ):
        shop.pre(command)
        assert active(str(shop.store), sid) == found, command
    shop.pre("jackline intents clear")
    assert chosen(shop) is None
    assert [one["kind"] for one in authority.read(str(shop.store))] == ["INTENT_SELECT", "INTENT_CLEAR"]


def test_a_dry_run_selects_nothing(shop: Desk) -> None:
    shop.begin()
    shop.jackline(
        "try", "claude-code", "PreToolUse", stdin=json.dumps(shop.tool("jackline intents select INT-001")).encode()
    )
    assert chosen(shop) is None


def test_an_agent_may_close_an_intent_and_not_open_one(shop: Desk) -> None:
    shop.begin()
    shop.below_client("intents", "select", "INT-001")
    assert shop.below_client("intents", "status", "INT-002", "IN_PROGRESS", "--yes").code == 2
    assert shop.pre("jackline intents status INT-002 ACTIVE").decision == "deny"
    assert shop.below_client("intents", "status", "INT-001", "completed").code == 0
    said = shop.say(edit(shop, "src/auth/a.py"))
    assert code(said.reason) == "NO_ACTIVE_INTENT" and "intent INT-001 is COMPLETED" in said.reason
    text = (shop.root / ".orchestration/active_intents.yaml").read_text()
    assert text == FILE.replace("status: IN_PROGRESS", "status: COMPLETED")


def test_an_expansion_for_one_session_leaves_the_file(shop: Desk) -> None:
    shop.begin()
    select(str(shop.store), str(shop.root), shop.place.name, "INT-001", "agent", 1)
    shop.jackline("intents", "expand", "INT-001", "docs/**", "--session", shop.place.name, "--yes")
    assert (shop.root / ".orchestration/active_intents.yaml").read_text() == FILE
    assert shop.say(edit(shop, "docs/a.md")).decision == ""


def test_an_expansion_in_the_file_counts_as_long_as_it_stands_there(shop: Desk) -> None:
    shop.begin()
    select(str(shop.store), str(shop.root), shop.place.name, "INT-001", "agent", 1)
    shop.jackline("intents", "expand", "INT-001", "docs/**", "--yes")
    assert shop.say(edit(shop, "docs/a.md")).decision == ""
    write(shop, FILE)
    assert code(shop.say(edit(shop, "docs/a.md")).reason) == "SCOPE_VIOLATION"
    assert shop.say(edit(shop, "src/auth/a.py")).decision == ""


def test_what_an_exclusion_holds_is_not_said_to_be_let_in(shop: Desk) -> None:
    excluding = FILE.replace("- src/auth/**\n", '- src/auth/**\n      - "!src/auth/old/**"\n', 1)
    write(shop, excluding)
    for glob in ("src/auth/old/a.py", "src/auth/old/**", "src/auth/old/{a,b}.py"):
        done = shop.jackline("intents", "expand", "INT-001", glob, "--yes", code=1)
        assert f"{glob} · INT-001 excludes it" in done.err
    assert (shop.root / ".orchestration/active_intents.yaml").read_text() == excluding
    shop.jackline("intents", "expand", "INT-001", "src/**", "--yes")


def test_what_is_wrong_is_shown(shop: Desk) -> None:
    write(shop, FILE.replace("status: IN_PROGRESS", "status: IN_PROGRES"))
    done = shop.jackline("intents", "list", code=1)
    assert ".orchestration/active_intents.yaml:5 · active_intents[0].status: expected PENDING" in done.out
    assert "write: status: IN_PROGRESS" in done.out
    shop.begin()
    done = shop.below_client("intents", "select", "INT-001")
    assert done.code == 1 and "active_intents[0].status" in done.err
    (shop.root / ".orchestration/active_intents.yaml").unlink()
    assert "jackline intents new" in shop.jackline("intents", "list", code=1).err


def test_new_show_and_check(desk: Desk) -> None:
    desk.jackline(
        "intents", "new", "INT-001", "--name", "Sign-in", "--scope", "src/**", "--scope", "!src/old/**", "--yes"
    )
    desk.jackline("intents", "new", "INT-001", "--yes", code=1)
    desk.jackline("intents", "new", "INT-002", "--scope", "../x", "--yes", code=2)
    desk.jackline("intents", "new", "INT-002", "--scope", "x/**", code=2)
    found = desk.jackline("intents", "show", "INT-001", "--json").data
    assert (found["status"], found["ownedScope"], found["open"]) == ("PENDING", ["src/**", "!src/old/**"], True)
    assert "!src/old/**" in desk.jackline("intents", "show", "INT-001").out
    (desk.root / "src").mkdir()
    (desk.root / "src/link").symlink_to("..")
    done = desk.jackline(
        "intents", "check", "--intent", "INT-001", "src/a", "src/link/a", "src/old/a", "--json", code=1
    )
    assert [(one["resolved"], one["inScope"]) for one in done.data["paths"]] == [
        ("src/a", True),
        ("a", False),
        ("src/old/a", False),
    ]
    desk.jackline("intents", "check", "src/a", code=2)


def test_only_what_a_person_committed_is_ignored(shop: Desk) -> None:
    ignore = shop.root / ".orchestration/.intentignore"
    ignore.write_text("*.md\n")
    shop.begin()
    shop.below_client("intents", "select", "INT-001")
    assert shop.say(edit(shop, "notes.md")).decision == "deny"
    git(shop.root, "add", "-A")
    git(shop.root, "-c", "user.name=p", "-c", "user.email=p@example.org", "commit", "-q", "-m", "notes")
    assert shop.say(edit(shop, "notes.md")).decision == "deny", "selected before it was"
    shop.below_client("intents", "select", "INT-001")
    assert shop.say(edit(shop, "notes.md")).decision == ""
    ignore.write_text("*.md\n*.txt\n")
    shop.below_client("intents", "select", "INT-001")
    assert shop.say(edit(shop, "notes.txt")).decision == "deny"
    assert shop.say(edit(shop, "notes.md")).decision == ""


def test_the_trace_and_the_map(shop: Desk) -> None:
    shop.begin()
    shop.below_client("intents", "select", "INT-001")
    folder = shop.root / "src/auth"
    folder.mkdir(parents=True)
    target = folder / "a.py"
    assert shop.say(edit(shop, "src/auth/a.py")).decision == ""
    target.write_text("text\n")
    done = {"tool_response": {"type": "create"}}
    shop.say(edit(shop, "src/auth/a.py", "PostToolUse", **done))
    shop.pre("sed -i s/text/more/ src/auth/a.py", tool_use_id="t-sed")
    target.write_text("more\n")
    shop.say(shop.tool("sed -i s/text/more/ src/auth/a.py", event="PostToolUse", tool_use_id="t-sed"))
    shop.say(shop.tool("cat src/auth/a.py", event="PostToolUse", tool_use_id="t-cat"))
    shop.say(shop.tool("python3 tool.py", event="PostToolUse", tool_use_id="t-tool"))
    shop.say(shop.tool("git commit -m x", event="PostToolUse", tool_use_id="t-git"))
    shop.pre("echo quiet > src/auth/b.py", tool_use_id="t-quiet")
    (folder / "b.py").write_text("quiet\n")
    shop.pre("echo never > src/auth/c.py", tool_use_id="t-never")
    shop.say(shop.payload("Stop", stop_hook_active=False))
    place = shop.root / ".orchestration"
    rows = [json.loads(line) for line in (place / "agent_trace.jsonl").read_text().splitlines()]
    assert [(row["intentId"], row["tool"], [one["path"] for one in row["files"]]) for row in rows] == [
        ("INT-001", "Write", ["src/auth/a.py"]),
        ("INT-001", "Bash", ["src/auth/a.py"]),
        ("INT-001", "Bash", []),
        ("INT-001", "Bash", ["src/auth/b.py"]),
    ]
    assert rows[2]["unknown"] == "runs the program tool.py"
    first, second, third = (row["files"][0] for row in rows if row["files"])
    assert (first["before"], second["before"]) == ("", first["after"]) and third["before"] == ""
    assert len(first["after"]) == 64 and second["after"] != first["after"]
    assert {row["session"] for row in rows} == {shop.place.name} and rows[0]["agentId"] == "u00"
    assert rows[0]["mutationClass"] == "INTENT_EVOLUTION" and rows[0]["confidence"] > 0.5
    drawn = (place / "intent_map.md").read_text()
    assert "## INT-001 Sign-in" in drawn and "`src/auth/a.py`" in drawn and "Depends on: nothing" in drawn
    (place / "intent_map.md").write_text(drawn + "\nWritten by hand.\n")
    shop.say(shop.payload("Stop", stop_hook_active=False))
    assert (place / "intent_map.md").read_text() == drawn + "\nWritten by hand.\n"


def test_the_trace_is_written_through_no_link(shop: Desk) -> None:
    shop.begin()
    shop.below_client("intents", "select", "INT-001")
    outside = shop.folder / "outside.jsonl"
    outside.write_text("")
    (shop.root / ".orchestration/agent_trace.jsonl").symlink_to(outside)
    shop.say(edit(shop, "src/auth/a.py"))
    (shop.root / "src/auth").mkdir(parents=True)
    (shop.root / "src/auth/a.py").write_text("text\n")
    shop.say(edit(shop, "src/auth/a.py", "PostToolUse", tool_response={}))
    assert outside.read_text() == ""
    shop.say(shop.payload("Stop", stop_hook_active=False))


def test_a_session_begins_with_the_intents_that_are_open(shop: Desk) -> None:
    told = shop.begin().body["hookSpecificOutput"]["additionalContext"]
    assert "jackline intents select ID" in told and "INT-001 (Sign-in)" in told and "INT-002" not in told


def test_off_it_says_nothing(desk: Desk) -> None:
    write(desk, FILE)
    assert desk.begin().out == b"{}\n"
    assert desk.say(edit(desk, "README.md")).decision == ""
    assert not (desk.root / ".orchestration/agent_trace.jsonl").exists()


def test_a_session_that_is_forgotten_has_no_intent(shop: Desk) -> None:
    shop.begin()
    shop.below_client("intents", "select", "INT-001")
    sid = shop.place.name
    shop.jackline("sessions", "forget", sid, "--yes")
    assert active(str(shop.store), sid) is None and not (shop.store / "intents" / sid).exists()


def drift(desk: Desk) -> list[str]:
    rows = json.loads(desk.jackline("status", "--json", code=1).out)["rows"]
    return [row["what"] for row in rows if row["about"] == "drift"]


def ahead(desk: Desk) -> None:
    """As if the file had been written a while after the last event."""
    path = desk.root / ".orchestration/active_intents.yaml"
    later = time.time() + 100
    os.utime(path, (later, later))


@pytest.mark.parametrize("words", [("new", "INT-009", "--scope", "docs/**", "--yes"), ("status", "INT-001", "BLOCKED")])
def test_what_our_own_command_wrote_is_no_drift(shop: Desk, words: tuple[str, ...]) -> None:
    shop.begin()
    shop.jackline("intents", *words)
    ahead(shop)
    assert drift(shop) == []
    with (shop.root / ".orchestration/active_intents.yaml").open("a") as file:
        file.write("# by somebody\n")
    ahead(shop)
    (found,) = drift(shop)
    assert "active_intents.yaml" in found


def test_of_many_new_intents_at_once_none_is_lost(shop: Desk) -> None:
    names = [f"INT-10{at}" for at in range(4)]
    made = [
        subprocess.Popen(
            shop.command("intents", "new", name, "--scope", "docs/**", "--yes"), cwd=shop.root, env=shop.env,
            start_new_session=True, stdout=subprocess.DEVNULL,
        )
        for name in names
    ]  # fmt: skip
    assert [one.wait(60) for one in made] == [0] * 4
    listed = shop.jackline("intents", "list", "--json").data["intents"]
    assert {one["id"] for one in listed} >= set(names)


def test_what_a_person_is_to_copy_is_fit_for_a_shell(shop: Desk) -> None:
    name, glob = "INT 9; touch $(x)", "it's/**"
    wish(str(shop.store), str(shop.root), Wish(name, (glob,)))
    (line,) = [one for one in shop.jackline("intents", "list").out.split("\n") if "a yes: " in one]
    assert shlex.split(line.partition("a yes: ")[2]) == ["jackline", "intents", "expand", name, glob]


@pytest.mark.parametrize("left", [b"", b"{", b"[]"], ids=repr)
def test_a_memory_of_scopes_that_cannot_be_read_widens_nothing(shop: Desk, left: bytes) -> None:
    """An agent widens the file, and selects again: what was selected first holds, as the records have it."""
    shop.begin()
    store, root, sid = str(shop.store), str(shop.root), shop.place.name
    select(store, root, sid, "INT-001", "agent", 1)
    shop.jackline("intents", "expand", "INT-001", "docs/**", "--yes")
    before = known(store, root)
    (path,) = (shop.store / "intents").glob("known~*[!k]")
    path.write_bytes(left)
    assert known(store, root) == before == {"INT-001": ("src/auth/**", "docs/**")}
    write(shop, FILE.replace("src/auth/**", "**", 1))
    assert select(store, root, sid, "INT-001", "agent", 2).scope == ("src/auth/**", "docs/**")
