"""What `init` puts into a project's `.ai/hooks/`: files that are not there yet, through no link, and nothing else."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from jackline import system
from jackline.compiler import schemas
from jackline.compiler.registry import KNOWN, is_on
from jackline.install.fault import InstallError

SCHEMAS = ("dispatch.manifest", "config", "workspace", "hooks.local", "rlm-policy", "followup-rules")
"""Schemas of files that a person writes."""


class Started(NamedTuple):
    """Names below `.ai/hooks/`: made now, and there before."""

    made: tuple[str, ...]
    kept: tuple[str, ...]


def _json(value: Mapping[str, Any]) -> bytes:
    return json.dumps(value, indent=2, ensure_ascii=False).encode() + b"\n"


def contents() -> dict[str, bytes]:
    """Every file by its name below `.ai/hooks/`, in the order they are written."""
    manifest = {
        "$schema": "./schema/dispatch.manifest.schema.json",
        "version": 1,
        "modules": {slug: {"enabled": True} for slug in KNOWN if is_on(slug)},
    }
    config = {"$schema": "./schema/config.schema.json", "version": 1}
    return {
        "dispatch.manifest.json": _json(manifest),
        "config.json": _json(config),
        ".gitignore": b"hooks.local.json\n",
        **{f"schema/{name}.schema.json": _json(schemas.load(name)) for name in SCHEMAS},
    }


def missing(root: Path) -> list[str]:
    """What `write` would make."""
    return [name for name in contents() if not system.exists(f"{root}/.ai/hooks/{name}")]


def write(root: Path) -> Started:
    """Make what is missing. A link or a foreign owner on the way is refused: the files would land somewhere else."""
    made: list[str] = []
    kept: list[str] = []
    for name, data in contents().items():
        *folders, base = name.split("/")
        try:
            at = system.descend(str(root), (".ai", "hooks", *folders), create=True, uid=os.getuid())
            try:
                (made if system.claim(base, data, at=at) else kept).append(name)
            finally:
                system.close(at)
        except OSError as fault:
            what = f"cannot be written ({fault.strerror or fault})"
            cure = "`.ai/hooks` must be a folder of yours, reached through no link; or use --no-project"
            raise InstallError(f"{root}/.ai/hooks/{name}", what, cure) from None
    return Started(tuple(made), tuple(kept))
