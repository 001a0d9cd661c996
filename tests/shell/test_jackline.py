"""`jackline lock run` runs what stands behind its key: every guard sees that command."""

from __future__ import annotations

from pathlib import Path

import pytest

from jackline.changes import Terms, changes, is_only_ours
from jackline.model import Event

CARRIERS = (
    "jackline lock run db -- {}",
    "jackline lock run db {}",
    "jackline lock run --minutes 5 --wait=3 db -- {}",
    "jackline lock run --agent a01 --session 0badcafe db -- {}",
    "jackline --here lock run db -- {}",
    "python3 -m jackline lock run db -- {}",
    "timeout 9 jackline lock run db -- {}",
    "jackline lock run a -- jackline lock run b -- {}",
    "jackline lock run db -- sh -c '{}'",
)


def event(root: Path, command: str) -> Event:
    return Event("PreToolUse", tool="Bash", kind="shell", command=command, cwd=str(root), root=str(root))


@pytest.mark.parametrize("carrier", CARRIERS)
def test_the_command_is_judged_as_if_it_stood_alone(tmp_path: Path, carrier: str) -> None:
    for command in ("rm -rf src", "touch a.py", "git push --force", "jackline approve 12"):
        alone, carried = event(tmp_path, command), event(tmp_path, carrier.format(command))
        assert carried.effects.effects == alone.effects.effects
        assert changes(carried, Terms()) == changes(alone, Terms())
        words = tuple(command.split())
        assert [one.words for one in carried.effects.commands if one.words == words] == [words]
    assert not is_only_ours(event(tmp_path, carrier.format("touch a.py")))


@pytest.mark.parametrize("option", ["-C sub", "-Csub"])
def test_it_runs_in_the_folder_that_is_named(tmp_path: Path, option: str) -> None:
    [effect] = event(tmp_path, f"jackline {option} lock run db -- touch a.py").effects.effects
    assert effect.path == f"{tmp_path}/sub/a.py"


@pytest.mark.parametrize("command", ["jackline lock list", "jackline lock list --session 0badcafe --json"])
def test_a_list_runs_nothing(tmp_path: Path, command: str) -> None:
    assert is_only_ours(event(tmp_path, command))
    assert changes(event(tmp_path, command), Terms()).unsure == ""
