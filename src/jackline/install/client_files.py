"""Where the file of a client lies in which entries of ours stand, by its spec."""

from __future__ import annotations

from pathlib import Path

from jackline.clients.schema import ClientSpec
from jackline.install.site import Site

IN_PROJECT = ("project", "local")
"""Scopes whose files lie in a project."""


def path_of(spec: ClientSpec, scope: str, site: Site) -> Path | None:
    """The file of a client in a scope; None where it has none, or none that was measured."""
    if spec.installed is None or scope not in spec.installed.files:
        return None
    name = spec.installed.files[scope]
    if scope in IN_PROJECT:
        return site.root / name
    return (site.machine if scope == "managed" else site.folder(*spec.installed.home)) / name
