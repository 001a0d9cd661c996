"""Programs that change files: who may use them, what is in them, where they are; archives, that hold anything."""

from __future__ import annotations

from posixpath import join

from jackline.shell.command_call import Job
from jackline.shell.model import UNKNOWN
from jackline.shell.options import Given, parse
from jackline.shell.shell_state import ANY, OPEN, STAR, marked
from jackline.shell.texts import Read
from jackline.system import exists, is_dir

NOTHING = "/dev/null"
GLOBS = frozenset((STAR, ANY, OPEN))
FEEDING = ("find", "fd", "fdfind", "xargs", "parallel")
"""What runs a program on many files, one after the other."""


def emptied(job: Job, words: list[str]) -> None:
    """Nothing stays in these files. One name that only the shell knows is one file, which is made more often."""
    many = job.fed or not set(FEEDING).isdisjoint(job.wrappers)
    sure = [one for one in words if one and (UNKNOWN not in one or many or not GLOBS.isdisjoint(one))]
    for place in [place for one in sure for place in job.scene.places(one)] if not job.elsewhere else ():
        fresh = not place.pattern and is_dir(place.path.rpartition("/")[0]) and not exists(place.path)
        if not fresh and not place.path.startswith("/dev/"):
            job.note("write", "nothing stays in it", place, act="blank")


def tee(job: Job) -> str | None:
    """One text into every file it is told: with a glob, over whatever these held."""
    given = job.given()
    more = job.name == "tee" and given.has("a", "append")
    job.all("write", given.operands, job.name)
    for word in given.operands:
        job.walk.wrote(word, job.feed, job.scene, more)
    if not more:
        emptied(job, [one for one in given.operands if ("<", NOTHING) in job.redirs or not GLOBS.isdisjoint(one)])
    return job.feed if job.name == "tee" else None


def dd(job: Job) -> None:
    told = dict(word.partition("=")[::2] for word in job.words[1:])
    job.add("read", told.get("if", ""))
    job.add("write", told.get("of", ""))
    if told.get("if") == NOTHING:
        emptied(job, [told.get("of", "")])
    if UNKNOWN in "".join(told):
        job.fault("dd has a word that only the shell knows")


def _says(what: str) -> tuple[bool, bool, bool]:
    """What a mode does: everybody may write it from now on, nothing can be run, it runs as its owner."""
    if what.isdigit():
        digits = what.lstrip("0")
        return what[-1] in "2367", {*what[-3:]}.isdisjoint("1357"), len(digits) == 4 and digits[0] in "2467"
    changes = what.split(",")
    given = [one.replace("=", "+").partition("+") for one in changes]
    opens = any("w" in rights and not {"o", "a"}.isdisjoint(who) for who, _, rights in given)
    stills = any("x" in one.partition("-")[2] or one.endswith(("=", "=r", "=rw")) for one in changes)
    return opens, stills, any("s" in rights for _, _, rights in given)


def mode(job: Job) -> None:
    """`chmod`, `chown` and their kin: the first operand says what, unless a reference does."""
    given, name = job.given("", "reference from"), job.name
    what, operands = "", given.operands
    if name in ("setfacl", "xattr", "setfattr", "chattr", "chflags"):
        operands = job.given("mMxXnvwp", "modify remove set-file name value").operands[name == "chflags" :]
        operands = [word for word in operands if name != "chattr" or word[:1] not in "+="]
    elif not given.has("reference"):
        dashed = [word for word in job.words[1:] if name == "chmod" and word[:1] == "-" and word[1:2] in "rwxXst"]
        what, operands = (dashed[0], operands) if dashed else ("".join(operands[:1]), operands[1:])
    deep = given.loose or any(one == "R" or one[:3] == "rec" for one, _ in given.options)
    job.all("write", operands, f"{name} {what}".strip(), deep=deep, act="mode")
    opens, stills, owner = _says(what) if name == "chmod" else (False, False, False)
    job.all("privilege", operands if opens else [], "anybody may write it", deep=deep, act="open")
    paths = [f"{one.path}/" for word in operands if stills for one in job.scene.places(word)]
    if any("/.git/hooks/" in path or "/.husky/" in path for path in paths):
        job.note("history", "hooks that cannot be run are passed over", act="hooks.skip")
    if owner:
        job.note("privilege", "runs as its owner from now on", act="setuid")


def base(word: str) -> str:
    return word.rstrip("/").rpartition("/")[2]


def _destination(job: Job, given: Given) -> tuple[list[str], str, bool]:
    """Sources, destination, and whether that is certainly a folder. What was put into a source goes with it."""
    told = given.values("t", "target-directory")
    sources, target = (given.operands, told[-1]) if told else (given.operands[:-1], "".join(given.operands[-1:]))
    for source in sources if job.walk.written or job.walk.since else []:
        text = job.text(source, run=False)
        text = None if text == UNKNOWN else text
        if text != "" and not (isinstance(text, Read) and not text.own):
            job.walk.wrote(target, text, job.scene)
            job.walk.wrote(f"{target.rstrip('/')}/{base(source)}", text, job.scene)
    return sources, target, bool(told or sources[1:]) or target in (".", "..") or target.endswith(("/", "/.", "/.."))


def _arrive(job: Job, given: Given, sources: list[str], target: str, folder: bool, note: str, deep: bool) -> None:
    """Report the files that appear at a destination."""
    plain = given.has("T", "no-target-directory", "exchange")
    known = not marked(target) and all(job.scene.cwds)
    into = folder or (known and any(is_dir(place.path) for place in job.scene.places(target)))
    perhaps = into or not known or _may_be_made(job, target)
    if plain or not into:
        job.add("write", target, note, deep=deep)
    for source in sources if perhaps and not plain else []:
        job.add("write", f"{target.rstrip('/')}/{base(source)}", note, deep=deep)
    if sources == [NOTHING]:
        emptied(job, [target])


def _may_be_made(job: Job, word: str) -> bool:
    """What is not there yet may be a folder by then, when something ran before that could make it."""
    return not job.walk.exists(job.scene, word) and any(effect.kind != "read" for effect in job.walk.effects.values())


def cp(job: Job) -> None:
    given = job.given("tSZ" if job.name != "install" else "tSmogZ", "target-directory suffix mode owner group context")
    sources, target, folder = _destination(job, given)
    deep = given.loose or given.has("r", "R", "a", "recursive", "archive") or job.name == "ditto"
    if not given.has("attributes-only"):
        job.all("read", sources, deep=deep)
    if given.has("l", "link"):
        job.all("write", sources, "gets a second name")
    _arrive(job, given, sources, target, folder, "copies", deep)


def move(job: Job, given: Given) -> None:
    sources, target, folder = _destination(job, given)
    away = "" if target == NOTHING else "move"
    job.all("delete", sources, "moves it away", deep=True, follow=False, act=away)
    job.all("read", sources, deep=True)
    _arrive(job, given, sources, target, folder, "moves to it", True)


def mv(job: Job) -> None:
    move(job, job.given("tSZ", "target-directory suffix"))


def ln(job: Job) -> None:
    given = job.given("tS", "target-directory suffix")
    symbolic, scene = given.has("s", "symbolic"), job.scene
    sources, target, folder = _destination(job, given)
    if not symbolic:
        job.all("write", sources, "gets a second name, through which it may be written")
    _arrive(job, given, sources, target, folder, "links", False)
    places = scene.places(target, follow=False)
    for source in sources:
        if source[:1] == UNKNOWN:  # it leads where only the shell knows
            scene.links += [(made.path, UNKNOWN) for made in places]
        for place in scene.places(source) if not marked(source) and scene.cwd else []:
            for made in places:
                name = f"{made.path}/{base(source)}" if folder or is_dir(made.path) else made.path
                # A relative link leads from where it stands.
                there = source.startswith("/") or not symbolic
                scene.links.append((name, place.path if there else f"{name.rpartition('/')[0]}/{source}"))


MARKED = frozenset(f"*?[{UNKNOWN}")
TAR = (
    "file directory files-from exclude exclude-from use-compress-program to-command checkpoint-action transform "
    "info-script strip-components owner group mode mtime listed-incremental format after-date newer rmt-command"
)


def _unpacks(job: Job, folder: str, members: list[str], strip: str = "") -> None:
    """What is asked for of an archive arrives in a folder, else all that it holds."""
    names = ["/".join(one.split("/")[int(strip) if strip.isdigit() else 0 :]) for one in members]
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
    given = parse(_dashed(job.words), "fCbTXIgKNVHFL", TAR)
    folder = join("", *given.values("C", "directory"))
    here = job.scene.fork()
    here.enter(folder or ".")
    inside = job.again(here)
    archives = given.values("f", "file")
    packs, unpacks = given.has(*PACKS), given.has("x", "extract", "get")
    for host in [one.partition(":")[0] for one in archives if ":" in one.partition("/")[0]]:
        if not given.has("force-local"):
            job.note("network", f"an archive on {host}", act="send.files" if packs else "")
            archives = []
    job.all("read" if unpacks or not packs else "write", archives, "packs into it")
    if unpacks and not given.has("O", "to-stdout"):
        _unpacks(job, folder, given.operands, "".join(given.values("strip-components")))
    elif packs and not unpacks:
        inside.all("read", given.operands, "packs it", deep=True)
        if given.has("remove-files"):
            inside.all("delete", given.operands, "packs and removes it", deep=True, follow=False)
    elif not unpacks and not given.has("t", "list", "d", "diff", "compare"):
        job.fault("tar without a mode that we can see")
    if given.has("T", "files-from"):
        inside.add("read", UNKNOWN, "packs what a list names", deep=True)


def unzip(job: Job) -> None:
    given = job.given("dxP")
    job.all("read", given.operands[:1])
    if not given.has("l", "t", "p", "z", "Z", "v"):
        _unpacks(job, "".join(given.values("d")), [] if given.has("j", "x") else given.operands[1:])


def squeeze(job: Job) -> None:
    """`gzip file` makes `file.gz` and removes `file`; the reverse for `gunzip`."""
    given = job.given("STobD", "suffix output threads memlimit output-dir-flat")
    deep, undo = given.has("r", "recursive"), given.has("d", "decompress", "uncompress") or "un" in job.name
    job.all("read", given.operands, deep=deep)
    job.all("write", given.values("o", "output"))
    prints = job.name.endswith("cat") or given.has("t", "test", "l", "list", "c", "stdout", "to-stdout")
    for word in given.operands if not prints else ():
        made = word.rpartition(".")[0] or word + UNKNOWN if undo else f"{word}.{job.name}"
        job.all("write", [word, made], f"{job.name} replaces it", deep=deep)


def seven(job: Job) -> None:
    """`7z a archive files`, `7z x archive -ofolder`."""
    verb, operands = "".join(job.words[1:2]), [word for word in job.words[2:] if word[:1] != "-"]
    packs = verb in ("a", "u", "d", "rn")
    job.all("write" if packs else "read", operands[:1], "packs into it")
    if packs:
        job.all("delete" if "-sdel" in job.words else "read", operands[1:], "packs it", deep=True, follow=False)
    elif verb in ("x", "e"):
        _unpacks(job, next((word[2:] for word in job.words if word[:2] == "-o"), ""), [])
