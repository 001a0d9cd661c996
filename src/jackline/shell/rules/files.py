"""Programs that read, write and remove the files they are told: of most, rows of a table say all."""

from __future__ import annotations

from jackline.shell.command_call import MAYBE, NAMED, Job
from jackline.shell.credential_names import holds_credential, note
from jackline.shell.harmless import known
from jackline.shell.model import UNKNOWN
from jackline.shell.options import Given
from jackline.shell.rules.finding import paths
from jackline.shell.rules.rows import applying, report
from jackline.shell.shell_state import Names

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable


LISTS = "files0-from from-file to-file exclude-from random-source files-from magic-file"
LISTED = tuple(LISTS.split())
"""Long options of many programs whose value is a file that they read, and that may name others."""


def _names(job: Job, given: Given) -> None:
    """What `zip` packs where its input names it."""
    if given.has("@", "names-stdin"):
        job.all("read", (job.feed or UNKNOWN).split("\n"), "packs what its input names")


def _connects(job: Job, given: Given) -> None:
    if not {"s_client", "s_server", "ocsp"}.isdisjoint(given.operands):
        job.note("network", "openssl connects", act="talk" if "s_client" in given.operands else "")


OUTPUT, WALK = "read :; write =o/output", "read :/|./"
FILTERED, FILTER = "read :; read =f/from-file", "fLI from-file indent arg argjson"
_ROWS = {
    # What they do to what they are told | letters and names of options that take a value.
    "head": "read : | nc lines bytes",
    "tail": "read : | ncs lines bytes pid sleep-interval max-unchanged-stats",
    "cut": "read : | bcdf bytes characters delimiter fields output-delimiter",
    "file logger": f"read :; read =f/m/M # {NAMED} | fmM separator parameter exclude",
    "sort": f"{OUTPUT} | kStTo key output buffer-size field-separator temporary-directory compress-program",
    "uniq": "read :1; write 1:2 | fsw skip-fields skip-chars check-chars",
    "split": "read :1; write 1:2*|x* | bClaCnts bytes lines suffix-length number filter",
    "csplit": "read :1; write =f/prefix*|xx* | bfn prefix",
    "xxd": "read :1; write 1:2 | cglosd",
    "base64 iconv gpg gpg2 pandoc": f"{OUTPUT} | wbofrtTHBA wrap output from-code to-code from to template",
    "jq": f"{FILTERED} | {FILTER}",
    "yq": f"{FILTERED}; write : if i/inplace/in-place # in place | {FILTER}",
    "ssh-keygen": "read :; write =f | bCfIlmNOPtVYzEDnRsaJjKMwZ",
    "openssl": "read =in/inkey; write =out/keyout/writerand | - out keyout in inkey writerand",
    "less more most bat": "read :; write =o/O/log-file/LOG-FILE | oOkPptTxyz log-file lesskey-file lesskey-src",
    "ls dir vdir": f"{WALK} | IwT",
    "exa eza tree du": f"{WALK}; write =o; read =X # {NAMED} | IPLoTwSdtXB",
    "sqlite3 duckdb": "write :1 # a database | - cmd init separator newline nullvalue",
    "touch": "write : | drt date reference time",
    "mkdir": "write : folder # makes the folder | mZ mode",
    "mkfifo mknod fallocate": "write : | mlo mode length offset",
    "dos2unix unix2dos strip ranlib update-alternatives": "write : # in place",
    "gcc g++ cc c++ clang clang++ ld as rustc javac": (
        "read :; write =o/output/out-dir|a.out # builds it | oIDLlUxBWfmOTuz output out-dir sysroot target"
    ),
    "objcopy ffmpeg convert magick mkisofs genisoimage xsltproc ptx": (
        "read :-1; write -1:; write =o/output | o output"
    ),
    "rm srm unlink": "delete : if !r/R/recursive, !?; delete :/ if r/R/recursive ?",
    "rmdir": "delete : empty",
    "rimraf del-cli": "delete :/",
    "trash trash-put": "delete :/ move",
    "shred": (
        "delete : shred if u/remove # overwrites it; write : shred if !u/remove # overwrites it | ns iterations size"
    ),
    "truncate": "write :; write : blank if s/size=0/<0/0K/0M | sr size reference",
    "zip": (
        "write :1 # packs into it; write =O/output-file/out; read 1:/ # packs it; delete 1:/ if m/move | "
        "bntOP output-file temp-path suffixes out password unzip-command"
    ),
    "cpio pax": (
        "read =F/I/file/f; write =O; write -1:/ if p/pass-through # unpacks into it; "
        "write =D/directory/|./ if i/extract r # unpacks into it | "
        "FIODEHRMCf file directory"
    ),
}
ROWS = {name: text for names, text in _ROWS.items() for name in names.split()}


def _copied(job: Job, given: Given) -> str | None:
    """What `cat` prints, where that is what it is fed, or nothing."""
    if not given.options and given.operands in ([], ["-"]):
        return job.feed
    return "" if given.operands == ["/dev/null"] else None


def _database(job: Job, given: Given) -> None:
    from jackline.shell.rules.editing import escapes
    from jackline.shell.rules.network import stated

    stated(job)
    escapes(job, [*job.words[1:], job.feed or ""])


DOES: dict[str, Callable[[Job, Given], str | None]] = {
    **dict.fromkeys(("sqlite3", "duckdb"), _database),
    "cat": _copied,
    "openssl": _connects,
    "zip": _names,
}
"""What no row can say, and what they print."""


def row(job: Job) -> str | None:
    """Report what the table says of a program."""
    text = ROWS.get(job.name) or ROWS.get(job.name.rstrip("0123456789.-"), "read :")
    text, _, options = text.partition(" | ")
    short, _, long = options.partition(" ")
    given = job.given(short, f"{long} {LISTS}", single=job.name in ("openssl", "sqlite3", "duckdb"))
    if job.name in ("jq", "yq") and not given.has("f", "from-file"):
        del given.operands[:1]  # the filter
    for one in applying(given, text):
        note = one.note
        if not note and one.kind == "read" and ":" in one.on:  # or the value of an option that we do not know
            checks = job.name.endswith("sum") and given.has("c", "check")
            note = NAMED if checks else "" if known(job.name) else MAYBE
        report(job, given, one, note)
    if given.options:
        job.all("read", given.values(*LISTED), NAMED)
    return DOES[job.name](job, given) if job.name in DOES else None


def nothing(job: Job) -> None:
    """Touches no file."""


def variables(job: Job) -> None:
    """`printenv`: all of the environment, or one variable."""
    names = job.given().operands
    if not names:
        job.note("read", "prints the environment")
    for name in filter(holds_credential, names):
        note(job, name)


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
    if given.has("l", "L", "files-with-matches", "files-without-match") and operands and not given.loose:
        return paths(job.scene, operands, given.values("include"))
    plain = not operands and {name for name, _ in given.options} <= {"v", "i", "E", "F", "e", "w", "x", "P"}
    return job.feed if plain and isinstance(job.feed, Names) else None


GREP = (
    "regexp file max-count context include exclude exclude-dir exclude-from type glob iglob max-depth ignore-file pre"
)
