"""By which variables clients talk to their models: scripts get none of them.

Values only: in the bundles they stand as literals (`compiler/derived.py`).
"""

from __future__ import annotations

from jackline.clients.specs import SPECS

PREFIXES = tuple([prefix for one in SPECS.values() for prefix in one.secrets])
"""Beginnings of their names."""
