"""`typing.NamedTuple` without `typing` (which doubles a bare start), and without a type per record.

Making a class costs a hot path about one percent of a bare interpreter start, and it has many records. So all records
are of one type, `Record`; what a class statement under `NamedTuple` makes is a `Kind` that calls them into being.
Type checkers see the true `NamedTuple`: modules import this one behind `TYPE_CHECKING` (style.md, "Values and types").
Same behaviour for what we use: fields by position and name, defaults, unpacking, `_fields`, `_replace`, `_asdict`,
equality, hash, a readable repr, no assignment, `isinstance` (held by tests/laws/test_record.py).
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

_new = object.__new__
_MEMBERS = ((lambda: None).__class__, property)


class Record:
    """Any record: its fields are attributes, `_kind` says which they are."""

    _kind: Kind

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{self._kind.__name__} cannot be changed")

    def __iter__(self) -> Iterator[Any]:
        held = self.__dict__
        return iter([held[field] for field in self._kind._fields])

    def __eq__(self, other: object) -> bool:
        if other.__class__ is Record:
            return self.__dict__ == other.__dict__
        return isinstance(other, tuple) and tuple(self) == other

    def __hash__(self) -> int:
        held = self.__dict__
        return hash(tuple([held[field] for field in self._kind._fields]))

    def __getattr__(self, name: str) -> Any:
        """What only some ask: the tuple's other words (`_replace`, `_asdict`, `_fields`), and a kind's own methods."""
        if name == "_fields":
            return self._kind._fields
        if name == "_kind" or name[:2] == "__":  # a copy that has no fields yet, or a protocol that is not ours
            raise AttributeError(name)
        word: Any = WORDS.get(name) or self._kind._methods.get(name)
        if word is None:
            raise AttributeError(f"{self._kind.__name__} has no field {name}")
        if word.__class__ is property:
            return word.__get__(self)
        return lambda *args, **given: word(self, *args, **given)

    def __getitem__(self, at: Any) -> Any:
        return tuple(self)[at]

    def __len__(self) -> int:
        return len(self._kind._fields)

    def __repr__(self) -> str:
        kind = self._kind
        return f"{kind.__name__}({', '.join([f'{field}={self.__dict__[field]!r}' for field in kind._fields])})"


_put = Record.__dict__["__dict__"].__set__
"""Gives a record its fields; `object.__setattr__` takes three times as long to find this."""


def _replaced(self: Record, **changes: Any) -> Record:
    held = self.__dict__
    if not changes.keys() <= held.keys():
        # As `typing.NamedTuple` from 3.13 on; 3.11 and 3.12 say ValueError.
        raise TypeError(f"no such field: {', '.join(changes.keys() - held.keys())}")
    made = _new(Record)
    _put(made, {**held, **changes})
    return made


def _as_dict(self: Record) -> dict[str, Any]:
    return dict(zip(self._kind._fields, self, strict=True))


WORDS = {"_replace": _replaced, "_asdict": _as_dict}


def _wrong(kind: Kind, args: tuple[Any, ...], given: dict[str, Any]) -> str:
    """Why a record cannot be made of these."""
    fields = kind._fields
    if len(args) > len(fields):
        return f"{kind.__name__} takes {len(fields)} fields, got {len(args)}"
    strange = [name for name in given if name not in fields[len(args) :]]
    if strange:
        return f"{kind.__name__}: {', '.join(strange)} cannot be given"
    missing = [name for name in fields[len(args) :] if name not in given and name not in kind._field_defaults]
    return f"{kind.__name__} needs {', '.join(missing)}"


class Kind:
    """A kind of record: call it to make one."""

    def __init__(
        self, name: str, module: str, fields: tuple[str, ...], defaults: dict[str, Any], methods: dict[str, Any]
    ) -> None:
        self.__name__ = self.__qualname__ = name
        self.__module__ = module
        self._fields = fields
        self._methods = methods
        self._field_defaults = defaults
        self._blank = {"_kind": self, **dict.fromkeys(fields), **defaults}
        self._required = fields[: len(fields) - len(defaults)]  # defaults stand last, as in any class

    def __call__(self, *args: Any, **given: Any) -> Record:
        if not given and len(self._required) <= len(args) <= len(self._fields):
            held = self._blank.copy()
            held.update(zip(self._fields, args))  # noqa: B905 - what is not given has its default
            made = _new(Record)
            _put(made, held)
            return made
        named = {**dict(zip(self._fields, args)), **given}  # noqa: B905 - a wrong number is told below
        held = {**self._blank, **named}
        if len(named) != len(args) + len(given) or len(held) != len(self._blank):
            raise TypeError(_wrong(self, args, given))
        for field in self._required:
            if field not in named:
                raise TypeError(_wrong(self, args, given))
        made = _new(Record)
        _put(made, held)
        return made

    def __reduce__(self) -> str:
        return self.__qualname__  # copied and pickled by name, like any class

    def __instancecheck__(self, value: object) -> bool:
        return value.__class__ is Record and value.__dict__["_kind"] is self

    def __or__(self, other: Any) -> Any:
        return self  # `Action | None` in a signature: a class of `typing` could stand there

    __ror__ = __or__


def of(held: dict[str, Any]) -> Any:
    """A record of all its fields and `_kind`, unchecked: for the few places that make most of them."""
    made = _new(Record)
    _put(made, held)
    return made


class _Statement(type):
    """Turns a class statement under `NamedTuple` into a `Kind`."""

    def __new__(mcs, name: str, bases: tuple[Any, ...], ns: dict[str, Any]) -> Any:
        if not bases:
            return super().__new__(mcs, name, bases, ns)
        fields = tuple(ns["__annotations__"])
        defaults = {field: ns[field] for field in fields if field in ns}
        methods = {key: one for key, one in ns.items() if key not in fields and one.__class__ in _MEMBERS}
        return Kind(name, ns["__module__"], fields, defaults, methods)


class NamedTuple(metaclass=_Statement):
    pass
