"""Hand out the hook table of a root: as it is, compiled anew when its inputs moved, the built-in one otherwise."""

from __future__ import annotations

from jackline.inputs import fresh
from jackline.store.ids import slot
from jackline.wiring import load, path_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jackline.runtime.request import Store
    from jackline.wiring import Wiring


def hook_table(store: Store, root: str, now: int = 0) -> Wiring:
    """The hook table of a root that no session remembers. Never raises: the built-in one at worst.

    `now`: wall nanoseconds, 0 where nothing is stamped anew.
    """
    at = slot(root)
    found = load(path_of(store.path, at))
    seen = fresh(found, now=now) if found is not None else ""
    if found is not None and seen == "fresh":
        return found
    from jackline.runtime.recompile import renewed

    return renewed(store, root, at, found, now, seen)
