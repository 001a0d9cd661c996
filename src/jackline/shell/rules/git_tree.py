"""git on the work tree: its places, and the subcommands of which no row can say all that they write there."""

from __future__ import annotations

from jackline.paths import resolve
from jackline.repository import git_root
from jackline.shell.model import UNKNOWN
from jackline.shell.rules.editing import patches
from jackline.shell.rules.files import arrive
from jackline.shell.scene import Place, marked

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jackline.shell.job import Job
    from jackline.shell.model import Kind
    from jackline.shell.options import Given


def top(job: Job) -> Place | None:
    """The top folder of the repository we are in; None when that is not known."""
    cwd = job.scene.cwd
    return Place(resolve("/", git_root(cwd) or cwd)) if cwd else None


def tree(job: Job, kind: Kind, note: str, act: str = "") -> None:
    """The whole work tree."""
    place = top(job) or Place("**", True)
    kinds: tuple[Kind, ...] = ("write", "delete") if kind == "delete" else (kind,)
    for one in kinds:
        job.note(one, note, place, deep=True, act=act or "git.tree")


def inside(job: Job, name: str, note: str, act: str = "") -> None:
    """A file of the repository's own."""
    place = top(job)
    path = resolve("/", f"{place.path}/.git/{name}") if place else f"**/.git/{name}"
    job.note("write", note, Place(path, not place), act=act or "git.own")


def paths(job: Job, kind: Kind, operands: list[str], note: str, act: str = "", deep: bool = True) -> None:
    """Path operands, with git's own magic."""
    if any(word.startswith(":") for word in operands):
        tree(job, kind, note, act)
    names = [word if word != "-" else "./-" for word in operands if word[:1] != ":"]
    job.all(kind, names, note, deep=deep, act=act)


def is_on(given: Given, *names: str) -> bool:
    """What the last of these options says. Each has a form with `no-`."""
    on = False
    for name, _ in given.options:
        if name in names or (len(name) > 1 and any(one.startswith(name) for one in names)):
            on = True
        elif name[:3] == "no-" and len(name) > 3 and any(one.startswith(name[3:]) for one in names):
            on = False
    return on


def _there(job: Job, word: str) -> bool:
    return word in (".", ":/") or (not marked(word) and job.walk.exists(job.scene, word))


def checkout(job: Job, words: list[str], given: Given) -> None:
    before = given.operands[: len(given.operands) - len(given.behind)]
    fresh, single = given.has("b", "B", "orphan"), len(before) == 1
    files, chosen = given.behind, given.values("pathspec-from-file")
    if not files and not chosen and not fresh and not given.has("t", "track"):  # git refuses: paths track nothing
        files = [word for word in before[:1] if _there(job, word) or (single and marked(word))] + before[1:]
    paths(job, "write", files, "takes it from the index or a commit", "git.restore")
    if chosen:
        tree(job, "write", "takes files from the index or a commit", "git.restore")
    elif not given.behind and single:
        tree(job, "write", f"switches the work tree to {before[0]}")
    if is_on(given, "f", "force") and not given.behind:
        tree(job, "delete", "drops changes of the work tree", "git.discard")


def apply(job: Job, words: list[str], given: Given) -> None:
    if given.has("check", "stat", "numstat", "summary") and not given.has("apply"):
        return
    job.all("read", given.operands)
    place = top(job)
    base = "/".join([place.path if place else UNKNOWN, *given.values("directory")])
    named = patches(job, given.operands, "".join(given.values("p")))
    job.all("write", [f"{base}/{name}" for name in named], "patches it")
    if not named or words[0] == "am":
        tree(job, "write", "patches what the patch names")


def execute(job: Job, words: list[str], given: Given) -> None:
    for value in given.values("x", "exec"):
        job.code(value)


def mv(job: Job, words: list[str], given: Given) -> None:
    sources, target = given.operands[:-1], "".join(given.operands[-1:])
    job.all("delete", sources, "moves it away", deep=True, follow=False, act="move")
    arrive(job, given, sources, target, len(sources) > 1, "moves to it", True)


def foreach(job: Job, words: list[str], given: Given) -> None:
    """What `submodule foreach` runs, with the options of its own left out."""
    rest = words[words.index("foreach") + 1 :]
    job.code(" ".join(word for word in rest if word not in ("--recursive", "-q", "--quiet")))


def bisect(job: Job, words: list[str], given: Given) -> None:
    job.run(words[words.index("run") + 1 :])


def init(job: Job, words: list[str], given: Given) -> None:
    job.all("write", [f"{word}/.git" for word in given.operands[:1] or ["."]], words[0], deep=True, act="git.own")
