"""The command line as a whole: which commands there are, how help looks, and what becomes of faults.

A command's module is imported when it is called; this table is all that help and completion need of the others.
"""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import click

from jackline.cli.parts.command import COMPLETING
from jackline.cli.parts.exits import DONE, FOUND, OURS, WRONG
from jackline.cli.parts.setting import Setting
from jackline.install.fault import InstallError
from jackline.store.format import CURE, Newer, newer
from jackline.version import VERSION


class Known(NamedTuple):
    """One command: the part of the help it stands in, its module, and what it does."""

    part: str
    module: str
    help: str


COMMANDS = {
    "init": Known("Begin", "init", "Write the hooks of the clients in use, and .ai/hooks/"),
    "doctor": Known("Begin", "doctor", "Run what is installed and say what is wrong, with the cure"),
    "clients": Known("Begin", "clients", "Which clients there are, and how far you can rely on each"),
    "status": Known("Begin", "status", "One screen: clients, last events, trust, pauses"),
    "uninstall": Known("Begin", "uninstall", "Take the hooks out again, to the byte"),
    "approvals": Known("Decide", "approvals", "Calls that wait for your yes"),
    "approve": Known("Decide", "approve", "Let a call that waits run, once"),
    "reject": Known("Decide", "reject", "Refuse a call that waits, with a word to the agent"),
    "log": Known("Look", "log", "The timeline of a session"),
    "why": Known("Look", "why", "One decision: what was asked, who said what, which rule"),
    "try": Known("Look", "try_", "A dry run of one event; writes nothing"),
    "intents": Known("Look", "intents", "What agents work for, and which paths belong to it"),
    "guard": Known("Look", "guard", "What the guard says to a shell command; runs nothing"),
    "sessions": Known("Look", "sessions", "The sessions of this project"),
    "features": Known("Look", "features", "Every feature: off, lenient or strict, what it waits for"),
    "report": Known("Look", "report", "What observed hooks would have refused"),
    "profile": Known("Look", "profile", "Where the milliseconds go, by event and feature"),
    "state": Known("Look", "state", "A session's state, shown or made again from its log"),
    "artifacts": Known(
        "Look", "artifacts", "What features announced in a session: files, and what they were made from"
    ),
    "lock": Known("Look", "lock", "Run a command while nobody else holds the same lock of the task"),
    "pack": Known("Work", "pack", "The task's context pack: see it, add to it, ask whether it is still true"),
    "plan": Known("Work", "plan", "The task's plan: submit it, see it, work it off"),
    "validators": Known("Work", "validators", "The checks of this project, and what came of them on what is there now"),
    "mailbox": Known("Look", "mailbox", "What agents of a task offer and ask of each other"),
    "work": Known("Look", "work", "The unit of work a session is at, or a new one"),
    "compile": Known("Configure", "compile", "Check the configuration and write the wiring"),
    "wiring": Known("Configure", "wiring", "Which hooks run on which event, in which order"),
    "hooks": Known("Configure", "hooks", "What would run at an event, in order, and what does not and why"),
    "scripts": Known("Configure", "scripts", "What scripts did last; run one by hand, write a new one"),
    "check": Known("Configure", "check", "Run file and pre-commit scripts over some files, as in CI"),
    "enable": Known("Configure", "enable", "Switch capabilities on: plan, pack, gate, validators"),
    "disable": Known("Configure", "disable", "Switch them off; every file is as it was"),
    "feature": Known("Configure", "feature", "Begin a feature of this project: handler, knobs, page, test"),
    "trust": Known("Configure", "trust", "Let this repository's hooks run"),
    "pause": Known("Configure", "pause", "Switch hooks off for some minutes"),
    "eject": Known("Configure", "eject", "Copy a built-in feature into the project"),
    "schema": Known("Configure", "schema", "The JSON Schema of a file or record"),
    "gc": Known("Keep", "gc", "Remove old sessions"),
    "hook": Known("Keep", "hook", "The door: what a client's entry starts"),
    "completion": Known("Keep", "completion", "The completion script of a shell"),
    "version": Known("Keep", "version", "The version, and where things are"),
}
"""In the order of the help."""

READS = ("status", *[name for name, one in COMMANDS.items() if one.part == "Look"])
"""Commands that show what the store knows of sessions."""
PARTS = ("Begin", "Decide", "Work", "Look", "Configure", "Keep")


def _imported(module: str) -> click.Command:
    found: click.Command = importlib.import_module(f"jackline.cli.{module}").command
    return found


class Lazy(click.Group):
    """The group of all commands; only the one that is called is imported."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        known = COMMANDS.get(cmd_name)
        return _imported(known.module) if known is not None else None

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            from jackline.compiler.fault import nearest

            near = nearest(args[0], list(COMMANDS))
            raise click.UsageError(f"no command {args[0]!r}" + (f"; did you mean {near}?" if near else ""), ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        for part in PARTS:
            with formatter.section(part):
                formatter.write_dl([(name, one.help) for name, one in COMMANDS.items() if one.part == part])

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[Any]:
        from click.shell_completion import CompletionItem

        return [CompletionItem(name, help=one.help) for name, one in COMMANDS.items() if name.startswith(incomplete)]


def _find_configuration(setting: Setting) -> None:
    """Whichever command is the first: what it compiles has the person's own layer, wherever they keep it."""
    if (setting.store / "config").is_symlink():
        return
    from jackline.cli.parts import standing

    if standing.is_elsewhere(setting.store, setting.env):
        from jackline.cli.parts.caller import caller

        if not caller(setting).agent:
            standing.note_config(setting.store, setting.env)


@click.group(
    cls=Lazy,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Exit codes: 0 done, 1 found something, 2 wrong use, 3 our bug. `jackline COMMAND --help` shows examples.",
)
@click.option("-C", "folder", metavar="FOLDER", type=click.Path(exists=True, file_okay=False), help="Work there.")
@click.option("--here", is_flag=True, help="The folder itself is the project, also below a repository's root.")
@click.version_option(VERSION, prog_name="jackline")
@click.pass_context
def jackline(context: click.Context, folder: str | None, here: bool) -> None:
    """One dispatcher, one verdict, one log for the hooks of every coding agent."""
    if folder:
        os.chdir(folder)
    setting = Setting.here()
    if here:
        setting = setting._replace(root=Path(os.path.realpath(os.getcwd())))
    context.obj = setting
    why = newer(str(setting.store))
    if not why:
        _find_configuration(setting)
    elif context.invoked_subcommand in READS:
        _say(f"{why}: what it noted is not shown here · {CURE}")
    if context.invoked_subcommand is not None:
        from jackline.cli.parts import tampering

        tampering.tell(setting, context.invoked_subcommand)


def _say(words: str) -> None:
    from jackline.cli.parts.printer import clean

    sys.stderr.write(clean(words, lines=True) + "\n")


def _crashed(fault: BaseException, words: Sequence[str]) -> int:
    """A fault of ours: a report of shapes in the store, and the same on the screen, ready to paste."""
    import json

    from jackline.install.site import default_store
    from jackline.store import crash

    where = {"where": "cli", "command": words[0] if words and words[0] in COMMANDS else ""}
    made = crash.report(str(default_store(os.environ)), fault, where, VERSION)
    shown = {
        "version": VERSION,
        "python": sys.version.split()[0],
        "platform": sys.platform,
        **where,
        "error": type(fault).__name__,
        "stack": crash.stack(fault),
    }
    _say(f"jackline failed, and that is our fault [{made or crash.stack_hash(fault)}]. Please report this:")
    _say(json.dumps(shown, indent=2))
    return OURS


def run(words: Sequence[str]) -> int:
    """Run one command line; its exit code."""
    try:
        given = jackline.main(args=list(words), prog_name="jackline", complete_var=COMPLETING, standalone_mode=False)
        sys.stdout.flush()
        return given if isinstance(given, int) else DONE
    except click.exceptions.Exit as end:
        return end.exit_code
    except click.UsageError as wrong:
        about = f"\nsee: {wrong.ctx.command_path} --help" if wrong.ctx else ""
        _say(f"jackline · {wrong.format_message()}{about}")
        return WRONG
    except click.ClickException as wrong:
        _say(f"jackline · {wrong.format_message()}")
        return wrong.exit_code
    except (InstallError, Newer) as fault:
        _say(str(fault))
        return FOUND
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # the reader has enough; the interpreter's last flush goes nowhere
        return DONE
    except OSError as fault:  # a disk that is full, a folder that is somebody else's: the surroundings, not a bug
        what = fault.strerror or str(fault)
        _say(f"{fault.filename or 'jackline'} · {what} · check its permissions and the disk, then run again")
        return FOUND
    except (KeyboardInterrupt, click.Abort):
        return FOUND
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else DONE
    except Exception as fault:  # noqa: BLE001 - the last one: no traceback, but a report
        return _crashed(fault, words)
