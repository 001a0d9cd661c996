"""One event judged without a trace: the engine over a store that is not written, below a limit that forbids it."""

from __future__ import annotations

import os
import resource
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from jackline import engine, system
from jackline.adapters import SPEAKS, dialect_of, event_of
from jackline.engine.gate import Store
from jackline.model import Action, Answer, Call
from jackline.processes import Process

PROGRAMS = {"claude-code": "claude", "codex": "codex", "copilot-cli": "copilot", "copilot": "copilot", "vscode": "code"}
"""What the client's process would be called: it settles which client a bare payload comes from."""

ON_DISK = {
    "decision": "decision",
    "reason": "reason",
    "rule": "rule",
    "safer": "safer",
    "code": "code",
    "risk": "risk",
    "updated_input": "updatedInput",
    "input_metadata": "inputMetadata",
    "additional_context": "additionalContext",
    "state_patch": "statePatch",
    "emit_events": "emitEvents",
    "register_artifacts": "registerArtifacts",
    "warnings": "warnings",
    "metrics": "metrics",
}

NAMES = tuple(sorted(SPEAKS))
"""Clients and dialects that can be tried."""


@contextmanager
def forbidden() -> Iterator[None]:
    """Let no file of this process grow, nor of its children: what a feature writes by itself fails."""
    old = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, old[1]))
    bytecode, sys.dont_write_bytecode = sys.dont_write_bytecode, True
    try:
        yield
    finally:
        sys.dont_write_bytecode = bytecode
        resource.setrlimit(resource.RLIMIT_FSIZE, old)


def _pairs(context: tuple[tuple[str, str], ...]) -> list[dict[str, str]]:
    return [{"key": key, "value": value} for key, value in context]


def action(given: Action) -> dict[str, Any]:
    """An action as it stands on disk: only what it says."""
    made: dict[str, Any] = {}
    for name, key in ON_DISK.items():
        value = getattr(given, name)
        if value:
            made[key] = (
                _pairs(value) if name == "additional_context" else list(value) if type(value) is tuple else value
            )
    return made


def _call(client: str, event: str, raw: bytes, cwd: Path) -> Call:
    program = PROGRAMS.get(client, "")
    chain = (Process(1, 0, program, f"/usr/bin/{program}"),) if program else ()
    return Call(
        dialect=dialect_of(client),
        event=event,
        raw=raw,
        env={},
        cwd=str(cwd),
        uid=os.getuid(),
        ancestors=lambda: chain,
        now=system.now(),
        entropy=system.entropy(16),
        clock=system.clock,
        deadline=system.clock() + 60_000_000_000,
    )


def run(client: str, event: str, raw: bytes, store: Path, cwd: Path) -> dict[str, Any]:
    """What would happen to one event of `client`, as data. KeyError for a client nobody speaks for."""
    if not dialect_of(client):
        raise KeyError(client)
    answered: list[Answer] = []
    with forbidden():
        outcome = engine.answer(_call(client, event, raw, cwd), Store(str(store), dry=True), answered.append)
    verdict = outcome.verdict
    return {
        "client": outcome.event.client or client,
        "dialect": dialect_of(client),
        "event": event_of(client, event) or event,
        "verdict": {
            "decision": verdict.decision or "allow",
            "reason": verdict.reason,
            "updatedInput": _plain(verdict.updated_input),
            "inputMetadata": _plain(verdict.input_metadata),
            "additionalContext": _pairs(verdict.context),
        },
        "actions": [{"feature": one.hook, "action": action(one.action), "ms": round(one.ms, 3)} for one in outcome.ran],
        "skipped": [{"feature": hook, "why": why} for hook, why in outcome.skipped],
        "answer": {
            "exit": outcome.answer.exit,
            "stdout": outcome.answer.out.decode("utf-8", "replace"),
            "stderr": outcome.answer.err.decode("utf-8", "replace"),
        },
    }


def _plain(value: Mapping[str, Any] | None) -> dict[str, Any] | None:
    return None if value is None else dict(value)
