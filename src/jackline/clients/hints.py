"""By what else clients are known where a payload does not tell: few events ask for this.

Values only: in the bundle they stand as literals (`compiler/derived.py`).
"""

from __future__ import annotations

from jackline.clients.specs import SPECS

_ALL = tuple(SPECS.values())
_SPOKEN = [one for one in _ALL if one.installed]

DEFAULT: dict[str, str] = {one.dialect: one.name for one in _SPOKEN if one.signs.default}
"""Whom a dialect's name means where nothing else tells."""
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
