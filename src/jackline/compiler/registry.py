"""The features Jackline knows by name: those it has, as their folders declare them, and those whose name is kept."""

from __future__ import annotations

from typing import NamedTuple

from jackline.builtin import module_of
from jackline.compiler.declared import Declared
from jackline.feature_table import FEATURES


class Known(NamedTuple):
    """A slug's place in the order, what it is when nobody says otherwise, and whether it is here yet."""

    priority: int
    hot: bool
    critical: bool
    on: bool = False
    here: bool = False


RESERVED = {"memory-journal": Known(50, False, False), "memory-activation": Known(60, True, False)}
"""Names that the contract gives to features which are not here yet."""


BUILT_IN = tuple([Declared(**one) for one in FEATURES])
"""What the features of the package declare."""
KNOWN = {
    **{one.name: Known(one.priority, one.hot_path_safe, bool(one.critical), one.default_on, True) for one in BUILT_IN},
    **RESERVED,
}
KNOWN = dict(sorted(KNOWN.items(), key=lambda one: (one[1].priority, one[0])))
"""All of them, in the order they run in."""

NOT_YET = "not yet in this version"


def is_on(slug: str) -> bool:
    """Whether a feature runs when nobody says otherwise."""
    return slug in KNOWN and KNOWN[slug].on


def reader_of(file: str) -> str:
    """The feature that judges by one of a project's files."""
    return next(one.name for one in BUILT_IN if file in one.reads)


def folder_of(slug: str) -> str:
    """The folder of a feature's package: `planGraph-exec` → `plan_graph_exec`."""
    return module_of(slug).split(".")[-2]
