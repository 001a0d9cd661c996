"""A word to the person, once per session, when we failed ourselves: a fault of ours never passes unseen."""

from __future__ import annotations

from jackline import stamps, system
from jackline.store import claims

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jackline.engine.run import Run
    from jackline.model import Verdict


def told(run: Run, verdict: Verdict) -> Verdict:
    """The verdict with a sentence for each report that was written since this session began, and was not told yet."""
    folder = run.store.path + "/crash"
    notes = []
    for name in system.names(folder):
        size, changed, _, _ = stamps.of(f"{folder}/{name}")
        mark = name.partition(".")[0]
        if size <= 0 or changed <= run.session.born or run.place is None:
            continue
        if claims.first(run.place, "once", f"crash-{mark}"):
            notes.append(f"Jackline failed [{mark}] and answered without judging: see {folder}/{name}")
    return verdict._replace(notes=(*verdict.notes, *notes)) if notes else verdict
