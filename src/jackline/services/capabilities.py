"""What a person switches on by one word: each capability with its flag, its features, and what works with it.

The one table of them; which features are here yet, and what they are set to, is told by others.
"""

from __future__ import annotations

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


CAPABILITIES = {
    "pack": Capability("FEATURE_PACK", ("context-pack",)),
    "plan": Capability("FEATURE_PLAN", ("plan-graph", "planGraph-exec"), ("pack", "gate", "validators")),
    "gate": Capability("FEATURE_TOOL_GATING", ("tool-gate",)),
    "validators": Capability("FEATURE_VALIDATORS", ("validators",)),
    "attachments": Capability("FEATURE_ATTACHMENTS", ("attachments",)),
    "subagents": Capability("FEATURE_SUBAGENTS", ("plan-subagent-contract", "mailbox", "rlm-work")),
}

WITH_ANY = ("work-init", "pre-compact")
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
