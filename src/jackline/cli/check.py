"""`jackline check`: run scripts now: file and pre-commit scripts over a set of files, as in CI, or some by hand."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from shlex import quote
from typing import NamedTuple

import click

from jackline import host, system
from jackline.cli.parts import choice, inventory, manual_run, subfolders
from jackline.cli.parts.command import Command
from jackline.cli.parts.exits import DONE, FOUND
from jackline.cli.parts.inventory import Idle, Inventory, tree_place
from jackline.cli.parts.manual_run import Done, Task
from jackline.cli.parts.printer import Printer
from jackline.cli.parts.setting import Setting, pass_setting
from jackline.cli.parts.verb import Verb
from jackline.clients.router import receive
from jackline.compiler.fault import nearest
from jackline.compiler.scriptfields import ALL_EVENTS
from jackline.runtime.request import Request
from jackline.script import TYPES, Outcome, Script
from jackline.scripts import status
from jackline.store import format

VERB = Verb(
    group="Configure",
    order=50,
    brief="Run scripts now: over some files as in CI, or one by hand",
    authority="open",
    former={"scripts run": "--note"},
)

ABOUT_FILES = ("file", "pre-commit")


class Choice(NamedTuple):
    """Which scripts are to run: one by its name, those of an event, or all of some types."""

    script: str
    event: str
    payload: str
    types: tuple[str, ...]

    @property
    def whole(self) -> bool:
        """Whether types are checked, of which nothing but what fails need be shown."""
        return not self.script and not self.event


class Ways(NamedTuple):
    """Which files they are given."""

    old: str
    new: str
    everything: bool
    staged: bool
    some: bool
    names: tuple[str, ...]

    def files(self, setting: Setting) -> list[str]:
        """The files; those that differ from the last commit where nothing else is said."""
        if sum((bool(self.old or self.new), self.everything, self.staged, self.some or bool(self.names))) > 1:
            raise click.UsageError("--from-ref/--to-ref, --all-files, --staged and files exclude each other")
        if self.new and not self.old:
            raise click.UsageError("--to-ref needs --from-ref")
        if self.some and not self.names:
            raise click.UsageError("--files needs names of files")
        if self.old:
            return manual_run.between(setting, self.old, self.new or "HEAD")
        if self.everything:
            return manual_run.everything(setting)
        if self.staged:
            return manual_run.staged(setting)
        return manual_run.given(setting, self.names) if self.names else manual_run.dirty(setting)


# --- what is to run ------------------------------------------------------------------------------------------------


def _types(said: str) -> tuple[str, ...]:
    found = tuple(one.strip() for one in said.split(",") if one.strip())
    strange = [one for one in found if one not in TYPES[1:]]
    if strange or not found:
        raise click.UsageError(f"--type {said!r}: expected one of {', '.join(TYPES[1:])}, or several with commas")
    return found


def _choice(script: str, event: str, payload: str, types: str | None) -> Choice:
    if sum((bool(script), bool(event), types is not None)) > 1:
        raise click.UsageError("--script, --event and --type exclude each other")
    if payload and not event:
        raise click.UsageError("--payload needs --event")
    if script or event:
        return Choice(script, event, payload, ())
    return Choice("", "", "", ABOUT_FILES if types is None else _types(types))


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


def _payload(setting: Setting, event: str, file: str) -> bytes:
    if file:
        with click.open_file(file, "rb") as opened:
            return bytes(opened.read())
    made = {"hook_event_name": event, "session_id": "by-hand", "cwd": str(setting.root)}
    return json.dumps(made).encode() + b"\n"


def _event_tasks(setting: Setting, found: Inventory, event: str, file: str) -> list[Task]:
    """The scripts bound to an event, with the payload on their standard input."""
    if event not in ALL_EVENTS:
        near = nearest(event, list(ALL_EVENTS))
        raise click.UsageError(f"no client has an event {event!r}" + (f"; did you mean {near}?" if near else ""))
    canonical = ALL_EVENTS[event]
    raw = _payload(setting, canonical, file)
    _, parsed = receive(Request("claude-code", canonical, raw, {}, str(setting.root)))
    made = []
    for task in manual_run.tasks(found.at(canonical), (), setting.env):
        wants = not parsed.tool or task.script.wants(parsed.tool, parsed.kind)
        made.append(
            task._replace(stdin=raw, event=canonical, why=task.why or ("" if wants else "tool not in its list"))
        )
    return made


def _tasks(setting: Setting, found: Inventory, chosen: Choice, ways: Ways) -> tuple[list[Task], list[Idle], int]:
    """What is to run, what would if it were trusted, and over how many files."""
    if chosen.event:
        if any(ways):
            raise click.UsageError("an event is about no files")
        bound = [one for one in found.untrusted("event") if chosen.event in one.events]
        return _event_tasks(setting, found, chosen.event, chosen.payload), bound, 0
    scripts = [found.named(chosen.script)] if chosen.script else found.of(*chosen.types)
    types = {scripts[0].type} if chosen.script else set(chosen.types)
    if types.isdisjoint(ABOUT_FILES) and any(ways):
        raise click.UsageError("only file and pre-commit scripts are given files")
    files = [] if types.isdisjoint(ABOUT_FILES) else ways.files(setting)
    raw = _payload(setting, "", "") if types == {"event"} else b""
    tasks = [one._replace(stdin=raw) for one in manual_run.tasks(scripts, files, setting.env)]
    return tasks, [] if chosen.script else found.untrusted(*chosen.types), len(files)


# --- what came of it -----------------------------------------------------------------------------------------------


def _note(place: str) -> Callable[[Script, Outcome], None]:
    """Who keeps how a script ended, where `jackline scripts` finds it."""

    def keep(script: Script, outcome: Outcome) -> None:
        try:
            system.make_dirs(place)
            status.record(place, script, outcome, host.now())
        except OSError as fault:
            raise click.ClickException(f"{place} · the status cannot be written: {fault.strerror}") from None

    return keep


def _show(found: Inventory, chosen: Choice, done: Sequence[Done], untrusted: list[Idle], others: list[str]) -> None:
    printer = Printer()
    for fault in found.faults:
        printer.line(("✗ ", "bad"), fault)
    if untrusted:
        printer.line(("✗ ", "bad"), inventory.needs_trust(found, untrusted), "; in CI: --as-checked-out")
    if done and (chosen.whole or len(done) > 1):
        manual_run.summary(printer, done)
    elif not done and not untrusted:
        what = f"No {' or '.join(chosen.types)} scripts here" if chosen.whole else "Nothing to run"
        printer.line(f"{what} · jackline scripts {'new writes one' if chosen.whole else 'lists what there is'}")
    for folder in others:
        printer.line(("! ", "warn"), f"{folder} has scripts of its own · jackline -C {quote(folder)} --here check")


VALUED = ("--event", "--payload", "--type", "--session")


def respelled(words: Sequence[str]) -> list[str]:
    """What stood behind `scripts run`: its first word was a script's name, and without one it meant file scripts."""
    made = ["--note"]
    chosen = any(word.partition("=")[0] in ("--event", "--type") for word in words)
    for at, word in enumerate(words):
        if not chosen and not word.startswith("-") and words[max(at - 1, 0)] not in VALUED:
            made.append("--script")
            chosen = True
        made.append(word)
    return made if chosen or not {"--help", "-h"}.isdisjoint(words) else [*made, "--type", "file"]


@click.command(
    cls=Command,
    shape={
        "files": "int",
        "results": [
            {
                "script": "str",
                "name": "str",
                "type": "str",
                "result": "str",
                "why?": "str",
                "exit?": "int",
                "ms?": "int",
                "files?": "list|null",
                "output?": "str",
                "decision?": "str",
                "reason?": "str",
                "context?": ["str"],
                "warnings?": ["str"],
            }
        ],
        "failed": ["str"],
        "untrusted": ["str"],
        "digest": "str",
        "elsewhere": ["str"],
    },
    examples=[
        ("jackline check --as-checked-out --from-ref origin/main --to-ref HEAD", "a pull request, in CI"),
        ("jackline check --all-files", "everything git knows, with the scripts that are trusted here"),
        ("jackline check --staged --type pre-commit", "what the next commit would be asked"),
        ("JACKLINE_SKIP=slow-tests jackline check --files src/a.py src/b.py", "two files, without one script"),
        ("jackline check --script lint --note", "one script by hand, over what differs from the last commit"),
        ("jackline check --event PreToolUse --payload call.json", "the scripts of an event, with that on stdin"),
        ("jackline check --type session", "the session scripts, now"),
    ],
)
@click.argument("names", metavar="[FILE]...", nargs=-1)
@click.option("--from-ref", "old", metavar="REF", default="", help="Files that changed since REF …")
@click.option("--to-ref", "new", metavar="REF", default="", help="… up to this one (HEAD).")
@click.option("--all-files", "everything", is_flag=True, help="All files git knows.")
@click.option("--staged", is_flag=True, help="Files of the next commit.")
@click.option("--files", "some", is_flag=True, help="The files named after it.")
@click.option("--type", "types", metavar="TYPES", help="All of these types: file,pre-commit (default), session.")
@click.option("--script", metavar="NAME", default="", help="This one: its key, its name or its file's.")
@click.option("--event", metavar="EVENT", default="", help="The scripts bound to an event.")
@click.option("--payload", metavar="FILE", default="", help="What they get on standard input (-: what stands on ours).")
@click.option("--note", is_flag=True, help="Note how they ended, for `jackline scripts`.")
@click.option("--session", metavar="ID", default="", help="Note it in that session.")
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
    types: str | None,
    script: str,
    event: str,
    payload: str,
    note: bool,
    session: str,
    digest: str,
    checkout: bool,
    as_json: bool,
) -> int:
    """Run the file and pre-commit scripts over some files: those that differ from the last commit, if not told.

    All scripts run, whatever fails; the exit code is 1 when one failed or is not trusted. A CI machine trusts nothing
    by itself: --as-checked-out runs what the checkout brings, as a build does, and --trust DIGEST only what
    `jackline trust --json` named. --script, --event and --type choose others. Nothing is written but with --note or
    --session. JACKLINE_SKIP=key,key (or all) leaves scripts out.
    """
    chosen, ways = _choice(script, event, payload, types), Ways(old, new, everything, staged, some, names)
    if note or session:
        format.check(str(setting.store))
    found = _inventory(setting, digest, checkout)
    todo, untrusted, files = _tasks(setting, found, chosen, ways)
    about = choice.one(setting, session) if session else None
    keep = _note(about.folder if about else tree_place(setting)) if note or about else None
    done = manual_run.run_all(
        setting, None if as_json else Printer(), todo,
        session=about.sid if about else "", output=not chosen.whole, tell=keep,
    )  # fmt: skip
    others = subfolders.scripted(setting, chosen.types) if chosen.whole else []
    failed = manual_run.failures(done)
    if as_json:
        Printer().data(
            {
                "files": files,
                "results": [one.data for one in done],
                "failed": failed,
                "untrusted": [one.key for one in untrusted],
                "digest": found.digest,
                "elsewhere": others,
            }
        )
    else:
        _show(found, chosen, done, untrusted, others)
    return FOUND if failed or untrusted or found.faults else DONE
