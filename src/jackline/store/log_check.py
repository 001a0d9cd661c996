"""Where a session's log is not as it was written: every row, its place, and what was anchored, checked with the key.

Cold. What no row and no anchor binds is not seen: rows cut off the end since the last anchor.
"""

from __future__ import annotations

from jackline import system
from jackline.jsonio import loads
from jackline.store import authority, chain, journal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any, Literal, NamedTuple

    from jackline.store.session_index import SessionEntry

    Begun = Literal["", "born", "later"]
    What = Literal[
        "changed", "missing", "moved", "doubled", "unsealed", "emptied", "cut", "gone", "foreign", "unreadable"
    ]
    Seal = tuple[int, str]
else:
    from jackline._record import NamedTuple

WORDS = {
    "changed": "this row was changed, or Jackline did not write it",
    "moved": "this row stands at another place than it was written at",
    "doubled": "this row stands here a second time",
    "unsealed": "this row carries no digest: an older Jackline or another program wrote it",
    "emptied": "the log was there and is gone; what follows begins anew",
    "gone": "the log of this session is gone",
    "foreign": "it was written with the key of another store and cannot be checked here",
}
RUNS = {
    "changed": "these rows were changed, or Jackline did not write them",
    "moved": "these rows stand at another place than they were written at",
    "doubled": "these rows stand here a second time",
    "unsealed": "these rows carry no digest: an older Jackline or another program wrote them",
}
MILD = ("foreign", "unsealed")
"""What may be nobody's doing: a log of another machine, a row of an older version."""


class Break(NamedTuple):
    """One place: the line of the log (from 1; 0 = the file as a whole), what is wrong there, and that in words."""

    line: int
    what: What
    words: str

    @property
    def bad(self) -> bool:
        return self.what not in MILD


class Anchor(NamedTuple):
    """How many rows a log had when a turn or its session ended, the digest of the last one, and when (ms)."""

    rows: int
    head: str
    ts: int


class Line(NamedTuple):
    """One line of a log: its number, where it begins, its bytes, and its seal."""

    number: int
    start: int
    raw: bytes
    seal: Seal


def _lines(data: bytes) -> list[Line]:
    found, start = [], 0
    for number, raw in enumerate(data.split(b"\n"), 1):
        if raw.strip():
            found.append(Line(number, start, raw, chain.seal(raw)))
        start += len(raw) + 1
    return found


class _Log:
    """A log under examination."""

    def __init__(self, data: bytes, key: chain.Key, begun: Begun) -> None:
        self.begun = begun
        self.data = data
        self.key = key
        self.lines = _lines(data)
        self.numbered: dict[int, list[Line]] = {}
        for one in self.lines:
            if one.seal[0]:
                self.numbered.setdefault(one.seal[0], []).append(one)
        self.breaks: list[Break] = []
        self.bound: list[tuple[int, int]] = []  # parts of the file that rows of the chain bind
        self.torn: list[tuple[int, int]] = []  # of these what a dying writer left
        self.verified = 0

    def follows(self, one: Line, before: Seal) -> bool:
        """Whether a row was written behind the row of this seal."""
        number, digest = one.seal
        return number == before[0] + 1 and chain.mark(self.key, before[1].encode() + one.raw[:-18]) == digest

    def add(self, one: Line, what: What, words: str = "") -> None:
        self.breaks.append(Break(one.number, what, words or WORDS[what]))

    def predecessor(self, one: Line) -> Line | None:
        """The row that this one was written behind, wherever it stands."""
        return next((other for other in self.numbered.get(one.seal[0] - 1, ()) if self.follows(one, other.seal)), None)

    def bind(self, one: Line) -> None:
        """Take what a row of the chain binds, and hold it to its digest."""
        if b'"LOG_CHAIN"' not in one.raw:
            return
        record = _record(one.raw)
        data = record.get("data")
        if record.get("kind") != chain.KIND or not isinstance(data, dict):
            return
        start, size = data.get("from"), data.get("bytes")
        if data.get("why") == "emptied":
            self.add(one, "emptied")
        elif data.get("why") == "began" and self.begun == "born":
            self.add(one, "changed", "the rows before this one have no digests, though this log began with them")
        elif isinstance(start, int) and isinstance(size, int):
            self.bound.append((start, start + size))
            if data.get("why") == "torn":
                self.torn.append((start, start + size))
            if chain.mark(self.key, self.data[start : start + size]) != data.get("digest"):
                self.add(one, "changed", "the rows before this one are not those that it was written behind")

    def is_bound(self, one: Line, *, torn: bool = False) -> bool:
        return any(start <= one.start < end for start, end in (self.torn if torn else self.bound))


def _record(raw: bytes) -> dict[str, Any]:
    try:
        found = loads(raw.decode("utf-8"))
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _walk(log: _Log) -> None:
    """Go through the rows: each is to follow the one before it."""
    last: Seal = (0, "")  # as it stands in the row before
    sound: Seal = (0, "")  # of the last row that is as it was written
    seen: set[Seal] = set()
    loose: list[Line] = []
    apart: list[Line] = []
    for one in log.lines:
        if not one.seal[0]:
            loose.append(one)
            continue
        if one.seal in seen:
            log.add(one, "doubled")
            continue
        seen.add(one.seal)
        if log.follows(one, last) or log.follows(one, sound):
            sound = one.seal
            log.verified += 1
            log.bind(one)
        elif log.predecessor(one) is not None or log.follows(one, (0, "")):
            apart.append(one)
            sound = one.seal
            log.verified += 1
            log.bind(one)
        elif one.seal[0] > last[0] + 1:
            first, end = last[0] + 1, one.seal[0] - 1
            which = f"row {first} is" if first == end else f"rows {first} to {end} are"
            log.add(one, "missing", f"{which} missing before this one")
        else:
            log.add(one, "changed")
        last = one.seal
    for one in apart:
        if not log.is_bound(one):
            log.add(one, "moved")
    _loose(log, loose)


def _loose(log: _Log, loose: list[Line]) -> None:
    """Lines without a digest: those from before the chain and torn ones are bound by the row that came next."""
    first = min([one.start for some in log.numbered.values() for one in some], default=len(log.data))
    for one in loose:
        bound = log.is_bound(one)
        if one.start < first and log.numbered and (bound or _older(log, first)):
            continue
        if not _record(one.raw):
            if not log.is_bound(one, torn=True) and one.start + len(one.raw) < len(log.data):
                log.add(one, "unreadable", "this line cannot be read")
        elif log.numbered:
            what: What = "unsealed" if bound else "changed"
            log.add(one, what, "" if bound else "this row carries no digest, and none after it knows of it")


def _older(log: _Log, first: int) -> bool:
    """Whether the chain began behind so much that its first row binds the end of it only."""
    return bool(log.bound) and first > chain.MOST and log.bound[0][1] >= first - 1


def _anchored(log: _Log, anchors: Sequence[Anchor]) -> None:
    """Every row that was anchored is to be there."""
    last = max(log.numbered, default=0)
    for one in sorted(anchors, key=lambda one: -one.rows):
        if any(other.seal[1] == one.head for other in log.numbered.get(one.rows, ())):
            continue
        line = log.lines[-1].number if log.lines else 0
        if last < one.rows:
            words = f"rows {last + 1} to {one.rows} were here at the end of a turn and are gone"
            log.breaks.append(Break(line, "cut", words))
        else:
            place = log.numbered.get(one.rows)
            words = f"row {one.rows} is not the one that was here at the end of a turn"
            log.breaks.append(Break(place[0].number if place else line, "cut", words))
        return


def _runs(found: list[Break]) -> list[Break]:
    """The same fault in line after line is one."""
    made: list[Break] = []
    count = 0
    for one in found:
        last = made[-1] if made else None
        if last and one.what in RUNS and (one.what, one.line) == (last.what, last.line + count) and one.line:
            count += 1
            made[-1] = last._replace(words=f"{RUNS[one.what]} (lines {last.line} to {one.line})")
        else:
            made.append(one)
            count = 1
    return made


def of_log(data: bytes, key: chain.Key, anchors: Sequence[Anchor] = (), begun: Begun = "born") -> list[Break]:
    """What is wrong with a log. `begun`: what this store knows of its chain ("" = it has no record of the session)."""
    log = _Log(data, key, begun)
    _walk(log)
    if log.numbered and not log.verified and not begun and not anchors:
        return [Break(0, "foreign", WORDS["foreign"])]
    if not log.lines and (begun or anchors):
        return [Break(0, "gone", WORDS["gone"])]
    if log.lines and not log.numbered and (begun or anchors):
        return [Break(0, "gone", "the digests of this log were taken out")]
    _anchored(log, anchors)
    return _runs(sorted(log.breaks, key=lambda one: (one.line, one.what)))


def anchors(store: str) -> dict[str, list[Anchor]]:
    """What was anchored, by session; a session that a person removed has none."""
    found: dict[str, list[Anchor]] = {}
    for one in authority.read(store, chain.ANCHOR, chain.FORGOTTEN):
        data = one.get("data", {})
        if one.get("kind") == chain.FORGOTTEN:
            for sid in data.get("sessions", ()):
                found.pop(sid, None)
        else:
            made = Anchor(data["count"], data["head"], one["ts"])
            found.setdefault(data["session"], []).append(made)
    return found


def of_session(store: str, session: SessionEntry, known: dict[str, list[Anchor]]) -> list[Break]:
    """What is wrong with the log of a session; nothing where no chain was begun, or its project is gone."""
    mine = known.get(session.sid, [])
    if session.root and not system.is_dir(session.root):
        return []
    try:
        data = system.read(f"{session.folder}/{journal.EVENTS}", limit=1 << 40)
    except FileNotFoundError:
        data = b""
    except OSError as fault:
        return [Break(0, "unreadable", f"the log cannot be read: {fault.strerror or fault}")]
    return of_log(data, chain.key(store, session.sid), mine, session.chain)


def missing(store: str, sids: Iterable[str]) -> list[str]:
    """Sessions that were anchored, and of which nothing is left though no person removed them."""
    return sorted(anchors(store).keys() - set(sids))
