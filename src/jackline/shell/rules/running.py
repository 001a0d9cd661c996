"""Programs that run other commands: `xargs`, `parallel`, watchers, tools with subcommands."""

from __future__ import annotations

from jackline.shell.command_call import Job
from jackline.shell.expand import blanked
from jackline.shell.model import UNKNOWN
from jackline.shell.options import option
from jackline.shell.rules.wrapping import PLAIN, SHELLS, quoted, wrapper
from jackline.shell.shell_state import Names
from jackline.shell.wrappers import unwrap

CODES = ("-e", "--eval", "-p", "--print", "-")
"""Words behind which, or instead of which, bun runs a text."""

CONTAINERS = "docker podman nerdctl kubectl oc docker-compose"


def tool(job: Job) -> str | None:
    """Tools that run commands only with some subcommands; `rules.building` and `rules.network` know the others."""
    words = [word for word in job.words if word != "run"]
    if job.name == "bun" and (not words[1:] or words[1] in CODES or words[1].startswith("/dev/")):
        from jackline.shell.rules.code import interpreter as rule

        job = job.inside(words)
    elif job.name in ("docker", "podman", "nerdctl") and "compose" in job.words[1:4]:
        return job.run(["docker-compose", *job.words[job.words.index("compose") + 1 :]])
    elif unwrap(job.name, job.words) is not None:
        return wrapper(job)
    elif job.name in CONTAINERS.split():
        from jackline.shell.rules.network import containers as rule
    else:
        from jackline.shell.rules.building import packages as rule
    rule(job)
    return None


def command(job: Job) -> str | None:
    """`command`, `builtin`, `exec`: they run their words in this shell."""
    if job.name == "command" and len(job.words) > 1 and job.words[1][:1] == "-" and set("vV") & set(job.words[1]):
        return job.words[2] + "\n" if len(job.words) == 3 and "V" not in job.words[1] else None
    if len(job.words) == 1:
        if job.name == "exec" and any(op in INPUTS for op, _ in job.redirs):
            job.fault("exec changes what later commands read")
        return None if job.name == "exec" and any(op in OUTPUTS for op, _ in job.redirs) else ""
    return wrapper(job)


OUTPUTS = frozenset([fd + op for fd in ("", "1") for op in (">", ">|", ">>", "&>", "&>>")])
INPUTS = frozenset([fd + op for fd in ("", "0") for op in ("<", "<<", "<<-", "<<<", "<&", "<>")])


def env(job: Job) -> str | None:
    """`env -S 'a b' c` splits its first word."""
    words, at = job.words, 1
    while at < len(words) and words[at][:1] == "-":
        given, at = option(words, at, "uCPS", " split-string unset chdir ")
        for text in [value for name, value in given if value and name in ("S", "split-string")]:
            code = "env " + text.translate(PLAIN) + " " + " ".join(map(quoted, words[at:]))
            return job.again().code(None if "\\" in text else code)  # it reads backslashes in its own way
    return wrapper(job)


def xargs(job: Job) -> str | None:
    inner = unwrap("xargs", job.words)
    if inner is None or inner.at >= len(job.words):
        return None
    job.all("read", inner.given.values("a", "arg-file"))
    if inner.uncertain:
        job.fault("xargs has an option we do not know, so we may miss where its command begins")
    words = job.words[inner.at :]
    options = dict(inner.given.options)
    replace = next((options[name] or "{}" for name in ("I", "i", "J", "replace") if name in options), "")
    told = blanked(job.feed) if job.feed and UNKNOWN not in job.feed and not set(job.feed) & SPECIAL else None
    if isinstance(job.feed, Names):
        told = job.feed.split("\n")[:-1]
    if options.keys() - HARMLESS - ({"0", "null", "n", "P", "L"} if isinstance(job.feed, Names) else set()):
        told = None  # from elsewhere, or divided in another way
    if _chooses(words, replace, told is not None):
        job.fault("xargs makes code of its input, or takes what it runs from there", act="code.unknown")
    lines = (job.feed or "").split("\n") if told is not None and len(told) <= 16 else [UNKNOWN]
    runs = [[word.replace(replace, one.lstrip(" \t")) for word in words] for one in lines if one.strip(" \t")]
    printed = None
    for run in runs if replace else [[*words, *([UNKNOWN] if told is None else told)]]:
        made = job.inside(run, inner.at, job.scene.fork())
        made.fed, made.feed = told is None, ""
        printed = job.walk.call(made)
    return printed


def _chooses(words: list[str], replace: str, known: bool) -> bool:
    """The input of `xargs` says what a shell or an interpreter runs, or which of its options."""
    name = words[0].rpartition("/")[2].rstrip("0123456789.")
    if name in SHELLS and "-c" in words:
        code = words[words.index("-c") + 1 :][:1]
        return code in ([], [replace]) or any(one in code[0] for one in ("eval", '-c "$', "-c $"))
    if name not in INTERPRETERS or known:
        return False
    filled = [word for word in words[1:] if word[:1] != "-" or (replace and replace in word)][:1]
    return not replace if not filled else filled == [replace] or bool(replace and filled[0][:1] == "-")


INTERPRETERS = frozenset(
    ["python", "node", "ruby", "perl", "php", "lua", "awk", "gawk", "mawk", "nawk", "deno", "bun", "rscript"]
)
HARMLESS = frozenset(["I", "i", "replace", "t", "r", "no-run-if-empty"])
"""Options of `xargs` that leave its words as they come."""

SPECIAL = frozenset("\\'\"\v\f\r")
"""Characters that `xargs` does not take as they are, or perhaps not."""

PARALLEL = (
    "jobs arg-file joblog results tmpdir max-args timeout delay header colsep block recstart recend memfree load "
    "retries halt tag-string tagstring env workdir wd sshlogin"
)
MARKS = ("{.}", "{/}", "{//}", "{/.}", "{#}", "{1}", "{}")
"""Where GNU parallel puts a value, or what it makes of one."""


def parallel(job: Job) -> None:
    """GNU parallel joins its words, puts a value in, and has a shell read the whole again."""
    words, given = job.words, job.given("jaSINnL", PARALLEL, stop=True)
    job.sure = False
    i = len(words) - len(given.operands)
    end = next((at for at in range(i, len(words)) if words[at].startswith(":::")), len(words))
    inner, text = words[i:end], " ".join(word.translate(PLAIN) for word in words[i:end])
    values = words[end + 1 :] if words[end : end + 1] == [":::"] else []
    if end == len(words):
        values = (job.feed or "").splitlines()
    if not values or len(values) > 16 or any(word.startswith(":::") for word in values):
        values = [UNKNOWN]
    for value in values:
        own = '"$1"' if value == UNKNOWN else quoted(value)
        filled = text if any(mark in text for mark in MARKS) or not text else f"{text} {own}"
        for mark in MARKS:
            filled = filled.replace(mark, own if mark in ("{}", "{1}") else '"$1"')
        job.code(filled or (None if value == UNKNOWN else value), args=["parallel", UNKNOWN])
        if inner and value != UNKNOWN and " " not in inner[0]:  # else only a shell makes more than one word of it
            # Some programs of this name start the command by themselves, without a shell.
            words = [word.replace("{}", value).replace("{1}", value) for word in inner]
            job.run(words if "{}" in text or "{1}" in text else [*words, value])


def flock(job: Job) -> str | None:
    given = job.given("wEc", "wait timeout conflict-exit-code command", stop=True)
    job.all("write", given.operands[:1], "lock")
    words, texts = given.operands[1:], given.values("c", "command")
    if words[:1] in (["-c"], ["--command"]):
        texts = words[1:]
    return job.code(texts[0]) if texts else job.run(words, len(job.words) - len(words))


def entr(job: Job) -> str | None:
    """`entr -s text` has a shell run the text."""
    inner = unwrap("entr", job.words)
    if inner is not None and inner.given.has("s"):
        return job.code(" ".join(job.words[inner.at : inner.at + 1]))
    return wrapper(job)
