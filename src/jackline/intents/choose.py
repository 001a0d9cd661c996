"""Select an intent for a session, or none: what is in force is written into the store, and remembered for good.

An agent's selection brings the scope that was first selected; a person's brings what the file says now.
"""

from __future__ import annotations

from jackline import system
from jackline.intents import CLOSED, FILE, FOLDER, PARENT, Active, active, drop, keep
from jackline.intents.first_scopes import in_force, known, learn
from jackline.intents.intent_index import raw, reading
from jackline.store.ids import digest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jackline.intents.intent_index import Reading

AGENT = "agent"
WAIT_MS = 2000


class Unfit(Exception):
    """This intent cannot be selected; the message says why, and what can."""


def _open(now: Reading) -> str:
    names = [one.id for one in now.intents if one.open]
    return f"open: {', '.join(names)}" if names else "no intent is open · ask a person for `jackline intents new`"


def fit(now: Reading, name: str) -> None:
    """Raise `Unfit` when an intent cannot be worked for."""
    if not now.there:
        raise Unfit(f"{PARENT}/{FILE} · there is no such file · a person writes it: jackline intents new")
    said = now.find(name)
    if said is None:
        from jackline.intents.fields import nearest

        near = nearest(name, [one.id for one in now.intents])
        wrong = f" · {now.faults[0]}" if now.faults else ""
        raise Unfit(f"no intent {name!r}" + (f" · did you mean {near}?" if near else f" · {_open(now)}") + wrong)
    if not said.open:
        why = "" if said.status in CLOSED else next((one for one in now.faults), "")
        raise Unfit(f"{name} · {why or f'is {said.status}'} · {_open(now)}")


def hold(store: str) -> int:
    """One change at a time, of what sessions work for and of the file: commands and entry points may come at once."""
    system.make_dirs(f"{store}/{FOLDER}")
    held = system.lock(f"{store}/{FOLDER}/.lock", WAIT_MS)
    if held < 0:
        raise OSError(11, "another process holds the lock", store)
    return held


def select(store: str, root: str, sid: str, name: str, by: str, now_ms: int) -> Active:
    """Make `name` the active intent of a session; `by` is `agent`, or a person's name."""
    now = reading(store, root)
    fit(now, name)
    held = hold(store)
    try:
        return _selected(store, root, sid, name, by, now_ms, now)
    finally:
        system.close(held)


def _selected(store: str, root: str, sid: str, name: str, by: str, now_ms: int, now: Reading) -> Active:
    said = now.find(name)
    assert said is not None
    scope = in_force(store, root, name, said.scope) if by == AGENT else said.scope
    before = active(store, sid)
    same = before is not None and (before.id, before.root) == (name, root)
    given = before.given if before is not None and same else ()
    if before is not None and same and (before.scope, before.ignored) == (scope, now.ignored):
        return before
    made = Active(name, said.name, scope, now_ms, by, root, given, now.ignored)
    if known(store, root).get(name) != scope:
        learn(store, root, {name: scope})
    keep(store, sid, made)
    _remember(store, "INTENT_SELECT", by, {"intent": name, "session": sid, "root": root, "scope": list(scope)})
    return made


def clear(store: str, root: str, sid: str, by: str) -> Active | None:
    """Leave a session without an intent; what it had."""
    held = hold(store)
    try:
        before = active(store, sid)
        if before is not None:
            drop(store, sid)
            _remember(store, "INTENT_CLEAR", by, {"intent": before.id, "session": sid, "root": root})
        return before
    finally:
        system.close(held)


def give(store: str, root: str, sid: str, name: str, globs: tuple[str, ...], by: str, *, in_file: bool = False) -> bool:
    """Add globs to what a session may write for an intent: a person's word. False when it works for another.

    `in_file`: they stand in the project's file, too, and count no longer than they stand there.
    """
    held = hold(store)
    try:
        before = active(store, sid)
        if before is None or (before.id, before.root) != (name, root):
            return False
        had = before.scope if in_file else before.given
        made = tuple(dict.fromkeys((*had, *globs)))
        keep(store, sid, before._replace(scope=made) if in_file else before._replace(given=made))
    finally:
        system.close(held)
    _remember(store, "INTENT_EXPAND", by, {"intent": name, "session": sid, "root": root, "globs": list(globs)})
    return True


def working(store: str, root: str, name: str = "") -> dict[str, Active]:
    """The sessions of a project that work for an intent (for this one, when it is named)."""
    found = {}
    for sid in system.names(f"{store}/intents"):
        chosen = active(store, sid) if len(sid) == 8 else None
        if chosen is not None and chosen.root == root and name in ("", chosen.id):
            found[sid] = chosen
    return found


def _remember(store: str, kind: str, by: str, data: dict[str, object]) -> None:
    from jackline.store import authority

    authority.append(store, kind, by, data)


def remember_scope(store: str, root: str, name: str, globs: tuple[str, ...], by: str) -> None:
    """A person widened an intent for whoever works for it."""
    _remember(store, "INTENT_EXPAND", by, {"intent": name, "session": "", "root": root, "globs": list(globs)})


def remember_file(store: str, root: str, data: bytes, by: str) -> None:
    """Our own command wrote the project's file: with this content it is no news to anybody."""
    _remember(store, "INTENT_FILE", by, {"root": root, "digest": digest(data.hex())})


def is_remembered(store: str, root: str) -> bool:
    """Whether the project's file is as our own command wrote it last."""
    from jackline.store import authority

    rows = [one["data"] for one in authority.read(store, "INTENT_FILE")]
    last = next((one for one in reversed(rows) if one.get("root") == root), None)
    data = raw(root)[0]
    return last is not None and data is not None and last.get("digest") == digest(data.hex())
