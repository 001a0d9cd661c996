"""One event judged without a trace: the engine over a store that is not written, below a limit that forbids it."""

from __future__ import annotations

import importlib
import json
import os
import resource
import sys
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from jackline import host, system
from jackline.cli.parts import dryrun_states, payloads
from jackline.clients.names import dialect_of, event_of
from jackline.clients.router import receive
from jackline.clients.specs import SPECS
from jackline.compiler.bundle_modules import later_modules
from jackline.hook_table import HookSpec
from jackline.model import Action, Answer, Event
from jackline.processes import Process
from jackline.runtime import pipeline
from jackline.runtime.outcome import Outcome
from jackline.runtime.request import Request, Store
from jackline.shell.shell_state import TOLD
from jackline.store import crash

PROGRAMS = {
    name: one.signs.executables[0]
    for one in SPECS.values()
    if one.installed and one.signs.executables
    for name in (one.name, *one.aliases)
}
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
    "preview": "preview",
}


class Stuck(Exception):
    """A feature took the process with it, past everything that holds it."""


@cache
def warm() -> None:
    """Import what the entry point has at hand, so that a dry run is not cut by imports that it does not make."""
    for name in later_modules():
        importlib.import_module(name)


def _forbid() -> None:
    """Let no file of this process grow, nor of its children: what a feature writes by itself fails."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    sys.dont_write_bytecode = True
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):  # what a feature prints goes nowhere, as at the entry point
        os.dup2(nowhere, stream)


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


class Asked(NamedTuple):
    """One event to be judged, and where."""

    client: str
    event: str
    raw: bytes
    store: Path
    cwd: Path


def _request(asked: Asked) -> Request:
    program = PROGRAMS.get(asked.client, "")
    chain = (Process(1, 0, program, f"/usr/bin/{program}"),) if program else ()
    return Request(
        dialect=dialect_of(asked.client),
        event=asked.event,
        raw=asked.raw,
        env={name: value for name, value in host.environment().items() if name in TOLD},
        cwd=str(asked.cwd),
        uid=os.getuid(),
        ancestors=lambda: chain,
        now=host.now(),
        entropy=host.entropy(16),
        clock=host.clock,
        deadline=host.clock() + 60_000_000_000,
        home=host.home(),
        pid=host.pid(),
        timers=True,
    )


def _described(asked: Asked, outcome: Outcome) -> dict[str, Any]:
    client, event, verdict = asked.client, asked.event, outcome.verdict
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
            "by": list(verdict.by),
        },
        "actions": [{"feature": one.hook, "action": action(one.action), "ms": round(one.ms, 3)} for one in outcome.ran],
        "skipped": [{"feature": hook, "why": why} for hook, why in outcome.skipped],
        "hooks": dryrun_states.states(outcome),
        "faults": list(outcome.table.faults),
        "answer": {
            "exit": outcome.answer.exit,
            "stdout": outcome.answer.out.decode("utf-8", "replace"),
            "stderr": outcome.answer.err.decode("utf-8", "replace"),
        },
    }


def _judge(asked: Asked, tell: Callable[[dict[str, Any]], None]) -> None:
    """Judge one event and tell what it came to; when a feature hangs, from on top of it, and the process ends there."""
    request = _request(asked)
    outcome = pipeline.begin(request, Store(str(asked.store), dry=True), _nobody)

    def leave(row: HookSpec) -> None:
        pipeline.leave_behind(request, outcome, lambda _: tell(_described(asked, outcome)), row)

    outcome.leave = leave
    pipeline.go_on(request, outcome, _nobody)
    tell(_described(asked, outcome))


def _nobody(answer: Answer) -> None:
    """Where the answer of a dry run goes."""


def _plain(value: Mapping[str, Any] | None) -> dict[str, Any] | None:
    return None if value is None else dict(value)


def _inside(into: int, asked: Asked) -> None:
    """The child: judge, tell the parent, leave."""

    def tell(kind: str, value: Any) -> None:
        system.write_all(into, json.dumps({kind: value}, default=str).encode() + b"\n")

    try:
        _forbid()
        _judge(asked, lambda found: tell("outcome", found))
    except BaseException as fault:  # noqa: BLE001 - told to the parent, where it is our bug
        tell("fault", [type(fault).__name__, *crash.stack(fault)])
    finally:
        os._exit(0)


def read(asked: Asked) -> Event:
    """The event as the entry point would read it. Raises `payloads.Wrong` for what nobody could mean."""
    payloads.client(asked.client)
    name = payloads.event(asked.client, asked.event)
    return payloads.check(name, asked.raw, lambda: receive(_request(asked))[1])


def run(client: str, event: str, raw: bytes, store: Path, cwd: Path) -> dict[str, Any]:
    """What would happen to one event of `client`, as data. Raises `payloads.Wrong` for what nobody could mean.

    In a forked child: nothing of one dry run reaches the next, and limits that cannot be taken back bind it.
    """
    doubts = payloads.doubts(read(Asked(client, event, raw, store, cwd)))
    warm()
    out, into = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(out)
        _inside(into, Asked(client, event, raw, store, cwd))
    os.close(into)
    try:
        told = dict(item for line in system.drain(out).splitlines() for item in json.loads(line).items())
    finally:
        os.close(out)
        os.waitpid(child, 0)
    if "fault" in told:
        raise RuntimeError("; ".join(told["fault"]))
    if "outcome" not in told:
        raise Stuck("a feature ended the process that judged it; nothing is known of what it would have said")
    found: dict[str, Any] = told["outcome"]
    return found | {"doubts": doubts}
