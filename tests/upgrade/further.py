"""What the clients of the sessions say next: to the version before, whose answers are kept, and to this one.

Nobody is asked for a word in it, so that an answer is the same whenever and wherever it is given.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, NamedTuple

from upgrade.archive import PHASED
from upgrade.client import SESSION, Client

MAIN = "the first project"
SESSIONS = {MAIN: (SESSION, "project"), **{phase: (name, "phased") for phase, name in PHASED.items()}}
"""The client's name of each session, and its project's folder."""


class Step(NamedTuple):
    """One event of a session; `fields` are the client's, with `${root}` for its project."""

    session: str
    event: str
    fields: dict[str, Any]

    @property
    def name(self) -> str:
        """What one reads of it in a list."""
        return f"{self.session}: {self.event} {json.dumps(self.fields)}"


def _call(session: str, tool: str, **given: Any) -> Step:
    return Step(session, "PreToolUse", {"tool_name": tool, "tool_input": given, "tool_use_id": "t50"})


def _ran(session: str, tool: str, **given: Any) -> Step:
    fields = {
        "tool_name": tool,
        "tool_input": given,
        "tool_use_id": "t50",
        "tool_response": {"stdout": "", "stderr": ""},
    }
    return Step(session, "PostToolUse", fields)


def _work(session: str) -> list[Step]:
    """Calls of every kind: changing, reading, searching, speaking."""
    return [
        _call(session, "Bash", command="touch src/new.py"),
        _ran(session, "Bash", command="touch src/new.py"),
        _call(session, "Write", file_path="${root}/src/other.py", content="x = 1\n"),
        _call(session, "Edit", file_path="${root}/src/routes.py", old_string='"/"', new_string='"/a"'),
        _call(session, "Read", file_path="${root}/src/routes.py"),
        _call(session, "Grep", pattern="needle", path="${root}/src"),
        _call(session, "TodoWrite", todos=[]),
        _call(session, "Task", description="look", prompt="look around", subagent_type="Explore"),
        _call(session, "Bash", command="ls src"),
    ]


def _phase(session: str) -> list[Step]:
    """A session of the second project goes on; what is finished first hears a person again."""
    prompt = Step(session, "UserPromptSubmit", {"prompt": "go on"})
    never = _call(session, "Bash", command="touch secret/key")
    end = Step(session, "Stop", {"stop_hook_active": False})
    first = [] if session == "COMPLETE" else _work(session)
    return [*first, prompt, *_work(session), end, prompt, *_work(session), never, *_work(session)]


STEPS = [
    Step(MAIN, "SessionStart", {"source": "resume"}),
    *_work(MAIN),
    Step(MAIN, "UserPromptSubmit", {"prompt": "add a button to the page in src/auth, and its tests"}),
    *_work(MAIN),
    _call(MAIN, "Bash", command="rm -rf ~"),
    _call(MAIN, "Bash", command="git clean -fd build"),
    _call(MAIN, "Bash", command="echo checked-away"),
    _call(MAIN, "Bash", command="rm -rf .git"),
    _call(MAIN, "Grep", pattern="needle"),
    Step(MAIN, "SubagentStart", {"agent_id": "ag9", "agent_type": "Plan"}),
    Step(MAIN, "SubagentStop", {"agent_id": "ag9", "agent_type": "Plan", "stop_hook_active": False}),
    Step(MAIN, "Stop", {"stop_hook_active": False}),
    Step(MAIN, "PreCompact", {"trigger": "auto"}),
    Step(MAIN, "SessionStart", {"source": "compact"}),
    *_work(MAIN),
    *[step for phase in PHASED for step in _phase(phase)],
]


UNSTABLE = re.compile(r"[0-9a-f]{32}|(?<=for )\d+(?= more minutes)")
"""Ids of rows, and how long a pause lasts."""


def answers(client: Client, folder: Path) -> list[str]:
    """What is answered to each step, as a line without ids and places."""
    said = []
    for step in STEPS:
        session, project = SESSIONS[step.session]
        root = str(folder / project)
        fields = json.loads(json.dumps(step.fields).replace("${root}", root))
        answer = client.send(step.event, **fields, session_id=session, cwd=root)
        said.append(UNSTABLE.sub("…", json.dumps(answer, sort_keys=True).replace(str(folder), "")))
    return said
