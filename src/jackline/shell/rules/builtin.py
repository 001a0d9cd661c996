"""Builtins of the shell and small programs that touch no file: what they change is the scene."""

from __future__ import annotations

from posixpath import join

from jackline.shell import launch
from jackline.shell.command_call import Job
from jackline.shell.expand import commanding
from jackline.shell.grammar import Grammar
from jackline.shell.model import UNKNOWN
from jackline.shell.shell_state import GONE, SOME, Names, marked


def silent(job: Job) -> str:
    return ""


def nothing(job: Job) -> None:
    """Prints something, changes nothing."""


def something(job: Job) -> str | None:
    """Prints a word without blanks and slashes, whatever it is told by plain words and letters."""
    return SOME if all(word.strip("-").isalnum() for word in job.words[1:]) else None


def cd(job: Job) -> str:
    words = [word for word in job.words[1:] if word not in ("-P", "-L", "-e", "-@", "--", "-q", "-n")]
    scene = job.scene
    target = words[0] if words else scene.home
    searched = scene.vars.get("CDPATH") or "CDPATH" in dict(job.assigns)
    scene.enter(UNKNOWN if job.name == "popd" or words[1:] or searched or target[:1] in "-+" else target)
    return ""


def _evaluates(job: Job, texts: list[str]) -> None:
    """Sums, and names with what stands in their brackets, are evaluated: a command in one of them runs."""
    if any(map(commanding, texts)):
        job.fault(f"{job.name} evaluates what we do not read")


def export(job: Job) -> str:
    """`export`, `declare` and their kin; assignments among their words were made when they were expanded."""
    flags = {letter for word in job.words[1:] if word[:1] in ("-", "+") for letter in word[1:]}
    scene, walk, name = job.scene, job.walk, job.name
    if "n" in flags and name != "export":
        job.fault(f"{name} makes a reference, by which any assignment may mean another variable")
    _evaluates(job, [word if "i" in flags else word.partition("=")[0] for word in job.words[1:]])
    # A value is not what was assigned: of another kind, or (`local` outside of a function) not everywhere assigned.
    strange = bool(flags - set("xp")) or (name == "local" and not walk.calls)
    for word in job.words[1:]:
        variable, equals, _ = word.partition("=")
        if word[:1] in "-+" or not variable.isidentifier():
            if marked(word):
                scene.strange = True
                job.fault(f"{name} sets what only the shell knows")
            continue
        if name == "export" or "x" in flags:
            scene.exported |= {variable}
        if equals:
            launch.variable(job, variable, scene.vars.get(variable))
        elif variable in scene.exported:
            walk.exports(variable, scene)
        if name == "readonly" or strange:
            scene.fixed |= {variable}
        if variable in scene.fixed and name != "readonly":
            scene.vars[variable] = None
            for held in walk.locals[-1:] if "g" in flags else ():
                held.pop(variable, None)
        elif not equals and name in ("local", "declare", "typeset") and walk.calls:
            walk.local(variable, scene)
            scene.vars[variable] = ""
    return ""


def unset(job: Job) -> str:
    _evaluates(job, job.words[1:])
    for word in [one for one in job.words[1:] if one[:1] != "-"]:
        if word == "HISTFILE":
            launch.variable(job, word, "")
        if "-f" in job.words:
            job.scene.functions.pop(word, None)
        else:
            fixed = word in job.scene.fixed  # perhaps it is read-only
            job.scene.vars[word] = GONE if not marked(word) and not fixed else None
    return ""


def read(job: Job) -> str:
    names = [word for word in job.words[1:] if word[:1] != "-"]
    lines = set(job.feed.splitlines()) if isinstance(job.feed, Names) and len(names) == 1 else set()
    _evaluates(job, names)
    if any(word[:2] == "-C" for word in job.words):
        job.fault(f"{job.name} has a command run for each line")
    for word in names:
        if word.isidentifier():
            job.scene.vars[word] = lines.copy().pop() if len(lines) == 1 else None
    return ""


def pwd(job: Job) -> str | None:
    return job.scene.cwd + "\n" if job.scene.cwd else None


def test(job: Job) -> str:
    _evaluates(job, job.words[1:])  # `-v` looks for a name
    return ""


def let(job: Job) -> str:
    """Sums; what they set nobody knows."""
    _evaluates(job, [*job.words[1:], *filter(None, job.scene.vars.values())])
    job.scene.vars = dict.fromkeys(job.scene.vars)
    return ""


def alias(job: Job) -> str:
    """zsh and dash expand aliases in scripts, too: the text may run whenever the name does."""
    for name, equals, text in [word.partition("=") for word in job.words[1:]]:
        if equals:
            job.code(text + " ", job.scene.fork())
            if text.split()[:1] != [name] and not marked(name + text):
                job.scene.functions[name] = (Grammar(f'{text} "$@"', literal=False).script(),)
    return ""


POWERS = {
    "enable": "-f", "complete": "-C", "compgen": "-C", "bind": "-x", "zmodload": "zmodload", "hash": "-p",
    **dict.fromkeys(("setopt", "unsetopt", "emulate", "shopt"), "glob alias -c"),
}  # fmt: skip
"""By which words a builtin loads code into the shell, binds it to something, or changes how words are read."""


def powers(job: Job) -> str:
    if any(part in word for word in job.words for part in POWERS[job.name].split()):
        job.fault(f"{job.name} changes what commands mean")
    return ""


def setting(job: Job) -> str:
    """`set`: options, then arguments."""
    words, i = job.words[1:], 0
    while i < len(words) and words[i][:1] in ("-", "+") and words[i] not in ("--", "-"):
        i += 2 if words[i] in ("-o", "+o") else 1
    rest = words[i + (words[i : i + 1] in (["--"], ["-"])) :]
    if rest or words[i : i + 1] == ["--"]:
        first = job.scene.args[:1] if job.scene.args else [""]
        job.scene.args = first + rest if len(rest) < 256 else None
    if words[:1] == ["-a"] or "allexport" in words:
        job.scene.exported |= {"*"}
    return ""


def shift(job: Job) -> str:
    job.scene.args = None
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
    if len(words) != 1 or words[0][:1] in ("-", "") or UNKNOWN in words[0]:
        return None
    above, _, name = words[0].rstrip("/").rpartition("/")
    return (name if job.name == "basename" else above or ("/" if words[0][0] == "/" else ".")) + "\n"


def mktemp(job: Job) -> str | None:
    given = job.given("p", "suffix")
    folder = "".join(given.values("p", "tmpdir")) or job.scene.value("TMPDIR") or "/tmp"
    name = "".join(given.operands[:1]).rstrip("X") or "tmp."
    made = join("" if given.operands and not given.has("p", "t", "tmpdir") else folder, name) + SOME
    if not given.has("u", "dry-run"):
        job.add("write", made, "a new name")
    return made + "\n"


def date(job: Job) -> str | None:
    given = job.given("dfrsIDjv", "date file reference set")
    if given.has("s", "set") or any(word[:1] != "+" for word in given.operands):
        job.note("privilege", "sets the clock", act="machine")
    form = "".join(given.operands)
    return SOME if form and set(form) <= set("+%YmdHMSsjyNFT_-.:") else None


def kill(job: Job) -> None:
    if "-l" not in job.words[1:2] and "-0" not in job.words[1:2]:
        everyone = job.words[-1:] == ["-1"] and len(job.words) > 2
        job.note("unknown", "ends or signals a process", act="processes.all" if everyone else "")
        if "1" in job.words[2 if job.words[1:2] in (["-s"], ["-n"]) else 1 :]:
            job.note("privilege", "signals the process that all others hang on", act="machine")


def echo(job: Job) -> str | None:
    words, flags = job.words[1:], ""
    while words and words[0][:1] == "-" and words[0][1:] and set(words[0][1:]) <= set("neE"):
        flags += words.pop(0)
    text = " ".join(words)
    if "\\" in text or ("e" in flags and UNKNOWN in text):
        return None  # dash decodes always, bash when it is told to
    return text if "n" in flags else text + "\n"


def _formatted(words: list[str]) -> str | None:
    """What `printf` prints where its format asks for texts alone, else None."""
    form, args, out = "".join(words[:1]).replace("\\n", "\n").replace("\\t", "\t"), words[1:], ""
    first, *more = form.split("%s")
    if not {"%", "\\", UNKNOWN, SOME}.isdisjoint("".join([first, *more])):
        return None
    while True:
        out += first + "".join([(args.pop(0) if args else "") + piece for piece in more])
        if not args or not more:
            return out


def printf(job: Job) -> str | None:
    words = job.words[2:] if job.words[1:2] == ["--"] else job.words[1:]
    if not words or not words[0].startswith("-v"):
        return _formatted(words)
    name = words[0][2:] or "".join(words[1:2])
    if not name.isidentifier():
        job.fault("printf -v evaluates a name we cannot read")
    job.scene.hold(name, None)
    return ""
