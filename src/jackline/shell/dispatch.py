"""Call the rule that judges a program; modules of rules, one a subject, are loaded when a command needs them."""

from __future__ import annotations

from jackline.shell.launch import launches, leftover
from jackline.shell.lexis import PARAM
from jackline.shell.model import UNKNOWN
from jackline.shell.programs import HOOKS, SYSTEM, home
from jackline.shell.rules.wrapping import unknown
from jackline.shell.shell_state import marked, shown
from jackline.shell.texts import Read
from jackline.shell.wrappers import WRAPPERS, unwrap

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jackline.shell.command_call import Job, Rule
    from jackline.shell.lexis import Parts

PACKAGED = frozenset(["npx", "npm", "pnpm", "yarn", "bunx", "bun"])
"""Programs that run what a package brought."""


_RULES: dict[str, Rule] = {}
"""Rules that were found before, by their programs."""


def rule(name: str) -> Rule | None:
    """The rule of a program, or None when there is none."""
    if name not in _RULES and (place := home(name)):
        room, function = place
        _RULES[name] = getattr(__import__(f"jackline.shell.rules.{room}", fromlist=[function]), function)
    return _RULES.get(name)


def guessed(parts: Parts) -> str:
    """The program that a variable is named for: `$RM -rf src`."""
    name = parts[0][1].lower() if len(parts) == 1 and parts[0][0] is PARAM else ""
    return name if home(name) or name in WRAPPERS else "sh" if name == "shell" else ""


def lends(job: Job) -> bool:
    """A variable of the person's names the program: one that we do not know. False when it is handed code, or when
    nothing of the call is known."""
    if any(" " in word or "\n" in word for word in job.words) or all(UNKNOWN in word for word in job.words):
        return False
    unknown(job)
    return True


BATCH = frozenset(["del", "erase", "rd"])
"""Commands of cmd.exe that people write for any shell of Windows."""


def _windows(job: Job) -> bool:
    """A command of PowerShell or cmd that changes the machine: some clients do not say which shell reads their text."""
    from jackline.shell.rules.powershell_names import NOUNS

    if "-" in job.name and job.name.rpartition("-")[2] in NOUNS:
        from jackline.shell.rules.shells import cmdlet

        cmdlet(job)
    elif job.name in BATCH and any(word[:1] == "/" and len(word) == 2 for word in job.words):
        from jackline.shell.rules.windows import batch

        batch(job, " ".join(map(shown, job.words)))
    else:
        return False
    return True


def judge(job: Job) -> str | None:
    """Report the effects of one call. Returns what it prints, when that is certain."""
    word = job.words[0]
    folder = word.rpartition("/")[0]
    text: str | None = ""
    if "/" in word and folder not in SYSTEM:
        # A program of that name, but not that program.
        job.add("execute", word, "runs it")
        unknown(job)
        text = job.text(word)
    elif job.walk.since and "/" not in word and (job.walk.within or not PACKAGED.isdisjoint(job.wrappers[-1:])):
        text = job.text(f"node_modules/.bin/{word}")  # found there before any other
        text = text if isinstance(text, Read) and text.own else ""
    if text != "":
        from jackline.shell.rules.code import script

        script(job, text, job.words[1:])
    if len(job.words) == 2 and job.words[1] in ("--version", "--help") and "/" not in word and not marked(word):
        return None
    launches(job)
    found = rule(job.name)
    if job.name in HOOKS and "/" not in word and not {"", *job.words[1:2]}.isdisjoint(HOOKS[job.name].split(" ")):
        job.note("unknown", f"{job.name} prints settings for the shell")
        return ""
    inner = unwrap(job.name, job.words) if found is None else None
    if inner is not None:
        from jackline.shell.rules.wrapping import wrapped

        return wrapped(job, inner)
    said = found(job) if found is not None else None
    if found is None and ("/" not in word or folder in SYSTEM) and not _windows(job):
        unknown(job)
        if job.walk.since:
            from jackline.shell.rules.tasks import task

            task(job)
    leftover(job)
    return said
