"""The same guards inside a host's own process: `HookEngine` (design section 10)."""

from __future__ import annotations

from jackline.inprocess.engine import HookEngine
from jackline.inprocess.guards import user_store
from jackline.inprocess.invocation import Invocation
from jackline.inprocess.tool_call import Passage
from jackline.inprocess.types import Decided, Decision, Line, Meta, Outcome, Tool, ToolError

__all__ = [
    "Decided",
    "Decision",
    "HookEngine",
    "Invocation",
    "Line",
    "Meta",
    "Outcome",
    "Passage",
    "Tool",
    "ToolError",
    "user_store",
]
