"""What a call would change in files, and what sort of change it is: the texts before and after, a preview, a class.

A library room, cold: nothing of it loads before somebody asks. Nothing here raises, and nothing here decides; the
answers are for people who are asked, for logs and for guards that compare texts (the engine, step 3).
"""

from __future__ import annotations

from jackline.mutation.model import EVOLUTION, REFACTOR, UNKNOWN, Mutation, Proposed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jackline.model import Event

__all__ = ["EVOLUTION", "REFACTOR", "UNKNOWN", "Mutation", "Proposed", "classify", "preview", "proposed"]


def proposed(event: Event) -> tuple[Proposed, ...]:
    """The texts of every file that a call would change, before it and after it."""
    from jackline.mutation.texts import texts

    return texts(event)


def preview(event: Event, lines: int = 20) -> list[str]:
    """At most `lines` lines of a unified diff of what a call would change; secrets masked, controls escaped."""
    from jackline.mutation.shown import shown

    return shown(event, lines)


def classify(event: Event) -> Mutation:
    """Whether a call arranges code otherwise, changes what it does, or cannot be told; how sure, and by which signs."""
    from jackline.mutation.changes import of_event

    return of_event(event)
