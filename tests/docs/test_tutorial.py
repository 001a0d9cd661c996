"""docs/tutorial.md in one sitting, from `jackline init` to `jackline uninstall`, on a fresh machine."""

from __future__ import annotations

import json
from pathlib import Path

from docs.blocks import blocks, shows
from docs.machine import Machine
from docs.regions import REPO

PAGE = REPO / "docs/tutorial.md"


def agree(machine: Machine) -> str:
    """`jackline trust` and a yes: without a terminal both are said at once."""
    digest = json.loads(machine.run("jackline trust --json", code=1))["digest"]
    return machine.run(f"jackline trust --yes {digest}")


def test_the_tutorial_is_played_from_its_first_line_to_its_last(tmp_path: Path) -> None:
    machine = Machine(tmp_path)
    machine.run("pip install .")
    before = machine.files()
    said, ran, shown = "", 0, 0
    for block in blocks(PAGE.read_text(), "sh", "python", "output"):
        if block.language == "output":
            assert shows(block.text, said), f"tutorial.md:{block.line}\n{said}"
            shown += 1
        elif "/" in block.note:
            place = machine.project / block.note
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(block.text)
        elif block.note == "person":
            assert block.text == "jackline trust\n"
            said = agree(machine)
        else:
            if "jackline log" in block.text:
                assert machine.event("PreToolUse", tool_name="Bash", tool_input={"command": "ls"}, tool_use_id="1")
            said = machine.run(block.text, code=1 if block.note == "fails" else 0)
            ran += 1
    assert (ran, shown) == (7, 4)
    left = [name for name in machine.files() if not name.startswith(".local/state/jackline/") and name != "claude"]
    assert left == before, "uninstall gives every file back"
