"""`jackline check`: file and pre-commit scripts over a set of files, all of them; for continuous integration."""

from __future__ import annotations

from shlex import quote

import click

from jackline.cli.parts import inventory, manual_run, subfolders
from jackline.cli.parts.command import Command
from jackline.cli.parts.exits import DONE, FOUND
from jackline.cli.parts.inventory import Inventory
from jackline.cli.parts.printer import Printer
from jackline.cli.parts.setting import Setting, pass_setting
from jackline.cli.parts.verb import Verb

VERB = Verb(
    group="Configure",
    order=50,
    brief="Run file and pre-commit scripts over some files, as in CI",
    authority="open",
)

TYPES = ("file", "pre-commit")


def _types(said: str) -> list[str]:
    found = [one.strip() for one in said.split(",") if one.strip()]
    strange = [one for one in found if one not in TYPES]
    if strange or not found:
        raise click.UsageError(f"--type {said!r}: expected one of {', '.join(TYPES)}, or both with a comma")
    return found


def _inventory(setting: Setting, digest: str, checkout: bool) -> Inventory:
    """What may run: what is trusted; the checkout as it is when that was asked for, or when the digest is right."""
    if digest and checkout:
        raise click.UsageError("--trust DIGEST and --as-checked-out exclude each other")
    if not digest and not checkout:
        return inventory.load(setting)
    found = inventory.as_checked_out(setting)
    if digest and digest not in (found.digest, found.older):
        raise click.ClickException(
            f"the hooks of this checkout have the digest {found.digest or 'of nothing'}, not {digest} · nothing was run"
            " · read what changed, then give the new digest"
        )
    return found


def _files(
    setting: Setting, old: str, new: str, everything: bool, staged: bool, some: bool, names: tuple[str, ...]
) -> list[str]:
    ways = [bool(old or new), everything, staged, some or bool(names)]
    if sum(ways) > 1:
        raise click.UsageError("--from-ref/--to-ref, --all-files, --staged and files exclude each other")
    if new and not old:
        raise click.UsageError("--to-ref needs --from-ref")
    if some and not names:
        raise click.UsageError("--files needs names of files")
    if old:
        return manual_run.between(setting, old, new or "HEAD")
    if everything:
        return manual_run.everything(setting)
    if staged:
        return manual_run.staged(setting)
    return manual_run.given(setting, names) if names else manual_run.dirty(setting)


@click.command(
    cls=Command,
    examples=[
        ("jackline check --as-checked-out --from-ref origin/main --to-ref HEAD", "a pull request, in CI"),
        ("jackline check --all-files", "everything git knows, with the scripts that are trusted here"),
        ("jackline check --staged --type pre-commit", "what the next commit would be asked"),
        ("JACKLINE_SKIP=slow-tests jackline check --files src/a.py src/b.py", "two files, without one script"),
    ],
)
@click.argument("names", metavar="[FILE]...", nargs=-1)
@click.option("--from-ref", "old", metavar="REF", default="", help="Files that changed since REF …")
@click.option("--to-ref", "new", metavar="REF", default="", help="… up to this one (HEAD).")
@click.option("--all-files", "everything", is_flag=True, help="All files git knows.")
@click.option("--staged", is_flag=True, help="Files of the next commit.")
@click.option("--files", "some", is_flag=True, help="The files named after it.")
@click.option("--type", "types", metavar="TYPES", default=",".join(TYPES), show_default=True, help="Which scripts.")
@click.option("--trust", "digest", metavar="DIGEST", default="", help="Run this checkout's scripts if they are these.")
@click.option("--as-checked-out", "checkout", is_flag=True, help="Run this checkout's scripts whatever they are.")
@click.option("--json", "as_json", is_flag=True, help="As data.")
@pass_setting
def command(
    setting: Setting,
    names: tuple[str, ...],
    old: str,
    new: str,
    everything: bool,
    staged: bool,
    some: bool,
    types: str,
    digest: str,
    checkout: bool,
    as_json: bool,
) -> int:
    """Run the file and pre-commit scripts over some files: those that differ from the last commit, if not told.

    All scripts run, whatever fails; the exit code is 1 when one failed or is not trusted. A CI machine trusts nothing
    by itself: --as-checked-out runs what the checkout brings, as a build does, and --trust DIGEST only what
    `jackline trust --json` named. Nothing is written. JACKLINE_SKIP=key,key (or all) leaves scripts out.
    """
    wanted = _types(types)
    files = _files(setting, old, new, everything, staged, some, names)
    found = _inventory(setting, digest, checkout)
    untrusted = found.untrusted(*wanted)
    others = subfolders.scripted(setting, wanted)
    printer = Printer()
    todo = manual_run.tasks(found.of(*wanted), files, setting.env)
    done = manual_run.run_all(setting, None if as_json else printer, todo)
    failed = manual_run.failures(done)
    if as_json:
        printer.data(
            {
                "files": len(files),
                "results": [one.data for one in done],
                "failed": failed,
                "untrusted": [one.key for one in untrusted],
                "digest": found.digest,
                "elsewhere": others,
            }
        )
    else:
        for fault in found.faults:
            printer.line(("✗ ", "bad"), fault)
        if untrusted:
            printer.line(("✗ ", "bad"), inventory.needs_trust(found, untrusted), "; in CI: --as-checked-out")
        if done:
            manual_run.summary(printer, done)
        elif not untrusted:
            printer.line(f"No {' or '.join(wanted)} scripts here · jackline scripts new writes one")
        for folder in others:
            printer.line(("! ", "warn"), f"{folder} has scripts of its own · jackline -C {quote(folder)} --here check")
    return FOUND if failed or untrusted or found.faults else DONE
