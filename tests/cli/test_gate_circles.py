"""No gate is circular: in every state that events lead to, for each client, a refusal names its command, this client
can run it now past every guard, and who does what refusals say, one after the other, gets through.

States are found by trying every event in every state found before.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

import pytest

from .circles import CLIENTS, PROBES, Client, Reached, prepared, reach, states
from .conftest import Desk

LETTER = {"reading": "lease", "small": "off"}
KNOBS: dict[str, dict[str, Any]] = {
    "free": {}, "explicit": {"start": "explicit"}, "pack": {"reading": "pack"}, "letter": LETTER,
}  # fmt: skip
WITH = {"intents": ("intents",), "packs": ("pack",), "validators": ("validators",)}
ALL = ("intents", "pack", "validators")
DEEP, LESS = 3, 2
"""Events that lead to a state, of the gate alone and with the others."""
CASES = [
    *[(name, knobs, "all", ALL, LESS) for name in CLIENTS for knobs in KNOBS],
    *[(name, knobs, "alone", (), DEEP) for name in CLIENTS for knobs in KNOBS],
    *[(name, [*KNOBS][(at + by) % len(KNOBS)], more, WITH[more], LESS)
      for at, name in enumerate(CLIENTS) for by, more in enumerate(WITH)],
]  # fmt: skip
"""Every client with every knob, with the features that the gate works with all off and all on; each of them alone."""


def _marks(case: tuple[str, str, str, tuple[str, ...], int]) -> tuple[pytest.MarkDecorator, ...]:
    """`make crash` has every client and knob once alone and once with all features; `make soak` has every pair."""
    name, knobs, kind, *_ = case
    at = [*CLIENTS].index(name), [*KNOBS].index(knobs)
    often = kind in ("alone", "all") and at[0] == at[1] % len(CLIENTS)
    return (pytest.mark.slow,) if often else (pytest.mark.slow, pytest.mark.soak)


def hold(
    desk: Desk, name: str, knobs: dict[str, Any], more: tuple[str, ...] = (), paths: Iterable[tuple[str, ...]] = (),
    probes: str = "", deep: int = 0,
) -> str:  # fmt: skip
    """Try everything in every state, or in these; the phases they were in."""
    prepared(desk, more)
    config = {"tool-gate": knobs, "context-pack": {"block": True}}
    (desk.home / ".config/jackline/config.json").write_text(json.dumps(config))
    client, phases, faults = Client(desk, name, more), set(), []
    for at in _reached(client, [*paths], deep):
        for probe in probes.split() or PROBES:
            client.back(at.kept)
            phases.add(str(client.task.get("phase")))
            try:
                PROBES[probe](client)
            except AssertionError as fault:
                faults.append((at.path, probe, fault.args))
    assert not faults, f"{len(faults)} faults\n" + "\n".join([str(one) for one in faults[:20]])
    return " ".join(sorted(phases))


def _reached(client: Client, paths: list[tuple[str, ...]], deep: int) -> Iterator[Reached]:
    if not paths:
        yield from states(client, deep)
    for path in paths:
        yield reach(client, path)


EVERY = "BLOCKED COMPLETE EXECUTING PLANNING UNINITIALIZED"
SOME = (
    (), ("_prompt",), ("_prompt", "_stuck"), ("_prompt", "_plan"), ("_prompt", "_plan", "_begin", "_stuck"),
    ("_prompt", "_pack", "_plan", "_cut"), ("_prompt", "_plan", "_done"),
)  # fmt: skip
"""A way to each phase, and to locked tools."""


@pytest.mark.parametrize(("name", "knobs", "probes"), [("claude-code", {}, "push"),
                         ("codex", LETTER, "write search")], ids=["free", "to the letter"])  # fmt: skip
def test_who_does_what_refusals_say_gets_through(desk: Desk, name: str, knobs: dict[str, Any], probes: str) -> None:
    assert hold(desk, name, knobs, (), SOME, probes) == EVERY


def test_nor_does_anybody_run_in_circles_between_features(desk: Desk) -> None:
    """With an intent that holds other places than the call, with a pack that is asked for, with a red validator."""
    paths = (("_select",), ("_vague", "_select"), ("_prompt", "_plan", "_begin", "_redden"), ("_redden", "_spent"))
    phases = hold(desk, "claude-code", LETTER, ALL, paths, "write search end finish")
    assert phases == "BLOCKED EXECUTING UNINITIALIZED"


@pytest.mark.parametrize("case", [pytest.param(one, marks=_marks(one), id="-".join(one[:3])) for one in CASES])
def test_in_every_state_for_each_client(desk: Desk, case: tuple[str, str, str, tuple[str, ...], int]) -> None:
    name, knobs, _, more, deep = case
    assert hold(desk, name, KNOBS[knobs], more, deep=deep) == EVERY
