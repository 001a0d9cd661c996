"""Compile everything that has a say into one hook table, and put it where the entry point finds it.

The body of a hook table is a pure function of content: same content, same bytes. Places, file times and the time of the
build stand apart, in its head.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from jackline import paths, system
from jackline.compiler import (
    cache,
    followed_ref,
    listings,
    rows,
    scripts,
    tools,
    trust,
    unit_record,
    unit_words,
)
from jackline.compiler.agent_texts import with_ours, with_telling
from jackline.compiler.base import folded
from jackline.compiler.cache import Kept
from jackline.compiler.collect import NOT_TRUSTED, PROJECT, Survey, survey
from jackline.compiler.configuration import WORKSPACE
from jackline.compiler.fault import Fault
from jackline.compiler.filled_knobs import filled
from jackline.compiler.layers import MANAGED, Resolved, nested
from jackline.compiler.prepare import Part
from jackline.compiler.protected import protected_places, trusted_files
from jackline.compiler.registry import KNOWN, NOT_YET
from jackline.compiler.stable_marshal import dump
from jackline.compiler.unit_record import Record
from jackline.compiler.wrong_knobs import without_wrong_knobs
from jackline.hook_table import HookSpec, HookTable, pack, path_of, trusted_path, unpack
from jackline.services import compiled
from jackline.staleness import chunks_of, stamps_of
from jackline.store import format
from jackline.store.ids import slot
from jackline.version import VERSION

WAIT_MS = 10_000


class Compiled(NamedTuple):
    """A compile's result. With `faults`, `table` is the last good one (or what the layers below the fault give).

    `pieces` is what the next compile may take as it is.
    """

    table: HookTable
    data: bytes
    slot: str
    faults: tuple[Fault, ...]
    warnings: tuple[str, ...]
    survey: Survey
    pieces: Kept
    record: Record | None = None


def _skipped(found: Survey, resolved: Resolved, rows: Sequence[HookSpec]) -> list[tuple[str, str]]:
    """Every feature that is somewhere and does not run, with the reason."""
    running = {row.slug for row in rows}
    why: dict[str, str] = {}
    for slug, known in KNOWN.items():
        if not known.here:
            why[slug] = NOT_YET
    for part in found.parts:
        slug = part.declared.name
        if not resolved.values[f"modules.{slug}.enabled"]:
            why[slug] = f"disabled ({resolved.layers[f'modules.{slug}.enabled']})"
    for one in found.offered:
        if one not in found.features:
            why.setdefault(one.slug, f"not trusted: run `jackline trust --package {one.package}`")
    for standing in found.standings:
        if standing.key[0] == "feature" and standing.runs == "nothing" and standing.unit:
            why.setdefault(str(standing.unit.more["slug"]), NOT_TRUSTED)
    return sorted((slug, reason) for slug, reason in why.items() if slug not in running)


def _warnings(found: Survey, resolved: Resolved, parts: Sequence[Part]) -> list[str]:
    """What a person should know: values that do not count, names that match nothing, settings without effect."""
    said = [*found.strange, *[str(one) for one in resolved.refused]]
    known = {*KNOWN, *[part.declared.name for part in parts], *[one.slug for one in found.features]}
    for layer in found.layers:
        for key in layer.values:
            kind, _, rest = key.partition(".")
            name = rest.split(".")[0]
            if kind in ("modules", "config") and name not in known:
                said.append(f"{layer.files[key]} · {kind}.{name}: there is no feature of this name")
    for part in parts:
        for word in tools.resolve(part.declared.tools).strange:
            said.append(f"{part.where}/hook.py:{part.declared.line} · tools: {tools.complaint(word)}")
    for key, value in found.workspace.items():
        if not key.startswith("hooks.") and value != WORKSPACE[key]:
            said.append(f".ai/hooks/workspace.json · {key}: this version always uses {WORKSPACE[key]}")
    return list(dict.fromkeys(said))


def _resolved(found: Survey) -> Resolved:
    return found.resolved or folded(found.parts, found.layers)


def _copies(found: Survey) -> tuple[str, ...]:
    """The hooks that run as a person trusted them, since their files are not: slugs, and keys of scripts."""
    scripts_ = [f"script:{one.key}" for one in found.scripts.scripts if one.found.base]
    held = {key for key, _ in found.holds}
    features = [
        str(one.last.more.get("slug") or one.key[1].rpartition("/")[2])
        for one in found.standings
        if one.key[0] == "feature" and one.runs == "copy" and one.last is not None and one.key not in held
    ]
    return tuple(sorted([*features, *scripts_]))


def _report(
    found: Survey, resolved: Resolved, made: Sequence[HookSpec], run: scripts.Wired, warned: list[str]
) -> bytes:
    """What commands show of a compile; no event reads it."""
    return dump({
        "skipped": tuple(_skipped(found, resolved, made)),
        "scripts": run.idle,
        "declared": run.declared,
        "warnings": tuple(warned),
        "units": unit_words.rows(found.standings, found.holds),
        "copies": _copies(found),
        "layers": dict(sorted((key, name) for key, name in resolved.layers.items() if name != "builtin")),
    })  # fmt: skip


def _body(found: Survey, sites: Sequence[str] | None, pieces: Kept) -> tuple[dict[str, Any], list[Fault], list[str]]:
    """The hook table's content, what does not compile, and what to warn of."""
    resolved = filled(with_telling(_resolved(found), found.parts), found.parts)
    made, features, wrong = rows.all_of(found.parts, resolved, sites, pieces)
    faults = [*found.sources.faults, *wrong]
    run = scripts.wired(found.scripts)
    warnings = [*_warnings(found, resolved, found.parts), *found.scripts.warnings]
    body = {
        "digest": found.digest,
        "trusted": found.trusted,
        "budgets": resolved.under("budgets"),
        "gc": resolved.under("gc"),
        **{key: resolved.values[key] for key in ("strict", "enforcePhases", "rewriteOwner", "prompts", "preset")},
        "workspace": nested(found.workspace),
        "phasePolicy": rows.phases(resolved, made),
        "events": rows.order(made),
        "features": dict(sorted(features.items())),
        "scripts": run.rows,
        "guidance": with_ours(run.guidance, resolved, [*features]),
        "places": protected_places(found),
        "told": found.told,
        "holds": unit_words.holds(found.holds),
        "report": _report(found, resolved, made, run, warnings),
    }
    if faults:
        from jackline.compiler.locate import located

        faults = list(dict.fromkeys(located(found, faults)))
    return body, faults, warnings


def _watch(store: str, root: str) -> tuple[tuple[str, str], ...]:
    """Client configuration that carries entries of ours, with its digest as installed (`installs.json`)."""
    from jackline import jsonio

    try:
        listed = jsonio.loads(system.read(f"{store}/installs.json").decode())["installs"]
        found = [
            (one["path"], one["steps"][-1]["after"]) for one in listed if one["steps"] and one["root"] in ("", root)
        ]
    except (OSError, ValueError, KeyError, TypeError, IndexError):
        return ()
    return tuple(sorted(found))


def _last_good(path: str, build: str) -> bytes | None:
    try:
        found = unpack(system.read(path), build)
    except OSError:
        return None
    return None if found is None else found[1]


def compile_table(
    root: str,
    store: str,
    *,
    user: str | None = None,
    managed: str = MANAGED,
    sites: Sequence[str] | None = None,
    build: str = VERSION,
    again: bool = False,
) -> Compiled:
    """Compile what concerns `root` ("" = no project). Reads only; never runs or imports what it compiles.

    What does not compile keeps the last good body, or leaves out the layers from the broken one up. `again`: what
    earlier compiles made of the same bytes is taken as it is; not a byte of the result is another for it.
    """
    root = paths.resolve("/", root) if root else ""
    name = slot(root) if root else "builtin"
    pieces = cache.read(store, name, build) if again else Kept()
    found = survey(root, store, user=user, managed=managed, sites=sites, pieces=pieces)
    body, faults, warnings = _body(found, sites, pieces)
    packed = dump(body)
    if faults and any(one.name in PROJECT for one in found.layers):  # a knob keeps nothing else from compiling
        layers = [without_wrong_knobs(one, found, faults) for one in found.layers]
        found = found._replace(layers=layers, resolved=None)
        less, more, _ = _body(found, sites, pieces)
        if not more:
            found.sources.broken += faults
            packed, faults = dump(less), []
    if faults:

        def below(upto: str) -> bytes | None:
            least = survey(root, store, user=user, managed=managed, sites=sites, upto=upto, pieces=pieces)
            less, more, _ = _body(least, sites, pieces)
            return None if more else dump(less)

        good = _last_good(path_of(store, name), build)
        packed = good or next(filter(None, map(below, ("user", "managed", "builtin"))), packed)
    faults = list(dict.fromkeys([*faults, *found.sources.broken]))
    table, data = _headed(found, packed, root, store, build, faults)
    record = _record(found) if found.branch is not None else None
    return Compiled(table, data, name, tuple(faults), tuple(warnings), found, pieces, record)


def _headed(
    found: Survey, packed: bytes, root: str, store: str, build: str, faults: Sequence[Fault]
) -> tuple[HookTable, bytes]:
    """A hook table of this body, and its bytes; its head says what it was made from."""
    import marshal

    installs = f"{store}/installs.json"
    found.sources.file(installs)
    watch = _watch(store, root)
    for path, _ in watch:  # a client's configuration that moves is looked at again (design section 5, third layer)
        found.sources.file(path)
    newest, held = stamps_of(sorted(found.sources.inputs.items()))
    later, chunks = chunks_of(sorted(found.sources.chunked.items()))
    told = tuple([str(fault) for fault in faults])
    others = found.book.below(root) if found.book else ()
    head = (root, found.sources.built, max(newest, later), held, watch, told, build, chunks, others)
    return HookTable(head, marshal.loads(packed)), pack(head, packed, build)


def _record(found: Survey) -> Record:
    """What the next compile is to know of the units' past."""
    assert found.branch is not None
    resolved = _resolved(found)
    in_force = {
        unit_record.name_of(one.key): one.last.digest
        for one in found.standings
        if one.state == "trusted" and one.last is not None
    }
    states = {unit_record.name_of(one.key): one.state for one in found.standings}
    return found.branch.settle(found.present, states, {**resolved.tightened, **found.pinned}, in_force)


def publish(made: Compiled, store: str) -> str:
    """Write a hook table where a run finds it, all at once. Returns its path. The caller holds the slot's lock."""
    path = path_of(store, made.slot)
    system.make_dirs(path.rpartition("/")[0])
    system.replace(path, made.data)
    files = trusted_files(made.survey.standings)
    there = trusted_path(store, made.slot)
    if files or system.exists(there):
        system.replace(there, dump(files))
    for kind, (mode, listed) in made.survey.listed.items():
        compiled.write(store, made.slot, kind, mode, listed)
    mode, _ = made.survey.listed.get("validators", ("", ()))
    compiled.write(store, made.slot, "scripts", mode, listings.of_scripts(made.table.scripts("file") if mode else ()))
    if made.record is not None:
        unit_record.write(store, made.slot, made.record)
    if made.survey.standings:
        _upgrade(made, store)
    _note_followed(made, store)
    if made.pieces.new:
        cache.write(made.pieces, store, made.slot, made.table.build)
    return path


def _note_followed(made: Compiled, store: str) -> None:
    try:
        followed_ref.note(store, made.table.root, made.survey.following, made.survey.standings)
    except OSError:
        return  # the next compile finds the same


def _upgrade(made: Compiled, store: str) -> None:
    """A book of trust of an older version is written as this one has it."""
    root, book = made.table.root, made.survey.book
    if book is None or not book.repo(root).get("digests"):
        return
    try:
        trust.upgrade(store, root, [one.unit for one in made.survey.standings if one.unit is not None])
    except OSError:
        return  # the old form is read as well


def refresh(root: str, store: str, **options: Any) -> Compiled:
    """Compile and publish under the slot's lock: what a verb of the command line does.

    The bundle of the package is put in force first: the table is for an entry point of the same version.
    """
    from jackline.compiler import bundle_sums

    format.check(store)
    bundle_sums.renew(store)
    folder = f"{store}/wirings"
    system.make_dirs(folder)
    name = slot(paths.resolve("/", root)) if root else "builtin"
    held = system.lock(f"{folder}/{name}.lock", WAIT_MS)
    if held < 0:
        raise OSError(11, "another process is compiling", f"{folder}/{name}.lock")
    try:
        made = compile_table(root, store, **options)
        publish(made, store)
        return made
    finally:
        system.close(held)
