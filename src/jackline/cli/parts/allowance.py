"""`jackline guard allow`: a person lets a finding of the guard pass, with a reason and a last day, or takes it back."""

from __future__ import annotations

import datetime
import json
from pathlib import Path
from typing import Any

import click

from jackline import host
from jackline.cli.parts import person
from jackline.cli.parts.command import Command
from jackline.cli.parts.exits import DONE, FOUND
from jackline.cli.parts.printer import Printer, foreign, table, text
from jackline.cli.parts.setting import Setting, pass_setting
from jackline.compiler.collect import user_folder
from jackline.compiler.fault import nearest
from jackline.features.command_guard import guard, packs
from jackline.features.command_guard.rules import BY_ID
from jackline.globs import segment
from jackline.install import files, jsontext
from jackline.install.jsontext import Document
from jackline.store import authority

SLUG, KEY, NAME = "command-guard", "allow", "config.json"
DAYS = 30
LONGEST = 366


def rules() -> dict[str, str]:
    """Every rule by its name, those of the packs included, with its risk."""
    found = {name: rule.risk for name, rule in BY_ID.items()}
    for pack in packs.NAMES:
        found |= {rule.id: rule.risk for _, rule in packs.rules(pack)}
    return found


def _checked(name: str) -> str:
    """A rule's name, or a glob that means some; what is critical is allowed by its full name alone."""
    known = rules()
    if name in known:
        return name
    if not any(segment(name, one) for one in known):
        near = nearest(name, list(known))
        raise click.UsageError(f"no rule {name!r}" + (f"; did you mean {near}?" if near else ""))
    return name


def _place(setting: Setting) -> Path:
    return Path(user_folder(str(setting.store))) / NAME


def document_of(place: Path) -> Document:
    return jsontext.decode(files.read(place) or b"", str(place))


def knob(document: Document, key: str) -> list[Any]:
    """What stands for a knob of the guard that is a list."""
    told = document.root.value() if document.root is not None else {}
    part = told.get(SLUG) if isinstance(told, dict) else None
    found = part.get(key) if isinstance(part, dict) else None
    return found if isinstance(found, list) else []


def entries(document: Document) -> list[dict[str, Any]]:
    """The allowances that stand in a configuration."""
    return [one for one in knob(document, KEY) if isinstance(one, dict)]


def put(document: Document, knob: str, kept: list[Any]) -> Document:
    """The configuration with this list for a knob of the guard; every other byte stays."""
    if document.root is None:
        whole = json.dumps({SLUG: {knob: kept}}, ensure_ascii=False, indent=2) + "\n"
        return jsontext.parse(whole, document.where, bom=document.bom)
    at, value = document.root, {SLUG: {knob: kept}}
    for key in (SLUG, knob):
        below = at.get(key)
        if below is None:
            return jsontext.apply(document, jsontext.append(document, at, key, value[key]))[0]
        at, value = below, value[key]  # type: ignore[assignment]
    return jsontext.apply(document, jsontext.replace(document, at, value))[0]


def _save(place: Path, document: Document) -> None:
    files.make_folders(place.parent)
    files.write(place, jsontext.encode(document), 0o600)


def _last_day(days: int, until: str) -> str:
    if until:
        try:
            datetime.date.fromisoformat(until)
        except ValueError:
            raise click.UsageError("--until: expected a day as 2031-12-31") from None
        return until
    return guard.today(host.now() // 1_000_000 + days * 86_400_000)


def _show(found: list[dict[str, Any]], as_json: bool, place: str) -> None:
    printer = Printer()
    if as_json:
        printer.data(found)
        return
    if not found:
        printer.line("Nothing is allowed.")
        return
    today = guard.today(host.now() // 1_000_000)
    rows = []
    for one in found:
        over = guard.expired(one, today)
        last = str(one.get("until") or "no end")
        rows.append(
            (
                text((str(one.get("rule") or ""), "name")),
                foreign(str(one.get("command") or "*")),
                text((f"{last} (over)" if over else last, "warn" if over else "quiet")),
                foreign(str(one.get("reason") or "")),
            )
        )
    printer.show(table(["rule", "command", "until", "reason"], rows))
    printer.line((place, "quiet"))


@click.command(
    cls=Command,
    shape=[{"rule": "str", "command": "str", "reason": "str", "until": "str", "*": "any"}],
    examples=[
        (
            "jackline guard allow git.clean --command 'git clean -fd build' --reason 'made by the tests'",
            f"one rule, for one command, {DAYS} days",
        ),
        (
            "jackline guard allow delete.project --command 'rm -r gen*' --reason generated --until 2031-12-31",
            "a last day",
        ),
        ("jackline guard allow --list", "what is allowed, and until when"),
        ("jackline guard allow git.clean --remove", "take it back"),
    ],
)
@click.argument("rule", required=False)
@click.option(
    "--command", "glob", metavar="GLOB", help="Words of one command as they reach the program; `*` spans all."
)
@click.option("--reason", help="Why it may pass.")
@click.option("--days", type=click.IntRange(1, LONGEST), default=DAYS, show_default=True, help="How long.")
@click.option("--until", metavar="DAY", default="", help="The last day (UTC), instead.")
@click.option("--remove", is_flag=True, help="Take allowances of RULE (and of GLOB) back.")
@click.option("--list", "listed", is_flag=True, help="Only show them.")
@click.option("--json", "as_json", is_flag=True, help="What is allowed then, as data.")
@person.yes_option
@pass_setting
def command(
    setting: Setting,
    rule: str | None,
    glob: str | None,
    reason: str | None,
    days: int,
    until: str,
    remove: bool,
    listed: bool,
    as_json: bool,
    yes: bool,
) -> int:
    """Let what RULE says of a command pass, in every project of yours; `guard explain` names the rule.

    It stands in your own configuration with its reason and its last day. A critical rule needs its full name.
    """
    place = _place(setting)
    document = document_of(place)
    found = entries(document)
    if listed or (rule is None and not remove):
        if rule is None and not listed:
            raise click.UsageError("name a rule; `jackline guard explain COMMAND` shows which one it is")
        _show(found, as_json, setting.short(place))
        return DONE
    if remove:  # it tightens: anybody may
        kept = [one for one in found if not (one.get("rule") == rule and glob in (None, one.get("command")))]
        if kept == found:
            if as_json:
                _show(found, as_json, setting.short(place))
            else:
                Printer().line(f"Nothing is allowed for {rule}.")
            return FOUND
        _save(place, put(document, KEY, kept))
        _show(kept, as_json, setting.short(place))
        return DONE
    name = _checked(rule or "")
    if not glob or not reason or not reason.strip():
        raise click.UsageError("say which command (--command GLOB) and why (--reason TEXT)")
    made = {"rule": name, "command": glob, "reason": reason.strip(), "until": _last_day(days, until)}
    person.require(setting, "guard allow", yes=yes, ask=f"Let {glob} pass {name} until {made['until']}?")
    document = document_of(place)  # a person takes their time, and others may have written meanwhile
    kept = [one for one in entries(document) if (one.get("rule"), one.get("command")) != (name, glob)] + [made]
    authority.append(str(setting.store), "GUARD_ALLOW", person.name(), made)
    _save(place, put(document, KEY, kept))
    _show(kept, as_json, setting.short(place))
    return DONE
