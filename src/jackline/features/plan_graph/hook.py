"""Take over plans: a file at the plan's place, a plan that a command submits, or one from the client's plan tool."""

from __future__ import annotations

from jackline.sdk import hook

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jackline.model import Action, Event
    from jackline.sdk import Context


def _is_news(event: Event, ctx: Context) -> bool:
    """Whether the store has another plan for the task than the state tells (a command submitted it), or a step that
    began has changed something, and nobody was reminded of it.
    """
    from jackline.services.work import head

    task = head(ctx)
    plan = task.get("plan")
    if not isinstance(plan, dict):
        return False
    if plan.get("fingerprint") != ctx.state.get("plan", {}).get("hash"):
        return True
    from jackline.services.plans.plan_file import has_moved

    if has_moved(ctx.session_root, ctx.ids.work_id):
        return True
    for lease in (task.get("leases") or {}).values():
        if lease.get("touched") and not lease.get("reminded"):
            return not event.agent_id
    return False


def _asked(event: Event, ctx: Context) -> Action | None:
    """Where a person approves plans: the question before a call that submits one."""
    if event.kind == "shell" and "plan" not in event.command:
        return None
    from jackline.features.plan_graph import consent

    if event.name == "PreToolUse":
        return consent.asked(event, ctx)
    consent.ended(event, ctx)
    return None


@hook(
    name="plan-graph",
    supports=["PreToolUse", "PostToolUse", "UserPromptSubmit", "PostToolUseFailure"],
    priority=19,
    hot_path_safe=True,
    critical=False,
    state=["plan"],
    needs=["context_pack"],
    triggers=["plan_accepted"],
    produces=["plan_accepted", "plan_denied"],
    services=["plans", "work"],
    enabled_with="plan",
    reads=["plan-rules"],
    guidance=[
        '- Plan before you change: `jackline plan quick "WHAT" --files GLOB…` where one change will do,',
        "  else write a plan (`jackline plan template`), `jackline plan check FILE`, `jackline plan submit FILE`.",
        "- A node is done by `jackline plan node done ID`; a status written into the file counts for nothing.",
        "- An accepted plan stays decided, also after a compaction: `jackline plan show` names what is next.",
        "- A plan that no longer fits is changed and submitted again.",
    ],
    records=["PLAN_ACCEPTED", "PLAN_DENIED", "PLAN_NODE"],
)
def handle(event: Event, ctx: Context) -> Action | None:
    if event.name == "PreToolUse" or event.name == "PostToolUseFailure":
        return _asked(event, ctx) if ctx.config.get("approval") == "person" and ctx.mode == "enforce" else None
    if ctx.dry or event.kind in ("read", "search", "list", "fetch", "question"):
        return None
    if event.name == "UserPromptSubmit" and not _is_news(event, ctx):
        return None
    from jackline.features.plan_graph.intake import taken

    return taken(event, ctx)
