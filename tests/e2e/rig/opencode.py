"""Run the real opencode once, headless."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from .clients import program
from .environment import clean
from .model import Model
from .process import PORT, Process
from .run import Run
from .script import Thread, Turn

MODEL = {"name": "scripted", "tool_call": True, "limit": {"context": 100_000, "output": 4_000}}
PROVIDER = {
    "npm": "@ai-sdk/openai-compatible",
    "name": "scripted",
    "options": {"baseURL": f"http://127.0.0.1:{PORT}/v1", "apiKey": "fake"},
    "models": {"model": MODEL},
}
CONFIG = {
    "provider": {"scripted": PROVIDER},
    "model": "scripted/model",
    "small_model": "scripted/model",
    "share": "disabled",
    "autoupdate": False,
}
QUIET = ("DISABLE_MODELS_FETCH", "DISABLE_AUTOUPDATE", "DISABLE_LSP_DOWNLOAD", "DISABLE_SHARE")


def run_opencode(
    project: Path,
    home: Path,
    turns: Sequence[Turn],
    *,
    threads: Sequence[Thread] = (),
    prompt: str = "MAIN-PROMPT",
    arguments: Sequence[str] = (),
    env: Mapping[str, str] | None = None,
    default: Turn | None = None,
    seconds: float = 120.0,
) -> Run:
    """`opencode run`: nobody is asked."""
    model = Model(turns, threads, default=default)
    command = [str(program("opencode")), "run", "--print-logs", *arguments, prompt]
    quiet = {f"OPENCODE_{name}": "1" for name in QUIET}
    surroundings = {**clean(home), **quiet, "OPENCODE_CONFIG_CONTENT": json.dumps(CONFIG), **(env or {})}
    with Process(command, cwd=project, env=surroundings, model=model, seconds=seconds) as client:
        client.hang_up()
        heard = list(client.messages())
        code = client.end()
        return Run(code, time.monotonic() - client.started, heard, client.stderr(), list(model.requests))
