"""A client of Gemini CLI's family: what can keep its hooks from running, by the settings that it reads."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from jackline.install import files, jsontext
from jackline.install.client_files import IN_PROJECT, owner_of, path_of
from jackline.install.fault import InstallError
from jackline.install.finding import Finding
from jackline.install.installs import Install
from jackline.install.site import Site
from jackline.install.target import SCOPES, Target

TRUST = "trustedFolders.json"
TRUSTED = ("TRUST_FOLDER", "TRUST_PARENT")


def _read(path: Path | None) -> dict[str, Any]:
    try:
        document = jsontext.decode((path and files.read(path)) or b"", str(path))
    except InstallError:
        return {}
    value = document.root.value() if document.root else {}
    return value if isinstance(value, dict) else {}


def _settings(name: str, site: Site) -> dict[Path, dict[str, Any]]:
    """What it reads, by file."""
    owner = owner_of(name)
    found = [path_of(owner, scope, site) for scope in SCOPES]
    return {path: _read(path) for path in found if path is not None}


def _table(value: Any, *keys: str) -> Any:
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value


def _trusted(name: str, site: Site) -> bool:
    """Whether the project's folder, or one above, is in its own list; it asks only where its setting says so."""
    settings = _settings(name, site)
    if not any(_table(one, "security", "folderTrust", "enabled") is True for one in settings.values()):
        return True
    user = path_of(owner_of(name), "user", site)
    listed = _read(user.parent / TRUST if user else None)
    at = {site.root, site.root.resolve()}
    folders = {str(folder) for root in at for folder in (root, *root.parents)}
    return any(level in TRUSTED and folder in folders for folder, level in listed.items())


def _program(name: str) -> str:
    return owner_of(name).person.program


def todo(target: Target, site: Site) -> tuple[str, ...]:
    """What is left for the person after an installation."""
    if target.scope in IN_PROJECT and not _trusted(target.dialect, site):
        return (f"start `{_program(target.dialect)}` once in {target.root} and trust the folder",)
    return ()


def _is_off(given: dict[str, Any]) -> str:
    """The setting that switches hooks off, "" when none does."""
    if given.get("disableAllHooks") is True:
        return '"disableAllHooks"'
    return '"hooksConfig.enabled": false' if _table(given, "hooksConfig", "enabled") is False else ""


def diagnose(install: Install, site: Site) -> list[Finding]:
    """What besides the entries themselves decides whether this client runs them."""
    name = install.dialect
    found = [
        Finding("hooks-off", "bad", f"{setting} in {path}: no hook runs", f"remove it from {path}", name)
        for path, given in _settings(name, site).items()
        if (setting := _is_off(given))
    ]
    if _trusted(name, site):
        return [*found, Finding("folder-trust", "ok", f"{site.root} is trusted, or it does not ask", where=name)]
    what = f"{site.root} is not trusted yet: until then no hook of a project runs"
    cure = f"start `{_program(name)}` in {site.root} and trust the folder"
    return [*found, Finding("folder-trust", "warn", what, cure, name)]
