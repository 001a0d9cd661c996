"""Hand out the hook table of a root: as it is, compiled anew when its inputs moved, the built-in one otherwise."""

from __future__ import annotations

from jackline.hook_table import load, path_of
from jackline.staleness import fresh
from jackline.store.ids import slot

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jackline.hook_table import HookTable
    from jackline.runtime.request import Store


def hook_table(store: Store, root: str, now: int = 0) -> HookTable:
    """The hook table of a root that no session remembers. Never raises: the built-in one at worst.

    `now`: wall nanoseconds, 0 where nothing is stamped anew.
    """
    at = slot(root)
    found = load(path_of(store.path, at))
    seen = fresh(found, now=now) if found is not None else ""
    if found is not None and seen == "fresh":
        return found
    from jackline.runtime.recompile import renew

    return renew(store, root, at, found, now, seen)
