"""What a project brings: its layers of configuration and its features, each as far as a person's trust goes (5a).

Reads only. Nothing that nobody trusted is parsed as code, and what is wrong with one unit holds up no other.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from jackline import system
from jackline.compiler import copies, discover, tools
from jackline.compiler.copies import NoCopy
from jackline.compiler.discover import Found
from jackline.compiler.fault import Fault
from jackline.compiler.layers import Layer, flat
from jackline.compiler.registry import folder_of
from jackline.compiler.sources import Sources, parsed
from jackline.compiler.standing import Standing, judge
from jackline.compiler.trust import Key, Unit, Version
from jackline.compiler.unit_record import Branch

HOOKS = ".ai/hooks"
LOCAL = "hooks.local.json"
WORKSPACE_FILE = "workspace.json"

WORKSPACE: dict[str, Any] = {
    "workRoot": ".ai/tmp",
    "session.stateFile": "state.json",
    "session.eventsFile": "events.jsonl",
    "session.registryFile": "registry.jsonl",
    "feature.logsDir": "logs",
    "feature.outputDir": "output",
    "hooks.configFile": "config.json",
    "hooks.policyFile": "rlm-policy.json",
    "hooks.followupRulesFile": "followup-rules.json",
    "hooks.manifestFile": "dispatch.manifest.json",
    "hooks.schemaDir": "schema",
}

Read = Callable[[bytes, str, list[Fault], list[str]], dict[str, Any]]


class Reading(NamedTuple):
    """What the project's units are read with: the book of trust, what the branch says, the ref that is followed."""

    sources: Sources
    store: str
    book: Mapping[Key, list[Version]]
    branch: Branch | None
    follow: str
    strange: list[str]


class Configured(NamedTuple):
    """The project's layers, as they count, how their files stand, and files that count once their names are trusted."""

    workspace: dict[str, Any]
    layers: list[Layer]
    standings: list[Standing]
    awaited: set[str]


# --- what the files say --------------------------------------------------------------------------------------------


def _tools(key: str, listed: list[str], where: str, faults: list[Fault], strange: list[str]) -> list[str]:
    """Tools of a policy under every client's names; what matches nothing is complained about."""
    found = tools.resolve(listed)
    for word in found.strange:
        if word.startswith("kind:"):
            faults.append(tools.kind_fault(key, word, where))
        else:
            strange.append(f"{where} · {key}: {tools.complaint(word)}")
    return [*found.names, *[f"kind:{kind}" for kind in found.kinds]]


def manifest_values(manifest: Mapping[str, Any], where: str, faults: list[Fault], strange: list[str]) -> dict[str, Any]:
    """A manifest as flat keys, its older forms made one, tools under every name."""
    made = {key: value for key, value in manifest.items() if key not in ("$schema", "version", "config")}
    owner = made.pop("rewriteOwner", None)
    values = dict(flat(made))
    if isinstance(owner, dict):
        owner = owner.get("updatedInput")
    if owner:
        values["rewriteOwner"] = owner
    for key, value in values.items():
        if key.endswith(".allowTools") and isinstance(value, list):
            values[key] = _tools(key, value, where, faults, strange)
        elif isinstance(value, float):
            values[key] = int(value)
    return values


def config_values(config: Mapping[str, Any]) -> dict[str, Any]:
    kept = {key: value for key, value in config.items() if key not in ("$schema", "version", "neo4j")}
    return dict(flat({"config": kept}))


def _manifest(data: bytes, where: str, faults: list[Fault], strange: list[str]) -> dict[str, Any]:
    value, wrong = parsed(data, where, "dispatch.manifest")
    faults += wrong
    return manifest_values(value, where, faults, strange)


def _config(data: bytes, where: str, faults: list[Fault], strange: list[str]) -> dict[str, Any]:
    value, wrong = parsed(data, where, "config")
    faults += wrong
    return config_values(value)


def _local(data: bytes, where: str, faults: list[Fault], strange: list[str]) -> dict[str, Any]:
    value, wrong = parsed(data, where, "hooks.local")
    faults += wrong
    return manifest_values(value, where, faults, strange) | config_values(value.get("config", {}))


def _workspace(data: bytes, where: str, faults: list[Fault], strange: list[str]) -> dict[str, Any]:
    value, wrong = parsed(data, where, "workspace")
    faults += wrong
    return {key: one for key, one in flat(value) if key in WORKSPACE}


# --- as far as they count ------------------------------------------------------------------------------------------


class _File(NamedTuple):
    """A file of configuration: where it stands, the layer it belongs to, and how it is read."""

    place: str
    layer: str
    read: Read


def _seen(reading: Reading, file: _File) -> tuple[Unit | None, dict[str, Any]]:
    """The file as a unit, and what it says; None where there is none."""
    sources = reading.sources
    path = f"{sources.root}/{file.place}"
    data = sources.file(path)
    if data is None:
        fault = "it cannot be read" if system.exists(path) else ""
        return (Unit("configuration", file.place, {file.place: b""}, {}, fault) if fault else None), {}
    faults: list[Fault] = []
    values = file.read(data, file.place, faults, reading.strange)
    sources.broken += faults
    fault = str(faults[0]) if faults else ""
    return Unit("configuration", file.place, {file.place: data}, {}, fault), ({} if faults else values)


def _copied(reading: Reading, file: _File, standing: Standing) -> dict[str, Any]:
    """What the file said when a person trusted it; nothing where the copy is lost: then it loosens nothing."""
    if standing.last is None:
        return {}
    try:
        data = copies.unit_of(reading.store, standing.key, standing.last).own[file.place]
    except (NoCopy, KeyError):
        return {}
    faults: list[Fault] = []
    values = file.read(data, file.place, faults, [])
    return {} if faults else values


def _counts(reading: Reading, file: _File) -> tuple[Standing | None, list[Layer]]:
    """How a file stands, and the layers it comes to: what was trusted, then whatever tightens."""
    unit, values = _seen(reading, file)
    key: Key = ("configuration", file.place)
    book = {key: reading.book[key]} if key in reading.book else {}
    found = judge([unit] if unit else [], book, reading.branch, follow=reading.follow, root=reading.sources.root)
    standing = found[0] if found else None
    kept: Mapping[str, Any] = {}
    if reading.branch and not reading.branch.is_dropped(key):
        kept = reading.branch.record.tightened.get(file.place, {})
    if standing is None and kept:
        standing = Standing(key, "gone", None)

    def layer(said: Mapping[str, Any], *, trusted: bool) -> list[Layer]:
        return [Layer(file.layer, said, dict.fromkeys(said, file.place), trusted)] if said else []

    if standing is not None and standing.runs == "itself":
        return standing, layer(values, trusted=True)
    trusted = (
        layer(_copied(reading, file, standing), trusted=True)
        if standing is not None and standing.runs == "copy"
        else []
    )
    return standing, [*trusted, *layer(kept, trusted=False), *layer(values, trusted=False)]


def configured(reading: Reading) -> Configured:
    """The project's configuration: which files there are, how each stands, and what of it counts."""
    workspace_file = _File(f"{HOOKS}/{WORKSPACE_FILE}", "project", _workspace)
    standing, said = _counts(reading, workspace_file)
    names = dict(WORKSPACE)
    for layer in said:
        names |= layer.values if layer.trusted else {}
    standings = [standing] if standing else []
    layers: list[Layer] = []
    for file in _files(names):
        standing, counted = _counts(reading, file)
        layers += counted
        standings += [standing] if standing else []
    wanted = dict(names)
    for layer in said:
        wanted |= layer.values
    for file in _files(wanted):  # files that count once these names are trusted: a person sees them at once
        if file not in _files(names):
            standing, _ = _counts(reading, file)
            standings += [standing] if standing else []
    awaited = {file.place for file in _files(wanted)} - {file.place for file in _files(names)}
    if wanted != names:
        awaited.add(workspace_file.place)
    return Configured(names, layers, standings, awaited)


def _files(names: Mapping[str, Any]) -> tuple[_File, ...]:
    return (
        _File(f"{HOOKS}/{names['hooks.manifestFile']}", "project", _manifest),
        _File(f"{HOOKS}/{names['hooks.configFile']}", "project", _config),
        _File(f"{HOOKS}/{LOCAL}", "local", _local),
    )


# --- features ------------------------------------------------------------------------------------------------------


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
