"""The first thing the door runs out of its bundle: makes the hot modules importable without a search, then enters.

Runs as bare code in the door file's own names: `h` is the bundle (this code, eager modules in order, later ones by
name, the package's folder, import roots), `s` the store. Eager modules are made at once, later ones when they are
imported; what only rare events need lies in a second file that is read when the first of it is asked for.
"""

from __future__ import annotations

import gc
import sys
from marshal import loads
from posix import stat

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import CodeType, ModuleType
    from typing import Any

    Eager = tuple[tuple[str, bool, CodeType], ...]
    Later = dict[str, tuple[bool, tuple[str, ...], bytes]]
    h: tuple[CodeType, Eager, Later, str, list[str], int]
    s: str

gc.disable()  # the process ends before garbage could matter
_, EAGER, LATER, HOME, ROOTS, SIZE = h
COLD = f"{s}/cold-{sys.hexversion:x}.bin"
if stat(COLD).st_size != SIZE:  # gone, damaged or of another build: the package itself answers then, from the start
    raise ImportError(COLD)
RARE: dict[str, bytes] = {}
MODULES = sys.modules
Module: Any = type(sys)


def empty(name: str, package: bool) -> ModuleType:
    """A module of that name, registered and not yet run: packages are there before what lies in them."""
    module: ModuleType = Module(name)
    module.__dict__["__rare__"] = rare
    module.__file__ = HOME + "/" + name.replace(".", "/") + ("/__init__.py" if package else ".py")
    above, _, last = name.rpartition(".")
    if package:
        module.__path__ = [HOME + "/" + name.replace(".", "/")]
        module.__package__ = name
    else:
        module.__package__ = above
    MODULES[name] = module
    if above:
        setattr(MODULES.get(above) or empty(above, True), last, module)
    return module


def fetch() -> None:
    """Read the second file: rare modules and functions. OSError or ValueError when it is gone or damaged."""
    if RARE:
        return
    from posix import O_CLOEXEC, O_RDONLY, close, fstat, open, read

    fd = open(COLD, O_RDONLY | O_CLOEXEC)
    modules, functions = loads(read(fd, fstat(fd).st_size))
    close(fd)
    LATER.update(modules)
    RARE.update(functions)


def rare(module: str, name: str) -> Any:
    """Stand for a function that a plain event does not run: the first call makes the real one in its place."""

    def stand_in(*args: Any, **given: Any) -> Any:
        names = MODULES[module].__dict__
        within, _, last = name.rpartition(".")
        owner = names[within] if within else None
        methods = None if owner is None else owner.__dict__.get("_methods")  # a record's kind keeps them there
        real = names.get(last) if owner is None else (owner.__dict__ if methods is None else methods)[last]
        if real is stand_in:
            fetch()
            made: dict[str, Any] = {}
            exec(loads(RARE[module + ":" + name]), names, made)  # noqa: S102 - our own functions, as installed
            real = made[last]
            if owner is None:
                names[last] = real
            elif methods is not None:
                methods[last] = real
            else:
                setattr(owner, last, real)
        return real(*args, **given)  # type: ignore[misc]

    return stand_in


def fetched(name: str) -> tuple[bool, tuple[str, ...], bytes] | None:
    """A module of ours that is not in the first file."""
    if name not in LATER and name[:9] == "jackline.":
        try:
            fetch()
        except (OSError, ValueError, EOFError):
            return None  # the package itself has it
    return LATER.get(name)


def take(name: str) -> ModuleType:
    """A module by name, made straight from the bundle where it is there: no finder, no spec."""
    module = MODULES.get(name)
    if module is None:
        entry = LATER.get(name) or fetched(name)
        if entry is None:
            return __import__(name, None, None, ("*",))
        package, needs, code = entry
        for other in needs:
            if other not in MODULES:
                take(other)
        module = empty(name, package)
        exec(loads(code), module.__dict__)  # noqa: S102 - our own modules, as installed
    return module


def find_spec(name: str, path: object = None, target: object = None) -> Any:
    """The finder for hot modules that are imported by statements inside functions."""
    if fetched(name) is None:
        return None
    from _frozen_importlib import ModuleSpec

    package = LATER[name][0]
    spec: Any = ModuleSpec(name, hot, origin=HOME, is_package=package)  # type: ignore[arg-type]
    if package:
        spec.submodule_search_locations.append(HOME + "/" + name.replace(".", "/"))
    return spec


def exec_module(module: ModuleType) -> None:
    package, _, code = LATER[module.__name__]
    module.__file__ = HOME + "/" + module.__name__.replace(".", "/") + ("/__init__.py" if package else ".py")
    module.__dict__["__rare__"] = rare
    exec(loads(code), module.__dict__)  # noqa: S102 - our own modules, as installed


def hot() -> None:
    """Finder and loader in one: any object with these names will do, and a class would cost more."""


hot.find_spec = find_spec  # type: ignore[attr-defined]
hot.create_module = lambda spec: None  # type: ignore[attr-defined]
hot.exec_module = exec_module  # type: ignore[attr-defined]
sys.meta_path.insert(0, hot)  # type: ignore[arg-type]
for name, package, code in EAGER:
    exec(code, (MODULES.get(name) or empty(name, package)).__dict__)  # noqa: S102 - our own modules, as installed
MODULES["jackline.roots"].ROOTS.extend(ROOTS)
MODULES["jackline.roots"].__dict__["take"] = take
MODULES["jackline.hook"].enter(s)
