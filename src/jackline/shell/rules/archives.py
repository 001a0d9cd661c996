"""Archives: what is packed is read, what is unpacked may be written anywhere below the place it goes to."""

from __future__ import annotations

from functools import reduce
from posixpath import join

from jackline.shell.model import UNKNOWN
from jackline.shell.options import parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jackline.shell.job import Job

MARKED = frozenset(f"*?[{UNKNOWN}")
TAR_LONG = (
    "file directory files-from exclude exclude-from use-compress-program to-command checkpoint-action rsh-command "
    "info-script new-volume-script transform strip-components owner group mode mtime listed-incremental format "
    "blocking-factor after-date newer rmt-command index-file suffix"
)


def unpacks(job: Job, folder: str, members: list[str], strip: int = 0) -> None:
    """What is asked for of an archive arrives in a folder, else all that it holds."""
    names = ["/".join(one.split("/")[strip:]) for one in members]
    if not names or any(not one or not MARKED.isdisjoint(one) for one in names):
        job.add("write", folder or ".", "unpacks into it", deep=True)
    else:
        job.all("write", [join(folder, one) for one in names], "unpacks it", deep=True)


def _dashed(words: list[str]) -> list[str]:
    """The letters of the old form take their values from the words behind, in order."""
    if not words[1:] or words[1][:1] in ("-", UNKNOWN):
        return words
    values = [letter for letter in words[1] if letter in "fCbTXIgKNVHF"]
    flags = "".join(letter for letter in words[1] if letter not in values)
    pairs = [piece for pair in zip(values, words[2:], strict=False) for piece in (f"-{pair[0]}", pair[1])]
    return [words[0], *([f"-{flags}"] if flags else []), *pairs, *words[2 + len(values) :]]


PACKS = ("c", "create", "r", "append", "u", "update", "A", "catenate", "concatenate", "delete")


def tar(job: Job) -> None:
    given = parse(_dashed(job.words), "fCbTXIgKNVHFL", TAR_LONG)
    here = job.scene.fork()
    for folder in given.values("C", "directory"):
        here.enter(folder)
    tape = dict(job.assigns).get("TAPE") or (here.vars.get("TAPE") if "TAPE" in here.exported else "")
    archives = given.values("f", "file") or ([tape] if tape else [])
    packs = given.has(*PACKS)
    for archive in archives:
        if ":" in archive.partition("/")[0] and not given.has("force-local"):
            job.note("network", f"an archive on {archive.partition(':')[0]}", act="send.files" if packs else "")
            archives = []
    inside = job.again(here)
    if given.has("x", "extract", "get"):
        job.all("read", archives)
        if not given.has("O", "to-stdout"):
            strip = "".join(given.values("strip-components"))
            folder = reduce(join, given.values("C", "directory"), "")
            unpacks(job, folder, given.operands, int(strip) if strip.isdigit() else 0)
            inside.all("write", given.values("one-top-level"), "unpacks into it", deep=True)
    elif packs:
        inside.all("read", given.operands, "packs it", deep=True)
        job.all("write", archives, "packs into it")
        if given.has("remove-files"):
            inside.all("delete", given.operands, "packs and removes it", deep=True, follow=False)
    elif given.has("t", "list", "d", "diff", "compare"):
        job.all("read", archives)
    else:
        job.fault("tar without a mode that we can see")
    job.all("read", given.values("T", "files-from", "X", "exclude-from"))
    if given.has("T", "files-from"):
        inside.add("read", UNKNOWN, "packs what a list names", deep=True)


def zipper(job: Job) -> None:
    given = job.given("bntOP", "output-file temp-path suffixes out password unzip-command")
    job.all("write", given.operands[:1], "packs into it")
    job.all("write", given.values("O", "output-file", "out"))
    job.all("read", given.operands[1:], "packs it", deep=True)
    if given.has("@", "names-stdin"):
        known = job.feed and UNKNOWN not in job.feed
        job.all("read", (job.feed or "").split("\n") if known else [UNKNOWN], "packs what its input names")
    if given.has("m", "move"):
        job.all("delete", given.operands[1:], "packs and removes it", deep=True, follow=False)


def unzip(job: Job) -> None:
    given = job.given("dxP")
    job.all("read", given.operands[:1])
    if not given.has("l", "t", "p", "z", "Z", "v"):
        members = given.operands[1:] if not given.has("j") else []
        unpacks(job, "".join(given.values("d")), [] if given.has("x") else members)


def squeeze(job: Job) -> None:
    """`gzip file` makes `file.gz` and removes `file`; the reverse for `gunzip`."""
    given = job.given("STobD", "suffix output threads memlimit output-dir-flat")
    deep, undo = given.has("r", "recursive"), given.has("d", "decompress", "uncompress") or "un" in job.name
    job.all("read", given.operands, deep=deep)
    job.all("write", given.values("o", "output"))
    if job.name.endswith("cat") or given.has("t", "test", "l", "list", "c", "stdout", "to-stdout"):
        return
    if given.has("rm") or not (given.has("k", "keep") or job.name in ("zstd", "unzstd", "lz4")):
        job.all("delete", given.operands, f"{job.name} replaces it", deep=deep, follow=False)
    for word in given.operands:
        made = word.rpartition(".")[0] or word + UNKNOWN if undo else f"{word}.{job.name}"
        job.add("write", word if deep else made, f"{job.name} makes it", deep=deep)


def seven(job: Job) -> None:
    """`7z a archive files`, `7z x archive -ofolder`."""
    verb, operands = "".join(job.words[1:2]), [word for word in job.words[2:] if word[:1] != "-"]
    if verb in ("a", "u", "d", "rn"):
        job.all("write", operands[:1], "packs into it")
        job.all("delete" if "-sdel" in job.words else "read", operands[1:], "packs it", deep=True, follow=False)
        return
    job.all("read", operands[:1])
    if verb in ("x", "e"):
        unpacks(job, next((word[2:] for word in job.words if word[:2] == "-o"), ""), [])


def stream(job: Job) -> None:
    """`cpio`, `pax`: names come from the input."""
    given = job.given("FIODEHRMCf", "file directory")
    job.all("read", given.values("F", "I", "file", "f"))
    job.all("write", given.values("O"))
    into = given.operands[-1:] if given.has("p", "pass-through") else []
    into += given.values("D", "directory") or ["."] if given.has("i", "extract", "r") else []
    job.all("write", into, "unpacks into it", deep=True)
