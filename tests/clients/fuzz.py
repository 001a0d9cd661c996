"""A fuzz target for parse and render: recorded payloads, broken at random, at every door.

    PYTHONPATH=src:tests python -m clients.fuzz SECONDS [SEED]

prints how many runs it did and ends with the first one that breaks a rule (the call is printed).
"""

from __future__ import annotations

import random
import sys
import time
from pathlib import Path

from jackline.clients.capabilities import degrade, row
from jackline.clients.facts import NATIVE
from jackline.clients.router import receive
from jackline.clients.specs import DIALECTS
from jackline.model import EVENTS, Verdict
from jackline.runtime.request import Request

RECORDED = Path(__file__).parent.parent / "recorded"
NAMES = (*EVENTS, *NATIVE["github"], "", "FromTheFuture")
PIECES = (
    b'"', b"{", b"[", b"}", b",", b"\\", b"\\u0000", b"\\ud800", b"null", b"1e999", b"-0", b"file:///%2e%2e/",
    b"*** Begin Patch\\n*** Add File: ", b"\xff", b"\0", b"\xef\xbb\xbf", b"mcp__", b"use_mcp_tool", b"~/", b"../",
)  # fmt: skip


def broken(chance: random.Random, seeds: list[bytes]) -> bytes:
    """One payload, changed in up to six places."""
    raw = bytearray(chance.choice(seeds))
    for _ in range(chance.randint(1, 6)):
        how, at = chance.random(), chance.randrange(len(raw) + 1)
        if how < 0.3:
            raw[at : at + 1] = bytes([chance.randrange(256)])
        elif how < 0.5:
            raw[at:at] = chance.choice(PIECES)
        elif how < 0.7:
            del raw[at : at + chance.randint(0, 20)]
        else:
            other = chance.choice(seeds)
            start = chance.randrange(len(other))
            raw[at:at] = other[start : start + chance.randint(1, 60)]
    return bytes(raw)


def check(request: Request, chance: random.Random) -> None:
    """Take one request to an answer; AssertionError or any other exception is a find."""
    speaker, event = receive(request)
    assert isinstance(event.paths, tuple)
    verdict = Verdict(
        decision=chance.choice(("", "allow", "approve", "ask", "deny", "block")),
        reason=event.command or event.prompt,
        updated_input=chance.choice((None, event.input)),
        context=((event.tool, event.query),),
        notes=(event.session,),
    )
    for fitted in (verdict, degrade(verdict, event, row(event.client, event.name))):
        answer = speaker.render(event, fitted)
        assert (answer.exit, answer.err, answer.out.count(b"\n"), answer.out[-1:]) == (0, b"", 1, b"\n")
        assert answer.out[:1] == b"{"


def fuzz(seconds: float, seed: int = 0) -> int:
    """Break payloads for `seconds`; returns the number of runs."""
    seeds = [path.read_bytes() for path in sorted(RECORDED.rglob("*")) if path.suffix in (".json", ".stdin")]
    chance = random.Random(seed)
    end = time.monotonic() + seconds
    runs = 0
    while time.monotonic() < end:
        raw = broken(chance, seeds)
        for door in DIALECTS:
            request = Request(door, chance.choice(NAMES), raw, {}, "/here")
            try:
                check(request, chance)
            except BaseException:
                print(f"found after {runs} runs: {request!r}")
                raise
            runs += 1
    return runs


if __name__ == "__main__":
    print(fuzz(float(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else time.time_ns()), "runs")
