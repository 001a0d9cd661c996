"""Programs that we know nothing of: what they are handed may be programs of this session, and those are read."""

from __future__ import annotations

from jackline.shell import programs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jackline.shell.job import Job


UNGUARDED = ("--dangerously", "--yolo")
"""Options by which a program says of itself that it asks nobody."""


def unknown(job: Job) -> None:
    """Anything may happen to what it was told; what it was handed is read first, where a session wrote it."""
    if job.walk.since:
        from jackline.shell.rules.code import handed

        handed(job, job.words[1:])
    if "-" in job.name and _cmdlet(job):
        return
    if not job.words[0].isascii() and "/" not in job.words[0]:
        job.fault(f"{job.words[0]!a} only looks like the name of a program")
    if any(word.startswith(UNGUARDED) for word in job.words):
        job.note("privilege", "nobody would be asked any more", act="unguarded")
    programs.unknown(job)


def _cmdlet(job: Job) -> bool:
    """A command of PowerShell that changes the machine: some clients do not say which shell reads their text."""
    from jackline.shell.rules.powershell_names import NOUNS

    if job.name.rpartition("-")[2] not in NOUNS:
        return False
    from jackline.shell.rules.shells import cmdlet

    cmdlet(job)
    return True
