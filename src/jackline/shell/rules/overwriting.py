"""Programs that put something else, or nothing, where a text was: the name stays, all that was in it is gone."""

from __future__ import annotations

from jackline.shell.model import UNKNOWN
from jackline.shell.scene import ANY, OPEN, STAR
from jackline.system import exists, is_dir

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jackline.shell.job import Job

GLOBS = frozenset((STAR, ANY, OPEN))
FEEDING = ("find", "fd", "fdfind", "xargs", "parallel")
"""What runs a program on many files, one after the other."""


def emptied(job: Job, words: list[str]) -> None:
    """Nothing stays in these files. One name that only the shell knows is one file, which is made more often."""
    if job.elsewhere:
        return
    many = job.fed or not set(FEEDING).isdisjoint(job.wrappers)
    for word in words:
        if not word or word.startswith("/dev/") or (UNKNOWN in word and not many and GLOBS.isdisjoint(word)):
            continue
        for place in job.scene.places(word):
            fresh = not place.pattern and is_dir(place.path.rpartition("/")[0]) and not exists(place.path)
            if not fresh:
                job.note("write", "nothing stays in it", place, act="blank")


def truncate(job: Job) -> None:
    given = job.given("sr", "size reference")
    job.all("write", given.operands)
    if set(given.values("s", "size")) & {"0", "<0", "0K", "0M"}:
        emptied(job, given.operands)


def tee(job: Job) -> str | None:
    """One text into every file it is told: with a glob, over whatever these held."""
    given = job.given()
    more = job.name == "tee" and given.has("a", "append")
    job.all("write", given.operands, job.name)
    for word in given.operands:
        job.walk.wrote(word, job.feed, job.scene, more)
    if not more:
        globs = [word for word in given.operands if not GLOBS.isdisjoint(word)]
        emptied(job, given.operands if ("<", "/dev/null") in job.redirs else globs)
    return job.feed if job.name == "tee" else None


def shred(job: Job) -> None:
    given = job.given("ns", "iterations size random-source")
    job.all("delete" if given.has("u", "remove") else "write", given.operands, "overwrites it", act="shred")


def dd(job: Job) -> None:
    for word in job.words[1:]:
        name, _, value = word.partition("=")
        if name == "of":
            job.add("write", value)
            if "if=/dev/null" in job.words and "conv=notrunc" not in job.words:
                emptied(job, [value])
        elif name == "if":
            job.add("read", value)
        elif UNKNOWN in name:
            job.fault("dd has a word that only the shell knows")
