"""After a call: what the agent saw is known, what it wrote is its own, and others may write again."""

from __future__ import annotations

from jackline import file_stat, system
from jackline.clients.facts import ENDS
from jackline.features.stale_file.file_access import changes, reads
from jackline.features.stale_file.file_version import GONE, LOST, Look, look, loose
from jackline.features.stale_file.memory import FOLDER, Begun, Change, Seen
from jackline.features.stale_file.pre_tool import TELLS, below
from jackline.features.stale_file.writers import Wrote, settle, wrote

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jackline.features.stale_file.session_view import Desk

UNSEEN = "!"
"""Stands for the digest before a call of which we saw only the end."""


def _failed(desk: Desk) -> bool:
    return desk.event.name == "PostToolUseFailure" or desk.event.outcome == "error"


def _read(desk: Desk, one: Seen, *, failed: bool) -> None:
    """Know a file that was read, if it was the same before and after."""
    now = look(one.path, desk.at)
    if not now.sha:
        return
    known = desk.memory.known(one.path)
    failed = failed and now.sha != GONE  # a look for what is not there fails, and tells that it is not there
    if failed and desk.event.kind != "shell":
        return
    if known is not None and (failed or not one.shown):
        return
    steady = (one.stamp and file_stat.regular(one.path) == one.stamp) or one.sha in (now.sha, UNSEEN)
    if steady or (known is not None and known.sha == now.sha):
        desk.learn(one.path, now, "read")
    else:
        desk.memory.doubt(one.path, desk.at)


def _somebody_elses(desk: Desk, path: str, sha: str, since: int) -> bool:
    """Whether another agent says that this content is its work, done while the call ran."""
    last = wrote(desk.store, path) if desk.store else None
    return last is not None and last.who.same != desk.me.same and last.sha == sha and last.at >= since


def _as_proposed(desk: Desk, one: Change, now: Look) -> bool:
    """Whether a file holds what the call proposed, but for what clients and people change on the way."""
    response = desk.event.response
    if isinstance(response, dict) and response.get("userModified") is True:
        return True
    return bool(one.loose) and now.data is not None and loose(now.data) == one.loose


def _deleted(one: Change, now: Look) -> bool:
    """Who deletes what is gone knows that it is gone, whoever was first."""
    return one.after == GONE == now.sha


def _changed(desk: Desk, one: Change, since: int) -> None:
    """One file after the call: ours, unchanged, or by now somebody else's."""
    now = look(one.path, desk.at)
    folder = one.deep and not one.before
    if _deleted(one, now) and desk.memory.known(one.path) is not None:
        desk.wrote(one.path, now, desk.call)
    elif not now.sha or folder or now.sha == one.before or _somebody_elses(desk, one.path, now.sha, since):
        desk.release(one.path, desk.call)
    elif not one.after or now.sha == one.after or _as_proposed(desk, one, now):
        desk.wrote(one.path, now, desk.call)
    elif _failed(desk):
        desk.release(one.path, desk.call)
    else:  # we wrote what we proposed, and somebody changed it at once
        desk.memory.learn(one.path, Look(one.after), desk.at, "wrote")
        if desk.store:
            settle(desk.store, one.path, Wrote(desk.me, one.after, desk.at), desk.call)


def _below(desk: Desk, one: Change) -> None:
    """What was known below a folder that the call changed, brought up to date: it was fresh before."""
    for known in below(desk, one.path, one.pattern):
        now = desk.now(known)
        if (
            known.sha != LOST
            and now.sha
            and now.sha != known.sha
            and (_deleted(one, now) or not _somebody_elses(desk, known.path, now.sha, known.at))
        ):
            desk.wrote(known.path, now)


def _only_end(desk: Desk) -> Begun:
    """A call of which nothing was remembered: what it names, as it is now."""
    event = desk.event
    if event.kind == "shell":
        return Begun(desk.at)
    seen = tuple([Seen(one.path, one.shown, UNSEEN) for one in reads(event)])
    made = tuple([Change(one.path, "", GONE if one.delete else "", "", one.deep) for one in changes(event)])
    return Begun(desk.at, seen, made)


def after(desk: Desk) -> None:
    """Learn from a call that has ended."""
    if desk.dry:
        return
    if desk.me.client not in ENDS:
        at = system.descend(desk.session, (FOLDER,), create=True)
        system.claim(TELLS, at=at)
        system.close(at)
    begun = desk.memory.begun(desk.call)
    if begun is None:
        begun = _only_end(desk)
    for change in begun.changes:
        if change.deep:
            _below(desk, change)
        if not change.pattern:
            _changed(desk, change, begun.at)
    failed = _failed(desk)
    for seen in begun.seen:
        _read(desk, seen, failed=failed)
    desk.memory.end(desk.call)
