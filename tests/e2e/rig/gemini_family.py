"""Run the real Gemini CLI, or Qwen Code, without a terminal: in a trusted folder, every tool allowed beforehand."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from .clients import program
from .environment import clean
from .model import Model
from .process import PORT, Process
from .run import Run
from .script import Turn


class Member(NamedTuple):
    """A client of the family: its folder, how it reaches its model, what it is started with."""

    folder: str
    auth: str
    service: Mapping[str, str]
    arguments: tuple[str, ...]


QUIET = {"GEMINI_TELEMETRY_ENABLED": "false", "NO_COLOR": "1", "CI": "1"}
FAMILY = {
    "gemini-cli": Member(
        ".gemini",
        "gemini-api-key",
        {
            "GEMINI_API_KEY": "fake",
            "GOOGLE_GEMINI_BASE_URL": f"http://127.0.0.1:{PORT}",
            "GEMINI_SANDBOX": "false",
            "GEMINI_CLI_NO_RELAUNCH": "true",
        },
        ("-m", "gemini-2.5-pro", "--approval-mode=yolo"),
    ),
    "qwen-code": Member(
        ".qwen",
        "openai",
        {
            "OPENAI_API_KEY": "fake",
            "OPENAI_BASE_URL": f"http://127.0.0.1:{PORT}/v1",
            "OPENAI_MODEL": "qwen3-coder-plus",
            "QWEN_SANDBOX": "false",
            "QWEN_TELEMETRY_ENABLED": "false",
            "QWEN_CODE_NO_RELAUNCH": "true",
        },
        ("--approval-mode", "yolo"),
    ),
}


def _settings(auth: str) -> dict[str, Any]:
    return {
        "security": {"auth": {"selectedType": auth}, "folderTrust": {"enabled": True}},
        "general": {"disableAutoUpdate": True, "enableAutoUpdate": False, "disableUpdateNag": True},
        "privacy": {"usageStatisticsEnabled": False},
        "telemetry": {"enabled": False},
    }


def configure(client: str, home: Path, *projects: Path) -> Path:
    """Write a person's settings, and these projects as trusted."""
    folder = home / FAMILY[client].folder
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "settings.json").write_text(json.dumps(_settings(FAMILY[client].auth), indent=2) + "\n")
    (folder / "trustedFolders.json").write_text(json.dumps({str(one.resolve()): "TRUST_FOLDER" for one in projects}))
    return folder / "settings.json"


def run_member(
    client: str,
    project: Path,
    home: Path,
    turns: Sequence[Turn],
    *,
    prompt: str = "MAIN-PROMPT",
    env: Mapping[str, str] | None = None,
    default: Turn | None = None,
    seconds: float = 120.0,
) -> Run:
    """One prompt, answered to its end: nobody is asked."""
    model = Model(turns, default=default)
    node = program("node")
    command = [str(node), str(program(client)), "-p", prompt, *FAMILY[client].arguments]
    surroundings = {**clean(home), **QUIET, **FAMILY[client].service, **(env or {})}
    surroundings["PATH"] = f"{node.parent}:{surroundings['PATH']}"
    with Process(command, cwd=project, env=surroundings, model=model, seconds=seconds) as running:
        running.hang_up()
        heard = list(running.messages())
        code = running.end()
        return Run(code, time.monotonic() - running.started, heard, running.stderr(), list(model.requests))
