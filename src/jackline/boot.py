"""The first thing the entry point runs: how linked hot modules are loaded when they are needed.

`compiler/link.py` made of all hot modules one namespace, the entry point's own. `h` tells what `compiler/bundle.py`
wrote: modules that run with this one, where later modules lie in the second file, and so on; `s` is the store and a
slash.
"""

from __future__ import annotations

import sys
from _imp import create_dynamic, exec_dynamic  # type: ignore[import-not-found,unused-ignore]
from marshal import loads
from posix import open as open_file
from posix import pread, stat

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType
    from typing import Any

    Place = tuple[int, int]  # offset and size in the second file, behind its head
    Later = dict[str, tuple[tuple[str, ...], int, int]]  # what a module imports, its place
    Tables = tuple[tuple[str, ...], Later, list[bytes], dict[str, Place]]
    h: tuple[*Tables, str, int, int, str, str, list[str], dict[str, str]]
    s: str

NAMES = globals()
MODULES = sys.modules
EAGER, LATER, TABLES, RARE, COLD, BASE, SIZE, PACKAGES, HOME, ROOTS, EXTENSIONS = h
COLD = s + COLD
if stat(COLD).st_size != SIZE:  # gone, damaged or of another build: the package itself answers then, from the start
    raise ImportError(COLD)
READY = {*EAGER}
SPACE: Any = sys.implementation.__class__  # a namespace: an object with attributes, and nothing else
METHOD: Any = sys.meta_path[0].find_spec.__class__  # what a function is when it is bound
CODES: dict[str, bytes] = {}
FILES: list[int] = []


def piece(at: int, size: int) -> Any:
    """What stands at a place of the second file."""
    if not FILES:
        FILES.append(open_file(COLD, 0))
    return loads(pread(FILES[0], size, BASE + at))


def fetch() -> None:
    """Read where rare things lie. OSError or ValueError when the second file is gone or damaged."""
    if "" not in RARE:
        modules, functions, _ = piece(8 - BASE, BASE - 8)
        LATER.update(modules)
        RARE.update(functions)


def near(module: str) -> bool:
    """Whether a module was run, or it is known where it lies, without the second file being read for it."""
    if module in READY:
        return True
    while TABLES and module not in LATER:  # what is asked for oftenest stands in the last one
        LATER.update(loads(TABLES.pop()))
    return module in LATER


def need(module: str) -> None:
    """Run a linked module that was not run yet, and before it those it imports."""
    if module in READY:
        return
    if not near(module):
        fetch()
    others, at, size = LATER[module]
    READY.add(module)
    for other in others:
        need(other)
    exec(piece(at, size), NAMES)  # noqa: S102 - our own modules, as installed


def bring(name: str) -> bool:
    """Read the rare functions of the module that holds `name`, as far as we know where they lie."""
    module = name
    while module and module not in RARE:
        module = module.rpartition(".")[0]
    if module:
        CODES.update(piece(*RARE[module]))
        need("jackline." + module)
    return name in CODES


def rare(name: str) -> Any:
    """A function or class that plain events do not need, by its linked name."""
    found = NAMES.get(name)
    if found is None:
        if not (name in CODES or bring(name)):
            fetch()
            bring(name)
        made: dict[str, Any] = {}
        exec(loads(CODES[name]), NAMES, made)  # noqa: S102 - our own functions, as installed
        above, _, last = name.rpartition(".")
        found = NAMES[name] = made[name] if name in made else made[last]
        owner = NAMES.get(above)
        methods = None if owner is None else owner.__dict__.get("_methods")  # a record's kind keeps them there
        if methods is not None:
            methods[last] = found
        elif owner is not None:
            setattr(owner, last, found)
    return found


def stand(name: str) -> Any:
    """Stand for a rare method, or for a rare function that is handed on."""
    return lambda *args, **given: rare(name)(*args, **given)


def light(begin: Any, methods: dict[str, Any]) -> Any:
    """What makes instances of a class that never became a type (`compiler/plain_classes.py`)."""

    def make(*args: Any, **given: Any) -> Any:
        made = SPACE()
        held = made.__dict__
        for name, one in methods.items():
            held[name] = METHOD(one, made)
        begin(made, *args, **given)
        return made

    return make


def view(module: str) -> ModuleType:
    """A linked module as a module object, for those who import it; its names are looked up when they are asked for."""
    made = MODULES.get(module)
    if made is None:
        need(module)
        made = MODULES[module] = type(sys)(module)
        if f" {module} " in PACKAGES:
            made.__path__ = [f"{HOME}/{module.replace('.', '/')}"]
        prefix = module.removeprefix("jackline.") + "."
        names = made.__dict__

        def look(name: str) -> Any:
            found = NAMES.get(prefix + name)
            if found is None:
                found = rare("views.bound")(module, name)
            names[name] = found
            return found

        made.__getattr__ = look  # type: ignore[method-assign]
    return made


def take(name: str, value: str = "") -> Any:
    """A module by name, linked or not; or a value of a linked one, which nobody needs as an object for it."""
    if value:
        need(name)
        return NAMES[f"{name[9:]}.{value}"]
    return view(name) if near(name) or rare("views.is_ours")(name) else __import__(name, None, None, ("*",))


def find_spec(name: str, path: object = None, target: object = None) -> Any:
    """The finder for linked modules that others import by statement."""
    return None if name[:8] != "jackline" else rare("views.spec")(name)


def hot() -> None:
    """The finder: any object with these names will do, and a class would cost more."""


def extension(name: str) -> None:
    """Load a module of the interpreter's whose file is known: a search costs several times as much.

    `create_dynamic` asks of a spec no more than `name` and `origin` (3.11 to 3.13).
    """
    if name in MODULES or not EXTENSIONS[name]:
        return
    hot.name, hot.origin = name, EXTENSIONS[name]  # type: ignore[attr-defined]
    try:
        module = create_dynamic(hot)  # type: ignore[arg-type]
        exec_dynamic(module)
        MODULES[name] = module
    except (ImportError, OSError):
        return  # it is searched for then


extension("_json")


def start() -> None:
    """All that each event needs is there: enter."""
    hot.find_spec = find_spec  # type: ignore[attr-defined]
    sys.meta_path.insert(0, hot)  # type: ignore[arg-type]
    NAMES["site_paths.ROOTS"].extend(ROOTS)
    NAMES["site_paths.take"] = take
    NAMES["hook.enter"](s[:-1])
