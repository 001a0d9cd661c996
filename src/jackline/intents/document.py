"""`.orchestration/active_intents.yaml` as it is written: its intents, and what is wrong with it, by line and key.

Known keys are read, others named; `edit` keeps all of them.
"""

from __future__ import annotations

from jackline.intents import CLOSED, OPEN
from jackline.intents.fields import Fault, Fields, nearest, parse, scalar, shown
from jackline.intents.scope import fault as glob_fault

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, NamedTuple
else:
    from jackline._record import NamedTuple

IGNORE = ".orchestration/.intentignore"
LIMIT = 1 << 17
"""Bytes of the file at most."""

TOP = "active_intents"

KEYS = (
    *("id", "name", "description", "status", "owned_scope", "constraints", "acceptance_criteria", "github_issues"),
    *("progress", "version", "parent_intent", "depends_on", "tags", "related_specs", "created_at", "updated_at"),
)


class Intent(NamedTuple):
    """One intent as the file says it. `sound`: nothing in it is wrong, so it may be selected; `more`: unknown keys."""

    id: str
    name: str = ""
    status: str = "PENDING"
    scope: tuple[str, ...] = ()
    constraints: tuple[str, ...] = ()
    acceptance: tuple[str, ...] = ()
    issues: tuple[str, ...] = ()
    checklist: tuple[tuple[bool, str], ...] = ()
    notes: tuple[str, ...] = ()
    version: str = ""
    parent: str = ""
    depends: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    specs: tuple[str, ...] = ()
    created: str = ""
    updated: str = ""
    line: int = 0
    sound: bool = True
    more: tuple[str, ...] = ()


class Document(NamedTuple):
    """All intents in their order, and the faults. `notes`: what is probably not meant, though nothing is wrong."""

    intents: tuple[Intent, ...] = ()
    faults: tuple[Fault, ...] = ()
    notes: tuple[Fault, ...] = ()

    def find(self, name: str) -> Intent | None:
        """The intent of that id, None when there is none; of two with one id none is sound."""
        for one in self.intents:
            if one.id == name:
                return one
        return None


def status_of(text: str) -> str:
    """A status in our writing: `in progress` and `In-Progress` are IN_PROGRESS."""
    return text.strip().upper().replace("-", "_").replace(" ", "_")


def _status(reader: Fields) -> str:
    said = reader.text("status")
    status = status_of(said) if said else "PENDING"
    if status not in OPEN + CLOSED:
        near = nearest(status, OPEN + CLOSED)
        reader.fault("status", " | ".join(OPEN + CLOSED), said, f"status: {near}" if near else "")
    return status


def _checklist(reader: Fields, progress: Any) -> tuple[tuple[bool, str], ...]:
    rows = progress.get("checklist")
    if rows is None:
        return ()
    found = []
    for one in rows if isinstance(rows, list) else [rows]:
        if isinstance(one, dict) and isinstance(one.get("done", False), bool):
            found.append((bool(one.get("done", False)), scalar(one.get("label")) or ""))
        elif scalar(one) is not None and isinstance(rows, list):
            found.append((False, scalar(one) or ""))
        else:
            reader.fault(
                "progress.checklist", "a list of {done: true | false, label: text}", one, "", reader.at("progress")
            )
            break
    return tuple(found)


def _progress(reader: Fields) -> tuple[tuple[tuple[bool, str], ...], tuple[str, ...]]:
    progress = reader.value.get("progress")
    if progress is None:
        return (), ()
    if not isinstance(progress, dict):
        reader.fault("progress", "a mapping with `checklist` and `notes`", progress)
        return (), ()
    notes = progress.get("notes")
    rows = notes if isinstance(notes, list) else [] if notes is None else [notes]
    return _checklist(reader, progress), tuple([text for text in map(scalar, rows) if text])


def _strangers(reader: Fields) -> tuple[tuple[str, ...], list[Fault]]:
    """Keys we do not know, and a note for each that looks like a misspelt one."""
    more, notes = [], []
    for key in reader.value:
        if key in KEYS:
            continue
        more.append(str(key))
        near = nearest(str(key), [one for one in KEYS if one not in reader.value])
        if near:
            notes.append(Fault(reader.at(key), f"{reader.path}.{key}", "a known key", shown(str(key)), f"{near}:"))
    return tuple(more), notes


def _intent(value: Any, number: int, line: int) -> tuple[Intent | None, list[Fault], list[Fault]]:
    path = f"{TOP}[{number}]"
    if not isinstance(value, dict):
        return None, [Fault(line, path, "a mapping with `id`, `name`, `status`, `owned_scope`", shown(value))], []
    reader = Fields(value, path, line)
    more, notes = _strangers(reader)
    name = reader.text("id").strip()
    if not name:
        near = next((key for key in more if nearest(key, ["id"])), "")
        reader.faults.insert(0, Fault(line, f"{path}.id", "a text such as INT-001", shown(near or None), "id: INT-001"))
    checklist, said = _progress(reader)
    made = Intent(
        name,
        reader.text("name") or reader.text("description"),
        _status(reader),
        reader.texts("owned_scope", glob_fault),
        reader.texts("constraints"),
        reader.texts("acceptance_criteria"),
        reader.texts("github_issues"),
        checklist,
        said,
        reader.text("version"),
        reader.text("parent_intent"),
        reader.texts("depends_on"),
        reader.texts("tags"),
        reader.texts("related_specs"),
        reader.text("created_at"),
        reader.text("updated_at"),
        line,
        not reader.faults,
        more,
    )
    return (made if name else None), reader.faults, notes


def decode(data: bytes) -> tuple[str, Fault | None]:
    if len(data) > LIMIT:
        return "", Fault(1, "", f"at most {LIMIT} bytes", str(len(data)))
    try:
        return data.decode("utf-8-sig"), None
    except UnicodeDecodeError as error:
        return "", Fault(data[: error.start].count(b"\n") + 1, "", "UTF-8", "another encoding")


def _rows(data: bytes) -> tuple[Any, Fault | None]:
    """The list of intents as the library keeps it, empty where there is none, or what is wrong with the file."""
    text, fault = decode(data)
    value: Any = None
    if fault is None:
        value, fault = parse(text)
    if fault is not None or value is None:
        return (), fault
    if not isinstance(value, dict) or TOP not in value:
        first = str(next(iter(value), "")) if isinstance(value, dict) else ""
        got = shown(first) if nearest(first, [TOP]) else shown(value)
        return (), Fault(1, "", f"a mapping with `{TOP}`", got, f"{TOP}:")
    places: Any = value
    rows: Any = value[TOP]
    if rows is not None and not isinstance(rows, list):
        return (), Fault(int(places.lc.key(TOP)[0]) + 1, TOP, "a list of intents", shown(rows), "- id: INT-001")
    return rows or (), None


def document(data: bytes) -> Document:
    """Every intent of the file, and what is wrong. Never raises: a file that cannot be read has no intents."""
    rows, fault = _rows(data)
    faults: list[Fault] = [] if fault is None else [fault]
    found: list[Intent] = []
    notes: list[Fault] = []
    seen: dict[str, int] = {}
    for number, one in enumerate(rows):
        line = int(rows.lc.item(number)[0]) + 1
        made, wrong, odd = _intent(one, number, line)
        notes += odd
        if made is not None and made.id in seen:
            wrong.append(Fault(line, f"{TOP}[{number}].id", f"an id of its own (line {seen[made.id]} has it)", made.id))
            found = [two._replace(sound=two.sound and two.id != made.id) for two in found]
            made = None
        faults += wrong
        if made is not None:
            seen[made.id] = line
            found.append(made)
    return Document(tuple(found), tuple(faults), tuple(notes))
