"""Who speaks what, and by which keys of a payload clients are known: what every event needs of all, from their specs.

Values only: in the bundle they stand as literals (`compiler/derived.py`). A table is one text, a line each: every event
reads it, and a word of its own costs an event more than the search for one line.
"""

from __future__ import annotations

from jackline.clients.hints import DEFAULT
from jackline.clients.specs import MODULES, SPEAKS, SPECS

_ALL = tuple(SPECS.values())
_SPOKEN = [one for one in _ALL if one.installed]
_MEANT = {**DEFAULT, **{name: one.name for one in _SPOKEN for name in (one.name, *one.aliases)}}

_ROWS = [
    f"{name}={SPEAKS[name]} jackline.clients.codecs.{SPECS[meant].form} {MODULES[meant]}"
    for name, meant in _MEANT.items()
]
SPEAKERS = "\n".join(["", *_ROWS, ""])
"""Client, or dialect for whom it means → dialect, the modules of its codec and of its spec (`router.speaker`)."""
SHAPES = "\n".join(
    [
        f"{name}|{shape.has}|{shape.lacks}"
        for _, name, shape in sorted(
            [(shape.rank, one.name, shape) for one in _ALL for shape in one.signs.shapes], key=lambda row: row[0]
        )
    ]
)
"""Client, keys that are there, keys that are not; first match wins."""
TRANSCRIPTS = "\n".join([f"{one.name}|{one.signs.transcript}" for one in _ALL if one.signs.transcript])
"""Client, part of the path of its transcripts."""
DEADLINE_MS: dict[str, int] = {
    "SessionEnd": 1_400,
    "sessionEnd": 1_400,
    "Interrupt": 1_400,
    "Stop": 903_000,
    "agentStop": 903_000,
    "SessionStart": 303_000,
    "sessionStart": 303_000,
    **{
        f"{one.native.get(name, name)}.{most}": (most - 2) * 1000
        for one in _SPOKEN
        if one.installed and one.installed.canonical
        for name, most in one.installed.clamps.items()
    },
}
"""When the entry point must have answered: half of the short limits, two seconds before the longer ones."""
