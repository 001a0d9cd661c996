"""`find` and `fd`: where they walk, what they remove, run and print."""

from __future__ import annotations

from jackline.folders import entries
from jackline.paths import links
from jackline.shell.command_call import Job
from jackline.shell.model import UNKNOWN
from jackline.shell.options import parse
from jackline.shell.shell_state import ACTIVE, BELOW, Names, Scene
from jackline.system import is_dir

_TESTS = (
    "-name -iname -path -ipath -wholename -iwholename -lname -ilname -regex -iregex -regextype -type -xtype -size "
    "-mtime -mmin -atime -amin -ctime -cmin -newer -anewer -cnewer -samefile -maxdepth -mindepth -perm -user -group "
    "-uid -gid -inum -links -used -fstype -context -printf -files0-from"
)
TESTS = frozenset(_TESTS.split())
"""Words of `find` behind which the next is a value."""

OR, NOT = ("-o", "-or"), frozenset(["!", "-not"])
CALM = TESTS.union(("-print", "-print0", "-empty", *OR, "-prune", "-not")).difference(("-printf", "-files0-from"))
"""Words of `find` that choose, and print."""

PLAIN = frozenset(["-delete", "-depth", "-d", "-print", "-print0"])
"""Words of `find` that choose nothing: what it removes with them is all that there is."""

RUNS = ("-exec", "-execdir", "-ok", "-okdir")
LEVELS, FOLDERS = 3, 200
"""Levels and folders below a root in which links are looked for."""

ACTIONS = 1000
"""Actions, once for each root, that we follow."""


def _behind(words: list[str], at: int) -> int:
    """The end of the command that an action runs."""
    while at < len(words) and words[at] != ";" and words[at - 1 : at + 1] != ["{}", "+"]:
        at += 1
    return at


def _asked(words: list[str], whole: bool = False) -> list[str]:
    """The names of all that an action behind these words may reach, or the `whole` expression holds for.

    None where it may be others: each part between `-o` must ask for a name, without brackets that of the action alone.
    """
    text = " ".join(words)
    if any(f"{one} (" in text for one in NOT) or not {",", *RUNS}.isdisjoint(words):
        return []
    parts: list[list[str]] = [[]]
    at = 0
    while at < len(words):
        if words[at] in OR:
            never = words[at - 1] == "-prune" and words[at - 2] in NOT  # nothing comes of what is left out so
            parts = [*parts[: len(parts) - never], []]
        elif words[at] in ("-name", "-iname") and NOT.isdisjoint(words[at - 1 : at]):
            parts[-1] += words[at + 1 : at + 2]
        at += 2 if words[at] in TESTS else 1
    parts = parts if whole or "(" in words else parts[-1:]
    return [name for names in parts for name in names] if all(parts) else []


def _below(roots: list[str], names: list[str]) -> list[str]:
    """All that a search may come to below some folders, of these names."""
    found = [f"{root.rstrip('/')}/{BELOW}" for root in roots]
    return [f"{one}/{name.translate(ACTIVE)}" for one in found for name in names] if names else found


def paths(scene: Scene, roots: list[str], names: list[str]) -> Names | None:
    """What a search prints that walks these folders, and looks at these files."""
    if any(UNKNOWN in root for root in roots):
        return None
    files = [root for root in roots if not all(is_dir(one.path) for one in scene.places(root))]
    return Names("".join(one + "\n" for one in [*files, *_below(roots, names)]))


def _listed(words: list[str], roots: list[str]) -> Names | None:
    """The paths that `find` prints, a line each, where it is told to, else whatever the whole expression holds for;
    None when they may be anything.
    """
    if any(word[:1] == "-" and word not in CALM for word in words if word not in roots):
        return None
    told = [at for at, word in enumerate(words) if word in ("-print", "-print0")]
    every = [_asked(words[:at]) for at in told[:ACTIONS]] if told else [_asked(words, whole=True)]
    names = [one for names in every for one in names] if all(every) and len(told) <= ACTIONS else []
    return Names("".join(one + "\n" for one in _below(roots, names)))


def _followed(scene: Scene, roots: list[str]) -> list[str]:
    """Folders that links lead to below the roots: some levels of some folders are looked at."""
    made = [target for _, target in scene.links if target != UNKNOWN]
    for root in roots:
        todo = [one.path for one in scene.places(root) if not one.pattern]
        for folder in todo:
            made += [scene.real(f"{folder}/{name}") for name in links(folder)]
            if folder.count("/") < todo[0].count("/") + LEVELS and len(todo) < FOLDERS:
                todo += [f"{folder}/{name}" for name, kind in entries(folder) if kind == "d"]
    return [*roots, *[one for one in dict.fromkeys(made) if is_dir(one)][:FOLDERS]]


def find(job: Job) -> str | None:
    """Roots, `-delete`, `-exec` and its kin, `-fprint`."""
    words, places = job.words[1:], job.scene.places
    first = next((at for at, word in enumerate(words) if at or word not in ("-H", "-L", "-P")), 0)
    end = next((at for at in range(first, len(words)) if words[at][:1] in ("-", "(", "!", ",")), len(words))
    roots = words[first:end] or ["."]
    if not {"-L", "-follow"}.isdisjoint(words):
        roots = _followed(job.scene, roots)
    job.sure = job.sure and PLAIN.issuperset(words[end:])
    job.all("read", roots, "walks it", deep=True)
    at, actions = end, 0
    while at < len(words):
        word, here = words[at], at
        at += 2 if word in TESTS else 1
        acts = word == "-delete" or word in RUNS
        actions += acts
        if acts and actions * len(roots) > ACTIONS:
            job.fault("find has more actions than we follow")
            return None
        names = _asked(words[:here]) if acts else []
        if word == "-delete":
            for place in [place for one in (_below(roots, names) if names else roots) for place in places(one, False)]:
                job.note("delete", "find -delete", place, deep=True)
        elif acts:  # `-exec command ;`: run it for each that a root leads to
            end = _behind(words, at)
            for name in _below(roots, names) if end > at else ():
                made = job.inside([one.replace("{}", name) for one in words[at:end]], at + 1, job.scene.fork())
                made.fed = True
                if word.endswith("dir"):
                    made.scene.cwds = ("",)
                job.walk.call(made)
            at = end + 1
        elif word in ("-fprint", "-fprint0", "-fls", "-fprintf"):
            job.all("write", words[at : at + 1], word)
            at += 2 if word == "-fprintf" else 1  # the file, and how it is written
        elif word.startswith(UNKNOWN):
            job.fault("find has a word that only the shell knows")
    return _listed(words[first:], roots)


def fd(job: Job) -> None:
    words = job.words
    at = next((at for at, word in enumerate(words) if word in ("-x", "--exec", "-X", "--exec-batch")), len(words))
    long = "extension exclude type max-depth min-depth exact-depth threads color size owner"
    roots = parse(words[:at], "eEtdjcSo", long).operands[1:] or ["."]
    if not {"-L", "--follow"}.isdisjoint(words[:at]):
        roots = _followed(job.scene, roots)
    told = [word for word in words[at + 1 :] if word != ";"]
    told += [] if any("{}" in word for word in told) else ["{}"]
    for root in roots if words[at + 1 :] else ():
        job.run([word.replace("{}", f"{root.rstrip('/')}/{BELOW}") for word in told], at + 1, fed=True)
    job.all("read", roots, "walks it", deep=True)
