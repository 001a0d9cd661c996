"""What of the project the session's intent lets a plan speak of: globs that its nodes' scopes have to lie in."""

from __future__ import annotations

from jackline.globs import base, covers, expand
from jackline.intents import active
from jackline.services import compiled
from jackline.store import tasks

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from jackline.services.plans.acceptance import Where


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


# --- the context pack ----------------------------------------------------------------------------------------------


def keeps_to_pack(store: str, root: str) -> bool:
    """Whether the project holds scopes to the context pack."""
    return any(row.get("scopes") == "pack" for row in compiled.read(store, root, "plans")[1])


def packed(where: Where) -> tuple[str, ...] | None:
    """The files that scopes have to keep to, where the project holds them to the task's context pack (knob `scopes` of
    plan-graph): its own, and those that were added by name. None where it does not.
    """
    if not keeps_to_pack(where.store, where.root):
        return None
    from jackline.services import context_pack

    task = tasks.read(where.store, where.sid, where.work)
    pack = context_pack.Where(where.store, where.root, where.sid, where.work, where.folder)
    items = context_pack.document(pack).get("items", ()) if (task.get("context") or {}).get("hash") else ()
    return (*[str(one) for one in context_pack.choices(task).get("more", ())], *[str(one["path"]) for one in items])


def files(root: str) -> tuple[str, ...]:
    """The files of the project that git does not ignore; none where they cannot be told."""
    from jackline.services.validators import content

    try:
        return tuple(sorted(content.look(root)))
    except content.Unknown:
        return ()


def beyond(glob: str, pack: Sequence[str], there: Sequence[str]) -> list[str]:
    """The files that are there, that a glob holds and a pack does not."""
    return [one for one in there if covers(glob, one) and not any(covers(known, one) for known in pack)]
