"""The shapes in which entries of ours stand in clients' files, behind four functions: find, put, take out, undo.

Pure: bytes in, bytes out. `groups`, `items` and `events` are JSON (`hookfile`), `toml` and `yaml` lines of ours among
others' (`marked_lines`), `file` a file that is ours as a whole, `plugin` one that is a program (`plugin`).
"""

from __future__ import annotations

import posixpath
from collections.abc import Sequence
from typing import Any

from jackline.install import hookfile, jsontext, marked_lines, plugin
from jackline.install.fault import InstallError
from jackline.install.hookfile import Edit, Found, Ours, Shape, Wanted
from jackline.install.jsontext import Splice

ROOTED = ("events",)
"""Shapes whose events stand at the top of the file."""


def ours_in(shape: Shape, data: bytes, where: str, ours: Ours) -> list[Found]:
    """Every entry of ours in a file."""
    if shape in marked_lines.READERS:
        return [one for one in marked_lines.read(shape, data, where) if ours(one.command)]
    if shape == plugin.SHAPE:
        return [one for one in plugin.read(data) if ours(one.command)]
    if shape == "file":
        text = data.decode("utf-8", "replace")
        name = posixpath.basename(where)
        return [Found(name, 0, -1, text, {"command": text}, True)] if ours(text) else []
    return hookfile.ours_in(jsontext.decode(data, where), ours, rooted=shape in ROOTED)


def ensure(
    shape: Shape, data: bytes, where: str, wanted: Sequence[Wanted], ours: Ours, template: dict[str, Any] | None = None
) -> Edit:
    """Make the file hold exactly the wanted entries of ours."""
    if shape in marked_lines.READERS:
        return marked_lines.ensure(shape, data, where, wanted)
    if shape == "file":
        if data and not ours(data.decode("utf-8", "replace")):
            raise InstallError(where, "a hook of somebody else has this name", "move it away, then run again")
        (one,) = wanted
        return Edit(one.command.encode(), (), ())
    return hookfile.ensure(data, where, shape, wanted, ours, template)


def strip(shape: Shape, data: bytes, where: str, ours: Ours, made: Sequence[Sequence[str]] = ()) -> bytes:
    """The file without entries of ours, after others edited it."""
    if shape in marked_lines.READERS:
        return marked_lines.strip(data)
    if shape == "file":
        return b"" if ours(data.decode("utf-8", "replace")) else data
    return hookfile.strip(data, where, ours, made, rooted=shape in ROOTED)


def undo(shape: Shape, data: bytes, where: str, splices: Sequence[Splice]) -> bytes:
    """Give back the bytes before an edit."""
    if shape in marked_lines.READERS:
        return marked_lines.undo(data, splices)
    return hookfile.undo(data, where, splices)


def is_bare(shape: Shape, data: bytes, where: str, made: Sequence[Sequence[str]]) -> bool:
    """Whether nothing but what we made for the file is left in it."""
    if shape in marked_lines.READERS or shape == "file":
        return not data.strip()
    root = jsontext.decode(data, where).root
    keys = {member.key for member in root.members} if root and root.kind == "object" else set()
    return root is None or (root.kind == "object" and keys <= {path[0] for path in made} - {"hooks"})
