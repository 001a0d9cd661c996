"""Write `active_intents.yaml` by the smallest change of its text: comments, order and layout stay as they are.

A change is made in the lines it concerns; where they are written in a way that forbids it (flow lists, odd layouts)
the YAML library writes the file, which keeps comments and order, too. Either way the result is read again and must say
exactly what was meant.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from typing import Any

from jackline.intents.document import TOP, Document, Intent, decode, document
from jackline.intents.fields import PLACE, parse

EMPTY = f"""# What agents work for here, and the paths that belong to it (`jackline intents --help`).
{TOP}:
"""


class Unwritable(Exception):
    """The file cannot be changed as asked; the message says why."""


def quoted(text: str) -> str:
    """A text as a YAML scalar that no reader takes for anything else."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\t", "\\t") + '"'


def _layout(text: str) -> tuple[int, int]:
    """How the lists of a file are written: spaces from a key to its items' texts, and to their dashes."""
    above = 0
    for line in text.split("\n"):
        bare = line.lstrip(" ")
        if bare.startswith("- "):
            offset = max(len(line) - len(bare) - above, 0)
            return offset + 2, offset
        if bare and not bare.startswith("#"):
            above = len(line) - len(bare)
    return 4, 2


def _dumped(text: str, value: Any) -> str:
    """The whole file as the library writes it."""
    from ruamel.yaml import YAML

    writer = YAML(typ="rt", pure=True)
    writer.preserve_quotes = True
    writer.width = 1 << 16
    sequence, offset = _layout(text)
    writer.indent(mapping=2, sequence=sequence, offset=offset)
    writer.explicit_start = text.startswith("---") or "\n---\n" in text
    out = io.StringIO()
    writer.dump(value, out)
    return out.getvalue()


def _rows(text: str) -> tuple[Any, Any]:
    value, fault = parse(text)
    if fault is not None:
        raise Unwritable(fault.told())
    rows = (value or {}).get(TOP) if isinstance(value, dict) or value is None else None
    return value, rows


def _row(rows: Any, name: str) -> Any:
    return next(one for one in rows if isinstance(one, dict) and str(one.get("id")) == name)


def _scalar_end(line: str, start: int) -> int:
    """Where the scalar that begins at `start` ends on its line; -1 when it is none of one line."""
    sign = line[start : start + 1]
    if sign in ("'", '"'):
        end = line.find(sign, start + 1)
        return end + 1 if end > 0 and line[end - 1] != "\\" and line[end + 1 : end + 2] != sign else -1
    if not sign or sign in "|>{[&*!#":
        return -1
    end = line.find(" #", start)
    return len(line[: end if end >= 0 else len(line)].rstrip())


def _with_status(lines: list[str], row: Any, status: str) -> bool:
    if row.fa.flow_style():
        return False
    if "status" in row:
        at, column = row.lc.value("status")
        end = _scalar_end(lines[at], column)
        if end < 0:
            return False
        lines[at] = lines[at][:column] + status + lines[at][end:]
        return True
    lines.insert(row.lc.key("id")[0] + 1, " " * row.lc.key("id")[1] + f"status: {status}")
    return True


def _behind(lines: list[str], at: int, column: int, globs: Sequence[str]) -> bool:
    """Further items behind the last one of a flow list."""
    line = lines[at]
    end = _scalar_end(line, column)
    if line[column : column + 1] not in ("'", '"'):
        end = min([end, *[place for sign in ",]" if (place := line.find(sign, column)) >= 0]])
    if end < 0:
        return False
    end = len(line[:end].rstrip())
    lines[at] = line[:end] + "".join([f", {quoted(one)}" for one in globs]) + line[end:]
    return True


def _with_globs(lines: list[str], row: Any, globs: Sequence[str]) -> bool:
    scope: Any = row.get("owned_scope")
    if not scope or type(scope).__name__ != "CommentedSeq" or row.fa.flow_style():
        return False
    at, column = scope.lc.item(len(scope) - 1)
    if scope.fa.flow_style():
        return _behind(lines, at, column, globs)
    dash = lines[at].rfind("-", 0, column)
    if dash < 0 or lines[at][:dash].strip():
        return False
    lines[at + 1 : at + 1] = [" " * dash + "- " + quoted(one) for one in globs]
    return True


def _block(made: Intent, pad: str) -> list[str]:
    """A new intent, in the order of the document."""
    lines = [f"{pad}- id: {quoted(made.id)}", f"{pad}  name: {quoted(made.name)}", f"{pad}  status: {made.status}"]
    for key, texts in (
        ("owned_scope", made.scope),
        ("constraints", made.constraints),
        ("acceptance_criteria", made.acceptance),
    ):
        lines.append(f"{pad}  {key}:" + ("" if texts else " []"))
        lines += [f"{pad}    - {quoted(one)}" for one in texts]
    return lines


def _with_intent(lines: list[str], value: Any, rows: Any, made: Intent) -> bool:
    """Below the last intent, when the list is the file's last part."""
    if value is None or list(value)[-1] != TOP:
        return False
    if rows:
        if rows.fa.flow_style():
            return False
        at = rows.lc.item(len(rows) - 1)
        dash = lines[at[0]].find("-")
    elif rows is None:
        dash = 2
    else:
        return False
    end = len(lines)
    while end and not lines[end - 1].strip():
        end -= 1
    lines[end:end] = _block(made, " " * dash)
    return True


def _library(change: str, value: Any, rows: Any, name: str, *more: Any) -> Any:
    """The same change in the library's own value."""
    if change == "status":
        _row(rows, name)["status"] = more[0]
    elif change == "globs":
        row = _row(rows, name)
        scope = row.get("owned_scope")
        if not isinstance(scope, list):
            row["owned_scope"] = [] if scope is None else [scope]
        elif any(other is not row and other.get("owned_scope") is scope for other in rows if isinstance(other, dict)):
            row["owned_scope"] = list(scope)  # others share it by an anchor: it grows for this one alone
        row["owned_scope"].extend(more[0])
    else:
        made: Intent = more[0]
        fresh = {"id": made.id, "name": made.name, "status": made.status, "owned_scope": list(made.scope)}
        fresh |= {"constraints": list(made.constraints), "acceptance_criteria": list(made.acceptance)}
        if value is None:
            value = {}
        if isinstance(rows, list):
            rows.append(fresh)
        else:
            value[TOP] = [fresh]
    return value


def _meaning(found: Document) -> list[Intent]:
    return [one._replace(line=0) for one in found.intents]


def _changed(
    data: bytes, splice: Callable[[list[str], Any, Any], bool], expected: Sequence[Intent], change: tuple[Any, ...]
) -> bytes:
    """The new bytes: by lines where that says what is meant, else by the library, else not at all."""
    text, fault = decode(data)
    if fault is not None:
        raise Unwritable(fault.told())
    mark = b"\xef\xbb\xbf" if data.startswith(b"\xef\xbb\xbf") else b""
    ending = "\r\n" if "\r\n" in text else "\n"
    text = text.replace("\r\n", "\n")
    wanted = [one._replace(line=0) for one in expected]
    value, rows = _rows(text)
    lines = text.split("\n")
    tries = ("\n".join(lines),) if splice(lines, value, rows) else ()
    for made in (*tries, None):
        if made is None:
            value, rows = _rows(text)
            made = _dumped(text, _library(change[0], value, rows, *change[1:]))
        if not made.endswith("\n"):
            made += "\n"
        found = document(made.encode())
        if _meaning(found) == wanted:
            return mark + str(made).replace("\n", ending).encode()
    raise Unwritable(f"{PLACE} · is laid out in a way that cannot be changed safely · edit it by hand")


def _known(data: bytes, name: str) -> tuple[list[Intent], Intent]:
    found = document(data)
    chosen = found.find(name)
    if chosen is None or not chosen.sound:
        raise Unwritable(found.faults[0].told() if found.faults else f"{PLACE} · no intent {name}")
    return list(found.intents), chosen


def with_status(data: bytes, name: str, status: str) -> bytes:
    """The file with another status of one intent."""
    intents, _ = _known(data, name)
    expected = [one._replace(status=status) if one.id == name else one for one in intents]
    change = ("status", name, status)
    return _changed(data, lambda lines, value, rows: _with_status(lines, _row(rows, name), status), expected, change)


def with_globs(data: bytes, name: str, globs: Sequence[str]) -> bytes:
    """The file with further globs in one intent's scope."""
    intents, chosen = _known(data, name)
    fresh = [one for one in globs if one not in chosen.scope]
    if not fresh:
        return data
    expected = [one._replace(scope=(*one.scope, *fresh)) if one.id == name else one for one in intents]
    change = ("globs", name, fresh)
    return _changed(data, lambda lines, value, rows: _with_globs(lines, _row(rows, name), fresh), expected, change)


def with_intent(data: bytes, made: Intent) -> bytes:
    """The file with one more intent, the last one."""
    data = data if data.strip() else EMPTY.encode()
    found = document(data)
    if found.find(made.id) is not None:
        raise Unwritable(f"{PLACE} · {made.id} is there already · choose another id")
    if found.faults:
        raise Unwritable(found.faults[0].told())
    change = ("intent", made.id, made)
    return _changed(
        data, lambda lines, value, rows: _with_intent(lines, value, rows, made), [*found.intents, made], change
    )
