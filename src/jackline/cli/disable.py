"""`jackline disable`: switch capabilities off again, and give back every file as it was; a person's word."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import click

from jackline.cli.parts import person, switching
from jackline.cli.parts.command import Command
from jackline.cli.parts.exits import DONE, FOUND
from jackline.cli.parts.printer import Printer
from jackline.cli.parts.setting import Setting, pass_setting
from jackline.cli.parts.switching import Done
from jackline.cli.parts.verb import Verb
from jackline.install import files, manifests, switches, validators
from jackline.install.manifests import SCOPES, Asked, Target
from jackline.services.capabilities import CAPABILITIES

VERB = Verb(
    group="Configure",
    order=70,
    brief="Switch them off; every file is as it was",
    authority="human-only",
)

CHECKS = "validators"


def _edited(asked: Asked, names: Collection[str]) -> Asked:
    kept = {name: one for name, one in asked.items() if name not in names}
    return {name: {**one, "with": [two for two in one["with"] if two not in names]} for name, one in kept.items()}


def _asked(setting: Setting, target: Target) -> Asked:
    known = switches.load(setting.store).get(str(target.path))
    return {name: dict(one) for name, one in known.asked.items()} if known else {}


def _stand_in(setting: Setting, target: Target, names: Collection[str]) -> bool:
    """Whether a file switches any of these on, whoever wrote that."""
    asked = manifests.states(_asked(setting, target))
    if any(name in asked for name in names):
        return True
    return bool(manifests.standing(files.read(target.path), target.path, names))


def _gone(before: Asked, names: Collection[str]) -> list[str]:
    """What was on by this file's asking, and is not any more."""
    after = manifests.states(_edited(before, names))
    return [name for name in manifests.states(before) if name not in after]


def _checks_back(setting: Setting, chosen: Collection[Target], names: Collection[str]) -> list[str]:
    """Give the file of validators back where nothing runs them any more; the names of the rows that went."""
    left = [manifests.states(_edited(_asked(setting, one), names if one in chosen else ()))
            for one in switching.targets(setting, switching.look(setting)).values()]  # fmt: skip
    if any(CHECKS in one for one in left):
        return []
    return validators.take_back(setting.store, setting.root)


def _data(names: Collection[str], off: Collection[str], still: dict[str, str], changed: list[str]) -> dict[str, Any]:
    return {"asked": [*names], "off": sorted(off), "stillOn": still, "changed": changed}


def _still_on(done: Done, off: Collection[str]) -> dict[str, str]:
    """What is on all the same, by the layer that says so."""
    states = {name: switching.state_of(done.made.survey, name) for name in off}
    return {name: layer for name, (state, layer) in states.items() if state != "off" and layer != "builtin"}


@click.command(
    cls=Command,
    shape={"asked": ["str"], "off": ["str"], "stillOn": {"*": "str"}, "changed": ["str"]},
    examples=[
        ("jackline disable plan", "off, with what came with it; every file is as it was"),
        ("jackline disable gate", "one of those that came with another; the rest stays on"),
        ("jackline disable pack --scope local", "only in your own file of this worktree"),
    ],
)
@click.argument("names", metavar="CAPABILITY…", nargs=-1, required=True, shell_complete=switching.completed)
@click.option("--scope", type=click.Choice(SCOPES), default=None, help="Only in this configuration; else in each.")
@click.option("--json", "as_json", is_flag=True, help="As data.")
@person.yes_option
@pass_setting
def command(setting: Setting, names: tuple[str, ...], scope: str | None, as_json: bool, yes: bool) -> int:
    """Switch capabilities off, with what came along with them, wherever `enable` or somebody else switched them on.

    Files that `enable` wrote are as they were before, to the byte; what others wrote into them since stays. What
    sessions left (logs, plans, packs) stays, too.
    """
    found = switching.look(setting)
    features = switching.here(found)
    known = {name for target in switching.targets(setting, found).values() for name in _asked(setting, target)}
    names = tuple(one for one in dict.fromkeys(names) if one in CAPABILITIES or one in known) + tuple(
        switching.checked([one for one in names if one not in CAPABILITIES and one not in known], features)
    )
    targets = [one for name, one in switching.targets(setting, found).items() if scope in (None, name)]
    person.require(setting, "disable", yes=yes)
    chosen = [one for one in targets if _stand_in(setting, one, names)]
    for one in chosen:
        switching.refuse_unread(found, one)
    off = set(names) | {name for one in chosen for name in _gone(_asked(setting, one), names)}
    rows = _checks_back(setting, chosen, names)
    changed = [setting.root / validators.PLACE] if rows else []
    for one in chosen:
        if manifests.change(setting.store, one, names, features, lambda asked: _edited(asked, names)):
            changed.append(one.path)
    done = switching.settle(setting, changed, rows)
    short = [*map(setting.short, changed), *map(setting.short, done.texts)]
    still = _still_on(done, off)
    printer = Printer()
    if as_json:
        printer.data(_data(names, off, still, short))
    else:
        where = f"   ({', '.join(dict.fromkeys(short))})" if short else ""
        listed = [name for name in (*CAPABILITIES, *names) if name in off]
        printer.line((", ".join(dict.fromkeys(listed)), "name"), ": off" if short else ": nothing to switch off", where)
        for name, layer in still.items():
            printer.line(
                ("! ", "warn"), (name, "name"), f" is still on, by the layer {layer} · jackline features {name}"
            )
    return FOUND if still else DONE
