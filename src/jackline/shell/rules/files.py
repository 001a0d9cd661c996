"""Programs that read, write, copy and remove the files they are told."""

from __future__ import annotations

from jackline.shell.job import NAMED
from jackline.shell.model import UNKNOWN
from jackline.shell.named import holds_credential, note
from jackline.shell.rules.finding import paths
from jackline.shell.rules.overwriting import emptied
from jackline.shell.rules.rows import LISTS, parsed
from jackline.shell.scene import SOME, Names, marked
from jackline.shell.texts import Read
from jackline.system import is_dir

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jackline.shell.job import Job
    from jackline.shell.options import Given


def base(word: str) -> str:
    return word.rstrip("/").rpartition("/")[2]


def nothing(job: Job) -> None:
    """Touches no file."""


NOTHING = "/dev/null"


def variables(job: Job) -> None:
    """`printenv`: all of the environment, or one variable."""
    names = job.given().operands
    if not names:
        job.note("read", "prints the environment")
    for name in names:
        if holds_credential(name):
            note(job, name)


def walker(job: Job) -> str | None:
    """Reads folders: listings, sizes. `ls` prints what its globs mean."""
    given = job.given("IwT" if job.name in ("ls", "dir", "vdir") else "IPLoTwSdtXB")
    job.all("read", given.operands or ["."], deep=True)
    job.all("read", job.given("X", LISTS).values("X", *LISTS.split()) if job.name == "du" else [], NAMED)
    for value in job.given("oI").values("o") if job.name == "tree" else []:
        job.add("write", value)
    if job.name != "ls" or given.has("l", "s", "F", "p", "R", "a", "A", "all", "almost-all"):
        return None
    if len(given.operands) < 2 and not any(map(marked, given.operands)):
        places = job.scene.places("".join(given.operands) or ".")
        return Names(f"{SOME}\n") if all(is_dir(one.path) for one in places) else None
    if not all(map(marked, given.operands)):
        return None
    return Names("".join(word + "\n" for word in given.operands))


def rm(job: Job) -> None:
    given = job.given()
    deep = given.loose or given.has("r", "R", "recursive") or job.name in ("rimraf", "del-cli", "trash", "trash-put")
    if job.name in ("rmdir", "unlink"):
        deep = False
    act = {"rmdir": "empty", "trash": "move", "trash-put": "move"}.get(job.name, "")
    job.all("delete", given.operands, deep=deep, follow=False, act=act)
    if job.name == "rmdir" and given.has("p", "parents"):
        job.all("delete", [word.rpartition("/")[0] for word in given.operands if "/" in word])


def _destination(job: Job, given: Given) -> tuple[list[str], str, bool]:
    """Sources, destination, and whether that is certainly a folder."""
    told = given.values("t", "target-directory")
    if told:
        return given.operands, told[-1], True
    sources, target = given.operands[:-1], "".join(given.operands[-1:])
    return sources, target, len(sources) > 1 or target.endswith(("/", "/.", "/..")) or target in (".", "..")


def arrive(job: Job, given: Given, sources: list[str], target: str, folder: bool, note: str, deep: bool) -> None:
    """Report the files that appear at a destination."""
    if not target:
        return
    plain = given.has("T", "no-target-directory", "exchange")
    known = not marked(target) and all(job.scene.cwds)
    there = known and any(is_dir(place.path) for place in job.scene.places(target))
    into = folder or there
    perhaps = into or not known or _may_be_made(job, target)
    if plain or not into:
        job.add("write", target, note, deep=deep)
    for source in sources if perhaps and not plain else []:
        name = base(source)
        if name in ("", ".", ".."):
            job.add("write", target, note, deep=True)
        else:
            job.add("write", f"{target.rstrip('/')}/{name}", note, deep=deep)


def carry(job: Job, sources: list[str], target: str) -> None:
    """What the text, or this session, put into a file goes with it."""
    for source in sources if job.walk.written or job.walk.since else []:
        text = job.text(source, run=False)
        text = None if text == UNKNOWN else text
        if text != "" and not (isinstance(text, Read) and not text.own):
            job.walk.wrote(target, text, job.scene)
            job.walk.wrote(f"{target.rstrip('/')}/{base(source)}", text, job.scene)


def _may_be_made(job: Job, word: str) -> bool:
    """What is not there yet may be a folder by then, when something ran before that could make it."""
    return not job.walk.exists(job.scene, word) and any(effect.kind != "read" for effect in job.walk.effects.values())


def cp(job: Job) -> None:
    given = job.given("tSZ" if job.name != "install" else "tSmogZ", "target-directory suffix mode owner group context")
    if job.name == "install" and given.has("d", "directory"):
        job.all("write", given.operands, "makes the folder")
        return
    sources, target, folder = _destination(job, given)
    carry(job, sources, target)
    deep = given.loose or given.has("r", "R", "a", "recursive", "archive") or job.name == "ditto"
    if not given.has("attributes-only"):
        job.all("read", sources, deep=deep)
    if given.has("parents"):
        job.add("write", target, "copies", deep=True)
    if given.has("l", "link"):
        job.all("write", sources, "gets a second name")
    arrive(job, given, sources, target, folder, "copies", deep)
    if sources == [NOTHING]:
        emptied(job, [target])


def mv(job: Job) -> None:
    given = job.given("tSZ", "target-directory suffix")
    sources, target, folder = _destination(job, given)
    carry(job, sources, target)
    away = "" if target == NOTHING else "move"
    job.all("delete", sources, "moves it away", deep=True, follow=False, act=away)
    job.all("read", sources, deep=True)
    arrive(job, given, sources, target, folder, "moves to it", True)


def ln(job: Job) -> None:
    given = job.given("tS", "target-directory suffix")
    sources, target, folder = _destination(job, given)
    symbolic = given.has("s", "symbolic")
    if not given.operands[1:] and not given.has("t", "target-directory"):
        sources, target, folder = given.operands, ".", True
    if not symbolic:
        job.all("write", sources, "gets a second name, through which it may be written")
    arrive(job, given, sources, target, folder, "links", False)
    if sources == [NOTHING] and given.has("f", "force"):
        emptied(job, [target])
    for source in sources:
        if source[:1] == UNKNOWN:  # it leads where only the shell knows
            job.scene.links += [(made.path, UNKNOWN) for made in job.scene.places(target, follow=False)]
        for place in job.scene.places(source) if not marked(source) and job.scene.cwd else []:
            for made in job.scene.places(target, follow=False):
                name = f"{made.path}/{base(source)}" if folder or is_dir(made.path) else made.path
                # A relative link leads from where it stands.
                above = name.rpartition("/")[0]
                lead = place.path if source.startswith("/") or not symbolic else f"{above}/{source}"
                job.scene.links.append((name, lead))


def grep(job: Job) -> str | None:
    """A pattern, then files; the working folder when it walks and is told none."""
    given = job.given("efmABCDdtTgjMEr" if job.name in ("rg", "ag") else "efmABCDd", GREP)
    operands = given.operands if given.has("e", "f", "regexp", "file", "files") else given.operands[1:]
    walks = job.name in ("rg", "ag", "ack", "ugrep") or given.has(
        "r", "R", "recursive", "dereference-recursive", "directories"
    )
    if not operands and walks and job.feed == "":
        operands = ["."]
    job.all("read", operands, "searches it", deep=walks)
    job.all("read", given.values("f", "file", "exclude-from", "ignore-file"))
    for program in given.values("pre", "hostname-bin"):
        job.run([program, UNKNOWN], fed=True)
    if given.loose and job.name == "rg" and not job.fed:
        job.fault("rg has a word that only the shell knows")
    if given.has("l", "L", "files-with-matches", "files-without-match") and operands and not given.loose:
        return paths(job.scene, operands, given.values("include"))
    plain = not operands and {name for name, _ in given.options} <= {"v", "i", "E", "F", "e", "w", "x", "P"}
    return job.feed if plain and isinstance(job.feed, Names) else None


GREP = (
    "regexp file max-count after-context before-context context include exclude exclude-dir exclude-from label "
    "binary-files devices directories type type-not glob iglob max-depth maxdepth max-filesize threads sort "
    "sortr encoding engine replace pre pre-glob hostname-bin ignore-file path-separator max-columns"
)


def sqlite(job: Job) -> None:
    operands = job.given("", "cmd init separator newline nullvalue", single=True).operands
    job.all("write", operands[:1], "a database")
    if any("." in text and (".shell" in text or ".system" in text or ".output" in text or ".once" in text
                            or ".import" in text or "load_extension" in text or "attach" in text.lower()
                            or ".read" in text or ".save" in text or ".backup" in text or "into" in text.lower())
           for text in [*job.words[1:], job.feed or ""]):  # fmt: skip
        job.note("unknown", "a database shell that may write files or run programs")
    if job.feed is None:
        job.note("unknown", "a database shell with input we do not know")
    from jackline.shell.rules.editing import escapes
    from jackline.shell.rules.network import stated

    stated(job)
    escapes(job, [*job.words[1:], job.feed or ""], (".shell ", ".system "))


def yq(job: Job) -> None:
    """A filter, then files, which `-i` writes."""
    given = parsed(job)
    if given.has("i", "inplace", "in-place"):
        job.all("write", given.operands, "in place")


def openssl(job: Job) -> None:
    words = parsed(job).operands
    if any(word in ("s_client", "s_server", "ocsp") for word in words):
        job.note("network", "openssl connects", act="talk" if "s_client" in words else "")


def pager(job: Job) -> None:
    parsed(job)
    if any(word[:2] in ("+!", "+s", "+|") or "+!" in word for word in job.words[1:]):
        job.fault("a pager that is told commands")
