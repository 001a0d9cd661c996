"""What a walk over a command found, as the answer that the guards are given."""

from __future__ import annotations

from jackline.shell.model import Effect, Effects

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jackline.shell.walk import Walk


def answer(walk: Walk, whole: bool, *, own: bool = False) -> Effects:
    """What was found; `own`: of it what texts of this session do."""
    why = "; ".join([why for why, source in walk.faults.items() if source or not own]) if walk.faults else ""
    found = tuple([one for one in walk.effects.values() if one.source] if own else walk.effects.values())
    if why and not any(effect.kind == "unknown" for effect in found):
        found = (*found, Effect("unknown", note=why))
    commands = tuple([one for one in walk.commands if one.source] if own else walk.commands)
    return Effects(tuple(found), commands, not why, why, whole, () if own else tuple(walk.texts))
