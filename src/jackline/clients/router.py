"""Who asks, and in what words: the client behind an entry, and the codec of its dialect, before anything else is read.

Clients read each other's configuration (Copilot and VS Code read Claude's), and a variable may be inherited from a
client further up, so no single sign is enough: the payload's shape, else its transcript, marks only hooks carry, its
process (design section 6).
"""

from __future__ import annotations

import sys

from jackline import site_paths
from jackline.clients.signs import SHAPES, SPEAKERS, TRANSCRIPTS
from jackline.jsonio import loads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, Protocol

    from jackline.model import Answer, Event, Verdict
    from jackline.processes import Process
    from jackline.runtime.request import Request

    class Codec(Protocol):
        """What a run needs once its event is read. Neither raises."""

        def rewritten(self, event: Event, given: Mapping[str, Any]) -> Event: ...
        def render(self, event: Event, verdict: Verdict) -> Answer: ...

    class Reader(Codec, Protocol):
        """One form of answers: what a client sends becomes an Event, what we decided becomes its bytes."""

        def parse(
            self, request: Request, dialect: str, client: str, payload: dict[str, Any], faults: list[str]
        ) -> Event: ...


BOM = b"\xef\xbb\xbf"


def process_client(process: Process) -> str:
    """The client a process is, "" when it is none we know: some are only `node`."""
    from jackline.clients.hints import EXECUTABLES, SERVERS

    for part, client in SERVERS:
        if part in process.exe:
            return client
    found: str = EXECUTABLES.get(process.exe.rpartition("/")[2]) or EXECUTABLES.get(process.name, "")
    return found


def _shape(payload: Mapping[str, Any]) -> str:
    for line in SHAPES.split("\n"):
        client, has, lacks = line.split("|")
        if all(key in payload for key in has.split()) and not any(key in payload for key in lacks.split()):
            return client
    transcript = payload.get("transcript_path")
    if type(transcript) is str:
        for line in TRANSCRIPTS.split("\n"):
            client, part = line.split("|")
            if part in transcript:
                return client
    return ""


def _hinted(request: Request, payload: Mapping[str, Any], dialect: str) -> str:
    """Who it is by its surroundings, where no key and no transcript tells."""
    from jackline.clients.hints import DEFAULT, FIRST, INHERITED, MARKS, TIMELESS

    for mark, client in MARKS:
        if request.env.get(mark):
            return client
    if "timestamp" in payload:
        client = FIRST.get(next(iter(payload)), "")
        if client:
            return client
    elif "session_id" in payload and dialect in TIMELESS:
        return DEFAULT[dialect]
    for process in request.ancestors():
        client = process_client(process)
        if client:
            return client
    for mark, client in INHERITED:
        if request.env.get(mark):
            return client
    return DEFAULT.get(dialect, "")


def client_of(request: Request, payload: Mapping[str, Any], dialect: str) -> str:
    """The client behind a call: one of the names in `recorded/`, or the dialect's own when nothing tells."""
    return _shape(payload) or _hinted(request, payload, dialect)


def read(raw: bytes) -> tuple[dict[str, Any], list[str]]:
    """The payload and what was wrong with it. Never raises."""
    if raw.startswith(BOM):
        raw = raw[3:]
    if not raw or raw.isspace():
        return {}, ["empty"]
    faults = []
    try:
        text = raw.decode()
    except UnicodeDecodeError:
        text = raw.decode("utf-8", "surrogateescape")
        faults.append("invalid UTF-8")
    try:
        payload = loads(text)
    except (ValueError, RecursionError) as error:
        return {}, [*faults, f"not JSON: {error}"]
    if type(payload) is not dict:
        return {}, [*faults, "not an object"]
    return payload, faults


def speaker(name: str) -> list[str]:
    """Dialect, modules of codec and spec of a client, or of whom a dialect's name means; [] for an unknown name."""
    return SPEAKERS.partition(f"\n{name}=")[2].partition("\n")[0].split()


def codec(name: str) -> Reader:
    """The codec of a client, or of the client that a dialect's name means. IndexError when nobody speaks it."""
    module = speaker(name)[1]
    found: Reader = sys.modules.get(module) or site_paths.take(module)
    return found


def receive(request: Request) -> tuple[Codec, Event]:
    """The event of a request, and the codec that answers it. A client we have none for is read as its entry says."""
    payload, faults = read(request.raw)
    asked = speaker(request.dialect)
    client = client_of(request, payload, asked[0])
    dialect, module, _ = speaker(client) or asked
    spoken: Reader = sys.modules.get(module) or site_paths.take(module)
    return spoken, spoken.parse(request, dialect, client, payload, faults)
