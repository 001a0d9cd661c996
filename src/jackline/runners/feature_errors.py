"""What a feature raised, as its author needs it: its own frames, the type and the message, masked for secrets.

Loaded when a feature failed or had to be cut off; an event at which all went well does not pay for it.
"""

from __future__ import annotations

from jackline.runners.actions import BadAction
from jackline.store.crash import stack_hash
from jackline.store.secrets import mask

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import FrameType

    from jackline.hook_table import HookSpec

LONGEST = 300
"""Characters of a message."""
FRAMES = 20
"""Frames that are kept of one exception: those where it began, and those where it was raised."""
CHAIN = 3
"""Exceptions that led to one another."""
OURS = ("jackline.runners.", "jackline.runtime.", "jackline.hook_table")


class ChildError(Exception):
    """A feature failed in a child of its own: what the child said of it."""

    def __init__(self, name: str, mark: str, lines: tuple[str, ...]) -> None:
        super().__init__(name)
        self.name, self.mark, self.lines = name, mark, lines


def _is_own(frame: FrameType, row: HookSpec) -> bool:
    """Whether the feature's own code runs in a frame: neither ours around it, nor the libraries it calls."""
    name = str(frame.f_globals.get("__name__", ""))
    if row.origin == "builtin":
        return name.startswith("jackline") and not name.startswith(OURS)
    package = row.module.rpartition(".")[0] if row.codes else row.module
    return name == package or name.startswith(package + ".")


def _place(frame: FrameType, line: int) -> str:
    code = frame.f_code
    return f"{code.co_filename}:{line} in {code.co_name.rpartition('.')[2]}"


def _shortened(frames: list[str]) -> list[str]:
    left = len(frames) - FRAMES
    return frames if left <= 0 else [*frames[: FRAMES // 4], f"… {left} more …", *frames[-(FRAMES - FRAMES // 4) :]]


def _frames(error: BaseException, row: HookSpec) -> list[str]:
    found = []
    trace = error.__traceback__
    while trace is not None:
        if _is_own(trace.tb_frame, row):
            found.append(_place(trace.tb_frame, trace.tb_lineno))
        trace = trace.tb_next
    return _shortened(found)


def _words(error: BaseException) -> str:
    """Type and message in one line."""
    try:
        first, _, more = str(error).strip().partition("\n")
    except Exception:  # noqa: BLE001 - its own `__str__` is broken too
        first, more = "(its message cannot be made)", ""
    first = mask(first)
    cut = first[:LONGEST] + " …" if more or len(first) > LONGEST else first
    return f"{type(error).__name__}: {cut}" if cut else type(error).__name__


def _chain(error: BaseException) -> Iterator[tuple[BaseException, str]]:
    """The exceptions that led to this one, the first of them first, each with what stands before it."""
    chain: list[tuple[BaseException, str]] = []
    one: BaseException | None = error
    while one is not None and len(chain) < CHAIN:
        if one.__cause__ is not None:
            chain.append((one, "which caused:"))
            one = one.__cause__
        else:
            before = None if one.__suppress_context__ else one.__context__
            chain.append((one, "while that was handled:" if before is not None else ""))
            one = before
    for at, (found, said) in enumerate(reversed(chain)):
        yield found, said if at else ""


def lines(error: BaseException, row: HookSpec) -> tuple[str, ...]:
    """The traceback: a line for each of the feature's own frames, the innermost last, then type and message."""
    if isinstance(error, ChildError):
        return error.lines
    if isinstance(error, BadAction):
        return (f"no valid action was returned: {mask(str(error))[:LONGEST]}",)
    made: list[str] = []
    for one, said in _chain(error):
        made += [*([said] if said else []), *_frames(one, row), _words(one)]
    return tuple(made)


def cut_off(error: BaseException, row: HookSpec, sentence: str) -> tuple[str, ...]:
    """Where a feature was when its time was over."""
    return (*_frames(error, row), sentence)


def hanging(row: HookSpec, sentence: str) -> tuple[str, ...]:
    """Where a feature is that goes on although its time is over: asked from above it, on its own stack."""
    import sys

    found = []
    frame: FrameType | None = sys._getframe()
    while frame is not None:
        if _is_own(frame, row):
            found.append(_place(frame, frame.f_lineno))
        frame = frame.f_back
    return (*_shortened(found[::-1]), sentence)


def place(told: tuple[str, ...]) -> str:
    """The file and line that the last frame stands at, "" where no frame was the feature's own."""
    for line in reversed(told[:-1]):
        where, found, _ = line.rpartition(" in ")
        if found:
            return where
    return ""


def describe(error: BaseException, row: HookSpec) -> tuple[str, str, tuple[str, ...]]:
    """A fault as (mark, sentence for the person, traceback)."""
    told = lines(error, row)
    if isinstance(error, BadAction):
        return "BAD_ACTION", f"returned no valid action: {error}", told
    name, mark = type(error).__name__, ""
    if isinstance(error, ChildError):
        name, mark = error.name, error.mark
    mark = mark or stack_hash(error)
    at = place(told)
    return mark, f"failed: {name}{' at ' + at if at else ''} [{mark}]", told
