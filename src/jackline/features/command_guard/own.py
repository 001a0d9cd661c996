"""A person's own rules and allowances: what more is asked or refused, and what is let pass, why and how long."""

from __future__ import annotations

from jackline.features.command_guard.rules import Finding, Rule
from jackline.globs import expand, segment

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from typing import Any

    from jackline.shell.model import Effects


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
    if not entry.get("reason") or expired(entry, date) or not name:
        return False
    if name != finding.rule.id and not (segment(name, finding.rule.id) and finding.rule.risk != "critical"):
        return False
    return _matches(str(entry.get("command") or "*"), finding.effect.words)


def without(found: Sequence[Finding], allow: Iterable[Mapping[str, Any]], date: str) -> list[Finding]:
    """The findings that no allowance covers."""
    entries = [one for one in allow if isinstance(one, dict)]
    return [one for one in found if not any(covers(entry, one, date) for entry in entries)]


def more(found: Effects, rules: Iterable[Mapping[str, Any]]) -> Iterator[Finding]:
    """What a person's own rules have to say."""
    from jackline.shell.model import Effect

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
