"""`jackline try`: what would happen to an event, without a trace of it."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import IO, Any

import click

from jackline.cli import dryrun
from jackline.cli.command import Command
from jackline.cli.exits import DONE, FOUND, WRONG
from jackline.cli.printer import Printer, foreign, style_of, table, text
from jackline.cli.setting import Setting, pass_setting
from jackline.hook import LIMIT


def _said(one: dict[str, Any]) -> str:
    action = one["action"]
    return str(action.get("decision") or ("rewrite" if "updatedInput" in action else "allow"))


def _show(printer: Printer, tried: dict[str, Any], payload: dict[str, Any]) -> None:
    verdict, answer = tried["verdict"], tried["answer"]
    tool = payload.get("tool_name") or payload.get("toolName") or ""
    printer.heading(
        tried["event"], f" {tool} " if tool else " ", (f"as {tried['client']} ({tried['dialect']})", "quiet")
    )
    rows = [
        (
            text((one["feature"], "name")),
            text((_said(one), style_of(_said(one)))),
            text((f"{one['ms']:.1f} ms", "quiet")),
            foreign(one["action"].get("reason", "").partition("\n")[0]),
        )
        for one in tried["actions"]
    ]
    rows += [
        (text((one["feature"], "name")), text(("skipped", "quiet")), text(""), text((one["why"], "quiet")))
        for one in tried["skipped"]
    ]
    if rows:
        printer.show(
            table([{"no_wrap": True}, {"no_wrap": True}, {"justify": "right", "no_wrap": True}, {}], rows, head=False),
            indent=2,
        )
    decision = verdict["decision"]
    printer.line("verdict  ", (decision, style_of(decision)))
    if verdict["reason"]:
        printer.show(foreign(verdict["reason"], lines=True), indent=9)
    if verdict["updatedInput"] is not None:
        printer.line(("input    ", ""), json.dumps(verdict["updatedInput"], ensure_ascii=False))
    for pair in verdict["additionalContext"]:
        printer.line("context  ", (pair["key"], "name"), f" {pair['value']}")
    _answer(printer, answer)
    if answer["stderr"]:
        printer.line("stderr   ", answer["stderr"].rstrip("\n"))


def _answer(printer: Printer, answer: dict[str, Any]) -> None:
    """What the client would read: its JSON laid out, as the bytes are in `--json`."""
    said = answer["stdout"].rstrip("\n")
    value = _object(said.encode())
    printer.line("answer   ", f"exit {answer['exit']}", "" if value else f"  {said or '(nothing)'}")
    for line in json.dumps(value, indent=2, ensure_ascii=False).splitlines() if value else ():
        printer.whole(foreign(f"         {line}"))


def _object(raw: bytes) -> dict[str, Any]:
    try:
        value = json.loads(raw)
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def _payload(file: str | None) -> bytes:
    if file in (None, "-"):
        return sys.stdin.buffer.read(LIMIT)
    with open(str(file), "rb") as opened:
        return opened.read(LIMIT)


def _line(raw: str, setting: Setting) -> dict[str, Any]:
    """The answer to one line of `--jsonl`."""
    asked = json.loads(raw)
    if (
        not isinstance(asked, dict)
        or not isinstance(asked.get("client"), str)
        or not isinstance(asked.get("event"), str)
    ):
        raise ValueError('expected {"client": …, "event": …, "payload": …}')
    payload = asked.get("payload", {})
    data = payload.encode() if isinstance(payload, str) else json.dumps(payload).encode()
    return dryrun.run(asked["client"], asked["event"], data, setting.store, Path.cwd())


def _all(stream: IO[str], setting: Setting) -> int:
    """One line in, one line out, for as long as lines come."""
    printer = Printer()
    code = DONE
    for number, raw in enumerate(stream, 1):
        if not raw.strip():
            continue
        try:
            printer.datum(_line(raw, setting))
        except KeyError as unknown:
            code = WRONG
            printer.datum({"error": f"line {number} · client: unknown {unknown} · one of: {', '.join(dryrun.NAMES)}"})
        except dryrun.Stuck as stuck:
            code = code or FOUND
            printer.datum({"error": f"line {number} · {stuck}"})
        except (ValueError, RecursionError) as fault:
            code = WRONG
            printer.datum({"error": f"line {number} · {fault}"})
    return code


@click.command(
    cls=Command,
    examples=[
        (
            """echo '{"tool_name":"Bash","tool_input":{"command":"ls"}}' | jackline try claude-code PreToolUse""",
            "judge one payload from standard input",
        ),
        ("jackline try codex PreToolUse payload.json --json", "a payload from a file, the whole outcome as data"),
        ("jackline try --jsonl < calls.jsonl", 'many in one process: {"client", "event", "payload"} a line'),
    ],
)
@click.argument("client", required=False)
@click.argument("event", required=False)
@click.argument("file", type=click.Path(exists=True, dir_okay=False, allow_dash=True), required=False)
@click.option("--json", "as_json", is_flag=True, help="The whole outcome as data.")
@click.option("--jsonl", is_flag=True, help="Read calls a line each, answer a line each.")
@pass_setting
def command(
    setting: Setting, client: str | None, event: str | None, file: str | None, as_json: bool, jsonl: bool
) -> int:
    """Show what would happen to EVENT of CLIENT with the payload in FILE (standard input without one).

    A dry run: nothing is written, neither in the project nor in the store. CLIENT is a client or a dialect, EVENT a
    canonical or a native name.
    """
    if jsonl:
        if client or event or file:
            raise click.UsageError("--jsonl takes its calls from standard input alone")
        return _all(sys.stdin, setting)
    if not client or not event:
        raise click.UsageError("missing CLIENT and EVENT (or --jsonl)")
    raw = _payload(file)
    try:
        tried = dryrun.run(client, event, raw, setting.store, Path.cwd())
    except KeyError:
        raise click.UsageError(f"unknown client {client!r}; one of: {', '.join(dryrun.NAMES)}") from None
    except dryrun.Stuck as stuck:
        raise click.ClickException(str(stuck)) from None
    printer = Printer()
    if as_json:
        printer.data(tried)
    else:
        _show(printer, tried, _object(raw))
    return DONE
