"""`init` and `uninstall` as one call each: the store, then every client's file, in an order that locks nobody out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from jackline.install import CLIENTS, dialect, entry, follow, home, installs, target, timeouts
from jackline.install.entry import Entry
from jackline.install.fault import InstallError
from jackline.install.finding import Step, silent
from jackline.install.home import Home
from jackline.install.hookfile import Wanted
from jackline.install.installs import Install
from jackline.install.site import Site, standard_store
from jackline.install.target import Done, Target


class Report(NamedTuple):
    """What `init` or `uninstall` did: file by file, what could not be done, what the person must still do."""

    home: Home | None
    done: tuple[Done, ...]
    faults: tuple[InstallError, ...]
    todo: tuple[str, ...] = ()


def mode(where: Target, known: Sequence[Install]) -> str:
    """What a dead entry point means in this file where nobody says anew: as a person chose it, else a refusal.

    Earlier versions noted "open" for everybody who chose nothing.
    """
    old = installs.find(list(known), where.path)
    return "closed" if old is None or old.is_older else old.fail


def wanted(
    where: Target, store: Path, fail: str = "closed", deadlines: Mapping[str, int] | None = None
) -> list[Wanted]:
    """The entries one file should hold. Those of a project are portable: they find each person's own store."""
    spoken = dialect.of(where.dialect)
    at = "" if where.scope == "project" else str(store)
    found = []
    for event, bound in spoken.events.items():
        if where.event not in ("", event):
            continue
        command = entry.write(Entry(at, where.dialect, spoken.word(event), where.scope, fail))
        found.append(Wanted(event, spoken.hook(command, timeouts.client_limit(bound, deadlines))))
    return found


def plan(clients: Sequence[str], scope: str, site: Site) -> tuple[list[Target], list[InstallError]]:
    """The files to write, and the clients that have none in this scope."""
    by_dialect: dict[str, tuple[str, ...]] = {}
    faults = []
    for client in dict.fromkeys(clients):
        if client not in CLIENTS:
            faults.append(InstallError(client, "no client that Jackline installs for", f"one of: {', '.join(CLIENTS)}"))
            continue
        by_dialect[CLIENTS[client]] = (*by_dialect.get(CLIENTS[client], ()), client)
    targets: list[Target] = []
    for name, names in by_dialect.items():
        found = dialect.of(name).targets(scope, site, names)
        targets += found
        if not found:
            cure = f"use --scope {' or --scope '.join(dialect.of(name).written.files)}"
            faults += [InstallError(one, f"scope {scope} is not available for this client", cure) for one in names]
    return targets, faults


def init(clients: Sequence[str], scope: str, site: Site, store: Path, fail: str = "", *, step: Step = silent) -> Report:
    """Install for these clients. The store comes first, so that no entry ever leads nowhere."""
    if not plan(clients, scope, site)[0]:
        return enter(clients, scope, site, store, fail)
    step("making the entry point and its modules")
    made = home.make(store, shared=scope == "managed")
    return enter(clients, scope, site, store, fail)._replace(home=made)


def enter(clients: Sequence[str], scope: str, site: Site, store: Path, fail: str = "") -> Report:
    """Write the entries into the clients' files; one client's broken file keeps none of the others from being done.

    `fail`: what a dead entry point means before a tool, "" for what it meant so far.
    """
    targets, faults = plan(clients, scope, site)
    if not targets:
        return Report(None, (), tuple(faults))
    done: list[Done] = []
    todo: list[str] = []
    with installs.locked(store):
        for one in targets:
            try:
                meant = fail or mode(one, installs.load(store))
                result = target.write(one, wanted(one, store, meant), store, meant)
                left = dialect.of(one.dialect).todo(one, site)
            except InstallError as fault:
                faults.append(fault)
                continue
            done.append(result._replace(todo=left))
            todo += left
    if scope == "project" and store != standard_store(site.env):
        looked = standard_store(site.env)
        todo.append(
            f"run `jackline init` without JACKLINE_STORE too: a project's entries look in {looked}, not in {store}"
        )
    return Report(None, tuple(done), tuple(faults), tuple(dict.fromkeys(todo)))


def uninstall(site: Site, store: Path, clients: Sequence[str] = (), scope: str = "", *, purge: bool = False) -> Report:
    """Take the entries out of every file the store knows (or those of some clients, of one scope), then with `purge`
    the store itself.
    """
    done: list[Done] = []
    faults: list[InstallError] = []
    if not store.is_dir():
        return Report(None, (), ())
    with installs.locked(store):
        for install in installs.load(store):
            named = install.client.split()
            here = not install.root or not scope or install.root == str(site.root)
            if not here or scope not in ("", install.scope) or (clients and not set(clients) & set(named)):
                continue
            try:
                others = [client for client in named if clients and client not in clients]
                if others:
                    cure = f"name all of them: {' '.join('--client ' + client for client in named)}"
                    raise InstallError(install.path, f"{', '.join(others)} reads the same file", cure)
                done.append(target.remove(install, store))
            except InstallError as fault:
                faults.append(fault)
    if not clients and not scope:
        gone = follow.withdraw(store)
        done += [
            Done("git" if "pre-commit" in path else "agents", "project", Path(path), "removed")
            for path, _ in gone.changed
        ]
        faults += [InstallError(*one.split(" · ", 2)) for one in gone.faults]
    if purge and not faults:
        home.purge(store)
    return Report(None, tuple(done), tuple(faults))
