"""Before a call: refuse it when somebody else changed what it would overwrite, and remember what it is about to do."""

from __future__ import annotations

from jackline import system
from jackline.affected_paths import decode_field, inputs
from jackline.clients.facts import ENDS
from jackline.features.stale_file import refusal_text, seen_texts, writers
from jackline.features.stale_file.file_access import absolute, changes, reads
from jackline.features.stale_file.file_version import GONE, digest, look, loose, stamp_of
from jackline.features.stale_file.memory import FOLDER, Begun, Change, Known, Seen
from jackline.globs import match
from jackline.paths import resolve, within
from jackline.sdk import ask, deny

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NamedTuple

    from jackline.features.stale_file.file_access import Read, Write
    from jackline.features.stale_file.file_version import Look
    from jackline.features.stale_file.session_view import Desk
    from jackline.model import Action, Event
else:
    from jackline._record import NamedTuple

OBSERVED = "observed_content_hash"
TELLS = "tells"


class Stale(NamedTuple):
    """A file that somebody else changed: what was known of it, and what it is now."""

    known: Known
    now: Look
    observed: bool = False


# --- reads ---------------------------------------------------------------------------------------------------------


def ends_are_told(desk: Desk) -> bool:
    return desk.me.client in ENDS or system.exists(f"{desk.session}/{FOLDER}/{TELLS}")


def begin_read(desk: Desk, one: Read) -> Seen | None:
    """Remember a file as it is before it is read; where no end will be told, that is what is known of it."""
    if not ends_are_told(desk):
        if one.shown or desk.memory.known(one.path) is None:
            desk.learn(one.path, look(one.path, desk.at), "read")
        return None
    stamp = stamp_of(one.path, desk.at)
    return Seen(one.path, one.shown, "" if stamp else look(one.path, desk.at).sha, stamp)


# --- changes -------------------------------------------------------------------------------------------------------


def observed(event: Event) -> object:
    """What the agent says it saw, None when it says nothing."""
    for holder in inputs(event):
        told: object = decode_field(holder.get(OBSERVED))
        if told is not None:
            return told
    return None


def _hash_of(told: object, path: str, root: str) -> str:
    """The hash that is told for one file, "" for none: a text for all, or an object with one for each path."""
    if isinstance(told, dict):
        for name, value in told.items():
            if absolute(root, str(name)) == path:
                return _hex(value)
        return ""
    return _hex(told)


def _hex(value: object) -> str:
    """A hash without its sign; "" where nothing is told: models fill a field that they have nothing for."""
    told: object = decode_field(value)
    return "" if told is None else str(told).lower().removeprefix("sha256:").removeprefix("sha256-")


def below(desk: Desk, path: str, pattern: str) -> list[Known]:
    """What is known below a folder that a call changes, as far as its glob goes."""
    start = path.rstrip("/") + "/"
    found = []
    for known in desk.memory.below(path):
        if known.path.startswith(start) and (
            not pattern or match(pattern, within(desk.ctx.root, known.path)) or match(pattern, known.path)
        ):
            found.append(known)
    return found


def _stale(desk: Desk, known: Known, now: Look, one: Write) -> bool:
    """Whether somebody else changed a file. To delete what is gone loses nothing; a folder is no file."""
    if (now.sha == GONE and one.delete) or (known.sha == GONE and not now.sha):
        return False
    return not desk.fresh(known, now)


def stale_in(desk: Desk, one: Write) -> list[Stale]:
    """What somebody else changed of that which a call would change."""
    found = []
    for known in below(desk, one.path, one.pattern) if one.deep else ():
        now = desk.now(known)
        if _stale(desk, known, now, one):
            found.append(Stale(known, now))
    if one.pattern:
        return found
    told = observed(desk.event)
    if told is not None:
        expected = _hash_of(told, one.path, desk.ctx.root)
        if expected:
            now = look(one.path, desk.at)
            seen = Known(one.path, expected, at=desk.at)
            return found if not now.sha or now.sha == seen.sha else [*found, Stale(seen, now, observed=True)]
    mine = desk.memory.known(one.path)
    if mine is not None:
        now = desk.now(mine)
        if _stale(desk, mine, now, one):
            found.append(Stale(mine, now))
    return found


def _replaced(desk: Desk) -> list[Stale]:
    """Files that were known by a name where a link stands now: the call would go through it to another file."""
    event = desk.event
    found = []
    for target in event.targets if event.kind != "shell" else ():
        folder, _, name = target.rpartition("/")
        path = f"{resolve(event.cwd or event.root, folder or ('/' if target[:1] == '/' else '.'))}/{name}"
        known = desk.memory.known(path)
        if known is not None and known.sha != GONE and not look(path, desk.at).sha:
            found.append(Stale(known, look(path, desk.at)))
    return found


def _unread(desk: Desk, listed: list[Write]) -> Action | None:
    """A person's knob: what becomes of a file that is overwritten whole and was never read."""
    wanted = str(desk.ctx.config.get("unread") or "pass")
    if wanted == "pass":
        return None
    for one in listed:
        if one.whole and system.size_of(one.path) > 0 and desk.memory.known(one.path) is None:
            name = refusal_text.shown(desk.ctx, one.path)
            answer = deny if wanted == "deny" else ask
            return answer(
                f"{name} would be overwritten, and you never read it",
                rule="stale-file: unread",
                safer=f"read {name} first",
                code="STALE_FILE",
            )
    return None


def _preview(desk: Desk, one: Stale) -> list[str]:
    """What changed since it was seen; what the call would make of it, where the seen text was not kept."""
    from jackline.edits import preview
    from jackline.edits.diff import difference, line

    path = refusal_text.shown(desk.ctx, one.known.path)
    if one.now.sha == GONE:
        return [line(f"{path} is gone")]
    seen = "" if one.known.sha == GONE else seen_texts.kept(desk.session, one.known.sha)
    now = seen_texts.text_of(one.now.data if one.now.data is not None else look(one.known.path, desk.at).data)
    if seen is not None and now is not None:
        return difference(path, seen, now)
    return preview(desk.event)


def refused(desk: Desk, found: list[Stale]) -> Action:
    one = found[0]
    name = refusal_text.shown(desk.ctx, one.known.path)
    wrote = writers.wrote(desk.store, one.known.path) if desk.store else None
    if one.observed:
        by = ""
        if wrote is not None and wrote.sha == one.now.sha and wrote.who.same != desk.me.same:
            by = f": {refusal_text.who(wrote.who, desk.me)} wrote it at {refusal_text.clock(wrote.at)}"
        reason = f"{name} is not what {OBSERVED} says{by}"
    else:
        reason = refusal_text.changed(name, one.known, one.now.sha, wrote, desk.me)
    again = f"look whether {name} is still wanted" if one.now.sha == GONE else f"read {name} again"
    return deny(
        reason + refusal_text.more(len({other.known.path for other in found}) - 1),
        rule=refusal_text.RULE,
        safer=f"{again}, then make the change anew",
        code="STALE_FILE",
        risk="somebody's work would be lost",
        preview=_preview(desk, one),
    )


# --- both ----------------------------------------------------------------------------------------------------------


def _claimed(desk: Desk, listed: list[Write]) -> Action | None:
    """Say that these files are about to be written; a refusal when somebody else said so first."""
    if desk.dry or not desk.store:
        return None
    mine = writers.Claim(desk.me, desk.call, desk.at)
    for one in listed:
        if one.deep and system.is_dir(one.path):
            continue
        other = writers.claim(desk.store, one.path, mine)
        if other is not None:
            name = refusal_text.shown(desk.ctx, one.path)
            return deny(
                refusal_text.claimed(name, other, desk.me),
                rule="stale-file: one writer at a time",
                safer=f"wait a moment, read {name} again, then make the change anew",
                code="STALE_FILE",
                risk="one of two changes would be lost",
            )
    return None


def _changes(desk: Desk, listed: list[Write]) -> tuple[Change, ...]:
    """What the call is about to do to each file: what is there, and what it proposes."""
    proposals: dict[str, str] = {}
    event = desk.event
    # A notebook's text afterwards is the client's affair: cells are told, not how they are laid out.
    if listed and (event.kind in ("write", "edit", "mcp", "other") or "apply_patch" in event.command):
        from jackline.edits import proposed

        for one in proposed(event):
            path = absolute(event.root, one.path)
            if one.after is not None and not path.endswith(".ipynb"):
                proposals[path] = one.after
            if one.source:
                proposals.setdefault(absolute(event.root, one.source), "\0")
    made = []
    for change in listed:
        before = (
            "" if change.pattern or (change.deep and system.is_dir(change.path)) else look(change.path, desk.at).sha
        )
        text = proposals.get(change.path)
        after = even = ""
        if change.delete or text == "\0":
            after = GONE
        elif text is not None:
            data = text.encode("utf-8", "surrogatepass")
            after, even = digest(data), loose(data)
        made.append(Change(change.path, before, after, even, change.deep, change.pattern))
    return tuple(made)


def before(desk: Desk) -> Action | None:
    """Judge a call, and remember what it reads and changes until its end is told."""
    event = desk.event
    listed = changes(event)
    if listed:
        desk.clear()
        answer = _claimed(desk, listed)
        if answer is None:
            found = [stale for one in listed for stale in stale_in(desk, one)] or _replaced(desk)
            answer = refused(desk, found) if found else _unread(desk, listed)
        if answer is not None and answer.decision == "deny":
            for one in listed:
                desk.release(one.path, desk.call)
    else:
        answer = None
    if desk.dry:
        return answer
    changed = {one.path for one in listed}
    refused_here = answer is not None and answer.decision == "deny"
    seen = [begin_read(desk, one) for one in reads(event) if one.path not in changed] if not refused_here else []
    # A refused call, too: where refusals are only observed it goes on, and its end is told.
    begun = Begun(desk.at, tuple([one for one in seen if one is not None]), _changes(desk, listed))
    if begun.seen or begun.changes:
        desk.memory.begin(desk.call, begun)
    return answer
