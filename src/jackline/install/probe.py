"""Run exactly the command that stands in a client's file, as a client would, and look at what it answers."""

from __future__ import annotations

import json
import os
import subprocess
import time
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from jackline.install.entry import REASON

SHELLS = (("/bin/sh", "-c"), ("/bin/bash", "--norc", "-c"))

SECONDS = 20
MARK = "jackline_probe"
"""A payload with this field is a dry run that leaves no session behind."""


class Answered(NamedTuple):
    """What came of one run: `fault` is "" when the answer was one valid JSON object at exit 0."""

    shell: str
    ms: float
    fault: str


def payload(event: str, root: Path) -> bytes:
    """A harmless call: it reads a file that is not there."""
    call = {
        "hook_event_name": event,
        "session_id": MARK,
        "cwd": str(root),
        "tool_name": "Read",
        "tool_input": {"file_path": str(root / MARK)},
        MARK: True,
    }
    return json.dumps(call).encode()


def _refusal(said: object) -> str:
    """The first line of a refusal anywhere in an answer, "" for none."""
    if not isinstance(said, dict):
        return ""
    inner = said.get("hookSpecificOutput")
    if said.get("cancel") is True:
        return str(said.get("errorMessage") or "no reason given").split("\n", 1)[0]
    for one in (said, inner if isinstance(inner, dict) else {}):
        for key, word in (("permissionDecision", "deny"), ("decision", "block"), ("decision", "deny")):
            if one.get(key) == word:
                reason = str(one.get("permissionDecisionReason") or one.get("reason") or "no reason given")
                return reason.split("\n", 1)[0]
    return ""


def _judge(code: int, out: bytes, err: bytes, mute: bool) -> str:
    if code:
        said = err.decode("utf-8", "replace").strip().splitlines()
        return f"ended with exit code {code}" + (f": {said[-1][:200]}" if said else "")
    if not out.strip():
        if mute and not err.strip():
            return ""
        return "said nothing: the interpreter or the entry point is gone"
    if err.strip():
        return "wrote to stderr: " + err.decode("utf-8", "replace").strip()[:200]
    try:
        answer = json.loads(out)
    except ValueError:
        answer = None
    if not isinstance(answer, dict):
        return "answered with something else than one JSON object"
    refusal = _refusal(answer)
    if refusal == REASON or REASON in answer.values():
        return "refuses every tool call: the entry point gave no answer, and the entry's line answered for it"
    return f"refused a harmless call: {refusal[:200]}" if refusal else ""


def run(
    command: str, event: str, root: Path, env: Mapping[str, str], shell: tuple[str, ...], *, mute: bool = False
) -> Answered:
    """One run of a command in one shell. The whole process group ends with it. `mute`: silence is no word at all."""
    began = time.perf_counter()
    child = subprocess.Popen(
        [*shell, command],
        cwd=root,
        env=dict(env),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    try:
        out, err = child.communicate(payload(event, root), timeout=SECONDS)
        fault = _judge(child.returncode, out, err, mute)
    except subprocess.TimeoutExpired:
        os.killpg(child.pid, 9)
        child.communicate()
        fault = f"did not answer within {SECONDS} s"
    return Answered(shell[0], (time.perf_counter() - began) * 1000, fault)
