"""What a script that outlived its event had to say, kept for the next event that can carry it.

`<session>/scripts/later.jsonl`: one line a script, ["context" | "note", key, text].
"""

from __future__ import annotations

from jackline import host, system
from jackline.jsonio import dumps, loads
from jackline.model import Action

SCRIPTS, FILE = "scripts", "later.jsonl"
MOST = 1 << 18
"""Bytes that are kept when nobody asks."""


def leave(session: str, action: Action) -> None:
    """Keep context and warnings of `action`; nobody waits for decisions any more."""
    lines = [["context", key, text] for key, text in action.additional_context]
    lines += [["note", "", text] for text in action.warnings]
    if action.decision:
        lines.append(["note", "", f"too late to {action.decision}: {action.reason}"])
    if not lines:
        return
    at = system.descend(session, (SCRIPTS,), create=True)
    try:
        if system.size_at(at, FILE) < MOST:
            system.append(FILE, b"".join([dumps(line).encode("ascii") + b"\n" for line in lines]), at=at)
    finally:
        system.close(at)


def take(session: str) -> Action:
    """All that was kept, once: of several events at the same time one gets it."""
    mine = f".{FILE}.{host.pid()}"
    try:
        at = system.descend(session, (SCRIPTS,))
    except OSError:
        return Action()
    try:
        system.rename(FILE, mine, at=at)
        raw = system.read(mine, at=at, limit=2 * MOST, follow=False)
    except OSError:
        return Action()
    finally:
        system.unlink(mine, at=at)
        system.close(at)
    context, notes = [], []
    for line in raw.split(b"\n"):
        try:
            kind, key, text = loads(line.decode("ascii"))
        except (ValueError, TypeError):
            continue
        if kind == "context":
            context.append((str(key), str(text)))
        else:
            notes.append(str(text))
    return Action(additional_context=tuple(context), warnings=tuple(notes))
