"""Builtins of the shell and small programs that touch no file: what they change is the scene."""

from __future__ import annotations

from jackline.shell.job import shared
from jackline.shell.model import UNKNOWN
from jackline.shell.scene import SOME, marked, shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jackline.shell.job import Job, Rule

ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b", "f": "\f", "v": "\v", "e": "\x1b", "\\": "\\"}


def silent(job: Job) -> str:
    return ""


def nothing(job: Job) -> None:
    """Prints something, changes nothing."""


def something(job: Job) -> str:
    """Prints a word without blanks and slashes."""
    return SOME


def cd(job: Job) -> str:
    words = [word for word in job.words[1:] if word not in ("-P", "-L", "-e", "-@", "--", "-q", "-n")]
    scene = job.scene
    if not words:
        scene.enter(scene.home or UNKNOWN)
    elif words[0] == "-" or len(words) > 1 or words[0][:1] == "+" or scene.vars.get("CDPATH"):
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
    flags = "".join(word[1:] for word in job.words[1:] if word[:1] == "-")
    for word in job.words[1:]:
        name, equals, _ = word.partition("=")
        if word[:1] in "-+" or not name.isidentifier():
            if marked(word):
                job.fault(f"{job.name} sets what only the shell knows")
            continue
        if job.name == "export" or "x" in flags:
            job.scene.exported.add(name)
        if equals:
            job.walk.variable(name, job)
        if set(flags) & set("nlucira"):
            job.scene.vars[name] = None  # its value is not what was assigned
        elif not equals and job.name == "local" and job.walk.calls:
            job.walk.local(name, job.scene)
            job.scene.vars[name] = ""
    if "n" in flags and job.name != "export":
        for name in job.scene.vars:
            job.scene.vars[name] = None  # a reference: any assignment may mean another variable
    return ""


def unset(job: Job) -> str:
    for word in job.words[1:]:
        if word[:1] != "-":
            if "-f" in job.words:
                job.scene.functions.pop(word, None)
            else:
                job.scene.vars[word] = "" if not marked(word) else None
            if word == "HISTFILE":
                job.note("history", "turns the shell's history off")
    return ""


def read(job: Job) -> str:
    for word in job.words[1:]:
        if word.isidentifier():
            job.scene.vars[word] = None
    job.scene.vars["REPLY"] = None
    return ""


def unescape(text: str) -> str | None:
    out, i = "", 0
    while i < len(text):
        char = text[i]
        i += 1
        if char != "\\" or i >= len(text):
            out += char
            continue
        char = text[i]
        i += 1
        digits = ""
        if char == "x":
            while len(digits) < 2 and text[i : i + 1] and text[i] in "0123456789abcdefABCDEF":
                digits += text[i]
                i += 1
        elif char in "01234567":
            digits = char
            while len(digits) < (4 if char == "0" else 3) and text[i : i + 1] and text[i] in "01234567":
                digits += text[i]
                i += 1
        if digits:
            code = int(digits, 16 if char == "x" else 8)
            if not 5 < code < 128:
                return None
            out += chr(code)
        elif char in ESCAPES:
            out += ESCAPES[char]
        elif char in "cuUx":
            return None
        else:
            out += "\\" + char
    return out


def echo(job: Job) -> str | None:
    words, end, escapes = job.words[1:], "\n", False
    while words and words[0][:1] == "-" and words[0][1:] and set(words[0][1:]) <= set("neE"):
        end = "" if "n" in words[0] else end
        escapes = escapes or "e" in words[0]
        words = words[1:]
    text = " ".join(words)
    if "\\" in text:
        # dash decodes always, bash when it is told to: where that matters we do not know.
        decoded = unescape(text)
        return decoded + end if escapes and decoded is not None else None
    return text + end


PERCENT = "\5"  # stands for `%%` while the format is taken apart; `unescape` makes none


def formatted(words: list[str]) -> str | None:
    """What `printf` prints, None when nobody can say: a format that only the running shell knows may take words."""
    form = words[0] if words else ""
    if UNKNOWN in form or SOME in form or PERCENT in form:
        return None
    pieces = []
    for piece in form.replace("%%", PERCENT).split("%"):
        plain = unescape(piece)
        if plain is None:
            return None
        pieces.append(plain)
    args, out = words[1:], ""
    while True:
        out += pieces[0]
        for piece in pieces[1:]:
            if piece[:1] not in ("s", "b", "d"):
                return None
            arg = args.pop(0) if args else ""
            told = unescape(arg) if piece[0] == "b" else arg
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
        job.scene.vars[name] = formatted(rest) if rest else ""
        return ""
    return formatted(words)


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
        name = word.partition("=")[0].rstrip("+-*/%&|^<>")
        if name.isidentifier():
            job.scene.vars[name] = None
    return ""


def alias(job: Job) -> str:
    """zsh and dash expand aliases in scripts, too: the text may run whenever the name does."""
    for word in job.words[1:]:
        name, equals, text = word.partition("=")
        if equals:
            job.code(text + " ", job.scene.fork())
            job.note("unknown", f"{name} stands for other words from here on")
    return ""


def powers(job: Job) -> str:
    """Loads code into the shell, or binds it to something."""
    words = [word for word in job.words[1:] if word[:1] != "-"]
    loads = {"enable": "-f", "complete": "-C", "compgen": "-C", "bind": "-x", "zmodload": "", "hash": "-p"}
    option = loads.get(job.name)
    if option == "" or (option and any(word.startswith(option) for word in job.words)):
        job.fault(f"{job.name} changes what commands mean: {' '.join(map(shown, words[:3]))}")
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
    if "history" in words and "+o" in words:
        job.note("history", "turns the shell's history off")
    if job.name in ("setopt", "emulate", "shopt") and any("glob" in word or "alias" in word for word in words):
        job.fault(f"{job.name} changes how words are read")
    return ""


def shift(job: Job) -> str:
    count = int(job.words[1]) if job.words[1:] and job.words[1].isdigit() else 1
    if job.scene.args is not None:
        job.scene.args = job.scene.args[:1] + job.scene.args[1 + count :]
    return ""


def history(job: Job) -> None:
    if any(word[:1] == "-" for word in job.words[1:]):
        job.note("history", "edits the shell's history")
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


def path(job: Job) -> str | None:
    words = [word for word in job.words[1:] if word[:1] != "-"]
    if len(words) != 1 or marked(words[0]) or not job.scene.cwd:
        return None
    return job.scene.places(words[0])[0].path + "\n"


def mktemp(job: Job) -> str | None:
    given = job.given("p", "suffix")
    folder = "".join(given.values("p", "tmpdir")) or job.scene.value("TMPDIR") or "/tmp"
    if not given.operands:
        made = f"{folder}/tmp.{SOME}"
    elif given.operands[0].startswith("/") or not given.has("p", "t", "tmpdir"):
        made = given.operands[0].rstrip("X") + SOME
    else:
        made = f"{folder}/{given.operands[0].rstrip('X')}{SOME}"
    if not given.has("u", "dry-run"):
        job.add("write", made, "a new name")
    return made + "\n"


def date(job: Job) -> str | None:
    given = job.given("dfrsIDjv", "date file reference set")
    if given.has("s", "set") or any(word[:1] != "+" for word in given.operands):
        job.note("privilege", "sets the clock")
    form = "".join(given.operands)
    return SOME if form and set(form) <= set("+%YmdHMSsjyNFT_-.:") else None


def hostname(job: Job) -> str | None:
    if any(word[:1] != "-" for word in job.words[1:]):
        job.note("privilege", "names the machine")
    return SOME


def kill(job: Job) -> None:
    if "-l" not in job.words[1:2] and "-0" not in job.words[1:2]:
        job.note("unknown", "ends or signals a process")


RULES: dict[str, Rule] = {
    **shared(": true false exit return break continue wait disown umask ulimit sleep clear reset", silent),
    **shared("jobs fg bg times caller dirs suspend logout tty yes seq stty tput cal factor expr", nothing),
    **shared("locale getconf uptime users type disable compopt bindkey zle vared autoload", nothing),
    **shared("whoami id groups uname arch nproc logname", something),
    **shared("export declare typeset local readonly integer float", export),
    **shared("set shopt setopt unsetopt emulate", setting),
    **shared("enable complete compgen bind zmodload hash", powers),
    **shared("which where whence", named),
    "rehash": silent,
    "functions": nothing,
    "print": nothing,
    "unalias": silent,
    "cd": cd,
    "chdir": cd,
    "pushd": cd,
    "popd": popd,
    "unset": unset,
    "read": read,
    "getopts": read,
    "printf": printf,
    "echo": echo,
    "pwd": pwd,
    "test": test,
    "[": test,
    "let": let,
    "alias": alias,
    "shift": shift,
    "history": history,
    "fc": history,
    "basename": part,
    "dirname": part,
    "realpath": path,
    "readlink": path,
    "mktemp": mktemp,
    "date": date,
    "hostname": hostname,
    "kill": kill,
}
