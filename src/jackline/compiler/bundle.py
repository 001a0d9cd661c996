"""Write what the entry point starts from: a bundle of all hot modules, linked into one namespace, and `door.py`.

One read of one file instead of a search per module: no finder, no stat, no folder listing on the hot path. Which
modules and functions each event needs is known (`hotset.txt`); the others lie apart.
"""

from __future__ import annotations

import ast
import gc
import importlib.util
import os
import sys
from collections.abc import Mapping
from hashlib import blake2b
from pathlib import Path
from types import CodeType
from typing import Any

from jackline import file_stat, system
from jackline.compiler import bundle_modules, gitdoor, link, runtime_files
from jackline.compiler.bundle_modules import BOOT, PACKAGE, ROOT, Later
from jackline.compiler.code import code_of
from jackline.compiler.plain_classes import handed_on, light
from jackline.compiler.rare_code import hotset, once, rare_names, thinned, with_owners
from jackline.compiler.stable_marshal import dump
from jackline.compiler.units import Unit, at_once, short

REST = f"cold-{sys.hexversion:x}-"


EXTENSIONS = ("_json", *link.EXTENSIONS)
"""Modules of the interpreter's that may lie in files of their own."""

HERE = "what the bundle tells"
"""Stands in the code for the bundle's data, which no source could hold."""

DOOR = """# The entry point of Jackline: clients start it; do not edit.
s = __file__[:-7]
try:
    import marshal, posix, sys
    exec(marshal.loads(d := posix.read(posix.open(s + "hot-%x.bin" % sys.hexversion, 2048), 9999999)))
except:
    exec('''try:
    exec(open(s + "slow.py").read())
except:
    "PreToolUse" in sys.argv or print("{}")''')
"""
"""As short as can be: a main file is compiled on every start, and every word of it costs four thousand instructions.
The other way is one word as long as nobody goes it. 2048 is O_NONBLOCK: a pipe must not hang. A damaged installation
says nothing before a tool, where the entry's line answers for it, and objects to nothing elsewhere. Bytes of another
interpreter are never unmarshalled, since the file's name tells whose they are.
"""

FIRST = """
try:
    sys.modules["_imp"].create_builtin(ImportError(name="gc")).disable()
except Exception:
    pass
exec(marshal.loads(memoryview(d)[AT:]))
"""
"""What a bundle begins with: no collector, since the process ends before garbage could matter, then the rest of it.

An import statement for the collector would search for it and cost ten times as much; any object with a name will do
(3.11 to 3.13: `create_builtin` asks for nothing else; where it asks for more, the collector stays on).
"""


SLOW = '''"""The other way to start: no bundle for this interpreter, or a damaged one. The package itself, slower."""
for name in [name for name in sys.modules if name.split(".")[0] == "jackline"]:
    del sys.modules[name]
sys.meta_path[:] = [finder for finder in sys.meta_path if getattr(finder, "__name__", "") != "hot"]
try:
    with open(s + "package", encoding="utf-8") as told:
        sys.path.extend(told.read().split("\\n"))
    from jackline.hook import enter
    enter(s[:-1])
except BaseException:
    import posix
    try:
        if "PreToolUse" not in sys.argv:
            posix.write(1, b"{}\\n")
    finally:
        posix._exit(0)
'''


def package_roots() -> list[str]:
    """Folders that hold our package and its dependencies in the installing environment."""
    roots = [str(PACKAGE.parent)]
    for module in ("ruamel", "wcmatch", "tree_sitter"):
        for entry in sys.path:
            if entry and (Path(entry) / module).is_dir() and os.path.realpath(entry) not in roots:
                roots.append(os.path.realpath(entry))
                break
    return roots


def _extension(name: str) -> str:
    """The file of an extension module of the interpreter's, "" when it is built in."""
    found = importlib.util.find_spec(name)
    return found.origin or "" if found is not None and found.has_location else ""


def name_of_bundle() -> str:
    """The bundle's file name carries the interpreter it was made for."""
    return f"hot-{sys.hexversion:x}.bin"


def name_of_rest(data: bytes) -> str:
    """The second file's name tells its content: a run that goes on while another bundle is written reads its own."""
    return f"{REST}{blake2b(data, digest_size=4).hexdigest()}.bin"


def name_of_sources() -> str:
    """The file that tells what an interpreter's bundle was made of."""
    return f"sources-{sys.hexversion:x}"


def sources() -> bytes:
    """The digest of all that a bundle is made of: the package, its hot functions, and where things lie."""
    found = blake2b(digest_size=16)
    modules = [f"{at}/{name}" for at, _, names in os.walk(PACKAGE) for name in names if name.endswith(".py")]
    for path in sorted((*modules, str(Path(__file__).parent / "hotset.txt"))):
        data = system.read(path)
        found.update(b"%s\0%d\0" % (os.fsencode(path), len(data)))
        found.update(data)
    places = (sys.version, package_roots(), [_extension(name) for name in EXTENSIONS])
    found.update(repr(places).encode("utf-8", "surrogateescape"))
    return found.hexdigest().encode() + b"\n"


class _Heap:
    """The second file: pieces one after another, each known by its place."""

    def __init__(self) -> None:
        self.data = bytearray()

    def place(self, piece: bytes) -> tuple[int, int]:
        self.data += piece
        return len(self.data) - len(piece), len(piece)


def contents() -> tuple[bytes, bytes]:
    """The bytes of both files. The first is code that runs what each event needs; it holds what `boot` unpacks as `h`.

    The second: the size of its head (8 digits), the head (modules, rare functions by module; "" = what all names are
    linked to), and the pieces that these tell the places of.
    """
    plain, known = hotset()
    units = bundle_modules.every_unit()
    soonest = bundle_modules.order((BOOT, ROOT, "jackline.site_paths"), units)
    early = {name for name in units if name in soonest or name.startswith("jackline.clients")}
    some, all_of = with_owners(plain), with_owners(known)
    hot = {name: some if name in early else all_of for name in units}
    rare = {one for name, unit in units.items() for one in rare_names(unit, hot[name], BOOT)} - at_once(units)
    heap = _Heap()
    functions: dict[str, tuple[int, int]] = {}
    bodies: dict[str, list[ast.stmt]] = {}
    for name, unit in units.items():
        bodies[name], apart = thinned(unit, link.link(unit, units, rare, soonest), rare, hot[name])
        if apart:
            functions[short(name)] = heap.place(dump(apart))
    seen = {"marshal", "posix", "sys"}  # the entry point has them
    handed = handed_on([node for body in bodies.values() for node in body])
    parts = [(units[name], light(once(bodies[name], seen), handed)) for name in soonest]
    later: Later = {}
    for name, unit in units.items():
        if name not in soonest:
            needs = tuple([one for one in unit.needs if one not in soonest])
            later[name] = (needs, *heap.place(dump(code_of([(unit, once(bodies[name], set(seen)))]))))
    functions[""] = heap.place(dump({name: unit.binds for name, unit in units.items()}))
    head = dump((later, functions, len(heap.data)))
    asked = [one for one in bundle_modules.order(bundle_modules.modules_of(known, units), units) if one in later]
    soon, tables = bundle_modules.told(later, asked, bundle_modules.plain_of(plain, units))
    rather = {short(line.partition(":")[0]) for line in known - plain if line.partition(":")[0] in early}
    soon_rare = {name: functions[name] for name in sorted(rather & functions.keys())}
    packages = f" {' '.join([name for name, unit in units.items() if unit.package])} "
    second = b"%08d" % len(head) + head + heap.data
    places = (str(PACKAGE.parent), package_roots(), {name: _extension(name) for name in EXTENSIONS})
    lies = (name_of_rest(second), 8 + len(head), len(second))
    told = (tuple(soonest), soon, tables, soon_rare, *lies, packages, *places)
    return _opening() + dump(_first(parts, units[BOOT], told)), second


def _opening() -> bytes:
    """`FIRST` as marshalled code that knows its own length."""
    made = b""
    while True:
        code = compile(FIRST.replace("AT", f"{len(made) or 1 << 20}"), PACKAGE, "exec", dont_inherit=True, optimize=2)
        before, made = len(made), dump(code)
        if len(made) == before:
            return made


def _first(parts: list[tuple[Unit, list[ast.stmt]]], boot: Unit, told: tuple[Any, ...]) -> CodeType:
    """The code of the first file: `h`, the modules that each event needs, and the start."""
    begin = ast.parse(f"h = {HERE!r}").body
    start: list[ast.stmt] = [ast.copy_location(ast.Expr(link.call("boot.start")), begin[0])]
    code = code_of([(boot, begin), *parts, (boot, start)])
    return code.replace(co_consts=tuple([told if one == HERE else one for one in code.co_consts]))


def files() -> dict[str, bytes]:
    """All the entry point needs in a store, by name; the entry point itself last.

    Trees of a whole package are many objects that all live to the end: looking for garbage among them finds none and
    takes a third of the time.
    """
    collecting = gc.isenabled()
    gc.disable()
    try:
        of_commits = gitdoor.files()
        hot, cold = contents()
    finally:
        if collecting:
            gc.enable()
    made = {
        **of_commits,
        name_of_rest(cold): cold,
        name_of_bundle(): hot,
        "slow.py": SLOW.encode(),
        runtime_files.NAME: runtime_files.contents(),
        "package": "\n".join(package_roots()).encode(),
    }
    last = {"door.py": DOOR.encode()}
    return {**made, name_of_sources(): sources() + _sums({**made, **last}), **last}


def _sums(made: Mapping[str, bytes]) -> bytes:
    """The sum of each file, a line each."""
    return b"".join(b"%s %s\n" % (digest_of(data), name.encode()) for name, data in sorted(made.items()))


def digest_of(data: bytes) -> bytes:
    return blake2b(data, digest_size=16).hexdigest().encode()


def _tidy(store: str, made: Mapping[str, bytes]) -> None:
    """Leave one second file of an earlier bundle, the newest: runs that began with it read from it to their end."""
    others = [name for name in system.names(store) if name.startswith(REST[:-1]) and name not in made]
    for name in sorted(others, key=lambda name: file_stat.of(f"{store}/{name}")[1])[:-1]:
        system.unlink(f"{store}/{name}")


def _mode(store: str) -> int:
    """Who may read the entry point: a store of the whole machine stays one."""
    try:
        return os.stat(f"{store}/door.py").st_mode & 0o777
    except OSError:
        return 0o600


def forget_tables(store: str) -> None:
    """Their head tells of the version that compiled them, and code may change within one: a run compiles anew."""
    for name in system.names(f"{store}/wirings"):
        if name.endswith((".bin", ".parts")):
            system.unlink(f"{store}/wirings/{name}")


def build(store: str, made: Mapping[str, bytes] | None = None) -> bool:
    """Write the bundle and the entry point's files (`files`, unless given) into `store`; True when anything changed."""
    system.make_dirs(store)
    changed = False
    made = files() if made is None else made
    mode = _mode(store)
    for name, data in made.items():
        path = f"{store}/{name}"
        try:
            same = system.read(path) == data
        except OSError:
            same = False
        if not same:
            system.replace(path, data, mode=mode)
            changed = True
    if changed:
        _tidy(store, made)
        forget_tables(store)
    return changed
