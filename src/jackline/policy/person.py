"""Whether a person speaks: what processes, a terminal and living sessions say of who wants a human-only command.

A human-only command needs a human while a client lives (design section 9). Pure: `Facts` in, a `Finding` out; who
gathers them asks the system. A program of the agent's that left its client's tree has no terminal, or one that is
younger than the session, or one that it was not started from.
"""

from __future__ import annotations

from jackline.clients.facts import EDITORS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Literal, NamedTuple

    from jackline.processes import Process
    from jackline.store.session_index import SessionEntry

    Answer = Literal["pass", "code", "refuse"]
    Why = Literal["", "below", "mark", "terminal", "orphan", "young", "editor"]
else:
    from jackline._record import NamedTuple

REAPER = 1
"""The process that orphans fall to: whoever stands below it alone may be anybody's."""


class Facts(NamedTuple):
    """What is known of a caller: itself and its ancestors, nearest first; the sessions that live; a mark of a model's
    shell in its environment; when its terminal was made, in clock ticks since boot (0: nobody tells)."""

    chain: Sequence[Process]
    live: Sequence[SessionEntry]
    mark: str = ""
    made: int = 0


class Finding(NamedTuple):
    """`code`: only with the one-time code that a client shows to its person. `session` and `process` say which one."""

    answer: Answer
    why: Why = ""
    session: SessionEntry | None = None
    process: Process | None = None


def above(chain: Sequence[Process], live: Sequence[SessionEntry]) -> tuple[int, SessionEntry | None]:
    """The nearest client among these processes: its place in the chain and its session; (-1, None) without one."""
    by_process = {(one.pid, one.start): one for one in live}
    for at, process in enumerate(chain):
        session = by_process.get((process.pid, process.start))
        if session is not None:
            return at, session
    return -1, None


def _leader(chain: Sequence[Process]) -> int:
    """Where the process stands that leads the caller's terminal; -1 where the caller does not descend from it."""
    return next((at for at, one in enumerate(chain) if one.pid == chain[0].session), -1)


def _below(facts: Facts, at: int, session: SessionEntry) -> Finding:
    """Below a client: an agent's, unless an editor gave its person a terminal, which is told from an agent's by a code
    alone."""
    client, caller = facts.chain[at], facts.chain[0]
    is_own = session.client in EDITORS and caller.terminal != 0 == client.terminal and 0 <= _leader(facts.chain) < at
    return Finding("code" if is_own else "refuse", "editor" if is_own else "below", session, client)


def decide(facts: Facts) -> Finding:
    """What a human-only command comes to."""
    if not facts.live:
        return Finding("pass")
    oldest = min(facts.live, key=lambda one: (one.start, one.pid))
    at, session = above(facts.chain, facts.live)
    if facts.mark:
        return (
            Finding("refuse", "mark", oldest)
            if session is None
            else Finding("refuse", "below", session, facts.chain[at])
        )
    if session is not None:
        return _below(facts, at, session)
    if not facts.chain or not facts.chain[0].terminal:
        return Finding("refuse", "terminal", oldest)
    leader = _leader(facts.chain)
    if leader < 0 or facts.chain[leader].pid == REAPER:
        return Finding("code", "orphan", oldest)
    young = max(facts.chain[leader].start, facts.made) >= oldest.start
    return Finding("code", "young", oldest) if young else Finding("pass")
