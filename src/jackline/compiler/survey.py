"""Take stock before wiring: every layer's files, every feature, what of the project needs trust and whether it has it.

Reads only. Nothing of an untrusted project is parsed as code.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from jackline import host, paths
from jackline.builtin import BUDGETS, REWRITE_OWNER
from jackline.compiler import discover, prepare, scripts, tools, trust
from jackline.compiler.discover import Found
from jackline.compiler.fault import Fault
from jackline.compiler.kept import Kept
from jackline.compiler.layers import MANAGED, Layer, Order, flat, fold
from jackline.compiler.prepare import Part
from jackline.compiler.registry import KNOWN, folder_of
from jackline.compiler.sources import Sources
from jackline.inputs import content

HOOKS = ".ai/hooks"
LOCAL = "hooks.local.json"
STATE = "/.local/state/jackline"
PROJECT = ("project", "local")
"""Origins and layers that lie in the work tree."""

BASE: dict[str, Any] = {
    "mode": "enforce",
    "enforcePhases": False,
    "rewriteOwner": REWRITE_OWNER,
    "gc.maxAgeDays": 7,
    "gc.maxSessions": 20,
    "prompts": "hash",
    "preset": "default",
    "strict": False,
    **{f"budgets.{event}": ms for event, ms in BUDGETS.items()},
    **scripts.USUAL,
}
"""Built-in settings; what features declare of themselves is added to it."""

PHASES = {
    "UNINITIALIZED": (["semantic_search", "read_file", "grep_search", "list_dir", "file_search"], "deny"),
    "PLANNING": (["semantic_search", "read_file", "grep_search", "list_dir", "file_search", "runSubagent"], "deny"),
    "EXECUTING": ("*", "allow"),
    "COMPLETE": (["read_file", "grep_search"], "deny"),
    "BLOCKED": (["read_file"], "deny"),
}
"""The contract's policy (section 12.3), which holds when phases are enforced and nobody wrote another."""

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


class Survey(NamedTuple):
    """What there is. `untrusted` is the digest that would have to be trusted, "" when nothing needs trust."""

    sources: Sources
    layers: list[Layer]
    features: list[Found]
    parts: list[Part]
    offered: list[Found]
    workspace: dict[str, Any]
    digest: str
    trusted: bool
    needs: Mapping[str, bytes]
    strange: tuple[str, ...]
    scripts: scripts.Stock


def user_folder(store: str) -> str:
    """The folder of the user's layer: what `init` noted in the store, else the one beside the store's home.

    Never from the environment: a repository's client settings can set that for the door.
    """
    noted = paths.resolve("/", store + "/config")
    if noted != paths.resolve("/", store) + "/config":
        return noted
    if store.endswith(STATE):
        return store.removesuffix(STATE) + "/.config/jackline"
    import os
    import pwd

    try:
        home = pwd.getpwuid(os.getuid()).pw_dir
    except KeyError:
        return ""
    return home + "/.config/jackline"


def _tools(sources: Sources, key: str, listed: list[str], where: str, strange: list[str]) -> list[str]:
    """Tools of a policy under every client's names; what matches nothing is complained about."""
    found = tools.resolve(listed)
    for word in found.strange:
        if word.startswith("kind:"):
            sources.faults.append(
                Fault(key, "a kind of tool", word, "", tools.complaint(word).split("write: ")[-1], where)
            )
        else:
            strange.append(f"{where} · {key}: {tools.complaint(word)}")
    return [*found.names, *[f"kind:{kind}" for kind in found.kinds]]


def _manifest(sources: Sources, manifest: Mapping[str, Any], where: str, strange: list[str]) -> dict[str, Any]:
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
            values[key] = _tools(sources, key, value, where, strange)
        elif isinstance(value, float):
            values[key] = int(value)
    return values


def _config(config: Mapping[str, Any]) -> dict[str, Any]:
    kept = {key: value for key, value in config.items() if key not in ("$schema", "version", "neo4j")}
    return dict(flat({"config": kept}))


def _layer(sources: Sources, name: str, folder: str, names: Mapping[str, Any], strange: list[str]) -> Layer:
    """One folder's manifest and knobs."""
    files: dict[str, str] = {}
    values: dict[str, Any] = {}
    for file, schema in ((names["hooks.manifestFile"], "dispatch.manifest"), (names["hooks.configFile"], "config")):
        path = f"{folder}/{file}"
        found = sources.json(path, schema)
        here = _config(found) if schema == "config" else _manifest(sources, found, sources.shown(path), strange)
        values.update(here)
        files.update(dict.fromkeys(here, sources.shown(path)))
    return Layer(name, values, files)


def _local(sources: Sources, folder: str, strange: list[str]) -> Layer:
    path = f"{folder}/{LOCAL}"
    found = sources.json(path, "hooks.local")
    where = sources.shown(path)
    values = _manifest(sources, found, where, strange) | _config(found.get("config", {}))
    return Layer("local", values, dict.fromkeys(values, where))


def _policies(sources: Sources, folder: str, names: Mapping[str, Any], listed: list[str]) -> None:
    """Check the policy files of features that are not here yet: what is written now must be right then."""
    for key, schema in (("hooks.policyFile", "rlm-policy"), ("hooks.followupRulesFile", "followup-rules")):
        if names[key] in listed:
            sources.json(f"{folder}/{names[key]}", schema)


def base_of(parts: Sequence[Part]) -> dict[str, Any]:
    """The built-in values: settings, the contract's phase policy, known features, and what read ones add."""
    base = dict(BASE)
    for phase, (allowed, mode) in PHASES.items():
        found = tools.resolve(allowed) if isinstance(allowed, list) else None
        base[f"phasePolicy.{phase}.allowTools"] = [*found.names] if found else "*"
        base[f"phasePolicy.{phase}.mode"] = mode
    for slug, known in KNOWN.items():
        base |= {f"modules.{slug}.enabled": known.on, f"modules.{slug}.priority": known.priority}
        base |= {f"modules.{slug}.hotPathSafe": known.hot, f"modules.{slug}.critical": known.critical}
        base[f"modules.{slug}.mayApprove"] = False
    for part in parts:
        base |= prepare.base_of(part)
        base.setdefault(f"modules.{part.declared.name}.enabled", True)
    return base


def directions_of(parts: Sequence[Part]) -> dict[str, Order | str]:
    return {key: rule for part in parts for key, rule in part.directions.items()}


def survey(
    root: str,
    store: str,
    *,
    user: str | None = None,
    managed: str = MANAGED,
    sites: Sequence[str] | None = None,
    upto: str = "local",
    pieces: Kept | None = None,
) -> Survey:
    """Read everything that has a say for `root`. `upto` leaves out the layers above it (for when one is broken).

    `pieces`: what earlier compiles made of the same bytes.
    """
    pieces = pieces or Kept()
    sources = Sources(root if upto == "local" else "")
    strange: list[str] = []
    layers: list[Layer] = []
    features = list(discover.builtin())
    known = trust.Book(store)
    sources.file(known.path)
    offered = list(discover.packages(sources, sites))
    features += [one for one in offered if known.has_package(one.package)]
    user = user_folder(store) if user is None else user
    for name, folder in (("managed", managed), ("user", user)):
        if folder and (upto in (name, "user", "local")):
            sources.folder(folder)
            layers.append(_layer(sources, name, folder, WORKSPACE, strange))
            features += _own(sources, layers[-1], folder)
    workspace = dict(WORKSPACE)
    if sources.root:
        hooks = f"{root}/{HOOKS}"
        listed = sources.folder(hooks)
        workspace |= {k: v for k, v in flat(sources.json(f"{hooks}/workspace.json", "workspace")) if k in WORKSPACE}
        layers.append(_layer(sources, "project", hooks, workspace, strange))
        features += _own(sources, layers[-1], hooks)
        layers.append(_local(sources, hooks, strange))
        features += _own(sources, layers[-1], hooks, folders=False)
        _policies(sources, hooks, workspace, listed)
    own: list[Found] = []
    others: list[Found] = []
    for one in features:
        (own if one.origin in PROJECT else others).append(one)
    parts = _winners(_prepared(sources, others, pieces), layers)
    below = {name: folder for name, folder in (("managed", managed), ("user", user)) if upto in (name, "user", "local")}
    stock = scripts.stock(sources, layers, below, host.home())
    needs = dict(sorted((_needs(sources, layers, parts, own, workspace) | dict(stock.needs)).items()))
    digest = trust.digest_of(needs)
    trusted = not digest or known.trusts(root, digest)
    if known.follows(root):
        sources.inputs |= {path: content(path) for path in trust.ref_files(root, known.follows(root))}
        trusted = trusted or trust.followed(root, known.follows(root), needs)
    if trusted:
        parts = _winners([*parts, *_prepared(sources, own, pieces)], layers)
    layers = [one._replace(trusted=trusted or one.name not in PROJECT) for one in layers]
    return Survey(sources, layers, features, parts, offered, workspace, digest, trusted, needs, tuple(strange), stock)


def _prepared(sources: Sources, features: Sequence[Found], pieces: Kept) -> list[Part]:
    """The features that can be read; the faults of the others go to `sources`."""
    parts: list[Part] = []
    seen: dict[tuple[str, str], str] = {}
    for found in features:
        where = (
            f"<{found.label}>/{found.slug}" if found.origin in ("builtin", "package") else sources.shown(found.folder)
        )
        part = prepare.prepare(found, where, pieces)
        if isinstance(part, list):
            sources.faults += part
            continue
        parts.append(part)
        other = seen.setdefault((found.origin, part.declared.name), part.where)
        if other != part.where:
            line = f"{part.where}/hook.py:{part.declared.line}"
            sources.faults.append(Fault("name", "a name of its own", f"that of {other}", "", "another name", line))
    return parts


def _winners(parts: Sequence[Part], layers: Sequence[Layer]) -> list[Part]:
    """One part a name: the last origin wins, but what managed brings or speaks of stays as it is."""
    managed = next((one.values for one in layers if one.name == "managed"), {})
    spoken = {key.split(".")[1] for key in managed if key.startswith("modules.")}
    won: dict[str, Part] = {}
    for part in sorted(parts, key=lambda one: discover.ORIGINS.index(one.found.origin)):
        slug = part.declared.name
        before = won.get(slug)
        below = discover.ORIGINS.index(part.found.origin) > discover.ORIGINS.index("managed")
        if before and below and (slug in spoken or before.found.origin == "managed"):
            continue
        won[slug] = part
    return list(won.values())


def _own(sources: Sources, layer: Layer, folder: str, *, folders: bool = True) -> list[Found]:
    """The features a layer brings: those in its folder, and those its manifest gives a `path`."""
    found = list(discover.in_folder(sources, folder, layer.name)) if folders else []
    for key, value in layer.values.items():
        if key.startswith("modules.") and key.endswith(".path"):
            slug = key.split(".")[1]
            one = discover.at_path(sources, folder, value, slug, layer.name, layer.files[key])
            found = [other for other in found if other.slug not in (slug, folder_of(slug))] + ([one] if one else [])
    return found


def _needs(
    sources: Sources, layers: list[Layer], parts: Sequence[Part], own: Sequence[Found], workspace: Mapping[str, Any]
) -> dict[str, bytes]:
    """The project's files that count only once trusted: its features, and configuration that loosens."""
    needs: dict[str, bytes] = {}
    for found in own:
        for name in found.files:
            shown = sources.shown(f"{found.folder}/{name}")
            needs[shown] = sources.named[shown]
    strangers = [one._replace(trusted=one.name not in PROJECT) for one in layers]
    for refused in fold(base_of(parts), strangers, directions_of(parts)).refused:
        if refused.trust:
            needs[refused.file] = sources.named[refused.file]
    if workspace != WORKSPACE:
        needs[f"{HOOKS}/workspace.json"] = sources.named[f"{HOOKS}/workspace.json"]
    return dict(sorted(needs.items()))
