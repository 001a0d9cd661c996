"""Hand out the wiring of a root: fresh as it is, compiled anew when its inputs moved, the built-in one otherwise."""

from __future__ import annotations

from jackline import system
from jackline.store.ids import slot
from jackline.wiring import Wiring, builtin_wiring, fresh, load, path_of, restamp

LOCK_MS = 0
"""Who finds a stale wiring and no lock goes on with the last good one; another process is compiling."""


class Gate:
    """The wirings of one store. `compile_stale` False never writes: for dry runs."""

    __slots__ = ("compile_stale", "store")

    def __init__(self, store: str, *, compile_stale: bool = True) -> None:
        self.store = store
        self.compile_stale = compile_stale

    def wiring(self, root: str, name: str = "") -> Wiring:
        """The wiring of `root` (whose slot `name` a session remembers). Never raises: the built-in one at worst."""
        name = name or slot(root)
        path = path_of(self.store, name)
        found = load(path)
        if found is not None:
            state = fresh(found)
            if state == "fresh" or not self.compile_stale:
                return found
            if state == "restat":
                self._restamp(path, found, name)
                return found
        if not self.compile_stale:
            return self._compiled(root, write=False) or found or builtin_wiring(self.store)
        made = self._locked(root, name, wait_ms=LOCK_MS if found is not None else 2000)
        return made or found or builtin_wiring(self.store)

    def _restamp(self, path: str, found: Wiring, name: str) -> None:
        held = system.lock(f"{self.store}/wirings/{name}.lock", LOCK_MS)
        if held >= 0:
            try:
                restamp(path, found)
            except OSError:
                pass
            finally:
                system.close(held)

    def _locked(self, root: str, name: str, wait_ms: int) -> Wiring | None:
        """Compile under the slot's lock; look again first, another process may have done the work."""
        folder = f"{self.store}/wirings"
        try:
            system.make_dirs(folder)
        except OSError:
            return None
        held = system.lock(f"{folder}/{name}.lock", wait_ms)
        if held < 0:
            return load(path_of(self.store, name))
        try:
            found = load(path_of(self.store, name))
            if found is not None and fresh(found) == "fresh":
                return found
            return self._compiled(root, write=True)
        finally:
            system.close(held)

    def _compiled(self, root: str, *, write: bool) -> Wiring | None:
        """The slow road: the compiler is cold and imports what it likes."""
        from jackline.roots import open_roots

        open_roots()
        try:
            from jackline.compiler.write import compile_wiring, publish
        except ImportError as fault:
            self._report(fault)
            return None
        try:
            made = compile_wiring(root, self.store)
            if write:
                publish(made, self.store)
        except Exception as fault:  # noqa: BLE001 - a fault of ours keeps the last good wiring and is reported
            self._report(fault)
            return None
        wiring: Wiring = made.wiring
        return wiring

    def _report(self, fault: BaseException) -> None:
        from jackline import __version__
        from jackline.store.crash import report

        report(self.store, fault, {"where": "compile"}, __version__)
