"""Files of settings: what they hold, told so that equal texts of it are equal data whatever the order of keys."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from jackline.site_paths import open_roots


def _json(text: str) -> Any:
    import json

    return json.loads(text)


def _toml(text: str) -> Any:
    import tomllib

    return tomllib.loads(text)


def _yaml(text: str) -> Any:
    open_roots()
    from ruamel.yaml import YAML

    return list(YAML(typ="safe", pure=True).load_all(text))


FORMATS: dict[str, Callable[[str], Any]] = {"json": _json, "toml": _toml, "yml": _yaml, "yaml": _yaml}
"""Readers by the end of a file's name."""


def told(value: Any) -> str:
    """Data as a text: keys in one order, and every value with its type."""
    if isinstance(value, dict):
        return "{" + ",".join(sorted(f"{key!r}:{told(one)}" for key, one in value.items())) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(told, value)) + "]"
    return repr(value)


def read(text: str, end: str) -> str | None:
    """What a text holds; None where it cannot be read."""
    try:
        return told(FORMATS[end](text))
    except Exception:  # noqa: BLE001 - each library has faults of its own, and means the same by them
        return None
