"""One command explained on a screen: its effects, what every rule says, and the answer."""

from __future__ import annotations

from typing import Any

from rich.table import Table

from jackline.cli.parts.exits import DONE, FOUND
from jackline.cli.parts.guard_check import SHOWN, SLUG, Batch, Knobs, judged, pack_for, place_of
from jackline.cli.parts.printer import Column, Printer, foreign, style_of, table, text
from jackline.cli.parts.setting import Setting
from jackline.features.command_guard.judge import Ruling
from jackline.shell.model import Effect


def _row(effect: Effect, setting: Setting) -> tuple[Any, ...]:
    path = setting.short(effect.path.replace("\0", "…")) if effect.path else ""
    if effect.deep and path:
        path += "/…"
    return (
        text((effect.kind, "name")),
        foreign(path),
        foreign(effect.note.replace("\0", "…"), "quiet"),
        foreign(effect.program.replace("\0", "…"), "quiet"),
    )


def _findings(made: Ruling) -> Table:
    """What every rule says, each below its own beginning."""
    said = dict.fromkeys((one.decision, one.rule.id, one.reason) for one in made.findings)
    columns: list[Column] = [{"no_wrap": True}, {"no_wrap": True}, {}]
    rows = [(text((word, style_of(word))), text((rule, "name")), foreign(why)) for word, rule, why in said]
    return table(columns, rows, head=False)


def explained(setting: Setting, line: str, knobs: Knobs, shell: str) -> int:
    found, made = judged(place_of(setting, shell)._replace(command=line), knobs, Batch())
    printer = Printer()
    if found.effects:
        rows = [_row(one, setting) for one in found.effects[:SHOWN]]
        printer.show(table(["effect", "on", "how", "by"], rows))
    elif not found.commands:
        printer.line("certainly harmless: it only reads, or runs the project's own tests and builds")
    if found.effects:
        printer.blank()
    if found.why:
        printer.labelled("unclear", foreign(found.why))
    if made.findings:
        printer.labelled("rules", _findings(made))
    printer.labelled("answer", text((made.decision, style_of(made.decision))))
    if pack := pack_for(found, made, knobs):
        printer.labelled("pack", text((pack, "name"), (f"  off: it would ask; jackline init --pack {pack}", "quiet")))
    if made.decision != "allow":
        printer.labelled("", foreign(made.reason))
        risk = (f"  risk {made.risk}, preset {knobs.preset}", "quiet")
        printer.labelled("rule", text((f"{SLUG}: {made.rule}", "name"), risk))
        printer.labelled("safer", foreign(made.safer))
    return DONE if made.decision == "allow" else FOUND
