"""The entry point: what a client's configuration starts. argv, environment, signals and `_exit` stand here only.

Whatever happens, a client gets one valid answer: ours, or its own "no objection". Before a tool an entry point that
failed says nothing at all: the entry's line answers for it then, as it was installed to (`install/entry.py`).
"""

from __future__ import annotations

import posix
import sys

from jackline import host, system
from jackline.clients.names import dialect_of
from jackline.clients.signs import DEADLINE_MS
from jackline.model import SILENCE, Answer
from jackline.runtime import pipeline
from jackline.runtime.request import Request, Store
from jackline.version import VERSION

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

LIMIT = 1 << 27
"""Bytes of a payload that are read; what is longer cannot be judged."""

OTHER_DEADLINE_MS = 13_000
"""The same, of events that no client gives more or less time to than usual."""

CLOSED = (
    b'{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny",'
    b'"permissionDecisionReason":"Jackline could not judge this call, and was installed to refuse then."}'
)
"""For entries written by earlier versions, whose line answers for nobody: `--fail closed` stands in them. The denial
every dialect's PreToolUse reads nested; clients that are answered in both places get it at top level too."""
CLOSED_TOP = b',"permissionDecision":"deny","permissionDecisionReason":"Jackline could not judge this call."}\n'


def arguments(words: Sequence[str]) -> tuple[str, str, str, str]:
    """(dialect, event, place, fail) of an entry: DIALECT EVENT [PLACE] [--fail closed]. Unknown words are ignored."""
    fail = "open"
    plain: list[str] = []
    skip = False
    for at, word in enumerate(words):
        if skip:
            skip = False
        elif word == "--fail":
            fail = "closed" if words[at + 1 : at + 2] == ["closed"] else "open"
            skip = True
        elif not word.startswith("-"):
            plain.append(word)
    plain += ["", "", ""]
    place = plain[2] if plain[2] in ("project", "local", "managed") else "user"
    return dialect_of(plain[0]), plain[1], place, fail


BEFORE_TOOL = ("PreToolUse", "preToolUse")


def last_resort(dialect: str, event: str, fail: str) -> Answer:
    """The answer when we failed ourselves."""
    if event not in BEFORE_TOOL:
        return SILENCE
    if fail != "closed":
        return Answer(0, b"")
    from jackline.clients.facts import FORMS

    return Answer(0, CLOSED + (CLOSED_TOP if FORMS.get(dialect) == "both" else b"}\n"))


def _take_outputs() -> tuple[int, int]:
    """Keep the client's stdout and stderr for the answer alone: whatever a hook prints goes nowhere."""
    try:
        out, err = posix.dup(1), posix.dup(2)
    except OSError:  # closed by the client: there is nobody to answer
        out = err = posix.open("/dev/null", posix.O_RDWR)
    nowhere = posix.open("/dev/null", posix.O_RDWR)
    posix.dup2(nowhere, 1)
    posix.dup2(nowhere, 2)
    if nowhere > 2:
        posix.close(nowhere)
    return out, err


def emitter(out: int, err: int) -> Callable[[Answer], None]:
    """The entry point's write: once, then both outputs are closed, since most clients wait for their end.

    Nor does what a hook forks hold them; once they are closed, their numbers may be something else's.
    """
    done = False

    def let_go() -> None:
        nonlocal done
        if not done:
            done = True
            system.close(out)
            system.close(err)

    posix.register_at_fork(after_in_child=let_go)

    def emit(given: Answer) -> None:
        nonlocal done
        if done:
            return
        done = True
        for fd, data in ((out, given.out), (err, given.err)):
            try:
                if data:
                    system.write_all(fd, data)
            except OSError:
                pass
            system.close(fd)

    return emit


def main(store: str, words: Sequence[str]) -> None:
    """Answer one event and leave. Never returns, never raises."""
    code = 0
    dialect, event, place, fail = arguments(words)
    emit: Callable[[Answer], None] | None = None
    try:
        emit = emitter(*_take_outputs())
        code = _answer(store, dialect, event, place, fail, emit)
    except BaseException as fault:  # noqa: BLE001 - the last one: a fault of ours never breaks the agent's turn
        try:
            if emit is not None:
                emit(last_resort(dialect, event, fail))
            _report(store, dialect, event, fault)
        except BaseException:  # noqa: BLE001 - our own files are damaged: silence is all there is
            if emit is not None and event not in BEFORE_TOOL:
                emit(SILENCE)
    system.leave(code)


def _report(store: str, dialect: str, event: str, fault: BaseException) -> None:
    try:
        from jackline.store.crash import payload_shape, report

        where = {"where": "door", "dialect": dialect, "event": event[:40], "payload": payload_shape(fault)}
        report(store, fault, where, VERSION)
    except BaseException:  # noqa: BLE001 - nothing is left to be done
        return


def _slow() -> None:
    raise TimeoutError("standard input did not end in time")


def _answer(store: str, dialect: str, event: str, place: str, fail: str, emit: Callable[[Answer], None]) -> int:
    limit = DEADLINE_MS.get(event, OTHER_DEADLINE_MS)
    begun = host.clock()
    system.alarm(min(limit, OTHER_DEADLINE_MS) / 1000, _slow)
    raw = system.drain(0, LIMIT)
    system.quiet()
    if not dialect:
        emit(SILENCE)
        return 0
    request = Request(
        dialect,
        event,
        raw,
        host.environment(),
        host.folder(),
        place,
        posix.getuid(),
        host.ancestors,
        host.now(),
        host.entropy(32),
        host.clock,
        begun + limit * 1_000_000,
        fail,
        host.home_of(store),
        host.pid(),
        True,
    )
    outcome = pipeline.run(request, Store(store), emit)
    emit(outcome.answer)
    return outcome.answer.exit


def enter(store: str) -> None:
    """Where the entry point file leads: `main` with this process's arguments."""
    main(store, sys.argv[1:])
