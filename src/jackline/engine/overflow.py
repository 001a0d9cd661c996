"""Context that is longer than a client carries: whole into a file, its beginning to the model (design section 6)."""

from __future__ import annotations

from jackline import system

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jackline.engine.run import Run
    from jackline.model import Verdict


def cut_context(run: Run, verdict: Verdict, limit: int) -> Verdict:
    """Context above the client's limit goes whole into a file; the model gets its beginning and where the rest is."""
    size = sum([len(value) + 1 for _, value in verdict.context])
    if size <= limit or run.place is None:
        return verdict
    whole = "\n\n".join([f"## {key}\n{value}" for key, value in verdict.context])
    name = f"{run.ids.hook_run_id}.md"
    try:
        at = system.descend(run.place.path, ("context",), create=True)
        try:
            system.replace(name, whole.encode("utf-8", "replace"), at=at)
        finally:
            system.close(at)
    except OSError:
        return verdict
    head = whole[: max(limit - 400, 200)]
    head = head[: head.rfind("\n") + 1] or head
    return verdict._replace(
        context=(("context", f"{head}\n(cut; the whole text is in {run.place.path}/context/{name})"),)
    )
