"""Commands as JSON in, what the guard says as JSON out: one, or a line each for as long as lines come."""

from __future__ import annotations

import gc
import json
import os
import sys
from collections.abc import Callable, Iterator, Mapping
from json.encoder import encode_basestring_ascii as quoted
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from jackline import host
from jackline.cli.parts.exits import DONE, WRONG
from jackline.compiler.places import json_fault
from jackline.features.command_guard import guard
from jackline.features.command_guard.judge import Ruling
from jackline.features.command_guard.packs import BY_PROGRAM, withheld
from jackline.repository import project_root
from jackline.runtime.hook_table_cache import hook_table
from jackline.runtime.request import Store
from jackline.shell.effects import LANGUAGES, effects
from jackline.shell.model import Effect, Effects
from jackline.shell.screen import cleared
from jackline.surroundings import recorded_folder

if TYPE_CHECKING:
    from io import BufferedIOBase

    from jackline.cli.parts.setting import Setting
    from jackline.features.command_guard.places import Ground
    from jackline.shell.model import Seen

SLUG = "command-guard"
SHOWN = 64
"""Effects of one command that are shown."""

LONGEST = 1 << 23
"""Bytes of one line of input: a command of a megabyte, every character escaped, and room."""

CHUNK = 1 << 16
SWEPT = 1 << 20
"""Bytes that are read at once; those after which circles among objects are looked for, any line taken for 2,048."""


class Asked(NamedTuple):
    """One command to be judged, where it would run, and the shell that would read it."""

    command: str
    cwd: str
    root: str
    home: str
    shell: str = "bash"


class Batch:
    """What lines that came together share, so that it is asked for once: they are judged at one moment.

    `seen`: paths, as they were resolved; `roots`: a folder's repository; `grounds`: where things lie for a place.
    """

    __slots__ = ("grounds", "roots", "seen")

    def __init__(self) -> None:
        self.seen: Seen = {}
        self.roots: dict[str, str] = {}
        self.grounds: dict[tuple[str, str, str], Ground] = {}

    def ends(self) -> None:
        """We wait for more lines, and meanwhile anything may change."""
        self.seen.clear()
        self.roots.clear()
        self.grounds.clear()

    def root(self, cwd: str) -> str:
        """The repository a folder is in, else the folder."""
        found = self.roots.get(cwd)
        if found is None:
            found = self.roots[cwd] = project_root(cwd, host.home(), os.getuid())
        return found

    def ground(self, asked: Asked, knobs: Knobs) -> Ground:
        place = asked[1:4]
        found = self.grounds.get(place)
        if found is None:
            found = self.grounds[place] = guard.ground_of(*place, knobs.config, knobs.temporary, self.seen)
        return found


class Knobs(NamedTuple):
    """How it is judged: the knobs of this project, the preset, the day."""

    config: Mapping[str, Any]
    preset: str
    date: str
    temporary: str


def _defaults() -> dict[str, Any]:
    folder = Path(guard.__file__).parent
    found: dict[str, Any] = json.loads((folder / "defaults.json").read_text())
    return found


def knobs_of(setting: Setting, preset: str | None, packs: tuple[str, ...]) -> Knobs:
    """The knobs as the next event would find them; the command line's preset and packs on top."""
    table = hook_table(Store(str(setting.store), dry=True), str(setting.root))
    row = table.row(SLUG)
    config = dict(row.config) if row is not None else _defaults()
    if packs:
        config["packs"] = [*(config.get("packs") or ()), *packs]
    named = preset or guard.preset_of(config, table.paranoid)
    return Knobs(
        config, named, guard.today(host.now() // 1_000_000), recorded_folder(str(setting.store), "temporary") or "/tmp"
    )


def judged(asked: Asked, knobs: Knobs, batch: Batch) -> tuple[Effects, Ruling]:
    command, cwd, root, home, shell = asked
    language = LANGUAGES[shell]
    if cleared(command, language) and not knobs.config.get("rules"):
        return NOTHING
    variables = {"HOME": home, "TMPDIR": knobs.temporary}
    found = effects(command, cwd, variables, root, language, batch.seen, 0, alone=True)
    ground = batch.ground(asked, knobs)
    return found, guard.rule_on(command, found, ground, knobs.config, knobs.preset, knobs.date)


NOTHING = (Effects(), Ruling())


def _effect(effect: Effect) -> str:
    made = f'{{"kind":"{effect.kind}"'
    if effect.path:
        made += f',"path":{quoted(effect.path)}'
    if effect.act:
        made += f',"act":{quoted(effect.act)}'
    if effect.note:
        made += f',"how":{quoted(effect.note)}'
    if effect.program:
        made += f',"program":{quoted(effect.program)}'
    return made + (',"deep":true}' if effect.deep else "}")


def pack_for(found: Effects, made: Ruling, knobs: Knobs) -> str:
    """The pack that would have asked, had it been chosen; "" where something else did, or none would."""
    if made.decision != "allow" or BY_PROGRAM.keys().isdisjoint([one.program for one in found.commands]):
        return ""
    return withheld(found, knobs.config.get("packs") or ())


def _written(found: Effects, made: Ruling, knobs: Knobs) -> str:
    """The answer as JSON, put together by hand: an encoder needs twice as long."""
    rows = ",".join([_effect(one) for one in found.effects[:SHOWN]])
    if "\\u0000" in rows:
        rows = ",".join([_effect(_told(one)) for one in found.effects[:SHOWN]])
    pack = pack_for(found, made, knobs)
    return (
        f'{{"decision":"{made.decision}","risk":"{made.risk}","rule":{quoted(made.rule)}'
        f',"reason":{quoted(made.reason)},"safer":{quoted(made.safer)}'
        f',"understood":{"true" if found.understood else "false"},"effects":[{rows}]'
    ) + (f',"pack":{quoted(pack)}}}' if pack else "}")


def _told(effect: Effect) -> Effect:
    """With a sign for what only the shell knows."""
    shown = {name: getattr(effect, name).replace("\0", "…") for name in ("path", "act", "note", "program")}
    return effect._replace(**shown)


def _value(raw: str) -> Any:
    """One JSON document."""
    try:
        value, end = _scan(raw, 0)
        if end == len(raw):
            return value
    except (StopIteration, ValueError):
        pass  # blanks around it, or none: that is told by
    try:
        return json.loads(raw)
    except json.JSONDecodeError as fault:
        said, at = json_fault(fault)
        raise ValueError(f"no JSON: {said}, at character {at + 1}") from None


_scan: Callable[[str, int], tuple[Any, int]] = json.JSONDecoder().scan_once  # type: ignore[attr-defined]


def _folder(value: Mapping[str, Any], key: str) -> str:
    """A folder that a line names, "" for none: written out from the root, since a line stands nowhere."""
    given = value.get(key)
    if given is None or given == "":
        return ""
    if not isinstance(given, str):
        raise ValueError(f"{key}: expected a text, got {json.dumps(given)[:SHOWN]}")
    if given[:1] != "/" or "\0" in given:
        raise ValueError(f"{key}: expected an absolute path, got {json.dumps(given)[:SHOWN]}")
    return given


def _asked(raw: str, place: Asked, batch: Batch) -> Asked:
    value = _value(raw)
    if not isinstance(value, dict) or not isinstance(command := value.get("command"), str):
        raise ValueError('expected {"command": …, "shell": …, "cwd": …, "project_root": …, "home": …}')
    shell = value.get("shell") or place.shell
    if not isinstance(shell, str) or shell not in LANGUAGES:
        raise ValueError(f"shell: expected one of {' '.join(LANGUAGES)}, got {json.dumps(shell)[:SHOWN]}")
    cwd, root, home = _folder(value, "cwd"), _folder(value, "project_root"), _folder(value, "home")
    if not root:
        root = place.root if not cwd or cwd == place.cwd else batch.root(cwd)
    return Asked(command, cwd or place.cwd, root, home or place.home, shell)


def lines_of(stream: BufferedIOBase, wait: Callable[[], object]) -> Iterator[bytes | None]:
    """The lines as they come; None for one that is longer than anybody's command, which is skipped.

    `wait` is called before we read on, when every line that came was given.
    """
    held: list[bytes] = []
    size = 0
    while wait() or (chunk := stream.read1(CHUNK)):
        *whole, last = chunk.split(b"\n")
        for piece in whole:
            if not held:
                yield piece if size + len(piece) < LONGEST else None
            else:
                yield b"".join([*held, piece]) if size + len(piece) < LONGEST else None
            held, size = [], 0
        size += len(last)
        if size >= LONGEST:
            held = []
        elif last:
            held.append(last)
    if size:
        yield b"".join(held) if size < LONGEST else None


def asked_in(raw: str, here: Asked) -> Asked:
    """What one document asks. ValueError when it is none that asks something."""
    return _asked(raw, here, Batch())


def answer_to(asked: Asked, knobs: Knobs) -> str:
    """The answer to one command, as JSON."""
    return _written(*judged(asked, knobs, Batch()), knobs)


def answers_to(stream: BufferedIOBase, knobs: Knobs, here: Asked) -> int:
    """One line in, one line out, for as long as lines come.

    What is loaded stays, and a line leaves few circles: they are collected every few hundred lines.
    """
    gc.freeze()
    gc.disable()
    try:
        return _each(stream, knobs, here)
    finally:
        gc.enable()
        gc.unfreeze()


def _each(stream: BufferedIOBase, knobs: Knobs, here: Asked) -> int:
    code, bulk, out, batch = DONE, 0, sys.stdout, Batch()
    told: list[str] = []

    def wait() -> None:
        out.write("".join(told))  # at once: Python may be told to write each line by itself
        told.clear()
        out.flush()
        batch.ends()

    try:
        for number, raw in enumerate(lines_of(stream, wait), 1):
            bulk += len(raw or b"") + SWEPT // 512
            if bulk > SWEPT:
                bulk = 0
                gc.collect()
                gc.freeze()  # what is left was loaded meanwhile, and is not looked through again
            if raw is not None and not raw.strip():
                continue
            try:
                if raw is None:
                    raise ValueError(f"longer than {LONGEST} bytes")
                made = _written(*judged(_asked(raw.decode(), here, batch), knobs, batch), knobs)
            except (ValueError, RecursionError) as fault:
                code, made = WRONG, f'{{"error":{quoted(f"line {number} · {fault}")}}}'
            told.append(made + "\n")
    finally:
        wait()
    return code


def place_of(setting: Setting, shell: str = "bash") -> Asked:
    return Asked("", os.getcwd(), str(setting.root), os.path.expanduser("~"), shell)
