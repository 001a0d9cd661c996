"""Programs that we know nothing of: what they are handed may be programs of this session, and those are read."""

from __future__ import annotations

from jackline.shell import programs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jackline.shell.job import Job


def unknown(job: Job) -> None:
    """Anything may happen to what it was told; what it was handed is read first, where a session wrote it."""
    if job.walk.since:
        from jackline.shell.rules.code import handed

        handed(job, job.words[1:])
    programs.unknown(job)
