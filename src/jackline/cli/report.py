"""`jackline report`: what observed hooks would have refused, counted; the step from observe to enforce."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import click

from jackline.cli.parts import choice, switching
from jackline.cli.parts.command import Command
from jackline.cli.parts.exits import DONE
from jackline.cli.parts.lenient_report import Strict, strict
from jackline.cli.parts.printer import Printer, foreign, style_of, table, text
from jackline.cli.parts.runs import Run, is_would, runs, short_ids, subject
from jackline.cli.parts.setting import Setting, pass_setting
from jackline.cli.parts.verb import Verb
from jackline.services.capabilities import WITH_ANY

VERB = Verb(
    group="Look",
    order=80,
    brief="What observed hooks would have refused",
    authority="open",
)

EXAMPLES = 3


class Would(NamedTuple):
    """What one feature would have decided, for one reason: how often, and in which calls."""

    feature: str
    decision: str
    reason: str
    calls: tuple[Run, ...]


def observed(found: Iterable[Run]) -> list[Would]:
    """Group what hooks of these calls would have decided, the most frequent first."""
    groups: dict[tuple[str, str, str], list[Run]] = {}
    for run in found:
        for one in (run.row, *run.others):
            if is_would(one):
                reason = str(one.get("reason") or "").partition("\n")[0]
                key = (str(one.get("producer")), str(one.get("decision") or "rewrite"), reason)
                groups.setdefault(key, []).append(run)
    made = [Would(*key, tuple(some)) for key, some in groups.items()]
    return sorted(made, key=lambda one: (-len(one.calls), one.feature, one.decision, one.reason))


def _counted(setting: Setting, sessions: list[list[Run]]) -> list[Strict]:
    """Of each feature that is lenient now: what it would have refused. Those of no call are left out."""
    survey = switching.look(setting)
    running = [slug for slug in sorted(switching.here(survey)) if switching.feature_state(survey, slug) != "off"]
    counted = [strict(sessions, slug) for slug in running if switching.mode(survey, slug) == "warn"]
    return [one for one in counted if one.refused or (one.calls and one.feature not in WITH_ANY)]


def _data(found: list[Would], counted: list[Strict], calls: int, events: int) -> dict[str, Any]:
    return {
        "events": events,
        "calls": calls,
        "strict": [one._asdict() for one in counted],
        "would": [
            {
                "feature": one.feature,
                "decision": one.decision,
                "reason": one.reason,
                "count": len(one.calls),
                "examples": [{"id": run.row.get("id"), "subject": subject(run)} for run in one.calls[:EXAMPLES]],
            }
            for one in found
        ],
    }


def _show_strict(printer: Printer, counted: list[Strict]) -> None:
    """Those that would have refused something; where none would, all of them."""
    told = [one for one in counted if one.refused] or counted
    for one in told:
        printer.line((one.feature, "name"), f": {one.sentence}")
    names = dict.fromkeys([switching.capability_of(one.feature) for one in told if one.feature not in WITH_ANY])
    if names:
        printer.line(("to enforce: ", "quiet"), f"jackline enable {' '.join(names)} --strict")
    printer.blank()


def _show(
    printer: Printer, found: list[Would], lenient: frozenset[str], calls: int, events: int, sessions: int
) -> None:
    if not found:
        printer.line(f"Nothing was observed in {sessions} sessions: no feature is in mode observe, or none objected.")
        return
    names = short_ids([run.call for one in found for run in one.calls])
    printer.heading(f"{calls} of {events} events", f" in {sessions} sessions would have been answered otherwise")
    for one in found:
        printer.blank()
        count = text(
            (f"{len(one.calls)} ×", "head"),
            "  ",
            (one.feature, "name"),
            " would ",
            (one.decision, style_of(one.decision) or "rewrite"),
        )
        printer.show(count.append_text(foreign(f"  {one.reason}" if one.reason else "")))
        rows = [(text((names[run.call], "quiet")), foreign(subject(run))) for run in one.calls[:EXAMPLES]]
        printer.show(table([{"no_wrap": True}, {"no_wrap": True, "overflow": "ellipsis"}], rows, head=False), indent=2)
    features = sorted({one.feature for one in found} - lenient)
    if features:
        printer.blank()
        listed = ", ".join(features)
        printer.line(("to enforce: ", "quiet"), f'"mode": "enforce" for {listed} in .ai/hooks/dispatch.manifest.json')


@click.command(
    cls=Command,
    shape={
        "events": "int",
        "calls": "int",
        "strict": [{"feature": "str", "refused": "int", "calls": "int", "tasks": "int", "followed": "int"}],
        "would": [{"feature": "str", "decision": "str", "reason": "str", "count": "int", "examples": ["object"]}],
    },
    examples=[
        ("jackline report", "all sessions of this project"),
        ("jackline report --session 9aa53425 --json", "one session, as data"),
    ],
)
@choice.option
@click.option("--json", "as_json", is_flag=True, help="As data.")
@pass_setting
def command(setting: Setting, name: str, as_json: bool) -> int:
    """Count what hooks in `mode: observe` or `warn` would have denied, asked or rewritten.

    The way to adopt a guard: observe it, read this report, then let it warn, then let it enforce. Of each lenient
    feature it says what strict would have refused, of how many calls and tasks, and how often a plan followed at once.
    """
    sessions = choice.chosen(setting, name or choice.ALL)
    by_session = [runs(one.events()) for one in sessions]
    events = [run for one in by_session for run in one]
    counted = _counted(setting, by_session)
    found = observed(events)
    calls = len({run.call for one in found for run in one.calls})
    printer = Printer()
    if as_json:
        printer.data(_data(found, counted, calls, len(events)))
    else:
        if counted:
            _show_strict(printer, counted)
        if found or not counted:
            lenient = frozenset([one.feature for one in counted])
            _show(printer, found, lenient, calls, len(events), len(sessions))
    return DONE
