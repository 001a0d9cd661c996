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

    from jackline.model import Answer, Event, Verdict
    from jackline.runtime.request import Request

    class Codec(Protocol):
        """What a run needs once its event is read. Neither raises."""

        def rewritten(self, event: Event, given: Mapping[str, Any]) -> Event: ...
        def render(self, event: Event, verdict: Verdict) -> Answer: ...

    class Adapter(Codec, Protocol):
        """One dialect: what a client sends becomes an Event, what we decided becomes its bytes. Neither raises."""

        VOCABULARY: Mapping[str, tuple[str, str, tuple[str, ...], str, str]]

        def parse(self, request: Request, client: str, payload: dict[str, Any], faults: list[str]) -> Event: ...


ADAPTERS = {
    "claude-code": "jackline.adapters.claude_code",
    "codex": "jackline.adapters.codex",
    "github": "jackline.adapters.github",
}


def adapter(name: str) -> Adapter:
    """Load the adapter of a dialect (or client). KeyError when nobody speaks it."""
    module: Adapter = roots.take(ADAPTERS[SPEAKS[name]])
    return module


def receive(request: Request) -> tuple[Codec, Event]:
    """The event of a request, and the codec that answers it. A client we have none for is read as its entry says."""
    payload, faults = read(request.raw)
    dialect = SPEAKS[request.dialect]
    client = client_of(request, payload, dialect)
    spoken = adapter(client if client in SPEAKS else dialect)
    return spoken, spoken.parse(request, client, payload, faults)
