"""`typing.NamedTuple` without `typing` or `collections`, either of which would cost half a bare interpreter start.

Type checkers see the true one: modules import it behind `TYPE_CHECKING` (style.md, "Values and types").
Same behaviour for what we use: positional and keyword fields, defaults, `_fields`, `_replace`, `_asdict`, `_make`,
equality and hash of a tuple, a readable repr (held by tests/laws/test_record.py).
"""

from __future__ import annotations

from _collections import _tuplegetter  # type: ignore[import-not-found,unused-ignore]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

_new = tuple.__new__


class NamedTuple(tuple):  # type: ignore[type-arg]
    """What all records share. A subclass names its fields by annotation, as with `typing.NamedTuple`."""

    __slots__ = ()
    _fields: tuple[str, ...] = ()
    _field_defaults: dict[str, Any] = {}  # noqa: RUF012 - as `typing.NamedTuple` has it

    def __init_subclass__(cls) -> None:
        fields = tuple(cls.__annotations__)
        cls._field_defaults = {field: cls.__dict__[field] for field in fields if field in cls.__dict__}
        cls._fields = fields
        for at, field in enumerate(fields):
            setattr(cls, field, _tuplegetter(at, None))

    def __new__(cls, *args: Any, **given: Any) -> Any:
        fields = cls._fields
        if len(args) == len(fields) and not given:
            return _new(cls, args)
        if len(args) > len(fields):
            raise TypeError(f"{cls.__name__} takes {len(fields)} fields, got {len(args)}")
        values = list(args)
        defaults = cls._field_defaults
        for field in fields[len(args) :]:
            if field in given:
                values.append(given.pop(field))
            elif field in defaults:
                values.append(defaults[field])
            else:
                raise TypeError(f"{cls.__name__} needs {field}")
        if given:
            raise TypeError(f"{cls.__name__}: {', '.join(given)} cannot be given")
        return _new(cls, values)

    def __repr__(self) -> str:
        inner = ", ".join([f"{field}={value!r}" for field, value in zip(self._fields, self, strict=True)])
        return f"{type(self).__name__}({inner})"

    def __getnewargs__(self) -> tuple[Any, ...]:
        return tuple(self)

    def _replace(self, **changes: Any) -> Any:
        values = [changes.pop(field, value) for field, value in zip(self._fields, self, strict=True)]
        if changes:
            raise ValueError(f"no such field: {', '.join(changes)}")
        return _new(type(self), values)

    def _asdict(self) -> dict[str, Any]:
        return dict(zip(self._fields, self, strict=True))

    @classmethod
    def _make(cls, values: Iterable[Any]) -> Any:
        return cls(*values)
