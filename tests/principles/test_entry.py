"""A sample of every table through the installed entry: each call a real process below a client, the verdict the same.

The client is a process named `claude` below a shell below a terminal's server, as `world.ABOVE` has them; it runs the
line that `jackline init` wrote into its settings.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import jackline
from once import sitecustomize

from .case import Case
from .classes import sample
from .tables import NAMES, table
from .world import ABOVE, FILES, World

ATTACKS, INNOCENT = 15, 9
"""Rows of each table: one of each class at least."""
PACKAGE = Path(jackline.__file__).parent
GUARDS_ALONE = {name: {"enabled": False} for name in ("graph-pretooluse", "planGraph-exec")}
LOOP = 'echo $$ $PPID; while IFS= read -r line; do eval "$line"; echo $?; done; exit 0'
BELOW = '"$@"; exit $?'


class Machine(World):
    """A world in which Jackline is installed for a client, which runs."""

    def __init__(self, base: Path, made: Path) -> None:
        super().__init__(base)
        shutil.rmtree(self.store)
        shutil.copytree(made, self.store, copy_function=os.link)
        self.store.chmod(0o700)
        self.package = self.places["P"] = PACKAGE
        user = {"version": 1, "modules": GUARDS_ALONE}
        self._write(self.home / ".config/jackline/dispatch.manifest.json", json.dumps(user))
        self._init(made)
        loaded = self.store / "loaded"
        found = loaded.read_text()
        loaded.unlink()  # all tests share the bundle's files
        loaded.write_text(found + self.spell(FILES["S/loaded"]))
        settings = json.loads((self.home / ".claude/settings.json").read_text())
        self.entry: str = settings["hooks"]["PreToolUse"][0]["hooks"][0]["command"]
        self.calls = 0
        self._client(base)
        assert self.entered(Case("", "", "", "ls")) == "pass"

    def _init(self, made: Path) -> None:
        here = {"PYTHONPATH": f"{PACKAGE.parent}:{Path(sitecustomize.__file__).parent}", sitecustomize.MADE: str(made)}
        words = ["init", "--client", "claude-code", "--scope", "user", "--yes"]
        subprocess.run(
            [sys.executable, "-m", "jackline.cli", *words], cwd=self.home.parent, env={**self.env(), **here},
            stdin=subprocess.DEVNULL, capture_output=True, check=True,
        )  # fmt: skip

    def _client(self, base: Path) -> None:
        """The three processes of `ABOVE`, no children of ours."""
        for name in ("given", "told"):
            os.mkfifo(base / name)
        words: list[str] = []
        for one in reversed(ABOVE):
            shutil.copy("/bin/sh", base / one.name)
            words += [str(base / one.name), "-c", LOOP if one is ABOVE[0] else BELOW, one.words[0]]
        line = f"{shlex.join(words)} <given >told &"
        subprocess.run(["sh", "-c", line], cwd=base, env=self.env(), check=True, start_new_session=True)
        self.given, self.told = (base / "given").open("wb", buffering=0), (base / "told").open("rb")
        client, shell = self.told.readline().decode().split()
        server = Path(f"/proc/{shell}/stat").read_text().rpartition(")")[2].split()[1]
        self.numbers = dict(zip([str(one.pid) for one in ABOVE], (client, shell, server), strict=True))

    def entered(self, case: Case) -> str:
        """What the client reads from the entry that it runs."""
        self.calls += 1
        path = self.home.parent / f"call{self.calls}"
        text = json.dumps({**self.payload(case), "tool_use_id": f"t{self.calls}"})
        path.write_text(re.sub("|".join(self.numbers), lambda found: self.numbers[found[0]], text))
        words = [f"{name}={self.spell(value)}" for name, value in case.env]
        line = f"cd {self.root}; {shlex.join(['env', *words, 'sh', '-c', self.entry])} <{path} >{path}.said 2>&1"
        self.given.write(f"{line}\n".encode())
        assert self.told.readline() == b"0\n", case
        body = json.loads(Path(f"{path}.said").read_text())
        return str(body.get("hookSpecificOutput", {}).get("permissionDecision", "pass"))

    def end(self) -> None:
        self.given.close()
        self.told.close()
        super().end()


@pytest.fixture(scope="module")
def machine(tmp_path_factory: pytest.TempPathFactory, made_bundle: Path) -> Iterator[Machine]:
    with pytest.MonkeyPatch.context() as patch:
        made = Machine(tmp_path_factory.mktemp("entry").resolve(), made_bundle)
        patch.setenv("HOME", str(made.home))
        yield made
        assert list((made.store / "crash").glob("*")) == []
        made.end()


@pytest.mark.parametrize("name", NAMES)
def test_the_entry_says_what_the_guards_say(machine: Machine, name: str) -> None:
    found = table(name)
    for case in (*sample(found.ATTACKS, ATTACKS), *sample(found.INNOCENT, INNOCENT)):
        with machine.written(case):
            said = machine.entered(case)
        assert said == machine.decide(case), case
