"""Collect before compiling: every layer's files, every feature, what of the project needs trust and whether it has it.

Reads only. Nothing of an untrusted project is parsed as code.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from jackline import host, paths
from jackline.compiler import (
    configuration,
    discover,
    flags,
    followed_ref,
    listings,
    prepare,
    project,
    row_files,
    script_units,
    scripts,
    trust,
    unit_record,
    unit_words,
)
from jackline.compiler.base import folded
from jackline.compiler.cache import Kept
from jackline.compiler.configuration import HOOKS, WORKSPACE, Reading, person_layer
from jackline.compiler.discover import Found
from jackline.compiler.fault import Fault
from jackline.compiler.followed_ref import Following
from jackline.compiler.layers import MANAGED, Layer, Resolved
from jackline.compiler.prepare import Part
from jackline.compiler.project import own_features, unit_of
from jackline.compiler.sources import Sources
from jackline.compiler.trust import Key
from jackline.compiler.trust_state import Standing, digest_of, judge
from jackline.compiler.unit_record import Branch, head_files
from jackline.staleness import content
from jackline.store.ids import slot

STATE = "/.local/state/jackline"
NOT_TRUSTED = "not trusted: run `jackline trust --diff`"
PROJECT = ("project", "local")
"""Origins and layers that lie in the work tree."""


class Survey(NamedTuple):
    """What there is. `needs` are the files of the project that count only once trusted, `digest` is theirs, "" when
    nothing needs trust; `trusted`: a person has said yes to all that is there, and nothing they said yes to is missing.

    `holds`: units that a person trusted and that cannot run, with the reason.
    """

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
    standings: tuple[Standing, ...] = ()
    holds: tuple[tuple[Key, str], ...] = ()
    branch: Branch | None = None
    following: Following = followed_ref.NOBODY
    present: tuple[Key, ...] = ()
    """Every unit of the project that is there and can be read, whether or not it needs a word."""
    resolved: Resolved | None = None
    """What the layers come to, where that was asked already."""
    book: trust.Book | None = None
    """The book of trust that all this was read by."""
    listed: Mapping[str, tuple[str, tuple[dict[str, Any], ...]]] = {}
    """By kind, what is written beside the hook table (`listings`)."""
    pinned: Mapping[str, Mapping[str, Any]] = {}
    """By place of a row, what nobody trusted and yet tightens."""

    @property
    def told(self) -> tuple[str, ...]:
        """What a person is to hear of units, and of the ref that is followed."""
        lines = unit_words.lines(self.standings, self.holds)
        return (*lines, unit_words.shown(self.following.line)) if self.following.line else lines

    @property
    def waiting(self) -> list[Standing]:
        """Units that a person may say yes to as they are now."""
        return [one for one in self.standings if one.unit and one.state != "trusted" and not one.unit.fault]

    @property
    def missing(self) -> list[Standing]:
        """Units that a person trusted and that are there no more, or were switched off where they stand."""
        return [
            one
            for one in self.standings
            if one.state == "gone" or (one.unit is not None and one.last and one.unit.more.get("inert"))
        ]


def user_folder(store: str) -> str:
    """The folder of the user's layer: what `init` noted in the store, else the one beside the store's home.

    Never from the environment: a repository's client settings can set that for the entry point.
    """
    noted = paths.resolve("/", store + "/config")
    if noted != paths.resolve("/", store) + "/config":
        return noted
    if store.endswith(STATE):
        return store.removesuffix(STATE) + "/.config/jackline"
    import pwd

    try:
        home = pwd.getpwuid(os.getuid()).pw_dir
    except KeyError:
        return ""
    return home + "/.config/jackline"


def _check_followup_rules(sources: Sources, folder: str, names: Mapping[str, Any], listed: list[str]) -> None:
    """Check the file of a feature that is not here yet: what is written now must be right then."""
    name = names["hooks.followupRulesFile"]
    if name in listed:
        sources.json(f"{folder}/{name}", "followup-rules")


def survey(
    root: str,
    store: str,
    *,
    user: str | None = None,
    managed: str = MANAGED,
    sites: Sequence[str] | None = None,
    upto: str = "local",
    pieces: Kept | None = None,
    as_checked_out: bool = False,
) -> Survey:
    """Read everything that has a say for `root`. `upto` leaves out the layers above it (for when one is broken).

    `pieces`: what earlier compiles made of the same bytes. `as_checked_out`: as if a person trusted all that is there.
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
            layers.append(person_layer(sources, name, folder, strange))
            brought = list(discover.in_folder(sources, folder, name))
            features += own_features(sources, layers[-1], folder, brought)
    below = {name: folder for name, folder in (("managed", managed), ("user", user)) if upto in (name, "user", "local")}
    parts = _winners(_prepared(sources, features, pieces), layers)
    if not sources.root:
        looked = scripts.look(sources, layers, below, host.home())
        stock = scripts.stock(looked, layers, looked.tree.found, (), looked.tree.texts, ())
        return Survey(sources, layers, features, parts, offered, dict(WORKSPACE), "", True, {}, tuple(strange), stock)
    return _with_project(
        Survey(sources, layers, features, parts, offered, dict(WORKSPACE), "", True, {}, (), scripts.NONE),
        store, known, strange, below, pieces, None if as_checked_out else _branch(store, root, known),
    )  # fmt: skip


def _branch(store: str, root: str, known: trust.Book) -> Branch:
    return Branch(store, slot(root), root, known.dropped(root, slot(root)))


def _scripts(
    reading: Reading, layers: list[Layer], folders: Mapping[str, str], configured: Sequence[str]
) -> tuple[list[Standing], script_units.Running, scripts.Stock]:
    """How the project's scripts and texts stand, which of them run, and what comes of that."""
    sources = reading.sources
    looked = scripts.look(sources, layers, folders, host.home())
    units = script_units.units(sources, looked.tree, reading.book, [*configured, *row_files.FORMS])
    mine = {key: held for key, held in reading.book.items() if key[0] in ("script", "text")}
    judged = judge(units, mine, reading.branch, follow=reading.follow, root=sources.root)
    heard = [one for one in layers if one.trusted]
    places = scripts.places(heard)
    judged = [one for one in judged if one.unit is not None or script_units.in_roots(places, one.key)]
    in_force = {one.key: one for one in judged if script_units.in_roots(places, one.key)}
    running = script_units.running(reading.store, sources, looked.tree, looked.order, in_force, NOT_TRUSTED)
    stock = scripts.stock(looked, heard, running.scripts, running.waits, running.texts, running.unread)
    return judged, running, stock


def _usable(reading: Reading, brought: project.Features, pieces: Kept) -> tuple[list[Part], list[tuple[Key, str]]]:
    """The project's features that can be read, and why others of it hold."""
    wrong: dict[Key, list[Fault]] = {}
    prepared = _prepared(reading.sources, brought.running, pieces, wrong)
    as_trusted = {one.key for one in brought.standings if one.runs == "itself"}
    reading.sources.broken += [
        one for key in wrong if key in as_trusted for one in wrong[key]
    ]  # a copy is no file of it
    return prepared, [(key, f"it does not compile: {faults[0]}") for key, faults in wrong.items()]


def _flagged(
    reading: Reading, parts: Sequence[Part], layers: list[Layer], resolved: Resolved
) -> tuple[list[Layer], Resolved]:
    """The layers with what flags of the environment tighten, and what they come to then."""
    asked = flags.said(reading.sources, os.environ, reading.strange, [one.declared.name for one in parts])
    more = flags.tightening(resolved, asked, reading.strange)
    return ([*layers, *more], folded(parts, [*layers, *more])) if more else (layers, resolved)


def _stood(made: Survey, standings: Sequence[Standing], everything: Iterable[Standing]) -> Survey:
    """The survey with how units stand: those that a person's word concerns, and all that are there."""
    needs = {name: data for one in standings if one.unit for name, data in one.unit.files.items()}
    return made._replace(
        digest=digest_of(standings),
        trusted=not any(one.is_told for one in standings),
        needs=dict(sorted(needs.items())),
        standings=tuple(standings),
        present=tuple([one.key for one in everything if one.unit is not None and not one.unit.fault]),
    )


def _with_project(
    below: Survey,
    store: str,
    known: trust.Book,
    strange: list[str],
    folders: Mapping[str, str],
    pieces: Kept,
    branch: Branch | None,
) -> Survey:
    """The survey of what lies below, and what the project adds, as far as a person trusts it."""
    sources = below.sources
    root = sources.root
    ref = followed_ref.look(known, root, branch)
    if ref.ref:
        sources.inputs |= {path: content(path) for path in followed_ref.files(root, ref.ref)}
    reading = Reading(sources, store, known.units(root) if branch else {}, branch, (ref.ref, ref.commit), strange)
    listed = sources.folder(f"{root}/{HOOKS}")
    configured = configuration.configured(reading)
    _check_followup_rules(sources, f"{root}/{HOOKS}", configured.workspace, listed)
    brought = project.features(reading, configured.layers)
    layers = [*below.layers, *configured.layers]
    prepared, unusable = _usable(reading, brought, pieces)
    parts = _winners([*below.parts, *prepared], layers)
    judged, running, stock = _scripts(reading, layers, folders, [one.key[1] for one in configured.standings])
    resolved = folded(parts, layers)
    rows = listings.look(reading, resolved.values, listed)
    everything = [*configured.standings, *brought.standings, *judged, *rows.standings]
    standings = _worth_a_word(everything, layers, parts, stock, configured.awaited, resolved)
    layers, resolved = _flagged(reading, parts, layers, resolved)
    if any(one.state not in ("trusted", "new", "moved") for one in standings):
        sources.inputs |= {path: content(path) for path in head_files(root)}
    made = below._replace(layers=layers, features=[*below.features, *brought.found], parts=parts, scripts=stock)
    return _stood(made, standings, everything)._replace(
        workspace=configured.workspace,
        strange=tuple(strange),
        holds=(*brought.holds, *unusable, *running.holds, *rows.holds),
        branch=branch,
        following=ref,
        resolved=resolved,
        book=known,
        listed=rows.listed,
        pinned=rows.pinned,
    )


def _is_of(layer: Layer, file: str) -> bool:
    """Whether a layer is what a file of the project says."""
    return layer.name in PROJECT and file in layer.files.values()


def _in_effect(values: Mapping[str, Any]) -> dict[str, Any]:
    """Values without the modes of features that are the mode of all: to say so changes nothing."""
    usual = values["mode"]
    return {
        key: value
        for key, value in values.items()
        if value != usual or not (key.startswith("modules.") and key.endswith(".mode"))
    }


def _worth_a_word(
    standings: Sequence[Standing],
    layers: Sequence[Layer],
    parts: Sequence[Part],
    stock: scripts.Stock,
    awaited: Iterable[str],
    resolved: Resolved,
) -> list[Standing]:
    """The units that a person's word concerns: not configuration that nobody trusted and all of which counts, nor
    scripts that are switched off. The same where all that is there counts as trusted: a digest means that content.
    """
    unread = [one for one in standings if one.last is None and one.state in ("new", "trusted")]
    left_out = {one.file for one in resolved.refused if one.trust} | {*awaited}
    for one in standings:
        if one in unread and one.key[0] == "configuration" and one.key[1] not in left_out:
            said = [[layer._replace(trusted=others or not _is_of(layer, one.key[1])) for layer in layers]
                    for others in (True, False)]  # fmt: skip
            whole, without = (folded(parts, each).values for each in said)
            left_out |= {one.key[1]} if _in_effect(whole) != _in_effect(without) else set()
    off = {one.found.declared for one in stock.scripts if one.key in stock.off}
    found = []
    for one in standings:
        kind, place = one.key
        if one in unread and kind == "configuration" and place not in left_out and not (one.unit and one.unit.fault):
            continue
        if one in unread and kind == "script" and place in off:
            continue
        found.append(one)
    return sorted(found)


def _prepared(
    sources: Sources, features: Sequence[Found], pieces: Kept, wrong: dict[Key, list[Fault]] | None = None
) -> list[Part]:
    """The features that can be read; the faults of the others go to `sources`, or, by unit, to `wrong`."""
    parts: list[Part] = []
    seen: dict[tuple[str, str], str] = {}
    for found in features:
        where = (
            f"<{found.label}>/{found.slug}" if found.origin in ("builtin", "package") else sources.shown(found.folder)
        )
        part = prepare.prepare(found, where, pieces)
        faults = sources.broken if found.origin in PROJECT else sources.faults
        if isinstance(part, list):
            if wrong is None:
                faults += part
            else:
                wrong[unit_of(sources, found).key] = part
            continue
        parts.append(part)
        other = seen.setdefault((found.origin, part.declared.name), part.where)
        if other != part.where:
            line = f"{part.where}/hook.py:{part.declared.line}"
            faults.append(Fault("name", "a name of its own", f"that of {other}", "", "another name", line))
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


def trust_all(store: str, root: str, found: Survey, by: str) -> str:
    """Say yes to all units that are there, and to it that others are there no more. Returns the digest of it all."""
    units = [one.unit for one in found.waiting if one.unit is not None]
    gone = [one.key for one in found.missing]
    gone += [(one.key[0], one.came_from) for one in found.standings if one.state == "moved"]
    say_yes(store, root, units, gone, by)
    return found.digest


def say_yes(store: str, root: str, units: Iterable[trust.Unit], gone: Sequence[Key], by: str) -> None:
    """Trust units, in all worktrees of the repository; in this one, those that are gone are in force no more."""
    units, at = [*units], slot(root)
    trust.trust(store, root, units, by, gone, at)
    unit_record.note_yes(store, at, root, units, gone)
