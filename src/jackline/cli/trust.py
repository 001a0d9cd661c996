"""`jackline trust`: read what a repository brings, and let it run."""

from __future__ import annotations

import difflib
from typing import Any

import click

from jackline.cli import person
from jackline.cli.command import Command
from jackline.cli.exits import DONE, FOUND
from jackline.cli.follow import show as show_followed
from jackline.cli.printer import Printer, foreign, text
from jackline.cli.setting import Setting, pass_setting
from jackline.compiler import trust
from jackline.compiler.survey import Survey, survey
from jackline.compiler.trust import Change
from jackline.compiler.write import refresh
from jackline.install.follow import withdraw


def _what(change: Change) -> tuple[str, str]:
    if change.before is None:
        return "new", "added"
    return ("removed", "removed") if change.after is None else ("changed", "warn")


def _lines(data: bytes | None) -> list[str]:
    return [] if data is None else data.decode("utf-8", "backslashreplace").split("\n")


def _diff(printer: Printer, change: Change) -> None:
    """One file, as a unified diff of what was trusted last and what is there now."""
    before, after = _lines(change.before), _lines(change.after)
    names = (
        "trusted" if change.before is not None else "nothing",
        change.name if change.after is not None else "nothing",
    )
    for line in difflib.unified_diff(before, after, *names, lineterm="", n=3):
        style = {"+": "added", "-": "removed", "@": "place"}.get(line[:1], "")
        if line.startswith(("+++", "---")):
            style = "head"
        printer.whole(foreign(line, style))


def _show(printer: Printer, setting: Setting, found: Survey, changes: list[Change], full: bool) -> None:
    if not found.digest:
        printer.line("Nothing in this project needs trust: it brings no hooks of its own and loosens nothing.")
        return
    state = ("trusted", "good") if found.trusted else ("not trusted", "warn")
    count = len(found.needs)
    printer.heading(setting.short(setting.root), f"  {count} file{'s' * (count > 1)}  ", state)
    changed = {change.name: change for change in changes}
    for name in sorted({*found.needs, *changed}):
        word, style = _what(changed[name]) if name in changed else ("as trusted", "quiet")
        printer.line((f"{word:10}  ", style), name, indent=2)
    if full:
        for change in changes:
            printer.blank()
            _diff(printer, change)
        printer.blank()
    printer.line(("digest  ", "quiet"), found.digest)


def _data(setting: Setting, found: Survey, changes: list[Change]) -> dict[str, Any]:
    root, store = str(setting.root), str(setting.store)
    return {
        "root": root,
        "digest": found.digest,
        "trusted": found.trusted,
        "follow": trust.Book(store).follows(root),
        "files": {name: trust.file_digest(data) for name, data in found.needs.items()},
        "changes": [{"file": one.name, "change": _what(one)[0]} for one in changes],
    }


def _grant(printer: Printer, setting: Setting, found: Survey, given: str | None) -> int:
    """Trust what was shown, after a person's word; look again under way, so that nothing else is trusted."""
    if given == "":
        raise click.UsageError("--yes needs the digest of what you read · jackline trust --diff shows both")
    if given is not None and given != found.digest:
        raise click.UsageError(f"the content is {found.digest or 'nothing'} now, not {given}; read it again")
    person.require(
        setting, "trust", yes=given is not None, ask=f"Let these run in {setting.short(setting.root)}?",
        need=f"--yes {found.digest}",
    )  # fmt: skip
    trust.trust(str(setting.store), str(setting.root), found.needs, person.name())
    made = refresh(str(setting.root), str(setting.store))
    for fault in made.faults:
        printer.line(("✗ ", "bad"), str(fault))
    printer.line(text(("trusted", "good")), f" {found.digest}")
    show_followed(printer, setting, made.wiring)
    return FOUND if made.faults else DONE


def _other(setting: Setting, follow: str | None, package: str | None, revoke: bool, yes: bool) -> str:
    """The rarer wishes; what was done, as a sentence."""
    root, store = str(setting.root), str(setting.store)
    if revoke:  # it tightens: anybody may
        trust.distrust(store, root, person.name())
        return "nothing of this repository is trusted any more"
    person.require(setting, "trust", yes=yes, ask=f"Trust {package or follow} from now on?")
    if package:
        trust.trust_package(store, package, person.name())
        return f"trusted {package}"
    trust.follow(store, root, follow or "", person.name())
    return f"trusted whatever stands at {follow}" if follow else "no ref is followed any more"


@click.command(
    cls=Command,
    examples=[
        ("jackline trust --diff", "read what changed since it was trusted, then say yes or no"),
        ("jackline trust --json", "the digest and the files, for a script; exit code 1 while not trusted"),
        ("jackline trust --yes DIGEST", "provisioning: trust exactly that content, without a terminal"),
        ("jackline trust --follow origin/main", "trust what stands on a protected branch, as it moves"),
    ],
)
@click.option("--diff", is_flag=True, help="Show what changed since it was trusted last.")
@click.option(
    "--yes", "given", metavar="DIGEST", is_flag=False, flag_value="", help="Trust this content without asking."
)
@click.option("--follow", metavar="REF", help='Trust whatever stands at a ref, as it moves ("" ends that).')
@click.option("--package", metavar="NAME==VERSION", help="Trust the features an installed package offers.")
@click.option("--revoke", is_flag=True, help="Trust nothing of this repository any more.")
@click.option("--json", "as_json", is_flag=True, help="As data; grants nothing.")
@pass_setting
def command(
    setting: Setting,
    diff: bool,
    given: str | None,
    follow: str | None,
    package: str | None,
    revoke: bool,
    as_json: bool,
) -> int:
    """Let the hooks that this repository brings run.

    Shows the files whose content needs trust, and asks. Trust goes by content, for the repository with all its
    worktrees: any change needs it again. Without a terminal nothing is granted but by --yes and the digest.
    """
    printer = Printer()
    if revoke or package or follow is not None:
        printer.line(_other(setting, follow, package, revoke, given is not None))
        made = refresh(str(setting.root), str(setting.store))
        if revoke:
            withdraw(setting.store, setting.root)
        show_followed(printer, setting, made.wiring)
        return DONE
    found = survey(str(setting.root), str(setting.store))
    changes = trust.diff(str(setting.store), str(setting.root), found.needs)
    for fault in found.sources.faults:
        printer.line(("✗ ", "bad"), str(fault))
    if as_json:
        printer.data(_data(setting, found, changes))
        return DONE if found.trusted else FOUND
    if given is None:
        _show(printer, setting, found, changes, diff)
    if found.trusted and given in (None, found.digest):
        return DONE
    if given is None and not person.has_terminal():
        printer.line(("to trust it: ", "quiet"), f"jackline trust --yes {found.digest}")
        return FOUND
    return _grant(printer, setting, found, given)
