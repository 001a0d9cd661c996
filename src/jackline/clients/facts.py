"""What else runs and commands ask of all clients, each now and then: from their specs.

Values only: in the bundle they stand as literals (`compiler/derived.py`).
"""

from __future__ import annotations

from jackline.clients.specs import DIALECTS, MODULES, SPECS

_ALL = tuple(SPECS.values())

OF_DIALECT = {dialect: tuple([MODULES[one.name] for one in _ALL if one.dialect == dialect]) for dialect in DIALECTS}
"""Dialect → the specs of those whose tools have their names in it."""
FORMS = {dialect: next(one.form for one in _ALL if one.dialect == dialect) for dialect in DIALECTS}
