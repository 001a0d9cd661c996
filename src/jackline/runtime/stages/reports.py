"""A person hears once a session that we failed: a sentence for each report in the store."""

from __future__ import annotations

from jackline import stamps, system
from jackline.store import claims

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jackline.runtime.outcome import Outcome
    from jackline.runtime.request import Request


def run(request: Request, outcome: Outcome) -> None:
    """Add a sentence for each report that was written since this session began, and was not told yet."""
    folder = outcome.store.path + "/crash"
    notes = []
    for name in system.names(folder):
        size, changed, _, _ = stamps.of(f"{folder}/{name}")
        mark = name.partition(".")[0]
        if size <= 0 or changed <= outcome.session.born or outcome.place is None:
            continue
        if claims.first(outcome.place, "once", f"crash-{mark}"):
            notes.append(f"Jackline failed [{mark}] and answered without judging: see {folder}/{name}")
    outcome.note(*notes)
