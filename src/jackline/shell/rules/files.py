"""Programs that read, write, copy and remove the files they are told."""

from __future__ import annotations

from jackline.shell.harmless import known
from jackline.shell.job import MAYBE, NAMED
from jackline.shell.model import UNKNOWN
from jackline.shell.named import holds_credential, note
from jackline.shell.rules.encoded import unhex, unpacked
from jackline.shell.rules.finding import paths
from jackline.shell.rules.overwriting import emptied
from jackline.shell.scene import SOME, Names, marked
from jackline.shell.texts import Read
from jackline.system import is_dir

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jackline.shell.job import Job, Rule
    from jackline.shell.options import Given


def base(word: str) -> str:
    return word.rstrip("/").rpartition("/")[2]


def nothing(job: Job) -> None:
    """Touches no file."""


NOTHING = "/dev/null"
LISTS = ("files0-from", "from-file", "to-file", "exclude-from", "random-source", "files-from", "magic-file")
"""Long options of many programs whose value is a file that they read."""


def reader(short: str = "", long: str = "", lists: str = "") -> Rule:
    """Reads its operands. `short` and `long` take values that are no files, `lists` are letters of some that are."""
    names = f"{long} {' '.join(LISTS)}"

    def rule(job: Job) -> str | None:
        given = job.given(short + lists, names)
        checks = job.name.endswith("sum") and given.has("c", "check")
        job.all("read", given.operands, NAMED if checks else "" if known(job.name) else MAYBE)
        if given.options:
            job.all("read", given.values(*LISTS, *lists), NAMED)
        if job.name == "cat" and not given.options and given.operands in ([], ["-"]):
            return job.feed
        if job.name in ("head", "tail", "tac") and not given.operands and not given.has("c", "bytes"):
            return chosen(job)
        return "" if job.name == "cat" and given.operands == [NOTHING] else None

    return rule


def chosen(job: Job) -> Names | None:
    """Some of the paths that it is fed, each whole."""
    return job.feed if isinstance(job.feed, Names) else None


def variables(job: Job) -> None:
    """`printenv`: all of the environment, or one variable."""
    names = job.given().operands
    if not names:
        job.note("read", "prints the environment")
    for name in names:
        if holds_credential(name):
            note(job, name)


def writer(short: str = "", long: str = "", note: str = "", act: str = "") -> Rule:
    """Writes its operands."""

    def rule(job: Job) -> None:
        given = job.given(short, long)
        job.all("write", given.operands, note, act=act)

    return rule


def walker(job: Job) -> str | None:
    """Reads folders: listings, sizes. `ls` prints what its globs mean."""
    given = job.given("IwT" if job.name in ("ls", "dir", "vdir") else "IPLoTwSdtXB")
    job.all("read", given.operands or ["."], deep=True)
    job.all("read", job.given("X", " ".join(LISTS)).values("X", *LISTS) if job.name == "du" else [], NAMED)
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
    plain = given.has("T", "no-target-directory")
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


def out(short: str, long: str, outs: str, *, also: str = "") -> Rule:
    """Reads its operands; the options in `outs` (letters and names) name what it writes."""

    def rule(job: Job) -> None:
        given = job.given(short, long, single=bool(also))
        job.all("read", given.operands, MAYBE)
        job.all("write", given.values(*outs.split()))

    return rule


def sort(job: Job) -> str | None:
    given = job.given(
        "kStTo", "key output buffer-size field-separator temporary-directory compress-program files0-from"
    )
    job.all("read", given.operands)
    job.all("read", given.values("files0-from"))
    job.all("write", given.values("o", "output"))
    for program in given.values("compress-program"):
        job.run([program])
    return chosen(job) if not given.operands and not given.has("o", "output") else None


def uniq(job: Job) -> None:
    operands = job.given("fsw", "skip-fields skip-chars check-chars").operands
    job.all("read", operands[:1])
    job.all("write", operands[1:2])


def pair(job: Job) -> str | None:
    """`xxd in out`, `split in prefix`."""
    short = {"split": "bClaCnts", "csplit": "bfn"}.get(job.name, "cglosd")
    given = job.given(short, "bytes lines suffix-length number filter")
    job.all("read", given.operands[:1])
    if job.name == "split":
        prefix = "".join(given.operands[1:2]) or "x"
        job.add("write", prefix + "\1")
        for code in given.values("filter"):
            job.code(code)
    elif job.name == "csplit":
        job.add("write", ("".join(given.values("f", "prefix")) or "xx") + "\1")
    else:
        job.all("write", given.operands[1:2])
        printed = unhex(job.feed) if job.feed and given.has("r") and given.has("p", "ps", "plain") else None
        return None if printed is None or marked(printed) else printed
    return None


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
    return chosen(job) if plain else None


GREP = (
    "regexp file max-count after-context before-context context include exclude exclude-dir exclude-from label "
    "binary-files devices directories type type-not glob iglob max-depth maxdepth max-filesize threads sort "
    "sortr encoding engine replace pre pre-glob hostname-bin ignore-file path-separator max-columns"
)


def query(job: Job) -> None:
    """`jq` and `yq`: a filter, then files; `yq -i` writes them."""
    given = job.given(
        "fLI" if job.name == "yq" else "fL", "from-file indent arg argjson slurpfile rawfile tab output-format"
    )
    operands = given.operands if given.has("f", "from-file") else given.operands[1:]
    job.all("read", operands)
    job.all("read", given.values("f", "from-file"))
    for at, word in enumerate(job.words[:-2]):
        if word in ("--slurpfile", "--rawfile"):
            job.add("read", job.words[at + 2])
    if job.name == "yq" and given.has("i", "inplace", "in-place"):
        job.all("write", operands, "in place")


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


def compiler(job: Job) -> None:
    given = job.given("oIDLlUxBWfmOTuz", "output out-dir sysroot target")
    outs = given.values("o", "output", "out-dir")
    job.all("read", given.operands, MAYBE)
    job.all("write", outs or ["a.out"], "builds it")


def ends(job: Job) -> None:
    """Converts its last operand into being."""
    words = [word for word in job.words[1:] if word[:1] != "-"]
    job.all("read", words[:-1], MAYBE)
    job.all("write", words[-1:])
    job.all("write", job.given("o", "output").values("o", "output"))


def openssl(job: Job) -> None:
    given = job.given("", "out keyout in inkey writerand", single=True)
    job.all("write", given.values("out", "keyout", "writerand"))
    job.all("read", given.values("in", "inkey"))
    if any(word in ("s_client", "s_server", "ocsp") for word in given.operands):
        job.note("network", "openssl connects", act="talk" if "s_client" in given.operands else "")


def base64(job: Job) -> str | None:
    """What a shell may run is judged as what it is; of other filters nobody knows what they print."""
    out("wob", "wrap output", "o output")(job)
    given = job.given("wo", "wrap output")
    text = job.kept(given.operands[0]) if given.operands[:1] not in ([], ["-"]) else job.feed
    printed = unpacked(text) if text and given.has("d", "D", "decode") and not given.has("o", "output") else None
    return None if printed is None or marked(printed) else printed


def pager(job: Job) -> None:
    out("oOkPptTxyz", "log-file LOG-FILE lesskey-file lesskey-src", "o O log-file LOG-FILE")(job)
    if any(word[:2] in ("+!", "+s", "+|") or "+!" in word for word in job.words[1:]):
        job.fault("a pager that is told commands")


def in_place(job: Job) -> None:
    job.all("write", job.given().operands, "in place")


lines = reader()
file = reader("", "separator parameter exclude", "fmM")
head = reader("nc", "lines bytes")
tail = reader("ncs", "lines bytes pid sleep-interval max-unchanged-stats")
cut = reader("bcdf", "bytes characters delimiter fields output-delimiter")
gpg = out("o", "output", "o output")
keygen = out("bCfIlmNOPtVYzEDnRsaJjKMwZ", "", "f")
iconv = out("fto", "from-code to-code output", "o output")
pandoc = out("ofrtTHBA", "output from to template", "o output")
touch = writer("drt", "date reference time")
mkdir = writer("mZ", "mode", "makes the folder", "folder")
special = writer("m", "mode")
fallocate = writer("lo", "length offset")
