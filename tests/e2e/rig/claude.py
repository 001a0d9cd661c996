"""Run the real Claude Code once, headless, with a conversation of one or more prompts."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from .clients import program
from .environment import clean
from .model import Model
from .process import PORT, Process
from .run import Run
from .script import Thread, Turn

ALLOWED = ("Bash", "Read", "Write", "Edit", "Grep", "Glob", "Agent")
QUIET = (
    "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC",
    "DISABLE_TELEMETRY",
    "DISABLE_AUTOUPDATER",
    "DISABLE_ERROR_REPORTING",
)


Prompt = str | Callable[[], str]
"""What the person says; a function is asked when it is their turn, and may do something first."""


def _say(prompt: Prompt) -> dict[str, Any]:
    text = prompt if isinstance(prompt, str) else prompt()
    return {"type": "user", "message": {"role": "user", "content": text}}


def _permit(question: Mapping[str, Any], answer: Mapping[str, Any]) -> dict[str, Any]:
    """Answer the client's permission question as the person at the host would."""
    if answer["behavior"] == "allow":
        answer = {"updatedInput": question["request"].get("input") or {}, **answer}
    response = {"subtype": "success", "request_id": question["request_id"], "response": answer}
    return {"type": "control_response", "response": response}


def _converse(client: Process, prompts: Sequence[Prompt], person: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Say the next prompt after each result; answer permission questions in the order given, then with a refusal."""
    waiting, answers, heard = list(prompts), list(person), []
    client.send(_say(waiting.pop(0)))
    for message in client.messages():
        heard.append(message)
        if message.get("type") == "result":
            if waiting:
                client.send(_say(waiting.pop(0)))
            else:
                client.hang_up()
        elif message.get("type") == "control_request" and message["request"].get("subtype") == "can_use_tool":
            answer = answers.pop(0) if answers else {"behavior": "deny", "message": "nobody is here"}
            client.send(_permit(message, answer))
    return heard


def run_claude(
    project: Path,
    home: Path,
    turns: Sequence[Turn],
    *,
    threads: Sequence[Thread] = (),
    prompts: Sequence[Prompt] = ("MAIN-PROMPT",),
    permission_mode: str = "acceptEdits",
    allowed: Sequence[str] = ALLOWED,
    person: Sequence[Mapping[str, Any]] | None = None,
    arguments: Sequence[str] = (),
    env: Mapping[str, str] | None = None,
    default: Turn | None = None,
    seconds: float = 120.0,
) -> Run:
    """`person`: answers to permission questions, for a host that can ask; None: plain headless, nobody is asked."""
    model = Model(turns, threads, default=default)
    command = [str(program("claude-code")), "-p", "--verbose", "--include-hook-events"]
    command += ["--input-format", "stream-json", "--output-format", "stream-json", "--permission-mode", permission_mode]
    if allowed:
        command += ["--allowedTools", ",".join(allowed)]
    if person is not None:
        command += ["--permission-prompt-tool", "stdio"]
    quiet = dict.fromkeys(QUIET, "1")
    service = {"ANTHROPIC_BASE_URL": f"http://127.0.0.1:{PORT}", "ANTHROPIC_API_KEY": "fake"}
    surroundings = {**clean(home), **quiet, **service, **(env or {})}
    with Process([*command, *arguments], cwd=project, env=surroundings, model=model, seconds=seconds) as client:
        heard = _converse(client, prompts, person or ())
        code = client.end()
        return Run(code, time.monotonic() - client.started, heard, client.stderr(), list(model.requests))
