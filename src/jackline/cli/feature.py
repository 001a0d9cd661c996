"""`jackline feature new`: write a feature of the project that works, as a beginning of one's own."""

from __future__ import annotations

import json
import os
import re

import click

from jackline import system
from jackline.cli.parts.command import Command, Family
from jackline.cli.parts.exits import DONE
from jackline.cli.parts.printer import Printer, text
from jackline.cli.parts.setting import Setting, pass_setting
from jackline.cli.parts.verb import Verb
from jackline.compiler.flags import flag_of
from jackline.compiler.registry import KNOWN
from jackline.store import bus

VERB = Verb(
    group="Configure",
    order=80,
    brief="Begin a feature of this project: handler, knobs, page, test",
    authority="open",
)

FOLDER = ".ai/hooks/features"
NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
KIND = re.compile(r"[a-z][a-z0-9_]*")
LONGEST = 40
HEARS = "plan_accepted"

HOOK = '''\
"""{title}: answer what another feature announced. The agent hears of it once, and others find our own artifact."""

from __future__ import annotations

import os

from jackline.sdk import Action, Context, Event, hook, note
from jackline.services import artifacts


@hook(
    name="{name}",
    supports=["UserPromptSubmit", "PreToolUse", "PostToolUse"],
    priority=60,
    needs=["{hears}"],
    produces=["{made}"],
    services=["artifacts"],
)
def handle(event: Event, ctx: Context) -> Action | None:
    """None means no objection; `deny`, `ask`, `rewrite` and the other answers stand in `jackline.sdk`."""
    found = artifacts.newest(ctx.state, "{hears}", ctx.ids.work_id)
    if ctx.dry or found is None or ctx.state.get(ctx.slug, {{}}).get("seen") == found.id:
        return None
    words = str(ctx.config["say"]).replace("{{ref}}", found.ref)
    data = f"{{words}}\\n".encode()
    path = f"{{ctx.feature.output}}/answer.txt"
    os.makedirs(ctx.feature.output, exist_ok=True)
    with open(path, "wb") as file:
        file.write(data)
    answer = artifacts.described("{made}", ctx.paths.rel_ref(path), data, summary=words, depends=[found.id])
    return note(ctx.slug, words)._replace(state_patch={{ctx.slug: {{"seen": found.id}}}}, register_artifacts=(answer,))
'''

README = """\
# {name}

Tells the agent of each `{hears}` on the bus of its session, once, and announces `{made}` in answer.

Priority 60, not critical, UserPromptSubmit, PreToolUse and PostToolUse.

| knob | default | meaning |
| --- | --- | --- |
| `say` | `{say}` | what the agent reads; `{{ref}}` is the artifact's place |

It runs once a person trusts it (`jackline trust --diff`).
`jackline enable {name}` and `jackline disable {name}` switch it, and so does the flag `{flag}`.
"""

TEST = """\
import json
from pathlib import Path
from typing import Any

from hook import handle
from jackline.sdk import Context, Event, Ids

FOLDER = Path(__file__).parent
FOUND = {{"id": "0123456789ab", "ref": "work/w001/plan/planGraph.json", "work": "w001"}}


def context(folder: Path, state: dict[str, Any]) -> Context:
    knobs = json.loads((FOLDER / "defaults.json").read_text())
    ids = Ids("0badcafe", "w001", "u00", 1, "PreToolUse-1-0")
    return Context("{name}", ids, str(folder), str(folder), state, knobs, lambda: 0, later=[])


def test_an_artifact_is_answered_once(tmp_path: Path) -> None:
    state = {{"core": {{"latest": {{"{hears}": FOUND}}}}}}
    action = handle(Event("PreToolUse"), context(tmp_path, state))
    assert action is not None
    assert FOUND["ref"] in action.additional_context[0][1]
    assert [one["kind"] for one in action.register_artifacts] == ["{made}"]
    seen = {{**state, **(action.state_patch or {{}})}}
    assert handle(Event("PreToolUse"), context(tmp_path, seen)) is None


def test_without_an_artifact_it_is_silent(tmp_path: Path) -> None:
    assert handle(Event("PreToolUse"), context(tmp_path, {{}})) is None
"""

SAYS = "{ref} is there: read it before you go on"


def _json(value: object) -> str:
    return json.dumps(value, indent=2) + "\n"


def _knobs(name: str) -> str:
    say = {"description": "What the agent reads; {ref} is the artifact's place.", "type": "string"}
    schema = "https://json-schema.org/draft/2020-12/schema"
    known = {"$schema": schema, "title": f"Knobs of {name}", "type": "object", "properties": {"say": say}}
    return _json({**known, "additionalProperties": False})


def contents(name: str, hears: str) -> dict[str, str]:
    """The files of a new feature: it hears of artifacts of a kind, and answers."""
    made = f"{name.replace('-', '_')}_answer"
    title = name.replace("-", " ").capitalize()
    words = {"name": name, "title": title, "hears": hears, "made": made, "flag": flag_of(name), "say": SAYS}
    return {
        "hook.py": HOOK.format_map(words),
        "defaults.json": _json({"say": SAYS}),
        "knobs.schema.json": _knobs(name),
        "README.md": README.format_map(words),
        "test_hook.py": TEST.format_map(words),
    }


def _checked(name: str, hears: str) -> None:
    """UsageError for what can be no feature's name, or no kind of artifact."""
    if not NAME.fullmatch(name) or len(name) > LONGEST:
        raise click.UsageError(f"{name!r}: expected small letters, digits and single hyphens, as in `release-notes`")
    if name in KNOWN:
        raise click.UsageError(f"{name} is a feature of Jackline · jackline eject {name} copies it, to be changed")
    if not KIND.fullmatch(hears) or len(hears) > bus.KIND:
        raise click.UsageError(f"--hears {hears!r}: expected a kind of artifact, as in `plan_accepted`")


def write(root: str, name: str, files: dict[str, str]) -> str:
    """Write the folder, through no link and over nothing; its place in the project."""
    shown = f"{FOLDER}/{name}"
    if system.exists(f"{root}/{shown}"):
        raise click.ClickException(f"{shown} · it exists already · give it another name")
    try:
        at = system.descend(root, (*FOLDER.split("/"), name), create=True, uid=os.getuid())
        try:
            for base, said in files.items():
                system.replace(base, said.encode(), at=at, mode=0o644)
        finally:
            system.close(at)
    except OSError as fault:
        cure = "it must be a folder of yours, reached through no link"
        raise click.ClickException(f"{shown} · cannot be written ({fault.strerror}) · {cure}") from None
    return shown


def _say(printer: Printer, place: str, name: str) -> None:
    printer.line("wrote ", (place, "place"))
    lines = [
        ("look at it", f"$EDITOR {place}/hook.py"),
        ("try it", f"cd {place} && python -m pytest test_hook.py"),
        ("let it run", "jackline trust --diff"),
        ("switch it", f"jackline disable {name}, or {flag_of(name)} in .ai/config/hooks.runtime.json"),
    ]
    for what, words in lines:
        printer.line(text((f"{what:10}  ", "quiet")), words, indent=2)


@click.command(
    "new",
    cls=Command,
    shape={"path": "str", "name": "str", "hears": "str", "flag": "str"},
    examples=[
        ("jackline feature new release-notes", "into .ai/hooks/features/release-notes/"),
        ("jackline feature new next-pack --hears context_pack", "one that answers every context pack"),
    ],
)
@click.argument("name")
@click.option("--hears", metavar="KIND", default=HEARS, show_default=True, help="The kind of artifact it answers.")
@click.option("--json", "as_json", is_flag=True, help="What was written, as data.")
@pass_setting
def new(setting: Setting, name: str, hears: str, as_json: bool) -> int:
    """Write a new feature into .ai/hooks/features/: handler, knobs, page and test.

    It hears of artifacts on the bus and answers, runs once it is trusted, and is switched like ours: by `enable` and
    `disable`, by the manifest, or by a flag of its own name. Never overwrites anything.

    A guard, which judges calls, begins with one file instead: docs/writing-a-feature.md has it, and its test.
    """
    _checked(name, hears)
    place = write(str(setting.root), name, contents(name, hears))
    printer = Printer()
    if as_json:
        printer.data({"path": place, "name": name, "hears": hears, "flag": flag_of(name)})
    else:
        _say(printer, place, name)
    return DONE


@click.group(cls=Family, commands=[new], examples=[("jackline feature new release-notes", "begin one")])
def command() -> None:
    """Features of this project, in Python: begin a new one. docs/writing-a-feature.md says what they may do."""
