"""What does not compile, and so is in force as it was before: the person hears of it."""

from __future__ import annotations

from jackline.store import exclusive_files

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jackline.runtime.outcome import Outcome
    from jackline.runtime.request import Request

MOST = 2
"""Faults that are told one by one."""


def _untold(outcome: Outcome) -> list[str]:
    """The faults that no unit of the project is told for already."""
    places = [where for _, where, *_ in outcome.table.report()["units"]]
    return [fault for fault in outcome.table.faults if not fault.startswith(tuple(places))]


def run(request: Request, outcome: Outcome) -> None:
    """Say it at the first event that finds it, and at every start of a session."""
    found = _untold(outcome)
    if outcome.place is None or not found:
        return
    from _blake2 import blake2b

    said = "\n".join(found).replace(request.home or "\n", "~")
    mark = blake2b(said.encode("utf-8", "replace"), digest_size=8).hexdigest()
    if not exclusive_files.first(outcome.place, "once", f"faults-{mark}") and outcome.event.name != "SessionStart":
        return
    more = len(found) - MOST
    outcome.note(
        "a change of hooks or settings does not count, and what was in force before stays",
        *found[:MOST],
        *([f"{more} more faults · jackline compile"] if more > 0 else ()),
    )
