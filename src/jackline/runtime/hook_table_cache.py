"""Hand out the hook table of a root: as it is, compiled anew when its inputs moved, the built-in one otherwise."""

from __future__ import annotations

from jackline.inputs import fresh
from jackline.wiring import load, path_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jackline.runtime.request import Store
    from jackline.wiring import Wiring


def hook_table(
    store: Store,
    root: str,
    slot: str = "",
    event: str = "",
    now: int = 0,
    turn: int = 0,
    found: Wiring | None = None,
) -> Wiring:
    """The hook table of `root` (a session remembers its slot) for `event`. Never raises: the built-in one at worst.

    `now`: wall nanoseconds, 0 where nothing is stamped anew; `turn`: a number that is another at every event; `found`:
    the table, where it was loaded already.
    """
    if not slot:
        from jackline.store.ids import slot as slot_of

        slot = slot_of(root)
    found = found or load(path_of(store.path, slot))
    if found is not None and fresh(found, event, now, turn) == "fresh":
        return found
    from jackline.runtime.recompile import renewed

    return renewed(store, root, slot, found, now)
