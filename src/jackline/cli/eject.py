"""`jackline eject`: copy a built-in feature into the project, to be changed there."""

from __future__ import annotations

import os
import re
from pathlib import Path

import click

from jackline import features, system
from jackline.cli.parts import person
from jackline.cli.parts.command import Command
from jackline.cli.parts.exits import DONE
from jackline.cli.parts.printer import Printer
from jackline.cli.parts.setting import Setting, pass_setting
from jackline.cli.parts.verb import Verb
from jackline.compiler.fault import nearest
from jackline.compiler.registry import KNOWN, folder_of
from jackline.feature_names import slug_of

VERB = Verb(
    group="Configure",
    order=110,
    brief="Copy a built-in feature into the project",
    authority="human-only",
)

SUFFIXES = (".py", ".json", ".md")


def _own(text: str, folder: str) -> str:
    """A module's text with imports of its own package made relative: the copy must not reach back for the original."""
    text = re.sub(rf"\bfrom jackline\.features\.{folder}\.", "from .", text)
    text = re.sub(rf"\bfrom jackline\.features\.{folder} import\b", "from . import", text)
    return re.sub(rf"\bfrom jackline\.features import {folder}\b", f"from .. import {folder}", text)


def contents(slug: str) -> dict[str, bytes]:
    """The files of a built-in feature by name, ready to stand in a project; empty when it is not here."""
    folder = folder_of(slug)
    for base in features.__path__:
        found = Path(base) / folder
        if (found / "hook.py").is_file():
            files = [path for path in sorted(found.iterdir()) if path.suffix in SUFFIXES]
            return {
                path.name: _own(path.read_text(), folder).encode() if path.suffix == ".py" else path.read_bytes()
                for path in files
            }
    return {}


def copy(root: Path, slug: str, files: dict[str, bytes]) -> None:
    """Write the copy, through no link, into a folder that was not there."""
    if system.exists(f"{root}/.ai/hooks/features/{slug}"):
        raise click.UsageError(f".ai/hooks/features/{slug} is there already; move it away first")
    at = system.descend(str(root), (".ai", "hooks", "features", slug), create=True, uid=os.getuid())
    try:
        for name, data in files.items():
            system.replace(name, data, at=at, mode=0o644)
    finally:
        system.close(at)


@click.command(
    cls=Command,
    examples=[
        ("jackline eject graph-pretooluse", "into .ai/hooks/features/graph-pretooluse/, which then takes its place")
    ],
)
@click.argument("feature")
@person.yes_option
@pass_setting
def command(setting: Setting, feature: str, yes: bool) -> int:
    """Copy the built-in FEATURE into .ai/hooks/features/, where it takes the place of the built-in one.

    The copy runs once it is trusted; until then the built-in one goes on.
    """
    feature = slug_of(feature)
    files = contents(feature) if feature in KNOWN else {}
    if not files:
        near = nearest(feature, [slug for slug, known in KNOWN.items() if known.here])
        raise click.UsageError(f"no built-in feature {feature!r}" + (f"; did you mean {near}?" if near else ""))
    person.require(setting, "eject", yes=yes)
    copy(setting.root, feature, files)
    printer = Printer()
    printer.line(("ejected  ", "good"), f".ai/hooks/features/{feature}/  ", (", ".join(files), "quiet"))
    printer.line(("then     ", "quiet"), "change it, and let it run: jackline trust --diff")
    return DONE
