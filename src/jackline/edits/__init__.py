"""What a call would write into files: the texts before it and after it, and a preview of the difference.

A library room, cold: nothing of it loads before somebody asks. Nothing here raises; guards compare these texts, and
people who are asked see them.
"""

from __future__ import annotations

from jackline.edits.model import Proposed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jackline.model import Event

__all__ = ["Proposed", "preview", "proposed"]


def proposed(event: Event) -> tuple[Proposed, ...]:
    """The texts of every file that a call would change, before it and after it."""
    from jackline.edits.texts import texts

    return texts(event)


def preview(event: Event, lines: int = 20) -> list[str]:
    """At most `lines` lines of a unified diff of what a call would change; secrets masked, controls escaped."""
    from jackline.edits import diff

    return diff.preview(event, lines)
