"""The manifest of a task's validators: what each node names, what runs by path, and what nobody trusted."""

from __future__ import annotations

from jackline import system
from jackline.jsonio import dumps
from jackline.sdk import allow
from jackline.services import artifacts
from jackline.services.plans import acceptance, submission
from jackline.services.validators import node as nodes
from jackline.session_paths import task_parts, task_ref

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from jackline.model import Action
    from jackline.script import Script
    from jackline.sdk import Context
    from jackline.services.plans.acceptance import Where
    from jackline.services.plans.document import Node
    from jackline.services.validators.listing import Listed, Validator

KIND = "validator_manifest"
FOLDER = "validators"
FILE = "manifest.json"


def _of_node(rows: Sequence[Validator], one: Node) -> dict[str, Any]:
    made: dict[str, Any] = {"id": one.id, "validators": [row.id for row in rows if not row.spoken]}
    if one.commands:
        made["commands"] = [[*words] for words in one.commands]
    unknown = nodes.unknown(rows, one)
    if unknown:
        made["unknown"] = unknown
    if one.gate:
        lease = {"paths": [*(one.paths or one.scopes)], "tools": [*(one.lends or one.tools)], "minutes": one.minutes}
        made |= {"toolGateId": one.gate, "lease": lease}
    return made


def _of_row(one: Validator) -> dict[str, Any]:
    made = {"id": one.id, "command": [*one.command], "paths": [*one.paths], "when": one.when, "timeout": one.timeout}
    return {**made, "needs": [*one.needs], "baseline": one.baseline, "digest": one.digest}


def _of_script(one: Validator, script: Script) -> dict[str, Any]:
    return {"id": one.id, "pattern": [*script.pattern], "exclude": [*script.exclude], "digest": one.digest}


def document(where: Where, known: Listed, fingerprint: str) -> bytes:
    """The manifest, the same bytes for the same plan and rows."""
    plan = acceptance.accepted(where)
    named = [(one, nodes.named(where, known, one)) for one in plan.nodes]
    scripts = {row.id: _of_script(row, row.script) for _, rows in named for row in rows if row.script is not None}
    made = {
        "version": 1,
        "plan": fingerprint,
        "nodes": [_of_node(rows, one) for one, rows in named],
        "rules": [_of_row(one) for one in known.rows],
        "scripts": [scripts[name] for name in sorted(scripts)],
    }
    return dumps(made).encode("ascii") + b"\n"


def made(where: Where, known: Listed, fingerprint: str, ctx: Context) -> Action | None:
    """Write and announce the manifest of an accepted plan, where it is another than the state knows."""
    data = document(where, known, fingerprint)
    ref = task_ref(where.work, FOLDER, FILE)
    mark = artifacts.content_hash(data)
    if (ctx.state.get("validators") or {}).get("hash") == mark:
        return None
    at = system.descend(ctx.session_root, task_parts(where.work, FOLDER), create=True)
    try:
        system.replace(FILE, data, at=at)
        system.replace("hash", mark.encode() + b"\n", at=at)
    finally:
        system.close(at)
    summary, depends = f"{len(known.rows)} validators", [submission.place(where.work)]
    entry = artifacts.described(KIND, ref, data, summary=summary, depends=depends)
    patch = {"validators": {"manifestRef": ref, "hash": mark}}
    return allow()._replace(register_artifacts=(entry,), state_patch=patch)
