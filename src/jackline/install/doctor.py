"""Look at an installation from outside, and say what each thing is like and what mends it.

It judges by what happens (the installed command is run, events are looked for), not by what is configured.
"""

from __future__ import annotations

import os
import time
from collections.abc import Collection, Mapping
from pathlib import Path

from jackline import git, hook, hook_table, surroundings, system
from jackline.clients import signs
from jackline.install import (
    activity,
    dialect,
    files,
    guidance,
    home,
    installs,
    plugin,
    precommit,
    probe,
    restore,
    shapes,
    subfolders,
    timeouts,
)
from jackline.install.fault import InstallError
from jackline.install.finding import Finding, Step, silent
from jackline.install.hookfile import Found
from jackline.install.installs import Install
from jackline.install.site import MANAGED_STORE, Site
from jackline.intents import choose
from jackline.intents.fields import PLACE
from jackline.policy import events
from jackline.repository import is_repository
from jackline.store import format, tamper_mark
from jackline.store.ids import slot

INIT = "run `jackline init`"
REPAIR = "run `jackline doctor --repair`"
SLOW_MS = 400
SHOWN = 3
SLACK = 2.0
"""Seconds by which a file may be newer than the event that reported it."""


def _names(items: Collection[str]) -> str:
    shown = sorted(items)[:SHOWN]
    return ", ".join(shown) + (f" and {len(items) - SHOWN} more" if len(items) > SHOWN else "")


# --- the store -----------------------------------------------------------------------------------------------------


def _store(store: Path) -> list[Finding]:
    try:
        mode = store.stat().st_mode & 0o777
    except OSError:
        return [Finding("store", "bad", f"{store} is not there", INIT)]
    if mode & 0o077 and str(store) != f"/{MANAGED_STORE}":
        return [Finding("store", "bad", f"{store} is open to others (mode {mode:03o})", f"chmod 700 {store}")]
    why = format.newer(str(store))
    if why:
        return [Finding("store", "bad", f"{why}: nothing is written there", format.CURE)]
    return [Finding("store", "ok", f"{store} is yours alone")]


def environment(store: Path, env: Mapping[str, str]) -> list[Finding]:
    """Whether the environment has the person's folders where they were at installation."""
    home = surroundings.recorded_folder(str(store), "home") or env.get("HOME", "")
    moved = surroundings.differences(str(store), env, home)
    cure = f"set it back, or {INIT} if this is meant"
    return [Finding("environment", "warn", f"{name} is {said}, it was {was or 'not set'} at installation", cure)
            for name, said, was in moved]  # fmt: skip


def interpreter(store: Path) -> list[Finding]:
    """Whether the interpreter behind the entries is there, and this one."""
    link = store / "bin/python"
    try:
        target = link.resolve(strict=True)
    except OSError:
        there = link.readlink() if link.is_symlink() else "nothing"
        what = f"the interpreter is gone ({link} leads to {there}): no hook judges, sessions say so at their start"
        return [Finding("interpreter", "bad", what, f"{INIT} with a Python that is there")]
    try:
        home.check_interpreter(target)
        same = target == home.real_interpreter()
    except InstallError as fault:
        return [Finding("interpreter", "bad", f"{fault.where} {fault.what}", INIT)]
    if not same:
        what = f"the entry point runs in {target}, this command in {home.real_interpreter()}"
        return [Finding("interpreter", "warn", what, f"{INIT}: the entry point then runs in this one")]
    return [Finding("interpreter", "ok", f"{target}")]


def _bundle(store: Path) -> list[Finding]:
    """Whether entry point and hot modules are there, and those of this version."""
    from jackline.compiler import bundle, bundle_sums

    if bundle_sums.intact(str(store)):
        return [Finding("entry-point", "ok", "it and the modules it loads are those of this version")]
    wanted = bundle.files()
    missing = [name for name in wanted if not (store / name).is_file()]
    if "door.py" in missing:
        return [Finding("entry-point", "bad", f"{store}/door.py is gone: no hook answers", INIT)]
    if missing:
        return [Finding("entry-point", "bad", f"{store}/{missing[0]} is gone: the entry point goes a slower way", INIT)]
    for name, data in wanted.items():
        if system.read(str(store / name)) != data:
            return [
                Finding(
                    "entry-point",
                    "warn",
                    f"{store / name} is damaged, or of another version of Jackline or Python",
                    INIT,
                )
            ]
    return [Finding("entry-point", "ok", "it and the modules it loads are those of this version")]


# --- one client's file ---------------------------------------------------------------------------------------------


def _where(install: Install) -> str:
    return f"{install.client}, {install.path}"


def _entries(install: Install, store: Path) -> list[Finding]:
    found = restore.compare(install, store)
    if not found:
        if install.shape == plugin.SHAPE and plugin.is_older(install, store):
            what = f"{install.path}: written by another version: it works as it did"
            return [Finding("entries", "warn", what, f"run `jackline init --client {install.client}`", _where(install))]
        if install.is_older:
            return [_older(install)]
        how = ", portable: they find the store by the client's environment" if install.scope == "project" else ""
        what = f"{len(install.wanted)} entries in {install.path}{how}"
        return [Finding("entries", "ok", what, where=_where(install))]
    by_what: dict[str, list[str]] = {}
    for one in found:
        by_what.setdefault(one.what, []).append(one.event or one.found)
    said = {"gone": "the file is gone", "unreadable": "the file cannot be read"}
    return [
        Finding(
            "entries",
            "warn" if what == "extra" else "bad",
            f"{install.path}: " + said.get(what, f"{what}: {', '.join(events)}"),
            "mend the file"
            if what == "unreadable"
            else tamper_mark.ways([tamper_mark.File(install.path, install.client)]),
            _where(install),
        )
        for what, events in by_what.items()
    ]


def _older(install: Install) -> Finding:
    """Entries of an earlier version work as they did, and what they lack is said, with what an upgrade asks for."""
    scope = "" if install.scope == "user" else f" --scope {install.scope}"
    clients = " ".join(f"--client {client}" for client in install.client.split())
    what = f"{install.path}: written by an earlier version: with them a damaged installation lets every tool call pass"
    told = dialect.of(install.dialect).written.after_change
    return Finding("entries", "warn", what, f"run `jackline init {clients}{scope}`{told}", _where(install))


def _standing(install: Install, store: Path) -> list[Found]:
    """Our entries as they stand in the file; none when it cannot be read."""
    try:
        return shapes.ours_in(install.shape, files.read(Path(install.path)) or b"", install.path, restore.ours(store))
    except InstallError:
        return []


def _shells(install: Install, found: Found) -> list[tuple[str, ...]]:
    """The shells to run an entry in: for a tool call both, otherwise the one that its client uses."""
    spoken = dialect.of(install.dialect)
    there: list[tuple[str, ...]] = [shell for shell in probe.SHELLS if Path(shell[0]).exists()]
    mine = [shell for shell in there if shell[0] == spoken.written.runs_in]
    bound = spoken.events.get(found.event)
    return there if bound and bound.canonical == "PreToolUse" else mine or there[:1]


def _answers(install: Install, site: Site, store: Path, step: Step) -> list[Finding]:
    """Run every entry as its client does."""
    faults: dict[str, set[str]] = {}
    fastest = 0.0
    for found in _standing(install, store):
        for shell in _shells(install, found):
            step(f"running what {install.client.replace(' ', ', ')} starts at {found.event}")
            said = probe.run(found.command, found.event, site.root, site.env, shell, mute=_is_mute(install, found))
            fastest = min(fastest or said.ms, said.ms)
            if said.fault:
                faults.setdefault(said.fault, set()).add(f"{found.event} in {said.shell}")
    if faults:
        return [
            Finding("answer", "bad", f"the installed command {fault} ({_names(events)})", INIT, _where(install))
            for fault, events in faults.items()
        ]
    if not fastest:
        return []
    what = f"the installed commands answer, the fastest in {fastest:.0f} ms"
    if fastest > SLOW_MS:
        return [Finding("time", "warn", what, "look at `jackline profile`, and at what else keeps the machine busy")]
    return [Finding("answer", "ok", what, where=_where(install))]


def _is_mute(install: Install, found: Found) -> bool:
    """Whether no objection is no word at all: the client takes what is printed there as text."""
    spoken = dialect.of(install.dialect)
    bound = spoken.events.get(found.event)
    return bound is not None and bound.canonical in spoken.written.mute.split()


def _door_ends(event: str) -> float:
    """Seconds after which the entry point answers with what it has."""
    return signs.DEADLINE_MS.get(event, hook.OTHER_DEADLINE_MS) / 1000


def _clocks(install: Install, site: Site, store: Path) -> list[Finding]:
    """Budget < entry point < client, for every event on which somebody decides."""
    made = hook_table.load(hook_table.path_of(str(store), slot(str(site.root.resolve()))))
    spoken = dialect.of(install.dialect)
    bounds = spoken.events
    found = []
    for entry in _standing(install, store):
        name = bounds.get(entry.event, timeouts.Bound(entry.event)).canonical
        if not events.decisions(name):
            continue
        ends = _door_ends(spoken.word(entry.event) if entry.event in bounds else entry.event)
        budget = (made.budget(name) if made else events.ROWS[name][2]) / 1000
        given = spoken.seconds(entry.limit)
        if spoken.written.unit and (given is None or given <= ends):
            limit = "its default" if given is None else f"{given:g} s"
            what = f"{entry.event}: the client ends the hook after {limit}, it would end itself after {ends:g} s"
            found.append(Finding("clocks", "bad", what, REPAIR, _where(install)))
        elif budget >= ends:
            what = f"{entry.event}: the features' budget of {budget:g} s is longer than the entry point's {ends:g} s"
            cure = "lower `budgets` in dispatch.manifest.json"
            found.append(Finding("clocks", "warn", what, cure, _where(install)))
    return found or [
        Finding("clocks", "ok", "budget, entry point and client limit fit for every event", where=_where(install))
    ]


def _last_event(install: Install, store: Path) -> list[Finding]:
    found = []
    for client in install.client.split():
        when = activity.last(store, client)
        if when and when < install.written:
            what = "no event since the entries were written: nothing shows yet that the client runs them"
            cure = f"use {client} once, then look again{dialect.of(install.dialect).written.after_change}"
            found.append(Finding("last-event", "warn", what, cure, client))
        elif when:
            ago = _ago(time.time() - when)
            found.append(Finding("last-event", "ok", f"last event {ago} ago", where=client))
        else:
            what = "no event was ever seen: the hooks are configured, and nothing shows yet that they run"
            found.append(Finding("last-event", "warn", what, f"use {client} once, then look again", client))
    return found


def _ago(seconds: float) -> str:
    for size, name in ((86400, "day"), (3600, "hour"), (60, "minute")):
        if seconds >= size:
            count = int(seconds // size)
            return f"{count} {name}{'s' if count > 1 else ''}"
    return f"{max(int(seconds), 0)} seconds"


# --- the project ---------------------------------------------------------------------------------------------------


def drift(site: Site, store: Path, known: list[Install]) -> list[Finding]:
    """Files that changed while no event was seen: a person's work, or an agent whose hooks do not run.

    Where an agent was expected (a project with entries of its own) and none was ever heard of, it is the latter.
    """
    root = site.root.resolve()
    heard = activity.last(store, root=root)
    since = heard + SLACK if heard else float(min((one.at for one in known), default=0))
    if not is_repository(str(root), os.getuid()) or not since:
        return []
    ours = {str(Path(one.path).resolve()) for one in known} | {*guidance.written(store)}
    try:
        names = [name for name in activity.changed_after(root, since) if str(root / name) not in ours]
    except git.GitError as fault:
        return [Finding("drift", "warn", f"git cannot be asked: {fault}", "look whether `git status` works here")]
    names = [name for name in names if not name.startswith(".ai/")]
    if PLACE in names and choose.is_remembered(str(store), str(root)):
        names.remove(PLACE)
    if not names:
        return [Finding("drift", "ok", "no file changed unseen")]
    count = f"DRIFT: {len(names)} file{'s' if len(names) > 1 else ''} changed"
    cure = "fine if that was you; if an agent did it, its hooks do not run: see what is said of trust"
    if heard:
        return [Finding("drift", "warn", f"{count} after the last event ({_names(names)})", cure)]
    expected = any(one.root for one in known)
    what = f"{count}, and no event was seen since the installation ({_names(names)})"
    return [Finding("drift", "bad" if expected else "warn", what, cure)]


def diagnose(
    root: Path,
    store: Path,
    home_folder: Path,
    env: Mapping[str, str],
    only: Collection[str] | None = None,
    step: Step = silent,
) -> list[Finding]:
    """Every finding about this person's installation as it concerns a project. `only`: clients to look at."""
    step("looking at the store and the entry point")
    site = Site(root, {**env, "HOME": str(home_folder)})
    found = _store(store)
    if found[0].code == "store" and not store.is_dir():
        return found
    found += interpreter(store) + environment(store, env) + _bundle(store)
    try:
        known = [one for one in installs.load(store) if one.root in ("", str(root), str(root.resolve()))]
    except InstallError as fault:
        return [*found, Finding("installs", "bad", f"{fault.where}: {fault.what}", fault.cure)]
    mine = [one for one in known if only is None or set(only) & set(one.client.split())]
    if not mine:
        found.append(Finding("installs", "bad", "nothing is installed for this project or this person", INIT))
    for install in mine:
        found += _entries(install, store) + _answers(install, site, store, step) + _clocks(install, site, store)
        found += dialect.of(install.dialect).diagnose(install, site) + _last_event(install, store)
    step("looking at the project")
    kept = hook_table.load(hook_table.path_of(str(store), slot(str(root.resolve()))))
    found += subfolders.diagnose(mine, root.resolve())
    found += precommit.diagnose(kept, root.resolve(), store, site.env)
    return found + drift(site, store, known)
