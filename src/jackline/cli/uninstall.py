"""`jackline uninstall`: take the hooks out again."""

from __future__ import annotations

import click

from jackline.cli.parts import person
from jackline.cli.parts.command import Command
from jackline.cli.parts.exits import DONE, FOUND
from jackline.cli.parts.printer import Printer, table, text
from jackline.cli.parts.setting import Setting, pass_setting
from jackline.cli.parts.verb import Verb
from jackline.install import CLIENTS, installer, notice
from jackline.install.installer import Report
from jackline.install.target import SCOPES
from jackline.store.announce import announce

VERB = Verb(
    group="Begin",
    order=50,
    brief="Take the hooks out again, to the byte",
    authority="human-only",
)


def _show(printer: Printer, setting: Setting, report: Report, purge: bool) -> None:
    if not report.done and not report.faults:
        printer.line("Nothing of ours was installed.")
    rows = [(text((one.client.replace(" ", ", "), "name")), setting.short(one.path), one.change) for one in report.done]
    if rows:
        printer.show(table([{"no_wrap": True}, {}, {"no_wrap": True}], rows, head=False))
    for fault in report.faults:
        printer.line(("✗ ", "bad"), str(fault))
    if purge and not report.faults:
        printer.line(f"{setting.short(setting.store)} is removed, with trust and the logs kept there.")
    elif report.done:
        printer.line((f"Logs and trust stay in {setting.short(setting.store)}; --purge removes them.", "quiet"))


@click.command(
    cls=Command,
    shape={
        "done": [{"client": "str", "scope": "str", "path": "str", "change": "str"}],
        "faults": ["str"],
        "purged": "bool",
    },
    examples=[
        ("jackline uninstall", "take our entries out of every client's configuration"),
        ("jackline uninstall --client codex --scope project", "out of one file only"),
        ("jackline uninstall --purge", "remove the store too: trust, logs of projects without .ai/, reports"),
    ],
)
@click.option("--client", "named", multiple=True, type=click.Choice(list(CLIENTS)), help="Only this one; repeatable.")
@click.option("--scope", type=click.Choice(SCOPES), help="Only this scope.")
@click.option("--purge", is_flag=True, help="Remove the store as well.")
@click.option("--json", "as_json", is_flag=True, help="As data.")
@person.yes_option
@pass_setting
def command(setting: Setting, named: tuple[str, ...], scope: str | None, purge: bool, as_json: bool, yes: bool) -> int:
    """Take our entries out of the clients' configuration.

    Each file is given back to the byte where nobody else edited it, and without our lines where somebody did.
    Without --client and --scope git's pre-commit hooks and the blocks in AGENTS.md and CLAUDE.md go too.
    The files in .ai/hooks/ are the project's and stay.
    """
    if purge and (named or scope):
        raise click.UsageError("--purge removes everything; it does not go with --client or --scope")
    if scope == "managed":
        setting = setting.managed()
    what = f"Take Jackline out{', with its whole store' if purge else ''}?"
    person.require(setting, "uninstall", yes=yes, ask=what)
    report = installer.uninstall(setting.site, setting.store, named, scope or "", purge=purge)
    if report.done and setting.store.is_dir():
        notice.settle(setting.store)
        paths = [str(one.path) for one in report.done]
        said = f"entries taken out of {', '.join(map(setting.short, paths))}"
        announce(str(setting.store), "UNINSTALL", person.name(), said, {"paths": paths})
    printer = Printer()
    if as_json:
        done = [
            {"client": one.client, "scope": one.scope, "path": str(one.path), "change": one.change}
            for one in report.done
        ]
        printer.data(
            {"done": done, "faults": [str(one) for one in report.faults], "purged": purge and not report.faults}
        )
    else:
        _show(printer, setting, report, purge)
    return FOUND if report.faults else DONE
