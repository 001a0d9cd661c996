"""Builds, tests, linters, formatters and package managers: they run what the project says, and some write files."""

from __future__ import annotations

from jackline.file_stat import modified_ms
from jackline.repository import git_root
from jackline.shell.command_call import MAYBE, Job
from jackline.shell.rules import tasks
from jackline.shell.rules.code import interpreter, ran, script
from jackline.shell.rules.wrapping import told_to_run, wrapped
from jackline.shell.wrappers import unwrap
from jackline.system import names

ALWAYS = frozenset(["black", "isort", "rustfmt"])
_WRITES = "format -i --in-place -w --write --fix --unsafe-fixes --fix-only --add-noqa --apply --apply-unsafe"
WRITES = frozenset(_WRITES.split())
CHECKS = frozenset(["--check", "--check-only", "--diff", "--version"])
"""Programs that rewrite sources, words with which others do, and words with which none does."""

_FETCHES = "install add i ci update upgrade up get download sync require fetch pull build-dep dist-upgrade"
FETCHES = frozenset(_FETCHES.split())
_SHOWS = (
    "list ls search show info view outdated tree why audit version config help freeze check env doctor bin root "
    "prefix -v -V --version --help"
)
SHOWS = frozenset(_SHOWS.split())


def build(job: Job) -> None:
    """Runs what the project's files say."""
    given = job.given("fCoI", "file directory output makefile")
    job.note("execute", f"{job.name} runs what the project says")
    job.note("unknown", f"{job.name} runs what the project says")
    job.all("execute", given.values("f", "file", "makefile"), f"{job.name} reads it")
    if job.name in ("make", "gmake"):
        tasks.make(job, given)
    elif job.name == "go":
        job.all("write", job.given("", "o exec toolexec modfile overlay", single=True).values("o"), "an output")
        tasks.go(job)
    tasks.task(job)
    told_to_run(job)


def check(job: Job) -> None:
    """Linters and formatters."""
    words = job.words[1:]
    operands = [word for word in words if word[:1] != "-" and word not in ("format", "check", "lint")]
    job.note("execute", f"{job.name} runs what its configuration says")
    job.all("read", operands, MAYBE, deep=True)
    if (job.name in ALWAYS or not WRITES.isdisjoint(words)) and CHECKS.isdisjoint(words):
        job.all("write", operands or ["."], f"{job.name} rewrites it", deep=True)


def packages(job: Job) -> None:
    """Package managers: they fetch, and run what they fetched."""
    words = [word for word in job.words[1:] if word[:1] != "-"]
    verb = words[0] if words else ""
    told_to_run(job)
    if job.name in ("npm", "pnpm", "yarn", "bun"):
        tasks.package(job)
    tasks.task(job)
    if verb in SHOWS or (not verb and SHOWS & set(job.words[1:])):
        return
    if verb in FETCHES or not verb:
        job.note("network", f"{job.name} fetches packages", act="packages")
    job.note("execute", f"{job.name} runs what packages or the project say")
    job.note("unknown", f"{job.name} {verb}".strip())
    if job.name in ("apt", "apt-get", "aptitude", "dpkg", "yum", "dnf", "rpm", "pacman", "apk", "zypper", "snap"):
        job.note("privilege", f"{job.name} changes the machine", act="packages")


CHECKOUT = "--as-checked-out"
"""With it Jackline runs hooks of the checkout that nobody may have read: `try` its features, `check` its scripts."""
BROUGHT = {"try": ("features", "/hook.py"), "check": ("scripts", "")}


def _checked_out(job: Job) -> None:
    """Hooks of the checkout that the command runs as they are, the youngest first: those may be the agent's own."""
    if CHECKOUT not in job.words or not job.scene.cwd:
        return
    for place in [one for word in job.given("C").values("C") or ["."] for one in job.scene.places(word)]:
        found: list[str] = []
        for verb, (folder, file) in BROUGHT.items():
            at = f"{git_root(place.path) or place.path}/.ai/hooks/{folder}"
            found += [f"{at}/{name}{file}" for name in names(at)] if verb in job.words else []
        for path in sorted(found, key=lambda path: (-modified_ms(path), path)):
            job.add("execute", path, "runs it as it is checked out")
            ran(job, [path], "python", []) if path.endswith(".py") else script(job, job.text(path), [])


def jackline(job: Job) -> str | None:
    """Jackline itself: self-protection reads the verb from the words. `lock run` runs the command behind its key."""
    inner = unwrap("jackline", job.words)
    if inner is not None and inner.at < len(job.words):
        job.scene = job.scene.fork()
        for folder in job.given("C", stop=True).values("C"):
            job.scene.enter(folder)
        return wrapped(job, inner)
    job.note("execute", "jackline")
    job.note("unknown", "jackline " + " ".join(job.words[1:2]))
    _checked_out(job)
    return None


def deno(job: Job) -> None:
    """An interpreter that runs the tasks of a project, too."""
    interpreter(job)
    if job.words[1:2] == ["task"]:
        tasks.task(job)
