"""`jackline init`: find the clients, write their hooks and `.ai/hooks/`, and say what holds and what is left to do."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import click
from rich.text import Text

from jackline import surroundings
from jackline.cli.clients import SIGNS, show_grades
from jackline.cli.parts import current_install, packing, person, starter_files
from jackline.cli.parts.command import Command
from jackline.cli.parts.exits import DONE, FOUND
from jackline.cli.parts.printer import Printer, table, text
from jackline.cli.parts.progress import Progress
from jackline.cli.parts.setting import Setting, pass_setting
from jackline.cli.parts.starter_files import Started
from jackline.cli.parts.verb import Verb
from jackline.clients.grades import grades
from jackline.compiler.write import refresh
from jackline.install import CLIENTS, clients, installer
from jackline.install.fault import InstallError
from jackline.install.follow import follow
from jackline.install.installer import Report
from jackline.install.target import SCOPES, Target
from jackline.version import VERSION

VERB = Verb(
    group="Begin",
    order=10,
    brief="Write the hooks of the clients in use, and .ai/hooks/",
    authority={"": "open", "(changing an existing entry)": "human-only"},
)

NO_CLIENT = "none was found on this machine or in this project"
NAME_ONE = f"name one: jackline init --client {' | '.join(CLIENTS)}"


class Plan(NamedTuple):
    """What is to be done: for whom, where, and why a person's word is needed ("" when it is not)."""

    found: list[clients.Seen]
    names: list[str]
    targets: list[Target]
    changes: list[tuple[Target, current_install.Change]]
    project: bool
    person: str


def _plan(
    setting: Setting, named: Sequence[str], scope: str, fail: str, project: bool, packs: Sequence[str] = ()
) -> Plan:
    found = [one for one in clients.find(setting.site) if not named or one.client in named]
    names = list(named) or [one.client for one in found]
    shared = scope in ("project", "local") or (setting.in_repository and setting.root != setting.site.home)
    project = project and scope != "managed" and shared
    if not names and not project:
        raise InstallError("clients", NO_CLIENT, NAME_ONE)
    targets, _ = installer.plan(names, scope, setting.site)
    changes = [(one, current_install.change(one, setting.store, fail)) for one in targets]
    why = next((f"changes entries in {one.path}" for one, change in changes if change == "changes"), "")
    if packs and not project:
        raise click.UsageError("--pack names packs for .ai/hooks/config.json · run it in the project")
    if packs and packing.unnamed(setting.root, packs) and "config.json" not in starter_files.missing(setting.root):
        why = why or "changes .ai/hooks/config.json"
    return Plan(
        found,
        names,
        targets,
        changes,
        project,
        why or current_install.interpreter(setting.store) or current_install.home_of(setting.store, setting.env),
    )


def _project(started: Started) -> list[Text]:
    """The line of `.ai/hooks/`: a folder's files by their number."""
    files = [name for name in started.made if "/" not in name]
    below = len(started.made) - len(files)
    names = ", ".join([*files, *(["schema/"] if below else [])])
    change = text(("created", "good")) if started.made else text(("unchanged", "quiet"))
    count = len(started.made) or len(started.kept)
    return [text((".ai/hooks", "name")), text(names), text((f"{count} files", "quiet")), change]


def _failed(setting: Setting, plan: Plan, report: Report) -> list[str]:
    """What could not be done, and for which client."""

    def reader(fault: InstallError) -> str:
        here = [one for one in plan.targets if fault.where == str(one.path) or fault.where.startswith(f"{one.path}:")]
        return f"{here[0].client.replace(' ', ', ')}: " if here else ""

    home = str(setting.site.home)
    return [reader(one) + str(one).replace(f"{home}/", "~/") for one in report.faults]


def _left(printer: Printer, faults: Sequence[str], todo: Sequence[str]) -> None:
    """What a person has to do, before anything else: what failed, then what no program can do for them."""
    printer.heading("Left for you" if todo else "Nothing is left for you to do")
    for number, one in enumerate(todo, 1):
        sign = text(("✗ ", "bad")) if one in faults else text()
        row = (text((f"{number}.", "quiet")), text(sign, one))
        printer.show(table([{"no_wrap": True}, {}], [row], head=False), indent=2)


def _renewed(setting: Setting, report: Report) -> list[list[Text]]:
    """What of a store that was there before had to be made anew."""
    made = report.home
    if made is None or str(made.store) in made.changed:
        return []
    link = str(made.store / "bin/python")
    return [
        [text(("interpreter" if path == link else "entry point", "name")), text(setting.short(path)), text(""),
         text(("renewed", "good"))]
        for path in made.changed
    ]  # fmt: skip


def _written(
    printer: Printer, setting: Setting, report: Report, started: Started | None, changed: list[tuple[str, str]]
) -> None:
    """What was written where."""
    rows = _renewed(setting, report)
    rows += [
        [
            text((one.client.replace(" ", ", "), "name")),
            text(setting.short(one.path)),
            text((f"{one.entries} {'portable ' if one.scope == 'project' else ''}entries", "quiet")),
            text((one.change, "quiet" if one.change == "unchanged" else "good")),
        ]
        for one in report.done
    ]
    if started is not None:
        rows.append(_project(started))
    for path, how in changed:
        what = {"pre-commit": "git", "config.json": "packs"}.get(path.rpartition("/")[2], "agents")
        rows.append([text((what, "name")), text(setting.short(path)), text(""), text((how, "good"))])
    if rows:
        printer.blank()
        printer.heading("Written")
        printer.show(table([{"no_wrap": True}, {}, {"no_wrap": True}, {"no_wrap": True}], rows, head=False), indent=2)


def _show(
    printer: Printer,
    setting: Setting,
    plan: Plan,
    report: Report,
    started: Started | None,
    todo: list[str],
    changed: list[tuple[str, str]],
    packs: dict[str, str],
) -> None:
    if report.home is not None:
        printer.heading(f"Jackline {VERSION}", ("  store ", "quiet"), setting.short(setting.store))
    else:
        printer.heading(f"Jackline {VERSION}", ("  no store was made", "quiet"))
    _left(printer, _failed(setting, plan, report), todo)
    _written(printer, setting, report, started, changed)
    if report.done:
        printer.blank()
        printer.heading("What you can rely on", "   ", *_legend())
        show_grades(printer, [name for one in report.done for name in one.client.split()])
    if packs:
        words = " ".join(f"--pack {pack}" for pack in packs)
        printer.blank()
        printer.line(("the project holds ", "quiet"), ", ".join(packs.values()))
        printer.line(("to be asked before what can be done again, too: ", "quiet"), f"jackline init {words}", indent=2)
    if report.done:
        printer.blank()
        printer.line(
            ("then see ", "quiet"), "jackline doctor", (" and, after the first event, ", "quiet"), "jackline log"
        )


def _wire(setting: Setting, new: bool) -> tuple[list[str], list[tuple[str, str]], dict[str, str]]:
    """Compile what is there now, and write what it wants in the project.

    What is left to the person, what changed, the packs of the guard that are offered with a file that speaks for each.
    """
    if new:
        current_install.note_config(setting.store, setting.env)
    made = refresh(str(setting.root), str(setting.store))
    left = [f"{fault}" for fault in made.faults]
    if made.survey.digest and not made.survey.trusted:
        count = len(made.survey.needs)
        left.append(
            f"read and trust what this project brings: `jackline trust --diff` ({count} file{'s' * (count > 1)})"
        )
    done = follow(made.table, setting.store, setting.env)
    packs = packing.offered(setting.root, made.table) if setting.in_repository else {}
    return [*left, *done.todo, *done.faults], [(path, how) for path, how in done.changed], packs


def _legend() -> list[tuple[str, str]]:
    made: list[tuple[str, str]] = []
    for name, (mark, style) in SIGNS.items():
        made += [(f"{mark} ", style), (f"{name}  ", "quiet")]
    return made


def _data(setting: Setting, plan: Plan, report: Report, started: Started | None, todo: list[str]) -> dict[str, Any]:
    return {
        "store": str(setting.store),
        "root": str(setting.root),
        "clients": [{"client": one.client, "program": one.program, "why": list(one.why)} for one in plan.found],
        "done": [
            {
                "client": one.client,
                "scope": one.scope,
                "path": str(one.path),
                "change": one.change,
                "entries": one.entries,
            }
            for one in report.done
        ],
        "faults": [str(one) for one in report.faults],
        "project": None if started is None else {"made": list(started.made), "kept": list(started.kept)},
        "grades": {name: grades(name) for one in report.done for name in one.client.split()},
        "todo": todo,
    }


WOULD = {"adds": "would add our entries", "changes": "would change our entries", "": "is as it should be"}


def _dry(printer: Printer, setting: Setting, plan: Plan, as_json: bool) -> int:
    files = starter_files.missing(setting.root) if plan.project else []
    if as_json:
        would = [{"client": one.client, "path": str(one.path), "would": change} for one, change in plan.changes]
        printer.data({"store": str(setting.store), "files": would, "project": files, "person": plan.person})
        return DONE
    printer.heading("A dry run: nothing was written")
    if not plan.names:
        printer.line(("! ", "warn"), f"no client: {NO_CLIENT} · {NAME_ONE}", indent=2)
    for one, change in plan.changes:
        printer.line((one.client.replace(" ", ", "), "name"), f"  {setting.short(one.path)} {WOULD[change]}", indent=2)
    if files:
        printer.line((".ai/hooks", "name"), f"  would get {', '.join(files)}", indent=2)
    if plan.person:
        printer.line(("a person must ask for it: ", "warn"), f"it {plan.person}", indent=2)
    return DONE


@click.command(
    cls=Command,
    shape=(
        {
            "store": "str",
            "root": "str",
            "clients": [{"client": "str", "program": "str|null", "why": ["str"]}],
            "done": [{"client": "str", "scope": "str", "path": "str", "change": "str", "entries": "int"}],
            "faults": ["str"],
            "project": "object|list|null",
            "grades": {"*": {"*": "str"}},
            "todo": ["str"],
            "followed": "list",
            "packs": {"*": "any"},
        },
        {"store": "str", "files": "list", "project": ["str"], "person": "str"},
    ),
    examples=[
        ("jackline init", "for every client in use, in the home folder, and .ai/hooks/ in this repository"),
        ("jackline init --client codex --scope project", "for one client, in files to commit with the project"),
        ("jackline init --pack kubernetes", "with a pack of command-guard, in .ai/hooks/config.json"),
        ("jackline init --dry-run", "only say what would be written"),
    ],
)
@click.option("--client", "named", multiple=True, type=click.Choice(list(CLIENTS)), help="Only this one; repeatable.")
@click.option("--scope", type=click.Choice(SCOPES), default="user", show_default=True, help="Whose configuration.")
@click.option(
    "--fail",
    type=click.Choice(["open", "closed"]),
    help="What a damaged installation says of a tool call: closed (the default) refuses, open lets it pass.",
)
@click.option(
    "--pack",
    "packs",
    type=click.Choice(list(packing.HOLDS)),
    multiple=True,
    help="Name this pack of command-guard in the project's configuration; repeatable.",
)
@click.option("--no-project", is_flag=True, help="Leave .ai/hooks/ alone.")
@click.option("--dry-run", is_flag=True, help="Say what would be done, and do nothing.")
@click.option("--json", "as_json", is_flag=True, help="As data.")
@person.yes_option
@pass_setting
def command(
    setting: Setting,
    named: tuple[str, ...],
    scope: str,
    fail: str | None,
    packs: tuple[str, ...],
    no_project: bool,
    dry_run: bool,
    as_json: bool,
    yes: bool,
) -> int:
    """Install Jackline for the clients in use.

    Finds the clients, makes the store, writes one marked entry per event into each client's configuration and, in a
    repository, the files of .ai/hooks/ that are missing, git's pre-commit hook where trusted scripts want it, and the
    texts for agents. Where no client is found, the project's files are written all the same. It can be repeated, and
    `uninstall` takes everything out again. Where it would change entries that are there, it wants a person's word.
    """
    printer = Printer()
    if scope == "managed":
        setting = setting.managed()
    plan = _plan(setting, named, scope, fail or "", not no_project, packs)
    if dry_run:
        return _dry(printer, setting, plan, as_json)
    if plan.person:
        person.require(setting, f"init ({plan.person})", yes=yes)
    new = not setting.store.exists()
    with Progress() as step:
        report = installer.init(plan.names, scope, setting.site, setting.store, fail or "", step=step)
        if report.home and scope != "managed":
            surroundings.note(str(setting.store), setting.env, anew=bool(plan.person))
        step("writing and compiling the project's part")
        started = starter_files.write(setting.root) if plan.project else None
        chosen = packing.choose(setting.root, packs) if packs else []
        left, changed, offers = _wire(setting, new) if report.home else ([], [], {})
        changed = [*chosen, *changed]
    alone = [] if plan.names else [f"no client: {NO_CLIENT}; only .ai/hooks/ was written · {NAME_ONE}"]
    todo = [*alone, *_failed(setting, plan, report), *report.todo, *left]
    if as_json:
        printer.data(_data(setting, plan, report, started, todo) | {"followed": changed, "packs": offers})
    else:
        _show(printer, setting, plan, report, started, todo, changed, offers)
    return FOUND if report.faults else DONE
