"""`docs/stale-files.md`: its walk-through of a collision, step by step through the door, and its tables."""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path
from typing import Any

from docs.blocks import blocks, shows
from docs.regions import REPO
from jackline.compiler.schemas import validate
from jackline.features.stale_file import file_version, memory, seen_texts, writers
from scene import Said, Scene

TEXT = (REPO / "docs/stale-files.md").read_text()
PART = re.compile(r"<!-- step (\w+) ([^>]+) -->|```(\w+)\n(.*?)\n```", re.DOTALL)
CODEX = "99999999-2222-3333-4444-555555555555"


def steps() -> list[tuple[str, str, str, str]]:
    """Marked steps and blocks of the walk-through, in order: (verb, rest, language, text)."""
    walk = TEXT.partition("## A collision")[2].partition("\n## ")[0]
    plain = "\n".join(line.removeprefix("   ") for line in walk.split("\n"))
    return [(one[1] or "", one[2] or "", one[3] or "", one[4] or "") for one in PART.finditer(plain)]


class Walk:
    """One agent of Claude Code, one of Codex, and a person, in one tree."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self.count = 0
        self.said: Said | None = None

    def event(self, name: str, tool: str, given: dict[str, Any], **fields: Any) -> Said:
        made = self.scene.payload(name, tool_name=tool, tool_input=given, tool_use_id=f"toolu_{self.count}", **fields)
        return self.scene.say(made | ({"tool_response": {}} if name == "PostToolUse" else {}))

    def call(self, tool: str, given: dict[str, Any]) -> Said:
        self.count += 1
        return self.event("PreToolUse", tool, given)

    def read(self, path: Path) -> None:
        assert self.call("Read", {"file_path": str(path)}).decision == ""
        self.event("PostToolUse", "Read", {"file_path": str(path)})

    def missed(self, path: Path) -> None:
        assert self.call("Read", {"file_path": str(path)}).decision == ""
        self.event("PostToolUseFailure", "Read", {"file_path": str(path)}, error="File does not exist.")

    def write(self, path: Path) -> None:
        before = path.read_bytes() if path.exists() else None
        self.said = self.call("Write", {"file_path": str(path), "content": "port = 9090\ndebug = False\n"})
        assert self.said.decision == "deny"
        assert (path.read_bytes() if path.exists() else None) == before

    def passes(self, path: Path) -> None:
        given = {"file_path": str(path), "content": f"port = 9090\nagain = {self.count}\n"}
        assert self.call("Write", given).decision == ""
        path.write_text(given["content"])
        self.event("PostToolUse", "Write", given)

    def delete(self, path: Path) -> None:
        path.unlink()

    def observed(self, path: Path) -> None:
        """What fits passes, what does not is refused; last a hash of what is not there any more."""
        now = path.read_bytes()
        path.write_bytes(b"port = 1\n")
        right, wrong = (hashlib.sha256(data).hexdigest() for data in (path.read_bytes(), now))
        given = {"file_path": str(path), "content": "x", "observed_content_hash": f"sha256:{right}"}
        assert self.call("Write", given).decision == ""
        self.said = self.call("Write", given | {"observed_content_hash": wrong})

    def codex(self, path: Path) -> None:
        patch = {
            "command": f"*** Begin Patch\n*** Update File: {path}\n@@\n-port = 9090\n+port = 7070\n*** End Patch\n"
        }
        for name in ("PreToolUse", "PostToolUse"):
            made = {"session_id": CODEX, "turn_id": "t", "cwd": str(self.scene.root), "hook_event_name": name,
                    "model": "m", "permission_mode": "default", "tool_name": "apply_patch", "tool_input": patch,
                    "tool_use_id": "call_1"}  # fmt: skip
            said = self.scene.say(made | ({"tool_response": "done"} if name == "PostToolUse" else {}), dialect="codex")
            assert said.decision == ""
            path.write_text(path.read_text().replace("port = 9090", "port = 7070"))


def test_the_walk_through_a_collision(scene: Scene) -> None:
    (manifest,) = [block for block in blocks(TEXT, "json") if block.note == "manifest"]
    assert validate("dispatch.manifest", json.loads(manifest.text)) == []
    scene.manifest(json.loads(manifest.text))
    path = scene.root / "src/app.py"
    path.parent.mkdir()
    path.write_text("port = 8080\ndebug = False\n")
    scene.begin()
    walk = Walk(scene)
    shown = 0
    for verb, rest, language, text in steps():
        if verb == "outside":
            continue
        if language == "python":
            path.write_text(text + "\n")
        elif language == "text":
            assert walk.said is not None and shows(text, walk.said.reason), walk.said
            shown += 1
        elif verb == "shell":
            walk.said = walk.call("Bash", {"command": rest})
        else:
            getattr(walk, verb)(scene.root / rest)
    assert shown == 5


def test_the_limits_of_the_page_are_the_codes() -> None:
    assert f"{memory.MOST:,} files at most" in TEXT and f"{writers.MOST:,} at most" in TEXT
    assert f"{seen_texts.LARGE >> 10} KB a file, {seen_texts.TOTAL >> 20} MB a session" in TEXT
    assert f"above {file_version.LARGE >> 20} MB" in TEXT
    assert writers.HELD_MS == 120_000 and "two minutes" in TEXT
