"""A person hears once a session that we failed: a sentence for each report in the store."""

from __future__ import annotations

from jackline import file_stat, system
from jackline.store import exclusive_files

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jackline.runtime.outcome import Outcome
    from jackline.runtime.request import Request


def _is_behind(path: str) -> bool:
    """Whether a report is of work that no answer waits for."""
    try:
        line = system.read(path, limit=1 << 16).partition(b"\n")[0]
    except OSError:
        return False
    return b'"where":"detached"' in line or b'"where":"validator ' in line


def run(request: Request, outcome: Outcome) -> None:
    """Add a sentence for each report that was written since this session began, and was not told yet."""
    folder = outcome.store.path + "/crash"
    notes = []
    for name in system.names(folder):
        size, changed, _, _ = file_stat.of(f"{folder}/{name}")
        mark = name.partition(".")[0]
        if size <= 0 or changed <= outcome.session.born or outcome.place is None:
            continue
        if exclusive_files.first(outcome.place, "once", f"crash-{mark}"):
            how = "in the background" if _is_behind(f"{folder}/{name}") else "and answered without judging"
            notes.append(f"Jackline failed [{mark}] {how}: see {folder}/{name}")
    outcome.note(*notes)
