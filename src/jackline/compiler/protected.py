"""What self-protect is to know of a project's hooks: where they stand outside `.ai/`, and which files were trusted."""

from __future__ import annotations

from collections.abc import Iterable

from jackline.compiler.standing import Standing
from jackline.compiler.survey import Survey


def protected_places(found: Survey) -> tuple[str, ...]:
    """Globs below the root: every root of scripts, the folders of nodes, features that a manifest names elsewhere."""
    places = {
        one.found.root.shown if not one.found.root.nodes else one.found.declared.rpartition("/")[0]
        for one in found.scripts.scripts
        if one.found.root.origin == "project"
    }
    places |= {one.key[1].rpartition("/")[0] for one in found.standings if one.key[0] in ("script", "text")}
    places |= {one.key[1] for one in found.standings if one.key[0] == "feature"}
    elsewhere = sorted(one for one in places if one and not one.startswith(".ai/"))
    return tuple([glob for one in elsewhere for glob in (one, f"{one}/**")])


def trusted_files(standings: Iterable[Standing]) -> dict[str, tuple[str, tuple[str, ...]]]:
    """By file of a trusted feature or script: its digest as it was trusted last, and those of earlier contents."""
    found: dict[str, tuple[str, tuple[str, ...]]] = {}
    for one in standings:
        if one.last is not None and one.key[0] in ("feature", "script"):
            for name, digest in one.last.own.items():
                earlier = sorted({old.own[name] for old in one.earlier if name in old.own} - {digest})
                found[name] = digest, tuple(earlier)
    return dict(sorted(found.items()))
