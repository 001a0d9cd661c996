"""Whether an agent of a live session is in the middle of a call: what moves then in git, it may have moved.

A call is open from its PreToolUse to its end; where a client does not tell of the end, to the end of the turn. A
command that goes on in the background stays open while its session lives.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from jackline import system
from jackline.compiler.trust import common_dir, top_of
from jackline.jsonio import loads
from jackline.store import journal, session_index

TAIL = 1 << 18
"""Bytes of a session's log that are looked at, from its end."""
ENDS = ("PostToolUse", "PostToolUseFailure")
TURNS = ("Stop", "UserPromptSubmit", "SessionEnd", "SessionStart")
"""Events at which nothing of the main agent's is under way."""
MOVES = ("commit", "checkout", "switch", "merge", "pull", "rebase", "reset", "cherry-pick", "revert", "am", "branch",
         "update-ref", "symbolic-ref", "bisect", "stash", "worktree", "fetch", "push", "tag", "remote")  # fmt: skip
"""Subcommands of git by which HEAD, the tree, or a ref that is followed may come to stand elsewhere."""
LEAVE = ("nohup", "setsid", "at", "batch", "disown")
"""Programs whose children go on after a call."""


def _rows(folder: str) -> Iterable[Mapping[str, Any]]:
    try:
        with open(f"{folder}/{journal.EVENTS}", "rb") as log:
            log.seek(max(0, os.fstat(log.fileno()).st_size - TAIL))
            data = log.read(TAIL)
    except OSError:
        return
    for line in data.split(b"\n"):
        try:
            row = loads(line.decode("utf-8"))
        except ValueError:
            continue
        if isinstance(row, dict):
            yield row


def _stays(row: Mapping[str, Any]) -> bool:
    """Whether a command may go on after its call, and may move HEAD or another ref."""
    found = row.get("data")
    data: Mapping[str, Any] = found if isinstance(found, dict) else {}
    command = data.get("command", "")
    if not isinstance(command, str) or "git" not in command:
        return False
    words = set("".join([char if char.isalnum() or char in "-_" else " " for char in command]).split())
    if not words.intersection(MOVES):
        return False
    lone = "&" in command.replace("&&", "").replace(">&", "").replace("&>", "")
    return lone or bool(data.get("background")) or bool(words.intersection(LEAVE))


def _has_open_call(rows: Iterable[Mapping[str, Any]]) -> bool:
    open_calls: set[tuple[str, str]] = set()
    goes_on = False
    for row in rows:
        event, agent = row.get("event"), str(row.get("agentId", ""))
        name = (agent, str(row.get("toolUseId") or row.get("toolName", "")))
        if event == "PreToolUse" and row.get("kind") == "TOOL_DECISION":
            if row.get("decision") in ("deny", "block"):
                continue
            open_calls.add(name)
            goes_on = goes_on or _stays(row)
        elif event in ENDS:
            open_calls.discard(name)
        elif event in TURNS:
            open_calls = {one for one in open_calls if one[0] != agent}
    return goes_on or bool(open_calls)


def _sessions(store: str, top: str) -> Iterable[session_index.SessionEntry]:
    """The sessions of a repository: those of this worktree, then those of its others, where it has any."""
    yield from session_index.sessions(Path(store), Path(top))
    common = common_dir(top)
    if not system.names(f"{common}/worktrees"):
        return
    are_ours: dict[str, bool] = {top: False, "": False}
    for one in session_index.sessions(Path(store)):
        if one.root not in are_ours:
            are_ours[one.root] = common_dir(one.root) == common
        if are_ours[one.root]:
            yield one


def agent_is_at_work(store: str, root: str) -> bool:
    """Whether a live session of this repository, in any of its worktrees, has a call that is not at its end."""
    return any(
        (one.live or not one.pid) and _has_open_call(_rows(one.folder)) for one in _sessions(store, top_of(root))
    )
