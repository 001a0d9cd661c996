"""Where one event's work is done: who asks, at what time, what he knows, and how a file is brought up to date."""

from __future__ import annotations

from jackline.features.stale_file import script_output, seen_texts, writers
from jackline.features.stale_file.file_version import CHANGING, LOST, Look, look, stamp_of
from jackline.features.stale_file.memory import Memory, call_of
from jackline.features.stale_file.writers import Who, Wrote
from jackline.paths import within

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jackline.features.stale_file.memory import Known
    from jackline.model import Event
    from jackline.sdk import Context

UNRESOLVED_MS = 30_000
"""A call that has not ended for so long is over for its agent, who does something else now."""
FORGOTTEN_MS = 3_600_000


class Desk:
    """One agent of a session at one event. Nothing is written in a dry run."""

    def __init__(self, event: Event, ctx: Context) -> None:
        self.event = event
        self.ctx = ctx
        self.session = ctx.paths.session_root
        self.store = str(ctx.protected.get("store") or "")
        self.me = Who(ctx.ids.session_id, event.client, ctx.ids.agent_id)
        self.memory = Memory(self.session, ctx.ids.agent_id)
        self.at = ctx.start_ms
        self.dry = ctx.dry
        self.call = call_of(event.tool_use_id, event.tool, event.input)

    def learn(self, path: str, now: Look, how: str) -> None:
        """Know a file as it is now; where its text may be kept it is, to show later what changed."""
        if self.dry or not now.sha:
            return
        self.memory.learn(path, now, self.at, how)
        seen_texts.keep(self.session, path, now)

    def wrote(self, path: str, now: Look, call: str = "") -> None:
        """Know what one wrote oneself, and let others know who it was."""
        if self.dry or not now.sha:
            return
        self.learn(path, now, "wrote")
        if self.store:
            writers.settle(self.store, path, Wrote(self.me, now.sha, self.at), call)

    def release(self, path: str, call: str = "") -> None:
        if self.store and not self.dry:
            writers.release(self.store, path, self.me, call)

    def now(self, known: Known) -> Look:
        """A file as it is, unread when its stamp says that it is what was known."""
        if known.stamp and stamp_of(known.path, self.at) == known.stamp:
            return Look(known.sha, known.blob, known.stamp)
        return look(known.path, self.at)

    def fresh(self, known: Known, now: Look) -> bool:
        """Whether nobody else changed a file since; what we did ourselves becomes known on the way."""
        if now.sha == known.sha:
            return True
        if known.sha in (CHANGING, LOST):
            return False
        if self._proposed(known.path, now.sha) or self._by_scripts(known, now):
            self.wrote(known.path, now)
            return True
        return False

    def _proposed(self, path: str, sha: str) -> bool:
        """Whether an own call whose end nobody told would have left exactly this."""
        for call in self.memory.calls():
            begun = self.memory.begun(call)
            if begun is not None and any(one.path == path and one.after == sha for one in begun.changes):
                return True
        return False

    def _by_scripts(self, known: Known, now: Look) -> bool:
        return script_output.leads(self.session, within(self.ctx.root, known.path), known.blob, now.blob)

    def clear(self, older: int = UNRESOLVED_MS) -> None:
        """End own calls of which no end was told: their claims go, and what they proposed is known where it is there.

        The proposals themselves are kept for a while, since the content may be there later.
        """
        if self.dry:
            return
        for call in self.memory.calls():
            begun = self.memory.begun(call)
            if begun is None or self.at - begun.at >= FORGOTTEN_MS:
                self.memory.end(call)
            if begun is None or call == self.call or self.at - begun.at < older:
                continue
            waiting = [one for one in begun.changes if not self._resolved(one.path, one.after, call)]
            if not any(one.after for one in waiting):
                self.memory.end(call)

    def _resolved(self, path: str, after: str, call: str) -> bool:
        """Whether a call's proposal is what the file holds now; its claim ends in any case."""
        known = self.memory.known(path)
        if after and (known is None or known.sha != after):
            now = look(path, self.at)
            if now.sha == after:
                self.wrote(path, now, call)
                return True
        self.release(path, call)
        return bool(after) and known is not None and known.sha == after
