"""Play it: `python -m demo` shows a timeline per client and what is left, and exits 1 when an outcome differs."""

from __future__ import annotations

import json
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from demo.script import CLIENTS, Step, call_of, canonical, ends, recorded
from demo.stage import Stage, rows

STYLES = {"deny": "bold red", "rewrite": "yellow", "allow": "green"}
TELLING = (
    "command", "commands", "file_path", "filePath", "pattern", "patterns", "query", "queries", "path", "files",
    "description",
)  # fmt: skip
"""The key of a tool's input that tells most."""
WORDS = {"deny": "denied", "rewrite": "rewritten", "allow": "passed"}


REFUSED = ('"permissionDecision": "deny"', '"decision": "deny"', '"decision": "block"', '"cancel": true')
OTHER_INPUT = ("updatedInput", "modifiedArgs", "tool_input", "overrideInput")
"""How clients are told that a call is refused, or which input it gets."""


def outcome(row: dict[str, Any], answer: str) -> str:
    """What the log says, held against what the client was told: they must agree."""
    decided = str(row.get("decision", "allow"))
    if row.get("data", {}).get("rewrite"):
        decided = "rewrite"
    told = json.loads(answer or "{}")
    text = json.dumps(told)
    refused = any(word in text for word in REFUSED)
    if decided == "deny":
        return "deny" if refused else f"deny, not told: {text}"
    if decided == "rewrite" and refused:
        return "deny"  # a client that cannot carry another input is told which call would pass
    if decided == "rewrite":
        return "rewrite" if any(word in text for word in OTHER_INPUT) else f"rewrite, not told: {text}"
    return f"{decided}, but told: {text}" if refused else decided


def subject(step: Step) -> str:
    payload = step.payload
    name, given = call_of(payload)
    given = given or payload.get("toolInput") or {}
    value = next((str(given[key]) for key in TELLING if given.get(key)), "")
    words = [name or str(payload.get("toolName") or ""), value or str(payload.get("prompt", ""))]
    return " ".join(word for word in words if word).replace("\n", "⏎")


def why(row: dict[str, Any]) -> str:
    """Who decided, and the first line of why."""
    if row.get("by"):
        return f"{', '.join(row['by'])}: {str(row.get('reason', '')).splitlines()[0]}"
    rewrite = row.get("data", {}).get("rewrite")
    if rewrite:
        who = [one["feature"] for one in row["data"]["actions"] if one.get("rewrote")]
        return f"{', '.join(who)}: {', '.join(f'{key} → {value}' for key, value in rewrite.items())}"
    return ""


def near(stage: Stage, text: str) -> str:
    """`text` with the scratch world's long paths made short."""
    return text.replace(f"{stage.root}/", "").replace(str(stage.root), ".").replace(str(stage.home), "~")


def play(stage: Stage, client: str, console: Console) -> list[str]:
    """One client's session as a timeline; returns what was not as expected."""
    console.print(Text(f"\n{client}  ({CLIENTS[client][1]})", "bold"))
    table = Table(box=None, pad_edge=False, header_style="dim", expand=True)
    table.add_column("event", no_wrap=True)
    table.add_column("call", ratio=2, overflow="ellipsis", no_wrap=True)
    table.add_column("decision", no_wrap=True)
    table.add_column("who and why", ratio=3)
    table.add_column("ms", justify="right", no_wrap=True)
    steps, left = recorded(client, stage.root, stage.home)
    like = next(step for step in steps if canonical(client, step.event) == "PreToolUse")
    entries = stage.entries(client)
    last = [step for step in steps if canonical(client, step.event) in ("Stop", "SessionEnd")]
    steps = [step for step in steps if step not in last] + ends(client, stage.root, like) + last
    wrong = []
    for step in steps:
        if step.event not in entries:
            left.append(step.name)
            continue
        seen = {folder: len(rows(folder)) for folder in stage.folders()}
        begun = time.perf_counter()
        code, out, err = stage.run(client, entries[step.event], json.dumps(step.payload))
        millis = (time.perf_counter() - begun) * 1000
        new = [row for folder in stage.folders() for row in rows(folder)[seen.get(folder, 0) :]]
        row = next((one for one in new if one["producer"] == "kernel" and one["kind"] != "STATE_PATCH"), {})
        got = outcome(row, out) if row and code == 0 and not err else f"exit {code}, {out!r}, {err!r}"
        if got != step.expected:
            wrong.append(f"{client} {step.name}: expected {step.expected}, got {got}")
        shown = Text(WORDS.get(got, got), STYLES.get(got, "bold red"))
        table.add_row(step.event, Text(near(stage, subject(step))), shown, Text(near(stage, why(row))), f"{millis:.0f}")
    console.print(table)
    if left:
        console.print(Text(f"  {len(left)} recorded payloads of events that are not registered were not played", "dim"))
    return wrong


def remains(stage: Stage, console: Console) -> None:
    """What log, bus and state hold now."""
    console.print(Text("\nWhat is left", "bold"))
    for folder in stage.folders():
        held = rows(folder)
        state = json.loads((folder / "state.json").read_text())
        bus = folder / "registry.jsonl"
        core = state["core"]
        client = next((row["data"]["client"] for row in held if row["kind"] == "SESSION_INIT"), "?")
        kinds: dict[str, int] = {}
        for row in held:
            kinds[row["kind"]] = kinds.get(row["kind"], 0) + 1
        agents = sorted({row["agentId"] for row in held})
        console.print(Text(f"  {client}", "bold"), Text(f"session {core['sessionId']}"), highlight=False)
        told = ", ".join(f"{key} {value}" for key, value in sorted(kinds.items()))
        console.print(f"    log    {len(held)} rows: {told}", highlight=False)
        count = len(bus.read_text().splitlines()) if bus.exists() else 0
        console.print(f"    bus    {count} artifacts", highlight=False)
        told = f"turn {core['lastTurnId']}, work {core['workId']}, phase {core['phase']}, agents {', '.join(agents)}"
        console.print(f"    state  {told}", highlight=False)


def main() -> int:
    console = Console(width=None if sys.stdout.isatty() else 110)
    with tempfile.TemporaryDirectory(prefix="jackline-demo-") as scratch:
        stage = Stage(Path(scratch).resolve())
        words = [word for client in CLIENTS for word in ("--client", client)]
        console.print(Text("$ jackline init " + " ".join(words), "dim"))
        stage.jackline("init", *words)
        wrong = [fault for client in CLIENTS for fault in play(stage, client, console)]
        remains(stage, console)
    if wrong:
        console.print(Text("\nNot as it should be:", "bold red"))
        for fault in wrong:
            console.print(Text(f"  {fault}"))
        return 1
    console.print(
        Text("\nEach client ended with one call denied, one narrowed or denied, and one passed.", "bold green")
    )
    return 0


sys.exit(main())
