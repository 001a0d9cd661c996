"""What the tests of the built-in features share: an event as an adapter makes it, and a context as the kernel does."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import jackline.features
from jackline.model import Event
from jackline.sdk import Context, Ids

FEATURES = Path(jackline.features.__file__ or "").parent
FOLDERS = {"planGraph-exec": "plan_graph_exec"}


OWN_PLAN = "/".join((".ai", "tmp", "0badcafe", "work", "w001", "plan", "p.json"))
"""Where the session may write a plan of its own, from the root."""


def call(tool: str, kind: str, given: dict[str, Any], root: Path, *, cwd: str = "", **fields: Any) -> Event:
    """A PreToolUse event for one tool call."""
    fields.setdefault("client", "claude-code")
    home = os.environ.get("HOME", "")  # the test's own, where it has set one
    fields = {"home": home, "env": {"HOME": home}, **fields}
    return Event("PreToolUse", tool=tool, kind=kind, input=given, root=str(root), cwd=cwd or str(root), **fields)


def context_of(
    slug: str,
    root: Path,
    *,
    state: dict[str, Any] | None = None,
    protected: dict[str, Any] | None = None,
    work: str = "w001",
    **knobs: Any,
) -> Context:
    """The context of feature `slug`: its defaults with `knobs` on top."""
    folder = FEATURES / FOLDERS.get(slug, slug.replace("-", "_"))
    config = json.loads((folder / "defaults.json").read_text())
    for key, value in knobs.items():
        config[key] = {**config[key], **value} if isinstance(value, dict) else value
    session = f"{root}/.ai/tmp/0badcafe"
    return Context(
        slug,
        Ids("0badcafe", work, "u00", 1, "PreToolUse-1-0"),
        str(root),
        session,
        state if state is not None else {},
        config,
        lambda: 0,
        budget_ms=300,
        protected=protected,
    )
