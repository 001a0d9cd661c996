"""The first thing the door runs out of its bundle: makes the hot modules importable without a search, then enters.

Runs as bare code in the door file's own names: `h` is the bundle (this code, eager modules in order, later ones by
name, the package's folder, import roots), `s` the store. Eager modules are made at once, others when they are imported.
"""

from __future__ import annotations

import gc
import sys
from marshal import loads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import CodeType, ModuleType
    from typing import Any

    h: tuple[CodeType, tuple[tuple[str, bool, CodeType], ...], dict[str, tuple[bool, bytes]], str, list[str]]
    s: str

gc.disable()  # the process ends before garbage could matter
_, EAGER, LATER, HOME, ROOTS = h
MODULES = sys.modules
Module: Any = type(sys)


def empty(name: str, package: bool) -> ModuleType:
    """A module of that name, registered and not yet run: packages are there before what lies in them."""
    module: ModuleType = Module(name)
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


class Hot:
    """Finds hot modules that are imported later."""

    @staticmethod
    def find_spec(name: str, path: object = None, target: object = None) -> Any:  # noqa: ARG004
        if name not in LATER:
            return None
        from _frozen_importlib import ModuleSpec

        package = LATER[name][0]
        spec: Any = ModuleSpec(name, Hot, origin=HOME, is_package=package)  # type: ignore[arg-type]
        if package:
            spec.submodule_search_locations.append(HOME + "/" + name.replace(".", "/"))
        return spec

    @staticmethod
    def create_module(spec: object) -> None:  # noqa: ARG004
        return None

    @staticmethod
    def exec_module(module: ModuleType) -> None:
        package, code = LATER[module.__name__]
        module.__file__ = HOME + "/" + module.__name__.replace(".", "/") + ("/__init__.py" if package else ".py")
        exec(loads(code), module.__dict__)  # noqa: S102 - our own modules, as installed


sys.meta_path.insert(0, Hot)
for name, package, code in EAGER:
    exec(code, (MODULES.get(name) or empty(name, package)).__dict__)  # noqa: S102 - our own modules, as installed
MODULES["jackline.roots"].ROOTS.extend(ROOTS)
MODULES["jackline.hook"].enter(s)
