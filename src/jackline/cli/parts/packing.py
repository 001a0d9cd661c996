"""Packs of command-guard that fit what a project holds: `init` offers them, and writes those that are named."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path

from jackline.cli.parts.allowance import SLUG, document_of, knob, put
from jackline.globs import segment
from jackline.hook_table import HookTable
from jackline.install import files, jsontext
from jackline.install.fault import InstallError

KEY = "packs"
HOLDS = {
    "cloud": "*.tf *.tofu terragrunt.hcl Pulumi.yaml cdk.json serverless.yml samconfig.toml *.bicep ansible.cfg",
    "kubernetes": "Dockerfile Containerfile compose.y*ml docker-compose*.y*ml Chart.yaml kustomization.yaml "
    "helmfile.yaml skaffold.yaml",
    "databases": "migrations/ migrate/ schema.prisma alembic.ini flyway.conf knexfile.* diesel.toml drizzle.config.*",
    "packages": ".goreleaser.y*ml .releaserc* lerna.json .changeset/ *.gemspec",
    "ci": ".gitlab-ci.yml .circleci/ .github/workflows/ Jenkinsfile azure-pipelines.yml",
}
"""A pack to the names of files, and with a slash of folders, that speak for it."""

SKIPPED = frozenset(["node_modules", "vendor", "venv", "dist", "build", "target"])
DEPTH, MOST = 3, 5000
"""How many folders down, and how many entries, are looked at."""


def _entries(root: Path) -> Iterable[str]:
    """Paths below the root, a folder's with a slash, the upper ones first; nothing behind a link."""
    folders, seen = [""], 0
    for folder in folders:
        try:
            with os.scandir(root / folder) as found:
                every = sorted(found, key=lambda one: one.name)
        except OSError:
            continue
        for one in every[: MOST - seen]:
            down = one.is_dir(follow_symlinks=False)
            path = folder + one.name + "/" * down
            if down and one.name not in SKIPPED and path.count("/") <= DEPTH and one.name[:1] != ".":
                folders.append(path)
            if down and one.name == ".github":
                folders.append(path)
            yield path
        seen += len(every)


def _speaks(path: str, name: str) -> bool:
    parts = name.count("/", 0, -1) + 1
    return segment(name, "/".join(path.rstrip("/").split("/")[-parts:]) + "/" * (path[-1] == "/"))


def offered(root: Path, table: HookTable) -> dict[str, str]:
    """Each pack that the project has a use for and that is not chosen, with the first file that says so."""
    row = table.row(SLUG)
    chosen = row.config.get(KEY) or () if row is not None else list(HOLDS)
    wanted = {pack: names.split() for pack, names in HOLDS.items() if pack not in chosen}
    found: dict[str, str] = {}
    for path in _entries(root) if wanted else ():
        for pack, names in wanted.items():
            if pack not in found and any(_speaks(path, name) for name in names):
                found[pack] = path
    return {pack: found[pack] for pack in wanted if pack in found}


def _place(root: Path) -> Path:
    place = root / ".ai/hooks/config.json"
    if place.is_symlink():
        raise InstallError(str(place), "a link", "put a file there, or name the packs in the file it leads to")
    return place


def unnamed(root: Path, packs: Sequence[str]) -> list[str]:
    """Those of the packs that the project's configuration does not name."""
    there = knob(document_of(_place(root)), KEY)
    return [pack for pack in dict.fromkeys(packs) if pack not in there]


def choose(root: Path, packs: Sequence[str]) -> list[tuple[str, str]]:
    """Name the packs in the project's configuration, every other byte of which stays; the file, if that changed it."""
    document, new = document_of(_place(root)), unnamed(root, packs)
    if new:
        files.write(_place(root), jsontext.encode(put(document, KEY, [*knob(document, KEY), *new])))
    return [(str(_place(root)), "changed")] * bool(new)
