"""Run the real Gemini CLI without a terminal: in a trusted folder, with the tools that its person allows beforehand."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from .clients import program
from .environment import clean
from .model import Model
from .process import PORT, Process
from .run import Run
from .script import Turn

SETTINGS: dict[str, Any] = {
    "security": {"auth": {"selectedType": "gemini-api-key"}, "folderTrust": {"enabled": True}},
    "general": {"disableAutoUpdate": True, "enableAutoUpdate": False, "disableUpdateNag": True},
    "privacy": {"usageStatisticsEnabled": False},
    "telemetry": {"enabled": False},
}
SERVICE = {
    "GEMINI_API_KEY": "fake",
    "GOOGLE_GEMINI_BASE_URL": f"http://127.0.0.1:{PORT}",
    "GEMINI_TELEMETRY_ENABLED": "false",
    "GEMINI_SANDBOX": "false",
    "GEMINI_CLI_NO_RELAUNCH": "true",
    "NO_COLOR": "1",
    "CI": "1",
}


def configure(home: Path, *projects: Path) -> Path:
    """Write a person's settings, and these projects as trusted."""
    folder = home / ".gemini"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "settings.json").write_text(json.dumps(SETTINGS, indent=2) + "\n")
    (folder / "trustedFolders.json").write_text(json.dumps({str(one.resolve()): "TRUST_FOLDER" for one in projects}))
    return folder / "settings.json"


def run_gemini(
    project: Path,
    home: Path,
    turns: Sequence[Turn],
    *,
    prompt: str = "MAIN-PROMPT",
    arguments: Sequence[str] = ("--approval-mode=yolo",),
    env: Mapping[str, str] | None = None,
    default: Turn | None = None,
    seconds: float = 120.0,
) -> Run:
    """One prompt, answered to its end: nobody is asked."""
    model = Model(turns, default=default)
    command = [str(program("gemini-cli")), "-m", "gemini-2.5-pro", "-p", prompt, *arguments]
    surroundings = {**clean(home), **SERVICE, **(env or {})}
    with Process(command, cwd=project, env=surroundings, model=model, seconds=seconds) as client:
        client.hang_up()
        heard = list(client.messages())
        code = client.end()
        return Run(code, time.monotonic() - client.started, heard, client.stderr(), list(model.requests))
