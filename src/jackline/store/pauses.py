"""Hooks a person switched off for some minutes: `pause.json` in the store. Hot: one failed open where there is none.

    {"v": 1, "pauses": [{"feature": "*", "until": 1740700600000, "since": …, "root": "/path"}]}

`feature` is a slug or `*`, `root` a project or "" for all of them, times are milliseconds since 1970.
"""

from __future__ import annotations

from jackline import system
from jackline.site_paths import open_roots, take

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, NamedTuple
else:
    from jackline._record import NamedTuple

NAME = "pause.json"
FORMAT = 1
ALL = "*"
WAIT_MS = 50


class Pause(NamedTuple):
    """One pause: whom it concerns, where, and until when."""

    feature: str
    until: int
    since: int = 0
    root: str = ""

    def concerns(self, root: str) -> bool:
        return self.root in ("", root)


def to_dict(pause: Pause) -> dict[str, Any]:
    """A pause as it stands on disk."""
    return {"feature": pause.feature, "until": pause.until, "since": pause.since, "root": pause.root}


def _read(raw: object) -> list[Pause]:
    """The pauses in a file's content; what does not look like one pauses nothing."""
    found = []
    if isinstance(raw, dict) and raw.get("v") == FORMAT and isinstance(raw.get("pauses"), list):
        for one in raw["pauses"]:
            if isinstance(one, dict):
                pause = Pause(one.get("feature", ""), one.get("until", 0), one.get("since", 0), one.get("root", ""))
                if [type(value) for value in pause] == [str, int, int, str] and pause.feature:
                    found.append(pause)
    return found


def load(store: str, now_ms: int, root: str | None = None) -> list[Pause]:
    """The pauses that last now (with `root`: those that concern it). An unreadable file pauses nothing."""
    try:
        raw = system.read(f"{store}/{NAME}", limit=1 << 16)
    except OSError:
        return []
    from jackline.jsonio import loads

    try:
        found = _read(loads(raw.decode("utf-8")))
    except (ValueError, RecursionError):
        return []
    return [one for one in found if one.until > now_ms and (root is None or one.concerns(root))]


def settle(store: str, now_ms: int) -> None:
    """Take out of the file what is over; whoever comes first says so in the logs, as of when it was over."""
    if len(load(store, 0)) == len(load(store, now_ms)):
        return
    held = system.lock(f"{store}/{NAME}.lock", WAIT_MS)
    if held < 0:
        return
    try:
        found = load(store, 0)
        save(store, [one for one in found if one.until > now_ms])
    finally:
        system.close(held)
    for one in found:
        if one.until <= now_ms:
            end(store, one, "kernel", one.until)


def end(store: str, pause: Pause, by: str, now_ms: int) -> None:
    """Say in the logs that a pause is over."""
    open_roots()
    data = {**to_dict(pause), "at": now_ms}
    take("jackline.store.announce").announce(
        store, "PAUSE_END", by, end_message(pause, now_ms), data, root=pause.root, now=now_ms * 1_000_000
    )


def paused_slugs(store: str, root: str, now_ms: int) -> frozenset[str]:
    """The slugs that are paused in `root` now; `*` stands for every hook. Empty nearly always."""
    return frozenset([one.feature for one in load(store, now_ms, root)])


def save(store: str, pauses: list[Pause]) -> None:
    """Keep exactly these; no file when there are none. The caller asked a person first."""
    path = f"{store}/{NAME}"
    if not pauses:
        system.unlink(path)
        return
    from jackline.jsonio import dumps

    rows = [to_dict(one) for one in sorted(pauses, key=lambda one: (one.root, one.feature))]
    system.replace(path, dumps({"v": FORMAT, "pauses": rows}).encode("ascii") + b"\n")


def _minutes(millis: int) -> str:
    count = max((millis + 59_999) // 60_000, 1)
    return f"{count}{{}} minute{'s' if count > 1 else ''}"


def _what(pause: Pause) -> tuple[str, str]:
    from jackline.feature_names import shown

    return "every hook" if pause.feature == ALL else shown(pause.feature), " everywhere" if not pause.root else ""


def words(pause: Pause, now_ms: int) -> str:
    """What a person reads wherever a pause lasts."""
    what, where = _what(pause)
    return f"{what} is paused{where} for {_minutes(pause.until - now_ms).format(' more')}"


def begin_message(pause: Pause) -> str:
    """What the log says of a pause."""
    what, where = _what(pause)
    return f"{what} paused{where} for {_minutes(pause.until - pause.since).format('')}"


def end_message(pause: Pause, now_ms: int) -> str:
    """What the log says of its end."""
    what, where = _what(pause)
    return f"{what} in force again{where}: " + ("the time was up" if pause.until <= now_ms else "ended by hand")
