"""A project's own feature as somebody wrote it for the version before."""

from jackline import system
from jackline.paths import variable
from jackline.sdk import Action, ask, deny, hook
from jackline.shell.programs import rule as rule_of
from jackline.system import names, now


@hook(name="notes", supports=["PreToolUse", "PostToolUse"], priority=60, critical=True)
def handle(event, ctx):
    assert now() <= system.now() and variable("HOME") and rule_of("cp") and names(event.root)  # as copies of ours do
    if event.name == "PostToolUse":
        return Action(
            state_patch={"notes": {"last": event.tool_use_id}},
            register_artifacts=({"kind": "NOTE", "ref": "notes/output/last.md"},),
        )
    if "note this" in event.command:
        return deny("NOTED", rule="notes: noted", safer="note something else")
    if "touch" in event.command:
        return ask("MAY-IT", rule="notes: touching", safer="leave it")
    return None
