"""What Jackline's own scripts made of files in this session: from what an agent knew to what it may overwrite."""

from __future__ import annotations

from jackline import system
from jackline.jsonio import loads

MADE = "made.jsonl"
"""In the session's folder of scripts: a line for each file that a script changed, with git's ids before and after."""
LIMIT = 1 << 20


def leads(session: str, name: str, before: str, after: str) -> bool:
    """Whether scripts took the file `name` from one content to the other, in one step or in several."""
    if not before or not after:
        return False
    try:
        at = system.descend(session, ("scripts",))
    except OSError:
        return False
    try:
        lines = system.read(MADE, at=at, follow=False, limit=LIMIT).decode("utf-8", "replace").split("\n")
    except OSError:
        return False
    finally:
        system.close(at)
    now = before
    for line in lines:
        try:
            found = loads(line) if line else None
        except ValueError:
            continue
        if isinstance(found, list) and found[:2] == [name, now]:
            now = str(found[2])
            if now == after:
                return True
    return False
