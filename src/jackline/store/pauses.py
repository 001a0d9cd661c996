"""Hooks a person switched off for some minutes: `pause.json` in the store. Hot: one failed open where there is none.

    {"v": 1, "pauses": [{"feature": "*", "until": 1740700600000, "since": …, "root": "/path"}]}

`feature` is a slug or `*`, `root` a project or "" for all of them, times are milliseconds since 1970.
"""

from __future__ import annotations

from jackline import system

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, NamedTuple
else:
    from jackline._record import NamedTuple

NAME = "pause.json"
FORMAT = 1
ALL = "*"


class Pause(NamedTuple):
    """One pause: whom it concerns, where, and until when."""

    feature: str
    until: int
    since: int = 0
    root: str = ""

    def concerns(self, root: str) -> bool:
        return self.root in ("", root)


def told(pause: Pause) -> dict[str, Any]:
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
    from jackline.wire import loads

    try:
        found = _read(loads(raw.decode("utf-8")))
    except (ValueError, RecursionError):
        return []
    return [one for one in found if one.until > now_ms and (root is None or one.concerns(root))]


def paused(store: str, root: str, now_ms: int) -> frozenset[str]:
    """The slugs that are paused in `root` now; `*` stands for every hook. Empty nearly always."""
    return frozenset([one.feature for one in load(store, now_ms, root)])


def save(store: str, pauses: list[Pause]) -> None:
    """Keep exactly these; no file when there are none. The caller asked a person first."""
    path = f"{store}/{NAME}"
    if not pauses:
        system.unlink(path)
        return
    from jackline.wire import dumps

    rows = [told(one) for one in sorted(pauses, key=lambda one: (one.root, one.feature))]
    system.replace(path, dumps({"v": FORMAT, "pauses": rows}).encode("ascii") + b"\n")


def words(pause: Pause, now_ms: int) -> str:
    """What a person reads wherever a pause lasts."""
    left = max((pause.until - now_ms + 59_999) // 60_000, 1)
    what = "every hook is" if pause.feature == ALL else f"{pause.feature} is"
    where = " everywhere" if not pause.root else ""
    return f"{what} paused{where} for {left} more minute{'s' if left > 1 else ''}"
