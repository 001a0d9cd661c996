"""What is seen from within: a trusted project feature that tells what it is given, and the interpreter's own audit."""

from __future__ import annotations

import json
import subprocess
from typing import Any

from scene import BASE, Said, Scene

AUDIT = """
import posix, sys
def told(name, args):
    if name.startswith({names!r}):
        posix.write(trace, name.encode() + b"\\n")
trace = posix.open({trace!r}, posix.O_CREAT | posix.O_WRONLY)
sys.addaudithook(told)
sys.argv = [{door!r}, "claude-code", {event!r}]
names = dict(__name__="__main__", __file__={door!r})
exec(compile(open({door!r}).read(), {door!r}, "exec"), names)
"""


def audited(scene: Scene, payload: dict[str, Any], names: tuple[str, ...]) -> tuple[Said, list[str]]:
    """A door under Python's audit: its answer, and which of the named things it did."""
    trace = scene.folder / "trace"
    event = payload["hook_event_name"]
    script = AUDIT.format(names=names, trace=str(trace), door=str(scene.store / "door.py"), event=event)
    done = subprocess.run(
        [BASE, "-I", "-S", "-c", script],
        input=json.dumps(payload).encode(),
        capture_output=True,
        env=scene.env,
        cwd=scene.root,
        timeout=30,
    )
    return Said(done.returncode, done.stdout, done.stderr, 0), trace.read_text().split()


SPY = """
import json
return note('spied', json.dumps({expression}))
"""


def spied(scene: Scene, expression: str, event: str = "PreToolUse", **fields: Any) -> Any:
    """What a trusted feature sees: the value of an expression over its `event` and `ctx`."""
    scene.feature("spy", SPY.format(expression=expression), supports=[event])
    scene.trust()
    payload = scene.tool(**fields) if event.startswith(("Pre", "Post")) else scene.payload(event, **fields)
    told = scene.say({**payload, "hook_event_name": event}).body["hookSpecificOutput"]["additionalContext"]
    return json.loads(told.removeprefix("spied: "))
