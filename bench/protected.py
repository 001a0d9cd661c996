"""What self-protect says to a row of a stream: in a project, a home and a store that stand on the disk.

A row that names its folders is moved there: what it says of its project and home means those of here.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from jackline.features.command_guard.judge import Ruling
from jackline.features.self_protect import hook
from jackline.model import Event
from jackline.sdk import Context, Ids

HOME = Path(__file__).resolve().parent / "out/world/home/somebody"
ROOT, STORE = HOME / "work/project", HOME / ".local/state/jackline"
STANDS = {
    ROOT: "package.json Makefile src/main.c .claude/settings.json .ai/hooks/config.json .git/config .git/HEAD"
    " .git/hooks/pre-commit .gitattributes",
    HOME: ".claude/settings.json .bashrc .gitconfig .ssh/id_ed25519 .local/bin/jackline",
    STORE: "door.py trust.json authority.jsonl loaded",
}
"""Files, by the folder that holds them."""


def world() -> None:
    for folder, names in STANDS.items():
        for path in (folder / name for name in names.split()):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.touch()


def _here(row: Mapping[str, Any], text: str) -> str:
    for key, place in (("project_root", ROOT), ("cwd", ROOT), ("home", HOME)):
        if len(row.get(key) or "") > 1:
            text = text.replace(row[key], str(place))
    return text


def answer(row: Mapping[str, Any]) -> Ruling:
    """The answer as a ruling, its rule as people read it."""
    tool = "PowerShell" if row.get("shell") == "powershell" else "Bash"
    event = Event("PreToolUse", tool=tool, kind="shell", command=_here(row, row["command"]), client="claude-code")
    event.root, event.cwd, event.home = str(ROOT), _here(row, row.get("cwd") or str(ROOT)), str(HOME)
    event.env = {"HOME": str(HOME)}
    config = json.loads((Path(hook.__file__).parent / "defaults.json").read_text())
    known = {"store": str(STORE), "package": str(HOME / ".local/lib/jackline"), "home": str(HOME)}
    ids = Ids("0badcafe", "w001", "u00", 1, "PreToolUse-1-0")
    made = hook.handle(event, Context("self-protect", ids, event.root, "", {}, config, lambda: 0, protected=known))
    return Ruling(made.decision, rule=made.rule, reason=made.reason) if made and made.decision else Ruling()
