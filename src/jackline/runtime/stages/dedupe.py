"""Two entries for one call: the second one gives the first one's verdict (design section 6).

Clients read each other's configuration and fire twice. A second entry point for one call is a duplicate only if its
dialect or its entry's place differs; equal calls from one entry are different calls. Asked only where a session has
more than one place with our entries, or an entry point was opened from an unusual one.
"""

from __future__ import annotations

import time
from _imp import source_hash

from jackline import file_stat, system
from jackline.clients.facts import JOINS, STOPS_AT_DENY
from jackline.jsonio import dumps, loads
from jackline.model import Verdict
from jackline.runtime.stages import response
from jackline.store.sessions import SAFE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from jackline.runtime.outcome import Outcome
    from jackline.runtime.request import Request

FOLDER = "calls"
WINDOW_NS = 30_000_000_000
"""Calls without an id are paired with those of another entry that began this shortly before."""
SEED = 2026
PATIENCE_NS = 2_000_000_000


def entry(outcome: Outcome) -> str:
    return f"{outcome.request.dialect}.{outcome.request.place}"


def _key(outcome: Outcome) -> tuple[str, bool]:
    """What names the call, and whether its client gave it an id (which is unique) or we compare content."""
    event = outcome.event
    use = event.tool_use_id
    if use and len(use) <= 120 and SAFE.issuperset(use):
        return f"{event.name}.{use}", True
    text = dumps([event.kind, event.command, event.targets, event.query, event.prompt, event.source, event.stop_active,
                  event.agent_id, event.input if event.kind not in ("shell", "search") else ""])  # fmt: skip
    return f"{event.name}~{source_hash(SEED, text.encode()).hex()}", use != ""


class DuplicateCall:
    """This entry point's part in a call: leader (judges and tells) or follower (waits for what the leader tells)."""

    __slots__ = ("at", "leader", "leads", "name")

    def __init__(self, at: int, name: str, *, leads: bool, leader: int = 0) -> None:
        self.at = at
        self.name = name
        self.leads = leads
        self.leader = leader  # the pid of the entry point that leads, 0 where nobody knows

    def tell(self, verdict: Verdict, invocation: str) -> None:
        """Leave the verdict, and the id of the row that holds it, for the other entry points."""
        if self.leads and self.at >= 0:
            try:
                system.replace(self.name + ".verdict", dumps([*verdict, invocation]).encode("ascii"), at=self.at)
            except (OSError, ValueError, TypeError):
                pass

    def hear(self, until: int, clock: Callable[[], int]) -> tuple[Verdict, str] | None:
        """Wait for the leader's verdict until `until` (monotonic ns); None when none came, or its process is gone."""
        from jackline.processes import running

        pause = 0.001
        there = True
        while True:
            try:
                told = system.read(self.name + ".verdict", at=self.at, follow=False)
                *fields, invocation = loads(told.decode("ascii"))
                return Verdict(*[_tuples(field) for field in fields]), str(invocation)  # type: ignore[arg-type]
            except (OSError, ValueError, TypeError):
                if not there or clock() >= until:
                    return None
            there = not self.leader or running(self.leader)  # looked at before the last look for its verdict
            if there:
                time.sleep(pause)
            pause = min(pause * 2, 0.02)

    def close(self) -> None:
        system.close(self.at)


def _tuples(value: object) -> object:
    if isinstance(value, list):
        return tuple([_tuples(item) for item in value])
    return value


def take_part(outcome: Outcome) -> DuplicateCall | None:
    """Find out whether another entry point has this call already; None where that is not to be told."""
    place = outcome.place
    if place is None:
        return None
    try:
        at = system.descend_at(place.fd, FOLDER, create=True)
    except OSError:
        return None
    if outcome.session.places < 2:
        from jackline.store.session_create import comes_twice

        comes_twice(outcome.store.path, outcome.session)
    key, exact = _key(outcome)
    mine = entry(outcome)
    try:
        held = system.lock(".lock", 50, at=at)
        try:
            taken = _numbers(at, key, outcome.request.now if not exact else 0)
            for number, entries in taken:
                if mine not in entries and not (
                    outcome.event.client in STOPS_AT_DENY and not exact and _denied(at, key, number)
                ):
                    system.claim(f"{key}.{number}.{mine}", at=at)
                    leader = _leader(at, f"{key}.{number}", entries)
                    return DuplicateCall(at, f"{key}.{number}", leads=False, leader=leader)
            number = max([number for number, _ in taken], default=_highest(at, key)) + 1
            system.claim(f"{key}.{number}.{mine}", b"%d" % outcome.request.pid, at=at)
            return DuplicateCall(at, f"{key}.{number}", leads=True)
        finally:
            system.close(held)
    except OSError:
        system.close(at)
        return None


def run(request: Request, outcome: Outcome) -> None:
    """Answer with the leader's verdict in this entry's form, or lead: then `finish` tells the others the verdict."""
    duplicate = outcome.duplicate = take_part(outcome)
    if duplicate is None or duplicate.leads:
        return
    now = request.clock()
    heard = duplicate.hear(
        now + (max(request.deadline - now, 0) // 2 if request.deadline else PATIENCE_NS), request.clock
    )
    if heard is None:
        return  # the leader fell silent
    outcome.skipped = [("kernel", "another entry answered this call")]
    outcome.verdict, outcome.invocation = heard
    if outcome.event.client in JOINS:
        outcome.verdict = outcome.verdict._replace(context=(), notes=())
    response.run(request, outcome)
    outcome.settled = True


def _leader(at: int, name: str, entries: set[str]) -> int:
    """The pid that the leading entry point wrote into its claim."""
    for who in entries:
        try:
            told = system.read(f"{name}.{who}", at=at, limit=32, follow=False)
        except OSError:
            continue
        if told.isdigit():
            return int(told)
    return 0


def _denied(at: int, key: str, number: int) -> bool:
    """Whether that call was denied: where a client runs no further entry then, nobody else can be its duplicate."""
    try:
        return b'["deny"' in system.read(f"{key}.{number}.verdict", at=at, limit=64, follow=False)
    except OSError:
        return False


def _parts(at: int, key: str) -> list[tuple[int, str]]:
    found = []
    for name in system.names(at):
        if name.startswith(key + "."):
            number, _, who = name[len(key) + 1 :].partition(".")
            if number.isdigit() and who != "verdict":
                found.append((int(number), who))
    return found


def _highest(at: int, key: str) -> int:
    return max([number for number, _ in _parts(at, key)], default=0)


def _numbers(at: int, key: str, now: int) -> list[tuple[int, set[str]]]:
    """Calls of this key, oldest first, each with the entries that took part; only recent ones when `now` is given."""
    calls: dict[int, set[str]] = {}
    for number, who in _parts(at, key):
        if now and now - file_stat.modified_ns(at, f"{key}.{number}.{who}") > WINDOW_NS:
            continue
        calls.setdefault(number, set()).add(who)
    return sorted(calls.items())


def sweep(outcome: Outcome) -> None:
    """Remove what old calls left; at a turn's end and a session's start."""
    if outcome.place is None:
        return
    try:
        at = system.descend_at(outcome.place.fd, FOLDER)
    except OSError:
        return
    try:
        for name in system.names(at):
            if name != ".lock" and outcome.request.now - file_stat.modified_ns(at, name) > 10 * WINDOW_NS:
                system.unlink(name, at=at)
    finally:
        system.close(at)
