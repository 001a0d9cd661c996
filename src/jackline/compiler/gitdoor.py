"""Write what git's pre-commit hook starts: a second, smaller door with just the modules that a commit needs.

Clients' doors load what every event needs; a commit needs an eighth of it, and a person waits for it. Modules are kept
as they are, in the order they import one another; whatever else is wanted comes from the package itself.
"""

from __future__ import annotations

import sys
from pathlib import Path

from jackline.compiler.canon import dump

PACKAGE = Path(__file__).resolve().parent.parent

NAMES = (
    *("jackline", "jackline._record", "jackline.roots", "jackline.system", "jackline.git", "jackline.script"),
    *("jackline.wiring", "jackline.store", "jackline.store.ids", "jackline.store.secret_names", "jackline.runners"),
    *("jackline.runners.foreground", "jackline.scripts", "jackline.scripts.environment", "jackline.scripts.commit"),
    "jackline.precommit",
)
"""Each after what it imports (held by tests/compiler/test_gitdoor.py)."""

DOOR = """# The door of git's pre-commit hook, written by Jackline: do not edit.
s = __file__[:-9]
try:
    import gc, marshal, posix, sys
    gc.disable()
    q = marshal.loads(posix.read(posix.open(s + "commit-%x.bin" % sys.hexversion, 2048), 9999999))
    exec(q[0])
except Exception:
    import posix, sys
    posix.execve("/bin/sh", ("sh", *sys.argv[1:]), {**posix.environ, b"JACKLINE_ALONE": b"%d" % posix.getpid()})
"""
"""When anything is wrong with it, the work goes back to the hook, whose path is the first argument."""

LOADER = """
for n, p, c in q[1]:
    m = sys.modules[n] = type(sys)(n)
    m.__file__ = p
    if p[-12:] == "/__init__.py":
        m.__path__ = [p[:-12]]
    exec(c, m.__dict__)
    o, _, n = n.rpartition(".")
    if o:
        setattr(sys.modules[o], n, m)
m.enter(s[:-1], sys.argv[1:])
"""


def _path(name: str) -> Path:
    base = PACKAGE.parent / name.replace(".", "/")
    return base / "__init__.py" if base.is_dir() else base.with_suffix(".py")


def name_of_bundle() -> str:
    return f"commit-{sys.hexversion:x}.bin"


def files() -> dict[str, bytes]:
    """What the hook's door needs in a store, by name; the door itself last."""
    parts = []
    for name in NAMES:
        path = _path(name)
        code = compile(path.read_bytes(), str(path), "exec", dont_inherit=True, optimize=2)
        parts.append((name, str(path), code))
    loader = compile(LOADER, "commit.py", "exec", dont_inherit=True)
    return {name_of_bundle(): dump((loader, tuple(parts))), "commit.py": DOOR.encode()}
