from __future__ import annotations

from jackline.sdk import Action, Context, Event, hook, note

from .words import PLACES, named


@hook(name="house-00", supports=["PreCompact", "Notification"], priority=70)
def handle(event: Event, ctx: Context) -> Action | None:
    """Say again before a compaction what the house asks for."""
    wanted = [PLACES[place] for place in named(event.cwd) if place in ctx.config["places"]]
    return note("house-00", "\n".join(wanted[: ctx.config["most"]])) if wanted else None
