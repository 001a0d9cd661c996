"""A client's settings that would move the person's folders are told when a session starts: they move nothing here."""

from __future__ import annotations

from jackline.surroundings import differences

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jackline.runtime.outcome import Outcome
    from jackline.runtime.request import Request


def _shown(value: str) -> str:
    return (value if value.isprintable() else ascii(value))[:200] or "nothing"


def run(request: Request, outcome: Outcome) -> None:
    """Say to the person what differs from installation, a row of the log each."""
    found = differences(outcome.store.path, request.env, request.home)
    for name, said, was in found:
        outcome.add("SURROUNDINGS", "kernel", data={"variable": name, "said": said, "installed": was})
    if found:
        words = "; ".join([f"{name} is {_shown(said)}, not {_shown(was)}" for name, said, was in found])
        outcome.note(
            f"The client's environment differs from installation: {words}. Jackline goes by installation: look at the "
            "client's settings, or run `jackline init` in a terminal of your own if this is meant"
        )
