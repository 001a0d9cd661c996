"""`find` and `fd`: where they walk, what they remove, run and print."""

from __future__ import annotations

from jackline.shell.model import UNKNOWN
from jackline.shell.scene import ACTIVE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jackline.shell.job import Job, Rule


OTHERS = frozenset(["-o", "-or", "-not", "!", ","])


def found(words: list[str], root: str, action: int) -> list[str]:
    """What an action of `find` may reach below a root: by its names, when some are asked for before the action."""
    asked = [at for at, word in enumerate(words[:action]) if word in ("-name", "-iname")]
    if len(asked) != 1 or not OTHERS.isdisjoint(words):
        asked = _either(words, action)
    return [f"{root.rstrip('/')}/{UNKNOWN}/{words[at + 1].translate(ACTIVE)}" for at in asked] or [root]


def _either(words: list[str], action: int) -> list[int]:
    """Where the names stand in the one bracket `( -name a -o -name b )`; none where anything else chooses, too."""
    if words.count("(") != 1 or words.count(")") != 1 or not words.index("(") < words.index(")") < action:
        return []
    begin, end = words.index("("), words.index(")")
    if not OTHERS.isdisjoint(words[:begin] + words[end:]):
        return []
    asked: list[int] = []
    at = begin
    while at < end:  # each part of the choice begins behind the bracket or an `-o`
        stop = next((one for one in range(at + 1, end) if words[one] in ("-o", "-or")), end)
        names = [one for one in range(at + 1, stop) if words[one] in ("-name", "-iname")]
        if len(names) != 1 or not OTHERS.isdisjoint(words[at + 1 : stop]):
            return []
        asked += names
        at = stop
    return asked


TESTS = frozenset(
    [
        "-name",
        "-iname",
        "-path",
        "-ipath",
        "-wholename",
        "-iwholename",
        "-lname",
        "-ilname",
        "-regex",
        "-iregex",
        "-regextype",
        "-type",
        "-xtype",
        "-size",
        "-mtime",
        "-mmin",
        "-atime",
        "-amin",
        "-ctime",
        "-cmin",
        "-newer",
        "-anewer",
        "-cnewer",
        "-samefile",
        "-maxdepth",
        "-mindepth",
        "-perm",
        "-user",
        "-group",
        "-uid",
        "-gid",
        "-inum",
        "-links",
        "-used",
        "-fstype",
        "-context",
        "-printf",
        "-files0-from",
    ]
)
"""Words of `find` behind which the next is a value."""


class Names(str):
    """What `find` prints, when its last part is known: a name that no blank of another path can make."""

    __slots__ = ()


def listed(words: list[str], roots: list[str]) -> Names | None:
    """The paths that `find` prints, a line each; None when they may be anything."""
    if any(word[:1] == "-" and word not in CALM for word in words if word not in roots):
        return None
    named = [one for root in roots for one in found(words, root, len(words))]
    return Names("".join((one if UNKNOWN in one else f"{one.rstrip('/')}/{UNKNOWN}") + "\n" for one in named))


CALM = frozenset(
    [
        "-name",
        "-iname",
        "-type",
        "-maxdepth",
        "-mindepth",
        "-print",
        "-print0",
        "-empty",
        "-mtime",
        "-mmin",
        "-size",
        "-o",
        "-or",
        "-prune",
    ]
)
"""Words of `find` that choose, and print."""


def find(job: Job) -> str | None:
    """Roots, `-delete`, `-exec` and its kin, `-fprint`."""
    words = job.words[1:]
    first = next((at for at, word in enumerate(words) if at or word not in ("-H", "-L", "-P")), 0)
    end = next((at for at in range(first, len(words)) if words[at][:1] in ("-", "(", "!", ",")), len(words))
    roots = words[first:end] or ["."]
    job.all("read", roots, "walks it", deep=True)
    at = end
    while at < len(words):
        word, here = words[at], at
        at += 2 if word in TESTS else 1
        if word == "-delete":
            for root in roots:
                for name in found(words, root, here):
                    for place in job.scene.places(name, follow=False):
                        job.note("delete", "find -delete", place, deep=True)
        elif word in ("-fprint", "-fprint0", "-fls", "-fprintf") and at < len(words):
            job.add("write", words[at], word)
            at += 2 if word == "-fprintf" else 1  # the file, and how it is written
        elif word in ("-exec", "-execdir", "-ok", "-okdir"):
            at = executes(job, words, roots, here)
        elif word.startswith(UNKNOWN):
            job.fault("find has a word that only the shell knows")
    return listed(words[first:], roots)


def executes(job: Job, words: list[str], roots: list[str], action: int) -> int:
    """`-exec command ;`: run it for each root. Returns the place behind it."""
    start = end = action + 1
    while end < len(words) and words[end] != ";" and not (words[end] == "+" and words[end - 1] == "{}"):
        end += 1
    targets = [(root, one) for root in roots for one in found(words, root, action)] if end > start else []
    for root, target in targets:
        name = f"{root.rstrip('/')}/{UNKNOWN}" if target == root else target
        own = [word.replace("{}", name) for word in words[start:end]]
        made = job.inside(own, start + 1, job.scene.fork())
        made.fed = True
        if words[action].endswith("dir"):
            made.scene.cwds = ("",)
        job.walk.call(made)
    return end + 1


def fd(job: Job) -> None:
    for option in ("-x", "--exec", "-X", "--exec-batch"):
        if option in job.words:
            at = job.words.index(option) + 1
            own = [word.replace("{}", f"./{UNKNOWN}") for word in job.words[at:] if word != ";"]
            if not any("{}" in word for word in job.words[at:]):
                own.append(f"./{UNKNOWN}")
            job.run(own, at, fed=True)
    job.add("read", ".", "walks it", deep=True)


RULES: dict[str, Rule] = {"find": find, "gfind": find, "fd": fd, "fdfind": fd}
