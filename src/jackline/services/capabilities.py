"""What a person switches on by one word: each capability with its flag, and what is offered along with it.

Which features it consists of, they declare themselves (`enabled_with`).
"""

from __future__ import annotations

from jackline.feature_table import FEATURES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal, NamedTuple

    State = Literal["off", "lenient", "strict"]
    """In a manifest: `enabled: false`; `enabled: true` with `mode: warn`; `enabled: true` with `mode: enforce`."""
else:
    from jackline._record import NamedTuple

    State = str

STATES: tuple[State, ...] = ("off", "lenient", "strict")
"""From the loosest to the strictest."""


class Capability(NamedTuple):
    """`features`: the first one leads, its state is the capability's. `offers`: what is switched on along with it."""

    flag: str
    features: tuple[str, ...]
    offers: tuple[str, ...] = ()


def _features(word: str) -> tuple[str, ...]:
    """The features that one word switches on, in order of priority."""
    return tuple([one["name"] for one in FEATURES if one.get("enabled_with") == word])


CAPABILITIES = {
    "pack": Capability("FEATURE_PACK", _features("pack")),
    "plan": Capability("FEATURE_PLAN", _features("plan"), ("pack", "gate", "validators")),
    "gate": Capability("FEATURE_TOOL_GATING", _features("gate")),
    "validators": Capability("FEATURE_VALIDATORS", _features("validators")),
    "attachments": Capability("FEATURE_ATTACHMENTS", _features("attachments")),
    "subagents": Capability("FEATURE_SUBAGENTS", _features("subagents")),
}

WITH_ANY = _features("any")
"""Features that are on as soon as any capability is."""
MODES: dict[State, str] = {"lenient": "warn", "strict": "enforce"}

YES = {"1": "lenient", "true": "lenient", "on": "lenient", "yes": "lenient", "lenient": "lenient", "strict": "strict"}
NO = ("0", "false", "off", "no", "")


def state_of(said: object) -> State | None:
    """What a flag's value means: a truth, a number, or a word; None where it means nothing."""
    word = str(said).strip().lower() if isinstance(said, (bool, int, str)) else "?"
    if word in NO:
        return "off"
    found = YES.get(word)
    return "strict" if found == "strict" else "lenient" if found else None


def values(state: State) -> dict[str, str | bool]:
    """A feature's keys of a manifest in a state, below `modules.<feature>`."""
    if state == "off":
        return {"enabled": False}
    return {"enabled": True, "mode": MODES[state]}


def state_in(enabled: object, mode: object) -> State:
    """The state that two keys of a manifest come to; `observe` blocks nothing, and is lenient."""
    if not enabled:
        return "off"
    return "strict" if mode == "enforce" else "lenient"
