"""`jackline scripts new`: ask what a script is for, and write one that works."""

from __future__ import annotations

import os

import click

from jackline import system
from jackline.cli.parts.command import Command
from jackline.cli.parts.exits import DONE
from jackline.cli.parts.person import has_terminal
from jackline.cli.parts.printer import Printer, text
from jackline.cli.parts.setting import Setting, pass_setting
from jackline.compiler.fault import nearest
from jackline.compiler.scriptfields import ALL_EVENTS
from jackline.compiler.scripts import ROOTS, slug
from jackline.script import TYPES
from jackline.scripts.patterns import fault as pattern_fault

FOLDER = ROOTS[0]
LANGUAGES = {"sh": (".sh", "#!/bin/sh", "#"), "python": (".py", "#!/usr/bin/env python3", "#"),
             "node": (".mjs", "#!/usr/bin/env node", "//")}  # fmt: skip
"""Extension, first line and comment sign."""

ABOUT = {
    "event": "a lifecycle event of the agent, with its JSON on standard input",
    "session": "once, when a session starts",
    "file": "at a turn's end, over changed files; the agent hears of a failure",
    "pre-commit": "before a commit; a failure stops it",
}

BODIES = {
    ("file", "sh"): """# The changed files that match; the file $JACKLINE_CHANGED_FILES_LIST has them NUL-separated.
# Any exit status but 0 sends what is printed back to the agent. This one looks for conflict markers.
if grep -nE '^(<{7}|>{7}) ' $JACKLINE_CHANGED_FILES /dev/null; then
  exit 1
fi
exit 0
""",
    ("file", "python"): """import os
import pathlib
import re
import sys

# The changed files that match, with NUL between them. Any exit status but 0 sends what is printed back to the agent.
# This one looks for conflict markers.
listed = pathlib.Path(os.environ["JACKLINE_CHANGED_FILES_LIST"]).read_bytes()
found = False
for name in [one.decode(errors="surrogateescape") for one in listed.split(b"\\0") if one]:
    for number, line in enumerate(pathlib.Path(name).read_text(errors="replace").splitlines(), 1):
        if re.match("(<{7}|>{7}) ", line):
            print(f"{name}:{number}: {line}")
            found = True
sys.exit(found)
""",
    ("file", "node"): """import { readFileSync } from "node:fs";

// The changed files that match, with NUL between them. Any exit status but 0 sends what is printed back to the agent.
// This one looks for conflict markers.
const files = readFileSync(process.env.JACKLINE_CHANGED_FILES_LIST, "utf8").split("\\0").filter(Boolean);
for (const name of files) {
  readFileSync(name, "utf8").split("\\n").forEach((line, at) => {
    if (/^(<{7}|>{7}) /.test(line)) {
      console.log(`${name}:${at + 1}: ${line}`);
      process.exitCode = 1;
    }
  });
}
""",
    ("session", "sh"): """# Runs in the project's root. A failure is told, and the session goes on.
if test -f package-lock.json && ! test -d node_modules; then
  npm ci --silent
fi
""",
    ("session", "python"): """import platform

# Runs in the project's root. A failure is told, and the session goes on.
print("python", platform.python_version())
""",
    ("session", "node"): """// Runs in the project's root. A failure is told, and the session goes on.
console.log("node", process.version);
""",
    (
        "pre-commit",
        "sh",
    ): """# Any exit status but 0 stops the commit. This one looks for conflict markers that it would add.
if git diff --cached -U0 | grep -E '^\\+(<{7}|>{7}) '; then
  echo "the commit adds conflict markers" >&2
  exit 1
fi
exit 0
""",
    ("pre-commit", "python"): """import re
import subprocess
import sys

# Any exit status but 0 stops the commit. This one looks for conflict markers that it would add.
words = ["git", "diff", "--cached", "-U0"]
added = subprocess.run(words, capture_output=True, text=True, errors="replace", check=True).stdout
lines = [line for line in added.splitlines() if re.match("[+](<{7}|>{7}) ", line)]
print("\\n".join(lines))
sys.exit("the commit adds conflict markers" if lines else 0)
""",
    ("pre-commit", "node"): """import { execFileSync } from "node:child_process";

// Any exit status but 0 stops the commit. This one looks for conflict markers that it would add.
const added = execFileSync("git", ["diff", "--cached", "-U0"], { encoding: "utf8" }).split("\\n");
const lines = added.filter((line) => /^\\+(<{7}|>{7}) /.test(line));
if (lines.length > 0) {
  console.error(`the commit adds conflict markers\\n${lines.join("\\n")}`);
  process.exit(1);
}
""",
    ("event", "sh"): """# The event is JSON on standard input.
# Where `block: true` stands above, exit status 2 blocks, and the reason is what stands on standard error.
case "$(cat)" in
  *"git push --force"*)
    echo "no forced push from here: ask first" >&2
    exit 2
    ;;
esac
exit 0
""",
    ("event", "python"): """import json
import sys

# The event is JSON on standard input, an answer is JSON on standard output. To block needs `block: true` above.
event = json.load(sys.stdin)
if "git push --force" in json.dumps(event.get("tool_input", {})):
    print(json.dumps({"decision": "block", "reason": "no forced push from here: ask first"}))
""",
    ("event", "node"): """import { readFileSync } from "node:fs";

// The event is JSON on standard input, an answer is JSON on standard output. To block needs `block: true` above.
const event = JSON.parse(readFileSync(0, "utf8"));
if (JSON.stringify(event.tool_input ?? {}).includes("git push --force")) {
  console.log(JSON.stringify({ decision: "block", reason: "no forced push from here: ask first" }));
}
""",
}
"""What a new script does: little, but something."""


def _quoted(value: str) -> str:
    """A value as YAML reads it back."""
    return '"' + value.replace("\\", "\\").replace('"', '\\"') + '"'


def content(name: str, type_: str, language: str, pattern: str, event: str) -> str:
    """The whole file."""
    _, first, sign = LANGUAGES[language]
    fields = [f"name: {_quoted(name)}", f"type: {type_}"]
    if type_ == "file":
        fields.append(f"pattern: {_quoted(pattern)}")
    if type_ == "event":
        fields += [f"events: [{event}]", f"block: {'true' if event in ('PreToolUse', 'Stop') else 'false'}"]
    front = "".join(f"{sign} {line}\n" for line in fields)
    return f"{first}\n{sign}---\n{front}{sign}---\n{BODIES[type_, language]}"


def _ask(value: str | None, question: str, usual: str, asks: bool, option: str, known: tuple[str, ...] = ()) -> str:
    """An answer that was given, or is given now."""
    if value is None:
        if not asks:
            if usual:
                return usual
            raise click.UsageError(f"{option} is needed (or a terminal to ask on)")
        value = click.prompt(question, default=usual or None, type=click.Choice(known) if known else str)
    return str(value).strip()


def _name(name: str) -> str:
    if not name or not name.isprintable():
        raise click.UsageError("--name: expected a few printable words")
    return name


def _pattern(pattern: str) -> str:
    why = pattern_fault(pattern)
    if why or not pattern.isprintable():
        raise click.UsageError(f"--pattern {pattern!r}: {why or 'it has letters that cannot be shown'}")
    return pattern


def _event(event: str) -> str:
    if event in ALL_EVENTS:
        return ALL_EVENTS[event]
    near = nearest(event, list(ALL_EVENTS))
    raise click.UsageError(f"no client has an event {event!r}" + (f"; did you mean {near}?" if near else ""))


def write(setting: Setting, base: str, data: str) -> str:
    """Write a new executable file, through no link and over nothing; its path in the project."""
    shown = f"{FOLDER}/{base}"
    try:
        at = system.descend(str(setting.root), tuple(FOLDER.split("/")), create=True, uid=os.getuid())
        try:
            flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
            with os.fdopen(os.open(base, flags, 0o755, dir_fd=at), "w", encoding="utf-8") as made:
                made.write(data)
        finally:
            system.close(at)
    except FileExistsError:
        raise click.ClickException(f"{shown} · it exists already · give another --name") from None
    except OSError as fault:
        cure = "it must be a folder of yours, reached through no link"
        raise click.ClickException(f"{shown} · cannot be written ({fault.strerror}) · {cure}") from None
    return shown


def _say(printer: Printer, path: str, key: str, type_: str, event: str) -> None:
    printer.line("wrote ", (path, "place"))
    lines = [
        ("look at it", f"$EDITOR {path}"),
        ("let it run", "jackline trust --diff"),
        ("try it", f"jackline check --event {event}" if type_ == "event" else f"jackline check --script {key}"),
    ]
    for what, words in lines:
        printer.line(text((f"{what:10}  ", "quiet")), words, indent=2)


@click.command(
    "new",
    cls=Command,
    shape={"path": "str", "key": "str", "type": "str"},
    examples=[
        ("jackline scripts new", "answer a few questions"),
        ('jackline scripts new --name "No conflicts" --type file --pattern "*.go" --yes', "without a question"),
        ("jackline scripts new --name guard --type event --event PreToolUse --language python --yes", "in Python"),
    ],
)
@click.option("--name", metavar="WORDS", help="What it is called; its file's name is made of it.")
@click.option("--type", "type_", type=click.Choice(TYPES), help="What makes it run.")
@click.option("--pattern", metavar="GLOB", help="Of a file script: the files it asks for.")
@click.option("--event", metavar="EVENT", help="Of an event script: the event.")
@click.option("--language", type=click.Choice(list(LANGUAGES)), help="What it is written in.")
@click.option("--yes", is_flag=True, help="Ask nothing: what is not told is as usual.")
@click.option("--json", "as_json", is_flag=True, help="What was written, as data; asks nothing.")
@pass_setting
def command(
    setting: Setting,
    name: str | None,
    type_: str | None,
    pattern: str | None,
    event: str | None,
    language: str | None,
    yes: bool,
    as_json: bool,
) -> int:
    """Write a new script into .ai/hooks/scripts/.

    It has front matter, does something small, and runs once it is trusted. Asks for what no option tells; never
    overwrites anything.
    """
    printer = Printer()
    asks = not yes and not as_json and has_terminal()
    if asks and type_ is None:
        for one, what in ABOUT.items():
            printer.line((f"{one:11} ", "name"), what, indent=2)
    type_ = _ask(type_, "Type", "file", asks, "--type", TYPES)
    name = _name(_ask(name, "Name", "", asks, "--name"))
    pattern = _pattern(_ask(pattern, "Files (pattern)", "*.py", asks, "--pattern")) if type_ == "file" else ""
    event = _event(_ask(event, "Event", "PreToolUse", asks, "--event")) if type_ == "event" else ""
    language = _ask(language, "Language", "sh", asks, "--language", tuple(LANGUAGES))
    base = slug(name) + LANGUAGES[language][0]
    path = write(setting, base, content(name, type_, language, pattern, event))
    if as_json:
        printer.data({"path": path, "key": slug(name), "type": type_})
    else:
        _say(printer, path, slug(name), type_, event)
    return DONE
