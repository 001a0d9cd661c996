"""Programs that read, write and remove the files they are told: of most, rows of a table say all."""

from __future__ import annotations

from jackline.shell.harmless import known
from jackline.shell.job import MAYBE, NAMED
from jackline.shell.model import UNKNOWN
from jackline.shell.named import holds_credential, note
from jackline.shell.rules.changing import emptied
from jackline.shell.rules.finding import paths
from jackline.shell.rules.rows import Row, report, walk
from jackline.shell.scene import SOME, Names, marked
from jackline.system import is_dir

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import NamedTuple

    from jackline.shell.job import Job
    from jackline.shell.options import Given
    from jackline.shell.rules.rows import Part
else:
    from jackline._record import NamedTuple


LISTS = "files0-from from-file to-file exclude-from random-source files-from magic-file"
"""Long options of many programs whose value is a file that they read, and that may name others."""


class Program(NamedTuple):
    """`short`, `long`: letters and names of options that take a value. `single`: one dash begins a long name. `script`:
    options that hold what is the first operand otherwise, and no file.
    """

    short: str = ""
    long: str = ""
    rows: tuple[Row | Part, ...] = ()
    script: str = ""
    single: bool = False


def _emptied(job: Job, given: Given) -> None:
    """`truncate`, where it leaves nothing."""
    if {"0", "<0", "0K", "0M"} & {*given.values("s", "size")}:
        emptied(job, given.operands)


def _parents(job: Job, given: Given) -> None:
    """What `rmdir -p` removes besides."""
    if given.has("p", "parents"):
        job.all("delete", [word.rpartition("/")[0] for word in given.operands if "/" in word])


def _names(job: Job, given: Given) -> None:
    """What `zip` packs where its input names it."""
    if given.has("@", "names-stdin"):
        known = job.feed and UNKNOWN not in job.feed
        job.all("read", (job.feed or "").split("\n") if known else [UNKNOWN], "packs what its input names")


def _commands(job: Job, given: Given) -> None:
    if any("+!" in word or word[:2] in ("+s", "+|") for word in job.words[1:]):
        job.fault("a pager that is told commands")


def _connects(job: Job, given: Given) -> None:
    if not {"s_client", "s_server", "ocsp"}.isdisjoint(given.operands):
        job.note("network", "openssl connects", act="talk" if "s_client" in given.operands else "")


READS, WRITES, OUTPUT = Row("read", ":"), Row("write", ":"), Row("write", "=o/output")
IN_PLACE = Row("write", ":", note="in place")
_PROGRAMS = {
    "head": Program("nc", "lines bytes", (READS,)),
    "tail": Program("ncs", "lines bytes pid sleep-interval max-unchanged-stats", (READS,)),
    "cut": Program("bcdf", "bytes characters delimiter fields output-delimiter", (READS,)),
    "file logger": Program("fmM", "separator parameter exclude", (READS, Row("read", "=f/m/M", note=NAMED))),
    "sort": Program(
        "kStTo", "key output buffer-size field-separator temporary-directory compress-program", (READS, OUTPUT)
    ),
    "uniq": Program("fsw", "skip-fields skip-chars check-chars", (Row("read", ":1"), Row("write", "1:2"))),
    "split": Program(
        "bClaCnts", "bytes lines suffix-length number filter", (Row("read", ":1"), Row("write", "1:2* or x*"))
    ),
    "csplit": Program("bfn", "prefix", (Row("read", ":1"), Row("write", "=f/prefix* or xx*"))),
    "xxd": Program("cglosd", "", (Row("read", ":1"), Row("write", "1:2"))),
    "base64": Program("wob", "wrap output", (READS, OUTPUT)),
    "iconv": Program("fto", "from-code to-code output", (READS, OUTPUT)),
    "pandoc": Program("ofrtTHBA", "output from to template", (READS, OUTPUT)),
    "jq": Program("fLI", "from-file indent arg argjson", (READS, Row("read", "=f/from-file")), "f from-file"),
    "yq": Program(
        *("fLI", "from-file indent arg argjson"),
        (READS, Row("read", "=f/from-file"), Row("write", ":", "", "i/inplace/in-place", "in place")),
        "f from-file",
    ),
    "gpg gpg2": Program("o", "output", (READS, OUTPUT)),
    "ssh-keygen": Program("bCfIlmNOPtVYzEDnRsaJjKMwZ", "", (READS, Row("write", "=f"))),
    "openssl": Program(
        *("", "out keyout in inkey writerand"),
        (Row("read", "=in/inkey"), Row("write", "=out/keyout/writerand"), _connects),
        single=True,
    ),
    "less more most bat": Program(
        *("oOkPptTxyz", "log-file lesskey-file lesskey-src"),
        (READS, Row("write", "=o/O/log-file/LOG-FILE"), _commands),
    ),
    "touch": Program("drt", "date reference time", (WRITES,)),
    "mkdir": Program("mZ", "mode", (Row("write", ":", "folder", note="makes the folder"),)),
    "mkfifo mknod": Program("m", "mode", (WRITES,)),
    "fallocate": Program("lo", "length offset", (WRITES,)),
    "dos2unix unix2dos strip ranlib update-alternatives": Program(rows=(IN_PLACE,)),
    "gcc g++ cc c++ clang clang++ ld as rustc javac": Program(
        *("oIDLlUxBWfmOTuz", "output out-dir sysroot target"),
        (READS, Row("write", "=o/output/out-dir or a.out", note="builds it")),
    ),
    "objcopy ffmpeg convert magick mkisofs genisoimage xsltproc ptx": Program(
        "o", "output", (Row("read", ":-1"), Row("write", "-1:"), OUTPUT)
    ),
    "rm srm": Program(
        rows=(Row("delete", ":", when="!r/R/recursive, !?"), Row("delete", ":/", when="r/R/recursive ?"))
    ),
    "unlink": Program(rows=(Row("delete", ":"),)),
    "rmdir": Program(rows=(Row("delete", ":", "empty"), _parents)),
    "rimraf del-cli": Program(rows=(Row("delete", ":/"),)),
    "trash trash-put": Program(rows=(Row("delete", ":/", "move"),)),
    "shred": Program(
        *("ns", "iterations size"),
        (Row("delete", ":", "shred", "u/remove"), Row("write", ":", "shred", "!u/remove", "overwrites it")),
    ),
    "truncate": Program("sr", "size reference", (WRITES, _emptied)),
    "zip": Program(
        *("bntOP", "output-file temp-path suffixes out password unzip-command"),
        (
            *(Row("write", ":1", note="packs into it"), Row("write", "=O/output-file/out"), _names),
            *(Row("read", "1:/", note="packs it"), Row("delete", "1:/", when="m/move")),
        ),
    ),
    "cpio pax": Program(
        *("FIODEHRMCf", "file directory"),
        (
            *(Row("read", "=F/I/file/f"), Row("write", "=O"), Row("write", "-1:/", when="p/pass-through")),
            Row("write", "=D/directory/ or ./", when="i/extract r"),
        ),
    ),
}
PROGRAMS = {name: program for names, program in _PROGRAMS.items() for name in names.split()}
READER = Program(rows=(READS,))


def _chosen(job: Job, given: Given) -> Names | None:
    """Some of the paths that it is fed, each whole."""
    plain = not given.operands and not given.has("c", "bytes", "o", "output")
    return job.feed if plain and isinstance(job.feed, Names) else None


def _copied(job: Job, given: Given) -> str | None:
    """What `cat` prints, where that is what it is fed, or nothing."""
    if not given.options and given.operands in ([], ["-"]):
        return job.feed
    return "" if given.operands == ["/dev/null"] else None


PRINTS: dict[str, Callable[[Job, Given], str | None]] = {
    **dict.fromkeys(("head", "tail", "tac", "sort"), _chosen),
    "cat": _copied,
}


def _said(job: Job, given: Given, row: Row, note: str) -> None:
    """What a row says. An operand that is read may be the value of an option that we do not know."""
    report(job, given, row, note if row.kind == "read" and ":" in row.on else row.note)


def row(job: Job) -> str | None:
    """Report what the table says of a program."""
    program = PROGRAMS.get(job.name) or PROGRAMS.get(job.name.rstrip("0123456789.-"), READER)
    given = job.given(program.short, f"{program.long} {LISTS}", single=program.single)
    if program.script and not given.has(*program.script.split()):
        del given.operands[:1]
    checks = job.name.endswith("sum") and given.has("c", "check")
    walk(job, given, program.rows, NAMED if checks else "" if known(job.name) else MAYBE, _said)
    job.all("read", given.values(*LISTS.split()) if given.options else [], NAMED)
    return PRINTS[job.name](job, given) if job.name in PRINTS else None


def nothing(job: Job) -> None:
    """Touches no file."""


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
