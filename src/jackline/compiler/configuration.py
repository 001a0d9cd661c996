"""A project's layers of configuration: what its files say, as far as a person's trust goes (5a).

What is wrong with one file holds up no other.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from jackline import system
from jackline.compiler import copies, flags, policy, tools
from jackline.compiler.copies import NoCopy
from jackline.compiler.fault import Fault
from jackline.compiler.layers import Layer, flat
from jackline.compiler.sources import Sources, parsed
from jackline.compiler.trust import Key, Unit, Version, digests_of
from jackline.compiler.trust_state import Standing, judge
from jackline.compiler.unit_record import Branch, Record, name_of

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

NAMES = ("hooks.configFile", "hooks.policyFile", "hooks.followupRulesFile", "hooks.manifestFile")
"""Files that have one content each: none stands in for another."""

Read = Callable[[bytes, str, list[Fault], list[str]], dict[str, Any]]


class Reading(NamedTuple):
    """What the project's units are read with: the book of trust, what the branch says, the ref that is followed
    with its commit that counts.
    """

    sources: Sources
    store: str
    book: Mapping[Key, list[Version]]
    branch: Branch | None
    follow: tuple[str, str]
    strange: list[str]


class Configured(NamedTuple):
    """The project's layers, as they count, how their files stand, and those that a person's yes makes another of: they
    count once their names are trusted, or say no more what they tightened and what still counts.
    """

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
    values = {key: one for key, one in flat(value) if key in WORKSPACE}
    taken = {LOCAL: "", WORKSPACE_FILE: ""}
    for key, name in () if wrong else (WORKSPACE | values).items():
        if key in NAMES and taken.setdefault(name, key) != key:
            wrong.append(Fault(key, "a file of its own", name, "", f'"{WORKSPACE[key]}"', where))
    faults += wrong
    return values


def person_layer(sources: Sources, name: str, folder: str, strange: list[str]) -> Layer:
    """What a person's own folder, or the managed one, says: its manifest, its knobs, its policy."""
    files: dict[str, str] = {}
    values: dict[str, Any] = {}
    for key, schema in (("hooks.manifestFile", "dispatch.manifest"), ("hooks.configFile", "config")):
        path = f"{folder}/{WORKSPACE[key]}"
        found, where = sources.json(path, schema), sources.shown(path)
        here = config_values(found) if schema == "config" else manifest_values(found, where, sources.faults, strange)
        values.update(here)
        files.update(dict.fromkeys(here, where))
    path = f"{folder}/{WORKSPACE['hooks.policyFile']}"
    data, where = sources.file(path), sources.shown(path)
    rules = policy.read(data, where, sources.faults, strange) if data is not None else {}
    values.update(rules)
    files.update(dict.fromkeys(rules, where))
    return Layer(name, values, files)


# --- as far as they count ------------------------------------------------------------------------------------------


class _File(NamedTuple):
    """A file of configuration: where it stands, the layer it belongs to, how it is read, and what it is for.

    A yes to its bytes is a yes to them for that alone: no file stands in for one of another role.
    """

    place: str
    layer: str
    read: Read
    role: str


ROLES = {
    f"{HOOKS}/{WORKSPACE['hooks.manifestFile']}": "manifest",
    f"{HOOKS}/{WORKSPACE['hooks.configFile']}": "config",
    f"{HOOKS}/{WORKSPACE['hooks.policyFile']}": "policy",
    f"{HOOKS}/{LOCAL}": "local",
    f"{HOOKS}/{WORKSPACE_FILE}": "workspace",
    **flags.ROLES,
}
"""What the files are for where nothing says otherwise."""


def _role(place: str, version: Version) -> str:
    return str(version.more.get("role") or ROLES.get(place, ""))


class _Trusted(NamedTuple):
    """What a person trusted of a file: the contents, under its place of today; where it stood, and may have moved from;
    what it tightened there.
    """

    versions: list[Version]
    came_from: str
    tightened: Mapping[str, Any]


def _trusted(reading: Reading, file: _File, unit: Unit | None) -> _Trusted:
    """What is known of a file, under the place it has; where there is nothing, what it was at the place before.

    `workspace.json` moves files: what a person trusted for a role, and this worktree had or has, stays in force until
    they trust another for it.
    """
    branch = reading.branch
    record = branch.record if branch else Record()
    kept = record.tightened.get(file.place, {})
    own = reading.book.get(("configuration", file.place), [])
    own = [one for one in own if _role(file.place, one) in ("", file.role)]
    if own or branch is None:
        return _Trusted(own, "", kept)
    before = [
        (versions[-1].ts, key, versions)
        for key, held in reading.book.items()
        if key[0] == "configuration" and key[1] != file.place and not branch.is_dropped(key)
        if (versions := [one for one in held if _role(key[1], one) == file.role])
        if name_of(key) in record.seen or (unit and [*digests_of(unit.own).values()] == [*versions[-1].own.values()])
    ]
    places = {place for place, role in ROLES.items() if role == file.role} - {file.place}
    kept = {**{key: one for place in places for key, one in record.tightened.get(place, {}).items()}, **kept}
    if not before:
        return _Trusted([], "", kept)
    _, key, versions = max(before)
    last = versions[branch.in_force(key, versions)]
    moved = last._replace(own={file.place: next(iter(last.own.values()), "")})
    return _Trusted([moved], key[1], {**record.tightened.get(key[1], {}), **kept})


def _seen(reading: Reading, file: _File) -> tuple[Unit | None, dict[str, Any]]:
    """The file as a unit, and what it says; None where there is none."""
    sources = reading.sources
    path = f"{sources.root}/{file.place}"
    data = sources.file(path)
    more = {"role": file.role}
    if data is None:
        fault = "it cannot be read" if system.exists(path) else ""
        return (Unit("configuration", file.place, {file.place: b""}, {}, fault, more) if fault else None), {}
    faults: list[Fault] = []
    values = file.read(data, file.place, faults, reading.strange)
    sources.broken += faults
    fault = str(faults[0]) if faults else ""
    return Unit("configuration", file.place, {file.place: data}, {}, fault, more), ({} if faults else values)


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


def _is_dropped(reading: Reading, key: Key) -> bool:
    return reading.branch is not None and reading.branch.is_dropped(key)


def _counts(reading: Reading, file: _File) -> tuple[Standing | None, list[Layer], bool]:
    """How a file stands, the layers it comes to (what was trusted, then whatever tightens), and whether some of what
    tightens is what it says no more.
    """
    unit, values = _seen(reading, file)
    key: Key = ("configuration", file.place)
    known = _trusted(reading, file, unit)
    book = {key: known.versions} if known.versions else {}
    found = judge([unit] if unit else [], book, reading.branch, follow=reading.follow, root=reading.sources.root)
    standing = found[0] if found else None
    if standing is not None and known.came_from and standing.state == "trusted":
        standing = standing._replace(state="moved", came_from=known.came_from)
    if standing is not None and known.came_from and standing.state == "released" and not _is_dropped(reading, key):
        standing = standing._replace(state="gone")  # it was here, at the place before
    kept = {} if _is_dropped(reading, key) else known.tightened
    if standing is None and kept:
        standing = Standing(key, "gone", None)

    def layer(said: Mapping[str, Any], *, trusted: bool) -> list[Layer]:
        return [Layer(file.layer, said, dict.fromkeys(said, file.place), trusted)] if said else []

    if standing is not None and standing.runs == "itself":
        return standing, layer(values, trusted=True), False
    trusted = (
        layer(_copied(reading, file, standing), trusted=True)
        if standing is not None and standing.runs == "copy"
        else []
    )
    made = [*trusted, *layer(kept, trusted=False), *layer(values, trusted=False)]
    return standing, made, any(key not in values for key in kept)


def configured(reading: Reading) -> Configured:
    """The project's configuration: which files there are, how each stands, and what of it counts."""
    workspace_file = _File(f"{HOOKS}/{WORKSPACE_FILE}", "project", _workspace, "workspace")
    standing, said, _ = _counts(reading, workspace_file)
    names = dict(WORKSPACE)
    for layer in said:
        names |= layer.values if layer.trusted else {}
    standings = [standing] if standing else []
    layers: list[Layer] = []
    awaited: set[str] = set()
    for file in (*_flag_files(reading), *_files(names)):
        standing, counted, kept = _counts(reading, file)
        layers += counted
        awaited |= {file.place} if kept else set()
        standings += [standing] if standing else []
    wanted = dict(names)
    for layer in said:
        wanted |= layer.values
    for file in _files(wanted):  # files that count once these names are trusted: a person sees them at once
        if file not in _files(names):
            standing, *_ = _counts(reading, file)
            standings += [standing] if standing else []
    awaited |= {file.place for file in _files(wanted)} - {file.place for file in _files(names)}
    if wanted != names:
        awaited.add(workspace_file.place)
    return Configured(names, layers, standings, awaited)


def _flag_files(reading: Reading) -> list[_File]:
    """The files of flags that are there, or that a person trusted; where there are none, no event asks about them."""
    kept = reading.branch.record.tightened if reading.branch else {}
    return [
        _File(place, layer, flags.read, flags.ROLES[place])
        for place, layer in flags.PLACES.items()
        if ("configuration", place) in reading.book or place in kept or system.exists(f"{reading.sources.root}/{place}")
    ]


def _files(names: Mapping[str, Any]) -> tuple[_File, ...]:
    return (
        _File(f"{HOOKS}/{names['hooks.manifestFile']}", "project", _manifest, "manifest"),
        _File(f"{HOOKS}/{names['hooks.configFile']}", "project", _config, "config"),
        _File(f"{HOOKS}/{names['hooks.policyFile']}", "project", policy.read, "policy"),
        _File(f"{HOOKS}/{LOCAL}", "local", _local, "local"),
    )
