"""A bundle holds of specs what runs ask; who asks for all of one in a process of the door gets it from the package."""

from __future__ import annotations

import json
import subprocess

from jackline.clients.specs import SPECS
from jackline.install import dialect
from scene import Scene

ASK = """
import sys, posix
def leave(code, leave=posix._exit):
    try:
        from jackline.clients import codex, signs
        from jackline.clients.specs import SPECS
        from jackline.install import dialect
        linked = "boot.READY" in globals() and "jackline.clients.codex" in globals()["boot.LATER"]
        said = [linked, list(SPECS), list(dialect.of("codex").events), codex.TOOLS == SPECS["codex"].tools]
    except BaseException as fault:
        said = [repr(fault)]
    posix.write(int(sys.argv[-1]), repr(said).encode())
    leave(code)
posix._exit = leave
sys.argv.pop(0); __file__ = sys.argv[0]; exec(open(__file__).read())
"""


def test_a_spec_is_whole_in_a_doors_process(scene: Scene) -> None:
    scene.begin()
    python, isolated, bare, *words = scene.argv("PreToolUse")
    payload = scene.tool(tool_name="Read", tool_input={"file_path": f"{scene.root}/a.py"})
    with (scene.folder / "said").open("w+b") as told:
        subprocess.run(
            [python, isolated, bare, "-c", ASK, *words, str(told.fileno())],
            input=json.dumps(payload).encode(),
            env=scene.env,
            cwd=scene.folder,
            pass_fds=(told.fileno(),),
            stdout=subprocess.PIPE,
            check=True,
        )
        told.seek(0)
        said = told.read().decode()
    assert said == repr([True, list(SPECS), list(dialect.of("codex").events), True])
