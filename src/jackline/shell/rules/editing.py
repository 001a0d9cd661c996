"""Editors, stream editors, pagers and debuggers: what they write in place, and the commands they are told."""

from __future__ import annotations

from jackline.shell.model import UNKNOWN
from jackline.shell.named import printed
from jackline.shell.rules.literals import substitution
from jackline.shell.rules.overwriting import emptied
from jackline.shell.scene import marked

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from jackline.shell.job import Job
    from jackline.shell.model import Kind

CALM = frozenset("0123456789,;$pdnqQGHghxNDP!~= \n{}")


def dangers(script: str) -> tuple[dict[Kind, list[str]], list[str | None], bool]:
    """Files that a sed script writes and reads, commands that it runs, and whether it is past our reading."""
    files: dict[Kind, list[str]] = {"write": [], "read": []}
    codes: list[str | None] = []
    i = 0
    while i < len(script):
        char = script[i]
        if char in CALM:
            i += 1
        elif char in "/\\":
            mark = script[i + 1 : i + 2] if char == "\\" else "/"
            i += 1 + (char == "\\")
            while i < len(script) and script[i] != mark:
                i += 2 if script[i] == "\\" else 1
            i += 1
            while script[i : i + 1] and script[i] in "IM":
                i += 1
        elif char in "sy":
            i = substitution(script, i)
            if i < 0:
                return files, codes, True
            while script[i : i + 1] and script[i] in "gpiIMe0123456789":
                if script[i] == "e":
                    codes.append(None)
                i += 1
            if script[i : i + 1] == "w":
                end = script.find("\n", i)
                files["write"].append(script[i + 1 : end if end >= 0 else len(script)].strip())
                i = end if end >= 0 else len(script)
        elif char in "wW":
            end = script.find("\n", i)
            files["write"].append(script[i + 1 : end if end >= 0 else len(script)].strip())
            i = end if end >= 0 else len(script)
        elif char in "aicrRbtT:#":
            end = script.find("\n", i)
            while end > 0 and script[end - 1] == "\\":
                end = script.find("\n", end + 1)
            if char in "btT:" and ";" in script[i : end if end >= 0 else len(script)]:
                end = script.index(";", i)
            if char in "rR":
                files["read"].append(script[i + 1 : end if end >= 0 else len(script)].strip())
            i = end if end >= 0 else len(script)
        elif char == "e":
            end = script.find("\n", i)
            codes.append(script[i + 1 : end if end >= 0 else len(script)].strip() or None)
            i = end if end >= 0 else len(script)
        else:
            return files, codes, True
    return files, codes, False


EVERYTHING = frozenset(["d", "1,$d", "0,$d", "/.*/d", "/^/d", "/$/d"])
"""Scripts of sed that leave no line."""


def sed(job: Job) -> None:
    given = job.given("efl", "expression file line-length", glued="i")
    in_place = given.has("i", "in-place")
    if any(word == "-i" for word in job.words) and job.words[job.words.index("-i") + 1 :][:1] == [""]:
        given.operands = [word for word in given.operands if word]  # BSD: `-i ''`
    scripts = given.values("e", "expression")
    operands = given.operands
    if not scripts and not given.has("f", "file"):
        scripts, operands = operands[:1], operands[1:]
    job.all("read", operands)
    if in_place or given.loose:
        job.all("write", operands, "in place")
    if in_place and scripts and EVERYTHING.issuperset(map(str.strip, scripts)):
        emptied(job, operands)
    for value in given.values("f", "file"):
        job.add("read", value)
        job.note("unknown", "a sed script in a file")
        scripts.append(str(job.text(value) or ""))
    for script in scripts:
        if marked(script):
            job.note("unknown", "a sed script that only the shell knows in part")
        files, codes, past = dangers(script)
        for kind, names in files.items():
            job.all(kind, names, "a file of the script")
        for code in codes:
            job.code(code)
        if past:
            job.note("unknown", "a sed script that is past our reading")


def awk(job: Job) -> None:
    given = job.given("fFvEeil", "file field-separator assign exec source include load")
    operands = given.operands
    programs = given.values("e", "source")
    if not programs and not given.has("f", "file", "E", "exec"):
        programs, operands = operands[:1], operands[1:]
    job.all("read", [word for word in operands if "=" not in word])
    if "inplace" in given.values("i", "include"):
        job.all("write", operands, "in place")
    if given.has("f", "file", "E", "exec", "l", "load"):
        job.note("unknown", "an awk program in a file")
        programs += [str(job.text(value) or "") for value in given.values("f", "file", "E", "exec")]
        if job.feed is None and not {"-", "/dev/stdin"}.isdisjoint(given.values("f", "file", "E", "exec")):
            job.fault(f"{job.name} runs text that only the shell knows", act="code.unknown")
    for program in programs:
        printed(job, program)
        if UNKNOWN in program:
            job.note("unknown", "an awk program that only the shell knows in part")
        bare = skeleton(program)
        if "system" in bare or "|" in bare.replace("||", "") or ">" in bare or "getline" in bare or "@" in bare:
            output(job, program, bare)


OPERANDS = frozenset(')]$_"' + "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")
"""Characters behind which a slash divides; elsewhere it begins an expression."""


def literals(program: str) -> list[tuple[int, int]]:
    """Where the strings and the regular expressions of an awk program stand, their marks included."""
    found, i, last = [], 0, ""
    while i < len(program):
        char = program[i]
        closed = _closing(program, i) if char == '"' or (char == "/" and last not in OPERANDS) else -1
        if closed > 0:
            found.append((i, closed + 1))
            i = closed
        if not char.isspace():
            last = char
        elif char == "\n":
            last = ""
        i += 1
    return found


def skeleton(program: str) -> str:
    """An awk program without what stands in its strings and its regular expressions."""
    found, at = "", 0
    for start, end in literals(program):
        found += program[at : start + 1] + program[start]
        at = end
    return found + program[at:]


LITERAL = 0xE000
"""From here on, characters stand for the literals of a program."""


def targets(program: str, assigned: dict[str, str]) -> Iterator[str]:
    """The files that an awk program prints into; what no string and no variable from outside says is not known."""
    texts, bare, at = list[str](), "", 0
    for start, end in literals(program):
        bare += program[at:start] + chr(LITERAL + len(texts))
        texts.append(program[start + 1 : end - 1])
        at = end
    for statement in (bare + program[at:]).translate(dict.fromkeys(map(ord, ";{}"), "\n")).split("\n"):
        said, depth, cut = statement.partition("print")[2], 0, -1
        for place, char in enumerate(said):
            depth += (char in "([") - (char in ")]")
            cut = place if char == ">" and not depth else cut
        target = said[cut + 1 :].translate(dict.fromkeys(map(ord, "() \t"))) if cut >= 0 else ""
        made = assigned.get(target, "")
        for char in target if not made else "":
            literal = ord(char) - LITERAL
            made += texts[literal] if 0 <= literal < len(texts) else UNKNOWN if made[-1:] != UNKNOWN else ""
        yield made


def _closing(program: str, start: int) -> int:
    """Where the string or the expression that begins here ends; -1 when it does not, on its line."""
    i = start + 1
    while i < len(program) and program[i] != "\n":
        if program[i] == program[start]:
            return i
        i += 2 if program[i] == "\\" else 1
    return -1


def quotes(program: str) -> list[tuple[int, int]]:
    """Where the strings of an awk program stand, quotes included."""
    return [(start, end) for start, end in literals(program) if program[start] == '"']


def _decoded(text: str) -> str:
    """What the escapes in a string of awk stand for; the text as it is when we do not know."""
    if "\\" not in text:
        return text
    from jackline.shell.rules.printing import unescape

    told = unescape(text.replace('\\"', '"').replace("\\/", "/"), "format")
    return text if told is None else told


def output(job: Job, program: str, bare: str) -> None:
    """An awk program that writes or runs something: what its strings say."""
    job.lent = False
    given = job.given("fFvEeil", "file field-separator assign exec source include load")
    assigned = [one.partition("=") for one in (*given.values("v", "assign"), *given.operands) if "=" in one]
    for target in targets(program, {name: text for name, _, text in assigned}):
        job.add("write", target, "awk >")
    for start, end in quotes(program):
        text = program[start + 1 : end - 1]
        before, after = program[:start].rstrip(), program[end:].lstrip()
        piped = before.endswith("|") and not before.endswith("||")
        if piped or before.replace(" ", "").endswith("system(") or after.replace(" ", "").startswith("|getline"):
            own = job.again()
            own.feed = None if piped else job.feed
            text = _decoded(text)
            own.code(text if after[:1] in ("", ")", "}", ";", "|", ",", "\n") else text + UNKNOWN)
    for at in [at for at in range(len(bare)) if bare.startswith(("system", "|"), at)]:
        rest = bare[at + 1 :].lstrip() if bare[at] == "|" else bare[at + 6 :].lstrip().removeprefix("(").lstrip()
        if bare[at] == "|" and ("|" in (bare[at - 1 : at], rest[:1]) or rest[:1] == "&"):
            continue  # a choice
        ours = rest.startswith("getline") and not bare[:at].rstrip().endswith('"')
        if ours or not rest.startswith(('"', "getline")):
            job.fault(f"{job.name} runs what its input says", act="code.unknown")
    if "system" in bare or "getline" in bare or "|" in bare.replace("||", "") or "@" in bare:
        job.note("unknown", "an awk program that may write or run anything")


def editor(job: Job) -> None:
    """Line and screen editors: they write the files they are given; their commands may do more."""
    if job.name.startswith("emacs"):
        from jackline.shell.rules.code import interpreter

        if job.given("lfL", "eval execute load funcall").has("eval", "execute"):
            interpreter(job)
    silent = any(word in ("-e", "-E", "-es", "-Es") for word in job.words)
    letters = "cSuUiTwWpo" + ("" if silent else "s")
    given = job.given(letters if job.name.endswith(("vi", "vim", "ex")) else "p", "cmd", stop=False)
    commands = given.values("c", "cmd") + [word[1:] for word in given.operands if word[:1] == "+"]
    files = [word for word in given.operands if word[:1] != "+"]
    job.all("read", files)
    if "-R" not in job.words and job.name != "view":
        job.all("write", files, "an editor opens it")
    for command in commands:
        text = command.strip().lstrip(":%")
        if text[:1] == "!" or "system(" in text or text.startswith(("r !", "r!", "w !")):
            job.code(text[text.index("!") + 1 :] if "!" in text else None)
        for verb in ("w! ", "w ", "sav ", "saveas ", "wq "):
            if text.startswith(verb):
                job.add("write", text[len(verb) :].strip(), "an editor writes it")
    if job.name in ("ed", "ex") and job.feed != "":
        for line in (job.feed or "").split("\n"):
            if line[:2] in ("w ", "W ") and line[2:].strip():
                job.add("write", line[2:].strip(), "an editor writes it")
            elif "!" in line[:3]:
                job.code(line[line.index("!") + 1 :])
        if job.feed is None:
            job.note("unknown", "an editor with commands we do not know")
    elif commands or given.has("S", "s", "batch", "eval", "script", "load", "l", "f"):
        job.note("unknown", "an editor that is told commands")
        if job.walk.since:
            from jackline.shell.rules.code import handed

            handed(job, job.words[1:])


def escapes(job: Job, texts: list[str], starts: tuple[str, ...]) -> None:
    """Lines by which the shell of another program runs a command of ours."""
    for text in texts:
        for line in text.replace(";", "\n").split("\n"):
            for start in starts:
                if line.lstrip().startswith(start):
                    job.code(line.lstrip()[len(start) :].strip())


def debugger(job: Job) -> None:
    """`gdb -ex 'shell …'`, `lldb -o 'platform shell …'`."""
    job.note("unknown", f"{job.name} runs a program")
    given = job.given("xo", "ex eval-command command one-line batch-silent", single=True)
    escapes(job, given.values("ex", "eval-command", "o", "one-line"), ("shell ", "!", "platform shell ", "make "))


def manual(job: Job) -> None:
    """`man`: its pager is a launcher's option."""


def patch(job: Job) -> None:
    given = job.given("piodDzBYFgrVx", "strip input output directory reject-file")
    here = job.scene.fork()
    for folder in given.values("d", "directory"):
        here.enter(folder)
    job.all("read", given.values("i", "input") + given.operands[1:2])
    inside = job.again(here)
    outs = given.values("o", "output") + given.operands[:1] + given.values("r", "reject-file")
    inside.all("write", outs, "patches it")
    if given.has("dry-run"):
        return
    if not outs:
        named = touched(job.feed or "")
        for name in named:
            strip = "".join(given.values("p", "strip"))
            count = int(strip) if strip.isdigit() else 0
            inside.add("write", "/".join(name.split("/")[count:]) or name, "patches it")
        if not named or job.feed is None:
            inside.add("write", ".", "patches what the patch names", deep=True)
            job.note("unknown", "patches files that the patch names")


def touched(
    text: str,
    starts: tuple[str, ...] = (
        "--- ",
        "+++ ",
        "*** Update File: ",
        "*** Add File: ",
        "*** Delete File: ",
        "*** Move to: ",
    ),
) -> list[str]:
    """Files named in a patch."""
    found: list[str] = []
    for line in text.split("\n"):
        for start in starts:
            if line.startswith(start):
                name = line[len(start) :].split("\t")[0].strip()
                if name and name != "/dev/null":
                    found.append(name)
    return found


def apply_patch(job: Job) -> None:
    text = "\n".join([*job.words[1:], job.feed or ""])
    named = touched(text)
    job.all("write", named, "patches it")
    # A moved file is removed, too.
    gone = touched(
        text, ("*** Delete File: ", "*** Update File: ") if "*** Move to: " in text else ("*** Delete File: ",)
    )
    job.all("delete", gone, "a patch removes it")
    if not named:
        job.note("unknown", "patches files that the patch names")


def perl(job: Job) -> None:
    from jackline.shell.rules.code import interpreter

    words = job.words[1:]
    clusters = [word[1:] for word in words if word[:1] == "-" and word[1:2] not in ("-", "e", "E", "I", "M", "m", "")]
    if any("i" in cluster.partition("e")[0].partition("E")[0] for cluster in clusters):
        job.all("write", job.given("eEIMmFCx", glued="i").operands, "in place")
    interpreter(job)
    given = job.given("eEIMmFCx", glued="i")
    silent = given.has("n") and ("i", "") in given.options and not given.has("p")
    if silent and not any(verb in code for verb in ("print", "say", "write") for code in given.values("e", "E")):
        emptied(job, given.operands)
