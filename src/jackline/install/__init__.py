"""Put the entries of the door into the clients' configuration, take them out again, and tell whether they work.

`DIALECTS` names the modules; each says which files and events its clients have (design section 6, "Install").
"""

from __future__ import annotations

DIALECTS = {
    "claude-code": "jackline.install.claude_code",
    "codex": "jackline.install.codex",
    "github": "jackline.install.github",
}
CLIENTS = {"claude-code": "claude-code", "codex": "codex", "vscode": "github", "copilot-cli": "github"}
"""Clients that `init` knows, with the dialect whose file they read."""
