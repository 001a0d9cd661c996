"""Files of rows, each a unit of trust by itself: `.ai/hooks/validators.yaml`, `.ai/hooks/plan-rules.yaml`.

Each row is written anew in one form, a line a key: how it was laid out in the file, and what stands beside it, is no
part of what a person trusts. What is wrong with one row holds up no other.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from jackline.compiler import frontmatter, schemas
from jackline.compiler.fault import Fault
from jackline.jsonio import dumps, loads
from jackline.site_paths import open_roots

if TYPE_CHECKING:
    from typing import NamedTuple
else:
    from jackline._record import NamedTuple

MARK = "#"
"""Between the file and the name of a row in it, in the place of a unit."""
MOST = 200
"""Rows that are read."""


class Form(NamedTuple):
    """A kind of such files. `place`: where it lies; `schema`: of the file, whose form `row` is that of a row; `top`:
    the key of its rows; `keys`: of a row, in the order in which they are written.

    `lists`: keys of lists where one text may stand alone; `numbers`: keys of numbers; `words`: by key, what a word
    stands for.
    """

    place: str
    schema: str
    top: str
    keys: tuple[str, ...]
    lists: tuple[str, ...] = ()
    numbers: tuple[str, ...] = ()
    words: Mapping[str, Mapping[str, Any]] = {}

    def place_of(self, name: str) -> str:
        """The place of a row as a unit has it."""
        return f"{self.place}{MARK}{name}"


VALIDATORS = Form(
    ".ai/hooks/validators.yaml", "validators", "validators",
    ("id", "command", "paths", "when", "timeout", "needs", "baseline"), ("paths", "needs"), ("timeout",),
    {"baseline": {"true": True, "false": False, "yes": True, "no": False}},
)  # fmt: skip
PLAN_RULES = Form(
    ".ai/hooks/plan-rules.yaml", "plan-rules", "rules",
    ("id", "paths", "tools", "require", "from", "to", "reason"), ("paths", "tools"),
)  # fmt: skip
FORMS = {one.place: one for one in (VALIDATORS, PLAN_RULES)}


class Rows(NamedTuple):
    """What a file has: the rows that can be used by name, in their one form; names of those that cannot, and why;
    everything that is wrong with the file.
    """

    good: Mapping[str, bytes]
    bad: Mapping[str, str] = {}
    faults: tuple[Fault, ...] = ()


def form_of(place: str) -> Form | None:
    """The kind of file that a unit is a row of; None where it is a file by itself. `place` may begin elsewhere."""
    file = place.rpartition(MARK)[0]
    return next((form for name, form in FORMS.items() if file == name or file.endswith("/" + name)), None)


def file_of(key: tuple[str, str]) -> str:
    """The file that a unit stands in: a row's file holds other rows, too."""
    return key[1].rpartition(MARK)[0] if form_of(key[1]) else key[1]


def written(row: Mapping[str, Any], form: Form) -> bytes:
    """A row in its one form."""
    return "".join([f"{key}: {dumps(row[key])}\n" for key in form.keys if key in row]).encode()


def read(data: bytes, form: Form) -> dict[str, Any]:
    """A row from its one form. ValueError for anything else."""
    found = {}
    for line in data.decode().splitlines():
        key, _, value = line.partition(": ")
        found[key] = loads(value)
    if schemas.validate(f"{form.schema}#row", found):
        raise ValueError(f"no row of {form.top}")
    return found


def _scalar(node: Any) -> str:
    """A text; what YAML takes for a tag is the beginning of one (`!dist/**`)."""
    tag = node.tag or ""
    return f"{tag} {node.value}".strip() if tag[:1] == "!" and len(tag) > 1 else str(node.value)


def _value(key: str, node: Any, form: Form) -> Any:
    """What stands behind a key, as its schema has it where that can be said; a list of texts, or a text, else."""
    if node.id == "sequence":
        return [_scalar(one) if one.id == "scalar" else None for one in node.value]
    if node.id != "scalar":
        return {}
    said = _scalar(node)
    if key in form.lists and said:
        return [said]
    if key in form.numbers and said.isdecimal() and len(said) < 9:
        return int(said)
    return form.words.get(key, {}).get(said.lower(), said)


def _row(node: Any, form: Form) -> dict[str, Any] | None:
    """A row as data; None where it is no mapping."""
    if node.id != "mapping":
        return None
    return {_scalar(key): _value(_scalar(key), value, form) for key, value in node.value if key.id == "scalar"}


def _listed(top: Any, form: Form) -> Any:
    """The list of rows in a document: below its key, or the document itself; None where there is none."""
    if top is None or top.id == "sequence":
        return top
    if top.id != "mapping":
        return None
    found = [value for key, value in top.value if key.id == "scalar" and _scalar(key) == form.top]
    empty = found and found[0].id == "scalar" and not found[0].value
    return None if empty or not found else found[0]


def _document(data: bytes, form: Form) -> tuple[Any, Fault | None]:
    """The tree of nodes of a file, or why there is none. A file without a word loads no parser."""
    if not data.strip():
        return None, None
    open_roots()  # the entry point's interpreter sees no site-packages
    from ruamel.yaml.error import YAMLError

    place = form.place
    try:
        return frontmatter.node_of(data.decode("utf-8-sig")), None
    except UnicodeDecodeError:
        return None, Fault("", "UTF-8", "other bytes", "", "the file as UTF-8", place)
    except YAMLError as fault:
        mark = getattr(fault, "problem_mark", None)
        where = f"{place}:{mark.line + 1}" if mark is not None else place
        what = str(getattr(fault, "problem", "") or "something else")
        return None, Fault("", "YAML", what, "", f"rows as `jackline schema {form.schema}` has them", where)
    except (RecursionError, ValueError) as fault:
        return None, Fault("", "YAML", str(fault).partition("\n")[0][:200], "", f"{form.top}: […]", place)


def _each(listed: Any, form: Form) -> Iterator[tuple[dict[str, Any] | None, str]]:
    """Every row of a list with its line."""
    for node in listed.value[:MOST]:
        yield _row(node, form), f"{form.place}:{node.start_mark.line + 1}"


def rows(data: bytes, form: Form) -> Rows:
    """The rows in a file's bytes. Never raises: what is wrong with one row holds up no other."""
    top, fault = _document(data, form)
    if fault is not None:
        return Rows({}, {}, (fault,))
    listed = _listed(top, form)
    if listed is None or listed.id != "sequence":
        named = top is not None and top.id == "mapping" and any(_scalar(key) == form.top for key, _ in top.value)
        if top is None or (named and listed is None):
            return Rows({})
        wrong = Fault("", f"a list of rows below `{form.top}:`", "something else", "", f"{form.top}: […]", form.place)
        return Rows({}, {}, (wrong,))
    return _sorted_out(listed, form)


def _without_place(good: Mapping[str, bytes], form: Form) -> list[Fault]:
    """Rows that need one that is not there: they run, and a person hears of it."""
    made = []
    for name, data in good.items() if "needs" in form.keys else ():
        for one in read(data, form).get("needs", ()):
            if one not in good:
                known = ", ".join(sorted(good.keys() - {name})) or "none of them: take it out"
                made.append(Fault(f"{name}.needs", "the name of another row", one, "", known, form.place))
    return made


def _in_circles(good: Mapping[str, bytes], form: Form) -> list[str]:
    """Rows that need each other, or one that does: none of them would ever run."""
    needs = {name: {*read(data, form).get("needs", ())} & good.keys() for name, data in good.items()}
    while True:
        ready = [name for name, wanted in needs.items() if not wanted & needs.keys()]
        if not ready:
            return [*needs]
        for name in ready:
            del needs[name]


def _sorted_out(listed: Any, form: Form) -> Rows:
    """The rows that can be used, and what is wrong with the others."""
    good: dict[str, bytes] = {}
    bad: dict[str, str] = {}
    faults: list[Fault] = []
    for row, where in _each(listed, form):
        name = str((row or {}).get("id", ""))
        wrong = [one._replace(where=where) for one in schemas.validate(f"{form.schema}#row", row)]
        if not wrong and row is not None and name in good:
            wrong = [Fault("id", "a name of its own", f"{name} a second time", "", "another name", where)]
        elif row is not None and wrong:
            bad[name] = str(wrong[0])
        elif row is not None:
            good[name] = written(row, form)
        faults += wrong
    faults += _without_place(good, form)
    for name in _in_circles(good, form) if "needs" in form.keys else ():
        circle = Fault(f"{name}.needs", "names of rows that wait for none", "a circle", "", "fewer names", form.place)
        del good[name]
        bad[name] = str(circle)
        faults.append(circle)
    if len(listed.value) > MOST:
        faults.append(Fault("", f"at most {MOST} rows", str(len(listed.value)), "", "fewer rows", form.place))
    return Rows(good, {name: why for name, why in bad.items() if name not in good}, tuple(faults))
