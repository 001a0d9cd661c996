"""Which adapter reads and answers a call: decided here alone, by the client behind it, before anything else is read.

Clients read each other's configuration, so an entry of one dialect may be started by a client that speaks another.
"""

from __future__ import annotations

from jackline import roots
from jackline.adapters import SPEAKS
from jackline.adapters.clients import client_of
from jackline.adapters.payload import read

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, Protocol

    from jackline.model import Answer, Call, Event, Verdict

    class Adapter(Protocol):
        """One dialect: what a client sends becomes an Event, what we decided becomes its bytes. Neither raises."""

        VOCABULARY: Mapping[str, tuple[str, str, tuple[str, ...], str, str]]

        def parse(self, call: Call, client: str, payload: dict[str, Any], faults: list[str]) -> Event: ...
        def rewritten(self, event: Event, given: Mapping[str, Any]) -> Event: ...
        def render(self, event: Event, verdict: Verdict) -> Answer: ...


ADAPTERS = {
    "claude-code": "jackline.adapters.claude_code",
    "codex": "jackline.adapters.codex",
    "github": "jackline.adapters.github",
}


def adapter(name: str) -> Adapter:
    """Load the adapter of a dialect (or client). KeyError when nobody speaks it."""
    module: Adapter = roots.take(ADAPTERS[SPEAKS[name]])
    return module


def receive(call: Call) -> tuple[Adapter, Event]:
    """The event of a call, and the adapter that answers it. A client we have none for is read as its entry says."""
    payload, faults = read(call.raw)
    dialect = SPEAKS[call.dialect]
    client = client_of(call, payload, dialect)
    spoken = adapter(client if client in SPEAKS else dialect)
    return spoken, spoken.parse(call, client, payload, faults)
