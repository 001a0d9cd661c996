"""From an event to the answer of the guard: its ground, its knobs, the ruling, the three lines of a refusal."""

from __future__ import annotations

from jackline.features.command_guard.judge import Ruling, findings, of_texts, ruling
from jackline.features.command_guard.own import more, today, without
from jackline.features.command_guard.places import Ground
from jackline.sdk import ask, deny
from jackline.shell.screen import began
from jackline.surroundings import kept

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from jackline.model import Action, Event
    from jackline.sdk import Context
    from jackline.shell.model import Effects, Seen


def ground_of(
    cwd: str, root: str, home: str, config: Mapping[str, Any], temporary: str = "", seen: Seen | None = None
) -> Ground:
    """Where things lie, for a folder, a project and a home."""
    disposable = tuple(map(str, config.get("disposable") or ()))
    return Ground(cwd, root or cwd, home.rstrip("/"), (temporary,) if temporary else (), disposable, seen)


def rule_on(text: str, found: Effects, ground: Ground, config: Mapping[str, Any], preset: str, date: str) -> Ruling:
    """What a command, and the files that were read for it, meet under these knobs."""
    packs = config.get("packs")
    whole = "\n".join([text, *[one.text for one in found.texts if one.own is None]]) if found.texts else text
    made = findings(whole, found, ground, preset, tuple(map(str, packs)) if packs else ())
    if found.texts:
        made = list(of_texts(made, found, ground, preset))
    if config.get("allow"):
        made = without(made, config["allow"], date)
    if config.get("rules"):
        made += more(found, config["rules"])
    return ruling(made)


def preset_of(config: Mapping[str, Any], paranoid: bool = False) -> str:
    named = str(config.get("preset") or "standard")
    return "paranoid" if paranoid or named not in ("standard", "strict") else named


def judged(event: Event, ctx: Context) -> Action | None:
    """The answer to a command that the screen did not clear, or to another tool."""
    from jackline.calls import acts

    known = ctx.protected
    store = str(known.get("store", ""))
    ground = ground_of(
        event.cwd or event.root, event.root, str(known.get("home", "")), ctx.config, kept(store, "temporary")
    )
    made = rule_on(
        event.command,
        acts(event, began(ctx.state)),
        ground,
        ctx.config,
        preset_of(ctx.config, bool(known.get("paranoid"))),
        today(ctx.start_ms),
    )
    if made.decision not in ("ask", "deny"):
        return None
    say = ask if made.decision == "ask" else deny
    action = say(
        made.reason,
        rule=f"command-guard: {made.rule}",
        safer=made.safer,
        code="POLICY_DENIED" if made.decision == "deny" else "",
        risk="UNKNOWN" if made.rule in ("unreadable", "unknown", "code.unknown", "text.unread") else "DESTRUCTIVE",
    )
    kind = "COMMAND_GUARD_ASK" if made.decision == "ask" else "COMMAND_GUARD_DENY"
    data = {"rule": made.rule, "risk": made.risk, "what": made.reason}
    return action._replace(emit_events=({"kind": kind, "data": data},))
