"""Ask a person before every tool that can change something: the engine's `hitlPreHook`, at every client."""

from __future__ import annotations

from jackline.sdk import ask, hook

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jackline.model import Action, Event
    from jackline.sdk import Context


def _is_harmless(event: Event) -> bool:
    from jackline.shell.screen import screen

    return bool(event.command) and screen(event.command)


@hook(
    name="ask-destructive",
    supports=["PreToolUse"],
    priority=14,
    hot_path_safe=True,
    critical=True,
)
def handle(event: Event, ctx: Context) -> Action | None:
    from jackline.classification import normalized, risk

    if risk(event) == "SAFE" or (ctx.config.get("harmlessCommands") == "pass" and _is_harmless(event)):
        return None
    return ask(
        f"{event.tool} is a destructive tool ({normalized(event.tool, event.kind)})",
        rule="ask-destructive: a person approves or rejects each such call",
        risk="DESTRUCTIVE",
    )
