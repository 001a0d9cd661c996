"""Hand out the wiring of a root: fresh as it is, compiled anew when its inputs moved, the built-in one otherwise."""

from __future__ import annotations

from jackline.inputs import fresh
from jackline.wiring import load, path_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NamedTuple

    from jackline.wiring import Wiring
else:
    from jackline._record import NamedTuple


class Store(NamedTuple):
    """The user's store as a run sees it. `dry`: nothing is written, neither there nor in the tree."""

    path: str
    dry: bool = False

    def wiring(self, root: str, slot: str = "", event: str = "") -> Wiring:
        """The wiring of `root` (a session remembers its slot) for `event`. Never raises: the built-in one at worst."""
        if not slot:
            from jackline.store.ids import slot as slot_of

            slot = slot_of(root)
        found = load(path_of(self.path, slot))
        if found is not None and fresh(found, event) == "fresh":
            return found
        from jackline.engine.stale import renewed

        return renewed(self, root, slot, found)
