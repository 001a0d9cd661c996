"""`typing.NamedTuple` without importing `typing`, which alone doubles a bare interpreter start.

Type checkers see the true one: modules import it behind `TYPE_CHECKING` (style.md, "Values and types").
"""

from __future__ import annotations

from collections import namedtuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class _Meta(type):
    def __new__(mcs, name: str, bases: tuple[type, ...], ns: dict[str, Any]) -> Any:
        if not bases:
            return super().__new__(mcs, name, bases, ns)
        fields = list(ns.get("__annotations__", ()))
        defaults = [ns.pop(field) for field in fields if field in ns]
        made = namedtuple(name, fields, defaults=defaults, module=ns["__module__"])  # type: ignore[misc]
        for key, value in ns.items():
            if key not in ("__module__", "__qualname__", "__annotations__", "__classcell__"):
                setattr(made, key, value)
        return made


class NamedTuple(metaclass=_Meta):
    pass
