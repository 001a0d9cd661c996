"""Capability rows, and `degrade`: what a client cannot carry becomes the nearest it can, never something weaker."""

from __future__ import annotations

import pytest

from jackline.clients.capabilities import NOTHING, Capability, degrade, row
from jackline.clients.grades import GUARANTEES, grades
from jackline.clients.rows import CLIENTS, ROWS
from jackline.model import EVENTS, Event, Verdict

from .calls import CLIENTS as RECORDED_CLIENTS

SHELL = Event("PreToolUse", client="codex", tool="Bash", kind="shell", input={"command": "rm -rf x"})


def event(name: str, client: str = "codex") -> Event:
    return Event(name, client=client)


def test_every_client_of_the_contracts_has_rows() -> None:
    assert set(CLIENTS) == set(ROWS) == set(RECORDED_CLIENTS)


@pytest.mark.parametrize("client", CLIENTS)
def test_rows_speak_of_our_events(client: str) -> None:
    assert set(ROWS[client]) <= set(EVENTS)
    for name in ROWS[client]:
        capability = row(client, name)
        assert capability.rewrite in ("", "replace", "merge")
        assert capability.block in ("", "prompt", "note", "replace", "compaction")
        assert capability.cont >= -1
        assert not capability.stamps


def test_words_of_the_table_are_the_rows_fields() -> None:
    words = {word for events in ROWS.values() for entry in events.values() for word in entry[0].split()}
    assert words == {"deny", "ask", "approve", "both", "context", "note"}


def test_unknown_client_or_event_can_nothing() -> None:
    assert row("acme", "PreToolUse") == row("codex", "Notification") == row("", "") == NOTHING == Capability()


NEW = {"command": "rm -r x/y"}
C, M = (("k", "C"),), ("M",)
PLAIN = Verdict()

# event, row, verdict → verdict
CASES: dict[str, tuple[Event, Capability, Verdict, Verdict]] = {
    "nothing stays nothing": (SHELL, NOTHING, PLAIN, PLAIN),
    "allow is no objection": (SHELL, Capability(approve=True), Verdict("allow"), PLAIN),
    "deny": (SHELL, Capability(deny=True), Verdict("deny", "R"), Verdict("deny", "R")),
    "deny keeps its proposal": (
        SHELL,
        Capability(deny=True),
        Verdict("deny", "R", NEW),
        Verdict("deny", "R", NEW),
    ),
    "deny nobody can say is told": (
        SHELL,
        Capability(note=True),
        Verdict("deny", "R"),
        Verdict(notes=("R",), reason=""),
    ),
    "ask": (SHELL, Capability(deny=True, ask=True), Verdict("ask", "R"), Verdict("ask", "R")),
    "ask where there is none": (
        SHELL,
        Capability(deny=True),
        Verdict("ask", "what\nrule\nsafer", code="SCOPE_VIOLATION"),
        Verdict(
            "deny",
            "what — this needs a person's yes, and codex cannot ask for it here\nrule\nsafer",
            code="HITL_PENDING",
        ),
    ),
    "ask without a reason": (
        SHELL,
        Capability(deny=True),
        Verdict("ask"),
        Verdict(
            "deny",
            "Refused by a hook that gave no reason. — this needs a person's yes, and codex cannot ask for it here\n"
            "Leave it to the person, or find a way that needs no yes",
            code="HITL_PENDING",
        ),
    ),
    "ask with a rewrite": (
        SHELL,
        Capability(deny=True, ask=True, both=True, rewrite="replace"),
        Verdict("ask", "R", NEW),
        Verdict("ask", "R", NEW),
    ),
    "ask with a rewrite that cannot go together": (
        SHELL,
        Capability(deny=True, ask=True, rewrite="replace"),
        Verdict("ask", "R", NEW),
        Verdict(
            "deny", "R — this needs a person's yes, and codex cannot ask about a changed call", NEW, code="HITL_PENDING"
        ),
    ),
    "ask nobody can carry": (SHELL, Capability(note=True), Verdict("ask", "R"), Verdict(notes=("R",))),
    "rewrite": (SHELL, Capability(deny=True, rewrite="merge"), Verdict(updated_input=NEW), Verdict(updated_input=NEW)),
    "rewrite where there is none": (
        SHELL,
        Capability(deny=True),
        Verdict(updated_input=NEW, by=("g",)),
        Verdict("deny", "This call is too wide as it stands", NEW, by=("g",)),
    ),
    "rewrite nobody can carry": (SHELL, NOTHING, Verdict(updated_input=NEW), PLAIN),
    "approve": (SHELL, Capability(approve=True), Verdict("approve", "R"), Verdict("approve", "R")),
    "approve where there is none": (SHELL, Capability(deny=True), Verdict("approve"), PLAIN),
    "approve of a rewrite where only the rewrite goes": (
        SHELL,
        Capability(deny=True, rewrite="replace"),
        Verdict("approve", "", NEW),
        Verdict("", "", NEW),
    ),
    "block of a tool is a denial": (SHELL, Capability(deny=True), Verdict("block", "R"), Verdict("deny", "R")),
    "permission: ask": (event("PermissionRequest"), Capability(deny=True, ask=True), Verdict("ask", ""), PLAIN),
    "permission: what is asked cannot change": (
        event("PermissionRequest"),
        Capability(deny=True, approve=True, rewrite="replace"),
        Verdict("approve", "", NEW),
        Verdict("approve"),
    ),
    "block of a prompt": (
        event("UserPromptSubmit"),
        Capability(block="prompt"),
        Verdict("block", "R"),
        Verdict("block", "R"),
    ),
    "deny of a prompt is a block": (
        event("UserPromptSubmit"),
        Capability(block="prompt"),
        Verdict("deny", "R"),
        Verdict("block", "R"),
    ),
    "block where the event cannot, with context": (
        event("PostToolUse"),
        Capability(context=True, note=True),
        Verdict("block", "R", context=C),
        Verdict(context=(*C, ("", "R"))),
    ),
    "block where the event cannot, without": (
        event("PreCompact"),
        Capability(note=True),
        Verdict("block", "R", notes=M),
        Verdict(notes=("M", "R")),
    ),
    "block where nothing can": (event("SessionEnd"), NOTHING, Verdict("block", "R", notes=M), PLAIN),
    "end of turn": (event("Stop"), Capability(cont=-1), Verdict("block", "R"), Verdict("block", "R")),
    "end of turn without a loop": (event("Stop"), Capability(block="x"), Verdict("block", "R"), PLAIN),
    "context": (SHELL, Capability(context=True), Verdict(context=C), Verdict(context=C)),
    "context joins a refusal's reason": (
        SHELL,
        Capability(deny=True),
        Verdict("deny", "R", context=C),
        Verdict("deny", "R\nk: C"),
    ),
    "context joins the reason to go on": (
        event("Stop"),
        Capability(cont=9),
        Verdict("block", "R", context=C),
        Verdict("block", "R\nk: C"),
    ),
    "context without a place is told": (
        event("Stop"),
        Capability(note=True),
        Verdict(context=C),
        Verdict(notes=("k: C",)),
    ),
    "notes": (SHELL, Capability(note=True), Verdict(notes=M), Verdict(notes=M)),
    "notes nobody shows": (SHELL, NOTHING, Verdict(notes=M), PLAIN),
    "metadata is for the log": (
        SHELL,
        NOTHING,
        Verdict(input_metadata={"_hookSessionId": "x"}),
        Verdict(input_metadata={"_hookSessionId": "x"}),
    ),
}


@pytest.mark.parametrize(("moment", "capability", "verdict", "expected"), CASES.values(), ids=CASES)
def test_degrade(moment: Event, capability: Capability, verdict: Verdict, expected: Verdict) -> None:
    once = degrade(verdict, moment, capability)
    assert once == expected
    assert degrade(once, moment, capability) == once, "what fits is left as it is"


@pytest.mark.parametrize("client", CLIENTS)
def test_grades_name_every_guarantee(client: str) -> None:
    found = grades(client)
    assert tuple(found) == GUARANTEES
    assert all(text and "\n" not in text for text in found.values())


def test_grades_follow_the_rows() -> None:
    assert grades("codex")["ask"].startswith("no")
    assert grades("qwen-code")["rewrite"].startswith("no")
    assert grades("cline")["end of turn"].startswith("no")
    assert "9" in grades("claude-code")["end of turn"]
    assert grades("acme") == {}
