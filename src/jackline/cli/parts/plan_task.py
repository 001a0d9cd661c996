"""The task of the session that `jackline plan` is about."""

from __future__ import annotations

from typing import Any

from jackline.cli.parts import person, session_rows
from jackline.cli.parts.caller import Caller, caller, session_of
from jackline.cli.parts.setting import Setting
from jackline.cli.parts.shape import Shape
from jackline.hook_table import load, path_of
from jackline.services.plans import acceptance, reminders
from jackline.services.plans.acceptance import LENIENT, STRICT, Where
from jackline.store import tasks
from jackline.store.ids import slot
from jackline.store.session_index import SessionEntry

SUBMISSION: Shape = {
    "accepted": "bool",
    "changed": "bool",
    "fingerprint": "str",
    "nodes": "int",
    "findings": [{"node": "str", "rule": "str", "what": "str", "write": "str"}],
    "diff": ["str"],
    "waits": "str",
}
"""What came of a submission."""
STEP: Shape = {
    "node": "str",
    "step": "str",
    "taken": "bool",
    "refused": "str",
    "waits": "str",
    "said": ["str"],
    "next": "str",
}
"""What came of a step at a node."""

SHOWN: Shape = {
    "session": "str",
    "work": "str",
    "phase": "str",
    "goal": "str",
    "minutes": "number|null",
    "files": "int|null",
    "held": "int",
    "fingerprint": "str",
    "complete": "bool",
    "nodes": ["object"],
    "denied": "object|null",
    "stale": "bool",
    "*": "any",
}
"""What is told of a plan."""

FEATURE = "plan-graph"
"""The feature whose mode says how strictly plans are judged."""


class Task:
    """The task of the session that a command is about."""

    def __init__(self, setting: Setting, name: str) -> None:
        self.setting = setting
        self.who: Caller = caller(setting)
        self.session: SessionEntry = session_of(setting, self.who, name)
        core = self.session.state().get("core", {})
        work = str(core.get("workId", "w001"))
        self.where = Where(str(setting.store), self.session.root, self.session.sid, work, self.session.folder)

    @property
    def by(self) -> str:
        return "agent" if self.who.agent else person.name()

    def mode(self) -> str:
        """`strict` where the project enforces its plans."""
        found = load(path_of(self.where.store, slot(self.where.root)))
        row = found.row(FEATURE) if found is not None else None
        return STRICT if row is not None and row.mode == "enforce" else LENIENT

    def render(self, kind: str, data: dict[str, Any]) -> None:
        """A row of the log, and the plan's part of the state as the store has it."""
        patch = {"plan": acceptance.state_of(self.where)}
        session_rows.announce(self.where.store, self.session, kind, data, patch, agent=self.who.agent)

    def next(self) -> str:
        """The one step that leads on."""
        known = tasks.read(self.where.store, self.where.sid, self.where.work)
        return reminders.next_step(acceptance.accepted(self.where), known)
