"""Programs that change files where they are: who may read, write and run them, and that nothing stays in them."""

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


def _says(what: str) -> tuple[bool, bool, bool]:
    """What a mode does: everybody may write it from now on, nothing can be run, it runs as its owner."""
    if what.isdigit():
        digits = what.lstrip("0")
        return what[-1] in "2367", {*what[-3:]}.isdisjoint("1357"), len(digits) == 4 and digits[0] in "2467"
    changes = what.split(",")
    given = [one.replace("=", "+").partition("+") for one in changes]
    opens = any("w" in rights and not {"o", "a"}.isdisjoint(who) for who, _, rights in given)
    stills = any("x" in one.partition("-")[2] or one.endswith(("=", "=r", "=rw")) for one in changes)
    return opens, stills, any("s" in rights for _, _, rights in given)


def _hook(job: Job, word: str) -> bool:
    return any(part in f"{one.path}/" for one in job.scene.places(word) for part in ("/.git/hooks/", "/.husky/"))


def mode(job: Job) -> None:
    """`chmod`, `chown` and their kin: the first operand says what, unless a reference does."""
    given, name = job.given("", "reference from"), job.name
    what, operands = "", given.operands
    if given.has("help", "version"):
        return
    if name in ("setfacl", "xattr", "setfattr", "chattr", "chflags"):
        operands = job.given("mMxXnvwp", "modify remove set-file name value").operands[name == "chflags" :]
        operands = [word for word in operands if name != "chattr" or word[:1] not in "+="]
    elif not given.has("reference"):
        dashed = [word for word in job.words[1:] if name == "chmod" and word[:1] == "-" and word[1:2] in "rwxXst"]
        what, operands = (dashed[0], operands) if dashed else ("".join(operands[:1]), operands[1:])
    deep = given.loose or any(one == "R" or one[:3] == "rec" for one, _ in given.options)
    job.all("write", operands, f"{name} {what}".strip(), deep=deep, act="mode")
    if name in ("chown", "chgrp"):
        job.note("privilege", "changes who owns it", act="owner")
    opens, stills, owner = _says(what) if name == "chmod" else (False, False, False)
    job.all("privilege", operands if opens else [], "anybody may write it", deep=deep, act="open")
    if stills and any(_hook(job, word) for word in operands):
        job.note("history", "hooks that cannot be run are passed over", act="hooks.skip")
    if owner:
        job.note("privilege", "runs as its owner from now on", act="setuid")
