"""Programs that we know nothing of: what they are handed may be programs of this session, and those are read."""

from __future__ import annotations

from jackline.shell.programs import RISKY

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jackline.shell.job import Job


def unknown(job: Job) -> None:
    """Anything may happen to what it was told: programs of this session are read, and commands among it run."""
    if job.walk.since:
        from jackline.shell.rules.code import handed

        handed(job, job.words[1:])
    job.sure = False
    job.note("unknown", f"no knowledge of {job.name}")
    for at, word in enumerate(job.words[1:-1], 1):
        if word.rpartition("/")[2] in RISKY:
            job.run(job.words[at:])
            return
