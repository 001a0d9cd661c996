"""A client that lives: one process named `claude` that opens doors as its children for as long as a session runs."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

SESSION = "7d0e5f6a-31c4-4a52-9b1d-2f60c8a4e917"
ALONE = {"CLAUDE_CODE_SESSION_ATTENDED": "0"}
"""Nobody sits at this client: what needs a person's yes waits in the store."""


class Client:
    """`claude`, a shell that reads from us which entry it is to run with which payload."""

    def __init__(self, folder: Path, store: Path, root: Path, env: Mapping[str, str], python: str) -> None:
        self.store, self.root, self.python = store, root, python
        self.before = ""  # what stands before an entry's line: variables
        self.payload_file, self.answer_file = folder / "payload", folder / "answer"
        shutil.copy("/bin/sh", folder / "claude")
        self.process = subprocess.Popen(
            [str(folder / "claude")], env={**env, **ALONE}, cwd=root, start_new_session=True, text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        )  # fmt: skip

    @property
    def started(self) -> int:
        """When it started, in clock ticks since boot, as the store names processes."""
        told = Path(f"/proc/{self.process.pid}/stat").read_text()
        return int(told[told.rindex(")") + 2 :].split()[19])

    def send(self, event: str, **fields: Any) -> dict[str, Any]:
        """What the entry says to an event: one JSON object, exit 0, not a word on stderr."""
        payload = {"session_id": SESSION, "cwd": str(self.root), "hook_event_name": event, **fields}
        self.payload_file.write_text(json.dumps(payload))
        words = [self.python, "-I", "-S", str(self.store / "door.py"), "claude-code", event]
        out, errors = shlex.quote(str(self.answer_file)), shlex.quote(f"{self.answer_file}.err")
        line = f"{self.before}{shlex.join(words)} <{shlex.quote(str(self.payload_file))} >{out} 2>{errors}; echo $?\n"
        assert self.process.stdin is not None and self.process.stdout is not None
        self.process.stdin.write(line)
        self.process.stdin.flush()
        code = self.process.stdout.readline()
        assert (code, Path(f"{self.answer_file}.err").read_text()) == ("0\n", "")
        answer: dict[str, Any] = json.loads(self.answer_file.read_bytes())
        return answer

    def pre(self, command: str, call: str, **fields: Any) -> dict[str, Any]:
        """A shell call that is about to run; what is said of it."""
        tool = {"tool_name": "Bash", "tool_input": {"command": command}, "tool_use_id": call}
        said: dict[str, Any] = self.send("PreToolUse", **{**tool, **fields}).get("hookSpecificOutput", {})
        return said

    def post(self, command: str, call: str) -> dict[str, Any]:
        """A shell call that ran."""
        tool = {"tool_name": "Bash", "tool_input": {"command": command}, "tool_use_id": call}
        return self.send("PostToolUse", **tool, tool_response={"stdout": "", "stderr": "", "interrupted": False})

    def prompt(self, text: str, **fields: Any) -> dict[str, Any]:
        return self.send("UserPromptSubmit", prompt=text, **fields)

    def close(self) -> None:
        assert self.process.stdin is not None and self.process.stdout is not None
        self.process.stdin.close()
        self.process.wait(30)
        self.process.stdout.close()
        for path in (self.payload_file, self.answer_file, Path(f"{self.answer_file}.err")):
            if path.exists():
                os.unlink(path)
