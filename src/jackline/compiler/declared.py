"""What a feature says of itself: the arguments of its `@hook(...)` (`sdk.hook` tells what each means)."""

from __future__ import annotations

from typing import NamedTuple


class Declared(NamedTuple):
    """A feature's own words about itself."""

    name: str
    supports: tuple[str, ...]
    priority: int = 50
    hot_path_safe: bool = True
    critical: bool | str = False
    """`strict`: where its mode is `enforce`."""
    tools: tuple[str, ...] = ()
    imports: tuple[str, ...] = ()
    runner: str = "inline"
    entry: str = "handle"
    line: int = 0
    state: tuple[str, ...] = ()
    stamps: bool = False
    rewrite_owner: bool = False
    needs: tuple[str, ...] = ()
    triggers: tuple[str, ...] = ()
    produces: tuple[str, ...] = ()
    services: tuple[str, ...] = ()
    records: tuple[str, ...] = ()
    default_on: bool = False
    enabled_with: str = ""
    reads: tuple[str, ...] = ()
    guidance: tuple[str, ...] = ()
    shown: str = ""
