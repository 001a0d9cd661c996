"""The class of a change, as people and records read it."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal, NamedTuple

    Class = Literal["AST_REFACTOR", "INTENT_EVOLUTION", "UNKNOWN"]
else:
    from jackline._record import NamedTuple

REFACTOR: Class = "AST_REFACTOR"
EVOLUTION: Class = "INTENT_EVOLUTION"
UNKNOWN: Class = "UNKNOWN"


class Mutation(NamedTuple):
    """The class of a change, how sure that is (0 to 1), and by which signs."""

    kind: Class
    confidence: float
    signals: tuple[str, ...] = ()
