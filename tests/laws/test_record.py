"""Our records behave as `typing.NamedTuple`s do, in all that we use of them."""

from __future__ import annotations

import copy
import pickle
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jackline import model, script

if TYPE_CHECKING:
    from typing import NamedTuple as Ours
else:
    from jackline._record import NamedTuple as Ours


class True3(NamedTuple):
    """The library's."""

    one: Any
    two: Any = 2
    three: Any = ()

    def both(self) -> Any:
        return self.one, self.two

    def plus(self, more: int, *, twice: bool = False) -> Any:
        return more * (2 if twice else 1)


class Ours3(Ours):
    """Ours, field by field the same."""

    one: Any
    two: Any = 2
    three: Any = ()

    def both(self) -> Any:
        return self.one, self.two

    def plus(self, more: int, *, twice: bool = False) -> Any:
        return more * (2 if twice else 1)


VALUES = st.integers(-2, 2) | st.text(max_size=2) | st.none() | st.tuples(st.integers())
FIELDS = ("one", "two", "three")


def told(make: Any, *args: Any, **given: Any) -> Any:
    """What making one comes to: its values, or the kind of error."""
    try:
        return tuple(make(*args, **given))
    except (TypeError, ValueError) as fault:
        return type(fault).__name__


@given(args=st.lists(VALUES, max_size=4), given=st.dictionaries(st.sampled_from((*FIELDS, "four")), VALUES, max_size=3))
def test_made_by_place_name_and_default(args: list[Any], given: dict[str, Any]) -> None:
    given = {name: value for at, (name, value) in enumerate(given.items()) if name not in FIELDS[: len(args)]}
    assert told(Ours3, *args, **given) == told(True3, *args, **given)


@given(values=st.tuples(VALUES, VALUES, VALUES), changes=st.dictionaries(st.sampled_from((*FIELDS, "four")), VALUES))
def test_replaced_and_told_alike(values: tuple[Any, Any, Any], changes: dict[str, Any]) -> None:
    ours, true = Ours3(*values), True3(*values)
    assert ours._asdict() == true._asdict()
    assert ours._fields == true._fields == FIELDS
    assert repr(ours) == repr(true).replace("True3", "Ours3")
    assert (tuple(ours), list(ours), len(ours)) == (tuple(true), list(true), len(true))
    assert [ours[at] for at in (0, 1, 2, -1)] == [true[at] for at in (0, 1, 2, -1)]
    assert ours[1:] == true[1:]
    expected = told(true._replace, **changes)
    assert told(ours._replace, **changes) == ("TypeError" if expected == "ValueError" else expected)  # before 3.13
    one, two, three = ours
    assert (one, two, three) == (ours.one, ours.two, ours.three) == values


@given(one=st.tuples(VALUES, VALUES), other=st.tuples(VALUES, VALUES))
def test_equal_and_hashed_as_tuples(one: tuple[Any, Any], other: tuple[Any, Any]) -> None:
    assert (Ours3(*one) == Ours3(*other)) == (True3(*one) == True3(*other))
    assert (Ours3(*one) != Ours3(*other)) == (True3(*one) != True3(*other))
    assert Ours3(*one) == (*one, ())
    assert hash(Ours3(*one)) == hash(True3(*one))
    assert len({Ours3(*one), Ours3(*one)}) == 1


def test_methods_have_their_record() -> None:
    assert Ours3(1).both() == True3(1).both() == (1, 2)
    assert Ours3(1).plus(3, twice=True) == True3(1).plus(3, twice=True) == 6


def test_properties_are_asked_like_fields() -> None:
    assert script.Outcome(0).ok and not script.Outcome(0, late=True).ok
    assert script.Script("k", "file", "/p", b"", folder=".discobot/hooks").prefix == "Discobot"


def test_kinds_are_told_apart() -> None:
    assert isinstance(Ours3(1), Ours3)
    assert not isinstance(model.Answer(), Ours3)
    assert not isinstance((1, 2, ()), Ours3)
    assert isinstance(model.SILENCE, model.Answer)


def test_a_signature_may_name_one_beside_none() -> None:
    """A feature that somebody writes without `from __future__ import annotations` is read like any other."""
    made: dict[str, Any] = {}
    exec("from jackline.sdk import Action\ndef handle() -> Action | None: ...\ndef other() -> None | Action: ...", made)
    assert all(callable(made[name]) for name in ("handle", "other"))


def test_nothing_is_assigned() -> None:
    records: list[Any] = [Ours3(1), True3(1)]
    for record in records:
        with pytest.raises(AttributeError):
            record.one = 2
        with pytest.raises(AttributeError):
            record.four = 2
        with pytest.raises(AttributeError):
            _ = record.five
    assert Ours3(1).one == 1


@pytest.mark.parametrize("again", [copy.copy, copy.deepcopy, lambda one: pickle.loads(pickle.dumps(one))])
def test_copies_are_equal_and_of_their_kind(again: Any) -> None:
    action = model.Action("deny", "no", updated_input={"a": [1]})
    made = again(action)
    assert made == action
    assert isinstance(made, model.Action)
    if again is not copy.copy:
        assert made.updated_input is not action.updated_input


def test_a_hook_may_ask_a_record_anything() -> None:
    """`hasattr` and friends never loop or raise anything but AttributeError."""
    for name in ("__len__", "__fspath__", "__deepcopy__", "_kind_", "keys", "__wrapped__"):
        hasattr(Ours3(1), name)
    assert not hasattr(Ours3(1), "keys")
