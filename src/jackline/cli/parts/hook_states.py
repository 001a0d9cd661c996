"""What became of a hook at one event, in a word and a sentence: how a dry run and `why` show it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rich.text import Text

from jackline.cli.parts.printer import Printer, foreign, style_of, text
from jackline.feature_names import shown

State = dict[str, Any]

ACTED, SILENT, FAILED, LATE = "acted", "no objection", "failed", "timed out"
UNTRUSTED, PAUSED, SKIPPED, BROKEN = "not trusted", "paused", "skipped", "broken"
NO_SCRIPT = "a dry run runs no script"
WORDS = {"BUDGET_EXCEEDED": "those before it used up the time that hooks have at this event"}
"""Reasons for skipping a hook that are codes in the log."""
BAD = (FAILED, LATE, BROKEN)
"""States that somebody has to mend."""

STYLES = {FAILED: "bad", LATE: "bad", BROKEN: "bad", UNTRUSTED: "warn", PAUSED: "warn", SKIPPED: "quiet"}


def word(state: State) -> str:
    """A state as a column shows it: what was done where something was."""
    return str(state["did"]) if state["state"] == ACTED else str(state["state"])


def _lines(one: State) -> list[Text]:
    """What is to be said of a hook, a line each."""
    said = [foreign(str(one["said"]))] if one.get("said") else []
    said += [text(("at ", "quiet"), str(one["at"]))] if one.get("at") else []
    said += (
        [text(("so it refuses: ", "quiet"), (str(one["did"]), "deny"))] if one["state"] in BAD and "did" in one else []
    )
    said += [text(("observed: it changes nothing", "quiet"))] if one.get("observed") else []
    said += [text((str(one["standing"]), "warn"))] if one.get("standing") else []
    return said


def _style(one: State) -> str:
    state = str(one["state"])
    return STYLES.get(state) or style_of("allow" if state == SILENT else word(one)) or "rewrite"


def show(printer: Printer, states: Sequence[State], indent: int = 2) -> None:
    """A row a hook: its name, what became of it, how long that took. What does not fit beside it stands below it."""
    name = max([len(shown(str(one["hook"]))) for one in states], default=0)
    did = max([len(word(one)) for one in states], default=0)
    ms = {shown(str(one["hook"])): f"{one['ms']:.1f} ms" if "ms" in one else "" for one in states}
    took = max([len(one) for one in ms.values()], default=0)
    room = printer.width - indent - name - did - took - 6
    for one in states:
        lines = _lines(one)
        beside = len(lines) == 1 and lines[0].cell_len <= room
        hook = shown(str(one["hook"]))
        row = text((hook.ljust(name), "name"), "  ", (word(one).ljust(did), _style(one)), "  ")
        row.append_text(text((ms[hook].rjust(took), "quiet"), "  " if beside else "", lines[0] if beside else ""))
        row.rstrip()
        printer.line(row, indent=indent)
        for line in () if beside else lines:
            printer.line(line, indent=indent + 4)
    if any(one["state"] == UNTRUSTED for one in states):
        printer.line(("! ", "warn"), "not trusted: read them and say yes with `jackline trust --diff`, or add "
                     "--as-checked-out to judge by them unread", indent=indent)  # fmt: skip
