"""The lines by which agents learn what is switched on here: the managed block's part that is Jackline's own.

At most 25 lines with everything on, the block's marks and the blank line before a project's own texts included.
"""

from __future__ import annotations

from jackline.feature_table import FEATURES
from jackline.services.capabilities import CAPABILITIES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from jackline.services.capabilities import State

MOST = 25
"""Lines of all that is said, the block's two marks and a blank line included."""

HEAD = "## How a task goes here (Jackline)"
WORDS: dict[State, str] = {"lenient": "what comes too early is told", "strict": "what comes too early is refused"}

LINES: dict[str, tuple[str, ...]] = {one["name"]: one["guidance"] for one in FEATURES if "guidance" in one}
"""What each feature has agents told."""


def _states(on: Mapping[str, State]) -> dict[str, State]:
    """The capabilities that have one of these features, each with the state of the first."""
    found: dict[str, State] = {}
    for name, one in CAPABILITIES.items():
        states = [on[slug] for slug in one.features if on.get(slug, "off") != "off"]
        if states:
            found[name] = states[0]
    return found


def lines(on: Mapping[str, State]) -> list[str]:
    """What is said of these features, in the table's order; nothing where none is on."""
    known = _states(on)
    if not known:
        return []
    modes = {state: [name for name in known if known[name] == state] for state in WORDS}
    how = "; ".join([f"{', '.join(names)}: {WORDS[state]}" for state, names in modes.items() if names])
    running = [slug for one in CAPABILITIES.values() for slug in one.features if on.get(slug, "off") != "off"]
    return [HEAD, "", f"{how}.", *[line for slug in running for line in LINES.get(slug, ())]]


def text(on: Mapping[str, State]) -> str:
    """The same as one text; "" where nothing is on."""
    return "\n".join(lines(on))
