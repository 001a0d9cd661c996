"""From an event to the answer of the guard: its ground, its knobs, the ruling, the three lines of a refusal.

A person's own rules and allowances are among the knobs: what more is asked, and what is let pass, why and how long.
"""

from __future__ import annotations

from jackline.features.command_guard.judge import Ruling, findings, of_texts, ruling
from jackline.features.command_guard.places import Ground
from jackline.features.command_guard.rules import Finding, Rule
from jackline.globs import expand, segment
from jackline.sdk import Context, ask, deny
from jackline.shell.model import Effect
from jackline.shell.screen import began
from jackline.surroundings import recorded_folder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from typing import Any

    from jackline.model import Action, Event
    from jackline.shell.model import Effects, Seen


def _matches(pattern: str, words: Sequence[str]) -> bool:
    """A glob over the words of one simple command, as they reach the program; `*` spans everything."""
    text = " ".join(words)
    return any(segment(one, text) for one in expand(pattern))


def today(milliseconds: int) -> str:
    """The date (UTC) of a moment."""
    from time import gmtime, strftime

    return strftime("%Y-%m-%d", gmtime(milliseconds / 1000))


def expired(entry: Mapping[str, Any], date: str) -> bool:
    """The allowance ended: its last day is over. Without a date it ends when a person removes it."""
    until = str(entry.get("until") or "")
    return bool(until) and until < date


def covers(entry: Mapping[str, Any], finding: Finding, date: str) -> bool:
    """Whether an allowance holds for a finding. `*` for the rule does not cover what is critical."""
    name = str(entry.get("rule") or "")
    named = name == finding.rule.id or (finding.rule.risk != "critical" and segment(name, finding.rule.id))
    holds = bool(name and named and entry.get("reason")) and not expired(entry, date)
    return holds and _matches(str(entry.get("command") or "*"), finding.effect.words)


def without(found: Sequence[Finding], allow: Iterable[Mapping[str, Any]], date: str) -> list[Finding]:
    """The findings that no allowance covers."""
    entries = [one for one in allow if isinstance(one, dict)]
    return [one for one in found if not any(covers(entry, one, date) for entry in entries)]


def more(found: Effects, rules: Iterable[Mapping[str, Any]]) -> Iterator[Finding]:
    """What a person's own rules have to say."""
    for at, entry in enumerate(rules, 1):
        if not isinstance(entry, dict) or entry.get("decision") not in ("ask", "deny"):
            continue
        name = str(entry.get("id") or f"own.{at}")
        decision = str(entry["decision"])
        reason, safer = str(entry.get("reason") or "a rule of your configuration"), str(entry.get("safer") or "")
        rule = Rule(name, "", "", reason, safer, "your configuration", answers=(decision, decision, decision))
        for command in found.commands:
            if _matches(str(entry.get("command") or ""), command.words):
                yield Finding(rule, Effect("unknown", "", command.program, command.words), decision, reason)


def ground_of(
    cwd: str, root: str, home: str, config: Mapping[str, Any], temporary: str = "", seen: Seen | None = None
) -> Ground:
    """Where things lie, for a folder, a project and a home."""
    disposable = tuple(map(str, config.get("disposable") or ()))
    return Ground(cwd, root or cwd, home.rstrip("/"), (temporary,) if temporary else (), disposable, seen)


def rule_on(text: str, found: Effects, ground: Ground, config: Mapping[str, Any], preset: str, date: str) -> Ruling:
    """What a command, and the files that were read for it, meet under these knobs."""
    whole = "\n".join([text, *[one.text for one in found.texts if one.own is None]])
    made = findings(whole, found, ground, preset, tuple(map(str, config.get("packs") or ())))
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
        event.cwd or event.root, event.root, str(known.get("home", "")), ctx.config, recorded_folder(store, "temporary")
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
