"""Hold a task to its phases: what a call does decides, never which tool does it (design "Gate and leases")."""

from __future__ import annotations

from jackline.sdk import hook

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jackline.model import Action, Event
    from jackline.sdk import Context

PASSIVE = ("read", "search", "list", "fetch", "question", "todo", "plan")
"""Kinds of tools that change no file."""

ANSWERS = ("context_pack", "computed_", "graph_slice")
"""How kinds of artifacts begin that may answer a search (`answered_searches`)."""

SEARCHES = ("grep", "rg ", "ag ", "ack ")
"""What a command holds that looks for words."""


def _may_be_answered(event: Event, ctx: Context) -> bool:
    """Whether this may be a search, and something was announced that might answer it."""
    if event.kind == "shell":
        if not any(one in event.command for one in SEARCHES):
            return False
    elif event.kind != "search":
        return False
    latest = ctx.state.get("core", {}).get("latest")
    return bool(latest) and any(kind.startswith(ANSWERS) for kind in latest)


def _judged(event: Event, ctx: Context) -> Action | None:
    free = ctx.config.get("reading", "free") == "free"
    if free and event.kind in PASSIVE:
        return None
    if free and event.kind == "shell":
        from jackline.shell.screen import began, clears

        if clears(event, began(ctx.state)):
            return None
    from jackline.features.tool_gate.gate import judged

    return judged(event, ctx)


@hook(
    name="tool-gate",
    supports=["PreToolUse"],
    priority=15,
    hot_path_safe=True,
    critical="strict",
    needs=["phases", "plan_accepted"],
    triggers=["refused_again"],
    services=["plans", "work", "tool_lock", "context_pack", "artifacts"],
    enabled_with="gate",
    guidance=[
        "- Reading, searching, questions and your own notes are always free, and so is one small change.",
        "- Every other change belongs to a node that has started; the first call that fits starts it.",
        "- A refusal names one command that leads on: run it, and do not go around it by another tool.",
    ],
    records=["GATE_DENY", "GATE_NARROWED"],
)
def handle(event: Event, ctx: Context) -> Action | None:
    if _may_be_answered(event, ctx):
        from jackline.features.tool_gate.answered_searches import pointed

        said = pointed(event, ctx)
        if said is not None:
            made = _judged(event, ctx)
            return made if made is not None else said
    return _judged(event, ctx)
