"""Read `.ai/hooks/validators.yaml`: its rows, each by itself, and what is wrong with the others.

Each row is written anew in one form, a line a key: how it was laid out in the file, and what stands beside it, is no
part of what a person trusts.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from jackline.compiler import frontmatter, schemas
from jackline.compiler.fault import Fault
from jackline.roots import open_roots
from jackline.wire import dumps, loads

PLACE = ".ai/hooks/validators.yaml"
MARK = "#"
"""Between the file and the name of a row in it, in the place of a unit."""
TOP = "validators"
KEYS = ("id", "command", "paths", "when", "timeout", "needs", "baseline")
LISTS = ("command", "paths", "needs")
WORDS: Mapping[str, Mapping[str, Any]] = {"baseline": {"true": True, "false": False, "yes": True, "no": False}}
MOST = 200
"""Rows that are read."""


class Rows(NamedTuple):
    """What a file has: the rows that can be used by name, in their one form; names of those that cannot, and why;
    everything that is wrong with the file.
    """

    good: Mapping[str, bytes]
    bad: Mapping[str, str] = {}
    faults: tuple[Fault, ...] = ()


def place_of(name: str) -> str:
    """The place of a row as a unit has it."""
    return f"{PLACE}{MARK}{name}"


def is_row(place: str) -> bool:
    return f"{PLACE}{MARK}" in place


def file_of(key: tuple[str, str]) -> str:
    """The file that a unit stands in: a row's file holds other rows, too."""
    return key[1].rpartition(MARK)[0] if is_row(key[1]) else key[1]


def written(row: Mapping[str, Any]) -> bytes:
    """A row in its one form."""
    return "".join([f"{key}: {dumps(row[key])}\n" for key in KEYS if key in row]).encode()


def read(data: bytes) -> dict[str, Any]:
    """A row from its one form. ValueError for anything else."""
    found = {}
    for line in data.decode().splitlines():
        key, _, value = line.partition(": ")
        found[key] = loads(value)
    if schemas.validate("validators#row", found):
        raise ValueError("no row of validators")
    return found


def _scalar(node: Any) -> str:
    """A text; what YAML takes for a tag is the beginning of one (`!dist/**`)."""
    tag = node.tag or ""
    return f"{tag} {node.value}".strip() if tag[:1] == "!" and len(tag) > 1 else str(node.value)


def _value(key: str, node: Any) -> Any:
    """What stands behind a key, as its schema has it where that can be said; a list of texts, or a text, else."""
    if node.id == "sequence":
        return [_scalar(one) if one.id == "scalar" else None for one in node.value]
    if node.id != "scalar":
        return {}
    said = _scalar(node)
    if key in LISTS and key != "command" and said:
        return [said]
    if key == "timeout" and said.isdecimal() and len(said) < 9:
        return int(said)
    return WORDS.get(key, {}).get(said.lower(), said)


def _row(node: Any) -> dict[str, Any] | None:
    """A row as data; None where it is no mapping."""
    if node.id != "mapping":
        return None
    return {_scalar(key): _value(_scalar(key), value) for key, value in node.value if key.id == "scalar"}


def _listed(top: Any) -> Any:
    """The list of rows in a document: below its key, or the document itself; None where there is none."""
    if top is None or top.id == "sequence":
        return top
    if top.id != "mapping":
        return None
    found = [value for key, value in top.value if key.id == "scalar" and _scalar(key) == TOP]
    empty = found and found[0].id == "scalar" and not found[0].value
    return None if empty or not found else found[0]


def _document(data: bytes) -> tuple[Any, Fault | None]:
    """The tree of nodes of a file, or why there is none. A file without a word loads no parser."""
    if not data.strip():
        return None, None
    open_roots()  # the door's interpreter sees no site-packages
    import yaml

    try:
        return frontmatter.node_of(data.decode("utf-8-sig")), None
    except UnicodeDecodeError:
        return None, Fault("", "UTF-8", "other bytes", "", "the file as UTF-8", PLACE)
    except yaml.YAMLError as fault:
        mark = getattr(fault, "problem_mark", None)
        where = f"{PLACE}:{mark.line + 1}" if mark is not None else PLACE
        what = str(getattr(fault, "problem", "") or "something else")
        return None, Fault("", "YAML", what, "", "rows as `jackline schema validators` has them", where)
    except (RecursionError, ValueError) as fault:
        return None, Fault("", "YAML", str(fault).partition("\n")[0][:200], "", f"{TOP}: […]", PLACE)


def _each(listed: Any) -> Iterator[tuple[dict[str, Any] | None, str]]:
    """Every row of a list with its line."""
    for node in listed.value[:MOST]:
        yield _row(node), f"{PLACE}:{node.start_mark.line + 1}"


def rows(data: bytes) -> Rows:
    """The rows in a file's bytes. Never raises: what is wrong with one row holds up no other."""
    top, fault = _document(data)
    if fault is not None:
        return Rows({}, {}, (fault,))
    listed = _listed(top)
    if listed is None or listed.id != "sequence":
        if top is None or (top.id == "mapping" and any(_scalar(key) == TOP for key, _ in top.value) and listed is None):
            return Rows({})
        return Rows({}, {}, (Fault("", f"a list of rows below `{TOP}:`", "something else", "", f"{TOP}: […]", PLACE),))
    return _sorted_out(listed)


def _without_place(good: Mapping[str, bytes]) -> list[Fault]:
    """Rows that need one that is not there: they run, and a person hears of it."""
    made = []
    for name, data in good.items():
        for one in read(data).get("needs", ()):
            if one not in good:
                known = ", ".join(sorted(good.keys() - {name})) or "none of them: take it out"
                made.append(Fault(f"{name}.needs", "the name of another row", one, "", known, PLACE))
    return made


def _sorted_out(listed: Any) -> Rows:
    """The rows that can be used, and what is wrong with the others."""
    good: dict[str, bytes] = {}
    bad: dict[str, str] = {}
    faults: list[Fault] = []
    for row, where in _each(listed):
        name = str((row or {}).get("id", ""))
        wrong = [one._replace(where=where) for one in schemas.validate("validators#row", row)]
        if not wrong and row is not None and name in good:
            wrong = [Fault("id", "a name of its own", f"{name} a second time", "", "another name", where)]
        elif row is not None and wrong:
            bad[name] = str(wrong[0])
        elif row is not None:
            good[name] = written(row)
        faults += wrong
    faults += _without_place(good)
    if len(listed.value) > MOST:
        faults.append(Fault("", f"at most {MOST} rows", str(len(listed.value)), "", "fewer rows", PLACE))
    return Rows(good, {name: why for name, why in bad.items() if name not in good}, tuple(faults))
