"""Run the real Codex: `codex exec`, or `codex app-server`, where it can ask for approvals.

Hooks get their trust the regular way: the client tells each hook's hash (`hooks/list`), and the person's
`config.toml` remembers it. The client's flag that bypasses trust is never used.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from .clients import program
from .environment import clean
from .model import Model
from .process import PORT, Process, TooLongError
from .run import Run
from .script import Thread, Turn

CONFIG = f"""model = "gpt-5.5"
model_provider = "scripted"
check_for_update_on_startup = false

[model_providers.scripted]
name = "scripted"
base_url = "http://127.0.0.1:{PORT}/v1"
wire_api = "responses"
env_key = "SCRIPTED_KEY"
request_max_retries = 0
stream_max_retries = 0
supports_websockets = false

[analytics]
enabled = false
"""


def configure(home: Path, *projects: Path) -> Path:
    """Write a person's configuration: the scripted model, and these projects trusted. Hook trust is not in it."""
    config = home / ".codex/config.toml"
    config.parent.mkdir(parents=True, exist_ok=True)
    trusted = "".join(f'\n[projects.{json.dumps(str(project))}]\ntrust_level = "trusted"\n' for project in projects)
    config.write_text(CONFIG + trusted)
    return config


def _surroundings(home: Path, env: Mapping[str, str] | None) -> dict[str, str]:
    return {**clean(home), "CODEX_HOME": str(home / ".codex"), "SCRIPTED_KEY": "fake", **(env or {})}


class AppServer:
    """JSON-RPC with `codex app-server`. Questions of the client are answered from `approvals`, then with `decline`."""

    def __init__(self, client: Process, approvals: Sequence[str] = ()) -> None:
        self.heard: list[dict[str, Any]] = []
        self.asked: list[dict[str, Any]] = []
        self._client = client
        self._messages = client.messages()
        self._approvals = list(approvals)
        self._calls = 0
        self.ask("initialize", clientInfo={"name": "rig", "title": "rig", "version": "1"})
        client.send({"jsonrpc": "2.0", "method": "initialized"})

    def wait(self, wanted: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        for message in self._messages:
            self.heard.append(message)
            if "method" in message and "id" in message:
                self.asked.append(message)
                decision = self._approvals.pop(0) if self._approvals else "decline"
                self._client.send({"jsonrpc": "2.0", "id": message["id"], "result": {"decision": decision}})
            elif wanted(message):
                return message
        raise TooLongError(f"codex app-server closed its output · its stderr: {self._client.stderr()[-2000:]}")

    def ask(self, method: str, **params: Any) -> dict[str, Any]:
        self._calls += 1
        number = self._calls
        self._client.send({"jsonrpc": "2.0", "id": number, "method": method, "params": params})
        reply = self.wait(lambda message: message.get("id") == number)
        if "error" in reply:
            raise AssertionError(f"codex app-server refused {method}: {reply['error']}")
        return dict(reply["result"])

    def hooks(self, project: Path) -> list[dict[str, Any]]:
        listed = self.ask("hooks/list", cwds=[str(project)])["data"]
        return [hook for entry in listed for hook in entry.get("hooks") or []]

    def turn(self, thread: str, prompt: str) -> None:
        self.ask("turn/start", threadId=thread, input=[{"type": "text", "text": prompt}])
        self.wait(lambda said: said.get("method") == "turn/completed" and said["params"]["threadId"] == thread)


def hooks(project: Path, home: Path, *, seconds: float = 30.0) -> list[dict[str, Any]]:
    """The hooks the client finds in `project`, each with key, command, `currentHash` and `trustStatus`."""
    command = [str(program("codex")), "app-server"]
    with Process(command, cwd=project, env=_surroundings(home, None), model=Model(()), seconds=seconds) as client:
        return AppServer(client).hooks(project)


def trust(project: Path, home: Path) -> list[str]:
    """Trust new and changed hooks as the client's trust question does: each hash into the person's `config.toml`."""
    found = [hook for hook in hooks(project, home) if hook["trustStatus"] in ("untrusted", "modified")]
    config = home / ".codex/config.toml"
    text = config.read_text()
    for hook in found:
        head, line = f"[hooks.state.{json.dumps(hook['key'])}]\n", f"trusted_hash = {json.dumps(hook['currentHash'])}\n"
        before, known, after = text.partition(head)
        text = before + head + line + after.partition("\n")[2] if known else f"{text}\n{head}{line}"
    config.write_text(text)
    return [str(hook["key"]) for hook in found]


def run_codex(
    project: Path,
    home: Path,
    turns: Sequence[Turn],
    *,
    threads: Sequence[Thread] = (),
    prompt: str = "MAIN-PROMPT",
    sandbox: str = "danger-full-access",
    arguments: Sequence[str] = (),
    env: Mapping[str, str] | None = None,
    default: Turn | None = None,
    seconds: float = 120.0,
) -> Run:
    """`codex exec`: nobody is asked (its approval policy is `never`)."""
    model = Model(turns, threads, default=default)
    command = [str(program("codex")), "exec", "--skip-git-repo-check", "--json", "--sandbox", sandbox]
    command += ["-C", str(project), *arguments, prompt]
    with Process(command, cwd=project, env=_surroundings(home, env), model=model, seconds=seconds) as client:
        client.hang_up()
        heard = list(client.messages())
        code = client.end()
        return Run(code, time.monotonic() - client.started, heard, client.stderr(), list(model.requests))


def run_codex_server(
    project: Path,
    home: Path,
    turns: Sequence[Turn],
    *,
    threads: Sequence[Thread] = (),
    prompts: Sequence[str | Callable[[], str]] = ("MAIN-PROMPT",),
    approval: str = "on-request",
    sandbox: str = "workspace-write",
    approvals: Sequence[str] = (),
    env: Mapping[str, str] | None = None,
    default: Turn | None = None,
    seconds: float = 120.0,
) -> Run:
    """`codex app-server`: the person's approvals are asked, and answered from `approvals` (`accept`, `decline`)."""
    model = Model(turns, threads, default=default)
    command = [str(program("codex")), "app-server"]
    with Process(command, cwd=project, env=_surroundings(home, env), model=model, seconds=seconds) as client:
        server = AppServer(client, approvals)
        started = server.ask("thread/start", cwd=str(project), approvalPolicy=approval, sandbox=sandbox)
        for prompt in prompts:
            server.turn(started["thread"]["id"], prompt if isinstance(prompt, str) else prompt())
        client.hang_up()
        server.heard += client.messages()
        code = client.end()
        return Run(code, time.monotonic() - client.started, server.heard, client.stderr(), list(model.requests))
