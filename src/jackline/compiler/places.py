"""Where in a JSON text something stands: lines for faults, and what is wrong with a text that is no JSON."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from jackline.compiler.fault import Fault

TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\],:]|[^\s{}\[\],:"]+', re.DOTALL)


OPEN = ("Expecting property name enclosed in double quotes", "Expecting value")
TRAILING = {"}": "Illegal trailing comma before end of object", "]": "Illegal trailing comma before end of array"}


def json_fault(fault: json.JSONDecodeError) -> tuple[str, int]:
    """What is wrong with a text that is no JSON, and at which character: the same on every interpreter.

    Python 3.13 names a trailing comma and its place; 3.11 and 3.12 say what they miss at the bracket after it.
    """
    before = fault.doc[: fault.pos].rstrip(" \t\n\r")
    closing = fault.doc[fault.pos : fault.pos + 1]
    if fault.msg in OPEN and closing in TRAILING and before.endswith(","):
        return TRAILING[closing], len(before) - 1
    return fault.msg, fault.pos


def syntax(fault: Exception, where: str) -> Fault:
    """The fault of a text that is no JSON, with line and column where they are known."""
    if isinstance(fault, UnicodeDecodeError):
        return Fault(
            "", "UTF-8", f"byte {fault.object[fault.start]:#04x} at {fault.start}", "", "the file as UTF-8", where
        )
    if not isinstance(fault, json.JSONDecodeError):
        return Fault("", "JSON", str(fault) or "too deep a nesting", "", "one JSON object", where)
    said, at = json_fault(fault)
    line, column = fault.doc.count("\n", 0, at) + 1, at - fault.doc.rfind("\n", 0, at)
    return Fault(
        "", "JSON", f"{said[:1].lower()}{said[1:]} at column {column}", "", MEND.get(said, ""), f"{where}:{line}"
    )


MEND = {
    "Expecting property name enclosed in double quotes": 'a key in double quotes, and no comma before "}"',
    "Expecting ',' delimiter": 'a comma before it, or a closing "}" or "]"',
    "Expecting value": 'a value: JSON has no comments, no single quotes, and no comma before "]" or "}"',
    "Extra data": "one object only",
    **{said: f'no comma before "{bracket}"' for bracket, said in TRAILING.items()},
}


def _standing(text: str) -> Iterator[tuple[str, int]]:
    """Every key and item with its line, in their order, by path as faults write it."""
    stack: list[tuple[str, int]] = []  # path of the container; index of the item, or -1 in an object
    path, item, line, last = "", "", 1, 0
    expecting_key = False
    for token in TOKEN.finditer(text):
        line += text.count("\n", last, token.start())
        last = token.start()
        word = token.group()
        if item and word != "]":
            yield item, line
        item = ""
        if word in "{[":
            stack.append((path, 0 if word == "[" else -1))
            expecting_key = word == "{"
            if word == "[":
                path = item = f"{stack[-1][0]}[0]"
        elif word in "}]":
            path = stack.pop()[0] if stack else ""
        elif word == "," and stack:
            above, at = stack[-1]
            expecting_key = at < 0
            if at >= 0:
                stack[-1] = (above, at + 1)
                path = item = f"{above}[{at + 1}]"
        elif expecting_key and word[0] == '"':
            above = stack[-1][0] if stack else ""
            path = f"{above}.{word[1:-1]}" if above else word[1:-1]
            yield path, line
            expecting_key = False


def places(text: str) -> dict[str, int]:
    """The line of every key and item, by path as faults write it (`modules.session.mode`, `rules[0]`)."""
    return {"": 1, **dict(_standing(text))}


def repeated(text: str) -> Iterator[tuple[str, int, int]]:
    """Keys that one object has twice, with their line and that of the first: path, line, first line.

    What stands below the second one is not repeated for that.
    """
    first: dict[str, int] = {}
    for path, line in _standing(text):
        if path not in first:
            first[path] = line
        elif not path.endswith("]"):
            yield path, line, first[path]
            below = (f"{path}.", f"{path}[")
            first = {one: at for one, at in first.items() if not one.startswith(below)}


def lines_of(text: str, faults: list[Fault]) -> list[Fault]:
    """The faults with the lines of their keys; a missing key gets the line of what should hold it."""
    if not faults:
        return []
    known = places(text)
    told = []
    for fault in faults:
        path = fault.path
        while path not in known:
            path = path[: max(path.rfind("."), path.rfind("["), 0)]
        told.append(fault._replace(where=f"{fault.where}:{known[path]}"))
    return told
