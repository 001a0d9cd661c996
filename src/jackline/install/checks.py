"""Checks that a project has already, found in its own files, and rows for them in `.ai/hooks/validators.yaml`.

A repository's text chooses among commands that are written here; none of its words becomes one.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from jackline import system

LIMIT = 1 << 20
"""Bytes of a file that is looked at."""

PYTHON, SCRIPT, GO, RUST = ("**/*.py",), ("**/*.{js,jsx,ts,tsx,mjs,cjs,vue,svelte}",), ("**/*.go",), ("**/*.rs",)
WHEN = {"test": "node", "lint": "change", "types": "change"}
"""When a check of a purpose runs: once a node says it is done, or after each change."""


class Check(NamedTuple):
    """One check: what it is for, its name, its command, the paths it judges."""

    purpose: str
    id: str
    command: tuple[str, ...]
    paths: tuple[str, ...]

    @property
    def row(self) -> dict[str, Any]:
        return {"id": self.id, "command": [*self.command], "paths": [*self.paths], "when": WHEN[self.purpose]}

    def __str__(self) -> str:
        return " ".join(self.command)


def _text(root: Path, name: str) -> str:
    """A file of the project as text; "" where there is none, it is a link, or it is none to be read."""
    try:
        return system.read(str(root / name), limit=LIMIT, follow=False).decode("utf-8-sig")
    except (OSError, ValueError):
        return ""


def _first(root: Path, names: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    """What stands for the first of these files that is there."""
    return next((words for name, words in names.items() if (root / name).is_file()), ())


# --- by file -------------------------------------------------------------------------------------------------------

RUNNERS = {"uv.lock": ("uv", "run"), "poetry.lock": ("poetry", "run"), "pdm.lock": ("pdm", "run")}
MANAGERS = {"pnpm-lock.yaml": ("pnpm",), "yarn.lock": ("yarn",), "bun.lock": ("bun",), "bun.lockb": ("bun",)}
PYTHON_TOOLS = {
    "pytest": ("test", ("pytest", "-q")),
    "ruff": ("lint", ("ruff", "check", ".")),
    "mypy": ("types", ("mypy", ".")),
}
SCRIPTS = {"test": "test", "lint": "lint", "typecheck": "types", "type-check": "types"}
NO_TESTS = "no test specified"
"""What `npm init` writes for a project without tests."""
TARGETS = {"test": "test", "check": "test", "lint": "lint"}
MAKEFILES = ("GNUmakefile", "makefile", "Makefile")


def _listed(told: Mapping[str, Any]) -> str:
    """All requirements of a project, as one text."""
    project = told.get("project")
    parts = [project.get("dependencies"), project.get("optional-dependencies")] if isinstance(project, dict) else []
    tool = told.get("tool")
    parts += [told.get("dependency-groups"), tool.get("poetry") if isinstance(tool, dict) else None]
    return json.dumps(parts, default=str)


def _pyproject(root: Path) -> Iterator[Check]:
    try:
        told = tomllib.loads(_text(root, "pyproject.toml"))
    except (ValueError, RecursionError):
        return
    tools, needs = told.get("tool"), _listed(told)
    for name, (purpose, words) in PYTHON_TOOLS.items():
        if (isinstance(tools, dict) and name in tools) or re.search(rf'"{name}\b', needs):
            yield Check(purpose, name, (*_first(root, RUNNERS), *words), PYTHON)


def _package(root: Path) -> Iterator[Check]:
    try:
        told = json.loads(_text(root, "package.json") or "{}")
    except (ValueError, RecursionError):
        return
    scripts = told.get("scripts") if isinstance(told, dict) else None
    manager = _first(root, MANAGERS) or ("npm",)
    for name, purpose in SCRIPTS.items():
        said = scripts.get(name) if isinstance(scripts, dict) else None
        if isinstance(said, str) and said.strip() and NO_TESTS not in said:
            yield Check(purpose, f"{manager[0]}-{name}", (*manager, "run", name), SCRIPT)


def _makefile(root: Path) -> Iterator[Check]:
    text = next((text for name in MAKEFILES if (text := _text(root, name))), "")
    for name, purpose in TARGETS.items():
        if re.search(rf"^{name}[ \t]*:(?![=:])", text, re.MULTILINE):
            yield Check(purpose, f"make-{name}", ("make", name), ("**",))


def _go(root: Path) -> Iterator[Check]:
    if re.search(r"^module\s", _text(root, "go.mod"), re.MULTILINE):
        yield Check("test", "go-test", ("go", "test", "./..."), GO)
        yield Check("lint", "go-vet", ("go", "vet", "./..."), GO)


def _cargo(root: Path) -> Iterator[Check]:
    if re.search(r"^\[(package|workspace)\]", _text(root, "Cargo.toml"), re.MULTILINE):
        yield Check("test", "cargo-test", ("cargo", "test"), RUST)


LANGUAGES: tuple[Callable[[Path], Iterator[Check]], ...] = (_pyproject, _package, _go, _cargo)


def _unlike(found: Sequence[Check]) -> Iterator[Check]:
    """The first of each purpose: a Makefile's `check` is mostly its `test` and more."""
    seen: set[str] = set()
    for one in found:
        if one.purpose not in seen:
            seen.add(one.purpose)
            yield one


def find(root: Path) -> list[Check]:
    """The checks of a project, those of its languages first; a Makefile's where these have none of the purpose."""
    found = [one for language in LANGUAGES for one in language(root)]
    known = {one.purpose for one in found}
    return found + [one for one in _unlike([*_makefile(root)]) if one.purpose not in known]
