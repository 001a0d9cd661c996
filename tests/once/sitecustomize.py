"""A bundle is made once in a run of the tests: commands of scratch machines find it instead of making it anew.

Python imports this file by itself in processes that have its folder on their path. What is taken is what this package
makes on this interpreter; another one makes its own, and so do the tests of the bundle.
"""

from __future__ import annotations

import os
import sys
from types import ModuleType
from typing import Any

MADE = "TESTS_BUNDLE"
"""Tells processes the folder of the bundle that was made."""
NAME = "jackline.compiler.bundle"


def reuse(bundle: Any, made: str) -> Any:
    """What stands for `bundle.files`: the files that lie in `made`, where they are of this package and interpreter."""
    anew = bundle.files

    def files() -> dict[str, bytes]:
        held = {}
        for name in sorted(os.listdir(made), key=lambda name: name == "door.py"):
            with open(f"{made}/{name}", "rb") as file:
                held[name] = file.read()
        ours = held.get("package") == "\n".join(bundle.package_roots()).encode()
        return held if ours and bundle.name_of_bundle() in held else dict(anew())

    return files


class Finder:
    """Finds the bundle's module as it is, and then lets it reuse what was made."""

    @classmethod
    def find_spec(cls, name: str, path: Any = None, target: ModuleType | None = None) -> Any:
        if name != NAME:
            return None
        from importlib.machinery import PathFinder

        spec = PathFinder.find_spec(name, path, target)
        if spec is not None and spec.loader is not None:
            run = spec.loader.exec_module

            def exec_module(module: Any) -> None:
                run(module)
                module.files = reuse(module, os.environ[MADE])

            spec.loader.exec_module = exec_module  # type: ignore[method-assign]
        return spec


if MADE in os.environ:
    sys.meta_path.insert(0, Finder)
