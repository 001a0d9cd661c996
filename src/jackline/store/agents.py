"""Agents of a session: our short names, and sub-agents that come back with a session id of their own (section 3)."""

from __future__ import annotations

from jackline import system
from jackline.store.sessions import load, safe_name, save

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jackline.model import Event
    from jackline.store.sessions import Place, Session


def alias(store: str, event: Event, session: Session) -> None:
    """Remember at SubagentStart that what the agent will name as its session (one of its own, its id) is this one."""
    key = event.child_session or event.agent_id
    if key and load(store, event.client, key) is None:
        parent = load(store, session.client, session.key)
        if parent is not None:
            save(store, dict(parent, key=key, agent=event.agent_id))


def agent_name(place: Place, agent: str) -> str:
    """Our short id of an agent: `u00` for the main one, else `a01`, `a02` … claimed by exclusive create."""
    if not agent:
        return "u00"
    folder = system.descend(place.path, ("agents",), create=True)
    try:
        index = "=" + safe_name(agent)
        try:
            return system.read(index, at=folder, limit=32, follow=False).decode("ascii", "replace")
        except OSError:
            pass
        line = agent.encode("utf-8", "surrogatepass")
        number = 0
        while True:
            number += 1
            name = f"a{number:02d}"
            if system.claim(name, line, at=folder):
                break
            try:
                if system.read(name, at=folder, limit=1 << 16, follow=False) == line:
                    break
            except OSError:
                continue
        system.claim(index, name.encode(), at=folder)
        return name
    finally:
        system.close(folder)
