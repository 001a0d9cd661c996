"""`jackline doctor`: run what is installed, and say what is wrong, with the cure."""

from __future__ import annotations

from collections.abc import Sequence

import click

from jackline import host
from jackline.cli.parts import logbreaks, person, subfolders
from jackline.cli.parts.command import Command
from jackline.cli.parts.exits import DONE, FOUND
from jackline.cli.parts.printer import Printer, table, text
from jackline.cli.parts.progress import Progress
from jackline.cli.parts.setting import Setting, pass_setting
from jackline.cli.parts.trustwatch import watched
from jackline.cli.parts.verb import Verb
from jackline.compiler.write import refresh
from jackline.install import doctor, home, installs, notice, restore
from jackline.install.finding import Finding, worst
from jackline.install.follow import follow
from jackline.runtime.hook_table_cache import hook_table
from jackline.runtime.request import Store
from jackline.store import pauses, tamper_mark
from jackline.store.announce import announce

VERB = Verb(
    group="Begin",
    order=20,
    brief="Run what is installed and say what is wrong, with the cure",
    authority={"": "open", "--repair": "human-only"},
)

SIGNS = {"ok": ("✓", "good"), "warn": ("!", "warn"), "bad": ("✗", "bad")}
TITLES = {"": "installation"}


def findings(setting: Setting, only: Sequence[str] = ()) -> list[Finding]:
    """What the doctor of the installation finds, and what lasts by a person's word."""
    with Progress() as step:
        found = doctor.diagnose(setting.root, setting.store, setting.site.home, setting.env, only or None, step)
    mark = tamper_mark.read(str(setting.store))
    if mark:
        what = f"TAMPERED: {mark}; tools that change things are refused until you choose"
        found.append(Finding("tampered", "bad", what, tamper_mark.ways(tamper_mark.files(str(setting.store)))))
    root = hook_table(Store(str(setting.store), dry=True), str(setting.root))
    for line, holds in [*[(line, bool(root.holds)) for line in root.told], *subfolders.lines(setting)]:
        what, _, cure = line.rpartition(" · ")
        found.append(Finding("trust", "bad" if holds else "warn", what, cure))
    now = host.now() // 1_000_000
    for pause in pauses.load(str(setting.store), now, str(setting.root)):
        found.append(Finding("paused", "warn", pauses.words(pause, now), "jackline pause --end"))
    for line in watched(str(setting.store), str(setting.root)):
        found.append(Finding("trust", "warn", line, "end that command when you are done"))
    found += logbreaks.findings(setting)
    return found


def _repair(printer: Printer | None, setting: Setting) -> None:
    """Put back what is ours: store, entry point, entries, hook table."""
    known = installs.load(setting.store)
    with Progress() as step:
        step("making the entry point and its modules")
        made = home.make(setting.store, shared=any(one.scope == "managed" for one in known))
    done = [f"renewed {setting.short(path)}" for path in made.changed]
    done += [
        f"{one.change} {setting.short(one.path)}" for one in restore.restore(setting.store) if one.change != "unchanged"
    ]
    compiled = refresh(str(setting.root), str(setting.store))
    done += [f"{how} {setting.short(path)}" for path, how in follow(compiled.table, setting.store, setting.env).changed]
    left = notice.repaired(setting.store)
    said = "; ".join([*done, *left]) or "everything was as it should be"
    more = "what is not waits for a choice" if left else "nothing waits for a choice any more"
    announce(str(setting.store), "REPAIR", person.name(), f"{said}; {more}", {"done": done, "left": left})
    if printer is not None:
        for one in done:
            printer.line(("repaired  ", "good"), one)
        for one in left:
            printer.line(("✗ ", "bad"), one)


def _by_place(found: list[Finding]) -> dict[str, list[Finding]]:
    """In the doctor's order, the client alone as title where a finding names its file too."""
    made: dict[str, list[Finding]] = {}
    for one in found:
        made.setdefault(one.where.partition(",")[0].replace(" ", ", "), []).append(one)
    return made


def show(printer: Printer, found: list[Finding], setting: Setting) -> None:
    """Findings by what they concern, each bad one with its cure below it."""
    home_folder = str(setting.site.home)
    for number, (place, some) in enumerate(_by_place(found).items()):
        if number:
            printer.blank()
        printer.heading(TITLES.get(place, place))
        rows = []
        for one in some:
            said = text(one.what.replace(home_folder + "/", "~/"))
            if one.cure and one.grade != "ok":
                said.append("\n").append_text(text((f"→ {one.cure.replace(home_folder + '/', '~/')}", "name")))
            rows.append((text(SIGNS[one.grade]), text((one.code, "quiet")), said))
        printer.show(table([{"no_wrap": True}, {"no_wrap": True, "min_width": 12}, {}], rows, head=False), indent=2)


def _verdict(printer: Printer, found: list[Finding]) -> None:
    counts = {grade: sum(one.grade == grade for one in found) for grade in SIGNS}
    words = {"ok": "all is well", "warn": "it works, with a word to the person", "bad": "something does not hold"}
    grade = worst(found)
    numbers = f"   {counts['ok']} in order, {counts['warn']} to know, {counts['bad']} wrong"
    printer.blank()
    printer.line((SIGNS[grade][0] + " " + words[grade], SIGNS[grade][1]), (numbers, "quiet"))


@click.command(
    cls=Command,
    shape={"grade": "str", "findings": [{"code": "str", "grade": "str", "what": "str", "cure": "str", "where": "str"}]},
    examples=[
        ("jackline doctor", "look at everything that is installed for you and this project"),
        ("jackline doctor --repair", "put back entries, entry point and hook table as they were installed"),
        ("jackline doctor --json", "the findings as data; exit code 1 when something does not hold"),
    ],
)
@click.option("--repair", is_flag=True, help="Put back what is missing or changed (a person's word).")
@click.option("--client", "only", multiple=True, help="Look at this client only; repeatable.")
@click.option("--json", "as_json", is_flag=True, help="As data.")
@person.yes_option
@pass_setting
def command(setting: Setting, repair: bool, only: tuple[str, ...], as_json: bool, yes: bool) -> int:
    """Look at the installation from outside.

    Runs exactly the command that stands in each client's configuration, looks at the clients' own trust, compares the
    three clocks, and at the events that were really seen. Every finding comes with its cure.
    """
    printer = Printer()
    if repair:
        person.require(setting, "doctor --repair", yes=yes)
        _repair(None if as_json else printer, setting)
    found = findings(setting, only)
    if as_json:
        printer.data({"grade": worst(found), "findings": [one._asdict() for one in found]})
    else:
        show(printer, found, setting)
        _verdict(printer, found)
    return FOUND if worst(found) == "bad" else DONE
