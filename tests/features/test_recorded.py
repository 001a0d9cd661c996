"""What real clients sent, through their adapters, judged by the built-in features."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from clients.calls import RECORDED, entry_of, parsed, recorded
from jackline.clients.specs import SPEAKS, SPECS
from jackline.features.graph_pretooluse.hook import handle as bound
from jackline.features.plan_graph_exec.hook import handle as plan
from jackline.features.self_protect.hook import handle as protect

from .feature import context_of

CALLS = [
    path
    for client in SPECS
    for path in recorded(client)
    if path.name.lower().startswith(("pretooluse", "beforetool.", "pre_tool_call."))
    and not path.name.endswith(".refused.json")
]
CAPS: dict[str, dict[str, Any]] = {
    "claude-code/PreToolUse-Grep": {"head_limit": 200},
    "copilot-cli/camel/preToolUse.grep": {"head_limit": 200},
    "copilot-cli/pascal/PreToolUse.Grep": {"head_limit": 200},
    "vscode/PreToolUse.grep_search": {"maxResults": 20},
    "factory-droid/PreToolUse.Grep": {"head_limit": 200},
}
"""Recorded searches without a bound, and what each client's tool is given."""


def key(path: Path) -> str:
    return str(path.relative_to(RECORDED)).replace("/raw/", "/").removesuffix(".json").removesuffix(".stdin")


@pytest.mark.parametrize("path", CALLS, ids=lambda path: str(path.relative_to(RECORDED)))
def test_recorded_calls(path: Path, tmp_path: Path) -> None:
    client = path.relative_to(RECORDED).parts[0]
    event = parsed(SPEAKS[client], entry_of(path), path.read_bytes())
    event.root = event.cwd or str(tmp_path)
    known = {"store": str(tmp_path / "jackline"), "package": "/opt/jackline", "home": str(tmp_path)}
    assert protect(event, context_of("self-protect", tmp_path, protected=known)) is None
    missing = plan(event, context_of("planGraph-exec", tmp_path))
    assert missing is not None and missing.decision == ""
    action = bound(event, context_of("graph-pretooluse", tmp_path))
    wanted = CAPS.get(key(path))
    assert (action.updated_input if action else None) == wanted
