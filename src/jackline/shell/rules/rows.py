"""Programs of which a row says all: which options take a value, and what is done with the files that they are told."""

from __future__ import annotations

from jackline.shell.harmless import known
from jackline.shell.job import MAYBE, NAMED
from jackline.shell.rules.encoded import unhex, unpacked
from jackline.shell.scene import ACTIVE, Names, marked

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


def decoded(job: Job, given: Given) -> str | None:
    """What a shell may run is judged as what it is; of other filters nobody knows what they print."""
    text = job.kept(given.operands[0]) if given.operands[:1] not in ([], ["-"]) else job.feed
    if job.name == "xxd":
        printed = unhex(text) if text and given.has("r") and given.has("p", "ps", "plain") else None
    else:
        printed = unpacked(text) if text and given.has("d", "D", "decode") and not given.has("o", "output") else None
    return None if printed is None or marked(printed) else printed


def copied(job: Job, given: Given) -> str | None:
    """What `cat` prints, where that is what it is fed, or nothing."""
    if not given.options and given.operands in ([], ["-"]):
        return job.feed
    return "" if given.operands == ["/dev/null"] else None


PRINTS: dict[str, Callable[[Job, Given], str | None]] = {
    **dict.fromkeys(("head", "tail", "tac", "sort"), chosen),
    **dict.fromkeys(("base64", "xxd"), decoded),
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
