"""docs/intents.md, played: the file is written, commands are typed by whom the page says, edits meet what it shows."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

from cli.conftest import Desk, desk_of
from jackline.intents import CLOSED, OPEN
from jackline.intents.document import KEYS, document

from .blocks import Block, blocks, shows

PAGE = (Path(__file__).resolve().parents[2] / "docs/intents.md").read_text()


@pytest.fixture
def desk(tmp_path: Path, made_bundle: Path) -> Iterator[Desk]:
    yield desk_of(tmp_path, made_bundle)


def edited(desk: Desk, path: str) -> str:
    """The refusal of a write."""
    given = {"file_path": str(desk.root / path), "content": "text\n"}
    return desk.say(desk.payload("PreToolUse", tool_name="Write", tool_input=given, tool_use_id=path)).reason


def typed(desk: Desk, block: Block) -> str:
    """What the commands of a block print, as a terminal shows it."""
    out = ""
    for line in block.text.splitlines():
        if line.startswith("$ "):
            words = shlex.split(line[2:])[1:]
            code = 1 if "check" in words else 0
            done = desk.below_client(*words) if block.note == "agent" else desk.jackline(*words, code=code)
            out += f"{line}\n{done.out}{done.err}"
    return out


def test_the_page_is_what_happens(desk: Desk) -> None:
    (switch,) = [one for one in blocks(PAGE, "json") if '"modules"' in one.text]
    folder = desk.home / ".config/jackline"
    folder.mkdir(parents=True)
    (folder / "dispatch.manifest.json").write_text(switch.text)
    place = desk.root / ".orchestration"
    place.mkdir()
    (file,) = blocks(PAGE, "yaml")
    (place / "active_intents.yaml").write_text(file.text)
    desk.begin()
    played = 0
    for block in blocks(PAGE, "text", "console"):
        told = edited(desk, block.note.removeprefix("edit ")) if block.language == "text" else typed(desk, block)
        assert shows(block.text, told), f"line {block.line}:\n{block.text}\n---\n{told}"
        played += 1
        if block.note.startswith("edit") and played == 1:
            assert "NO_ACTIVE_INTENT" in told
    assert played >= 7
    assert desk.crashes() == []


def test_the_file_on_the_page_is_sound_and_every_key_and_status_is_named() -> None:
    (file,) = blocks(PAGE, "yaml")
    found = document(file.text.encode())
    assert (found.faults, found.notes) == ((), ())
    for word in (*KEYS, *OPEN, *CLOSED):
        assert f"`{word}`" in PAGE, word
