"""JSON in and out without `json` (whose import doubles a bare interpreter start).

Leans on CPython's own C scanner and encoder; whatever they refuse goes the slow road through `json`,
so that results and errors are always those of the standard library (held by tests/laws/test_wire.py).
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

MAX_DEPTH = 400
"""Deeper documents are refused by `loads`: no client sends them, and recursion must not end the entry point."""

try:
    from _json import encode_basestring_ascii, make_encoder, make_scanner
except ImportError:  # another interpreter than CPython: slower, the same results
    make_scanner = None  # type: ignore[assignment,misc]


def _context() -> None:
    """What the scanner asks for its settings: any object with these attributes will do."""


_context.strict = True  # type: ignore[attr-defined]
_context.object_hook = _context.object_pairs_hook = _context.parse_constant = None  # type: ignore[attr-defined]
_context.parse_float, _context.parse_int, _context.memo = float, int, {}  # type: ignore[attr-defined]


def _shallow(text: str) -> bool:
    """Whether a document of very many brackets nests no deeper than we read."""
    if "\\" not in text:
        text = "".join(text.split('"')[::2])  # nothing that is quoted nests
        flat = bytes([one for one in range(128) if one not in b"[]{}"])
        text = text.encode("ascii", "replace").translate(None, flat).decode("ascii")
    depth = deepest = 0
    quoted = False
    skip = False
    for char in text:
        if skip:
            skip = False
        elif quoted:
            if char == "\\":
                skip = True
            elif char == '"':
                quoted = False
        elif char == '"':
            quoted = True
        elif char in "[{":
            depth += 1
            if depth > deepest:
                deepest = depth
                if deepest > MAX_DEPTH:
                    return False
        elif char in "]}":
            depth -= 1
    return True


def loads(text: str) -> Any:
    """Parse one JSON document.

    Raises ValueError for anything that is not exactly one document, or nests deeper than `MAX_DEPTH`.
    """
    if text.count("[") + text.count("{") > MAX_DEPTH and not _shallow(text):  # as many may lie beside one another
        raise ValueError(f"nested deeper than {MAX_DEPTH}")
    if make_scanner is not None:
        body = text.strip(" \t\n\r")
        try:
            value, end = make_scanner(_context)(body, 0)  # type: ignore[arg-type]
            if end == len(body):
                return value
        except Exception:  # noqa: BLE001, S110 - the slow road below tells the exact error
            pass
    import json

    return json.loads(text, parse_constant=_refuse)


def _refuse(name: str) -> Any:
    raise ValueError(f"{name} is not JSON")


def _default(value: object) -> Any:
    raise TypeError(f"{type(value).__name__} is not JSON")


def dumps(value: Any) -> str:
    """Write compact ASCII JSON; keys keep their order.

    Raises TypeError for what is no JSON type, ValueError for NaN, infinities and circles.
    """
    if make_scanner is not None:
        # The same in 3.11 to 3.13:
        # (markers, default, encoder, indent, key_separator, item_separator, sort_keys, skipkeys, allow_nan)
        encode = make_encoder({}, _default, encode_basestring_ascii, None, ":", ",", False, False, False)
        return "".join(encode(value, 0))
    import json

    return json.dumps(value, separators=(",", ":"), allow_nan=False)
