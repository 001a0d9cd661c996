"""VS Code and Copilot CLI, who share a hook file: what can keep their hooks from running."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from jackline.clients.copilot_cli import SPEC
from jackline.install import files, jsontext
from jackline.install.fault import InstallError
from jackline.install.finding import Finding
from jackline.install.installs import Install
from jackline.install.site import Site
from jackline.install.target import Target

DIALECT = SPEC.dialect
HOME = ("COPILOT_HOME", ".copilot")


def _folder(site: Site) -> Path:
    return site.folder(*HOME)


def _read(path: Path) -> dict[str, Any]:
    try:
        document = jsontext.decode(files.read(path) or b"", str(path))
    except InstallError:
        return {}
    value = document.root.value() if document.root else {}
    return value if isinstance(value, dict) else {}


def _folder_trusted(site: Site) -> bool:
    """Whether Copilot's own list holds the project's folder or one above."""
    given = [_read(_folder(site) / name) for name in ("config.json", "settings.json")]
    listed = [one.get(key) for one in given for key in ("trusted_folders", "trustedFolders")]
    known = {folder for one in listed if isinstance(one, list) for folder in one if isinstance(folder, str)}
    return any(str(folder) in known for at in {site.root, site.root.resolve()} for folder in (at, *at.parents))


def todo(target: Target, site: Site) -> tuple[str, ...]:
    """What is left for the person after an installation."""
    if target.scope != "project":
        return ()
    left = []
    if "copilot-cli" in target.client and not _folder_trusted(site):
        left.append(f"start `copilot` in {target.root} and trust the folder (`copilot -p` needs `--trust-folder`)")
    if "vscode" in target.client:
        left.append(f"trust the workspace {target.root} in VS Code")
    return tuple(left)


def _switches(install: Install, site: Site) -> list[Finding]:
    """Settings that turn Copilot's hooks off: in our file, the repository's or the person's."""
    paths = (Path(install.path), site.root / ".github/copilot/settings.json", _folder(site) / "settings.json")
    return [
        Finding("hooks-off", "bad", f'"disableAllHooks" in {path}: hooks do not run', f"remove it from {path}", DIALECT)
        for path in paths
        if _read(path).get("disableAllHooks") is True
    ]


def _version(install: Install) -> list[Finding]:
    given = _read(Path(install.path)).get("version", 1)
    if given == 1:
        return []
    what = f'{install.path}: "version": {json.dumps(given)}: Copilot drops the whole file'
    return [Finding("foreign-entry", "bad", what, 'set "version" to 1', DIALECT)]


def diagnose(install: Install, site: Site) -> list[Finding]:
    """What besides the entries themselves decides whether these clients run them."""
    found = _switches(install, site) + _version(install)
    if install.scope == "project" and "copilot-cli" in install.client:
        trusted = _folder_trusted(site)
        what = f"Copilot {'trusts' if trusted else 'does not trust'} {site.root}"
        cure = (
            "" if trusted else f"start `copilot` in {site.root} and trust it: it skips the project's hooks until then"
        )
        found.append(Finding("folder-trust", "ok" if trusted else "warn", what, cure, DIALECT))
    return found
