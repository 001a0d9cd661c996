"""What a task has used of its caps: tool calls, minutes at work, tokens.

Counted as each call ends and kept with the task, so that whoever asks reads a few numbers and no log. A task that
reached a cap stays BLOCKED for the turn, whatever else would lead on; the person's next prompt gives it as much again.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from jackline.store.tasks import Task

WORDS = {"toolCalls": "tool calls", "minutes": "minutes at work", "tokens": "tokens"}
"""The caps, and what they count. Minutes pass from a prompt to the last call of its turn."""
TOKEN = 4
"""Characters that count as a token."""
MINUTE = 60_000


def _spent(task: Task) -> dict[str, int]:
    found = task.get("spent")
    return dict(found) if type(found) is dict else {}


def used(task: Task) -> dict[str, int]:
    """What the task has used since it began, or since a person gave it as much again; by cap."""
    spent = _spent(task)
    return {
        "toolCalls": spent.get("calls", 0),
        "minutes": spent.get("ms", 0) // MINUTE,
        "tokens": spent.get("chars", 0) // TOKEN,
    }


def is_capped(task: Task, turn: int) -> bool:
    """Whether a cap holds the task in this turn."""
    capped = task.get("capped")
    return type(capped) is dict and capped.get("turn") == turn and not capped.get("told")


def spend(task: Task, turn: int, now_ms: int, calls: int = 0, characters: int = 0) -> Task:
    """The task after so much was used. The first event of a turn that follows on a cap begins to count anew."""
    spent, capped = _spent(task), task.get("capped")
    if type(capped) is dict and capped.get("turn") != turn:
        spent, capped = {}, None
    passed = now_ms - spent["last"] if spent.get("turn") == turn and "last" in spent else 0
    made = {
        "calls": spent.get("calls", 0) + calls,
        "ms": spent.get("ms", 0) + max(passed, 0),
        "chars": spent.get("chars", 0) + characters,
        "turn": turn,
        "last": now_ms,
    }
    return {**task, "spent": made, "capped": capped}


def held(task: Task, caps: Mapping[str, int], turn: int, *, told: bool) -> Task:
    """The task with the first cap that it has reached; the same where it has reached none, or one before.

    `told`: it is only told of, and holds nothing.
    """
    now = used(task)
    name = next((one for one in WORDS if caps.get(one) and now[one] >= caps[one]), "")
    if not name or task.get("capped"):
        return task
    return {**task, "capped": {"cap": name, "most": caps[name], "turn": turn, "told": told}}


def sentence(task: Task) -> str:
    """Which cap the task has reached."""
    capped = task.get("capped") or {}
    name = str(capped.get("cap", ""))
    return f"the task reached its cap of {capped.get('most')} {WORDS.get(name, name)} (work-init.caps.{name})"
