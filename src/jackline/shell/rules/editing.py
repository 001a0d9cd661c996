"""Editors, stream editors, pagers and debuggers: what they write in place, and the commands they are told."""

from __future__ import annotations

from jackline.patches import patched_files, removed_files
from jackline.shell.command_call import Job
from jackline.shell.credential_names import printed
from jackline.shell.model import UNKNOWN
from jackline.shell.rules.calls import calls
from jackline.shell.rules.calls_text import substitution
from jackline.shell.rules.changing import emptied
from jackline.shell.shell_state import marked

CALM = frozenset("0123456789,;$pdnqQGHghxNDP!~=IM \n{}")


def _script(job: Job, script: str) -> None:
    """Files that a sed script writes and reads, and commands that it runs."""
    script, i = script + "\n", 0
    while 0 <= i < len(script):
        char = script[i]
        if char in CALM:
            i += 1
        elif char in "/\\":
            mark = script[i + 1] if char == "\\" else "/"
            i += 1 + (char == "\\")
            while i < len(script) and script[i] != mark:
                i += 2 if script[i] == "\\" else 1
            i += 1
        elif char in "sy":
            i = substitution(script, i)
            while i >= 0 and script[i] in "gpiIMe0123456789":
                if script[i] == "e":
                    job.code(None)
                i += 1
        elif char in "wWrRaicbtT:#e":  # to the end of the line
            end = script.index("\n", i)
            told = script[i + 1 : end].strip()
            if char in "wWrR":
                job.add("write" if char in "wW" else "read", told, "a file of the script")
            elif char == "e":
                job.code(told or None)
            i = script.index(";", i) if char in "btT:" and ";" in script[i:end] else end
        else:
            i = -1
    if i < 0:
        job.note("unknown", "a sed script that is past our reading")


EVERYTHING = frozenset(["d", "1,$d", "0,$d", "/.*/d", "/^/d", "/$/d"])
"""Scripts of sed that leave no line."""


def sed(job: Job) -> None:
    given = job.given("efl", "expression file line-length", glued="iI")
    in_place = given.has("i", "I", "in-place")  # `-I` is BSD's
    scripts, sources = given.values("e", "expression"), given.values("f", "file")
    operands = [word for word in given.operands if word or not in_place]  # BSD: `-i ''`
    if not scripts and not sources:
        scripts, operands = operands[:1], operands[1:]
    job.all("read", [*operands, *sources])
    if in_place or given.loose:
        job.all("write", operands, "in place")
    if in_place and scripts and EVERYTHING.issuperset(map(str.strip, scripts)):
        emptied(job, operands)
    if sources or any(map(marked, scripts)):
        job.note("unknown", "a sed script that does not stand there")
    for script in [*scripts, *[str(job.text(value) or "") for value in sources]]:
        _script(job, script)


def awk(job: Job) -> None:
    given = job.given("fFvEeil", "file field-separator assign exec source include load")
    operands, programs = given.operands, given.values("e", "source")
    sources = given.values("f", "file", "E", "exec")
    if not programs and not sources:
        programs, operands = operands[:1], operands[1:]
    job.all("read", [word for word in operands if "=" not in word])
    if "inplace" in given.values("i", "include"):
        job.all("write", operands, "in place")
    programs += [str(job.text(value) or "") for value in sources]
    if sources or given.has("l", "load") or UNKNOWN in "".join(programs):
        job.note("unknown", "an awk program that does not stand there")
    if job.feed is None and not {"-", "/dev/stdin"}.isdisjoint(sources):
        job.fault(f"{job.name} runs text that only the shell knows", act="code.unknown")
    known = dict(word.partition("=")[::2] for word in (*given.values("v", "assign"), *operands))
    for program in programs:
        printed(job, program)
        calls(job, program, "awk", known)


_ESCAPES = ("!", "\\!", ".shell ", ".system ", "shell ", "system ", "platform shell ", "make ", "r !", "r!", "w !")
ESCAPES = tuple(sorted(_ESCAPES, key=len, reverse=True))
"""How lines begin by which the shell of another program runs a command of ours."""

WRITES = ("w! ", "w ", "sav ", "saveas ", "wq ")


def _begun(text: str, beginnings: tuple[str, ...]) -> str:
    """What follows one of these beginnings."""
    return next((text.removeprefix(one).strip() for one in beginnings if text.startswith(one)), "")


def escapes(job: Job, texts: list[str]) -> None:
    """What other programs than a shell are told line by line, and have a shell run."""
    for line in [line for text in texts for line in text.replace(";", "\n").split("\n")]:
        code = _begun(line.strip().lstrip("+:% "), ESCAPES)
        if code:
            job.code(code)


def editor(job: Job) -> None:
    """Line and screen editors: they write the files they are given; their commands may do more."""
    if job.name.startswith("emacs") and job.given("lfL", "eval execute load funcall").has("eval", "execute"):
        from jackline.shell.rules.code import interpreter

        interpreter(job)
    given = job.given("cSuUiTwWpo", "cmd")
    files = [word for word in given.operands if word[:1] != "+"]
    job.all("read", files)
    if "-R" not in job.words and job.name != "view":
        job.all("write", files, "an editor opens it")
    told = [*given.values("c", "cmd"), *given.operands, *(job.feed or "").split("\n")]
    escapes(job, told)
    job.all("write", [_begun(text.lstrip(":% "), WRITES) for text in told], "an editor writes it")
    job.note("unknown", "an editor that may be told commands")


def debugger(job: Job) -> None:
    """`gdb -ex 'shell …'`, `lldb -o 'platform shell …'`."""
    job.note("unknown", f"{job.name} runs a program")
    escapes(job, job.words[1:])


def patches(job: Job, words: list[str], strip: str = "") -> list[str]:
    """The files that patches name, in files or on the input, with and without the folders that `-p` takes away."""
    words = words or [target for operator, target in job.redirs if operator == "<"]
    texts = [job.text(word, run=False) or "" for word in words] or [job.feed or ""]
    count = int(strip) if strip.isdigit() else 1
    named = [(name, "/".join(name.split("/")[count:])) for text in texts for name in patched_files(text)]
    return list(dict.fromkeys([one for pair in named for one in pair if one]))


def patch(job: Job) -> None:
    given = job.given("piodDzBYFgrVx", "strip input output directory reject-file")
    inside = job.again(job.scene.fork())
    for folder in given.values("d", "directory"):
        inside.scene.enter(folder)
    sources = given.values("i", "input") + given.operands[1:2]
    job.all("read", sources)
    outs = given.values("o", "output") + given.operands[:1] + given.values("r", "reject-file")
    if not outs and not given.has("dry-run"):
        outs = patches(job, sources, "".join(given.values("p", "strip")))
        if not outs:
            inside.add("write", ".", "patches what the patch names", deep=True)
    inside.all("write", outs, "patches it")


def apply_patch(job: Job) -> None:
    text = "\n".join([*job.words[1:], job.feed or ""])
    job.all("write", patched_files(text), "patches it")
    job.all("delete", removed_files(text), "a patch removes it")


def perl(job: Job) -> None:
    from jackline.shell.rules.code import interpreter

    given = job.given("eEIMmFCx", glued="i")
    if given.has("i"):
        job.all("write", given.operands, "in place")
    interpreter(job)
