"""Write rows into `.ai/hooks/validators.yaml`, and take them back: every other line of the file stays as it is.

Rows are a block of lines behind those that are there. What comes out is read again and must say what was meant.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.comments import CommentedMap, CommentedSeq
from ruamel.yaml.error import YAMLError

from jackline.compiler.row_files import VALIDATORS
from jackline.install import files, jsontext, switches
from jackline.install.checks import Check
from jackline.install.fault import InstallError
from jackline.install.switches import File

PLACE, TOP = VALIDATORS.place, VALIDATORS.top
EMPTY = f"# Checks of this project: when they run, and the paths they judge.\n{TOP}:\n"

Row = Mapping[str, Any]


def _fault(what: str, cure: str = "mend the file (it was left as it is), then run again") -> InstallError:
    return InstallError(PLACE, what, cure)


def _parsed(text: str) -> Any:
    try:
        return YAML(typ="rt", pure=True).load(text)
    except (YAMLError, ValueError, RecursionError) as fault:
        raise _fault(" ".join(str(fault).split())[:200]) from None


def _rows(value: Any) -> Any:
    """The list of rows in a file's value; None where it is still to be begun."""
    if value is None:
        return None
    rows = value.get(TOP) if isinstance(value, dict) else value
    if (isinstance(value, dict) or rows is not None) and (rows is None or isinstance(rows, list)):
        return rows
    raise _fault(f"expected a list of rows below `{TOP}:`")


def rows(data: bytes | None) -> list[Row]:
    """The rows that stand in a file. InstallError when it cannot be read."""
    try:
        text = (data or b"").decode("utf-8-sig")
    except UnicodeDecodeError:
        raise _fault("is no UTF-8 text", "save it as UTF-8, then run again") from None
    return [one for one in _rows(_parsed(text)) or () if isinstance(one, dict)]


def _block(made: Iterable[Check], pad: str) -> str:
    """Rows as lines, written by the library; `pad` stands before their dashes."""

    def flow(words: Sequence[str]) -> CommentedSeq:
        found = CommentedSeq(words)
        found.fa.set_flow_style()
        return found

    listed = [
        CommentedMap({key: flow(value) if isinstance(value, list) else value for key, value in one.row.items()})
        for one in made
    ]
    writer, out = YAML(typ="rt", pure=True), io.StringIO()
    writer.width = 1 << 16
    writer.dump(listed, out)
    return "".join(f"{pad}{line}\n" for line in out.getvalue().splitlines())


def _pad(text: str, there: Any) -> str:
    """What stands before the dashes of the rows that are there."""
    if not there:
        return "  "
    line = text.split("\n")[there.lc.item(0)[0]]
    return line[: line.find("-")] if line.lstrip().startswith("-") else ""


def _added(text: str, made: Sequence[Check]) -> tuple[str, str]:
    """The text with more rows, and the block of lines that was added."""
    value, end = _parsed(text), jsontext.newline(text)
    there = _rows(value)
    if value is None or (isinstance(value, dict) and TOP not in value):
        text += ("" if not text or text.endswith("\n") else end) + (EMPTY if not text.strip() else f"{TOP}:{end}")
    elif not text.endswith("\n"):
        text += end
    block = _block(made, _pad(text, there)).replace("\n", end)
    new = text + block
    if _rows(_parsed(new)) != [*(there or ()), *[one.row for one in made]]:
        raise _fault("is laid out in a way that cannot be added to safely", f"add the rows by hand:\n{block}")
    return new, block


def _strip(data: bytes, put: Any, base: bytes | None) -> bytes:
    """The file without the blocks that we added, where they still stand as a whole."""
    text = data.decode("utf-8", "surrogateescape")
    for block in put:
        text = text.replace(block, "", 1)
    return text.encode("utf-8", "surrogateescape")


def has_rows(root: Path) -> bool:
    """Whether a project has any; a file that cannot be read has none to go by."""
    try:
        return bool(rows(files.read(root / PLACE)))
    except InstallError:
        return False


def missing(root: Path, found: Iterable[Check]) -> list[Check]:
    """Those of the checks that no row has, by its command or its name."""
    there = rows(files.read(root / PLACE))
    known = [one.get("command") for one in there], [str(one.get("id")) for one in there]
    return [one for one in found if [*one.command] not in known[0] and one.id not in known[1]]


def add(store: Path, root: Path, found: Sequence[Check]) -> bool:
    """Write rows for these checks; whether the file is another now."""
    path = switches.plain(root / PLACE, str(root))
    made = missing(root, found)
    if not made:
        return False
    with switches.writing(store) as book:
        known, now = book.get(str(path)), files.read(path)
        base = switches.base_of(known, now, _strip)
        text, block = _added((now or b"").decode("utf-8-sig"), made)
        put = [*(known.put if known else ()), block]
        mark = b"\xef\xbb\xbf" if (now or b"").startswith(b"\xef\xbb\xbf") else b""
        data = mark + text.encode()
        asked = {one.id: True for one in made} | dict(known.asked if known else {})
        fresh = File(str(root), base, files.digest(data), known.folders if known else (), asked, put)
        return switches.put(store, book, path, fresh, data, 0o644)


def take_back(store: Path, root: Path) -> list[str]:
    """Give the file back as it was, beside what others wrote into it since; the names of the rows that went."""
    path = root / PLACE
    if str(path) not in switches.load(store):
        return []
    with switches.writing(store) as book:
        known, now = book[str(path)], files.read(switches.plain(path, str(root)))
        base = switches.base_of(known, now, _strip)
        fresh = known._replace(base=base, asked={}, digest=files.digest(base or b""))
        return [*known.asked] if switches.put(store, book, path, fresh, base, 0o644) else []
