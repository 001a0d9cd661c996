"""What the hook table wants in the project: git's pre-commit hook, the text for agents. Looked at when it may move.

Nothing slow is loaded where there are no pre-commit scripts, no texts, and nothing of ours from before.
"""

from __future__ import annotations

from jackline import system
from jackline.site_paths import open_roots, take

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jackline.hook_table import HookTable


def follow(table: HookTable, store: str) -> str:
    """Bring it in line. Returns what could not be done, "" when all was."""
    known = system.exists(store + "/git-hooks.json") or system.exists(store + "/guidance.json")
    if not table.root or not (known or table.scripted("pre-commit") or table.guidance()):
        return ""
    open_roots()
    return "; ".join(take("jackline.install.follow").follow(table, store).faults)
