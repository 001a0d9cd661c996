"""Where the file of a client lies in which entries of ours stand, by its spec."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from jackline.clients.schema import ClientSpec
from jackline.clients.specs import SPECS
from jackline.install.site import Site

if TYPE_CHECKING:
    from jackline.clients.schema import Form

IN_PROJECT = ("project", "local")
"""Scopes whose files lie in a project."""


def owner_of(dialect: str) -> ClientSpec:
    """The client whose files all clients of a dialect read."""
    return next(one for one in SPECS.values() if one.dialect == dialect and one.installed and not one.installed.shares)


def _place(spec: ClientSpec, scope: str, name: str, site: Site) -> Path:
    assert spec.installed is not None
    if scope in IN_PROJECT:
        return site.root / name
    return (site.machine if scope == "managed" else site.folder(*spec.installed.home)) / name


def path_of(spec: ClientSpec, scope: str, site: Site) -> Path | None:
    """The file of a client in a scope; None where it has none, or none that was measured."""
    if spec.installed is None or scope not in spec.installed.files:
        return None
    return _place(spec, scope, spec.installed.files[scope], site)


def written(spec: ClientSpec, scope: str, site: Site) -> tuple[Path, Form] | None:
    """The file that entries go to, with its shape: another one, where the client would not read the usual one."""
    path = path_of(spec, scope, site)
    if path is None or spec.installed is None:
        return None
    if scope in spec.installed.instead:
        name, shape = spec.installed.instead[scope]
        if (other := _place(spec, scope, name, site)).exists():
            return other, shape
    return path, spec.installed.shape
