"""A project's features, each as far as a person's trust goes (5a).

Reads only. Nothing that nobody trusted is parsed as code, and what is wrong with one unit holds up no other.
"""

from __future__ import annotations

import os
from typing import NamedTuple

from jackline.compiler import copies, discover
from jackline.compiler.configuration import HOOKS, Reading
from jackline.compiler.copies import NoCopy
from jackline.compiler.discover import Found
from jackline.compiler.layers import Layer
from jackline.compiler.registry import folder_of
from jackline.compiler.sources import Sources
from jackline.compiler.trust import Key, Unit
from jackline.compiler.trust_state import Standing, judge


def own_features(sources: Sources, layer: Layer, folder: str, found: list[Found]) -> list[Found]:
    """`found` and the features a manifest gives a `path`, which stand for others of their name."""
    for key, value in layer.values.items():
        if key.startswith("modules.") and key.endswith(".path"):
            slug = key.split(".")[1]
            one = discover.at_path(sources, folder, value, slug, layer.name, layer.files[key])
            found = [other for other in found if other.slug not in (slug, folder_of(slug))] + ([one] if one else [])
    return found


def unit_of(sources: Sources, found: Found) -> Unit:
    if found.file:
        place = sources.shown(found.file)
        return Unit("feature", place, {place: found.files["hook.py"]}, more={"slug": found.slug, "from": found.origin})
    place = sources.shown(found.folder)
    own = {f"{place}/{name}": data for name, data in found.files.items()}
    return Unit("feature", place, own, more={"slug": found.slug, "from": found.origin})


def _copy(reading: Reading, standing: Standing) -> Found:
    """The feature as it was trusted. Raises NoCopy."""
    assert standing.last is not None
    unit = copies.unit_of(reading.store, standing.key, standing.last)
    place = unit.place
    slug = str(unit.more.get("slug") or place.rpartition("/")[2].removesuffix(".py"))
    origin = str(unit.more.get("from") or "project")
    full = f"{reading.sources.root}/{place}"
    if place in unit.own:
        return Found(slug, origin, full.rpartition("/")[0], {"hook.py": unit.own[place]}, file=full)
    return Found(slug, origin, full, {name[len(place) + 1 :]: data for name, data in unit.own.items()})


def _path(folder: str, value: str) -> str:
    return os.path.normpath(os.path.join(folder, value))


class Features(NamedTuple):
    """The project's features: all that are there, those in force, how each stands, and those that cannot run."""

    found: list[Found]
    running: list[Found]
    standings: list[Standing]
    holds: list[tuple[Key, str]]


def features(reading: Reading, layers: list[Layer]) -> Features:
    """Find the project's features; `layers` are its layers, in their order."""
    sources = reading.sources
    folder = f"{sources.root}/{HOOKS}"
    lying = list(discover.in_folder(sources, folder, "project"))
    found = lying
    for layer in layers:
        found = own_features(sources, layer, folder, found)
    heard = lying
    for layer in [one for one in layers if one.trusted]:
        heard = own_features(sources, layer, folder, heard)
    units = {unit_of(sources, one).key: one for one in heard}
    book = {key: versions for key, versions in reading.book.items() if key[0] == "feature"}
    judged = judge(
        [unit_of(sources, one) for one in found], book, reading.branch, follow=reading.follow, root=sources.root
    )
    paths = {_path(folder, value) for layer in layers if layer.trusted for key, value in layer.values.items()
             if key.startswith("modules.") and key.endswith(".path")}  # fmt: skip
    at = len(sources.root) + 1

    def is_asked_for(key: Key) -> bool:
        """Whether it stands where a person has features looked for."""
        return key[1].startswith(f"{HOOKS}/features/") or f"{folder[:at]}{key[1]}" in paths

    judged = [one for one in judged if one.unit is not None or is_asked_for(one.key)]
    made = Features(found, [], judged, [])
    for standing in judged:
        if standing.runs == "itself" and not standing.came_from:
            made.running.extend([units[standing.key]] if standing.key in units else [])
        elif standing.runs in ("itself", "copy"):  # one that moved goes by the name of its old folder
            try:
                old = (standing.key[0], standing.came_from or standing.key[1])
                made.running.append(_copy(reading, standing._replace(key=old)))
            except NoCopy as fault:
                made.holds.append((standing.key, str(fault)))
    return made
