"""What runs where nothing was compiled: the features Jackline brings along, as they are by default."""

from __future__ import annotations

import marshal

from jackline import site_paths, system
from jackline.feature_table import FEATURES
from jackline.hook_table import HookSpec, HookTable, load, path_of
from jackline.staleness import pack_stamps
from jackline.version import VERSION

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

BUDGETS = {"PreToolUse": 300, "PostToolUse": 500, "SessionStart": 5000, "Stop": 5000}
"""Milliseconds for features (contract section 8.2); every other event has `table.OTHER_BUDGET`."""

BUILTIN = tuple([one for one in FEATURES if one.get("default_on")])
"""What runs when nothing was compiled."""
REWRITE_OWNER: str = next(one["name"] for one in BUILTIN if one.get("rewrite_owner"))
"""The built-in feature that declares itself the owner of rewrites."""


def module_of(slug: str) -> str:
    """Where a built-in feature lives: the slug in lower case with `_`, `planGraph-exec` → `plan_graph_exec`."""
    folder = "".join(["_" + char.lower() if char.isupper() else char for char in slug])
    return f"jackline.features.{folder.replace('-', '_').lstrip('_')}.hook"


def _defaults(slug: str) -> dict[str, Any]:
    from jackline import jsonio

    folder = module_of(slug).split(".")[-2]
    for base in site_paths.take("jackline.features").__path__:
        try:
            found = jsonio.loads(system.read(f"{base}/{folder}/defaults.json").decode())
        except (OSError, ValueError):
            continue
        if isinstance(found, dict):
            return found
    return {}


def _row(one: dict[str, Any]) -> HookSpec:
    slug = one["name"]
    return HookSpec(
        slug,
        one["priority"],
        one.get("hot_path_safe", True),
        bool(one.get("critical")),
        supports=one["supports"],
        module=module_of(slug),
        config=_defaults(slug),
        state=one.get("state", ()),
        stamps=one.get("stamps", False),
        needs=one.get("needs", ()),
        triggers=one.get("triggers", ()),
    )


def _plain_body() -> dict[str, Any]:
    rows = [_row(one) for one in BUILTIN]
    events: dict[str, tuple[str, ...]] = {}
    for row in rows:
        for event in row.supports:
            events[event] = (*events.get(event, ()), row.slug)
    return {
        "digest": "",
        "trusted": False,
        "strict": False,
        "budgets": BUDGETS,
        "enforcePhases": False,
        "rewriteOwner": REWRITE_OWNER,
        "gc": {"maxAgeDays": 7, "maxSessions": 20},
        "prompts": "hash",
        "preset": "default",
        "workspace": {},
        "phasePolicy": {},
        "events": events,
        "features": {row.slug: marshal.dumps((*row,)) for row in rows},  # type: ignore[arg-type]
        "scripts": {},
        "guidance": marshal.dumps(()),
        "told": (),
        "places": (),
        "holds": (),
        "report": marshal.dumps(
            {"skipped": (), "scripts": (), "declared": {}, "warnings": (), "units": (), "copies": (), "layers": {}}
        ),
    }


def builtin_table(store: str, build: str = VERSION) -> HookTable:
    """The built-in features alone, for where nothing is compiled: `wirings/builtin.bin`, or made here."""
    found = load(path_of(store, "builtin"), build)
    return found or HookTable(("", 0, 0, pack_stamps(()), (), (), build, (), ()), _plain_body())
