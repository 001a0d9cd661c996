"""The first thing the door file runs out of `hot.bin`: makes the hot modules importable without a search, then enters.

Runs as bare code with `hot` (module name → marshalled code), `order`, `home` (the package's folder) and `roots` given;
the door file has checked format and interpreter. Modules in `order` are made at once, others when they are imported.
"""

from __future__ import annotations

import sys
from marshal import loads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType
    from typing import Any

    hot: dict[str, tuple[bool, bytes]]
    order: tuple[str, ...]
    home: str
    roots: list[str]
    store: str

Module: Any = type(sys)


def empty(name: str) -> ModuleType:
    """A module of that name, registered and not yet run: packages are there before what lies in them."""
    package = hot[name][0]
    module: ModuleType = Module(name)
    module.__file__ = home + "/" + name.replace(".", "/") + ("/__init__.py" if package else ".py")
    above, _, last = name.rpartition(".")
    if package:
        module.__path__ = [home + "/" + name.replace(".", "/")]
        module.__package__ = name
    else:
        module.__package__ = above
    sys.modules[name] = module
    if above:
        setattr(sys.modules.get(above) or empty(above), last, module)
    return module


def make(name: str) -> None:
    """Run one hot module."""
    module = sys.modules.get(name) or empty(name)
    exec(loads(hot[name][1]), module.__dict__)  # noqa: S102 - our own modules, as installed


class Hot:
    """Finds hot modules that are imported later."""

    @staticmethod
    def find_spec(name: str, path: object = None, target: object = None) -> Any:
        if name not in hot:
            return None
        from _frozen_importlib import ModuleSpec

        package = hot[name][0]
        spec: Any = ModuleSpec(name, Hot, origin=home, is_package=package)  # type: ignore[arg-type]
        if package:
            spec.submodule_search_locations.append(home + "/" + name.replace(".", "/"))
        return spec

    @staticmethod
    def create_module(spec: object) -> None:
        return None

    @staticmethod
    def exec_module(module: ModuleType) -> None:
        module.__file__ = home + "/" + module.__name__.replace(".", "/") + ".py"
        exec(loads(hot[module.__name__][1]), module.__dict__)  # noqa: S102 - our own modules, as installed


def enter() -> None:
    sys.meta_path.insert(0, Hot)
    for name in order:
        make(name)
    sys.modules["jackline.roots"].ROOTS.extend(roots)
    sys.modules["jackline.hook"].enter(store)


enter()
