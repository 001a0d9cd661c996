"""The cases by theme: what stands in `cases/`, every recorded payload, the rows of the contract."""

from __future__ import annotations

import json
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

from .play import RECORDED

HERE = Path(__file__).parent
ROWS = HERE.parent / "contract" / "rows.jsonl"
Case = dict[str, Any]

SPEAKER = {
    "supports": [
        "SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "PostToolUseFailure", "PermissionRequest",
        "PreCompact", "PostCompact", "Stop", "SubagentStart", "SubagentStop", "SessionEnd", "Notification", "Error",
        "Interrupt",
    ],
    "hot_path_safe": True,
    "code": """
import json
said = json.load(open(ctx.root + "/verdict.json"))
return Action(
    said.get("decision", ""), said.get("reason", ""), said.get("updated_input"), said.get("input_metadata"),
    tuple(tuple(one) for one in said.get("context", ())), warnings=tuple(said.get("notes", ())),
    code=said.get("code", ""),
)
""",
}  # fmt: skip
"""A project's feature that returns what stands in a file."""


def payloads(client: str) -> list[str]:
    """Every recorded payload of a client, as paths below `recorded`; as it was sent, where that was kept."""
    found = {
        str(path.relative_to(RECORDED)) for path in (RECORDED / client).rglob("*.json") if path.name != "_env.json"
    }
    raw = {str(path.relative_to(RECORDED)) for path in (RECORDED / client).rglob("*.stdin")}
    again = {name.replace("/raw/", "/").replace(".stdin", ".json") for name in raw}
    return sorted((found - again) | raw, key=lambda name: name.replace("/raw/", "/"))


def recorded(given: dict[str, Any]) -> list[Case]:
    """A case for every payload: the first event of a session, on a new machine."""
    client = given["client"]
    return [
        {"name": path, "steps": [{"recorded": path}], "client": client, "env": given.get("env", {})}
        for path in payloads(client)
    ]


def contract(client: str, env: dict[str, str]) -> Case:
    """The rows of the contract for one client: a feature says the row's verdict, and the client is answered."""
    steps: list[dict[str, Any]] = []
    for line in ROWS.read_text().splitlines():
        row = json.loads(line)
        if row["client"] != client:
            continue
        event = row.get("entry", row["event"])
        sent = {"recorded": row["payload"]} if row["payload"] else {"send": "Stop", "with": {"hook_event_name": event}}
        door = {"door": row["door"]} if "door" in row else {}
        steps += [
            {"forget": f"{event}, {row['kind']}"},
            {"write": "verdict.json", "text": json.dumps(row["verdict"])},
            {**sent, **door, "event": event},
        ]
    return {
        "name": client,
        "client": client,
        "env": env,
        "features": {"speaker": SPEAKER},
        "manifest": {"modules": {"speaker": {"mayApprove": True}}},
        "steps": steps,
    }


@cache
def themes() -> dict[str, list[Case]]:
    """The cases of every theme, in their order."""
    found: dict[str, list[Case]] = {}
    for path in sorted((HERE / "cases").glob("*.toml")):
        told = tomllib.loads(path.read_text())
        for given in told.get("recorded", ()):
            found[f"recorded-{given['client']}"] = recorded(given)
        clients = [given["client"] for given in told.get("contract", ())]
        if clients:
            found["contract"] = [contract(given["client"], given.get("env", {})) for given in told["contract"]]
        if "case" in told:
            found[path.stem] = told["case"]
    for theme, cases in found.items():
        names = [case["name"] for case in cases]
        assert len(names) == len(set(names)), f"two cases of one name in {theme}"
    return found


def expected(theme: str) -> dict[str, str]:
    """What was written down for each case of a theme."""
    try:
        text = (HERE / "expected" / f"{theme}.txt").read_text()
    except FileNotFoundError:
        return {}
    return {
        part.partition("\n")[0]: part.partition("\n")[2].rstrip("\n") + "\n"
        for part in ("\n" + text).split("\n=== ")[1:]
    }
