"""Context that is longer than a client carries: whole into a file, its beginning to the model (design section 6)."""

from __future__ import annotations

from jackline import paths, system

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jackline.model import Verdict
    from jackline.runtime.outcome import Outcome


def cut_context(outcome: Outcome, verdict: Verdict, limit: int) -> Verdict:
    """Context above the client's limit (bytes) goes whole into a file; the model gets its beginning and its place."""
    if 4 * sum([len(key) + len(value) + 3 for key, value in verdict.context]) <= limit or outcome.place is None:
        return verdict
    whole = "\n\n".join([f"## {key}\n{value}" for key, value in verdict.context]).encode("utf-8", "replace")
    if len(whole) <= limit:
        return verdict
    name = f"{outcome.ids.hook_run_id}.md"
    try:
        at = system.descend(outcome.place.path, ("context",), create=True)
        try:
            system.replace(name, whole, at=at)
        finally:
            system.close(at)
    except OSError:
        return verdict
    where = paths.within(outcome.session.root, f"{outcome.place.path}/context/{name}")
    head = whole[: max(limit - 400, 200)].decode("utf-8", "ignore")
    head = head[: head.rfind("\n") + 1] or head
    return verdict._replace(context=(("context", f"{head}\n(cut; the whole text is in {where})"),))
