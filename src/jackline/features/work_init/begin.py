"""A task's folder and its first artifact."""

from __future__ import annotations

from jackline import system
from jackline.jsonio import dumps
from jackline.sdk import allow
from jackline.services import work
from jackline.session_paths import task_parts, task_ref

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jackline.model import Action, Event
    from jackline.sdk import Context

FILE = "task.json"
FOLDERS = (
    "pack",
    "plan",
    "validators",
    "artifacts/attachments",
    "artifacts/computed",
    "memory",
    "mailbox",
    "steps",
    "locks",
)
"""What lies in a task's folder: an agent may write a request into some of them by whatever tool it has."""


def _keep(ctx: Context, task: str, data: bytes) -> None:
    """Write the task's file into the session's folder; no link is followed."""
    at = system.descend(ctx.session_root, task_parts(task), create=True)
    try:
        system.replace(FILE, data, at=at)
    finally:
        system.close(at)


def _scaffold(ctx: Context, task: str) -> None:
    """Make the folders of a task; where one cannot be, whoever needs it says so."""
    for name in FOLDERS:
        try:
            system.close(system.descend(ctx.session_root, task_parts(task, *name.split("/")), create=True))
        except OSError:
            continue


def _made(event: Event, ctx: Context) -> Action | None:
    """Make the task known once; its goal is the first line that a person wrote."""
    task = work.upcoming(ctx) if event.prompt else ctx.ids.work_id
    if not work.begin(ctx, event.prompt):
        return None
    goal = work.head(ctx, task).get("goal", "")
    told = {"v": 1, "work": task, "session": ctx.ids.session_id, "goal": goal}
    _keep(ctx, task, dumps(told).encode("ascii") + b"\n")
    _scaffold(ctx, task)
    artifact = {"kind": "work_initialized", "ref": task_ref(task, FILE), "summary": f"task {task}"}
    return allow()._replace(register_artifacts=(artifact,))


def begin(event: Event, ctx: Context) -> Action | None:
    """Begin the task; an agent that no file of the project tells how one goes here is told at its session's start."""
    made, tell = _made(event, ctx), ctx.config.get("tell")
    if event.name == "UserPromptSubmit" and ctx.config.get("caps"):
        from jackline.features.work_init.caps import counted

        counted(event, ctx)
    if event.name != "SessionStart" or not tell:
        return made
    from jackline.services.guidance import text

    return (made or allow())._replace(additional_context=(("task", text(tell)),))
