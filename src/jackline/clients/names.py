"""Names that clients and people say: of dialects, of events; and whether a person typed a prompt."""

from __future__ import annotations

from jackline.clients.signs import SPEAKERS
from jackline.model import EVENTS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jackline.model import Event

MACHINE_SOURCES = ("system", "loop_wakeup", "schedule_wakeup", "poll_event")
"""Where a client says a prompt came from when nobody typed it."""


def dialect_of(name: str) -> str:
    """The dialect of a dialect's or client's name, "" for an unknown one."""
    return SPEAKERS.partition(f"\n{name}=")[2].partition(" ")[0]


def event_of(dialect: str, name: str) -> str:
    """The canonical event for a canonical or native name, "" when we have no word for it."""
    if name in EVENTS:
        return name
    from jackline.clients.facts import NATIVE

    return NATIVE.get(dialect_of(dialect), {}).get(name, "")


def is_typed(event: Event) -> bool:
    """Whether a person typed this prompt, as far as the payload tells (design section 3).

    Not typed: what a sub-agent is given, task notifications and wake-ups, an empty prompt between tool rounds. That a
    prompt may be our own last Stop reason is the kernel's to know.
    """
    return (
        event.name == "UserPromptSubmit"
        and not event.agent_id
        and event.source not in MACHINE_SOURCES
        and not event.prompt.isspace()
        and event.prompt != ""
        and not event.prompt.lstrip().startswith("<task-notification>")
    )
