"""`jackline try`: what would happen to an event, without a trace of it."""

from __future__ import annotations

import json
import sys
from contextlib import nullcontext
from pathlib import Path
from typing import IO, Any

import click

from jackline.cli.parts import checkout, dryrun, hook_states, payloads
from jackline.cli.parts.command import Command
from jackline.cli.parts.exits import DONE, FOUND, WRONG
from jackline.cli.parts.printer import Printer, foreign, style_of
from jackline.cli.parts.setting import Setting, pass_setting
from jackline.cli.parts.verb import Verb
from jackline.hook import LIMIT

VERB = Verb(
    group="Look",
    order=30,
    brief="A dry run of one event; writes nothing",
    authority="open",
)


def _show(printer: Printer, tried: dict[str, Any], payload: dict[str, Any]) -> None:
    verdict, answer = tried["verdict"], tried["answer"]
    tool = payload.get("tool_name") or payload.get("toolName") or ""
    printer.heading(
        tried["event"], f" {tool} " if tool else " ", (f"as {tried['client']} ({tried['dialect']})", "quiet")
    )
    for fault in tried["faults"]:
        printer.line(("✗ ", "bad"), fault)
    if tried["faults"]:
        printer.line(("  the last good configuration is judged instead", "quiet"))
    for doubt in tried["doubts"]:
        printer.line(("! ", "warn"), doubt)
    hook_states.show(printer, tried["hooks"])
    decision = verdict["decision"]
    by = (f" by {', '.join(verdict['by'])}", "quiet") if verdict["by"] else ""
    printer.line("verdict  ", (decision, style_of(decision)), by)
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
        if sys.stdin.isatty():
            sys.stderr.write("jackline · type the payload, a JSON object, and end it with Ctrl-D\n")
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


def _code(tried: dict[str, Any]) -> int:
    """Whether every hook did what it is there for."""
    return FOUND if tried["faults"] or any(one["state"] in hook_states.BAD for one in tried["hooks"]) else DONE


def _all(stream: IO[str], setting: Setting) -> int:
    """One line in, one line out, for as long as lines come."""
    printer = Printer()
    code = DONE
    for number, raw in enumerate(stream, 1):
        if not raw.strip():
            continue
        try:
            tried = _line(raw, setting)
            printer.datum(tried)
            code = code or _code(tried)
        except dryrun.Stuck as stuck:
            code = code or FOUND
            printer.datum({"error": f"line {number} · {stuck}"})
        except (ValueError, RecursionError) as fault:
            code = WRONG
            printer.datum({"error": f"line {number} · {fault}"})
    return code


@click.command(
    cls=Command,
    shape=(
        {
            "client": "str",
            "dialect": "str",
            "event": "str",
            "verdict": {
                "decision": "str",
                "reason": "str",
                "updatedInput": "object|null",
                "inputMetadata": "object|null",
                "additionalContext": [{"key": "str", "value": "str"}],
                "by": ["str"],
            },
            "actions": [{"feature": "str", "action": "object", "ms": "number"}],
            "skipped": [{"feature": "str", "why": "str"}],
            "hooks": [{"hook": "str", "kind": "str", "state": "str", "*": "any"}],
            "faults": ["str"],
            "answer": {"exit": "int", "stdout": "str", "stderr": "str"},
            "doubts": ["str"],
        },
        {"error": "str"},
    ),
    examples=[
        (
            """echo '{"tool_name":"Bash","tool_input":{"command":"ls"}}' | jackline try claude-code PreToolUse""",
            "judge one payload from standard input",
        ),
        ("jackline try codex PreToolUse payload.json --json", "a payload from a file, the whole outcome as data"),
        (
            "jackline try --as-checked-out claude-code Stop payload.json",
            "what you are writing, before anybody trusts it",
        ),
        ("jackline try --jsonl < calls.jsonl", 'many in one process: {"client", "event", "payload"} a line'),
    ],
)
@click.argument("client", required=False)
@click.argument("event", required=False)
@click.argument("file", type=click.Path(exists=True, dir_okay=False, allow_dash=True), required=False)
@click.option("--json", "as_json", is_flag=True, help="The whole outcome as data.")
@click.option("--jsonl", is_flag=True, help="Read calls a line each, answer a line each.")
@click.option("--as-checked-out", "checked_out", is_flag=True, help="Judge by this checkout's hooks, trusted or not.")
@pass_setting
def command(
    setting: Setting,
    client: str | None,
    event: str | None,
    file: str | None,
    as_json: bool,
    jsonl: bool,
    checked_out: bool,
) -> int:
    """Show what would happen to EVENT of CLIENT with the payload in FILE (standard input without one).

    A dry run: nothing is written, neither in the project nor in the store, and no script is run. CLIENT is a client
    or a dialect, EVENT a canonical or a native name. Says of every hook what became of it; the exit code is 1 when
    one failed, timed out or is broken, 2 when the event or its payload is none. --as-checked-out runs the features of
    this checkout, trusted or not, and trusts nothing.
    """
    judged = checkout.trusted(setting) if checked_out else nullcontext(setting)
    if jsonl:
        if client or event or file:
            raise click.UsageError("--jsonl takes its calls from standard input alone")
        with judged as place:
            return _all(sys.stdin, place)
    if not client or not event:
        raise click.UsageError("missing CLIENT and EVENT (or --jsonl)")
    try:
        payloads.client(client)
        payloads.event(client, event)
        raw = _payload(file)
        with judged as place:
            tried = dryrun.run(client, event, raw, place.store, Path.cwd())
    except payloads.Wrong as wrong:
        raise click.UsageError(str(wrong)) from None
    except dryrun.Stuck as stuck:
        raise click.ClickException(str(stuck)) from None
    printer = Printer()
    if as_json:
        printer.data(tried)
    else:
        _show(printer, tried, _object(raw))
    return _code(tried)
