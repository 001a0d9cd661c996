"""What self-protect is to know of a project's hooks: where they stand outside `.ai/`, and which files were trusted."""

from __future__ import annotations

from collections.abc import Iterable

from jackline.compiler import script_units, scripts
from jackline.compiler.collect import Survey
from jackline.compiler.trust_state import Standing

GUARDED = (".ai/", ".discobot/hooks")
"""What self-protect knows by itself, wherever it lies."""


def protected_places(found: Survey) -> tuple[str, ...]:
    """Globs below the root: every root that a person has scripts and nodes looked for in, whether or not it is there
    yet, and features that a manifest names elsewhere. Of the usual roots of nodes, which hold other programs' files
    too, the folders of nodes; what only a stranger's manifest names keeps nobody from writing.
    """
    if not found.sources.root:
        return ()
    roots = {*scripts.places([one for one in found.layers if one.trusted])} - {*scripts.NODES}
    mine = [one for one in found.standings if one.key[0] in ("script", "text")]
    mine = [one for one in mine if one.last or script_units.in_roots(scripts.NODES, one.key)]
    folders = {one.key[1].rpartition("/")[0] for one in mine}
    features = {one.key[1] for one in found.standings if one.key[0] == "feature"}
    elsewhere = sorted(one for one in roots | folders | features if one and not one.startswith(GUARDED))
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
