"""Write what the door starts from: a bundle of all hot modules as code objects, and `door.py`, into the user's store.

One read of one file instead of a search per module: no finder, no stat, no folder listing on the hot path.
"""

from __future__ import annotations
import __future__

import ast
import marshal
import os
import sys
from pathlib import Path
from types import CodeType

from jackline import system

FUTURE = __future__.annotations.compiler_flag
PACKAGE = Path(__file__).resolve().parent.parent
ROOT = "jackline.hook"

ROOMS = ("adapters", "engine", "features", "kernel", "runners", "shell", "store")
"""Rooms whose modules are all in the bundle: an event that needs a rare one finds it there, without a search."""

COLD = frozenset(("jackline.adapters.grades", "jackline.store.listing", "jackline.store.authority"))
"""Modules of those rooms that only the command line uses."""


def later_modules() -> tuple[str, ...]:
    """Modules the door makes when they are imported: dialects, features, and all rare roads."""
    found = ["jackline.globs", "jackline.places", "jackline.processes"]
    for room in ROOMS:
        for path in sorted((PACKAGE / room).rglob("*.py")):
            parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
            found.append(".".join(parts[:-1] if parts[-1] == "__init__" else parts))
    return tuple(name for name in found if name not in COLD)


DOOR = """import sys  # the door of Jackline, written by `jackline init`: clients start it; do not edit
s = sys.argv[0].rpartition("/")[0] or "."
try:
    import marshal, posix
    h = marshal.loads(posix.read(posix.open(s + "/hot-%x.bin" % sys.hexversion, 526336), 1 << 26))
    exec(h[0])
except BaseException:
    try:
        exec(open(s + "/slow.py").read())
    except BaseException:
        print("{}")
"""
"""As short as can be: a main file is compiled on every start. 526336 is O_CLOEXEC | O_NONBLOCK: a pipe must not hang.

A half-removed installation objects to nothing. Bytes of another interpreter are never unmarshalled, since the file's
name tells whose they are.
"""

SLOW = '''"""The door's other way: no bundle for this interpreter, or a damaged one. The package itself, slower."""
for name in [name for name in sys.modules if name.split(".")[0] == "jackline"]:
    del sys.modules[name]
sys.meta_path[:] = [finder for finder in sys.meta_path if getattr(finder, "__name__", "") != "hot"]
try:
    with open(s + "/package", encoding="utf-8") as told:
        sys.path.extend(told.read().split("\\n"))
    from jackline.hook import enter
    enter(s)
except BaseException:
    import posix
    try:
        posix.write(1, b"{}\\n")
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


def hotset() -> frozenset[str]:
    """Functions and methods that plain events run, as `module:name`: made by `scripts/hotset`, one a line."""
    return frozenset((Path(__file__).parent / "hotset.txt").read_text(encoding="utf-8").split())


def _without_rare(name: str, path: Path, tree: ast.Module, hot: frozenset[str]) -> dict[str, bytes]:
    """Take the functions and methods that plain events do not run out of a module; returns them, leaves stand-ins.

    Unmarshalling code is the largest thing a door does after starting Python, and most of it is for rare roads.
    """
    rare: dict[str, bytes] = {}

    def thin(body: list[ast.stmt], prefix: str) -> None:
        for at, node in enumerate(body):
            if isinstance(node, ast.ClassDef):
                thin(node.body, f"{node.name}.")
            if not isinstance(node, ast.FunctionDef) or node.decorator_list or _bound(node, prefix):
                continue
            key = f"{name}:{prefix}{node.name}"
            if key in hot:
                continue
            rare[key] = marshal.dumps(_compiled(path, ast.Module([node], type_ignores=[])))
            call = ast.Call(
                ast.Name("__rare__", ast.Load()), [ast.Constant(name), ast.Constant(prefix + node.name)], []
            )
            body[at] = ast.copy_location(ast.Assign([ast.Name(node.name, ast.Store())], call), node)

    thin(tree.body, "")
    ast.fix_missing_locations(tree)
    return rare


def _bound(node: ast.FunctionDef, prefix: str) -> bool:
    """Whether a method means something only inside its class: constructors, `super()`, private names."""
    if not prefix:
        return False
    return node.name.startswith("__") or any(
        isinstance(below, ast.Name) and (below.id in ("super", "__class__") or below.id.startswith("__"))
        for below in ast.walk(node)
    )


def _compiled(path: Path, tree: ast.Module | None = None) -> CodeType:
    tree = _present(tree or ast.parse(path.read_bytes(), str(path)))
    code: CodeType = compile(tree, str(path), "exec", flags=FUTURE, dont_inherit=True, optimize=2)
    return code


def gather(names: tuple[str, ...], rare: dict[str, bytes]) -> dict[str, tuple[bool, tuple[str, ...], CodeType]]:
    """All hot modules that `names` lead to, each after what it imports: name → (is a package, what it imports, code).

    Functions that plain events do not run are put into `rare` instead.
    """
    hot = hotset()
    made: dict[str, tuple[bool, tuple[str, ...], CodeType]] = {}
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
        needs = tuple(dict.fromkeys(_imported(tree)))
        for other in needs:
            add(other)
        rare.update(_without_rare(name, path, tree, hot))
        made[name] = (package, needs, _compiled(path, tree))

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


def name_of_bundle() -> str:
    """The bundle's file name carries the interpreter it was made for."""
    return f"hot-{sys.hexversion:x}.bin"


def contents() -> tuple[bytes, bytes]:
    """The bytes of both files: (boot, eager modules in order, later ones, package folder, import roots, size of the
    second) and (rare modules, rare functions).
    """
    rare: dict[str, bytes] = {}
    eager = gather((ROOT, "jackline.roots"), rare)
    later = {name: one for name, one in gather((*eager, *later_modules()), rare).items() if name not in eager}
    found = _source("jackline.boot")
    assert found is not None
    boot = _compiled(found[0])
    order = tuple((name, package, code) for name, (package, _, code) in eager.items())
    bytes_of = {name: (package, needs, marshal.dumps(code)) for name, (package, needs, code) in later.items()}
    plain = {line.partition(":")[0] for line in hotset()}
    hot = {
        name: one
        for name, one in bytes_of.items()
        if name in plain or any(part.startswith(name + ".") for part in plain)
    }
    cold = {name: one for name, one in bytes_of.items() if name not in hot}
    second = marshal.dumps((cold, rare))
    return marshal.dumps((boot, order, hot, str(PACKAGE.parent), package_roots(), len(second))), second


def files() -> dict[str, bytes]:
    """All the door needs in a store, by name; the door itself last."""
    hot, cold = contents()
    return {
        f"cold-{sys.hexversion:x}.bin": cold,
        name_of_bundle(): hot,
        "slow.py": SLOW.encode(),
        "package": "\n".join(package_roots()).encode(),
        "door.py": DOOR.encode(),
    }


def build(store: str) -> bool:
    """Write the bundle and the door's files into `store`; True when anything changed."""
    system.make_dirs(store)
    changed = False
    for name, data in files().items():
        path = f"{store}/{name}"
        try:
            same = system.read(path) == data
        except OSError:
            same = False
        if not same:
            system.replace(path, data)
            changed = True
    return changed
