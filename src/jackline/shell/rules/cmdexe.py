"""The command line of Windows (`cmd /c`): what its commands do; others are programs as everywhere."""

from __future__ import annotations

from jackline.shell.model import UNKNOWN
from jackline.shell.programs import HOMES
from jackline.shell.rules.powershell_text import globbed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from jackline.shell.job import Job

    Act = Callable[["Job", list[str], set[str]], None]

DEEP = 12
SHOWS = frozenset([
    *("echo", "rem", "type", "more", "dir", "cls", "ver", "vol", "set", "title", "exit", "pause", "where", "tree"),
    *("fc", "hostname"),
    *("find", "findstr", "sort", "date", "time", "path", "prompt", "setlocal", "endlocal", "ping", "whoami"),
    *("tasklist", "systeminfo", "ipconfig", "assoc", "ftype", "chcp", "color", "timeout", "goto", "shift", "comp"),
])  # fmt: skip


def _pieces(text: str) -> list[str]:
    """Commands divided by `&`, `&&`, `||`, `|`, lines and brackets outside of quotes; `^` hides a character."""
    found, piece, quoted, i = [], "", False, 0
    while i < len(text):
        char = text[i]
        if char == '"':
            quoted = not quoted
            piece += char
        elif char == "^" and not quoted:
            i += 1
            piece += text[i : i + 1]
        elif char in "&|\n()" and not quoted:
            found.append(piece)
            piece = ""
        else:
            piece += char
        i += 1
    return [one.strip().lstrip("@").strip() for one in [*found, piece] if one.strip()]


def _put(word: str, job: Job) -> str:
    """Variables: `%TEMP%`, `%USERPROFILE%`; what else stands between per cents nobody knows."""
    home = job.scene.value("HOME") or UNKNOWN
    known = {"temp": "/tmp", "tmp": "/tmp", "userprofile": home, "homepath": home, "cd": ".", "systemroot": "/Windows",
             "windir": "/Windows", "systemdrive": "/", "appdata": home + "/AppData"}  # fmt: skip
    out, parts = "", word.split("%")
    for at, part in enumerate(parts):
        out += part if at % 2 == 0 else known.get(part.lower(), UNKNOWN)
    return out


def _words(piece: str, job: Job) -> list[str]:
    words, word, quoted, seen = [], "", False, False
    for char in piece + " ":
        if char == '"':
            quoted, seen = not quoted, True
        elif char in " \t,;=" and not quoted:
            if word or seen:
                words.append(_put(word, job))
            word, seen = "", False
        else:
            word += char
    return words


def _redirected(job: Job, words: list[str]) -> list[str]:
    kept, skip = [], False
    for at, word in enumerate(words):
        bare = word.lstrip("012")
        if skip:
            skip = False
        elif bare[:1] == ">":
            target = bare.lstrip(">")
            skip = not target
            target = target or "".join(words[at + 1 : at + 2])
            if target and target[:1] != "&" and target.lower() != "nul":
                job.add("write", globbed(target), ">")
        else:
            kept.append(word)
    return kept


def _remove(job: Job, paths: list[str], flags: set[str]) -> None:
    deep = "s" in flags
    for path in paths or [UNKNOWN]:
        whole = path.endswith(("*.*", "/*", "\1", "\1.\1")) and deep
        job.add("delete", path, deep=deep, follow=False)
        if whole:
            job.add("delete", path.rpartition("/")[0] or ".", deep=True)


def _copy(job: Job, paths: list[str], flags: set[str]) -> None:
    if job.name == "robocopy" and flags & {"mir", "purge"}:
        job.all("delete", paths[1:2], "mirrors to it", deep=True)
    job.all("read", paths[:1], "copies it", deep="s" in flags or "e" in flags or job.name == "robocopy")
    job.all("write", paths[1:2], "copies to it", deep=True)
    if job.name == "robocopy" and flags & {"mov", "move"}:
        job.all("delete", paths[:1], "moves it away", deep=True)


def _move(job: Job, paths: list[str], flags: set[str]) -> None:
    job.all("delete", paths[:1], "moves it away", deep=True, follow=False, act="move")
    job.all("write", paths[1:2], "moves to it", deep=True)


def _enter(job: Job, paths: list[str], flags: set[str]) -> None:
    job.scene.enter("".join(paths[:1]) or ".")


def _write(job: Job, paths: list[str], flags: set[str]) -> None:
    job.all("write", paths)


def _fetch(job: Job, paths: list[str], flags: set[str]) -> None:
    if flags & {"urlcache", "transfer", "-urlcache"} or any("://" in path for path in paths):
        job.note("network", f"{job.name} downloads something")
        job.all("write", [path for path in paths if ":" not in path][-1:], "downloads to it")
    else:
        job.note("unknown", f"{job.name} with {' '.join(sorted(flags))}")


ACTS: dict[str, Act] = {
    **dict.fromkeys(("del", "erase", "rd", "rmdir", "deltree"), _remove),
    **dict.fromkeys(("copy", "xcopy", "robocopy"), _copy),
    **dict.fromkeys(("move", "ren", "rename"), _move),
    **dict.fromkeys(("cd", "chdir", "pushd"), _enter),
    **dict.fromkeys(("mkdir", "md", "attrib", "mklink"), _write),
    **dict.fromkeys(("certutil", "bitsadmin"), _fetch),
}


def _behind(words: list[str]) -> int:
    """Where the command begins behind the condition of an `if`."""
    at = next((at for at, word in enumerate(words) if word not in ("not", "/i")), 0)
    pairs = ("exist", "errorlevel", "defined", "cmdextversion")
    compared = words[at : at + 1] and words[at] not in pairs and words[at + 1 : at + 2]
    return at + (3 if compared and compared[0] in ("equ", "neq", "lss", "leq", "gtr", "geq") else 2)


def _one(job: Job, piece: str, depth: int) -> None:
    words = _redirected(job, _words(piece, job))
    if not words:
        return
    name = words[0].replace("\\", "/").rpartition("/")[2].lower().removesuffix(".exe").removesuffix(".com")
    rest = words[1:]
    if name in ("if", "for", "call", "start", "else", "do", "in"):
        lower = [one.lower() for one in rest]
        at = lower.index("do") + 1 if "do" in lower else 0
        if name == "if":
            at = _behind(lower)
        elif name == "start":
            at = next((i for i, one in enumerate(rest) if one[:1] != "/" and " " not in one), len(rest))
        if name != "for" or at:
            _run(job, [one if one[:2] != "%%" else UNKNOWN for one in rest[at:]], depth)
        return
    here = words[0].lower().endswith((".exe", ".com", ".bat", ".cmd", ".ps1")) and name not in {*ACTS, *SHOWS, *HOMES}
    _run(job, [f"./{words[0]}" if here and "/" not in words[0] and "\\" not in words[0] else name, *rest], depth)


def _run(job: Job, words: list[str], depth: int) -> None:
    if not words:
        return
    name = words[0].lower()
    flags = {one[1:].lower() for one in words[1:] if one[:1] in "/-" and 1 < len(one) < 14}
    flags |= {letter for flag in flags if len(flag) < 4 for letter in flag.split("/")}
    paths = [globbed(one) for one in words[1:] if not (one[:1] == "/" and one.count("/") == len(one.split("/")) - 1
                                                      and len(one) < 5 and one[1:2].isalpha())]  # fmt: skip
    own = job.inside([name, *words[1:]], scene=job.scene)
    own.wrappers, own.feed = (*job.wrappers, job.name), ""
    if name in ACTS:
        ACTS[name](own, paths, flags)
    elif name in SHOWS:
        if name in ("type", "more", "find", "findstr"):
            own.all("read", paths)
    elif name in ("cmd", "powershell", "pwsh") or depth > DEEP:
        own.words = [name, *words[1:]]
        job.walk.call(own)
    else:
        own.words = [name, *(one.replace("\\", "/") for one in words[1:])]
        job.walk.call(own)


def batch(job: Job, text: str, depth: int = 0) -> None:
    """Report what a line of cmd does."""
    made = job.again(job.scene.fork())
    for piece in _pieces(text):
        _one(made, piece, depth)
