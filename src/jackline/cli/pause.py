"""`jackline pause`: switch hooks off for some minutes; the way out that a person always has."""

from __future__ import annotations

import click

from jackline import host
from jackline.cli.parts import person, subfolders
from jackline.cli.parts.command import Command
from jackline.cli.parts.exits import DONE
from jackline.cli.parts.printer import Printer
from jackline.cli.parts.setting import Setting, pass_setting
from jackline.cli.parts.verb import Verb
from jackline.compiler.fault import nearest
from jackline.feature_names import slug_of
from jackline.model import EVENTS
from jackline.runtime.hook_table_cache import hook_table
from jackline.runtime.nested_repo import PROJECT, Nested, own_scripts
from jackline.runtime.request import Store
from jackline.script import TYPES
from jackline.store import format, pauses
from jackline.store.announce import announce
from jackline.store.pauses import ALL, Pause

VERB = Verb(
    group="Configure",
    order=100,
    brief="Switch hooks off for some minutes",
    authority="human-only",
)

LONGEST = 480
DEFAULT = 15


def _hooks(setting: Setting) -> list[str]:
    """Features and scripts that run here, by the names they are paused by."""
    table = hook_table(Store(str(setting.store), dry=True), str(setting.root))
    features = {row.slug for event in EVENTS for row in table.rows(event)}
    scripts = {script.key for name in (*EVENTS, *TYPES[1:]) for script in table.scripts(name)}
    for part in subfolders.parts(setting):
        features |= {row.slug for event in EVENTS for row in part.table.rows(event) if row.origin in PROJECT}
        nested = Nested(f"{setting.root}/{part.inner}", part.whole, part.table)
        own = [own_scripts(str(setting.root), nested, name) for name in (*EVENTS, *TYPES[1:])]
        scripts |= {script.key for scripts_ in own for script in scripts_}
    return sorted(features | scripts)


def _check(setting: Setting, name: str) -> None:
    known = _hooks(setting)
    if name not in known:
        near = nearest(name, known)
        raise click.UsageError(f"no feature or script {name!r} runs here" + (f"; did you mean {near}?" if near else ""))


def _show(printer: Printer, setting: Setting, now: int, as_json: bool) -> None:
    lasting = pauses.load(str(setting.store), now)
    if as_json:
        printer.data([pauses.to_dict(one) for one in lasting])
    for one in () if as_json else lasting:
        where = "" if one.concerns(str(setting.root)) else f"  in {setting.short(one.root)}"
        printer.line((f"! {pauses.words(one, now)}", "warn"), where)
    if not lasting and not as_json:
        printer.line("Nothing is paused.")


@click.command(
    cls=Command,
    shape=[{"feature": "str", "until": "int", "since": "int", "root": "str", "*": "any"}],
    examples=[
        ("jackline pause --minutes 10", "every hook of this project, for ten minutes"),
        ("jackline pause search-bounds", f"one feature (or script), for {DEFAULT} minutes"),
        ("jackline pause --end", "everything is in force again"),
        ("jackline pause --list", "what is paused, and for how long"),
    ],
)
@click.argument("feature", required=False)
@click.option("--minutes", type=click.IntRange(1, LONGEST), default=DEFAULT, show_default=True, help="How long.")
@click.option("--everywhere", is_flag=True, help="In every project, not only this one.")
@click.option("--end", is_flag=True, help="End what is paused (of FEATURE, or all).")
@click.option("--list", "listed", is_flag=True, help="Only show what is paused.")
@click.option("--json", "as_json", is_flag=True, help="What is paused then, as data.")
@person.yes_option
@pass_setting
def command(
    setting: Setting,
    feature: str | None,
    minutes: int,
    everywhere: bool,
    end: bool,
    listed: bool,
    as_json: bool,
    yes: bool,
) -> int:
    """Switch FEATURE off for some minutes, or every hook without one.

    It ends by itself. While it lasts, `status`, `doctor` and `log` say so, and calls are still logged.
    """
    store, now, printer = str(setting.store), host.now() // 1_000_000, Printer()
    feature = slug_of(feature) if feature else None
    lasting = pauses.load(store, now)
    if end:  # it tightens: anybody may
        format.check(store)
        pauses.save(store, [one for one in lasting if feature not in (None, one.feature)])
        for one in lasting:
            if feature in (None, one.feature):
                pauses.end(store, one, person.name(), now)
    elif not listed:
        person.require(setting, "pause", yes=yes)
        if feature is not None:
            _check(setting, feature)
        made = Pause(feature or ALL, now + minutes * 60_000, now, "" if everywhere else str(setting.root))
        kept = [one for one in lasting if (one.feature, one.root) != (made.feature, made.root)]
        announce(store, "PAUSE", person.name(), pauses.begin_message(made), pauses.to_dict(made), root=made.root)
        pauses.save(store, [*kept, made])
    _show(printer, setting, now, as_json)
    return DONE
