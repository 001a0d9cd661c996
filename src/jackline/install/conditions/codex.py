"""Codex: what can keep its hooks from running, first its trust, which goes by project and by the hash of each hook."""

from __future__ import annotations

import hashlib
import json
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

from jackline.clients.codex import SPEC
from jackline.install import entry, files, hookfile, jsontext
from jackline.install.client_files import path_of
from jackline.install.conditions import codex_app
from jackline.install.fault import InstallError
from jackline.install.finding import Finding
from jackline.install.hookfile import Found
from jackline.install.installs import Install
from jackline.install.site import Site
from jackline.install.target import Target

DIALECT = SPEC.dialect
KINDS = ("command", "mcp_tool", "prompt", "agent")
"""Hook types of this client; any other one makes it drop the whole file (measured contracts, 5.3)."""

SHORT = {event: (at.usual, at.most) for event, at in SPEC.events.items() if at.most}
Trust = Literal["trusted", "untrusted", "modified", "disabled"]


def _folder(site: Site) -> Path:
    path = path_of(SPEC, "user", site)
    assert path is not None
    return path.parent


# --- trust ---------------------------------------------------------------------------------------------------------


def _label(event: str) -> str:
    """Codex's own name of an event in keys: `PreToolUse` → `pre_tool_use`."""
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in event).lstrip("_")


def trust_hash(event: str, hook: Mapping[str, Any], matcher: str | None = None) -> str:
    """What Codex calls `currentHash`: of the hook as it understands it, defaults and clamps applied (measured)."""
    default, most = SHORT.get(event, (SPEC.time_limit, 0))
    limit = max(int(hook.get("timeout", default)), 1)
    plain: dict[str, Any] = {
        "type": "command",
        "command": hook["command"],
        "timeout": min(limit, int(most)) if most else limit,
        "async": hook.get("async", False),
    }
    if hook.get("statusMessage") is not None:
        plain["statusMessage"] = hook["statusMessage"]
    identity: dict[str, Any] = {"event_name": _label(event), "hooks": [plain]}
    if matcher is not None:
        identity["matcher"] = matcher
    text = json.dumps(identity, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return "sha256:" + hashlib.sha256(text.encode()).hexdigest()


def trust_keys(install: Install, found: Found) -> list[str]:
    """The keys Codex may file a hook under: it resolves its own home, a project as it was opened."""
    path = Path(install.path)
    tail = f"{path.name}:{_label(found.event)}:{found.group_at}:{max(found.hook_at, 0)}"
    return [f"{folder}/{tail}" for folder in dict.fromkeys((path.parent, path.parent.resolve()))]


def config(site: Site) -> dict[str, Any]:
    """The person's config.toml; empty when it is missing. Raises `InstallError` when it is broken."""
    path = _folder(site) / "config.toml"
    data = files.read(path)
    try:
        return tomllib.loads((data or b"").decode())
    except ValueError as fault:
        raise InstallError(str(path), f"not TOML ({fault})", "mend it; Codex does not start with it either") from None


def _table(value: Any, *keys: str) -> dict[str, Any]:
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value if isinstance(value, dict) else {}


def hook_trust(install: Install, found: Found, given: Mapping[str, Any]) -> Trust:
    """How Codex takes one hook, by what the person's config says of it."""
    states = _table(given, "hooks", "state")
    state: dict[str, Any] = next((states[key] for key in trust_keys(install, found) if key in states), {})
    if state.get("enabled") is False:
        return "disabled"
    if "trusted_hash" not in state:
        return "untrusted"
    return "trusted" if state["trusted_hash"] == trust_hash(found.event, found.hook) else "modified"


def project_trusted(site: Site, given: Mapping[str, Any]) -> bool:
    """Whether the project's own `.codex` folder is read at all."""
    at = site.root.resolve()
    top = next((folder for folder in (at, *at.parents) if (folder / ".git").exists()), at)
    projects = _table(given, "projects")
    return any(_table(projects, str(folder)).get("trust_level") == "trusted" for folder in {site.root, at, top})


def _entries(install: Install) -> list[Found]:
    data = files.read(Path(install.path))
    document = jsontext.decode(data or b"", install.path)
    return hookfile.ours_in(document, lambda command: entry.read(command) is not None)


def untrusted(install: Install, site: Site) -> dict[Trust, list[str]]:
    """Events whose entry Codex would skip, by reason. Asks the client itself before calling one modified."""
    given = config(site)
    bad: dict[Trust, list[str]] = {}
    said: dict[str, str] | None = None
    for found in _entries(install):
        trust = hook_trust(install, found, given)
        if trust == "modified":  # a newer client may hash otherwise: its own word counts
            said = codex_app.statuses(site) if said is None else said
            trust = "trusted" if any(said.get(key) == "trusted" for key in trust_keys(install, found)) else trust
        if trust != "trusted":
            bad.setdefault(trust, []).append(found.event)
    return bad


def todo(target: Target, site: Site) -> tuple[str, ...]:
    """What is left for the person after an installation."""
    left = []
    try:
        given = config(site)
        if target.scope == "project" and not project_trusted(site, given):
            left.append(f"start `codex` in {target.root} and trust the folder")
        install = Install(str(target.path), target.client, DIALECT, target.scope, target.root, target.shape)
        count = sum(hook_trust(install, found, given) != "trusted" for found in _entries(install))
    except InstallError as fault:
        return (f"{fault}",)
    if count:
        left.append(f"start `codex`, type /hooks and trust the {count} Jackline hooks; until then Codex skips them")
    return tuple(left)


# --- findings ------------------------------------------------------------------------------------------------------

SKIPPED: Mapping[Trust, tuple[str, str]] = {
    "untrusted": ("not trusted yet", "start `codex`, type /hooks and trust the Jackline hooks"),
    "modified": ("changed since they were trusted", "start `codex`, type /hooks and trust what changed"),
    "disabled": ("switched off", "start `codex`, type /hooks and enable them"),
}


def _stands(install: Install) -> bool:
    """Whether the entries are those that an installation of this version wrote: then Codex's word is all they lack."""
    written = [one.hook for one in install.wanted]
    return not install.is_older and all(found.hook in written for found in _entries(install))


def _foreign(install: Install) -> list[Finding]:
    """A hook of somebody else that keeps the whole file from being read."""
    document = jsontext.decode(files.read(Path(install.path)) or b"", install.path)
    kinds = {str(one.hook.get("type")) for one in hookfile.hooks_in(document) if one.hook.get("type") not in KINDS}
    what = f"{install.path}: a hook of type {', '.join(sorted(kinds))}: Codex drops the whole file, ours included"
    return [Finding("foreign-entry", "bad", what, f"remove that hook from {install.path}", DIALECT)] if kinds else []


def diagnose(install: Install, site: Site) -> list[Finding]:
    """What besides the entries themselves decides whether this client runs them."""
    try:
        given = config(site)
        found = _foreign(install)
        features = _table(given, "features")
        if features.get("hooks") is False or features.get("codex_hooks") is False:
            what = f"[features] hooks = false in {_folder(site) / 'config.toml'}: no hook runs"
            found.append(Finding("hooks-off", "bad", what, "set it to true", DIALECT))
        if install.scope == "project" and not project_trusted(site, given):
            what = f"{site.root} is not trusted: Codex does not read its .codex folder"
            found.append(Finding("folder-trust", "bad", what, f"start `codex` in {site.root} and trust it", DIALECT))
        skipped = untrusted(install, site)
    except InstallError as fault:
        return [Finding("client-config", "bad", f"{fault.where}: {fault.what}", fault.cure, DIALECT)]
    for trust, events in skipped.items():
        what, cure = SKIPPED[trust]
        if trust == "modified" and not _stands(install):
            cure = f"run `jackline init --client codex`, then {cure}"
        named = f"all {len(events)} entries" if len(events) == len(install.wanted) else ", ".join(events)
        said = f"{named}: {what}; Codex skips them silently"
        found.append(Finding("hook-trust", "bad", said, cure, DIALECT))
    if not skipped:
        found.append(Finding("hook-trust", "ok", "Codex trusts every entry", where=DIALECT))
    return found
