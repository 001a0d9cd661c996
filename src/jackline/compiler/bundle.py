"""Write what the door starts from: `hot.bin` (all hot modules as code objects) and `door.py`, into the user's store.

One read of one file instead of a search per module: no finder, no stat, no folder listing on the hot path.
"""

from __future__ import annotations

import __future__
import ast
import marshal
import os
import sys
from pathlib import Path

from jackline import system

FORMAT = 1
FUTURE = __future__.annotations.compiler_flag
PACKAGE = Path(__file__).resolve().parent.parent
ROOT = "jackline.hook"

LATER = (
    "jackline.adapters.claude_code",
    "jackline.adapters.codex",
    "jackline.adapters.github",
    "jackline.features.session.hook",
    "jackline.features.self_protect.hook",
    "jackline.features.graph_pretooluse.hook",
    "jackline.features.plan_graph_exec.hook",
)
"""Hot modules that are imported by name: dialects and built-in features. Their own imports follow."""


def door_source() -> str:
    """The text of `door.py`: as short as can be, since a main file is compiled on every start."""
    return f'''"""The door of Jackline: clients start this file. Written by `jackline init`; do not edit."""
import sys
store = sys.argv[0].rpartition("/")[0] or "."
try:
    import marshal, posix
    fd = posix.open(store + "/hot.bin", posix.O_RDONLY | posix.O_CLOEXEC)
    raw = posix.read(fd, posix.fstat(fd).st_size)
    posix.close(fd)
    head = b"jackline hot {FORMAT} %08x\\n" % sys.hexversion
    if raw[:len(head)] != head:
        raise ImportError("made for another interpreter")
    hot, order, home, roots, boot = marshal.loads(raw[len(head):])
    code = marshal.loads(boot)
except Exception:  # the package itself then, slower; `jackline doctor` says so
    code = None
try:
    if code is not None:
        exec(code, dict(hot=hot, order=order, home=home, roots=roots, store=store, __name__="jackline.boot"))
except BaseException:
    [sys.modules.pop(name) for name in list(sys.modules) if name.split(".")[0] == "jackline"]
    sys.meta_path[:] = [finder for finder in sys.meta_path if finder.__module__ != "jackline.boot"]
try:
    with open(store + "/package", encoding="utf-8") as told:
        sys.path.extend(told.read().split("\\n"))
    from jackline.hook import enter
    enter(store)
except BaseException:
    import posix
    try:
        posix.write(1, b"{{}}\\n")
    finally:
        posix._exit(0)
'''


def _source(name: str) -> tuple[Path, bool] | None:
    base = PACKAGE.parent / name.replace(".", "/")
    if (base / "__init__.py").is_file():
        return base / "__init__.py", True
    path = base.with_suffix(".py")
    return (path, False) if path.is_file() else None


def _imported(tree: ast.Module) -> list[str]:
    """Modules of ours that a module imports as it is made (not under TYPE_CHECKING, not inside functions)."""
    found: list[str] = []

    def visit(nodes: list[ast.stmt]) -> None:
        for node in nodes:
            if isinstance(node, ast.ImportFrom) and node.module and node.module.split(".")[0] == "jackline":
                found.append(node.module)
                found.extend(f"{node.module}.{alias.name}" for alias in node.names)
            elif isinstance(node, ast.Import):
                found.extend(alias.name for alias in node.names if alias.name.split(".")[0] == "jackline")
            elif isinstance(node, ast.If):
                if not (isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"):
                    visit(node.body)
                visit(node.orelse)
            elif isinstance(node, ast.Try):
                visit(node.body)

    visit(tree.body)
    return [name for name in found if _source(name) is not None]


def _present(tree: ast.Module) -> ast.Module:
    """The module without its `from __future__` line: the flag says the same, and nothing is imported for it."""
    tree.body = [node for node in tree.body if not (isinstance(node, ast.ImportFrom) and node.module == "__future__")]
    return tree


def gather(names: tuple[str, ...]) -> dict[str, tuple[bool, bytes]]:
    """All hot modules that `names` lead to, each after what it imports: name → (is a package, marshalled code)."""
    made: dict[str, tuple[bool, bytes]] = {}
    under_way: set[str] = set()

    def add(name: str) -> None:
        if name in made or name in under_way:
            return
        under_way.add(name)
        above = name.rpartition(".")[0]
        if above:
            add(above)
        found = _source(name)
        if found is None:
            return
        path, package = found
        tree = ast.parse(path.read_bytes(), str(path))
        for other in _imported(tree):
            add(other)
        code = compile(_present(tree), str(path), "exec", flags=FUTURE, dont_inherit=True, optimize=2)
        made[name] = (package, marshal.dumps(code))

    for name in names:
        add(name)
    return made


def package_roots() -> list[str]:
    """Folders that hold our package and its dependencies in the installing environment."""
    roots = [str(PACKAGE.parent)]
    for module in ("tree_sitter", "tree_sitter_bash"):
        for entry in sys.path:
            if entry and (Path(entry) / module).is_dir() and os.path.realpath(entry) not in roots:
                roots.append(os.path.realpath(entry))
                break
    return roots


def content() -> bytes:
    """The bytes of `hot.bin` for this interpreter and installation."""
    eager = gather((ROOT, "jackline.roots"))
    later = gather((*eager, *LATER))
    boot, _ = _source("jackline.boot") or (PACKAGE / "boot.py", False)
    tree = _present(ast.parse(boot.read_bytes(), str(boot)))
    code = marshal.dumps(compile(tree, str(boot), "exec", flags=FUTURE, dont_inherit=True, optimize=2))
    order = tuple(eager)
    data = (later, order, str(PACKAGE.parent), package_roots(), code)
    return b"jackline hot %d %08x\n" % (FORMAT, sys.hexversion) + marshal.dumps(data)


def build(store: str) -> bool:
    """Write `hot.bin`, `door.py` and `package` into `store`; True when anything changed."""
    system.make_dirs(store)
    wanted = {
        "hot.bin": content(),
        "door.py": door_source().encode(),
        "package": "\n".join(package_roots()).encode(),
    }
    changed = False
    for name, data in wanted.items():
        path = f"{store}/{name}"
        try:
            same = system.read(path) == data
        except OSError:
            same = False
        if not same:
            system.replace(path, data)
            changed = True
    return changed
