"""Calls that wait for a person's word, as a person sees them: a card each; and which one a code or an id means."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click
from rich.text import Text

from jackline import host
from jackline.cli.parts import person
from jackline.cli.parts.exits import FOUND
from jackline.cli.parts.printer import Printer, table, text
from jackline.cli.parts.setting import Setting
from jackline.runtime.stages.prompt_commands import record
from jackline.store import approvals
from jackline.store.approvals import Request, Word
from jackline.store.session_index import living, sessions

ROOM = 12
"""Lines of a screen that stand around a call."""
STYLES = {
    "waiting": "ask",
    "approved": "good",
    "used": "good",
    "rejected": "deny",
    "locked": "bad",
    "expired": "quiet",
    "ended": "quiet",
}


def now() -> int:
    return host.now() // 1_000_000


def trusted(setting: Setting, *, yes: bool = False) -> bool:
    """Whether codes may be shown: to a person at a terminal, or to who says that one wants them."""
    if person.is_vouched(setting):
        return True
    return (yes or person.has_terminal()) and person.finding(setting).answer == "pass"


def left(milliseconds: int) -> str:
    """Time as it is said: `9 min`, `40 s`."""
    seconds = max(milliseconds, 0) // 1000
    return f"{(seconds + 59) // 60} min" if seconds > 90 else f"{seconds} s"


def when(store: str, request: Request, standing: str) -> str:
    """How long it waits or holds still, or since when it was decided."""
    at, said = now(), approvals.word(store, request.id)
    if standing == "waiting":
        return f"asked {left(at - request.born)} ago · ends in {left(request.until - at)}"
    if said is None:
        return f"asked {left(at - request.born)} ago"
    note = f" · {said.note}" if said.note else ""
    until = f" · ends in {left(said.ts + approvals.LIFE_MS - at)}" if standing == "approved" else ""
    return (
        f"by {said.by} {left(at - said.ts)} ago" + (" · for this session" if said.scope == "session" else until) + note
    )


def _diff(line: str) -> Text:
    style = {"+": "added", "-": "removed", "@": "place"}.get(line[:1], "quiet")
    return text((line, style))


def card(printer: Printer, setting: Setting, request: Request, code: str = "") -> None:
    """One call: its id, who makes it and where, what it is, why it is asked about, what it changes."""
    standing = approvals.standing(str(setting.store), request, now())
    agent = "the main agent" if request.agent == "u00" else f"sub-agent {request.agent}"
    printer.line(
        (request.id, "head"),
        "  ",
        (standing, STYLES[standing]),
        "  ",
        (when(str(setting.store), request, standing), "quiet"),
        *(("   code ", (code, "approve")) if code else ()),
    )
    rows = [
        ("who", text((request.client or "unknown", "name"), f" · session {request.sid} · {agent} · {request.tool}")),
        ("where", text((setting.short(request.cwd), "place"))),
    ]
    rows += [("why" if at == 0 else "", text(line)) for at, line in enumerate(request.reason.split("\n"))]
    if request.by:
        rows.append(("asked by", text((", ".join(request.by), "name"))))
    if request.intent:
        rows.append(("intent", text(request.intent)))
    if request.affected:
        some = ", ".join(request.affected[:8]) + (
            f" and {len(request.affected) - 8} more" * (len(request.affected) > 8)
        )
        rows.append(("files", text(some)))
    if request.mutation not in ("", "UNKNOWN"):
        rows.append(("change", text(request.mutation)))
    printer.show(table([{"style": "quiet", "no_wrap": True}, {}], rows, head=False), indent=2)
    # a diff says it better than the arguments of an edit
    lines = [text((line, "head")) for line in request.subject.split("\n")]
    if request.preview and request.kind != "shell":
        lines = [text((request.tool, "head"))]
    else:
        count = f"{len(request.subject)} characters" + f", {len(lines)} lines" * (len(lines) > 1)
        printer.line((f"call    {count}, whole:", "quiet"), indent=2)
    _whole(printer, request.id, [*lines, *map(_diff, request.preview)])


def _whole(printer: Printer, name: str, lines: Sequence[Text]) -> None:
    """Every line to its end, wrapped at the terminal's edge; what leaves the screen by that is said below."""
    made = [text("    ", line) for line in lines]
    for line in made:
        printer.whole(line)
    tall = sum(max(-(-line.cell_len // printer.width), 1) for line in made)
    if printer.console.is_terminal and tall > printer.console.height - ROOM:
        printer.line((f"↑ {name} is {tall} lines tall: scroll up to its first, read it to here, then decide", "warn"))


def data(setting: Setting, request: Request, code: str = "") -> dict[str, Any]:
    """The same for programs, without what binds a yes."""
    told = {
        key: value for key, value in request._asdict().items() if key not in ("salt", "mark", "rules", "pid", "start")
    }
    said = approvals.word(str(setting.store), request.id)
    return {
        **told,
        "standing": approvals.standing(str(setting.store), request, now()),
        "word": said._asdict() if said is not None else None,
        **({"approve": code} if code else {}),
    }


class NoneSuchError(click.ClickException):
    """Nothing waits under that name."""

    exit_code = FOUND


def find(setting: Setting, name: str) -> tuple[Request, bool]:
    """The request that a code or an id means, and whether it was the code. A wrong code is counted."""
    store = str(setting.store)
    waits = approvals.waiting(store, now())
    if not name:
        if len(waits) == 1:
            return waits[0], False
        what = "several calls wait" if waits else "no call waits"
        raise NoneSuchError(f"{what} · jackline approvals shows them")
    by_id = approvals.load(store, name.lower())
    if by_id is not None:
        return by_id, False
    if not approvals.plain(name):
        raise NoneSuchError(f"{name!r} is neither a code nor an id · jackline approvals shows both")
    request = approvals.by_code(store, name, waits)
    if request is None:
        tries = approvals.wrong(store, waits, now())
        rest = f"{tries} more wrong codes end what waits" if tries else "too many wrong codes: what waited is ended"
        raise NoneSuchError("no call waits under this code" + (f" · {rest}" if waits else ""))
    return request, True


def turn(setting: Setting, request: Request) -> int:
    """The turn that the request's session is in."""
    for one in sessions(setting.store):
        if one.sid == request.sid:
            said = one.state().get("core", {}).get("lastTurnId", 0)
            return said if isinstance(said, int) else 0
    return 0


def alive(setting: Setting, request: Request) -> bool:
    """Whether the session still runs, so that somebody can make use of a word."""
    return any(one.sid == request.sid for one in living(setting.store))


def speak(setting: Setting, request: Request, said: Word) -> bool:
    """Keep a person's word in the store and where authority lives; False when somebody spoke before."""
    if not approvals.say(str(setting.store), request.id, said):
        return False
    record(str(setting.store), request, said, host.now())
    return True
