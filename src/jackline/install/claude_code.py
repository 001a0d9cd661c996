"""Claude Code: its settings files, its events, and what can keep its hooks from running."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from jackline.install import files, jsontext
from jackline.install.clocks import Bound
from jackline.install.fault import InstallError
from jackline.install.finding import Finding
from jackline.install.installs import Install
from jackline.install.site import Site
from jackline.install.target import SCOPES, Target

DIALECT = "claude-code"
CLIENTS = ("claude-code",)
AFTER_CHANGE = ""
"""What this client asks of the person once an entry has changed, as the end of a sentence."""

EVENTS: Mapping[str, Bound] = {
    "SessionStart": Bound("SessionStart"),
    "UserPromptSubmit": Bound("UserPromptSubmit", 30),
    "PreToolUse": Bound("PreToolUse"),
    "PermissionRequest": Bound("PermissionRequest"),
    "PostToolUse": Bound("PostToolUse"),
    "PostToolUseFailure": Bound("PostToolUseFailure"),
    "SubagentStart": Bound("SubagentStart"),
    "SubagentStop": Bound("SubagentStop"),
    "PreCompact": Bound("PreCompact"),
    "PostCompact": Bound("PostCompact"),
    "Notification": Bound("Notification"),
    "Stop": Bound("Stop"),
    "SessionEnd": Bound("SessionEnd", 3),
}
"""Events that map to ours, in the order of a session; the client's other ones (MessageDisplay, PostToolBatch, …) would
start a process for nothing. 30 s is the client's own limit for prompts, 1.5 s its default at the end of a session."""

MANAGED = "etc/claude-code/managed-settings.json"
FOREIGN_MATCHER = 'an empty "matcher" there makes Copilot CLI drop every hook of the file'


def settings(scope: str, site: Site) -> Path:
    """The settings file of a scope."""
    if scope == "user":
        return site.folder("CLAUDE_CONFIG_DIR", ".claude") / "settings.json"
    if scope == "managed":
        return site.machine / MANAGED
    return site.root / (".claude/settings.json" if scope == "project" else ".claude/settings.local.json")


def targets(scope: str, site: Site, clients: tuple[str, ...] = CLIENTS) -> list[Target]:
    """The one file of a scope."""
    root = str(site.root) if scope in ("project", "local") else ""
    return [Target(client, DIALECT, scope, settings(scope, site), root, "groups", {}) for client in clients]


def hook(command: str, limit: int) -> dict[str, Any]:
    return {"type": "command", "command": command, "timeout": limit}


def _folder_trusted(site: Site) -> bool:
    """Whether the trust question was answered for the project's folder or one above."""
    moved = site.env.get("CLAUDE_CONFIG_DIR", "").startswith("/")
    path = (site.folder("CLAUDE_CONFIG_DIR", "") if moved else site.home) / ".claude.json"
    projects = _read(path).get("projects")
    folders = [str(folder) for at in {site.root, site.root.resolve()} for folder in (at, *at.parents)]
    known = projects if isinstance(projects, dict) else {}
    return any(isinstance(one, dict) and one.get("hasTrustDialogAccepted") is True for one in map(known.get, folders))


def todo(target: Target, site: Site) -> tuple[str, ...]:
    """What is left for the person after an installation."""
    if target.scope in ("project", "local") and not _folder_trusted(site):
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
        path = settings(scope, site)
        given = _read(path)
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
    if install.scope not in ("project", "local"):
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
