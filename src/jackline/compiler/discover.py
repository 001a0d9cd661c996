"""Find the features there are: built-in, of packages, managed, the user's, the project's. Nothing of them is run."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from jackline import features, site_paths, system
from jackline.compiler.fault import Fault
from jackline.compiler.registry import folder_of
from jackline.compiler.sources import Sources
from jackline.feature_table import FEATURES

GROUP = "[jackline.features]"
ORIGINS = ("builtin", "package", "managed", "user", "project", "local")
"""Where features come from; of one name the last wins."""


class Found(NamedTuple):
    """A feature as it lies there: its files by name, `hook.py` first among them in meaning.

    `package` is `name==version` of the distribution that offers it, `module` what is imported then.
    """

    slug: str
    origin: str
    folder: str
    files: Mapping[str, bytes]
    package: str = ""
    module: str = ""
    file: str = ""
    """Where its one file stands, when it has no folder of its own."""

    @property
    def label(self) -> str:
        return f"package:{self.package}" if self.package else self.origin


def _counts(name: str) -> bool:
    return name.endswith(".py") or name in ("defaults.json", "knobs.schema.json")


def _files(sources: Sources, folder: str, names: list[str]) -> dict[str, bytes]:
    read = {name: sources.file(f"{folder}/{name}") for name in names if _counts(name)}
    return {name: data for name, data in read.items() if data is not None}


def builtin() -> Iterator[Found]:
    """The features of this package. They change with the build, so the gate does not ask about them."""
    for base in features.__path__:
        for slug in [one["name"] for one in FEATURES]:
            folder = f"{base}/{folder_of(slug)}"
            if system.size_of(f"{folder}/hook.py") >= 0:
                names = ("hook.py", "defaults.json", "knobs.schema.json")
                files = {
                    name: system.read(f"{folder}/{name}") for name in names if system.size_of(f"{folder}/{name}") >= 0
                }
                yield Found(slug, "builtin", folder, files)


def in_folder(sources: Sources, folder: str, origin: str) -> Iterator[Found]:
    """The features below `<folder>/features`, one folder each."""
    for name in sources.folder(f"{folder}/features"):
        here = f"{folder}/features/{name}"
        if system.is_dir(here):
            files = _files(sources, here, sources.folder(here))
            if "hook.py" in files:
                yield Found(name, origin, here, files)


def at_path(sources: Sources, base: str, path: str, slug: str, origin: str, where: str) -> Found | None:
    """The feature a manifest's `path` names: its folder, or its file."""
    full = os.path.normpath(os.path.join(base, path))
    folder = full.rpartition("/")[0] if full.endswith(".py") else full
    root = sources.root
    if origin in ("project", "local") and not (folder + "/").startswith(root + "/"):
        sources.broken.append(
            Fault(f"modules.{slug}.path", "a place in this project", path, "", '"path": "features/name"', where)
        )
        return None
    if full.endswith(".py"):
        data = sources.file(full)
        files = {} if data is None else {"hook.py": data}
    else:
        files = _files(sources, folder, sources.folder(folder))
    if "hook.py" not in files:
        expected = "a feature's folder or file"
        faults = sources.broken if origin in ("project", "local") else sources.faults
        faults.append(Fault(f"modules.{slug}.path", expected, path, "", "the path of its hook.py", where))
        return None
    return Found(slug, origin, folder, files, file=full if full.endswith(".py") else "")


def site_folders() -> list[str]:
    """Where this interpreter's packages are, also when the entry point started it without them."""
    found = [*sys.path, *site_paths.ROOTS]
    return list(dict.fromkeys(one for one in found if one.endswith(("/site-packages", "/dist-packages"))))


def _offered(text: str) -> Iterator[tuple[str, str]]:
    """Names and modules in the group of ours in an `entry_points.txt`."""
    inside = False
    for line in text.splitlines():
        line = line.strip()
        if line.startswith("["):
            inside = line == GROUP
        elif inside and "=" in line and line[0] not in "#;":
            name, _, value = line.partition("=")
            yield name.strip(), value.split(":")[0].split("[")[0].strip()


def packages(sources: Sources, sites: Sequence[str] | None = None) -> Iterator[Found]:
    """Features that installed packages offer by entry point, in order of name."""
    for site in site_folders() if sites is None else sites:
        for name in system.names(site):
            table = f"{site}/{name}/entry_points.txt"
            if not name.endswith(".dist-info") or system.size_of(table) < 0:
                continue
            try:
                data = system.read(table, limit=1 << 20)
            except OSError:
                continue
            if GROUP.encode() not in data:
                continue
            sources.file(table)
            dist, _, version = name.removesuffix(".dist-info").partition("-")
            for slug, module in _offered(data.decode("utf-8", "replace")):
                found = _module(sources, site, module)
                if found:
                    yield Found(
                        slug, "package", *found, package=f"{dist.replace('_', '-').lower()}=={version}", module=module
                    )


def _module(sources: Sources, site: str, module: str) -> tuple[str, dict[str, bytes]] | None:
    place = f"{site}/{module.replace('.', '/')}"
    file = f"{place}/__init__.py" if system.is_dir(place) else f"{place}.py"
    data = sources.file(file)
    if data is None:
        return None
    folder = file.rpartition("/")[0]
    extra = {name: sources.file(f"{folder}/{name}") for name in ("defaults.json", "knobs.schema.json")
             if system.size_of(f"{folder}/{name}") >= 0}  # fmt: skip
    return folder, {"hook.py": data, **{name: text for name, text in extra.items() if text is not None}}


def import_root(name: str, sites: Sequence[str] | None = None) -> str:
    """The folder a third-party import is found in, "" when it is not installed."""
    for site in site_folders() if sites is None else sites:
        names = system.names(site)
        top = name.partition(".")[0]
        if top in names or any(
            one == f"{top}.py" or (one.startswith(f"{top}.") and one.endswith(".so")) for one in names
        ):
            return site
    return ""
