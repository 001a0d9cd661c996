"""Which files of a repository name one another: one hop along imports, whatever the language.

An import is words of its language; here it is a row of names. It means a file when the names of the file's path, seen
from the importing file or from some folder, are these. Nothing is run and no package is looked for.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from jackline.services.retrieval.fields import kind_of

WHOLE = {"py": "__init__", "pyi": "__init__", "rs": "mod lib main"}
"""Names of files that stand for their folder."""
INNER_WORDS = "src lib"
INNER = frozenset(INNER_WORDS.split())
"""Folders that a package's name does not say."""
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


def wanted(spec: str, importer: str) -> tuple[tuple[str, ...], bool]:
    """The names an import asks for, and whether they are counted from the root; () for what leads out of it."""
    kind = kind_of(importer)
    folders = importer.split("/")[:-1]
    names: tuple[str, ...] | None
    if kind in ("py", "pyi"):
        names, exact = _python(spec, folders)
    elif kind == "rs":
        names, exact = _rust(spec, importer, folders)
    elif kind in DOTTED or kind == "php":
        names, exact = tuple(re.split(r"[.\\]", spec)), False
    else:
        raw = ENDING.sub("", spec).split("/")
        exact = raw[0] in (".", "..")
        names = _relative(raw, folders) if exact else tuple(one for one in raw if one not in INNER and one[:1] != "@")
        names = names[:-1] if names and raw[-1] == "index" else names
    return names or (), exact


def modules(spec: str, importer: str) -> list[str]:
    """Names under which the index may know what an import means, likeliest first."""
    names, _ = wanted(spec, importer)
    tail = [one for one in names if one not in INNER and MODULE.fullmatch(one)]
    deep = 3 if kind_of(importer) == "rs" else 2 if kind_of(importer) in DOTTED else 1
    return tail[-deep:][::-1]


def _ends(long: Sequence[str], short: Sequence[str]) -> bool:
    return len(short) <= len(long) and tuple(long[len(long) - len(short) :]) == tuple(short)


def means(spec: str, importer: str, target: str) -> bool:
    """Whether an import of one file means another file."""
    names, exact = wanted(spec, importer)
    if not names or importer == target:
        return False
    have = parts_of(target)
    kind = kind_of(importer)
    cuts = 3 if kind == "rs" else 2 if kind in DOTTED else 1
    if exact:
        return any(names[: len(names) - cut] == have for cut in range(min(cuts, len(names))))
    have = tuple(one for one in have if one not in INNER)
    names = tuple(one for one in names if one not in INNER)
    if kind == "go":
        return len(have) > 0 and _ends(names, have)
    for cut in range(min(cuts, len(names))):
        asked = names[: len(names) - cut]
        if len(asked) == 1:
            if have == asked or (kind in SCRIPT and have[-1:] == asked and len(have) < 4 and cut == 0):
                return True
        elif _ends(have, asked) or (len(have) > 1 and _ends(asked, have)):
            return True
    return False
