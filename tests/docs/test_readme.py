"""The README says what is so: its commands run, in its order, and say what it shows."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from docs.blocks import blocks, shows
from docs.machine import Machine
from docs.regions import REPO

README = REPO / "README.md"


@pytest.fixture(scope="module")
def machine(tmp_path_factory: pytest.TempPathFactory) -> Machine:
    return Machine(tmp_path_factory.mktemp("readme"))


def test_every_command_of_the_readme_runs_and_says_what_is_shown(machine: Machine) -> None:
    """From `pip install` to `uninstall`, as one sitting on a fresh machine."""
    before = machine.files()
    said = ""
    ran = 0
    for block in blocks(README.read_text(), "sh", "output"):
        if block.language == "output":
            assert shows(block.text, said), f"README.md:{block.line}\n{said}"
            continue
        if "jackline log" in block.text:  # "after the first event"
            told = machine.event(
                "PreToolUse", tool_name="Bash", tool_input={"command": "grep -rn TODO ."}, tool_use_id="1"
            )
            narrowed = "grep -m 50 --exclude-dir=.ai -rn TODO ."  # the word that the README's example looks for
            assert json.loads(told)["hookSpecificOutput"]["updatedInput"] == {"command": narrowed}
        said = machine.run(block.text)
        if "jackline log" in block.text:
            assert "grep -rn TODO ." in said
            assert "claude-code" in said
        ran += 1
    assert ran >= 5
    store = ".local/state/jackline/"
    left = [name for name in machine.files() if not name.startswith(store) and name != "claude"]
    assert left == before, "uninstall gives every file back"


def test_the_feature_of_the_readme_works(machine: Machine) -> None:
    """The example goes where the README says, and refuses once it is trusted."""
    if not (machine.prefix / "bin/jackline").exists():
        machine.run("pip install .")
    example = next(block for block in blocks(README.read_text(), "python") if "@hook" in block.text)
    place = machine.project / ".ai/hooks/features/no-migrate/hook.py"
    place.parent.mkdir(parents=True)
    place.write_text(example.text)
    call = '{"tool_name": "Bash", "tool_input": {"command": "make migrate"}}'
    attempt = f"echo '{call}' | jackline try claude-code PreToolUse"
    assert "no migrations" not in machine.run(attempt), "nothing of a repository runs before it is trusted"
    digest = json.loads(machine.run("jackline trust --json", code=1))["digest"]
    machine.run(f"jackline trust --yes {digest}")
    said = machine.run(attempt)
    assert "verdict  deny" in said
    assert "ask a person to run it" in said


def test_links_in_the_readme_name_make_targets_that_exist() -> None:
    """`make demo` and `make test` are in the Makefile, each with what it does."""
    makefile = Path(REPO / "Makefile").read_text()
    for target in ("demo", "test"):
        assert f"`make {target}`" in README.read_text()
        assert f"\n{target}:" in makefile


@pytest.mark.parametrize(
    ("shown", "said", "fits"),
    [
        ("a\n", "a\n", True),
        ("a\n", "a\nb\n", False),
        ("a\n…\n", "a\nb\nc\n", True),
        ("…\nc\n", "a\nb\nc\n", True),
        ("a … c\n", "a b c\n", True),
        ("a … c\n", "a b d\n", False),
        ("…\nx\n", "a\nb\n", False),
    ],
)
def test_shown_output_is_compared_line_by_line(shown: str, said: str, fits: bool) -> None:
    assert shows(shown, said) is fits
