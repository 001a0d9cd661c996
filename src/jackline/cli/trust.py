"""`jackline trust`: read what a repository brings, unit by unit, and let it run."""

from __future__ import annotations

import difflib
import sys
from collections.abc import Iterable
from typing import Any

import click

from jackline import git
from jackline.cli.parts import person
from jackline.cli.parts.command import Command
from jackline.cli.parts.exits import DONE, FOUND
from jackline.cli.parts.printer import Printer, foreign, text
from jackline.cli.parts.setting import Setting, pass_setting
from jackline.cli.parts.sync_notes import show as show_followed
from jackline.cli.parts.trustwatch import show_watched, watched
from jackline.cli.parts.trustwatch import watch as watch_units
from jackline.cli.parts.verb import Verb
from jackline.compiler import checking, copies, followed_ref, trust, unit_words
from jackline.compiler.collect import Survey, say_yes, survey
from jackline.compiler.copies import NoCopy
from jackline.compiler.row_files import file_of
from jackline.compiler.trust import Unit
from jackline.compiler.trust_state import Standing, digest_of, is_digest_of
from jackline.compiler.write import refresh
from jackline.install.follow import withdraw

VERB = Verb(
    group="Configure",
    order=90,
    brief="Let this repository's hooks run",
    authority="human-only",
)

STYLES = {"new": "added", "changed": "warn", "broken": "bad", "gone": "removed", "older": "warn", "moved": "warn",
          "trusted": "quiet", "released": "quiet"}  # fmt: skip
WORDS = {"trusted": "as trusted", "released": "not here"}


def _lines(data: bytes | None) -> list[str]:
    """The lines of a file; where its last one has no end, that is one more."""
    if not data:
        return []
    lines = data.decode("utf-8", "backslashreplace").split("\n")
    return [*lines[:-1], *([lines[-1], "\\ no newline at the end"] if lines[-1] else [])]


def _before(setting: Setting, one: Standing) -> Unit | None:
    """A unit as it was trusted last; None where the copy is lost or there was none."""
    if one.last is None:
        return None
    try:
        return copies.unit_of(str(setting.store), one.key, one.last)
    except NoCopy:
        return None


def _modes(one: Standing, before: Unit | None) -> list[str]:
    """Which files may be executed now and could not be, and the other way round."""
    if one.unit is None or before is None or one.last is None or one.last.executable is None:
        return []
    moved = sorted(one.unit.executable ^ before.executable)
    words = {True: "may be executed now", False: "may not be executed any more"}
    return [
        f"{name} {words[name in one.unit.executable]}"
        for name in moved
        if name in one.unit.files and name in before.files
    ]


def _diff(printer: Printer, setting: Setting, one: Standing) -> None:
    """A unit's files, as unified diffs of what was trusted last and what is there now."""
    held = _before(setting, one)
    before, after = held.files if held else {}, one.unit.files if one.unit else {}
    for said in _modes(one, held):
        printer.blank()
        printer.whole(foreign(said, "head"))
    for name in sorted({*before, *after}):
        if before.get(name) == after.get(name):
            continue
        names = ("trusted" if name in before else "nothing", name if name in after else "nothing")
        printer.blank()
        for line in difflib.unified_diff(_lines(before.get(name)), _lines(after.get(name)), *names, lineterm="", n=3):
            style = {"+": "added", "-": "removed", "@": "place"}.get(line[:1], "")
            printer.whole(foreign(line, "head" if line.startswith(("+++", "---")) else style))


def _show(printer: Printer, setting: Setting, found: Survey, shown: list[Standing], full: bool) -> None:
    if not found.standings:
        printer.line("Nothing in this project needs trust: it brings no hooks of its own and loosens nothing.")
        return
    waiting = sum(one.is_told for one in shown)
    state = (f"{waiting} wait{'s' * (waiting == 1)} for you", "warn") if waiting else ("trusted", "good")
    printer.heading(setting.short(setting.root), f"  {len(shown)} unit{'s' * (len(shown) != 1)}  ", state)
    for one in shown:
        word = WORDS.get(one.state, one.state)
        kind = unit_words.NOUNS[one.key[0]]
        printer.line((f"{word:10}  ", STYLES[one.state]), (f"{kind:15}  ", "quiet"), one.key[1], indent=2)
        if one.unit is not None and one.unit.fault:
            printer.line((one.unit.fault, "quiet"), indent=14)
    if full:
        for one in shown:
            if one.is_told:
                _diff(printer, setting, one)
        printer.blank()
    if found.digest and shown == [*found.standings]:
        printer.line(("digest  ", "quiet"), found.digest)


def _data(setting: Setting, found: Survey) -> dict[str, Any]:
    root, store = str(setting.root), str(setting.store)
    return {
        "root": root,
        "digest": found.digest,
        "trusted": found.trusted,
        "watched": watched(store, root),
        "follow": followed_ref.short(trust.Book(store).follows(root)),
        "files": {name: trust.file_digest(data) for name, data in found.needs.items()},
        "units": [
            {
                "kind": one.key[0],
                "place": one.key[1],
                "state": one.state,
                "digest": one.unit.digest if one.unit else "",
                "executable": sorted(one.unit.executable) if one.unit else [],
                "fault": one.unit.fault if one.unit else "",
            }
            for one in found.standings
        ],
    }


def _chosen(setting: Setting, found: Survey, named: Iterable[str]) -> list[Standing]:
    """The units that were named, by place, by a file of theirs, or by the end of their place; all if none was."""
    wanted = [*named]
    if not wanted:
        return [*found.standings]
    chosen: list[Standing] = []
    for word in wanted:
        path = word.removeprefix(str(setting.root) + "/").removeprefix("./").rstrip("/")
        here = [one for one in found.standings if path == one.key[1]]
        here = here or [one for one in found.standings if one.unit and path in one.unit.own]
        here = here or [one for one in found.standings if path in (one.key[1].rpartition("/")[2], file_of(one.key))]
        if not here:
            places = ", ".join(one.key[1] for one in found.standings) or "none"
            raise click.UsageError(f"no unit {word!r} · there are: {places}")
        chosen += [one for one in here if one not in chosen]
    return chosen


def grant(setting: Setting, chosen: Iterable[Standing]) -> None:
    """Trust units as they are now, and those no more that are gone."""
    chosen = [*chosen]
    units = [one.unit for one in chosen if one.unit and one.state != "trusted" and not one.unit.fault]
    gone = [one.key for one in chosen if one.state == "gone" or (one.unit and one.last and one.unit.more.get("inert"))]
    gone += [(one.key[0], one.came_from) for one in chosen if one.state == "moved"]
    say_yes(str(setting.store), str(setting.root), units, gone, person.name())


def _grant(printer: Printer, setting: Setting, chosen: list[Standing], given: str | None, told: Iterable[str]) -> int:
    """Trust what was shown, after a person's word; look again under way, so that nothing else is trusted."""
    digest = digest_of(chosen)
    if given == "":
        raise click.UsageError("--yes needs the digest of what you read · jackline trust --diff shows both")
    if given is not None and not is_digest_of(given, chosen):
        raise click.UsageError(f"the content is {digest or 'nothing'} now, not {given}; read it again")
    broken = [one for one in chosen if one.unit and one.unit.fault and not one.unit.more.get("inert")]
    person.require(
        setting, "trust", yes=given is not None, ask=f"Let these run in {setting.short(setting.root)}?",
        need=f"--yes {digest}",
    )  # fmt: skip
    grant(setting, chosen)
    made = refresh(str(setting.root), str(setting.store))
    for one in broken:
        printer.line(
            ("! ", "warn"), one.key[1], (f" stays as it was trusted: {one.unit.fault if one.unit else ''}", "")
        )
    for fault in [str(one) for one in made.faults]:
        if fault not in told:
            printer.line(("✗ ", "bad"), fault)
    printer.line(text(("trusted", "good")), f" {digest}")
    show_followed(printer, setting, made.table)
    return FOUND if made.faults else DONE


def _ref(root: str, said: str) -> str:
    """The whole name of a ref, so that no other of the same short name comes to stand in for it."""
    try:
        found = git.name_of(root, said)
    except git.GitError:
        found = ""
    if not found:
        raise click.UsageError(f"there is no branch, remote branch or tag {said!r} · git branch -a lists them")
    return found


def _other(setting: Setting, follow: str | None, package: str | None, revoke: bool, yes: bool) -> str:
    """The rarer wishes; what was done, as a sentence."""
    root, store = str(setting.root), str(setting.store)
    if revoke:  # it tightens: anybody may
        trust.distrust(store, root, person.name())
        return "nothing of this repository is trusted any more"
    ref = _ref(root, follow) if follow else ""
    what = package or followed_ref.short(ref)
    ask = f"Trust {what} from now on?" if what else "Follow no ref from now on?"
    person.require(setting, "trust", yes=yes, ask=ask)
    if package:
        trust.trust_package(store, package, person.name())
        return f"trusted {package}"
    followed_ref.follow(store, root, ref, person.name())
    return f"trusted whatever stands at {followed_ref.short(ref)}" if ref else "no ref is followed any more"


@click.command(
    cls=Command,
    shape={
        "root": "str",
        "digest": "str",
        "trusted": "bool",
        "watched": "list",
        "follow": "str",
        "files": {"*": "str"},
        "units": [
            {"kind": "str", "place": "str", "state": "str", "digest": "str", "executable": ["str"], "fault": "str"}
        ],
    },
    examples=[
        ("jackline trust --diff", "read what changed since it was trusted, then say yes or no"),
        ("jackline trust .ai/hooks/scripts/lint.sh", "one unit: a script, a feature's folder, a file"),
        ("jackline trust --json", "the digest and the files, for a script; exit code 1 while not trusted"),
        ("jackline trust --yes DIGEST", "provisioning: trust exactly that content, without a terminal"),
        ("jackline trust --follow origin/main", "trust what stands on a protected branch, as it moves"),
        ("jackline trust --watch lint.sh", "trust each state of your own script that you save, until Ctrl-C"),
    ],
)
@click.argument("units", nargs=-1)
@click.option("--diff", is_flag=True, help="Show what changed since it was trusted last.")
@click.option(
    "--yes", "given", metavar="DIGEST", is_flag=False, flag_value="", help="Trust this content without asking."
)
@click.option("--watch", is_flag=True, help="Trust every saved state of the named units while this runs.")
@click.option("--follow", metavar="REF", help='Trust whatever stands at a ref, as it moves ("" ends that).')
@click.option("--package", metavar="NAME==VERSION", help="Trust the features an installed package offers.")
@click.option("--revoke", is_flag=True, help="Trust nothing of this repository any more.")
@click.option("--json", "as_json", is_flag=True, help="As data; grants nothing.")
@pass_setting
def command(
    setting: Setting,
    units: tuple[str, ...],
    diff: bool,
    given: str | None,
    watch: bool,
    follow: str | None,
    package: str | None,
    revoke: bool,
    as_json: bool,
) -> int:
    """Let the hooks that this repository brings run.

    Shows the units (features, scripts, files of configuration, texts) that a person has a word in, and asks. What was
    trusted stays in force until you say otherwise: a unit that changed runs as you trusted it, a new one does not run.
    Without a terminal nothing is granted but by --yes and the digest.
    """
    printer = Printer()
    if revoke or package or follow is not None:
        if as_json:
            raise click.UsageError("--json only shows: it goes with none of --follow, --package and --revoke")
        printer.line(_other(setting, follow, package, revoke, given is not None))
        made = refresh(str(setting.root), str(setting.store))
        if revoke:
            withdraw(setting.store, setting.root)
        show_followed(printer, setting, made.table)
        return DONE
    found = survey(str(setting.root), str(setting.store))
    chosen = _chosen(setting, found, units)
    if watch:
        if not units:
            raise click.UsageError("--watch needs the units you are writing · jackline trust --watch lint.sh")
        person.require(setting, "trust", yes=False, ask=f"Trust every state of {', '.join(units)} that is saved?")
        return watch_units(printer, setting, [one.key for one in chosen])
    told = [str(fault) for fault in (*found.sources.faults, *found.sources.broken)]
    if not as_json:
        asked = [one.key for one in chosen if one.unit and one.is_told]
        wrong = checking.of_units(str(setting.root), str(setting.store), asked)
        told += [fault for fault in map(str, wrong) if fault not in told]
    for line in told:
        (Printer(sys.stderr) if as_json else printer).line(("✗ ", "bad"), line)
    if as_json:
        printer.data(_data(setting, found))
        return DONE if found.trusted else FOUND
    if given is None:
        _show(printer, setting, found, chosen, diff)
        show_watched(printer, setting)
    if not any(one.is_told for one in chosen) and (given is None or is_digest_of(given, chosen)):
        return DONE
    if given is None and not person.has_terminal():
        words = " ".join(["jackline trust", *units, "--yes", digest_of(chosen)])
        printer.line(("to trust it: ", "quiet"), words)
        return FOUND
    return _grant(printer, setting, chosen, given, told)
