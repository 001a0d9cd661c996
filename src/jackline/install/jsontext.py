"""Edit JSON as text: insert and remove members while every other byte, comments included, stays as it is.

Comments and trailing commas are tolerated, positions are kept; what a file means to a client is none of its business.
"""

from __future__ import annotations

import json
import re
from typing import Any, Literal, NamedTuple

from jackline.install.fault import InstallError

DEEPEST = 200
_STRING = re.compile(r'"(?:[^"\\\x00-\x1f]|\\.)*"')
_WORD = re.compile(r"-?[0-9A-Za-z.+-]+")
_BLANK = " \t\r\n"


class Splice(NamedTuple):
    """Replace `text[start:end]` by `new`."""

    start: int
    end: int
    new: str


class Member(NamedTuple):
    """One item of a list, or one key with its value; `comma` is where the comma after it stands, -1 for none."""

    key: str
    start: int
    node: Node
    comma: int


class Node(NamedTuple):
    kind: Literal["object", "array", "scalar"]
    start: int
    end: int
    scalar: Any
    members: tuple[Member, ...]

    def get(self, key: str) -> Node | None:
        """The value under `key`; the last one when the key is there twice, as every client reads it."""
        found = [member.node for member in self.members if member.key == key] if self.kind == "object" else []
        return found[-1] if found else None

    def value(self) -> Any:
        """The plain Python value."""
        if self.kind == "object":
            return {member.key: member.node.value() for member in self.members}
        if self.kind == "array":
            return [member.node.value() for member in self.members]
        return self.scalar


class Document(NamedTuple):
    """A text with its tree; `root` is None for a text of nothing but blanks."""

    text: str
    root: Node | None
    bom: bool
    where: str


class _Scanner:
    """Reads a tree; the position it stands at is the one thing it keeps."""

    def __init__(self, text: str, where: str) -> None:
        self.text = text
        self.where = where
        self.at = 0

    def fault(self, what: str) -> InstallError:
        line = self.text.count("\n", 0, self.at) + 1
        column = self.at - (self.text.rfind("\n", 0, self.at) + 1) + 1
        cure = "mend the JSON (the file was left as it is), then run the command again"
        return InstallError(f"{self.where}:{line}:{column}", what, cure)

    def blanks(self) -> None:
        """Go past blanks and comments."""
        text = self.text
        while self.at < len(text):
            if text[self.at] in _BLANK:
                self.at += 1
            elif text.startswith("//", self.at):
                end = text.find("\n", self.at)
                self.at = len(text) if end < 0 else end
            elif text.startswith("/*", self.at):
                end = text.find("*/", self.at + 2)
                if end < 0:
                    raise self.fault("a comment is not closed")
                self.at = end + 2
            else:
                return

    def peek(self) -> str:
        return self.text[self.at : self.at + 1]

    def string(self) -> str:
        found = _STRING.match(self.text, self.at)
        if found is None:
            raise self.fault("expected a string in double quotes")
        try:
            value: str = json.loads(found.group())
        except ValueError:
            raise self.fault("a string with a broken escape") from None
        self.at = found.end()
        return value

    def scalar(self) -> Node:
        start = self.at
        if self.peek() == '"':
            return Node("scalar", start, self.at, self.string(), ())._replace(end=self.at)
        found = _WORD.match(self.text, self.at)
        if found is None:
            raise self.fault(f"expected a value, found {self.peek() or 'the end of the file'!r}")
        try:
            value = json.loads(found.group())
        except ValueError:
            raise self.fault(f"expected a value, found {found.group()[:30]!r}") from None
        self.at = found.end()
        return Node("scalar", start, self.at, value, ())

    def node(self, depth: int = 0) -> Node:
        if depth > DEEPEST:
            raise self.fault(f"nested deeper than {DEEPEST}")
        opener = self.peek()
        if opener not in ("{", "["):
            return self.scalar()
        closer = "}" if opener == "{" else "]"
        start = self.at
        members: list[Member] = []
        self.at += 1
        self.blanks()
        while self.peek() != closer:
            if members and members[-1].comma < 0:
                raise self.fault(f"expected a comma or {closer!r}, found {self.peek() or 'the end of the file'!r}")
            members.append(self.member(opener == "{", depth))
        self.at += 1
        return Node("object" if opener == "{" else "array", start, self.at, None, tuple(members))

    def member(self, named: bool, depth: int) -> Member:
        start, key, comma = self.at, "", -1
        if named:
            key = self.string()
            self.blanks()
            if self.peek() != ":":
                raise self.fault("expected a colon after the key")
            self.at += 1
            self.blanks()
        node = self.node(depth + 1)
        self.blanks()
        if self.peek() == ",":
            comma = self.at
            self.at += 1
            self.blanks()
        return Member(key, start, node, comma)


def parse(text: str, where: str, *, bom: bool = False) -> Document:
    """Read a text. Raises `InstallError` with line and column when it is not JSON."""
    scanner = _Scanner(text, where)
    scanner.blanks()
    if not scanner.peek():
        return Document(text, None, bom, where)
    root = scanner.node()
    scanner.blanks()
    if scanner.peek():
        raise scanner.fault("more text after the end of the value")
    return Document(text, root, bom, where)


def decode(data: bytes, where: str) -> Document:
    """Read the bytes of a file."""
    bom = data.startswith(b"\xef\xbb\xbf")
    try:
        text = data[3 if bom else 0 :].decode("utf-8")
    except UnicodeDecodeError as fault:
        raise InstallError(
            where, f"not UTF-8 at byte {fault.start}", "save the file as UTF-8, then run again"
        ) from None
    return parse(text, where, bom=bom)


def encode(document: Document) -> bytes:
    return (b"\xef\xbb\xbf" if document.bom else b"") + document.text.encode("utf-8")


# --- style ---------------------------------------------------------------------------------------------------------


def newline(text: str) -> str:
    """The line end of a text: that of its first line."""
    first = text.find("\n")
    return "\r\n" if first > 0 and text[first - 1] == "\r" else "\n"


def _line_indent(text: str, at: int) -> str:
    start = text.rfind("\n", 0, at) + 1
    return text[start : start + len(text[start:at]) - len(text[start:at].lstrip(" \t"))]


def _own_line(text: str, at: int) -> bool:
    """Whether only blanks stand before `at` on its line."""
    return not text[text.rfind("\n", 0, at) + 1 : at].strip()


def indent(document: Document) -> str:
    """One step of indentation, as the outermost member that stands on its own line has it; two spaces otherwise."""
    for member in document.root.members if document.root else ():
        if "\n" in document.text[: member.start] and _own_line(document.text, member.start):
            return _line_indent(document.text, member.start) or "  "
    return "  "


def render(document: Document, value: Any, base: str, *, inline: bool) -> str:
    """A value as text in the document's style; `base` indents its lines after the first."""
    if inline:
        return json.dumps(value, ensure_ascii=False)
    lines = json.dumps(value, ensure_ascii=False, indent=indent(document)).split("\n")
    return (newline(document.text) + base).join(lines)


# --- edits ---------------------------------------------------------------------------------------------------------


def _comment_open(text: str, at: int) -> bool:
    """Whether `at` lies at the end of a `//` comment: its line read alone leaves one open."""
    line = text[text.rfind("\n", 0, at) + 1 : at]
    return "//" in re.sub(r'"(?:[^"\\]|\\.)*"|/\*.*?\*/', "", line)


def _past_comments(text: str, at: int) -> int:
    """The end of the comments that follow `at` on the same line; `at` itself when there are none."""
    end = at
    while True:
        start = end
        while text[start : start + 1] in (" ", "\t"):
            start += 1
        if text.startswith("//", start):
            stop = text.find("\n", start)
            stop = len(text) if stop < 0 else stop
            return stop - 1 if text[stop - 1] == "\r" else stop
        if not text.startswith("/*", start):
            return end
        stop = text.find("*/", start) + 2
        if "\n" in text[start:stop]:
            return end
        end = stop


def append(document: Document, container: Node, key: str, value: Any) -> list[Splice]:
    """Insert a member behind the last one of `container` (`key` is "" for a list). Splices in descending order."""
    text, name = document.text, json.dumps(key, ensure_ascii=False) + ": " if key else ""
    if not container.members:
        return [_fill(document, container, name, value)]
    last = container.members[-1]
    lined = "\n" in text[container.start : last.start] and _own_line(text, last.start)
    base = _line_indent(text, last.start)
    put = name + render(document, value, base, inline=not lined)
    end = last.comma + 1 if last.comma >= 0 else last.node.end
    at = _past_comments(text, end)
    lead = newline(text) + base if lined or (at > end and _comment_open(text, at)) else " "
    if last.comma >= 0:  # the file likes a comma after the last member: keep it so
        return [Splice(at, at, f"{lead}{put},")]
    if at == end:
        return [Splice(at, at, f",{lead}{put}")]
    return [Splice(at, at, lead + put), Splice(last.node.end, last.node.end, ",")]


def _fill(document: Document, container: Node, name: str, value: Any) -> Splice:
    """The first member of an empty container; what stood between its brackets (comments) stays before it."""
    text = document.text
    inside = text[container.start + 1 : container.end - 1]
    at = container.start + 1 + len(inside.rstrip(_BLANK))
    base = _line_indent(text, container.start)
    root = document.root
    inline = root is not None and container is not root and "\n" not in text[root.start : root.end]
    if inline:
        return Splice(at, container.end - 1, name + render(document, value, base, inline=True))
    below = base + indent(document)
    end = newline(text)
    put = f"{end}{below}{name}{render(document, value, below, inline=False)}{end}{base}"
    return Splice(at, container.end - 1, put)


def _gap_before(text: str, at: int) -> int:
    """Where the blanks before `at` begin; the line end that closes a `//` comment is not one of them."""
    start = len(text[:at].rstrip(_BLANK))
    return text.index("\n", start) + 1 if _comment_open(text, start) else start


def remove(document: Document, container: Node, index: int) -> list[Splice]:
    """Take out one member with its comma and the blanks before it: the reverse of `append`."""
    text, members = document.text, container.members
    member = members[index]
    end = member.comma + 1 if member.comma >= 0 else member.node.end
    if len(members) == 1:
        before, after = text[container.start + 1 : member.start], text[end : container.end - 1]
        if not before.strip() and not after.strip():
            return [Splice(container.start + 1, container.end - 1, "")]
    start = _gap_before(text, member.start)
    if text[start - 1 : start] == "\n" and text[end : end + 2].lstrip("\r").startswith("\n"):
        start -= 2 if text[start - 2 : start] == "\r\n" else 1
    gone = Splice(start, end, "")
    if member.comma >= 0 or index == 0:
        return [gone]
    comma = members[index - 1].comma
    return [gone, Splice(comma, comma + 1, "")] if comma < start else [Splice(comma, end, "")]


def replace(document: Document, node: Node, value: Any, *, inline: bool | None = None) -> list[Splice]:
    """Put another value in the place of one, on as many lines as that has (or as `inline` says)."""
    if inline is None:
        inline = "\n" not in document.text[node.start : node.end]
    base = _line_indent(document.text, node.start)
    return [Splice(node.start, node.end, render(document, value, base, inline=inline))]


def apply(document: Document, splices: list[Splice]) -> tuple[Document, list[Splice]]:
    """Carry out splices (descending, apart) and read the result; also the splices that undo them, in order."""
    text, undo = document.text, []
    for start, end, new in splices:
        undo.append(Splice(start, start + len(new), text[start:end]))
        text = text[:start] + new + text[end:]
    return parse(text, document.where, bom=document.bom), undo[::-1]
