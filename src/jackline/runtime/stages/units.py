"""Units that are not as a person trusted them: the person hears of it, and what cannot run as trusted holds (5a)."""

from __future__ import annotations

from jackline import paths
from jackline.clients.capabilities import row as capability_of
from jackline.model import Action, HookRun
from jackline.policy.merge import merge
from jackline.site_paths import open_roots, take
from jackline.store import exclusive_files
from jackline.store.ids import slot

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NamedTuple

    from jackline.hook_table import HookTable
    from jackline.model import Decision
    from jackline.runtime.outcome import Outcome
    from jackline.runtime.request import Request
    from jackline.store.sessions import Place
else:
    from jackline._record import NamedTuple

NAME = "trust"
ONE = "1 hook of this project is not as the person trusted it"
DECIDES: dict[str, Decision] = {"PreToolUse": "ask", "Stop": "block", "SubagentStop": "block"}
"""What an event comes to while a unit holds: asked, or held once."""


MOST = 5
"""Units that are told one by one."""
BEGINS = "SessionStart"
WHOLE = (BEGINS, "Stop")
"""Events that concern the whole tree."""
PLAIN = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./")
"""Characters that need no quotes in a shell."""


def _shown(text: str) -> str:
    """Foreign text as it can be shown."""
    if text.isascii() and text.isprintable():
        return text
    open_roots()
    found: str = take("jackline.unicode_escape").escape_line(text)
    return found


class Part(NamedTuple):
    """A hook table that has a say in the event. `inner`: which folder below the root it is of, "" the root itself.

    `whole`: a repository. `way`: the folder as a person types it, where that is another than `inner`.
    """

    inner: str
    table: HookTable
    whole: bool = True
    way: str = ""

    def place(self, where: str) -> str:
        return f"{self.inner}/{where}" if self.inner else where

    @property
    def command(self) -> str:
        """How a person says yes there."""
        way = self.way or self.inner or "."
        quote = "" if PLAIN.issuperset(way) and way[0] != "-" else "'"
        word = way.replace("'", "'\\''") if quote else way
        there = "" if way == "." else f" -C {quote}{word}{quote}"
        return _shown(f"jackline{there}{'' if self.whole else ' --here'} trust")

    def lines(self, said: tuple[str, ...]) -> list[str]:
        """Sentences of the table, with the folder they are of and the command to type there."""
        if not self.inner:
            return [*said]
        inner = _shown(self.inner)
        return [f"{inner}: {line}".replace(" · jackline trust ", f" · {self.command} ") for line in said]


def _parts(outcome: Outcome) -> list[Part]:
    """The tables that have a say: at a session's start and a turn's end those of all folders that a person trusted."""
    around, root = outcome.around, outcome.session.root
    if around is None:
        return [Part("", outcome.table)]
    found = around.nested
    if outcome.event.name in WHOLE:
        from jackline.runtime.nested_repo import find

        found = find(outcome, around)
    return [Part("", outcome.table), *[Part(paths.within(root, one.folder), one.table, one.whole) for one in found]]


def _mark(text: str) -> str:
    from _blake2 import blake2b

    return blake2b(text.encode("utf-8", "replace"), digest_size=8).hexdigest()


def _news(outcome: Outcome, place: Place, part: Part) -> tuple[str, ...]:
    """The lines of a table that are to be said now: of each unit once, of all at every start of a session.

    The log has each once.
    """
    lines, starts = part.table.told, outcome.event.name == BEGINS
    whose = f"-{slot(part.table.root)}" if part.inner else ""
    if not lines or (
        not exclusive_files.first(place, "once", f"units-{_mark(chr(10).join(lines))}{whose}") and not starts
    ):
        return ()
    fresh = []
    for kind, where, state, why, line in part.table.report()["units"]:
        if exclusive_files.first(place, "once", f"unit-{_mark(line)}{whose}"):
            fresh.append(line)
            data = {"kind": kind, "place": part.place(where), "state": "holds" if why else state}
            outcome.add("UNIT_STATE", "kernel", data=data)
    return lines if starts or len(fresh) >= len(lines) else tuple(fresh)


def _tell(outcome: Outcome, parts: list[Part]) -> None:
    """Say it at the first event that can."""
    place = outcome.place
    capability = capability_of(outcome.event.client, outcome.event.name)
    if place is None or not (capability.note or capability.context):
        return
    lines = [line for part in parts for line in part.lines(_news(outcome, place, part))]
    if not lines:
        return
    if capability.note:
        more = len(lines) - MOST
        rest = () if more < 2 else (f"{more} more lines on hooks that are not as you trusted them · jackline status",)
        outcome.note(*lines[: MOST if rest else None], *rest)
    else:  # this client shows its person nothing: the model passes it on
        count = sum([len(part.table.report()["units"]) for part in parts if part.table.told])
        many = f"{count} hooks of this project are not as the person trusted them"
        text = f"{many if count > 1 else ONE}: {lines[0]}"
        verdict = outcome.verdict
        outcome.verdict = verdict._replace(context=(*verdict.context, ("jackline", text)))


def _unasked(outcome: Outcome) -> int:
    return outcome.around.unasked if outcome.around is not None else 0


def _reasons(outcome: Outcome, parts: list[Part]) -> list[str]:
    """Why the event waits for a person."""
    found = []
    for part in parts:
        found += part.lines(part.table.holds)
        if part.table.holds:
            found.append(f"a person reads what changed and trusts it: {part.command} --diff")
    unasked = _unasked(outcome)
    if unasked:
        found.append(f"{unasked} more folders with hooks of their own than are asked at once · a smaller call")
    return found


def _hold(outcome: Outcome, reasons: list[str]) -> None:
    """Ask about the call, or hold the end of the turn once."""
    name = outcome.event.name
    decision = DECIDES.get(name)
    if decision is None:
        if _unasked(outcome):
            outcome.note(reasons[-1])
        return
    if outcome.verdict.decision in ("deny", "block"):
        return
    if decision == "block":
        first = outcome.place is not None and exclusive_files.first(outcome.place, "once", f"held-{outcome.turn}")
        if not first or not capability_of(outcome.event.client, name).cont:
            return
    outcome.ran.append(HookRun(NAME, Action(decision=decision, reason="\n".join(reasons))))
    outcome.verdict = merge(outcome.event, outcome.ran, owner=outcome.table.rewrite_owner)


def run(request: Request, outcome: Outcome) -> None:
    """Tell the person, and hold what a unit would have judged that cannot run."""
    parts = _parts(outcome)
    reasons = _reasons(outcome, parts)
    if reasons:
        _hold(outcome, reasons)
    _tell(outcome, parts)
