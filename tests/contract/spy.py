"""A trusted project feature that tells what it sees."""

from __future__ import annotations

import json
from typing import Any

from scene import Scene

SPY = """
import json
return note('spied', json.dumps({expression}))
"""


def spied(scene: Scene, expression: str, event: str = "PreToolUse", **fields: Any) -> Any:
    """What a trusted feature sees: the value of an expression over its `event` and `ctx`."""
    scene.feature("spy", SPY.format(expression=expression), supports=[event])
    scene.trust()
    payload = scene.tool(**fields) if event.startswith(("Pre", "Post")) else scene.payload(event, **fields)
    told = scene.say({**payload, "hook_event_name": event}).body["hookSpecificOutput"]["additionalContext"]
    return json.loads(told.removeprefix("spied: "))
