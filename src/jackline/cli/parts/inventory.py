"""Which scripts a project has: those that run, and those that are there and do not, each with the reason."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import click

from jackline.builtin import builtin_table
from jackline.cli.parts.setting import Setting
from jackline.compiler import scripts as compiled
from jackline.compiler.collect import survey
from jackline.compiler.fault import nearest
from jackline.compiler.trust_state import digest_of
from jackline.hook_table import HookTable
from jackline.model import EVENTS
from jackline.runtime.hook_table_cache import hook_table
from jackline.runtime.request import Store
from jackline.script import TYPES, Script


class Idle(NamedTuple):
    """A file that looks like a script and does not run."""

    file: str
    key: str
    type: str
    events: tuple[str, ...]
    why: str


class Inventory(NamedTuple):
    """`digest`: of the content that needs trust; `trusted`: whether it has it. `older`: its digest as earlier versions
    gave it.
    """

    scripts: tuple[Script, ...]
    idle: tuple[Idle, ...]
    digest: str
    trusted: bool
    faults: tuple[str, ...] = ()
    older: str = ""

    def of(self, *types: str) -> list[Script]:
        return [one for one in self.scripts if one.type in types]

    def at(self, event: str) -> list[Script]:
        return [one for one in self.scripts if event in one.events]

    def untrusted(self, *types: str) -> list[Idle]:
        """Scripts that only lack a person's word."""
        return [one for one in self.idle if one.key and one.type in types and one.why.startswith("not trusted")]

    def named(self, name: str) -> Script:
        """A script by its key, its name or its file's. UsageError when there is none, or it does not run."""
        found = [one for one in self.scripts if name == one.key]
        found = found or [one for one in self.scripts if name in (one.name, one.path.rpartition("/")[2])]
        if len(found) == 1:
            return found[0]
        if found:
            raise click.UsageError(f"{name!r} means {len(found)} scripts: {', '.join(one.key for one in found)}")
        idle = [one for one in self.idle if name in (one.key, one.file, one.file.rpartition("/")[2])]
        if idle:
            raise click.ClickException(f"{idle[0].file} · {idle[0].why}")
        near = nearest(name, [one.key for one in self.scripts])
        more = f"; did you mean {near}?" if near else " · jackline scripts lists them"
        raise click.UsageError(f"no script {name!r}{more}")


def _idle(told: Iterable[tuple[str, str, str, tuple[str, ...], str]]) -> tuple[Idle, ...]:
    return tuple(Idle(*one) for one in told)


def _scripts(table: HookTable) -> tuple[Script, ...]:
    """Every script of a hook table once, by type, each type in its order."""
    found: dict[str, Script] = {}
    for name in (*EVENTS, *TYPES[1:]):
        for one in table.scripts(name):
            found.setdefault(one.key, one)
    return tuple(found.values())


def load(setting: Setting) -> Inventory:
    """What the next event would find. Writes nothing."""
    table = hook_table(Store(str(setting.store), dry=True), str(setting.root))
    return Inventory(_scripts(table), _idle(table.report()["scripts"]), table.digest, table.trusted, table.faults)


def as_checked_out(setting: Setting) -> Inventory:
    """The scripts of this checkout, whether or not anybody trusts them. Nothing is written, nobody trusts more."""
    root, store = str(setting.root), str(setting.store)
    surveyed = survey(root, store, as_checked_out=True)
    made = compiled.wired(surveyed.scripts)
    table = builtin_table(store)
    table.root, table._scripts = root, made.rows
    faults = tuple(str(one) for one in (*surveyed.sources.faults, *surveyed.sources.broken))
    older = digest_of(surveyed.standings, executable=False)
    return Inventory(_scripts(table), _idle(made.idle), surveyed.digest, surveyed.trusted, faults, older)


def tree_place(setting: Setting) -> str:
    """Where the status of runs is kept that belong to no session."""
    return f"{setting.store}/repos/{setting.slot}"


def needs_trust(found: Inventory, idle: list[Idle]) -> str:
    """What to do about scripts that only lack a person's word."""
    names = ", ".join(one.key for one in idle)
    return f"{names} · not trusted, so not run · read and trust: jackline trust --diff"
