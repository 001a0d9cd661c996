"""`jackline enable`: switch capabilities on, lenient or strict; a person's word."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import click

from jackline import git
from jackline.cli.parts import person, switching
from jackline.cli.parts.command import Command
from jackline.cli.parts.exits import DONE, FOUND
from jackline.cli.parts.printer import Printer
from jackline.cli.parts.setting import Setting, pass_setting
from jackline.cli.parts.switching import Done
from jackline.cli.parts.verb import Verb
from jackline.compiler.agent_texts import OURS
from jackline.compiler.registry import NOT_YET
from jackline.install import checks, manifests, validators
from jackline.install.checks import Check
from jackline.install.manifests import SCOPES, Asked, Target, capability
from jackline.services.capabilities import CAPABILITIES, State

VERB = Verb(
    group="Configure",
    order=60,
    brief="Switch capabilities on: plan, pack, gate, validators",
    authority="human-only",
)

WHAT: dict[State, tuple[str, str]] = {
    "lenient": ("it tells and never blocks", "they tell and never block"),
    "strict": ("it refuses", "they refuse"),
}
EARLY = " what comes too early"
CHECKS = "validators"
"""The capability that runs checks: it comes along where there are any."""
NEXT = {"plan": "work as always; `jackline plan show --follow` to watch"}


class Switch(NamedTuple):
    """What is to be done: `names` were asked for, `along` comes with them; both are written into `target`."""

    setting: Setting
    target: Target
    names: tuple[str, ...]
    along: tuple[str, ...]
    state: State
    features: frozenset[str]

    @property
    def all(self) -> tuple[str, ...]:
        """Both, in the order of the table, features by themselves behind."""
        return tuple([one for one in dict.fromkeys([*CAPABILITIES, *self.names]) if one in self.names + self.along])

    @property
    def wants_checks(self) -> bool:
        offered = [one for name in self.names for one in (name, *capability(name).offers)]
        return CHECKS in offered and CHECKS in self.features

    def with_checks(self) -> Switch:
        return self if CHECKS in self.all else self._replace(along=(*self.along, CHECKS))


def _offers(names: Sequence[str]) -> list[str]:
    return [one for one in dict.fromkeys([one for name in names for one in capability(name).offers])
            if one not in names]  # fmt: skip


def _left_out(switch: Switch, alone: bool) -> list[str]:
    """What would come along and is not here."""
    offered = [] if alone else _offers(switch.names)
    absent = switching.lacking(offered, switch.features)
    return [*absent, *switching.parts_lacking(switch.all, switch.features)]


def _edited(asked: Asked, switch: Switch) -> Asked:
    for name in switch.names:
        along = [one for one in capability(name).offers if one in switch.along]
        asked[name] = {"state": switch.state, "with": along}
    return asked


def _apply(switch: Switch) -> bool:
    target = switch.target
    return manifests.change(
        switch.setting.store, target, switch.names, switch.features, lambda asked: _edited(asked, switch)
    )


def _offered(switch: Switch, no_checks: bool) -> list[Check]:
    """Checks to propose: where validators are wanted and here, those that no row has yet."""
    if no_checks or not switch.wants_checks:
        return []
    return validators.missing(switch.setting.root, checks.find(switch.setting.root))


def _is_wanted(found: Sequence[Check], yes: bool, as_json: bool) -> bool:
    """Whether a person wants the checks that were found: asked where there is a terminal."""
    if not found or yes or as_json or not person.has_terminal():
        return bool(found) and yes
    listed = ", ".join(map(str, found))
    return person.confirmed(f"checks found: {listed}   use them ({validators.PLACE}, trusted)?")


def _use(switch: Switch, found: Sequence[Check]) -> Done:
    """Write rows for checks, and switch on what runs them."""
    root = switch.setting.root
    validators.add(switch.setting.store, root, found)
    _apply(switch.with_checks())
    return switching.settle(switch.setting, [switch.target.path], [one.id for one in found])


# --- what is told --------------------------------------------------------------------------------------------------


def _head(printer: Printer, switch: Switch, changed: bool, left_out: Sequence[str]) -> None:
    words = WHAT[switch.state][len(switch.all) > 1]
    words += EARLY if switch.state == "strict" and CAPABILITIES.keys() >= {*switch.all} else ""
    place = switch.setting.short(switch.target.path)
    already = "" if changed else "already "
    printer.line(
        (", ".join(switch.all), "name"),
        f": {already}",
        (switch.state, "good"),
        f", {words}   ",
        (f"({place})", "quiet"),
    )
    for name in left_out:
        printer.line(("– ", "quiet"), (name, "name"), f"  {NOT_YET}, left out")


def _shown_by_git(printer: Printer, switch: Switch) -> None:
    """Tell of one person's file that git would offer to add."""
    setting, place = switch.setting, switch.setting.short(switch.target.path)
    try:
        shown = switch.target.scope == "local" and setting.in_repository and git.shows(str(setting.root), place)
    except git.GitError:
        return
    if shown:
        printer.line(("! ", "warn"), f"git does not ignore {place} · jackline init writes the line")


def _texts(printer: Printer, switch: Switch, done: Done) -> None:
    """Where agents read of it."""
    names = [switch.setting.short(path) for path in done.texts if path.endswith(".md")]
    ours = dict(done.made.table.guidance()).get(OURS, "")
    if names and ours:
        printer.line(f"agents learn it from {', '.join(names)} ({ours.count(chr(10)) + 1} lines, marked)")


def _tail(printer: Printer, switch: Switch, found: Sequence[Check], used: bool) -> None:
    listed = ", ".join(map(str, found))
    if used:
        printer.line((CHECKS, "name"), f": {listed}   ", (f"({validators.PLACE})", "quiet"))
    elif found and not person.has_terminal():
        printer.line(f"checks found: {listed} · to use them: jackline enable {' '.join(switch.names)} --yes")
    for name in switch.names:
        if name in NEXT:
            printer.line(("next: ", "quiet"), NEXT[name])


def _data(switch: Switch, done: Done, told: Sequence[str]) -> dict[str, Any]:
    found = done.made.survey
    return {
        "file": str(switch.target.path),
        "scope": switch.target.scope,
        "asked": switch.state,
        "capabilities": {name: switching.state_of(found, name)[0] for name in switch.all},
        "texts": [switch.setting.short(path) for path in done.texts],
        "faults": [*told],
    }


def _along(setting: Setting, names: tuple[str, ...], features: frozenset[str]) -> tuple[str, ...]:
    """What is switched on along with these: validators where the project has checks."""
    found = [one for one in _offers(names) if one not in switching.lacking([one], features)]
    return tuple([one for one in found if one != CHECKS or validators.has_rows(setting.root)])


def _wanted(setting: Setting, names: tuple[str, ...], scope: str, state: State, *, alone: bool, yes: bool) -> Switch:
    """What is to be done, which a person wants, to a file that they read."""
    found = switching.look(setting)
    features = frozenset(switching.here(found))
    names = tuple(switching.checked(names, features))
    target = switching.targets(setting, found)[scope]
    person.require(setting, "enable", yes=yes)
    switching.refuse_unread(found, target)
    return Switch(setting, target, names, () if alone else _along(setting, names, features), state, features)


@click.command(
    cls=Command,
    shape={
        "file": "str",
        "scope": "str",
        "asked": "str",
        "capabilities": {"*": "str"},
        "texts": ["str"],
        "faults": ["str"],
        "*": "any",
    },
    examples=[
        ("jackline enable plan", "pack, plan, gate: they tell what they would refuse, and block nothing"),
        ("jackline enable plan --strict", "from now on they refuse it"),
        ("jackline enable pack --scope local", "one capability, for you in this worktree"),
        ("jackline enable plan --alone --yes", "without what works with it; no question, no terminal"),
    ],
)
@click.argument("names", metavar="CAPABILITY…", nargs=-1, required=True, shell_complete=switching.completed)
@click.option("--lenient/--strict", default=True, help="Tell and never block (default), or refuse.")
@click.option("--scope", type=click.Choice(SCOPES), default="project", show_default=True, help="Whose configuration.")
@click.option("--alone", is_flag=True, help="Leave out what works with it.")
@click.option("--no-checks", is_flag=True, help="Propose no checks.")
@click.option("--json", "as_json", is_flag=True, help="As data; asks nothing.")
@person.yes_option
@pass_setting
def command(
    setting: Setting,
    names: tuple[str, ...],
    lenient: bool,
    scope: str,
    alone: bool,
    no_checks: bool,
    as_json: bool,
    yes: bool,
) -> int:
    """Switch capabilities on: pack, plan, gate, validators, attachments, subagents; or any feature by its name.

    `plan` brings pack and gate, and validators where the project has checks. It is written into the manifest of the
    scope, which is trusted as you leave it; `disable` gives every file back to the byte. Checks that are found in
    pyproject.toml, package.json, Makefile, go.mod and Cargo.toml are proposed, and with your yes they stand in
    .ai/hooks/validators.yaml.
    """
    switch = _wanted(setting, names, scope, "lenient" if lenient else "strict", alone=alone, yes=yes)
    offered = _offered(switch, no_checks or (alone and CHECKS not in switch.names))
    left_out = _left_out(switch, alone)
    changed = _apply(switch)
    done = switching.settle(setting, [switch.target.path])
    printer = Printer()
    if not as_json:
        _head(printer, switch, changed, left_out)
        _texts(printer, switch, done)
        _shown_by_git(printer, switch)
    used = _is_wanted(offered, yes, as_json)
    if used:
        done, switch = _use(switch, offered), switch.with_checks()
    told = switching.faults(setting, done.made, switch.target)
    if as_json:
        listed = {"checks": [one.row for one in offered], "checksUsed": used, "leftOut": left_out}
        printer.data(_data(switch, done, told) | listed)
    else:
        _tail(printer, switch, offered, used)
        switching.tell_faults(printer, done, told)
    return FOUND if told else DONE
