"""What of the project the session's intent lets a plan speak of: globs that its nodes' scopes have to lie in."""

from __future__ import annotations

from jackline.globs import base, covers, expand
from jackline.intents import active

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence


def scope_of(store: str, sid: str, root: str) -> tuple[str, ...]:
    """The globs of the active intent of a session, with what a person added; empty where none binds this project."""
    chosen = active(store, sid)
    if chosen is None or chosen.root != root:
        return ()
    return (*chosen.scope, *chosen.given)


def holds(scope: Sequence[str], glob: str) -> bool:
    """Whether a glob means only what an intent's globs hold; nothing binds where there are none."""
    start = base(glob) or "."
    return not scope or any(covers(one, glob) or covers(one, f"{start}/x") for given in scope for one in expand(given))
