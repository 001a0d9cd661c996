"""Who speaks what, and by which signs clients are known: what every event needs of all clients, from their specs.

Values only: in the bundle they stand as literals (`compiler/derived.py`).
"""

from __future__ import annotations

from jackline.clients import specs
from jackline.clients.specs import MODULES, SPECS

_ALL = tuple(SPECS.values())
_SPOKEN = [one for one in _ALL if one.installed]

DIALECTS = specs.DIALECTS
SPEAKS: dict[str, str] = {
    **{dialect: dialect for dialect in DIALECTS},
    **{name: one.dialect for one in _SPOKEN for name in (one.name, *one.aliases)},
}
"""Client or dialect → dialect, for those that entries of ours are written for."""
SPEAKERS: dict[str, tuple[str, str, str]] = {
    one.name: (one.dialect, f"jackline.clients.codecs.{one.form}", MODULES[one.name]) for one in _SPOKEN
}
"""Client → its dialect, the modules of its codec and of its spec."""
DEFAULT: dict[str, str] = {one.dialect: one.name for one in _SPOKEN if one.signs.default}
"""Whom a dialect's name means where nothing else tells."""

SHAPES: tuple[tuple[str, tuple[str, ...], tuple[str, ...]], ...] = tuple(
    [
        (name, tuple(shape.has.split()), tuple(shape.lacks.split()))
        for _, name, shape in sorted(
            [(shape.rank, one.name, shape) for one in _ALL for shape in one.signs.shapes], key=lambda row: row[0]
        )
    ]
)
"""Client, keys that are there, keys that are not; first match wins."""
TRANSCRIPTS: tuple[tuple[str, str], ...] = tuple(
    [(one.signs.transcript, one.name) for one in _ALL if one.signs.transcript]
)
MARKS: tuple[tuple[str, str], ...] = tuple([(mark, one.name) for one in _ALL for mark in one.signs.marks])
"""Variables that hooks get and a model's shell does not pass on."""
FIRST: dict[str, str] = {one.signs.first_key: one.name for one in _ALL if one.signs.first_key}
"""The first key of a payload with a `timestamp`, where nothing else tells."""
EXECUTABLES: dict[str, str] = {name: one.name for one in _ALL for name in one.signs.executables}
SERVERS: tuple[tuple[str, str], ...] = tuple([(part, one.name) for one in _ALL for part in one.signs.servers])
INHERITED: tuple[tuple[str, str], ...] = tuple(
    [(mark, one.name) for one in reversed(_ALL) for mark in one.signs.inherited]
)
"""Variables a model's shell passes on too: asked last. Younger clients are started from the shells of older ones."""
TIMELESS: tuple[str, ...] = tuple([one.dialect for one in _SPOKEN if one.signs.timeless])
"""Dialects of who sends no `timestamp`; neither reads the other's configuration."""
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
"""When the door must have answered: half of the short limits, two seconds before the longer ones that are written."""
