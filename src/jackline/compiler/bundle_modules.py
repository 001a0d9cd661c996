"""Which modules the entry point's bundle holds, in which order they run, and which of their places are told first."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from pathlib import Path

from jackline.compiler import derived
from jackline.compiler.rare_code import hotset
from jackline.compiler.registry import KNOWN, folder_of, is_on
from jackline.compiler.stable_marshal import dump
from jackline.compiler.units import Unit, lean, read

PACKAGE = Path(__file__).resolve().parent.parent
BOOT = "jackline.boot"
ROOT = "jackline.hook"

Later = dict[str, tuple[tuple[str, ...], int, int]]
"""Modules that are made when they are asked for: what they import, and their place in the second file."""

ROOMS = ("clients", "edits", "features", "intents", "mutation", "policy", "runners", "runtime", "shell", "store")
"""Rooms whose modules are all in the bundle: an event that needs a rare one finds it there, without a search."""

COLD = frozenset(
    (
        *(
            derived.FORM,
            "jackline.clients.specs",
            "jackline.clients.grades",
            "jackline.store.announce",
            "jackline.store.log_check",
            "jackline.store.session_index",
        ),
        "jackline.runners.landlock",
    )
)
"""Modules of those rooms that only the command line uses, or that import slow things."""

LIBRARY = (
    *("calls", "classification", "edits.", "features.", "globs", "intents.", "leaves", "mutation."),
    *("runners.", "sdk", "sensitive", "session_paths", "affected_paths", "shell."),
)
OF_FEATURES = tuple([f"jackline.{room}" for room in LIBRARY])
"""Modules that are asked for where a feature is: their places are told apart, and read then."""

OF_REFUSALS = (
    *(
        "jackline.clients.person_present",
        "jackline.runtime.fingerprint",
        "jackline.runtime.approval_summary",
        "jackline.runtime.stages.approvals",
    ),
    *("jackline.runtime.sanitize", "jackline.runtime.trace", "jackline.intents", "jackline.policy.refusal"),
    *("jackline.processes", "jackline.store.approvals", "jackline.store.authority", "jackline.store.grants"),
)
"""Modules that are asked for where something is refused, or a person is asked: their places are read then, too."""

SCRIPTS = ("answers", "detached", "environment", "deferred_output", "event", "running", "script_writes", "status")
"""Modules of the scripts' room that events with scripts need; the loops of the other types are loaded as they stand."""


def later_modules() -> tuple[str, ...]:
    """Modules the entry point makes when they are imported: dialects, features, and all rare roads."""
    found = ["jackline.globs", "jackline.session_paths", "jackline.processes", "jackline.script", "jackline.scripts"]
    found += ["jackline.calls", "jackline.classification", "jackline.git", "jackline.leaves", "jackline.patches"]
    found += ["jackline.sensitive", "jackline.affected_paths"]
    found += [f"jackline.scripts.{name}" for name in SCRIPTS]
    for room in ROOMS:
        for path in sorted((PACKAGE / room).rglob("*.py")):
            parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
            found.append(".".join(parts[:-1] if parts[-1] == "__init__" else parts))
    return tuple(name for name in found if name not in COLD)


def source_of(name: str) -> tuple[Path, bool] | None:
    base = PACKAGE.parent / name.replace(".", "/")
    if (base / "__init__.py").is_file():
        return base / "__init__.py", True
    path = base.with_suffix(".py")
    return (path, False) if path.is_file() else None


def every_unit() -> dict[str, Unit]:
    """Every hot module, by name."""
    found: dict[str, tuple[Path, bool, ast.Module]] = {}
    for name in (BOOT, ROOT, "jackline.site_paths", "jackline.views", *later_modules()):
        _follow(name, found)
    return {name: read(name, path, package, found, tree) for name, (path, package, tree) in found.items()}


def _follow(name: str, known: dict[str, tuple[Path, bool, ast.Module]]) -> None:
    """Note `name`, the packages above it, and all modules of ours it imports as it is made."""
    found = source_of(name)
    if found is None or name in known:
        return
    tree = derived.tree(name) if name in derived.DERIVED else lean(found[0])
    known[name] = (*found, tree)
    if "." in name:
        _follow(name.rpartition(".")[0], known)
    for node in tree.body:
        if isinstance(node, ast.ImportFrom) and node.module and node.module.split(".")[0] == "jackline":
            _follow(node.module, known)
            for alias in node.names:
                _follow(f"{node.module}.{alias.name}", known)


def order(names: tuple[str, ...], units: Mapping[str, Unit]) -> list[str]:
    """`names` and all that they import, each after what it imports."""
    made: dict[str, None] = {}
    under_way: set[str] = set()

    def add(name: str) -> None:
        if name not in under_way:
            under_way.add(name)
            for other in units[name].needs:
                add(other)
            made[name] = None

    for name in names:
        add(name)
    return list(made)


def eager() -> list[str]:
    """The modules that run with the entry point."""
    return order((BOOT, ROOT, "jackline.site_paths"), every_unit())


def modules_of(lines: Iterable[str], units: Mapping[str, Unit]) -> tuple[str, ...]:
    """The modules of functions, and those that hold values alone: each plain event loads one of them.

    Those of clients that nobody else's entries lead to are told with what comes later: there are many of them.
    """
    return tuple(sorted(({line.partition(":")[0] for line in lines} | derived.SHARED) & units.keys()))


def plain_of(lines: Iterable[str], units: Mapping[str, Unit]) -> set[str]:
    return set(order((BOOT, ROOT, "jackline.site_paths", *modules_of(lines, units)), units))


def plain() -> set[str]:
    """Modules that plain events need: those of their functions, and what these import; their places are told first."""
    return plain_of(hotset()[0], every_unit())


def _sort(name: str, plain: set[str]) -> tuple[bool, str]:
    """Whether plain events ask for a module, and what it is asked for: nothing special, a feature that is on by itself
    (or a refusal), one that a person switched on.
    """
    chosen = (*[f"jackline.features.{folder_of(slug)}." for slug in KNOWN if not is_on(slug)], "jackline.services")
    late = (*OF_FEATURES, *OF_REFUSALS)
    return name in plain, "chosen" if name.startswith(chosen) else "late" if name.startswith(late) else ""


def told(later: Later, asked: list[str], plain: set[str]) -> tuple[Later, list[bytes]]:
    """Where modules lie: what plain events ask for without a feature is told at once, the others in tables by need.

    Reading where a module lies costs about as much as a call, and plain events need a tenth of them. The last table
    is read first: plain events with features, then what has no feature, then features that a person switched on, then
    what refuses and what reads commands.
    """
    sorts: dict[tuple[bool, str], Later] = {}
    for name in asked:
        sorts.setdefault(_sort(name, plain), {})[name] = later[name]
    order = ((False, "late"), (False, "chosen"), (False, ""), (True, "chosen"), (True, "late"))
    return sorts.get((True, ""), {}), [dump(sorts[one]) for one in order if one in sorts]
