"""Kill doors at random moments and hold the session to what must survive: log, state, and the next event's answer.

Usage: python tests/crash/kills.py [COUNT]        prints `kills: N` and ends with 1 when something is broken

Several doors run at once; each is killed (SIGKILL) after a random part of a door's life. A kill counts only when it
took a running door. Sessions are begun, agents named, prompts counted and hook tables compiled under the knife too.
"""

from __future__ import annotations

import json
import os
import random
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, NamedTuple

if __name__ == "__main__":
    sys.path[:0] = [str(Path(__file__).parent.parent), str(Path(__file__).parents[2] / "src")]

from jackline.compiler.bundle import build
from jackline.store.journal import parse
from jackline.store.reducer import fold
from scene import Scene, audit, settled

AT_ONCE = 4
SESSION = 150
"""Kills after which a new session begins."""
CHECK = 40
"""Doors between two looks at what is left."""
MINUTES = 4.0


class Broken(AssertionError):
    """Something that a kill must not do."""


class Count(NamedTuple):
    """What a run came to."""

    kills: int
    doors: int
    torn: int
    orphans: int
    seconds: float

    def __str__(self) -> str:
        return (
            f"kills: {self.kills} (of {self.doors} doors in {self.seconds:.0f} s; "
            f"torn lines: {self.torn}, files left beside: {self.orphans})"
        )


class Knife:
    """One machine and its sessions under fire."""

    def __init__(self, folder: Path, made: Path, seed: int) -> None:
        self.scene = Scene(folder / "machine", made)
        self.chance = random.Random(seed)
        self.files = folder / "payloads"
        self.files.mkdir()
        self.number = self.kills = self.doors = 0
        self.life = 0.03

    def payload(self) -> dict[str, Any]:
        """Any event of a session; one in six is large enough to cross pages."""
        scene, chance = self.scene, self.chance
        self.number += 1
        text = "x" * (chance.choice((5000, 9000)) if self.number % 6 == 0 else 10)
        agent = {"agent_id": f"agent-{chance.randrange(12)}", "agent_type": "explore"}
        call = {"tool_use_id": f"call-{self.number}"}
        made: list[dict[str, Any]] = [
            scene.payload("UserPromptSubmit", prompt=text),
            scene.payload("UserPromptSubmit", prompt=text),
            scene.tool(f"echo {text}", **call),
            scene.tool(f"echo {text}", **call, **agent),
            scene.tool(f"echo {text}", "PostToolUse", **call),
            scene.payload("SubagentStart", **agent),
            scene.payload("Stop", stop_hook_active=False),
            scene.payload("SessionStart", source="resume"),
        ]
        return chance.choice(made)

    def start(self, payload: dict[str, Any]) -> subprocess.Popen[bytes]:
        file = self.files / f"{self.number % 64}.json"
        file.write_text(json.dumps(payload))
        with file.open("rb") as given:
            return self.scene.start(
                payload["hook_event_name"], stdin=given, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
            )

    def batch(self) -> None:
        """Some doors at once, each killed at its own moment."""
        begun = time.monotonic()
        doors = [
            (time.monotonic() + self.life * self.chance.triangular(0, 1.2, 0.85), self.start(self.payload()))
            for _ in range(AT_ONCE)
        ]
        for moment, door in sorted(doors, key=lambda one: one[0]):
            time.sleep(max(moment - time.monotonic(), 0))
            door.send_signal(signal.SIGKILL)
        for _, door in doors:
            self.kills += door.wait(30) == -signal.SIGKILL
        self.doors += AT_ONCE
        if time.monotonic() - begun > 20:
            raise Broken("a door hung")

    def measure(self) -> None:
        """How long a door lives here and now, with its neighbours."""
        times = []
        for _ in range(3):
            begun = time.monotonic()
            for door in [self.start(self.payload()) for _ in range(AT_ONCE)]:
                door.wait(30)
            times.append(time.monotonic() - begun)
        self.life = statistics.median(times)

    def check(self) -> None:
        """The next event is answered, nothing whole was lost, and the snapshot is the fold of the log."""
        scene = self.scene
        said = scene.prompt("still there?")
        if said.decision or said.body.get("decision"):
            raise Broken(f"refused after a kill: {said}")
        folder = scene.place_of(scene.session)
        records = audit(folder, torn=self.kills)
        if records[-1]["kind"] != "STATE_PATCH" or records[-1]["event"] != "UserPromptSubmit":
            raise Broken(f"the event after a kill is not in the log: {records[-1]}")
        if settled(scene.state(folder)) != settled(fold(records)):
            raise Broken(f"the state is not the fold of the log\n{scene.state(folder)}\n{fold(records)}")
        turns = [row["data"]["turnId"] for row in records if row["kind"] == "TURN_INCREMENT"]
        if len(turns) != len(set(turns)):
            raise Broken("a turn was counted twice")

    def run(self, count: int, limit: float) -> Count:
        begun = time.monotonic()
        while self.kills < count:
            if time.monotonic() - begun > limit:
                raise Broken(f"only {self.kills} kills in {limit:.0f} s")
            if self.doors % (CHECK * 5) == 0:
                self.measure()
            if self.doors % CHECK == 0:
                self.move()
            self.batch()
            if self.doors % CHECK == 0:
                self.check()
        self.check()
        return self.count(time.monotonic() - begun)

    def move(self) -> None:
        """A new session now and then, and configuration that changes so that somebody compiles."""
        self.scene.session = f"session-{self.kills // SESSION}"
        self.scene.manifest({"budgets": {"PreToolUse": 300 + self.doors % 7}})

    def count(self, seconds: float) -> Count:
        torn = orphans = 0
        for folder in self.scene.sessions():
            audit(folder, torn=self.kills)
            torn += parse((folder / "events.jsonl").read_bytes())[1] if (folder / "events.jsonl").exists() else 0
            orphans += sum(path.name.endswith(".tmp") for path in folder.rglob(".*"))
        if self.scene.crashes():
            raise Broken(f"a fault of ours: {self.scene.crashes()[0]}")
        return Count(self.kills, self.doors, torn, orphans, seconds)


def run(count: int, folder: Path, made: Path, *, seed: int = 0, minutes: float = MINUTES) -> Count:
    """Kill `count` doors of the bundle that was `made`. AssertionError: something broke, or it took too long."""
    return Knife(folder, made, seed or int.from_bytes(os.urandom(4), "big")).run(count, minutes * 60)


def main(words: list[str]) -> int:
    with tempfile.TemporaryDirectory() as folder:
        try:
            build(f"{folder}/made")
            print(run(int(words[0]) if words else 1000, Path(folder), Path(folder, "made")))
        except AssertionError as broken:
            print(f"kills: broken · {broken}")
            return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
