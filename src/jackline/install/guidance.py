"""What a project tells its agents: the texts of its system nodes as one managed block in AGENTS.md and CLAUDE.md.

Which blocks we wrote is remembered in the store: a file is only touched when there is a text, or a block of ours.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any, NamedTuple

from jackline import file_stat, system
from jackline.clients.specs import SPECS
from jackline.hook_table import HookTable
from jackline.install import files, textblock
from jackline.install.fault import InstallError
from jackline.scripts.untrusted import untrusted_keys

_SHARED = {one.habits.instructions for one in SPECS.values() if one.installed and not one.installed.isolated}
NAMES = tuple(sorted(_SHARED - {""}))
OWN = tuple(sorted({one.habits.instructions for one in SPECS.values()} - {"", *_SHARED}))
"""Files that one client reads: texts go there where a project has them."""
FORMAT = 1
BOOK = "guidance.json"
WAIT_MS = 5_000


class Block(NamedTuple):
    """A block of ours: in which project, whether we made its file, what stands before it, what it held last."""

    root: str
    made: bool
    gap: str
    body: str


class Done(NamedTuple):
    """What happened to the files of one project, and what could not be done."""

    changed: tuple[str, ...] = ()
    faults: tuple[str, ...] = ()


def load(store: Path) -> dict[str, Block]:
    """Every block by the file it stands in; none when the book is broken: blocks are known by their marks."""
    try:
        raw: Any = json.loads(system.read(str(store / BOOK)))
        if raw["v"] > FORMAT:
            raise InstallError(str(store / BOOK), "written by a newer Jackline", "update this Jackline")
        return {path: Block(one["root"], one["made"], one["gap"], one["body"]) for path, one in raw["blocks"].items()}
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return {}


def written(store: Path) -> list[str]:
    """The files with a block of ours that nobody wrote after us."""
    blocks = load(store)
    if not blocks:
        return []
    last = file_stat.of(str(store / BOOK))[1]
    return [path for path in blocks if file_stat.of(path)[1] <= last]


def _save(store: Path, blocks: dict[str, Block]) -> None:
    path = store / BOOK
    if not blocks:
        system.unlink(str(path))
        return
    rows = {name: blocks[name]._asdict() for name in sorted(blocks)}
    data = json.dumps({"v": FORMAT, "blocks": rows}, indent=1).encode() + b"\n"
    if not path.exists() or system.read(str(path)) != data:
        system.replace(str(path), data)


def _targets(root: str) -> tuple[list[Path], list[str]]:
    """The files to write, each once, as links inside the project lead; and why one is left alone."""
    found: list[Path] = []
    faults = []
    base = os.path.realpath(root)
    for name in (*NAMES, *[one for one in OWN if os.path.exists(f"{base}/{one}")]):
        real = os.path.realpath(f"{base}/{name}")
        if not real.startswith(base + "/"):
            faults.append(f"{name} · a link out of the project, which is not followed · make it a file")
        elif Path(real) not in found:
            found.append(Path(real))
    return found, faults


def _put(path: Path, root: str, inner: str, old: Block | None) -> tuple[Block, bool]:
    data = files.read(path)
    text = textblock.decode(data or b"")
    if text is None:
        raise InstallError(str(path), "is no UTF-8 text", "save it as UTF-8")
    made = textblock.put(text, inner, old.body if old else "")
    block = Block(root, data is None or (old.made if old else False), made.gap or (old.gap if old else ""), inner)
    if textblock.encode(made.text) == data:
        return block, False
    files.write(path, textblock.encode(made.text))
    return block, True


def _take(path: Path, block: Block) -> bool:
    """Take our block out of a file; a file that we made goes when nothing else is in it."""
    data = files.read(path)
    text = textblock.decode(data) if data is not None else None
    if text is None or not textblock.has(text):
        return False
    rest = textblock.take_out(text, block.gap, block.body)
    if block.made and not rest.removeprefix(textblock.BOM).strip():
        files.delete(path, [])
    else:
        files.write(path, textblock.encode(rest))
    return True


def _drop(blocks: dict[str, Block], names: list[str]) -> Done:
    changed, faults = [], []
    for name in names:
        try:
            if _take(Path(name), blocks[name]):
                changed.append(name)
            del blocks[name]
        except InstallError as fault:
            faults.append(str(fault))
    return Done(tuple(changed), tuple(faults))


def _locked(store: Path) -> int:
    held = system.lock(str(store / "guidance.lock"), WAIT_MS)
    if held < 0:
        raise InstallError(str(store / "guidance.lock"), "another process writes it", "wait, then run again")
    return held


def keep(table: HookTable, store: Path) -> Done:
    """Make the block of `table`'s project hold the texts that are trusted; without any, take it out again.

    While texts wait for trust, what stands there stays.
    """
    root = table.root
    inner = textblock.body([text for _, text in table.guidance()]) if root else ""
    if not root or (not inner and (not (store / BOOK).exists() or untrusted_keys(table, "system"))):
        return Done()
    held = _locked(store)
    try:
        blocks = load(store)
        targets, faults = _targets(root) if inner else ([], [])
        spare = [name for name, block in blocks.items() if block.root == root and Path(name) not in targets]
        done = _drop(blocks, spare)
        changed = [*done.changed]
        for path in targets:
            try:
                blocks[str(path)], new = _put(path, root, inner, blocks.get(str(path)))
            except InstallError as fault:
                faults.append(str(fault))
                continue
            changed += [str(path)] if new else []
        _save(store, blocks)
        return Done(tuple(changed), (*faults, *done.faults))
    finally:
        system.close(held)


def remove(store: Path, root: Path | None = None) -> Done:
    """Take every block out (with `root`: those of one project)."""
    if not (store / BOOK).exists():
        return Done()
    held = _locked(store)
    try:
        blocks = load(store)
        done = _drop(blocks, [name for name, block in blocks.items() if root is None or block.root == str(root)])
        _save(store, blocks)
        return done
    finally:
        system.close(held)
