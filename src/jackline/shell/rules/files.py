"""Programs that read, write, copy and remove the files they are told: of most a row of a table says all."""

from __future__ import annotations

from jackline.shell.harmless import known
from jackline.shell.job import MAYBE, NAMED
from jackline.shell.model import UNKNOWN
from jackline.shell.named import holds_credential, note
from jackline.shell.rules.changing import emptied
from jackline.shell.rules.finding import paths
from jackline.shell.scene import ACTIVE, SOME, Names, marked
from jackline.shell.texts import Read
from jackline.system import is_dir

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import NamedTuple

    from jackline.shell.job import Job
    from jackline.shell.options import Given
else:
    from jackline._record import NamedTuple


LISTS = "files0-from from-file to-file exclude-from random-source files-from magic-file"
"""Long options of many programs whose value is a file that they read, and that may name others."""


class Row(NamedTuple):
    """`short`, `long`: letters and names of options that take a value.

    `reads` and `writes` say which words: `:`, `1:` and their like are slices of the operands, all else options. With a
    `*` behind it, what is written only begins so. `written`: what is written where nothing is told. `script`: options
    that hold what is the first operand otherwise, and no file. `lists`: options that are as those of `LISTS`. `single`:
    one dash begins a long name.
    """

    short: str = ""
    long: str = ""
    reads: str = ""
    writes: str = ""
    note: str = ""
    act: str = ""
    written: str = ""
    script: str = ""
    lists: str = ""
    single: bool = False


_ROWS = {
    "head": Row("nc", "lines bytes", ":"),
    "tail": Row("ncs", "lines bytes pid sleep-interval max-unchanged-stats", ":"),
    "cut": Row("bcdf", "bytes characters delimiter fields output-delimiter", ":"),
    "file logger": Row("fmM", "separator parameter exclude", ":", lists="f m M"),
    "sort": Row(
        "kStTo", "key output buffer-size field-separator temporary-directory compress-program", ":", "o output"
    ),
    "uniq": Row("fsw", "skip-fields skip-chars check-chars", ":1", "1:2"),
    "split": Row("bClaCnts", "bytes lines suffix-length number filter", ":1", "1:2*", written="x*"),
    "csplit": Row("bfn", "prefix", ":1", "f* prefix*", written="xx*"),
    "xxd": Row("cglosd", "", ":1", "1:2"),
    "base64": Row("wob", "wrap output", ":", "o output"),
    "iconv": Row("fto", "from-code to-code output", ":", "o output"),
    "pandoc": Row("ofrtTHBA", "output from to template", ":", "o output"),
    "jq yq": Row("fLI", "from-file indent arg argjson", ": f from-file", script="f from-file"),
    "gpg gpg2": Row("o", "output", ":", "o output"),
    "ssh-keygen": Row("bCfIlmNOPtVYzEDnRsaJjKMwZ", "", ":", "f"),
    "openssl": Row("", "out keyout in inkey writerand", "in inkey", "out keyout writerand", single=True),
    "less more most bat": Row("oOkPptTxyz", "log-file lesskey-file lesskey-src", ":", "o O log-file LOG-FILE"),
    "touch": Row("drt", "date reference time", writes=":"),
    "mkdir": Row("mZ", "mode", "", ":", "makes the folder", "folder"),
    "mkfifo mknod": Row("m", "mode", writes=":"),
    "fallocate": Row("lo", "length offset", writes=":"),
    "dos2unix unix2dos strip ranlib update-alternatives": Row("", "", "", ":", "in place"),
    "gcc g++ cc c++ clang clang++ ld as rustc javac": Row(
        "oIDLlUxBWfmOTuz", "output out-dir sysroot target", ":", "o output out-dir", "builds it", written="a.out"
    ),
    "objcopy ffmpeg convert magick mkisofs genisoimage xsltproc ptx": Row("o", "output", ":-1", "-1: o output"),
}
ROWS = {name: row for names, row in _ROWS.items() for name in names.split()}
READER = Row(reads=":")


def told(given: Given, one: str) -> list[str]:
    """The words that a row means by one of its own."""
    begin, operands, end = one.rstrip("*").partition(":")
    words = given.operands[int(begin or 0) : int(end) if end else None] if operands else given.values(begin)
    return [word + "*".translate(ACTIVE) for word in words] if one[-1:] == "*" else words


def chosen(job: Job, given: Given) -> Names | None:
    """Some of the paths that it is fed, each whole."""
    plain = not given.operands and not given.has("c", "bytes", "o", "output")
    return job.feed if plain and isinstance(job.feed, Names) else None


def copied(job: Job, given: Given) -> str | None:
    """What `cat` prints, where that is what it is fed, or nothing."""
    if not given.options and given.operands in ([], ["-"]):
        return job.feed
    return "" if given.operands == ["/dev/null"] else None


PRINTS: dict[str, Callable[[Job, Given], str | None]] = {
    **dict.fromkeys(("head", "tail", "tac", "sort"), chosen),
    "cat": copied,
}


def parsed(job: Job) -> Given:
    """Report what the row of a program says, and return its words."""
    row = ROWS.get(job.name) or ROWS.get(job.name.rstrip("0123456789.-"), READER)
    given = job.given(row.short, f"{row.long} {LISTS}", single=row.single)
    if row.script and not given.has(*row.script.split()):
        del given.operands[:1]
    checks = job.name.endswith("sum") and given.has("c", "check")
    note = NAMED if checks else "" if known(job.name) else MAYBE
    for one in row.reads.split():
        job.all("read", told(given, one), note if ":" in one else "")
    job.all("read", given.values(*LISTS.split(), *row.lists.split()) if given.options else [], NAMED)
    written = [word for one in row.writes.split() for word in told(given, one)]
    job.all("write", written or row.written.translate(ACTIVE).split(), row.note, act=row.act)
    return given


def row(job: Job) -> str | None:
    given = parsed(job)
    return PRINTS[job.name](job, given) if job.name in PRINTS else None


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
    given = job.given("IwT" if job.name in ("ls", "dir", "vdir") else "IPLoTwSdtXB", LISTS)
    operands, lists = given.operands, LISTS.split()
    job.all("read", operands or ["."], deep=True)
    job.all("read", given.values("X", *lists) if job.name == "du" else [], NAMED)
    job.all("write", given.values("o") if job.name == "tree" else [])
    if job.name != "ls" or given.has("l", "s", "F", "p", "R", "a", "A", "all", "almost-all"):
        return None
    if len(operands) < 2 and not any(map(marked, operands)):
        places = job.scene.places("".join(operands) or ".")
        return Names(f"{SOME}\n") if all(is_dir(one.path) for one in places) else None
    return Names("".join(word + "\n" for word in operands)) if all(map(marked, operands)) else None


def rm(job: Job) -> None:
    given = job.given()
    whole = given.loose or given.has("r", "R", "recursive") or job.name in ("rimraf", "del-cli", "trash", "trash-put")
    deep = whole and job.name not in ("rmdir", "unlink")
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


DOES = (".shell", ".system", ".output", ".once", ".import", "load_extension", "attach", ".read", ".save", ".backup",
        "into")  # fmt: skip
"""What a database shell is told that writes files, or runs programs."""


def sqlite(job: Job) -> None:
    from jackline.shell.rules.editing import escapes
    from jackline.shell.rules.network import stated

    operands = job.given("", "cmd init separator newline nullvalue", single=True).operands
    texts = [*job.words[1:], job.feed or ""]
    job.all("write", operands[:1], "a database")
    if job.feed is None or any(part in text.lower() for text in texts if "." in text for part in DOES):
        job.note("unknown", "a database shell that may write files or run programs")
    stated(job)
    escapes(job, texts)


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
    if any("+!" in word or word[:2] in ("+s", "+|") for word in job.words[1:]):
        job.fault("a pager that is told commands")
