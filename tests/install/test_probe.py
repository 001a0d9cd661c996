"""The probe runs a command as clients do and judges the answer."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from jackline.install import probe

ANSWERS = {
    "silence": ("cat >/dev/null; echo '{}'", ""),
    "context": ("""cat >/dev/null; echo '{"hookSpecificOutput":{"additionalContext":"x"}}'""", ""),
    "nothing": ("cat >/dev/null", "said nothing: the interpreter or the entry point is gone"),
    "exit code": ("cat >/dev/null; echo oops >&2; exit 3", "ended with exit code 3: oops"),
    "missing": ("/nonexistent/python", "ended with exit code 127"),
    "junk": ("cat >/dev/null; echo hello; echo '{}'", "answered with something else than one JSON object"),
    "a list": ("cat >/dev/null; echo '[]'", "answered with something else than one JSON object"),
    "stderr": ("cat >/dev/null; echo '{}'; echo warn >&2", "wrote to stderr: warn"),
    "denies": (
        "cat >/dev/null; "
        """echo '{"hookSpecificOutput":{"permissionDecision":"deny","permissionDecisionReason":"no"}}'""",
        "refused a harmless call: no",
    ),
    "blocks": ("""cat >/dev/null; echo '{"decision":"block","reason":"r"}'""", "refused a harmless call: r"),
}


@pytest.mark.parametrize(("command", "fault"), ANSWERS.values(), ids=ANSWERS)
@pytest.mark.parametrize("shell", probe.SHELLS, ids=["sh", "bash"])
def test_what_an_answer_comes_to(tmp_path: Path, command: str, fault: str, shell: tuple[str, ...]) -> None:
    said = probe.run(command, "PreToolUse", tmp_path, {"PATH": "/usr/bin:/bin"}, shell)
    assert said.fault.startswith(fault) if fault else said.fault == ""
    assert said.ms > 0


def test_what_does_not_end_is_ended_with_its_children(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(probe, "SECONDS", 0.3)
    said = probe.run("sleep 77 & sleep 77", "Stop", tmp_path, {"PATH": "/usr/bin:/bin"}, probe.SHELLS[0])
    assert said.fault == "did not answer within 0.3 s"
    assert said.ms < 5000


def test_the_payload_says_that_it_is_a_probe(tmp_path: Path) -> None:
    given = json.loads(probe.payload("PreToolUse", tmp_path))
    assert (given["jackline_probe"], given["hook_event_name"], given["cwd"]) == (True, "PreToolUse", str(tmp_path))
