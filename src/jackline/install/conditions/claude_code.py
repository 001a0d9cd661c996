"""Claude Code: what can keep its hooks from running."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from jackline.clients.claude_code import SPEC
from jackline.install import files, jsontext
from jackline.install.client_files import IN_PROJECT, path_of
from jackline.install.fault import InstallError
from jackline.install.finding import Finding
from jackline.install.installs import Install
from jackline.install.site import Site
from jackline.install.target import SCOPES, Target

DIALECT = SPEC.dialect
HOME = "CLAUDE_CONFIG_DIR"
FOREIGN_MATCHER = 'an empty "matcher" there makes Copilot CLI drop every hook of the file'


def _folder_trusted(site: Site) -> bool:
    """Whether the trust question was answered for the project's folder or one above."""
    moved = site.env.get(HOME, "").startswith("/")
    path = (site.folder(HOME, "") if moved else site.home) / ".claude.json"
    projects = _read(path).get("projects")
    folders = [str(folder) for at in {site.root, site.root.resolve()} for folder in (at, *at.parents)]
    known = projects if isinstance(projects, dict) else {}
    return any(isinstance(one, dict) and one.get("hasTrustDialogAccepted") is True for one in map(known.get, folders))


def todo(target: Target, site: Site) -> tuple[str, ...]:
    """What is left for the person after an installation."""
    if target.scope in IN_PROJECT and not _folder_trusted(site):
        return (f"start `claude` once in {target.root} and accept its folder trust question",)
    return ()


def _read(path: Path) -> dict[str, Any]:
    try:
        data = files.read(path)
        document = jsontext.decode(data or b"", str(path))
    except InstallError:
        return {}
    value = document.root.value() if document.root else {}
    return value if isinstance(value, dict) else {}


def _switches(install: Install, site: Site) -> list[Finding]:
    """Settings of any scope that turn hooks off."""
    found = []
    for scope in SCOPES:
        path = path_of(SPEC, scope, site)
        given = _read(path) if path else {}
        if given.get("disableAllHooks") is True:
            what = f'"disableAllHooks" in {path}: no hook runs'
            found.append(Finding("hooks-off", "bad", what, f'remove "disableAllHooks" from {path}', DIALECT))
        if scope == "managed" and given.get("allowManagedHooksOnly") is True and install.scope != "managed":
            what = f'"allowManagedHooksOnly" in {path}: hooks of other scopes do not run'
            cure = "ask who manages this machine for `jackline init --scope managed`"
            found.append(Finding("hooks-off", "bad", what, cure, DIALECT))
    return found


def _copilot_drops(install: Install) -> list[Finding]:
    """A file that Copilot reads too: what makes Copilot drop all of its hooks (measured contracts, section 1)."""
    if install.scope not in IN_PROJECT:
        return []
    hooks = json.dumps(_read(Path(install.path)).get("hooks", {}))
    if '"matcher": ""' not in hooks:
        return []
    cure = f'remove the empty "matcher" keys in {install.path}; without one a hook matches everything'
    return [Finding("foreign-entry", "warn", f"{install.path}: {FOREIGN_MATCHER}", cure, DIALECT)]


def diagnose(install: Install, site: Site) -> list[Finding]:
    """What besides the entries themselves decides whether this client runs them."""
    found = _switches(install, site)
    if _folder_trusted(site):
        found.append(Finding("folder-trust", "ok", f"{site.root} is trusted", where=DIALECT))
    else:
        what = f"{site.root} is not trusted yet: until then no hook runs in the terminal (`claude -p` runs them)"
        found.append(Finding("folder-trust", "warn", what, f"start `claude` in {site.root} and accept", DIALECT))
    return found + _copilot_drops(install)
