"""What became of every script: `status.json` with the schema of 001, and the latest output of each.

Both lie in `<place>/scripts/`, where a place is a session's folder, or a worktree's slot of the store for runs that
belong to no session. Who changes the file reads it anew under a lock and replaces it whole; nobody else writes it.
"""

from __future__ import annotations

import time
from _thread import allocate_lock

from jackline import jsonio, system
from jackline.store.ids import digest
from jackline.store.secrets import mask
from jackline.store.sessions import safe_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any, NamedTuple

    from jackline.script import Outcome, Script

    Change = Callable[[dict[str, dict[str, Any]]], None]
else:
    from jackline._record import NamedTuple

FOLDER, FILE, OUTPUT = "scripts", "status.json", "output"
WAIT_MS = 10_000
"""How long a writer waits for the others: each holds the lock for the time of one small file."""

KEPT = 3
"""Damaged files that are kept beside."""

LOG_LIMIT = 256 * 1024
"""Bytes of a log; of more, the beginning and the end are kept."""

FIELDS: Mapping[str, type] = {
    "hookId": str,
    "hookName": str,
    "type": str,
    "lastRunAt": str,
    "lastResult": str,
    "lastExitCode": int,
    "outputPath": str,
    "runCount": int,
    "failCount": int,
    "consecutiveFailures": int,
}
"""Of one script's status, as 001 has them. `lastDurationMs` may come with them."""

_ours = allocate_lock()  # a lock on a file excludes other processes, not other threads of this one


class Status(NamedTuple):
    """What `status.json` says. `hooks`: by key, each with `FIELDS`; `pending`: keys of file scripts that wait.

    `damaged`: a part of the file made no sense.
    """

    hooks: dict[str, dict[str, Any]]
    pending: tuple[str, ...] = ()
    evaluated: str = ""
    damaged: bool = False

    def document(self) -> dict[str, Any]:
        """As the file has it."""
        return {"hooks": self.hooks, "pendingHooks": list(self.pending), "lastEvaluatedAt": self.evaluated}


def iso(now: int) -> str:
    """Wall nanoseconds as an ISO timestamp with milliseconds: `2026-01-31T23:59:59.042Z`."""
    seconds, rest = divmod(now // 1_000_000, 1000)
    return f"{time.strftime('%Y-%m-%dT%H:%M:%S', time.gmtime(seconds))}.{rest:03d}Z"


def words(outcome: Outcome) -> str:
    """What a run printed, as text: both streams in the order they came, and why it ended if not by itself. Masked."""
    parts = [outcome.both] if outcome.both else [outcome.out, outcome.err]
    if outcome.fault:
        parts.append(f"[{outcome.fault}]".encode("utf-8", "replace"))
    if outcome.late:
        parts.append(f"[stopped after {outcome.ms / 1000:.0f} s: its time was over]".encode())
    said = b""
    for part in parts:
        said += b"\n" if said and part and said[-1:] != b"\n" else b""
        said += part
    return mask(said.decode("utf-8", "replace"))


# --- reading -------------------------------------------------------------------------------------------------------


def log_path(place: str, key: str) -> str:
    """Where the latest output of a script is kept."""
    return f"{place}/{FOLDER}/{OUTPUT}/{file_name(key)}.log"


def file_name(key: str) -> str:
    """A key as a file name: `/` divides the sub-folder from it, `.` the root's slug from the id, all else is ours."""
    if "/" in key:
        return f"{safe_name(key.replace('.', '_').replace('/', '-'))}~{digest(key)[:6]}"
    return key if key[:1] != "." and safe_name(key.replace(".", "_")) == key.replace(".", "_") else safe_name(key)


def _sound(found: Any) -> bool:
    """Whether the status of one script can be carried on."""
    if not isinstance(found, dict):
        return False
    for field, kind in FIELDS.items():
        value = found.get(field)
        if not isinstance(value, kind) or isinstance(value, bool):
            return False
    return True


def _parsed(data: bytes) -> Status:
    """What can be used of a file; nothing is believed that is not of its kind."""
    try:
        found = jsonio.loads(data.decode())
        if not isinstance(found, dict):
            return Status({}, damaged=True)
    except ValueError:
        return Status({}, damaged=True)
    hooks, waits, evaluated = found.get("hooks"), found.get("pendingHooks"), found.get("lastEvaluatedAt")
    listed = hooks if isinstance(hooks, dict) else {}
    sound = {key: one for key, one in listed.items() if _sound(one)}
    names = waits if isinstance(waits, list) and all(isinstance(one, str) for one in waits) else None
    right = isinstance(hooks, dict) and len(sound) == len(listed) and names is not None and isinstance(evaluated, str)
    return Status(sound, tuple(names or ()), evaluated if isinstance(evaluated, str) else "", not right)


def _read(at: int) -> Status:
    try:
        return _parsed(system.read(FILE, at=at, follow=False))
    except FileNotFoundError:
        return Status({})
    except OSError:  # a link, a folder: not ours
        return Status({}, damaged=True)


def read(place: str) -> Status:
    """What is known at `place`; empty where nothing is. A damaged file is left for the next writer to set aside."""
    try:
        at = system.descend(place, (FOLDER,))
    except OSError:
        return Status({})
    try:
        return _read(at)
    finally:
        system.close(at)


# --- writing -------------------------------------------------------------------------------------------------------


def _set_aside(at: int) -> None:
    """Keep a damaged file under another name: the first few; later ones make no difference."""
    for number in range(1, KEPT + 1):
        if not system.exists_at(at, f"{FILE}.damaged-{number}"):
            try:
                system.rename(FILE, f"{FILE}.damaged-{number}", at=at)
            except OSError:
                pass
            return


def _rewrite(at: int, change: Change, evaluated: str, waits: Sequence[str], done: Sequence[str]) -> Status:
    held = system.lock("lock", WAIT_MS, at=at)
    if held < 0:
        raise TimeoutError(110, "others are writing for too long", FILE)
    try:
        found = _read(at)
        if found.damaged:
            _set_aside(at)
        change(found.hooks)
        pending = tuple(sorted({*found.pending, *waits}.difference(done)))
        made = Status(found.hooks, pending, max(evaluated, found.evaluated))
        system.replace(FILE, (_laid_out(made.document()) + "\n").encode(), at=at)
        return made
    finally:
        system.close(held)


def _laid_out(document: dict[str, Any]) -> str:
    """JSON with one script a line: people look into this file."""
    lines = ",\n".join([f"    {jsonio.dumps(key)}: {jsonio.dumps(one)}" for key, one in document["hooks"].items()])
    hooks = f"{{\n{lines}\n  }}" if lines else "{}"
    pending, evaluated = jsonio.dumps(document["pendingHooks"]), jsonio.dumps(document["lastEvaluatedAt"])
    return f'{{\n  "hooks": {hooks},\n  "pendingHooks": {pending},\n  "lastEvaluatedAt": {evaluated}\n}}'


def _nothing(hooks: dict[str, dict[str, Any]]) -> None:
    """No run is noted."""


def update(
    place: str, change: Change = _nothing, evaluated: int = 0, *, waits: Sequence[str] = (), done: Sequence[str] = ()
) -> Status:
    """Let `change` alter what is known of the scripts, with nobody between reading and writing.

    `evaluated`: the file scripts were evaluated at that time. `waits`, `done`: keys of scripts that wait from now on,
    or do no longer. Raises OSError when nothing could be written (TimeoutError: others kept the lock for `WAIT_MS`).
    """
    with _ours:
        at = system.descend(place, (FOLDER,), create=True)
        try:
            return _rewrite(at, change, iso(evaluated) if evaluated else "", waits, done)
        finally:
            system.close(at)


def note_evaluation(place: str, now: int) -> Status:
    """Note that the file scripts were evaluated."""
    return update(place, evaluated=now)


def keep(place: str, key: str, output: str) -> str:
    """Write the latest output of a script; its path."""
    data = output.encode("utf-8", "replace")
    if len(data) > LOG_LIMIT:
        half = LOG_LIMIT // 2
        data = data[:half] + f"\n[… {len(data) - LOG_LIMIT} bytes left out …]\n".encode() + data[-half:]
    at = system.descend(place, (FOLDER, OUTPUT), create=True)
    try:
        system.replace(f"{file_name(key)}.log", data, at=at)
    finally:
        system.close(at)
    return log_path(place, key)


def _after(before: Mapping[str, Any] | None, script: Script, outcome: Outcome, now: int, path: str) -> dict[str, Any]:
    """The status of a script after one more run."""
    known = before or {"runCount": 0, "failCount": 0, "consecutiveFailures": 0}
    failed = not outcome.ok
    return {
        "hookId": script.key,
        "hookName": script.name or script.path.rpartition("/")[2],
        "type": script.type,
        "lastRunAt": iso(now),
        "lastResult": "failure" if failed else "success",
        "lastExitCode": outcome.exit,
        "outputPath": path,
        "runCount": known["runCount"] + 1,
        "failCount": known["failCount"] + failed,
        "consecutiveFailures": known["consecutiveFailures"] + 1 if failed else 0,
        "lastDurationMs": round(outcome.ms),
    }


def record(place: str, script: Script, outcome: Outcome, now: int) -> dict[str, Any]:
    """Note one run: its output in the log, its result in `status.json`. Returns the script's new status.

    A run that we stopped because nobody wants it any more is no result: nothing is noted, {} returned.
    Raises OSError as `update` does.
    """
    if outcome.stopped:
        return {}
    path = keep(place, script.key, words(outcome))
    made: dict[str, Any] = {}

    def change(hooks: dict[str, dict[str, Any]]) -> None:
        made.update(_after(hooks.get(script.key), script, outcome, now, path))
        hooks[script.key] = made

    update(place, change)
    return made
