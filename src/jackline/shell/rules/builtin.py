"""Builtins of the shell and small programs that touch no file: what they change is the scene."""

from __future__ import annotations

from jackline.shell.expand import evaluated
from jackline.shell.grammar import Grammar
from jackline.shell.launch import variable
from jackline.shell.lexis import DIGITS
from jackline.shell.model import UNKNOWN, Unreadable
from jackline.shell.programs import home
from jackline.shell.quoting import unescape
from jackline.shell.rules.wrapping import PLAIN
from jackline.shell.scene import GONE, SOME, Names, marked
from jackline.shell.wrappers import WRAPPERS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from jackline.shell.job import Job


def silent(job: Job) -> str:
    return ""


def nothing(job: Job) -> None:
    """Prints something, changes nothing."""


PRINTED = {"id": "ugnr", "uname": "snrm"}
"""Options with which they print one word."""


def something(job: Job) -> str | None:
    """Prints a word without blanks and slashes; some do so with an option only."""
    words, letters = job.words[1:], PRINTED.get(job.name)
    plain = letters is None or (words or job.name == "uname")
    known = all(word[:1] == "-" and set(word[1:]) <= set(letters or "") for word in words)
    return SOME if plain and (letters is None or known) else None


def cd(job: Job) -> str:
    words = [word for word in job.words[1:] if word not in ("-P", "-L", "-e", "-@", "--", "-q", "-n")]
    scene = job.scene
    if not words:
        scene.enter(scene.home or UNKNOWN)
    elif words[0][:1] in "-+" or words[1:] or scene.vars.get("CDPATH") or "CDPATH" in dict(job.assigns):
        scene.enter(UNKNOWN)
    else:
        scene.enter(words[0])
        if "-P" in job.words:
            scene.cwds = tuple(scene.real(cwd) if cwd else "" for cwd in scene.cwds)
    return ""


def popd(job: Job) -> str:
    job.scene.enter(UNKNOWN)
    return ""


def export(job: Job) -> str:
    """`export`, `declare` and their kin; assignments among their words were made when they were expanded."""
    flags = "".join(word[1:] for word in job.words[1:] if word[:1] in ("-", "+"))
    scene = job.scene
    if flags and job.name != "export" and "n" in flags:
        job.fault(f"{job.name} makes a reference, by which any assignment may mean another variable")
    for word in job.words[1:]:
        name, equals, text = word.partition("=")
        if word[:1] in "-+" or not name.isidentifier():
            subscript(job, word)
            if marked(word):
                scene.strange = True
                job.fault(f"{job.name} sets what only the shell knows")
            continue
        if job.name == "export" or "x" in flags:
            scene.exported |= {name}
        if equals:
            variable(job, name, scene.vars.get(name))
        elif name in scene.exported:
            job.walk.exports(name, scene)
        if "i" in flags:
            summed(job, text)
        if job.name == "readonly" or set(flags) & set("lucir"):
            scene.fixed |= {name}
        if job.name == "local" and not job.walk.calls:
            scene.vars[name] = None  # an error for bash, not for every shell
        elif set(flags) & set("lucirag") or (scene.fixed and name in scene.fixed and job.name != "readonly"):
            scene.vars[name] = None  # its value is not what was assigned
            if "g" in flags and job.walk.calls:
                job.walk.locals[-1].pop(name, None)
        elif not equals and job.name in ("local", "declare", "typeset") and job.walk.calls:
            job.walk.local(name, scene)
            scene.vars[name] = "" if not flags else None
    return ""


def summed(job: Job, text: str) -> None:
    """The text is evaluated as arithmetic."""
    try:
        evaluated(text, job.scene)
    except Unreadable as fault:
        job.fault(f"{job.name}: {fault}")


def subscript(job: Job, word: str) -> None:
    """A word that names a variable may have a subscript, which is evaluated."""
    _, bracket, inside = word.translate(PLAIN).partition("[")
    if bracket:
        summed(job, "[" + inside)


def unset(job: Job) -> str:
    for word in job.words[1:]:
        if word[:1] != "-":
            subscript(job, word)
            if word == "HISTFILE":
                variable(job, word, "")
            if "-f" in job.words:
                job.scene.functions.pop(word, None)
            else:
                fixed = word in job.scene.fixed  # perhaps it is read-only
                job.scene.vars[word] = GONE if not marked(word) and not fixed else None
    return ""


def read(job: Job) -> str:
    names = [word for word in job.words[1:] if word[:1] != "-"]
    lines = set(job.feed.splitlines()) if isinstance(job.feed, Names) and len(names) == 1 else set()
    for word in names:
        subscript(job, word)
        if word.isidentifier():
            job.scene.vars[word] = lines.copy().pop() if len(lines) == 1 else None
    return ""


def pwd(job: Job) -> str | None:
    return job.scene.cwd + "\n" if job.scene.cwd else None


def test(job: Job) -> str:
    if any(word in ("-v", "-R") for word in job.words) and any("$" in word or "`" in word for word in job.words):
        job.fault("a test evaluates a subscript")
    return ""


def let(job: Job) -> str:
    if any("[" in word or marked(word) for word in job.words[1:]):
        job.fault("let evaluates a subscript")
    for word in job.words[1:]:
        summed(job, word)
    return ""


def alias(job: Job) -> str:
    """zsh and dash expand aliases in scripts, too: the text may run whenever the name does."""
    for word in job.words[1:]:
        name, equals, text = word.partition("=")
        if equals:
            job.code(text + " ", job.scene.fork())
            _named(job, name, text)
            job.note("unknown", f"{name} stands for other words from here on")
    return ""


def _named(job: Job, name: str, text: str) -> None:
    """A name that nobody knows is likely meant for what it stands for."""
    if marked(name) or marked(text) or home(name) is not None or name in WRAPPERS or text.split()[:1] == [name]:
        return
    try:
        job.scene.functions[name] = (Grammar(f'{text} "$@"', literal=False).script(),)
    except Unreadable:
        return  # told already


LOADS = {"enable": "-f", "complete": "-C", "compgen": "-C", "bind": "-x", "zmodload": "", "hash": "-p"}
"""By which option a builtin loads code into the shell, or binds it to something."""


def powers(job: Job) -> str:
    if any(word.startswith(LOADS[job.name]) for word in job.words):
        job.fault(f"{job.name} changes what commands mean")
    return ""


def setting(job: Job) -> str:
    """`set` and `shopt`."""
    words = job.words[1:]
    if job.name == "set":
        i = 0
        while i < len(words) and words[i][:1] in ("-", "+") and words[i] not in ("--", "-"):
            if words[i].startswith("--"):
                return ""  # no option: an error
            i += 2 if words[i] in ("-o", "+o") else 1
        ended = i < len(words) and words[i] in ("--", "-")
        rest = words[i + ended :]
        if rest or "--" in words[i : i + 1]:
            first = job.scene.args[:1] if job.scene.args else [""]
            job.scene.args = first + rest if len(rest) < 256 else None
    if words[:1] == ["-a"] or "allexport" in words:
        job.scene.exported |= {"*"}
    if job.name == "emulate" and "-c" in words[:-1]:
        job.code(words[words.index("-c") + 1])
    if job.name in ("setopt", "emulate", "shopt") and any("glob" in word or "alias" in word for word in words):
        job.fault(f"{job.name} changes how words are read")
    return ""


def shift(job: Job) -> str:
    told, args = "".join(job.words[1:2]) or "1", job.scene.args
    if not DIGITS.issuperset(told) or len(told) > 6:
        job.scene.args = None
    elif args is not None and int(told) < len(args):  # more than there are is an error, and changes nothing
        job.scene.args = args[:1] + args[1 + int(told) :]
    return ""


def history(job: Job) -> None:
    if any(word[:1] == "-" for word in job.words[1:]):
        job.note("history", "edits the shell's history", act="traces" if {"-c", "-d"} & set(job.words) else "")
    if job.name == "fc" and "-l" not in job.words:
        job.fault("fc runs earlier commands")


def named(job: Job) -> str | None:
    """`which rm` and its kin print a path of that program."""
    words = [word for word in job.words[1:] if word[:1] != "-"]
    return words[0] + "\n" if len(words) == 1 and not marked(words[0]) else None


def part(job: Job) -> str | None:
    """`basename` and `dirname` of one known path."""
    words = job.words[1:]
    if len(words) != 1 or words[0][:1] == "-" or not words[0]:
        return None
    above, _, name = words[0].rstrip("/").rpartition("/")
    if job.name == "basename":
        return None if UNKNOWN in words[0] else name + "\n"
    return (above or ("/" if words[0][0] == "/" else ".")) + "\n" if UNKNOWN not in name else None


def mktemp(job: Job) -> str | None:
    given = job.given("p", "suffix")
    folder = "".join(given.values("p", "tmpdir")) or job.scene.value("TMPDIR") or "/tmp"
    name = "".join(given.operands[:1]).rstrip("X") or "tmp."
    here = given.operands and (name[:1] == "/" or not given.has("p", "t", "tmpdir"))
    made = (name if here else f"{folder}/{name}") + SOME
    if not given.has("u", "dry-run"):
        job.add("write", made, "a new name")
    return made + "\n"


def date(job: Job) -> str | None:
    given = job.given("dfrsIDjv", "date file reference set")
    if given.has("s", "set") or any(word[:1] != "+" for word in given.operands):
        job.note("privilege", "sets the clock", act="machine")
    job.all("read", given.values("f", "file"))
    form = "".join(given.operands)
    return SOME if form and set(form) <= set("+%YmdHMSsjyNFT_-.:") else None


def kill(job: Job) -> None:
    if "-l" not in job.words[1:2] and "-0" not in job.words[1:2]:
        everyone = job.words[-1:] == ["-1"] and len(job.words) > 2
        job.note("unknown", "ends or signals a process", act="processes.all" if everyone else "")
        if "1" in job.words[2 if job.words[1:2] in (["-s"], ["-n"]) else 1 :]:
            job.note("privilege", "signals the process that all others hang on", act="machine")


def echo(job: Job) -> str | None:
    words, end, escapes = job.words[1:], "\n", False
    while words and words[0][:1] == "-" and words[0][1:] and set(words[0][1:]) <= set("neE"):
        end = "" if "n" in words[0] else end
        escapes = escapes or "e" in words[0]
        words = words[1:]
    text = " ".join(words)
    if "\\" in text or (escapes and UNKNOWN in text):
        # dash decodes always, bash when it is told to: where that matters we do not know.
        decoded = unescape(text, "echo") if escapes and UNKNOWN not in text else None
        return None if decoded is None else decoded + end
    return text + end


def number(text: str) -> str:
    """What `%d` prints."""
    return text if text.removeprefix("-").isdecimal() and text.isascii() and str(int(text)) == text else SOME


CONVERSIONS: dict[str, Callable[[str], str | None]] = {
    "s": str,
    "d": number,
    "b": lambda text: None if UNKNOWN in text else unescape(text, "%b"),
}
PERCENT = "\5"  # stands for `%%` while the format is taken apart; `unescape` makes none


def formatted(words: list[str]) -> str | None:
    """What `printf` prints, None when nobody can say: a format that only the running shell knows may take words."""
    form = words[0] if words else ""
    if UNKNOWN in form or SOME in form or PERCENT in form:
        return None
    pieces = []
    for piece in form.replace("%%", PERCENT).split("%"):
        plain = unescape(piece, "format")
        if plain is None:
            return None
        pieces.append(plain)
    args, out = words[1:], ""
    while True:
        out += pieces[0]
        for piece in pieces[1:]:
            told = CONVERSIONS[piece[:1]](args.pop(0) if args else "") if piece[:1] in CONVERSIONS else None
            if told is None:
                return None
            out += told + piece[1:]
        if not args or len(pieces) == 1:
            return out.replace(PERCENT, "%")


def printf(job: Job) -> str | None:
    words = job.words[1:]
    if words[:1] == ["--"]:
        words = words[1:]
    if words[:1] and words[0].startswith("-v"):
        name = words[0][2:] or (words[1] if len(words) > 1 else "")
        rest = words[1:] if words[0][2:] else words[2:]
        if not name.isidentifier():
            job.fault("printf -v evaluates a name we cannot read")
        job.scene.hold(name, formatted(rest[1:] if rest[0] == "--" else rest) if rest else None)
        return ""
    return formatted(words)
