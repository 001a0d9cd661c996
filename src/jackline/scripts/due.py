"""The session and file scripts that an event concerns: the root's, then those of sub-folders that bring some."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jackline.runtime.outcome import Outcome as Event
    from jackline.script import Script


def scripts(run: Event, kind: str) -> tuple[Script, ...]:
    """Those of one type, in their order."""
    own = run.table.scripts(kind)
    return own if run.around is None else (*own, *run.around.added.get(kind, ()))
