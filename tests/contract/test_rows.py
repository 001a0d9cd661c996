"""Golden answers: answer × event × client, transcribed by hand from the measured contracts into `rows.jsonl`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from jackline.clients.capabilities import Capability, degrade, row
from jackline.clients.names import event_of
from jackline.clients.router import receive
from jackline.clients.rows import CLIENTS, ROWS
from jackline.clients.specs import SPEAKS
from jackline.model import Answer, Verdict
from jackline.runtime.request import Request

HERE = Path(__file__).parent
RECORDED = HERE.parent / "recorded"
GOLDEN: list[dict[str, Any]] = [json.loads(line) for line in (HERE / "rows.jsonl").read_text().splitlines()]
MEASURED: dict[str, Any] = json.loads((HERE / "measured.json").read_text())
PAGES = ("claude-code-and-codex ", "copilot-gemini-qwen-cline-vscode ", "harnesses ", "measured ", "design ")

SPELLINGS = {"copilot-cli": ("camel", "pascal")}
"""Clients that an entry can address in more than one spelling; every row is wanted in each."""


def spelling(golden: dict[str, Any]) -> str:
    if golden["client"] not in SPELLINGS:
        return ""
    return "camel" if golden["entry"][0].islower() else "pascal"


def name(golden: dict[str, Any]) -> str:
    entry = golden.get("entry", golden["event"])
    return f"{golden['client']}-{entry}-{golden['kind']}".replace(" ", "_")


def verdict_of(fields: dict[str, Any]) -> Verdict:
    given = dict(fields)
    given["context"] = tuple((key, value) for key, value in given.get("context", ()))
    given["notes"] = tuple(given.get("notes", ()))
    return Verdict(**given)


def request_of(golden: dict[str, Any]) -> Request:
    """The recorded call the row is about; Copilot's variables stand where no payload was recorded."""
    raw = (RECORDED / golden["payload"]).read_bytes() if golden["payload"] else b'{"session_id":"s","cwd":"/workspace"}'
    env = {"COPILOT_HOOK_DIR": "/workspace/.github/hooks"} if golden["client"] == "copilot-cli" else {}
    door = golden.get("door", SPEAKS[golden["client"]])
    return Request(door, golden.get("entry", golden["event"]), raw, env, "/workspace")


@pytest.mark.parametrize("golden", GOLDEN, ids=name)
def test_answer_is_the_contracts_to_the_byte(golden: dict[str, Any]) -> None:
    speaker, event = receive(request_of(golden))
    assert (event.client, event.name) == (golden["client"], golden["event"])
    verdict = degrade(verdict_of(golden["verdict"]), event, row(event.client, event.name))
    expected = json.dumps(golden["out"], separators=(",", ":")) + "\n"
    assert speaker.render(event, verdict) == Answer(0, expected.encode(), b"")


@pytest.mark.parametrize("golden", GOLDEN, ids=name)
def test_every_row_names_its_section(golden: dict[str, Any]) -> None:
    assert golden["section"].startswith(PAGES)
    assert golden["event"] == event_of(SPEAKS[golden["client"]], golden.get("entry", golden["event"]))
    if golden["section"].startswith("measured "):
        _, client, number = golden["section"].split()
        found = next(item for item in MEASURED[client]["rows"] if item["n"] == int(number))
        assert found["event"] == golden["event"]
        assert MEASURED[client]["version"] == CLIENTS[client][0]


def possible(capability: Capability) -> set[str]:
    """The answer kinds a capability row promises."""
    kinds = {
        "deny": capability.deny,
        "ask": capability.ask,
        "approve": capability.approve,
        "rewrite": capability.rewrite != "",
        "ask+rewrite": capability.ask and capability.both,
        "context": capability.context,
        "block": capability.block != "" or capability.cont != 0,
        "note": capability.note,
    }
    return {"silence"} | {kind for kind, can in kinds.items() if can}


WANTED = [
    (client, spelled, event)
    for client in ("claude-code", "codex", "vscode", "copilot-cli")
    for spelled in SPELLINGS.get(client, ("",))
    for event in ROWS[client]
]


@pytest.mark.parametrize(("client", "spelled", "event"), WANTED, ids=lambda part: part or "-")
def test_every_promised_answer_has_a_golden_row(client: str, spelled: str, event: str) -> None:
    there = {
        golden["kind"]
        for golden in GOLDEN
        if (golden["client"], spelling(golden), golden["event"]) == (client, spelled, event)
    }
    assert possible(row(client, event)) <= there


@pytest.mark.parametrize(("client", "spelled", "event"), WANTED, ids=lambda part: part or "-")
def test_no_golden_row_says_more_than_the_capabilities(client: str, spelled: str, event: str) -> None:
    """A plain kind in the goldens is promised; what a client cannot carry is written with `?` or a longer name."""
    plain = {"deny", "ask", "approve", "rewrite", "ask+rewrite", "context", "block", "note"}
    there = {
        golden["kind"]
        for golden in GOLDEN
        if (golden["client"], spelling(golden), golden["event"]) == (client, spelled, event)
    }
    assert there & plain <= possible(row(client, event))


def test_stop_reason_is_never_written() -> None:
    """`stopReason` alone aborts the request on VS Code; nobody needs it elsewhere."""
    assert not [golden for golden in GOLDEN if "stopReason" in json.dumps(golden["out"])]
