"""What a feature is called: its name stands in files and data; people read another where the contract gave that."""

from __future__ import annotations

from jackline.feature_table import FEATURES

SHOWN: dict[str, str] = {one["name"]: one["shown"] for one in FEATURES if "shown" in one}


def shown(names: str) -> str:
    """A feature's name, or a list of them, as people read it."""
    return ", ".join([SHOWN.get(one, one) for one in names.split(", ")])


def slug_of(name: str) -> str:
    """The feature's own name for what a person typed, who may type either."""
    return next((slug for slug, other in SHOWN.items() if other == name), name)
