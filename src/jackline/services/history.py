"""What the log of a session tells of one task: calls that were refused, files that were changed, what was decided.

Reads the end of the log, as much as `MOST` says. What stands in a row was masked when it was written.
"""

from __future__ import annotations

from jackline import system
from jackline.store import journal
from jackline.store.secrets import mask
from jackline.unicode_escape import escape_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any, NamedTuple

    Row = dict[str, Any]
else:
    from jackline._record import NamedTuple

MOST = 1 << 23
"""Bytes of the log that are read, from its end."""
LINE = 200
"""Characters of one foreign text."""
CALLS = ("TOOL_DECISION", "PERMISSION_DECISION")
STEP = "PHASE_TRANSITION"
TOO_EARLY = ("PLAN_REQUIRED", "LEASE_REQUIRED", "PHASE_DENIED", "BUDGET_EXCEEDED")
"""Codes of refusals that say when a thing is done, not whether."""
CHANGING = ("write", "edit", "notebook")
"""Kinds of tools that change the files they name."""


class Denial(NamedTuple):
    """A call that was refused or asked about, and how often. `ts`: milliseconds, the last time."""

    tool: str
    decision: str
    reason: str
    code: str
    by: str
    ts: int
    times: int = 1


def line(text: object) -> str:
    """Foreign text as one line that deceives nobody and tells no secret."""
    plain = " ".join(text.split()) if isinstance(text, str) else ""
    return escape_line(mask(plain[: 4 * LINE]))[:LINE]


def rows(folder: str, work: str = "") -> list[Row]:
    """The rows of a session's log, oldest first; with `work` only those of this task."""
    path = f"{folder}/{journal.EVENTS}"
    size = max(system.size_of(path), 0)
    data = system.read_range(None, path, max(size - MOST, 0), size)
    if size > MOST:  # in the middle of a row
        data = data[data.find(b"\n") + 1 :]
    found = journal.parse(data[: data.rfind(b"\n") + 1])[0]
    return [one for one in found if work in ("", one.get("workId"))]


def _text(row: Row, key: str) -> str:
    value = row.get(key)
    return value if isinstance(value, str) else ""


def _ts(row: Row) -> int:
    value = row.get("ts")
    return value if type(value) is int else 0


def denials(found: Iterable[Row], decisions: tuple[str, ...] = ("deny", "ask")) -> list[Denial]:
    """Calls that were refused or asked about: each reason once, in the order of its last time."""
    made: dict[tuple[str, str, str], Denial] = {}
    for row in found:
        if row.get("kind") not in CALLS or row.get("decision") not in decisions:
            continue
        key = (_text(row, "toolName"), _text(row, "decision"), _text(row, "reason"))
        before = made.pop(key, None)
        by = row.get("by")
        named = by[0] if isinstance(by, list) and by and isinstance(by[0], str) else ""
        made[key] = Denial(*key, _text(row, "code"), named, _ts(row), before.times + 1 if before else 1)
    return list(made.values())


def led(found: Iterable[Row], phase: str) -> tuple[str, int]:
    """What led into a phase the last time, and when: the trigger, "" where the log does not say; milliseconds."""
    made = "", 0
    for row in found:
        data = row.get("data")
        if row.get("kind") == STEP and isinstance(data, dict) and data.get("to") == phase:
            made = _text(data, "trigger"), _ts(row)
    return made


def standing(found: Iterable[Row], denied: Iterable[Denial]) -> list[Denial]:
    """Of refusals those that still say something: what came too early may have its turn since the task went on."""
    since = max([_ts(row) for row in found if row.get("kind") in (STEP, "PLAN_ACCEPTED")], default=0)
    return [one for one in denied if one.code not in TOO_EARLY or one.ts > since]


def paths(row: Row) -> Iterator[str]:
    """The paths that a row names."""
    named = row.get("paths")
    for path in named if isinstance(named, list) else ():
        if isinstance(path, str) and path:
            yield path


def changed(found: Iterable[Row]) -> list[str]:
    """Files that tools changed, by the rows of calls that ended well; the one that was changed last stands last."""
    made: dict[str, None] = {}
    for row in found:
        if row.get("kind") != "TOOL_OUTCOME" or row.get("toolKind") not in CHANGING or row.get("outcome") == "error":
            continue
        for path in paths(row):
            made.pop(path, None)
            made[path] = None
    return list(made)


def touched(root: str, found: Iterable[Row]) -> list[str]:
    """Files that changed while these rows were written, by whatever means: a command's changes stand in no row. Only
    those that git tells of, against its last commit.
    """
    from jackline import git
    from jackline.file_stat import of as stamp_of
    from jackline.repository import git_root

    since = min([_ts(row) for row in found if _ts(row)], default=0) - SLACK_MS
    if since <= 0 or not git_root(root):
        return []
    try:
        loose, others = git.touched_files(root, None, since=git.head(root), deadline=SECONDS)
    except (git.GitError, OSError):
        return []
    named = [name for name in sorted({*loose, *others}) if not name.startswith(OURS)]
    return [name for name in named if stamp_of(f"{root}/{name}")[1] // 1_000_000 >= since]


OURS = ".ai/"
"""Where our own files are."""
SLACK_MS = 20
"""A file system's clock may lag behind ours, by two ticks at most."""
SECONDS = 0.5
"""How long git may look."""
