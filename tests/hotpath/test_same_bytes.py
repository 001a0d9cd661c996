"""The same call gives the same bytes: through the door as a process, and through the pipeline in this one.

Two machines at the same place, one after the other, get every recorded payload in the same order. The clock and the
entropy are the processes' own: ids of records are masked, and the log is compared by what was decided.
"""

from __future__ import annotations

import json
import os
import posix
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from clients.calls import entry_of, recorded
from jackline import host
from jackline.clients.specs import SPEAKS
from jackline.model import Answer
from jackline.runtime.pipeline import run
from jackline.runtime.request import Request, Store
from scene import Scene

ID = re.compile(rb"\b(?:[0-9a-f]{32}|[0-9a-f]{6}|[A-Z0-9]{3}-[A-Z0-9]{3})\b")
COMMAND = re.compile(r'"command": ("[^"]*")')
SHELL = re.compile("bash|run_in_terminal")
CLIENTS = ("claude-code", "codex", "vscode", "copilot-cli")
MORE = ("grep -rn x .", "rm -rf .ai", "git push --force && cat /etc/passwd | head -c 9", "cat $(ls)", "sudo rm -rf /")
"""Commands with something to say, beside the recorded ones."""
MASKED = b"<id>"


class Sent(NamedTuple):
    """One payload of a client: the event its entry names, and the bytes."""

    name: str
    event: str
    raw: bytes


class Left(NamedTuple):
    """What a machine said and remembers."""

    answers: list[tuple[str, int, bytes, bytes]]
    decided: list[tuple[Any, ...]]


def sent(client: str, root: Path) -> list[Sent]:
    """Every recorded payload of a client with its places mapped, and a few shell calls more."""
    made = []
    shell = ""
    for path in recorded(client):
        text = path.read_text(encoding="utf-8", errors="surrogateescape")
        text = text.replace("/workspace/project", str(root)).replace("/workspace", str(root))
        if path.parent.name != "raw":
            made.append(Sent(path.name, entry_of(path), text.encode("utf-8", "surrogateescape")))
        if entry_of(path).lower() == "pretooluse" and COMMAND.search(text) and SHELL.search(path.name.lower()):
            shell = text
    for command in MORE if shell else ():
        before, _, after = COMMAND.split(shell, maxsplit=1)
        said = f'{before}"command": {json.dumps(command)}{after}'
        event = "preToolUse" if '"toolName"' in said else "PreToolUse"
        made.append(Sent(command, event, said.encode("utf-8", "surrogateescape")))
    return made


def by_door(scene: Scene, dialect: str, one: Sent) -> Answer:
    said = scene.send(one.raw, one.event, dialect=dialect)
    return Answer(said.exit, said.out, said.err)


def in_process(scene: Scene, dialect: str, one: Sent) -> Answer:
    request = Request(
        *(dialect, one.event, one.raw, dict(scene.env), str(scene.root), "user", os.getuid(), tuple),
        *(host.now(), host.entropy(16), host.clock),
        home=str(scene.home),
    )
    told: list[Answer] = []
    run(request, Store(str(scene.store)), told.append)
    assert len(told) == 1, "one call, one answer"
    return told[0]


def play(scene: Scene, client: str, ask: Callable[[Scene, str, Sent], Answer]) -> Left:
    answers = []
    for one in sent(client, scene.root):
        said = ask(scene, SPEAKS[client], one)
        answers.append((one.name, said.exit, ID.sub(MASKED, said.out), ID.sub(MASKED, said.err)))
    rows = [row for folder in scene.sessions() for row in scene.log(folder)]
    kept = ("event", "producer", "kind", "decision", "code", "by", "paths", "turnId", "agentId", "toolName", "toolKind")
    return Left(answers, [tuple(str(row.get(key)) for key in kept) for row in rows])


@pytest.mark.parametrize("client", CLIENTS)
def test_the_door_says_what_the_pipeline_says(
    client: str, tmp_path: Path, made_bundle: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scene = Scene(tmp_path / "machine", made_bundle)
    door = play(scene, client, by_door)
    scene.folder.rename(tmp_path / "first")
    scene = Scene(tmp_path / "machine", made_bundle)
    monkeypatch.setitem(posix.environ, b"HOME", str(scene.home).encode())
    monkeypatch.setattr(posix, "getppid", os.getpid)  # the door's parent is this process
    here = play(scene, client, in_process)
    assert here.answers == door.answers
    assert here.decided == door.decided
    assert any(b"deny" in out for _, _, out, _ in door.answers), "somebody refused something"
    assert any(out == b"{}\n" for _, _, out, _ in door.answers)
