"""Where a planning sub-agent leaves what it owes: `<feature>/output/sa/<type>/<agent>/` in the session's folder."""

from __future__ import annotations

from jackline.paths import within
from jackline.services import outputs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jackline.sdk import Context

PLAN = "planGraph.json"
MANIFEST = "manifest.json"
"""What else may be known of a plan, any JSON: taken along where it is there."""


def parts(ctx: Context) -> tuple[str, ...]:
    """The way from the session's folder, name by name; names are those of the configuration, and our own."""
    knobs = ctx.config
    return outputs.parts(ctx.slug, str(knobs["subagentDir"]), str(knobs["agentTypeDir"]), ctx.ids.agent_id)


def ref(ctx: Context, name: str) -> str:
    """An output as artifacts name it."""
    return "/".join((*parts(ctx), name))


def shown(ctx: Context) -> str:
    """The folder as an agent reads it: relative to the project where it lies inside."""
    return within(ctx.root, "/".join((ctx.session_root, *parts(ctx))))


def required(ctx: Context) -> tuple[str, ...]:
    return tuple(dict.fromkeys(map(str, ctx.config.get("requiredOutputs") or ())))
