"""Read `rlm-policy.json`: each rule by itself, with all that its file says of it, as knobs of the feature that judges.

A rule is one key, named by its content. So a file that nobody trusts may add rules and take none away, and rules of
several layers hold side by side.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from jackline.compiler import tools
from jackline.compiler.fault import Fault
from jackline.compiler.registry import reader_of
from jackline.compiler.sources import parsed
from jackline.jsonio import dumps
from jackline.store.ids import digest

SCHEMA = "rlm-policy"
FEATURE = reader_of(SCHEMA)
"""The feature that judges by it."""
KEY = f"config.{FEATURE}.rules"
DEFAULT = "warn"
"""The mode of a rule that names none, in a file that names none."""
NOTHING = "allow"
"""The mode that does nothing: of all rules that match a call the strictest holds."""
THRESHOLD = 200
"""For `max_results_high`, where a rule names none."""


def _skipped(policy: Mapping[str, Any], part: str) -> list[str]:
    """The phases in which a part is not applied."""
    overrides = policy.get("phaseOverrides") or {}
    return sorted(phase for phase, said in overrides.items() if said.get(part) == "skip")


def _rules(policy: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Every rule of a policy with its mode and phases; those that do nothing are left out."""
    usual = policy.get("defaultMode", DEFAULT)
    for rule in policy.get("requireSubagent") or ():
        made = {"part": "requireSubagent", "tool": rule["toolName"], "mode": rule.get("mode", usual)}
        yield {**made, "exempt": list(rule.get("exemptPatterns", ())), "reason": rule.get("reason", "")}
    broad = policy.get("broadDiscovery") or {}
    for rule in broad.get("rules") or ():
        made = {"part": "broadDiscovery", "tool": rule["toolName"], "mode": broad.get("mode", usual)}
        made |= {"check": rule["check"], "reason": rule.get("reason", "")}
        if rule["check"] == "max_results_high":
            made["threshold"] = rule.get("threshold", THRESHOLD)
        yield made


def values(policy: Mapping[str, Any]) -> dict[str, Any]:
    """A policy as flat keys of configuration."""
    found = {}
    for rule in _rules(policy):
        if rule["mode"] != NOTHING:
            made = {**rule, "skip": _skipped(policy, rule["part"])}
            found[f"{KEY}.{digest(dumps({key: made[key] for key in sorted(made)}), 8)}"] = made
    return found


def _named(policy: Mapping[str, Any], where: str, faults: list[Fault], strange: list[str]) -> None:
    """Complain about tools that no client has."""
    broad = (policy.get("broadDiscovery") or {}).get("rules") or ()
    for part, rules in (("requireSubagent", policy.get("requireSubagent") or ()), ("broadDiscovery.rules", broad)):
        for at, rule in enumerate(rules):
            key = f"{part}[{at}].toolName"
            for word in tools.resolve([rule["toolName"]]).strange if rule["toolName"] != "*" else ():
                if word.startswith("kind:"):
                    faults.append(tools.kind_fault(key, word, where))
                else:
                    strange.append(f"{where} · {key}: {tools.complaint(word)}")


def read(data: bytes, where: str, faults: list[Fault], strange: list[str]) -> dict[str, Any]:
    """The rules in a file's bytes; none with what is wrong with it."""
    policy, wrong = parsed(data, where, SCHEMA)
    if not wrong:
        _named(policy, where, wrong, strange)
    faults += wrong
    return {} if wrong else values(policy)
