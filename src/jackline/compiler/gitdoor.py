"""Write what git's pre-commit hook starts: a second, smaller entry point with just the modules that a commit needs.

Clients' entry points load what every event needs; a commit needs an eighth of it, and a person waits for it. Modules
are kept as they are, in the order they import one another; whatever else is wanted comes from the package itself.
"""

from __future__ import annotations
import __future__

import ast
import importlib.util
import sys
from pathlib import Path
from types import CodeType

from jackline.compiler import derived
from jackline.compiler.stable_marshal import dump

PACKAGE = Path(__file__).resolve().parent.parent

NAMES = (
    *("jackline", "jackline.version", "jackline._record", "jackline.site_paths", "jackline.system", "jackline.host"),
    *(
        "jackline.paths",
        "jackline.file_stat",
        "jackline.git",
        "jackline.script",
        "jackline.hook_table",
        "jackline.staleness",
    ),
    *("jackline.clients", "jackline.clients.secrets", "jackline.store", "jackline.store.ids"),
    *("jackline.store.secret_names", "jackline.runners"),
    *("jackline.runners.process", "jackline.runners.foreground", "jackline.scripts", "jackline.scripts.environment"),
    *("jackline.scripts.commit", "jackline.precommit"),
)
"""Each after what it imports (held by tests/compiler/test_gitdoor.py)."""

DOOR = """# The entry point of git's pre-commit hook, written by Jackline: do not edit.
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
if q[2]:
    from _imp import create_dynamic, exec_dynamic
    def x(): pass
    x.name, x.origin = "_blake2", q[2]
    try:
        m = create_dynamic(x)
        exec_dynamic(m)
        sys.modules["_blake2"] = m
    except (ImportError, OSError):
        pass
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


"""What it is given: modules with their files and codes, and the file of the one extension that is needed, "" when it is
built in: to search for it would cost as much again."""


def _path(name: str) -> Path:
    base = PACKAGE.parent / name.replace(".", "/")
    return base / "__init__.py" if base.is_dir() else base.with_suffix(".py")


def _is_future(node: ast.stmt) -> bool:
    return isinstance(node, ast.ImportFrom) and node.module == "__future__"


class _Bare(ast.NodeTransformer):
    """Without what nobody asks for at run time: annotations of functions, columns, an import of `__future__`."""

    def visit(self, node: ast.AST) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node, ast.Module):
            node.body = [one for one in node.body if not _is_future(one)]
        elif isinstance(node, ast.FunctionDef):
            node.returns = None
        elif isinstance(node, ast.arg):
            node.annotation = None
        if isinstance(node, (ast.stmt, ast.expr, ast.excepthandler, ast.arg, ast.keyword, ast.alias)):
            node.col_offset = 0
            node.end_lineno, node.end_col_offset = node.lineno, 0
        return node


def tree_of(name: str) -> ast.Module:
    """The tree of a module as this entry point has it."""
    if name in derived.DERIVED:
        return derived.tree(name)
    path = _path(name)
    return ast.parse(path.read_bytes(), str(path))


def _code(name: str) -> CodeType:
    path, tree = _path(name), tree_of(name)
    _Bare().visit(tree)
    flags = __future__.annotations.compiler_flag  # as every module of ours says; fields of records are left
    code: CodeType = compile(tree, str(path), "exec", flags=flags, dont_inherit=True, optimize=2)
    return code


def _extension() -> str:
    """Where the module lies that makes the names of slots."""
    spec = importlib.util.find_spec("_blake2")
    return spec.origin if spec is not None and spec.has_location and spec.origin else ""


def name_of_bundle() -> str:
    return f"commit-{sys.hexversion:x}.bin"


def files() -> dict[str, bytes]:
    """What the hook's entry point needs in a store, by name; the entry point itself last."""
    parts = []
    for name in NAMES:
        parts.append((name, str(_path(name)), _code(name)))
    loader = compile(LOADER, "commit.py", "exec", dont_inherit=True)
    return {name_of_bundle(): dump((loader, tuple(parts), _extension())), "commit.py": DOOR.encode()}
