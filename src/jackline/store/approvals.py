"""Calls that wait for a person's word, and what the person said: `approvals/` in the store (design section 9).

A request is a file `<id>.ask`, what became of it are files that are claimed once beside it: `.word` (yes or no),
`.use` (the call that went through), `.end` (a session's yes taken back), `.try1` to `.try3` (wrong codes). So of
several processes that speak at once exactly one is heard. A code is stored nowhere: it is a keyed hash of its request.
"""

from __future__ import annotations

from jackline import system
from jackline.jsonio import dumps, loads
from jackline.store.ids import HEX
from jackline.store.keyed_hash import keyed_digest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, Literal, NamedTuple

    Standing = Literal["waiting", "approved", "rejected", "used", "expired", "locked", "ended"]
else:
    from jackline._record import NamedTuple

FOLDER = "approvals"
FORMAT = 1
BINDS = 2
"""What a yes binds, by number: one for a call of an older form would bind less than it shows, so it has ended."""
LIFE_MS = 600_000
"""How long a code counts, and how long a yes does."""
PASS_MS = 60_000
"""How long after its pass a call may still be the one that passed."""
TRIES = 3
KEPT_MS = 86_400_000
"""What is older is swept when the next request comes."""
MOST = 500
"""Requests that are kept beside those that last: an agent may ask without end, and each is read at the next."""
LASTING = ("waiting", "approved", "rejected")
LETTERS = "BCDFGHJKLMNPQRTVWXYZ"
"""Letters of codes: no vowels, so no words; no digits, so no id."""
CODE = 6
ID = 6


class Request(NamedTuple):
    """A call that a person is asked about. Times are milliseconds since 1970.

    `mark` is what a yes binds: session, agent, tool, arguments, working folder; `rules` names who asks and by which
    rule; `files` are digests of what its words resolve to, `binds` the form of that. `pid` and `start` name the
    client's process, `call` the row of the log.
    """

    id: str
    salt: str
    born: int
    until: int
    sid: str
    client: str
    root: str
    cwd: str
    agent: str
    turn: int
    tool: str
    kind: str
    subject: str
    reason: str
    mark: str
    rules: str
    files: Mapping[str, str]
    by: tuple[str, ...] = ()
    code: str = ""
    intent: str = ""
    mutation: str = ""
    affected: tuple[str, ...] = ()
    preview: tuple[str, ...] = ()
    pid: int = 0
    start: int = 0
    call: str = ""
    binds: int = 1


class Word(NamedTuple):
    """What a person said: `scope` is `once` or `session`, `turn` the session's turn when they said it."""

    decision: Literal["approve", "reject"]
    by: str
    ts: int
    turn: int = 0
    note: str = ""
    scope: str = "once"
    way: str = ""


class Use(NamedTuple):
    """The call that went through: its client's id for it ("" where it has none)."""

    call: str
    ts: int


def _path(store: str, name: str) -> str:
    return f"{store}/{FOLDER}/{name}"


def _load(store: str, name: str) -> Any:
    try:
        told = loads(system.read(_path(store, name), limit=1 << 20, follow=False).decode("utf-8"))
    except (OSError, ValueError, RecursionError):
        return None
    return told if isinstance(told, dict) and told.get("v") == FORMAT else None


def _save(store: str, name: str, value: Mapping[str, Any]) -> bool:
    """Claim a file with its content. OSError when the store cannot be written."""
    data = dumps({"v": FORMAT, **value}).encode("ascii") + b"\n"
    try:
        return system.claim(_path(store, name), data)
    except FileNotFoundError:
        system.make_dirs(f"{store}/{FOLDER}")
        return system.claim(_path(store, name), data)


def fresh_id(draw: Callable[[int], bytes]) -> str:
    """An id for a request: hex digits, one of them a figure, so that it looks like no code. `draw` gives bytes."""
    while True:
        made = draw(3).hex()
        if not made.isalpha():
            return made


def ask(store: str, request: Request) -> bool:
    """Let a call wait; False when its id is taken."""
    return _save(store, request.id + ".ask", request._asdict())


def _tuple(value: Any) -> tuple[str, ...]:
    return tuple([str(one) for one in value]) if isinstance(value, list) else ()


def load(store: str, name: str) -> Request | None:
    """The request of an id, None when there is none that can be read."""
    if len(name) != ID or not HEX.issuperset(name):
        return None
    told = _load(store, name + ".ask")
    if told is None:
        return None
    told.pop("v")
    for key in ("by", "affected", "preview"):
        told[key] = _tuple(told.get(key))
    try:
        return Request(**told)
    except (TypeError, ValueError):
        return None


def requests(store: str) -> list[Request]:
    """Every request that is still kept, oldest first."""
    found = []
    for name in system.names(f"{store}/{FOLDER}"):
        if name.endswith(".ask") and not name.startswith("."):
            one = load(store, name[:-4])
            if one is not None:
                found.append(one)
    return sorted(found, key=lambda one: (one.born, one.id))


def word(store: str, name: str) -> Word | None:
    """What a person said to a request."""
    told = _load(store, name + ".word")
    if told is None:
        return None
    told.pop("v")
    try:
        return Word(**told)
    except (TypeError, ValueError):
        return None


def use(store: str, name: str) -> Use | None:
    """The call that a yes let through."""
    told = _load(store, name + ".use")
    return None if told is None else Use(str(told.get("call", "")), int(told.get("ts", 0)))


def say(store: str, name: str, said: Word) -> bool:
    """Say yes or no, once and for all; False when somebody has."""
    return _save(store, name + ".word", said._asdict())


def spend(store: str, name: str, call: str, now_ms: int) -> bool:
    """Let one call through on a yes; False when another was let through."""
    return _save(store, name + ".use", Use(call, now_ms)._asdict())


def take_back(store: str, name: str, scope: str, now_ms: int) -> bool:
    """End a yes that was given; False when it was used, or taken back before."""
    if scope != "session" and not spend(store, name, "", now_ms):
        return False
    return end(store, name, now_ms)


def end(store: str, name: str, now_ms: int) -> bool:
    """Note that a request has ended; False when that was noted before."""
    return _save(store, name + ".end", {"ts": now_ms})


def tries(store: str, name: str) -> int:
    """How many wrong codes were tried while this request waited."""
    return len([at for at in range(1, TRIES + 1) if system.exists(_path(store, f"{name}.try{at}"))])


def wrong(store: str, waiting: list[Request], now_ms: int) -> int:
    """A wrong code was tried: it counts against everything that waits. The fewest tries that one of them has left."""
    left = TRIES
    for one in waiting:
        at = 1
        while at <= TRIES and not _save(store, f"{one.id}.try{at}", {"ts": now_ms}):
            at += 1
        left = min(left, TRIES - at)
    return max(left, 0)


def standing(store: str, request: Request, now_ms: int) -> Standing:
    """How a request stands now."""
    said = word(store, request.id)
    if request.binds != BINDS and (said is None or said.decision == "approve"):
        return "ended"
    if said is None:
        if tries(store, request.id) >= TRIES:
            return "locked"
        return "waiting" if now_ms < request.until else "expired"
    if said.decision == "reject":
        return "rejected"
    if system.exists(_path(store, request.id + ".end")):
        return "ended"
    if said.scope == "session":
        return "approved"
    if system.exists(_path(store, request.id + ".use")):
        return "used"
    return "approved" if now_ms < said.ts + LIFE_MS else "expired"


def waiting(store: str, now_ms: int) -> list[Request]:
    """What waits for a person's word now, oldest first."""
    return [one for one in requests(store) if standing(store, one, now_ms) == "waiting"]


def code(store: str, request: Request) -> str:
    """The code of a request, `BCD-FGH`: for the person alone."""
    number = int(keyed_digest(store, f"approval {request.id} {request.salt}"), 16)
    letters = ""
    for _ in range(CODE):
        number, at = divmod(number, len(LETTERS))
        letters += LETTERS[at]
    return f"{letters[: CODE // 2]}-{letters[CODE // 2 :]}"


def plain(text: str) -> str:
    """A code as it is compared: capitals without what stands between them; "" when `text` can be no code."""
    letters = "".join([char for char in text.upper() if char not in "-_ ."])
    return letters if len(letters) == CODE and set(LETTERS).issuperset(letters) else ""


def by_code(store: str, text: str, among: list[Request]) -> Request | None:
    """The request whose code this is. Every code is compared whole: the time tells nothing."""
    wanted, found = plain(text), None
    for one in among:
        if wanted and keyed_digest(store, wanted) == keyed_digest(store, plain(code(store, one))):
            found = found or one
    return found


def sweep(store: str, now_ms: int) -> None:
    """Remove what nobody needs any more. A session's yes stays until it is swept with its session."""
    for count, one in enumerate(reversed(requests(store)), 1):
        old = now_ms - one.born >= KEPT_MS
        if not old and (count <= MOST or standing(store, one, now_ms) in LASTING):
            continue
        said = word(store, one.id)
        if said is None or said.scope != "session" or standing(store, one, now_ms) != "approved":
            remove(store, one.id)


def remove(store: str, name: str) -> None:
    """Remove a request and all that became of it; the request last, so that nothing stands there without one."""
    for end in ("try1", "try2", "try3", "end", "use", "word", "ask"):
        system.unlink(_path(store, f"{name}.{end}"))
