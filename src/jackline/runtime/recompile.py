"""A missing or stale hook table is restamped or compiled under its lock, or the last good one goes on (section 5)."""

from __future__ import annotations

from jackline import system
from jackline.builtin import builtin_table
from jackline.hook_table import load, path_of
from jackline.runtime.request import Store
from jackline.site_paths import ROOTS, open_roots, take
from jackline.staleness import fresh, restamp
from jackline.store.format import newer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal

    from jackline.hook_table import HookTable
    from jackline.staleness import Freshness

FIRST_MS = 2000
"""How long a new worktree's first events wait for whoever compiles; later ones go on with the last good hook table."""
SCRIPTS_MS = 3000
"""How long events wait whose scripts cannot run any more as the last good hook table has them."""
BRIEF = ("SessionEnd", "Interrupt")
"""Events whose clients wait a second or two, and at which no script judges."""


def renew(
    store: Store,
    root: str,
    slot: str,
    found: HookTable | None,
    now: int = 0,
    seen: Freshness | Literal[""] = "",
    event: str = "",
) -> HookTable:
    """What to run with now. Dry runs write nothing. `seen`: what `fresh` said of `found`, where that was asked."""
    if found is not None and not seen:
        seen = fresh(found, now=now)
    if store.dry or newer(store.path):
        store = Store(store.path, dry=True)
        stale = found is None or seen == "stale"
        return (_compiled(store, root, found) if stale else None) or found or builtin_table(store.path)
    if found is not None and seen == "restat":
        _restamp(store, slot, found, now)
        return found
    made = _locked(store, root, slot, found, event)
    return made or found or builtin_table(store.path)


def _runs(found: HookTable, event: str) -> bool:
    """Whether a hook table's scripts can still run: it holds the code of features, of scripts only the place."""
    from jackline.script import TYPES
    from jackline.staleness import content

    scripts = [one for name in (event, *TYPES) for one in found.scripts(name)]
    return event in BRIEF or all(content(one.path) == one.digest[:16] for one in scripts)


def _lock(store: Store, slot: str, wait_ms: int) -> int:
    folder = f"{store.path}/wirings"
    try:
        system.make_dirs(folder)
    except OSError:
        return -1
    return system.lock(f"{folder}/{slot}.lock", wait_ms)


def _restamp(store: Store, slot: str, found: HookTable, now: int) -> None:
    held = _lock(store, slot, 0)
    if held >= 0:
        try:
            restamp(path_of(store.path, slot), found, now)
        except OSError:
            pass
        finally:
            system.close(held)


def _locked(store: Store, root: str, slot: str, stale: HookTable | None, event: str) -> HookTable | None:
    """Compile under the slot's lock; look again first, another process may have done the work."""
    held = _lock(store, slot, FIRST_MS if stale is None else 0)
    path = path_of(store.path, slot)
    waits = held < 0 and stale is not None and not _runs(stale, event)
    if waits:
        held = _lock(store, slot, SCRIPTS_MS)
    if held < 0:
        found = load(path)
        if not waits or (found is not None and fresh(found) == "fresh"):
            return found
        return _compiled(
            Store(store.path, dry=True), root, stale
        )  # whoever compiles takes too long: for this event alone
    try:
        found = load(path)
        is_new = found is not None and (stale is None or found.built != stale.built)
        if found is not None and is_new and fresh(found) == "fresh":
            return found
        return _compiled(store, root, found or stale)
    finally:
        system.close(held)


def _as_before(store: Store, good: HookTable | None, fault: Exception) -> HookTable:
    """The last good hook table (without one, the built-in), which says why nothing newer is in force."""
    table = good or builtin_table(store.path)
    if isinstance(fault, ImportError) and not [one for one in ROOTS if system.exists(f"{one}/jackline/compiler")]:
        cure = f"install Jackline again, or switch it off: remove {store.path}/bin/python"
        said = f"Jackline's package is gone: nothing can be compiled · {cure}"
    else:
        _report(store, fault, "compile")
        said = f"Jackline itself failed to compile them ({type(fault).__name__}) · jackline compile"
    table.faults = (said,)
    return table


def _compiled(store: Store, root: str, good: HookTable | None) -> HookTable:
    """The slow road: the compiler is cold and imports what it likes. A fault of ours keeps the last good hook table."""
    open_roots()
    try:
        made = take("jackline.compiler.write").compile_table(root, store.path, again=True)
        table: HookTable = made.table
    except Exception as fault:  # noqa: BLE001 - reported, and the last good hook table goes on
        return _as_before(store, good, fault)
    if not store.dry:
        try:
            take("jackline.compiler.write").publish(made, store.path)
            _notice(store, root)
            from jackline.runtime.project_sync import follow

            follow(table, store.path)
        except Exception as fault:  # noqa: BLE001 - what was compiled holds for this event all the same
            _report(store, fault, "publish")
    return table


def _report(store: Store, fault: Exception, where: str) -> None:
    from jackline.store.crash import report
    from jackline.version import VERSION

    if not store.dry:
        report(store.path, fault, {"where": where}, VERSION)


def _notice(store: Store, root: str) -> None:
    """Notice and restore: entries of ours that were changed or removed come back, and a person hears of it.

    Where a project's own file changed (a branch without it was checked out, say), they come back without an alarm.
    """
    if not system.exists(store.path + "/installs.json"):
        return
    path = take("pathlib").Path
    take("jackline.install.notice").notice(path(store.path), path(root))
