"""Version control beside git: what drops changes that are in no commit; and what takes hooks away."""

from __future__ import annotations

from jackline.shell.rules.strange import unknown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jackline.shell.job import Job

DROPS: dict[str, tuple[tuple[str, str], ...]] = {
    # Program: its verbs, and the options without which these keep what was changed ("" when they never do).
    "hg": (
        ("update up checkout co", "C clean"),
        ("revert", "C no-backup"),
        ("purge clean strip rollback", ""),
        ("unshelve shelve", "delete cleanup d"),
    ),
    "svn": (("revert", ""), ("cleanup", "remove-unversioned remove-ignored vacuum-pristines")),
    "bzr": (("revert", "no-backup"), ("clean-tree", "force"), ("uncommit", "force")),
    "fossil": (("revert", ""), ("clean", "f force x"), ("scrub", "")),
    "jj": (("op operation", ""), ("util", "expire")),
    "p4": (("revert clean", ""), ("obliterate", "y")),
}
SAME = {"brz": "bzr", "chg": "hg"}
LOOKS = ("n", "dry-run", "help", "h", "dryrun", "preview")


def drops(job: Job) -> None:
    given = job.given("rRm", "rev revision message repository", stop=False)
    verb = given.operands[0] if given.operands else ""
    for verbs, options in DROPS[SAME.get(job.name, job.name)]:
        chosen = verb in verbs.split() and not given.has(*LOOKS)
        if chosen and job.name == "jj" and verb in ("op", "operation"):
            chosen = "abandon" in given.operands[1:2]  # all else it takes back
        if chosen and (not options or given.has(*options.split())):
            job.note("history", f"{job.name} {verb} drops changes", act="changes.drop")
    unknown(job)


def hooked(job: Job) -> None:
    """Keepers of hooks of git: from their `uninstall` on, none of theirs runs."""
    if not {"uninstall", "--uninstall"}.isdisjoint(job.words[1:]):
        job.note("history", f"{job.name} takes its hooks away", act="hooks.skip")
    if job.name in ("pre-commit", "lefthook"):
        from jackline.shell.rules.building import build

        build(job)
    else:
        unknown(job)
