"""Tool names in configuration: a native name, another client's name for the tool, or a whole kind (`kind:read`)."""

from __future__ import annotations

import functools
from collections.abc import Iterable
from typing import NamedTuple

from jackline.clients.facts import OF_DIALECT, SAME
from jackline.compiler.fault import Fault, nearest
from jackline.model import KINDS
from jackline.site_paths import take

OTHERS = {"Edit": ("str_replace",)}
"""Names of clients that have no spec, by the tool they mean."""


class Tools(NamedTuple):
    """Tools as the hook table keeps them: native names and kinds, sorted; `strange` matched nothing known."""

    names: tuple[str, ...]
    kinds: tuple[str, ...]
    strange: tuple[str, ...] = ()


@functools.cache
def vocabulary() -> dict[str, str]:
    """Every native tool name of a client, with its kind."""
    found: dict[str, str] = {}
    for _, modules in sorted(OF_DIALECT.items()):
        for module in modules:
            for name, row in take(module, "TOOLS").items():
                found.setdefault(name, row[0])
    return found


@functools.cache
def _aliases() -> dict[str, tuple[str, ...]]:
    rows = [(*row, *OTHERS.get(name, ())) for name, row in SAME.items()]
    return {name: row for row in rows for name in row}


def resolve(wanted: Iterable[str]) -> Tools:
    """Resolve names as written: every client's name of each tool, `mcp__server__tool` as `server/tool`, kinds apart."""
    names: set[str] = set()
    kinds: set[str] = set()
    strange = []
    for word in wanted:
        if word.startswith("kind:"):
            if word[5:] in KINDS:
                kinds.add(word[5:])
            else:
                strange.append(word)
        elif word.startswith("mcp__") and "__" in word[5:]:
            server, _, tool = word[5:].partition("__")
            names.update((word, f"{server}/{tool}"))
        elif word in _aliases():
            names.update(_aliases()[word])
        else:
            names.add(word)
            if "/" not in word and word not in vocabulary():
                strange.append(word)
    return Tools(tuple(sorted(names)), tuple(sorted(kinds)), tuple(strange))


def meant(word: str) -> str:
    """The tool or kind that a name which matches nothing was probably meant to be, "" when none is near."""
    if word.startswith("kind:"):
        near = nearest(word[5:], list(KINDS))
        return f"kind:{near}" if near else "kind:other"
    return nearest(word, sorted(vocabulary()))


def complaint(word: str) -> str:
    """What to say of a name that matches nothing."""
    if word.startswith("kind:"):
        meant = nearest(word[5:], list(KINDS))
        known = ", ".join(KINDS)
        return f'"{word}" is no kind of tool ({known})' + (f' · write: "kind:{meant}"' if meant else "")
    meant = nearest(word, sorted(vocabulary()))
    cure = f'"{meant}"' if meant else 'the tool\'s own name, "server/tool" for an MCP tool, or "kind:read"'
    return f'"{word}" matches no tool of a known client · write: {cure}'


def kind_fault(key: str, word: str, where: str) -> Fault:
    """A kind of tool that there is not."""
    near = nearest(word[5:], list(KINDS))
    meant = f"kind:{near}" if near else ""
    expected = f"a kind of tool ({', '.join(KINDS)})"
    return Fault(key, expected, f'"{word}"', meant, f'"{meant}"' if meant else "", where)
