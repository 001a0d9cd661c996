"""Which modules a door process has loaded when it leaves: asked of the process itself, which loads nothing for it.

Modules of ours are linked (`compiler/link.py`): the loader in the door's namespace knows which of them ran.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

ASK = """
import sys, posix
def leave(code, leave=posix._exit):
    names = sys.modules
    found = [name + "\\t" + (names[name].__dict__.get("__file__") or "") for name in names]
    found += [name + "\\t" for name in globals().get("boot.READY", ())]
    posix.write(int(sys.argv[-1]), "\\n".join(found).encode())
    leave(code)
posix._exit = leave
"""
BARE = ASK + "leave(0)"
DOOR = ASK + "sys.argv.pop(0); __file__ = sys.argv[0]; exec(open(__file__).read())"
"""`-c` stands where the door's path does: what is left of the words is what the door finds when it is the main file."""


def _ask(argv: Sequence[str], raw: bytes, env: Mapping[str, str], cwd: Path) -> dict[str, str]:
    with (cwd / "modules").open("w+b") as told:
        fd = told.fileno()
        subprocess.run(
            [*argv, str(fd)], input=raw, env=env, cwd=cwd, pass_fds=(fd,), stdout=subprocess.PIPE, check=True
        )
        told.seek(0)
        lines = told.read().decode().split("\n")
    (cwd / "modules").unlink()
    return {name: file for name, _, file in (line.partition("\t") for line in lines)}


def modules(argv: Sequence[str], raw: bytes, env: Mapping[str, str], cwd: Path) -> dict[str, str]:
    """Modules of the door `argv` (python, -I, -S, door, dialect, event) beyond a bare interpreter's: name → file."""
    python, words = [*argv[:3], "-c"], argv[3:]
    bare = _ask([*python, BARE], b"", env, cwd)
    door = _ask([*python, DOOR, *words], raw, env, cwd)
    return {name: door[name] for name in sorted(door.keys() - bare.keys())}


def third_party(found: Mapping[str, str]) -> list[str]:
    """Those that are neither ours nor the interpreter's."""
    library = str(Path(sys.base_prefix).resolve())
    return [
        name
        for name, file in found.items()
        if name.split(".")[0] not in (*sys.stdlib_module_names, "jackline")
        or "-packages" in file
        or (file and name.split(".")[0] != "jackline" and not str(Path(file).resolve()).startswith(library))
    ]
