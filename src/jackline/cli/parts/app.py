"""The command line as a whole: which commands there are, how help looks, and what becomes of faults.

A command's module is imported when it is called; what its file declares is all that help and completion need of it.
"""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from jackline.cli.parts.command import COMPLETING
from jackline.cli.parts.exits import DONE, FOUND, OURS, WRONG
from jackline.cli.parts.setting import Setting
from jackline.cli.parts.verb import GROUPS, former, module_of, verbs
from jackline.install.fault import InstallError
from jackline.store.format import CURE, Newer, newer
from jackline.version import VERSION

READING = "Look"
"""The part of the help whose commands show what the store knows of sessions."""


def reads() -> tuple[str, ...]:
    """Commands that show what the store knows of sessions."""
    return ("status", *[name for name, verb in verbs().items() if verb.group == READING])


def _imported(name: str) -> click.Command:
    found: click.Command = importlib.import_module(module_of(name)).command
    return found


class Lazy(click.Group):
    """The group of all commands; only the one that is called is imported."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(verbs())

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        return _imported(cmd_name) if cmd_name in verbs() else None

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in verbs() and not args[0].startswith("-"):
            from jackline.compiler.fault import nearest

            near = nearest(args[0], list(verbs()))
            raise click.UsageError(f"no command {args[0]!r}" + (f"; did you mean {near}?" if near else ""), ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        for group in GROUPS:
            with formatter.section(group):
                formatter.write_dl([(name, verb.brief) for name, verb in verbs().items() if verb.group == group])

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[Any]:
        from click.shell_completion import CompletionItem

        return [CompletionItem(name, help=verb.brief) for name, verb in verbs().items() if name.startswith(incomplete)]


def _find_configuration(setting: Setting) -> None:
    """Whichever command is the first: what it compiles has the person's own layer, wherever they keep it."""
    if (setting.store / "config").is_symlink():
        return
    from jackline.cli.parts import current_install

    if current_install.is_elsewhere(setting.store, setting.env):
        from jackline.cli.parts.caller import caller

        if not caller(setting).agent:
            current_install.note_config(setting.store, setting.env)


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
    elif context.invoked_subcommand in reads():
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

    where = {"where": "cli", "command": words[0] if words and words[0] in verbs() else ""}
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


def _command_at(words: Sequence[str]) -> int:
    """Where the command stands, behind the program's own options."""
    at = 0
    while at < len(words) and words[at].startswith("-"):
        at += 2 if words[at] == "-C" else 1
    return at


def _respelled(words: Sequence[str]) -> Sequence[str]:
    """The words in today's spelling; who uses one of the version before is told so on stderr: data stays data."""
    at = _command_at(words)
    for size in (2, 1):
        old = " ".join(words[at : at + size])
        name, now = former().get(old, ("", ""))
        if name:
            ends = "the old spelling goes with the next version"
            _say(f"jackline · `jackline {old}` is now `jackline {name} {now}` · {ends}")
            rest = words[at + size :]
            special = getattr(importlib.import_module(module_of(name)), "respelled", None)
            return [*words[:at], name, *(special(rest) if special else [*now.split(), *rest])]
    return words


def run(words: Sequence[str]) -> int:
    """Run one command line; its exit code."""
    try:
        given = jackline.main(
            args=list(_respelled(words)), prog_name="jackline", complete_var=COMPLETING, standalone_mode=False
        )
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
