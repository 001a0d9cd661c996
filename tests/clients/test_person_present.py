"""Whether a person sits at a client, by its marks and its command line."""

from __future__ import annotations

import os
import sys

import pytest

from jackline.clients.person_present import can_be_asked, client_process
from jackline.processes import Process, above
from jackline.runtime.request import Request

SHELL = Process(9, 9, "sh", "/bin/dash")
HOST = ("claude", "-p", "--input-format", "stream-json", "--permission-prompt-tool", "stdio")


@pytest.mark.parametrize(
    ("client", "env", "words", "there"),
    [
        ("claude-code", {"CLAUDE_CODE_SESSION_ATTENDED": "1"}, ("claude",), True),
        ("claude-code", {"CLAUDE_CODE_SESSION_ATTENDED": "0"}, ("claude", "-p"), False),
        ("claude-code", {"CLAUDE_CODE_SESSION_ATTENDED": "0"}, HOST, True),
        ("claude-code", {"CLAUDE_CODE_SESSION_ATTENDED": "0"}, (), False),
        ("claude-code", {"CLAUDE_CODE_ENTRYPOINT": "sdk-cli"}, (), False),
        ("claude-code", {"CLAUDE_CODE_ENTRYPOINT": "cli"}, ("claude",), True),
        ("claude-code", {}, ("claude", "--print", "do it"), False),
        ("claude-code", {}, (), True),
        ("codex", {}, ("codex",), True),
        ("codex", {}, ("codex", "-c", "a=b", "exec", "--json", "do it"), False),
        ("codex", {}, ("codex", "app-server"), True),
        ("copilot-cli", {}, ("copilot", "-p", "do it"), False),
        ("copilot-cli", {}, ("copilot", "--prompt=do it"), False),
        ("copilot-cli", {}, ("copilot",), True),
        ("qwen-code", {}, ("node", "qwen", "-p", "x"), False),
        ("vscode", {}, ("code", "-p"), True),
        ("codex", {"CLAUDE_CODE_SESSION_ATTENDED": "0"}, ("codex",), True),
    ],
)
def test_attended(client: str, env: dict[str, str], words: tuple[str, ...], there: bool) -> None:
    chain = (SHELL, Process(5, 5, words[0], "", words)) if words else ()
    request = Request("claude-code", "PreToolUse", b"", env, "/", ancestors=lambda: chain)
    assert can_be_asked(request, client) is there


def test_the_client_is_the_nearest_of_its_name() -> None:
    node = Process(4, 4, "node", "/usr/bin/node")
    claude = Process(3, 3, "claude", "/x/claude")
    assert client_process((SHELL, node, claude), "claude-code") == claude
    assert client_process((SHELL, node), "gemini-cli") == node
    assert client_process((SHELL,), "codex") == SHELL
    assert client_process((), "codex") is None


def test_processes_tell_their_command_lines() -> None:
    here = above(os.getpid(), 1)
    assert [(one.pid, one.words[0]) for one in here] == [(os.getpid(), sys.orig_argv[0])]
