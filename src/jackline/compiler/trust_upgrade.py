"""A book of trust as versions before wrote it, read as units: what a person said yes to stays in force over an upgrade.

Then one digest stood for all files of a repository. Each such list of files becomes the units these files are, in the
form that the book has today.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from jackline.compiler import frontmatter, scriptfields
from jackline.compiler.fault import Fault

CONFIGURATION = ("dispatch.manifest.json", "config.json", "hooks.local.json", "workspace.json")


def _folder(name: str) -> str:
    return name.rpartition("/")[0]


def _node(name: str, files: Mapping[str, str], surfaces: tuple[str, ...]) -> Iterator[tuple[str, list[str]]]:
    if "system" in surfaces:
        yield f"text {name}", [name]
    if "hook" in surfaces:
        beside = [one for one in files if _folder(one) == _folder(name) and not one.endswith(".md")]
        stem = name.rpartition("/")[2].removesuffix(".md")
        same = [one for one in beside if one.rpartition("/")[2].partition(".")[0] == stem]
        yield f"script {name}", [name, *(same if len(beside) > 1 and same else beside)]


def _groups(files: Mapping[str, str], copy_of: Callable[[str], bytes]) -> Iterator[tuple[str, list[str]]]:
    """The units that a list of files is, each with the names of its files."""
    features = {_folder(name) for name in files if name.endswith("/hook.py")}
    for folder in sorted(features):
        yield f"feature {folder}", [name for name in files if _folder(name) == folder]
    for name, digest in sorted(files.items()):
        if _folder(name) in features:
            continue
        if name.rpartition("/")[2] in CONFIGURATION:
            yield f"configuration {name}", [name]
            continue
        try:
            front = frontmatter.read(copy_of(digest), name)
        except OSError:
            continue
        if front is None or isinstance(front, Fault):
            if name.endswith(".py"):
                yield f"feature {name}", [name]
        elif name.endswith(".md"):
            yield from _node(name, files, scriptfields.surfaces(front))
        else:
            yield f"script {name}", [name]


def units_of(repo: Mapping[str, Any], copy_of: Callable[[str], bytes]) -> dict[str, list[dict[str, Any]]]:
    """The units of a repository in a book of an older version, what was trusted last last.

    `copy_of` gives a content that was trusted by its digest, or raises OSError.
    """
    last = repo.get("last")
    entries = sorted(repo["digests"].items(), key=lambda one: (one[0] == last, one[1].get("ts", 0)))
    found: dict[str, list[dict[str, Any]]] = {}
    for digest, entry in entries:
        files = entry.get("files", {})
        for unit, names in _groups(files, copy_of):
            own = {name: files[name] for name in sorted(names)}
            version = {"digest": digest, "ts": entry["ts"], "by": entry["by"], "own": own, "inputs": None, "more": {}}
            found.setdefault(unit, []).append(version)
    return found
