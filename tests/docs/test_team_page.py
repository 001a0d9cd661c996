"""docs/team.md is played line by line: Ann commits, Ben pulls, his agent calls, and all say what the page shows."""

from __future__ import annotations

import re
import shlex
import subprocess
from pathlib import Path

import pytest

from docs.blocks import blocks
from docs.regions import REPO
from docs.workshop import Workshop, held

STEP = re.compile(r"^(ann\$|ben\$|ben»)\s(.+)$", re.MULTILINE)
HOOK = """#!/bin/sh
#---
# events: PreToolUse
# tools: kind:shell
# block: true
#---
! grep -q 'make migrate' || { echo 'no migrations from an agent' >&2; exit 2; }
"""


class Team(Workshop):
    """Ben's machine, with a clone in his home folder; Ann's clone, and what both push to, beside it."""

    def __init__(self, folder: Path, made: Path) -> None:
        super().__init__(folder, made)
        self.env |= {"GIT_CONFIG_GLOBAL": "/dev/null", "COLUMNS": "100"}
        remote, self.ann = folder / "remote.git", folder / "ann"
        self.git("init", "-q", "--bare", "-b", "main", str(remote))
        self.git("push", "-q", str(remote), "main")
        self.root = self.home / "proj"
        for clone in (self.ann, self.root):
            subprocess.run(["git", "clone", "-q", remote, clone], env=self.env, check=True)
        self.hooks = self.root / ".ai/hooks"
        script = self.ann / ".ai/hooks/scripts/no-migrate.sh"
        script.parent.mkdir(parents=True)
        script.write_text(HOOK)
        script.chmod(0o755)

    def call(self, command: str) -> str:
        """One call of the agent, to its end; what became of it and what the person is told."""
        payload = self.tool(command)
        said = self.say(payload)
        if said.decision in ("", "allow"):
            self.say({**payload, "hook_event_name": "PostToolUse", "tool_response": {"stdout": "", "stderr": ""}})
        reason = said.reason.split("\n")[0].removesuffix(" — refused by script no-migrate").split(" — ")[0]
        what = {"deny": f"denied: {reason}", "ask": f"asked: {reason}"}.get(said.decision, "passes")
        told = str(said.body.get("systemMessage", ""))
        return "\n".join([what, *[f"told: {line}" for line in told.split("\n") if line]])

    def types(self, command: str) -> str:
        """What a person types; `trust` at a terminal, with a yes."""
        folder = self.root
        if command.startswith("cd "):
            inner, _, command = command[3:].partition(" && ")
            folder = folder / inner
        words = shlex.split(command)
        if words[0] != "jackline":
            return self.shell(command, code=None)
        if "trust" not in words:
            return self.jackline(*words[1:], code=1 if "--check" in words else 0, cwd=folder).out
        return self.agrees(words[1:], folder)

    def agrees(self, words: list[str], folder: Path) -> str:
        root, self.root = self.root, folder
        try:
            said = self.typed(*words, keys=b"y\n").out
        finally:
            self.root = root
        assert said.startswith("y\n"), said  # what the terminal echoes before anybody reads
        return said.removeprefix("y\n").replace("[y/N] ", "[y/N] y\n")


@pytest.fixture
def team(tmp_path: Path, made_bundle: Path) -> Team:
    return Team(tmp_path / "machine", made_bundle)


def test_the_page_is_what_happens(team: Team) -> None:
    for block in blocks((REPO / "docs/team.md").read_text(), "text"):
        steps = [*STEP.finditer(block.text)]
        assert steps and steps[0].start() == 0
        for at, step in enumerate(steps):
            end = steps[at + 1].start() if at + 1 < len(steps) else len(block.text)
            expected, who, what = block.text[step.end() : end].strip("\n"), step[1], step[2]
            if who == "ann$":
                done = subprocess.run(
                    ["/bin/sh", "-ec", what], cwd=team.ann, env=team.env, capture_output=True, text=True
                )
                said = done.stdout + done.stderr
                assert done.returncode == 0, said
            else:
                said = team.call(what) if who == "ben»" else team.types(what)
            held(expected, said.strip("\n"))
