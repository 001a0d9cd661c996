"""`typing.NamedTuple` without `typing` or `collections`, either of which would cost half a bare interpreter start.

Type checkers see the true one: modules import it behind `TYPE_CHECKING` (style.md, "Values and types").
Same behaviour for what we use: positional and keyword fields, defaults, `_fields`, `_replace`, `_asdict`, `_make`,
equality and hash of a tuple, a readable repr (held by tests/laws/test_record.py).
"""

from __future__ import annotations

from _collections import _tuplegetter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

_new = tuple.__new__


def _constructor(name: str, fields: tuple[str, ...], defaults: dict[str, Any]) -> Any:
    count = len(fields)

    def __new__(cls: type, *args: Any, **given: Any) -> Any:  # noqa: N807 - it becomes a method
        if len(args) == count and not given:
            return _new(cls, args)  # type: ignore[type-var]
        if len(args) > count:
            raise TypeError(f"{name} takes {count} fields, got {len(args)}")
        values = list(args)
        for field in fields[len(args) :]:
            if field in given:
                values.append(given.pop(field))
            elif field in defaults:
                values.append(defaults[field])
            else:
                raise TypeError(f"{name} needs {field}")
        if given:
            raise TypeError(f"{name} has no field {', '.join(given)} left to give")
        return _new(cls, values)  # type: ignore[type-var]

    return __new__


def _repr(self: Any) -> str:
    inner = ", ".join([f"{field}={value!r}" for field, value in zip(self._fields, self)])  # noqa: B905 - equal by birth
    return f"{type(self).__name__}({inner})"


def _replace(self: Any, **changes: Any) -> Any:
    values = [changes.pop(field, value) for field, value in zip(self._fields, self)]  # noqa: B905 - equal by birth
    if changes:
        raise ValueError(f"no such field: {', '.join(changes)}")
    return _new(type(self), values)


def _asdict(self: Any) -> dict[str, Any]:
    return dict(zip(self._fields, self))  # noqa: B905 - equal by birth


def _make(cls: Any, values: Iterable[Any]) -> Any:
    return cls(*values)


def _getnewargs(self: Any) -> tuple[Any, ...]:
    return tuple(self)


class _Meta(type):
    def __new__(mcs, name: str, bases: tuple[type, ...], ns: dict[str, Any]) -> Any:
        if not bases:
            return super().__new__(mcs, name, bases, ns)
        fields = tuple(ns.get("__annotations__", ()))
        defaults = {field: ns.pop(field) for field in fields if field in ns}
        body = dict(ns)
        body.update(
            __slots__=(),
            _fields=fields,
            _field_defaults=defaults,
            __match_args__=fields,
            __new__=_constructor(name, fields, defaults),
            __repr__=ns.get("__repr__", _repr),
            __getnewargs__=_getnewargs,
            _replace=_replace,
            _asdict=_asdict,
            _make=classmethod(_make),
        )
        for index, field in enumerate(fields):
            body[field] = _tuplegetter(index, "")
        return type(name, (tuple,), body)


class NamedTuple(metaclass=_Meta):
    pass
