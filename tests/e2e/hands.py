"""How each client's model calls the tools that all clients have, so that one test can hold a guarantee on each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from .rig.run import Run
from .rig.script import Thread, Tool, Turn, call, use
from .site import Site


class Hand(NamedTuple):
    """`shell(id, command)`, `write(id, path, text)` a new file, `edit(id, path, old, new)` a line of one.

    `delegate(prompt)` to a sub-agent, `play` runs the client.
    """

    client: str
    shell: Callable[[str, str], Tool]
    write: Callable[[str, Path, str], Tool]
    edit: Callable[[str, Path, str, str], Tool]
    delegate: Callable[[str], list[Turn]]
    play: Callable[..., Run]


def _claude_shell(name: str, command: str) -> Tool:
    return use("Bash", id=name, command=command, description="as the test says")


def _claude_write(name: str, path: Path, text: str) -> Tool:
    return use("Write", id=name, file_path=str(path), content=text)


def _claude_edit(name: str, path: Path, old: str, new: str) -> Tool:
    return use("Edit", id=name, file_path=str(path), old_string=old, new_string=new)


def _claude_delegate(prompt: str) -> list[Turn]:
    task: dict[str, Any] = {"description": "part", "prompt": prompt, "subagent_type": "general-purpose"}
    return [call(use("Agent", run_in_background=False, **task))]


def _claude_play(site: Site, turns: Sequence[Turn], **options: Any) -> Run:
    return site.claude(*turns, **options)


def _codex_shell(name: str, command: str) -> Tool:
    return use("exec_command", id=name, cmd=command)


def _codex_write(name: str, path: Path, text: str) -> Tool:
    lines = "".join(f"+{line}\n" for line in text.splitlines())
    return use("apply_patch", id=name, raw=f"*** Begin Patch\n*** Add File: {path}\n{lines}*** End Patch\n")


def _codex_edit(name: str, path: Path, old: str, new: str) -> Tool:
    changed = f"*** Update File: {path}\n@@\n-{old}\n+{new}\n"
    return use("apply_patch", id=name, raw=f"*** Begin Patch\n{changed}*** End Patch\n")


def _codex_delegate(prompt: str) -> list[Turn]:
    """Codex's sub-agents work in the background: the main one waits."""
    spawned = call(use("spawn_agent", namespace="multi_agent_v1", message=prompt))
    return [spawned, call(_codex_shell("", "sleep 4"))]


def _codex_play(site: Site, turns: Sequence[Turn], *, threads: Sequence[Thread] = (), **options: Any) -> Run:
    return site.codex(*turns, threads=threads, **options)


CLAUDE = Hand("claude-code", _claude_shell, _claude_write, _claude_edit, _claude_delegate, _claude_play)
CODEX = Hand("codex", _codex_shell, _codex_write, _codex_edit, _codex_delegate, _codex_play)
HANDS = {"claude-code": CLAUDE, "codex": CODEX}
