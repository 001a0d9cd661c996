"""What sort of change a call makes: its syntax trees stay equal, they do not, or there are none to compare.

A library room, cold: nothing of it loads before somebody asks. Nothing here raises, and nothing here decides; the class
is a word for people who are asked, and for records.
"""

from __future__ import annotations

from jackline.mutation.model import EVOLUTION, REFACTOR, UNKNOWN, Mutation

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jackline.model import Event

__all__ = ["EVOLUTION", "REFACTOR", "UNKNOWN", "Mutation", "classify"]


def classify(event: Event) -> Mutation:
    """Whether a call arranges code otherwise, changes what it does, or cannot be told; how sure, and by which signs."""
    from jackline.mutation.changes import of_event

    return of_event(event)
