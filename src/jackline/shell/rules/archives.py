"""Archives: what is packed is read, what is unpacked may be written anywhere below the place it goes to."""

from __future__ import annotations

from functools import reduce
from posixpath import join

from jackline.shell.model import UNKNOWN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jackline.shell.job import Job

TAR_LONG = (
    "file directory files-from exclude exclude-from use-compress-program to-command checkpoint-action rsh-command "
    "info-script new-volume-script transform strip-components owner group mode mtime listed-incremental format "
    "blocking-factor after-date newer rmt-command index-file suffix"
)


def tar(job: Job) -> None:
    words = job.words
    old = words[1:2] and words[1][:1] not in ("-", UNKNOWN)
    if old:
        # The letters of the old form take their values from the words behind, in order.
        values = [letter for letter in words[1] if letter in "fCbTXIgKNVHF"]
        rest = words[2 + len(values) :]
        letters = "".join(letter for letter in words[1] if letter not in values)
        pairs = [piece for pair in zip(values, words[2:], strict=False) for piece in (f"-{pair[0]}", pair[1])]
        job.words = [words[0], *(["-" + letters] if letters else []), *pairs, *rest]
    given = job.given("fCbTXIgKNVHFL", TAR_LONG)
    job.words = words
    scene = job.scene
    here = scene.fork()
    for folder in given.values("C", "directory"):
        here.enter(folder)
    tape = dict(job.assigns).get("TAPE") or (scene.vars.get("TAPE") if "TAPE" in scene.exported else "")
    archives = given.values("f", "file") or ([tape] if tape else [])
    for archive in archives:
        if ":" in archive.partition("/")[0] and not given.has("force-local"):
            out = given.has("c", "create", "r", "append", "u", "update")
            job.note("network", f"an archive on {archive.partition(':')[0]}", act="send.files" if out else "")
            archives = []
    inside = job.again(here)
    if given.has("x", "extract", "get"):
        job.all("read", archives)
        if not given.has("O", "to-stdout"):
            folder = reduce(join, given.values("C", "directory"), "")
            job.add("write", folder or ".", "unpacks into it", deep=True)
            for folder in given.values("one-top-level"):
                inside.add("write", folder, "unpacks into it", deep=True)
            if given.has("P", "absolute-names"):
                job.note("unknown", "unpacks to the names the archive holds")
    elif given.has("c", "create", "r", "append", "u", "update", "A", "catenate", "concatenate"):
        inside.all("read", given.operands, "packs it", deep=True)
        job.all("write", archives, "packs into it")
        if given.has("remove-files"):
            inside.all("delete", given.operands, "packs and removes it", deep=True, follow=False)
    elif given.has("delete"):
        job.all("write", archives)
    elif given.has("t", "list", "d", "diff", "compare"):
        job.all("read", archives)
    else:
        job.fault("tar without a mode that we can see")
    job.all("read", given.values("T", "files-from", "X", "exclude-from"))
    if given.has("T", "files-from"):
        inside.add("read", UNKNOWN, "packs what a list names", deep=True)
    job.all("write", given.values("g", "listed-incremental", "index-file"))


def zipper(job: Job) -> None:
    given = job.given("bntOP", "output-file temp-path suffixes out password unzip-command")
    job.all("write", given.operands[:1], "packs into it")
    job.all("write", given.values("O", "output-file", "out"))
    job.all("read", given.operands[1:], "packs it", deep=True)
    if "-@" in job.words or given.has("@", "names-stdin"):
        told = job.feed.split("\n") if job.feed and UNKNOWN not in job.feed else [UNKNOWN]
        job.all("read", told, "packs what its input names")
    if given.has("m", "move"):
        job.all("delete", given.operands[1:], "packs and removes it", deep=True, follow=False)


def unzip(job: Job) -> None:
    given = job.given("dxP")
    job.all("read", given.operands[:1])
    if not given.has("l", "t", "p", "z", "Z", "v"):
        job.all("write", given.values("d") or ["."], "unpacks into it", deep=True)


def squeeze(job: Job) -> None:
    """`gzip file` makes `file.gz` and removes `file`; the reverse for `gunzip`."""
    given = job.given("STobD", "suffix output threads memlimit output-dir-flat")
    if job.name.endswith("cat") or given.has("t", "test", "l", "list"):
        job.all("read", given.operands)
        return
    deep = given.has("r", "recursive")
    job.all("write", given.values("o", "output"))
    for word in given.operands:
        job.add("read", word, deep=deep)
        if given.has("c", "stdout", "to-stdout"):
            continue
        undo = given.has("d", "decompress", "uncompress") or job.name.startswith("un") or job.name == "gunzip"
        if not given.has("k", "keep") and job.name not in ("zstd", "unzstd", "lz4"):
            job.add("delete", word, f"{job.name} replaces it", deep=deep, follow=False)
        elif given.has("rm"):
            job.add("delete", word, f"{job.name} replaces it", follow=False)
        if deep:
            job.add("write", word, f"{job.name} below it", deep=True)
        else:
            job.add(
                "write", word.rpartition(".")[0] or word + UNKNOWN if undo else word + ENDINGS.get(job.name, UNKNOWN)
            )
            for ending in given.values("S", "suffix") if not undo else []:
                job.add("write", word + ending)


ENDINGS = {
    "gzip": ".gz",
    "bzip2": ".bz2",
    "xz": ".xz",
    "zstd": ".zst",
    "lz4": ".lz4",
    "lzma": ".lzma",
    "compress": ".Z",
}


def seven(job: Job) -> None:
    words = job.words[1:]
    folder = next((word[2:] for word in words if word[:2] == "-o"), ".")
    operands = [word for word in words[1:] if word[:1] != "-"]
    verb = words[0] if words else ""
    if verb in ("x", "e"):
        job.all("read", operands[:1])
        job.add("write", folder, "unpacks into it", deep=True)
    elif verb in ("a", "u", "d", "rn"):
        job.all("write", operands[:1], "packs into it")
        job.all("read", operands[1:], deep=True)
        if "-sdel" in words:
            job.all("delete", operands[1:], "packs and removes it", deep=True, follow=False)
    elif verb in ("-h", "--help", "-?"):
        pass
    elif verb in ("l", "t", "h", "i", "b"):
        job.all("read", operands[:1])
    else:
        job.fault(f"{job.name} without a command that we know")


def stream(job: Job) -> None:
    """`cpio`, `pax`: names come from the input."""
    given = job.given("FIODEHRMCf", "file directory")
    job.all("read", given.values("F", "I", "file", "f"))
    job.all("write", given.values("O"))
    if given.has("i", "extract", "r"):
        job.all("write", given.values("D", "directory") or ["."], "unpacks into it", deep=True)
    if given.has("p", "pass-through"):
        job.all("write", given.operands[-1:], "copies into it", deep=True)


def ar(job: Job) -> None:
    words = [word for word in job.words[1:] if word[:2] != "--"]
    verb = words[0].lstrip("-") if words else ""
    job.all("write" if set(verb) & set("drqsm") else "read", words[1:2])
    job.all("read", words[2:])
    if "x" in verb:
        job.add("write", ".", "unpacks into it", deep=True)


def jar(job: Job) -> None:
    verb = job.words[1].lstrip("-") if job.words[1:] else ""
    names = job.words[2:]
    if "x" in verb or "extract" in verb:
        job.add("write", ".", "unpacks into it", deep=True)
    elif verb[:1] in ("c", "u"):
        job.all("write", names[:1] if "f" in verb else [])
    job.all("read", names, deep=True)
