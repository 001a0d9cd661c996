"""The hook table as a whole: which hooks run on which event, in which order, and what is set where."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from jackline.cli.parts.printer import Column, Printer, table, text
from jackline.hook_table import HookSpec, HookTable
from jackline.model import EVENTS
from jackline.script import TYPES
from jackline.staleness import fresh


def _row(row: HookSpec) -> dict[str, Any]:
    return {
        "feature": row.slug,
        "priority": row.priority,
        "hotPathSafe": row.hot,
        "critical": row.critical,
        "mode": row.mode,
        "runner": row.runner,
        "tools": [*row.tools, *[f"kind:{kind}" for kind in row.kinds]],
        "mayApprove": row.may_approve,
        "supports": list(row.supports),
        "origin": row.origin,
        "config": _plain(row.config),
    }


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    return [_plain(item) for item in value] if isinstance(value, (list, tuple)) else value


def data(table: HookTable) -> dict[str, Any]:
    """The table as data."""
    orders = {event: [row.slug for row in table.rows(event)] for event in EVENTS}
    features = {row.slug: _row(row) for event in EVENTS for row in table.rows(event)}
    return {
        "root": table.root,
        "build": table.build,
        "freshness": fresh(table) if table.root else "builtin",
        "digest": table.digest,
        "trusted": table.trusted,
        "faults": list(table.faults),
        "strict": table.strict,
        "preset": "paranoid" if table.paranoid else "default",
        "prompts": table.prompts,
        "enforcePhases": table.enforce_phases,
        "rewriteOwner": table.rewrite_owner,
        "gc": dict(table.gc),
        "budgets": {event: table.budget(event) for event in EVENTS},
        "events": {event: order for event, order in orders.items() if order},
        "features": dict(sorted(features.items())),
        "scripts": {
            name: [script.key for script in table.scripts(name)]
            for name in (*EVENTS, *TYPES[1:])
            if table.scripted(name)
        },
        "phasePolicy": {
            name: {"mode": rule.mode, "tools": None if rule.tools is None else [*rule.tools, *rule.kinds]}
            for name in table.phase_policy
            if (rule := table.phase(name)) is not None
        },
        **_plain({("idle" if key == "scripts" else key): value for key, value in table.report().items()}),
    }


def _by_reason(skipped: list[list[str]]) -> dict[str, list[str]]:
    made: dict[str, list[str]] = {}
    for slug, why in skipped:
        made.setdefault(why, []).append(slug)
    return made


def show(printer: Printer, told: dict[str, Any]) -> None:
    rows = []
    for slug, one in sorted(told["features"].items(), key=lambda item: (item[1]["priority"], item[0])):
        marks = [one["mode"]] + [
            word for word, on in (("critical", one["critical"]), ("forked", one["runner"] == "forked")) if on
        ]
        rows.append(
            (str(one["priority"]), text((slug, "name")), ", ".join(marks), one["origin"], " ".join(one["tools"]))
        )
    columns: list[Column] = [
        {"header": "order", "justify": "right"},
        {"header": "feature", "no_wrap": True},
        "how",
        "from",
        "tools",
    ]
    printer.show(table(columns, rows))
    printer.blank()
    printer.show(
        table(
            ["event", "ms", "hooks, in order"],
            [(event, str(told["budgets"][event]), " → ".join(order)) for event, order in told["events"].items()],
        )
    )
    if told["scripts"]:
        printer.blank()
        order = [(name, " → ".join(keys)) for name, keys in told["scripts"].items()]
        printer.show(table(["event or type", "scripts, in order"], order))
    for file, key, _, _, why in told["idle"]:
        printer.line(("– ", "quiet"), (key or file, "name"), f"  {why}")
    for why, slugs in _by_reason(told["skipped"]).items():
        printer.line(("– ", "quiet"), (", ".join(slugs), "name"), f"  {why}")
    for warning in told["warnings"]:
        printer.line(("! ", "warn"), warning)
    for fault in told["faults"]:
        printer.line(("✗ ", "bad"), fault)
