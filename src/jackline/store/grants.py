"""Grants: a person's yes to one call, or to that call for a session; and a no that lasts for the turn (section 9).

A yes fits a call with the same mark and rules whose files are what they were when the person was asked.
"""

from __future__ import annotations

from jackline import system
from jackline.store import approvals, authority
from jackline.store.approvals import Request, Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


def changed_files(request: Request, files: Mapping[str, str]) -> tuple[str, ...]:
    """Files that are not what they were when the person was asked, or were not among those they were asked about."""
    before = request.files
    return tuple(sorted([path for path in {**before, **files} if before.get(path) != files.get(path)]))


def passing(
    store: str, found: list[Request], call: str, now_ms: int, *, ended: Callable[[str], bool], use: bool = True
) -> tuple[Request, Word] | None:
    """Use a yes for `call`: the first of these requests that has one, with what was said. Each is used once.

    The call that was let through may come again for a while, under the same id, unless it has `ended`.
    Without `use` it is only looked whether there is one.
    """
    for one in found:
        said = approvals.word(store, one.id)
        if said is None or said.decision != "approve" or not authority.holds(store, "APPROVE", one.id):
            continue  # a file that nobody recorded is no yes
        standing = approvals.standing(store, one, now_ms)
        if standing == "approved":
            if not use or approvals.spend(store, one.id, call, now_ms) or said.scope == "session":
                return one, said
        elif standing == "used" and call:
            used = approvals.use(store, one.id)
            if used is not None and used.call == call and now_ms < used.ts + approvals.PASS_MS and not ended(call):
                return one, said
    return None


def rejection(store: str, found: list[Request], turn: int) -> tuple[Request, Word] | None:
    """The latest no to one of these requests that still lasts: for the turn it was said in."""
    for one in reversed(found):
        said = approvals.word(store, one.id)
        if said is not None and said.decision == "reject" and turn <= max(said.turn, one.turn):
            return one, said
    return None


def session_grants(store: str, sid: str, now_ms: int) -> list[Request]:
    """What a person approved for a whole session, and did not take back."""
    found = []
    for one in approvals.requests(store):
        said = approvals.word(store, one.id) if one.sid == sid else None
        if said is not None and said.scope == "session" and approvals.standing(store, one, now_ms) == "approved":
            found.append(one)
    return found


def forget(store: str, sid: str) -> None:
    """Remove every request of a session that is forgotten."""
    if system.is_dir(f"{store}/{approvals.FOLDER}"):
        for one in approvals.requests(store):
            if one.sid == sid:
                approvals.remove(store, one.id)
