"""What runs where nothing was compiled: the features Jackline brings along, as they are by default."""

from __future__ import annotations

import marshal

from jackline import roots, system
from jackline.inputs import packed
from jackline.model import EVENTS
from jackline.version import VERSION
from jackline.wiring import Row, Wiring, load, path_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

BUDGETS = {"PreToolUse": 300, "PostToolUse": 500, "SessionStart": 5000, "Stop": 5000}
"""Milliseconds for features (contract section 8.2); every other event has `wiring.OTHER_BUDGET`."""

BUILTIN = (
    ("session", 0, True, True, EVENTS, ("cap", "core"), True, (), ()),
    ("self-protect", 1, True, True, ("PreToolUse",), (), False, ("tampering",), ()),
    ("graph-pretooluse", 10, True, True, ("PreToolUse",), (), False, (), ()),
    ("command-guard", 11, True, True, ("PreToolUse",), (), False, (), ()),
    ("planGraph-exec", 20, True, False, ("PreToolUse",), ("plan",), False, (), ("refused_again",)),
)
"""Slug, priority, hotPathSafe, critical, events, state, stamps, needs, triggers of what runs when nothing was compiled,
as the features declare it (held by tests/compiler)."""
REWRITE_OWNER = "planGraph-exec"
"""The built-in feature that declares itself the owner of rewrites (likewise)."""


def module_of(slug: str) -> str:
    """Where a built-in feature lives: the slug in lower case with `_`, `planGraph-exec` → `plan_graph_exec`."""
    folder = "".join(["_" + char.lower() if char.isupper() else char for char in slug])
    return f"jackline.features.{folder.replace('-', '_').lstrip('_')}.hook"


def _defaults(slug: str) -> dict[str, Any]:
    from jackline import wire

    folder = module_of(slug).split(".")[-2]
    for base in roots.take("jackline.features").__path__:
        try:
            found = wire.loads(system.read(f"{base}/{folder}/defaults.json").decode())
        except (OSError, ValueError):
            continue
        if isinstance(found, dict):
            return found
    return {}


def _plain_body() -> dict[str, Any]:
    rows = [
        Row(
            slug,
            priority,
            hot,
            critical,
            supports=supports,
            module=module_of(slug),
            config=_defaults(slug),
            state=state,
            stamps=stamps,
            needs=needs,
            triggers=triggers,
        )
        for slug, priority, hot, critical, supports, state, stamps, needs, triggers in BUILTIN
    ]
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


def builtin_wiring(store: str, build: str = VERSION) -> Wiring:
    """The built-in features alone, for where nothing is compiled: `wirings/builtin.bin`, or made here."""
    found = load(path_of(store, "builtin"), build)
    return found or Wiring(("", 0, 0, packed(()), (), (), build, (), ()), _plain_body())
