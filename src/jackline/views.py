"""Linked modules for those who import them by statement: features of projects and packages, and cold rooms."""

from __future__ import annotations

from jackline import boot

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType
    from typing import Any

    Bind = str | tuple[str, str]

BINDS: dict[str, dict[str, Bind]] = {}


def binds(module: str) -> dict[str, Bind]:
    """What each top-level name of a linked module is (`compiler.units.Bind`)."""
    if not BINDS:
        boot.fetch()
        BINDS.update(boot.piece(*boot.RARE[""]))
    return BINDS[module]


def is_ours(module: str) -> bool:
    """Whether a module was linked. False when that cannot be told: the package itself has it then."""
    try:
        boot.fetch()
    except (OSError, ValueError, EOFError, TypeError):
        return False
    return module in boot.LATER or module in boot.READY


def spec_in(module: str) -> Any:
    """What a client is, as its file says it: the bundle holds only what runs ask of it (`compiler/derived.py`)."""
    path = f"{boot.HOME}/{module.replace('.', '/')}.py"
    made = {"__name__": module}
    with open(path, encoding="utf-8") as file:
        exec(compile(file.read(), path, "exec"), made)  # noqa: S102 - our own module, as installed
    return made["SPEC"]


def bound(module: str, name: str) -> Any:
    """What `name` is in a linked module, when it is no plain name of its own."""
    if name == "__all__":
        return [one for one in binds(module) if one[0] != "_"]
    bind = binds(module).get(name)
    if bind is None:
        if name[:2] != "__" and is_ours(f"{module}.{name}"):
            return boot.view(f"{module}.{name}")
        if name == "SPEC":
            return spec_in(module)
        raise AttributeError(f"{module} has no {name}")
    if isinstance(bind, tuple):
        return getattr(boot.view(bind[0]), bind[1]) if bind[1] else boot.view(bind[0])
    return boot.NAMES[bind] if bind in boot.NAMES else boot.rare(bind)


def make_module(spec: Any) -> ModuleType:
    return boot.view(spec.name)


def ran(module: ModuleType) -> None:
    """Nothing is left to be done: a view's module ran when the view was made."""


def spec(name: str) -> Any:
    """How the import system comes to a view."""
    if not is_ours(name):
        return None
    from _frozen_importlib import ModuleSpec

    def loader() -> None:
        """Any object with these names will do."""

    loader.create_module = make_module  # type: ignore[attr-defined]
    loader.exec_module = ran  # type: ignore[attr-defined]
    return ModuleSpec(name, loader, is_package=f" {name} " in boot.PACKAGES)  # type: ignore[arg-type]
