"""Front matter: the lines between two `---` at the top of a script or a note, in any language's comments, as fields.

Finds and reads; what the fields mean is `scriptfields`' to say. The YAML library is imported when it has to.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence
from typing import Any, NamedTuple

from jackline.compiler.fault import Fault, shown

LINES = 200
"""Lines of front matter at most."""

BYTES = 16 << 10
"""Bytes of front matter at most."""

MENDED = 10
"""Values in one file that are given the quotes they lack."""

BLANK = 20
"""Lines of a file looked at for where it begins: blank ones, a shebang, an encoding."""

BOM = "\N{ZERO WIDTH NO-BREAK SPACE}"

OPENING = re.compile(r"[ \t]*(#+|//+|--|;+|%+|\*|'|!|REM|rem|)[ \t]?---[ \t]*\Z")
"""The first delimiter, after whatever makes a comment in this language."""

BLOCKS = {
    "/*": "*/",
    "/**": "*/",
    '"""': '"""',
    "'''": "'''",
    "<!--": "-->",
    "--[[": "]]",
    "{-": "-}",
    "<#": "#>",
    "(*": "*)",
    "=begin": "=end",
    ": <<'---'": "---",
}
"""What opens a comment of several lines, and what closes it."""

BEFORE = re.compile(r"#!|#.*coding[:=]|<\?php|[ \t]*\Z|'use strict'|\"use strict\"|@echo ", re.IGNORECASE)
"""Lines that may stand before front matter."""


UNDECODED = re.compile("[\udc80-\udcff]")


class Field(NamedTuple):
    """One value as it was written: a text, a list of texts, or None for nothing; `strange` tells what else it is.

    `plain`: written without quotes, so that it may mean a number or a word like `true`.
    """

    value: str | tuple[str, ...] | None
    line: int
    plain: bool = True
    strange: str = ""


class Block(NamedTuple):
    """Front matter as text without its comment signs; `line` is its first line in the file, `end` the line after it."""

    text: str
    line: int
    end: int
    prefix: str = ""


class Front(NamedTuple):
    """Front matter as fields, by key, and where it stands."""

    fields: dict[str, Field]
    line: int
    end: int
    prefix: str = ""
    notes: tuple[str, ...] = ()


def _stripped(line: str, prefix: str) -> str | None:
    """A line without its comment sign and the blank after it; None when it is no comment of this kind."""
    if not prefix:
        return line
    if line.startswith(prefix) and line[len(prefix) : len(prefix) + 1] == " ":  # as nearly every line
        return line[len(prefix) + 1 :]
    bare = line.lstrip(" \t")
    if bare.startswith(prefix):
        bare = bare[len(prefix) :]
        return bare[1:] if bare[:1] in (" ", "\t") else bare
    return "" if not bare.strip() else None


def _opening(lines: Sequence[str]) -> tuple[int, str, str] | None:
    """Where front matter opens: index of its delimiter, its comment sign, what closes the comment it stands in."""
    closes = ""
    for at, line in enumerate(lines[:BLANK]):
        bare = line.strip()
        found = OPENING.match(line)
        if found:
            return at, found.group(1), closes
        for opens, ends in () if closes else BLOCKS.items():
            if bare in (opens, opens + "---", opens + " ---"):
                if bare != opens:
                    return at, "", ends
                closes = ends
                break
        else:
            if not BEFORE.match(line):
                return None
    return None


def find(data: bytes, where: str) -> Block | Fault | None:
    """The front matter at the top of a file; None when it has none, a fault when it never closes."""
    if b"---" not in data[: BYTES * 2]:
        return None
    head = data[: BYTES * 2]
    if b"\0" in head[:512]:
        return None
    text = head.decode("utf-8", "surrogateescape").removeprefix(BOM)
    lines = text.split("\n")
    if "\r" in text:
        lines = [line.removesuffix("\r") for line in lines]
    opened = _opening(lines)
    if opened is None:
        return None
    at, prefix, closes = opened
    inside: list[str] = []
    size = 0
    for index, line in enumerate(lines[at + 1 :], at + 1):
        bare = _stripped(line, prefix)
        said = None if bare is None else bare.strip()
        if said == "---" or (closes and said in ("---" + closes, "--- " + closes)):
            return _text(inside, at, index, prefix, where)
        if bare is None:
            return _unclosed(prefix, at, f"{shown(line.strip(), 40)} in line {index + 1}", where)
        if closes and said == closes:
            return _unclosed(prefix, at, f"{closes} in line {index + 1}", where)
        size += len(bare) + 1
        if len(inside) == LINES or size > BYTES:
            return _unclosed(prefix, at, f"none within {LINES} lines and {BYTES >> 10} KB", where)
        inside.append(bare)
    return _unclosed(prefix, at, "the end of the file", where)


def _unclosed(prefix: str, at: int, got: str, where: str) -> Fault:
    return Fault("", f"a closing {prefix}---", got, "", f"{prefix}--- after the last field", f"{where}:{at + 1}")


def _text(inside: list[str], at: int, end: int, prefix: str, where: str) -> Block | Fault:
    text = "\n".join(inside)
    byte = None if text.isascii() else UNDECODED.search(text)
    if byte:
        line = at + 2 + text.count("\n", 0, byte.start())
        got = f"byte {ord(byte.group()) - 0xDC00:#04x}"
        return Fault("", "UTF-8", got, "", "the file as UTF-8", f"{where}:{line}")
    return Block(text, at + 2, end + 2, prefix)


def body(data: bytes, front: Front) -> str:
    """The text below front matter, without its first and last blank lines."""
    text = data.decode("utf-8", "replace").removeprefix(BOM).replace("\r\n", "\n")
    return "\n".join(text.split("\n")[front.end - 1 :]).strip("\n")


# --- YAML ----------------------------------------------------------------------------------------------------------

UNQUOTED = re.compile(r"([ \t]*(?:[\w-]+[ \t]*:|-)[ \t]+)([^\s\"'|>#].*?)((?:[ \t]+#.*)?)\Z")
"""A value without quotes; where YAML stumbles over it (an alias, a tag, a second colon), a text was meant."""


@functools.cache
def _resolver() -> Any:
    """Leaves to us what the texts of nodes mean: `on` is a word, `5m` too."""
    from ruamel.yaml.resolver import VersionedResolver

    class Resolver(VersionedResolver):
        def descend_resolver(self, *_: object) -> None:
            pass

        def ascend_resolver(self) -> None:
            pass

        def resolve(self, *_: object) -> None:
            pass

    return Resolver


def node_of(text: str) -> Any:
    """The tree of nodes that a document is; each text is a text, whatever YAML takes it for."""
    from ruamel.yaml import YAML

    reader = YAML(typ="base", pure=True)
    reader.Resolver = _resolver()
    return reader.compose(text)


def _said(node: Any) -> str:
    """A scalar's text; what YAML takes for a tag of its own is the beginning of a text (`!*.go`)."""
    tag = node.tag or ""
    return f"{tag} {node.value}".strip() if tag[:1] == "!" and len(tag) > 1 else str(node.value)


def _is_braces(node: Any) -> bool:
    """Whether a mapping has names only: braces of a pattern, `{a,b}`, and no `key: value`."""
    values = [value for _, value in node.value] if node.id == "mapping" and node.flow_style else []
    return bool(values) and all(one.id == "scalar" and one.start_mark.index == one.end_mark.index for one in values)


def _as_text(node: Any, lines: Sequence[str]) -> str | None:
    """The text that a node is, None where it is something else."""
    if node.id == "scalar":
        return _said(node)
    start, end = node.start_mark, node.end_mark
    return lines[start.line][start.column : end.column] if _is_braces(node) and start.line == end.line else None


def _field(node: Any, line: int, lines: Sequence[str]) -> Field:
    """One value. Aliases may come round again, so nothing below a list is followed."""
    if node.id == "scalar" and not node.style and _said(node) in ("", "~", "null", "Null", "NULL"):
        return Field(None, line)
    if node.id == "sequence":
        texts = [_as_text(one, lines) for one in node.value]
        if None not in texts:
            return Field(tuple([one for one in texts if one is not None]), line, False)
        return Field(None, line, False, "a list with lists or mappings in it")
    text = _as_text(node, lines)
    if text is not None:
        return Field(text, line, not getattr(node, "style", None))
    return Field(None, line, False, f"a mapping of {len(node.value)}")


def _unquoted(node: Any) -> list[Any]:
    """The texts of a value that YAML takes for something else."""
    return [one for one in (node.value if node.id == "sequence" else [node]) if _is_braces(one)]


LONGEST = 1000
"""Characters of a value that somebody may have forgotten to quote; a longer one is no slip of the hand."""

QUOTES = ("'", '"')
CLOSES = {"[": "]", "{": "}", "(": ")"}


def _items(text: str) -> tuple[list[str], str]:
    """What stands between the commas of `[…]`, and what stands behind it; no items where it does not end."""
    items, at, closing, quote = [""], 0, ["]"], ""
    for at, char in enumerate(text[1:], 1):
        if quote:
            quote = "" if char == quote else quote
        elif char in QUOTES and not items[-1].strip():
            quote = char
        elif char == closing[-1]:
            closing.pop()
        elif char in CLOSES:
            closing.append(CLOSES[char])
        if not closing:
            return [item.strip() for item in items if item.strip()], text[at + 1 :]
        if char == "," and len(closing) == 1 and not quote:
            items.append("")
        else:
            items[-1] += char
    return [], ""


def _in_quotes(value: str) -> str:
    return "'" + value.replace("'", "''") + "'"


def _quoted(line: str) -> str | None:
    """The line with its value in quotes; None when it has some, or is no `key: value`."""
    found = UNQUOTED.match(line)
    if not found:
        return None
    before, value, comment = found.groups()
    if len(value) > LONGEST:
        return None
    items, behind = _items(value) if value[0] == "[" else ([], "]")
    if items and not behind:  # a list, whose items lack them
        return f"{before}[{', '.join([one if one[0] in QUOTES else _in_quotes(one) for one in items])}]{comment}"
    return f"{before}{_in_quotes(value)}{comment}" if items or behind else None


def _place(fault: Exception, lines: Sequence[str]) -> tuple[int, int]:
    """Line and column of what YAML complains of, from 0; column -1 when it does not say."""
    mark = getattr(fault, "problem_mark", None) or getattr(fault, "context_mark", None)
    if mark is None:
        return 0, -1
    return (mark.line, mark.column) if mark.line < len(lines) else (len(lines) - 1, -1)


def _broken(fault: Exception, block: Block, where: str) -> Fault:
    line, column = _place(fault, block.text.split("\n"))
    got = str(getattr(fault, "problem", None) or getattr(fault, "reason", None) or fault or "too deep a nesting")
    said = block.text.split("\n")[line]
    tab = "\t" in said[: len(said) - len(said.lstrip())]
    write = "blanks instead of the tab" if tab else "key: value, one a line"
    wanted, turned, there = got.split("\n")[0].partition(", but got ")
    got = f"{there} where {wanted.removeprefix('expected ')} must stand" if turned else wanted
    got += f" at column {column + 1}" if column >= 0 else ""
    return Fault("", "YAML", got, "", write, f"{where}:{block.line + line}")


def _note(where: str, line: int, mended: str) -> str:
    return f"{where}:{line} · the value needs quotes, taken as a text · write: {mended.strip()}"


def _composed(block: Block, where: str) -> tuple[Any, list[str], list[str]] | Fault:
    """The syntax tree, its lines, and words to who wrote it. A value that only lacks quotes gets them."""
    lines = block.text.split("\n")
    notes: list[str] = []
    while True:
        try:
            return node_of("\n".join(lines)), lines, notes
        except ImportError:
            return Fault("", "ruamel.yaml beside Jackline", "none", "", "pip install ruamel.yaml", where)
        except Exception as fault:  # noqa: BLE001 - YAML of strangers: whatever its parser raises is a fault of the file
            at = _place(fault, lines)[0]
            for near in (at, at - 1):
                mended = _quoted(lines[near]) if near >= 0 else None
                if mended is not None and len(notes) < MENDED:
                    lines[near] = mended
                    notes.append(_note(where, block.line + near, mended))
                    break
            else:
                return _broken(fault, block, where)


def parse(block: Block, where: str) -> Front | Fault:
    """The fields of front matter. Keys are texts, each once."""
    made = _composed(block, where)
    if isinstance(made, Fault):
        return made
    root, lines, notes = made
    if root is None:
        return Front({}, block.line, block.end, block.prefix)
    if root.id != "mapping":
        place = f"{where}:{block.line + root.start_mark.line}"
        return Fault("", "fields (key: value)", "a text" if root.id == "scalar" else "a list", "", "type: file", place)
    fields: dict[str, Field] = {}
    for key, value in root.value:
        place = f"{where}:{block.line + key.start_mark.line}"
        if key.id != "scalar":
            return Fault("", "a text as key", f"a {key.id}", "", "key: value", place)
        if key.value in fields:
            got = f"a second one (the first in line {fields[key.value].line})"
            return Fault(key.value, "each key once", got, "", "one of them", place)
        fields[key.value] = _field(value, block.line + key.start_mark.line, lines)
        for one in _unquoted(value):
            notes.append(_note(where, block.line + one.start_mark.line, _in_quotes(_as_text(one, lines) or "")))
    return Front(fields, block.line, block.end, block.prefix, tuple(notes))


def read(data: bytes, where: str) -> Front | Fault | None:
    """The front matter of a file as fields; None when it has none."""
    block = find(data, where)
    return parse(block, where) if isinstance(block, Block) else block
