"""Which files of a repository name one another: one hop along imports, whatever the language.

An import is words of its language; here it is a row of names. It means a file when the names of the file's path, seen
from the importing file or from some folder, are these. Nothing is run and no package is looked for.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from jackline.services.retrieval.fields import kind_of

WHOLE = {"py": "__init__", "pyi": "__init__", "rs": "mod lib main"}
"""Names of files that stand for their folder."""
INNER_WORDS = "src lib"
INNER = frozenset(INNER_WORDS.split())
"""Folders that a package's name does not say."""
SILENT = frozenset(("index", "self", "super", "crate", *INNER))
MODULE = re.compile(r"[\w\-]+")
SCRIPT_WORDS = "js jsx mjs cjs ts tsx mts cts vue svelte css scss less"
SCRIPT = frozenset(SCRIPT_WORDS.split())
DOTTED_WORDS = "py pyi java kt scala groovy cs swift"
DOTTED = frozenset(DOTTED_WORDS.split())
ENDING = re.compile(r"\.(?:[cm]?[jt]sx?|vue|svelte|json|css|scss|less|h|hpp|hh|rb|php)$")


def parts_of(path: str) -> tuple[str, ...]:
    """The names by which an import means a file: its folders and its own, without what stands for a folder."""
    *folders, name = path.split("/")
    if kind_of(path) == "go":
        return tuple(folders)
    stem = name.partition(".")[0]
    return tuple(folders) if folders and stem in WHOLE.get(kind_of(path), "index").split() else (*folders, stem)


def module_of(path: str) -> str:
    """The last of these names: under it the index finds who may import a file."""
    parts = [one for one in parts_of(path) if one not in INNER]
    return parts[-1] if parts else ""


def _relative(parts: Sequence[str], folder: Sequence[str]) -> tuple[str, ...] | None:
    where = [*folder]
    for part in parts:
        if part == "..":
            if not where:
                return None
            where.pop()
        elif part != ".":
            where.append(part)
    return tuple(where)


def _python(spec: str, folders: Sequence[str]) -> tuple[tuple[str, ...] | None, bool]:
    dots = len(spec) - len(spec.lstrip("."))
    names = [one for one in spec[dots:].split(".") if one]
    if not dots:
        return tuple(names), False
    return _relative([*[".."] * (dots - 1), *names], folders), True


def _rust(spec: str, importer: str, folders: Sequence[str]) -> tuple[tuple[str, ...] | None, bool]:
    names = [one for one in spec.split("::") if one]
    if len(names) == 1 or names[0] == "self":  # `mod x;` or a name of this module
        inside = parts_of(importer)
        return (*inside, *names[names[0] == "self" :]), True
    if names[0] == "super":
        return _relative(names[1:], folders), True
    return tuple(names[names[0] == "crate" :]), False


class Target(NamedTuple):
    """A file as imports see it: its names from the root, and those without folders that a package's name leaves out."""

    path: str
    whole: tuple[str, ...]
    short: tuple[str, ...]


def target(path: str) -> Target:
    """A file as imports see it."""
    whole = parts_of(path)
    return Target(path, whole, tuple(one for one in whole if one not in INNER))


class Import(NamedTuple):
    """What one import asks for: names, likeliest first, and whether they are counted from the root."""

    importer: str
    kind: str
    names: tuple[tuple[str, ...], ...]
    exact: bool


def _cuts(kind: str) -> int:
    """How many names at an import's end may be of things within a file, and one."""
    return 3 if kind == "rs" else 2 if kind in DOTTED else 1


def _wanted(spec: str, importer: str, kind: str) -> tuple[tuple[str, ...] | None, bool]:
    folders = importer.split("/")[:-1]
    if kind in ("py", "pyi"):
        return _python(spec, folders)
    if kind == "rs":
        return _rust(spec, importer, folders)
    if kind in DOTTED or kind == "php":
        return tuple(re.split(r"[.\\]", spec)), False
    raw = ENDING.sub("", spec).split("/")
    raw = raw[:-1] if raw[-1] == "index" and len(raw) > 1 else raw
    if raw[0] in (".", ".."):
        return _relative(raw, folders), True
    return tuple(one for one in raw if one[:1] != "@"), False


def asked(spec: str, importer: str) -> Import:
    """What an import of a file asks for; no names where it leads out of the root."""
    kind = kind_of(importer)
    names, exact = _wanted(spec, importer, kind)
    if names and not exact:
        names = tuple(one for one in names if one not in INNER)
    every = tuple(names[: len(names) - cut] for cut in range(min(_cuts(kind), len(names)))) if names else ()
    return Import(importer, kind, every, exact)


def modules(spec: str, kind: str) -> list[str]:
    """Names under which an index may know what an import means, likeliest first: told by its own words alone."""
    found = [one for one in MODULE.findall(ENDING.sub("", spec)) if one not in SILENT]
    return found[-_cuts(kind) :][::-1]


def _ends(long: Sequence[str], short: Sequence[str]) -> bool:
    return len(short) <= len(long) and tuple(long[len(long) - len(short) :]) == tuple(short)


def _matches(names: tuple[str, ...], one: Import, have: tuple[str, ...]) -> bool:
    if one.kind == "go":
        return len(have) > 0 and _ends(names, have)
    if len(names) == 1:
        near = one.kind in SCRIPT and names is one.names[0] and len(have) < 4
        return have == names or (near and have[-1:] == names)
    return _ends(have, names) or (len(have) > 1 and _ends(names, have))


def means(one: Import, other: Target) -> bool:
    """Whether an import means a file, another than its own."""
    if one.importer == other.path:
        return False
    if one.exact:
        return other.whole in one.names
    return any(_matches(names, one, other.short) for names in one.names)
