"""Programs that may run what they are told: those that we know nothing of, and those that say where it begins."""

from __future__ import annotations

from jackline.shell.programs import is_program, room

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jackline.shell.job import Job

_RUN = "wrappers shells running finding files changing code git network building editing"
RUN = frozenset(_RUN.split())
"""Rooms of programs whose names, among the words of another, are told to be run."""

_VERBS = (
    "- . arch at batch build check command cut exec expand file fold format get help host install join link look mail "
    "net next ninja just go play port print r reg route run sc screen script service set sort split stat task "
    "test time touch trap uniq view watch"
)
VERBS = frozenset(_VERBS.split())
"""Names of programs that other programs take for a verb."""

ENDS = ("kill", "pkill", "killall")

BEHIND = frozenset(["--", "exec", "run", "x", "dlx", "--exec", "--command", "--run", "-c", "-x"])
"""Words behind which a program that we know runs what it is told."""


def leads(word: str) -> bool:
    """A word names a program, and hardly anything else."""
    name = word.rpartition("/")[2]
    return name in ENDS or (name not in VERBS and is_program(name) and (room(name) or "wrappers") in RUN)


def sound(job: Job, text: str) -> None:
    """A literal that may be a command; one that is none leaves no mark."""
    from jackline.shell.grammar import Grammar
    from jackline.shell.model import Unreadable

    try:
        Grammar(text, 1, literal=False).script()
    except Unreadable:
        return
    job.code(text)


CLIENTS = frozenset(["claude", "codex", "gemini", "qwen", "copilot", "cursor-agent", "opencode"])
"""Programs that hand a text to a model."""

SENTENCE = (",", ".", "?", "!", ":", ";")


def _prompt(job: Job, at: int) -> bool:
    """Prose for a model: nobody runs it, and what the model then calls is judged where it calls it.

    A text that is a command from end to end is none: the door of that client hears those of ours, and a model runs
    others as they stand.
    """
    words = job.words[at].split()
    if job.name not in CLIENTS or job.words[at - 1] in ("-c", "--config"):
        return False
    return len(words) > 6 or any(word.endswith(SENTENCE) for word in words)


def told_to_run(job: Job, known: bool = True) -> None:
    """Run what stands among the words of a program: behind a word that says so, or anywhere when it is not `known`."""
    words = job.words
    for at in range(1, len(words)):
        if known and words[at - 1] in BEHIND:
            known = False
        text = words[at].partition("=")[2] if words[at][:2] == "--" else words[at]
        first, _, rest = text.partition(" ")
        option = words[at - 1][:1] == "-" and words[at - 1] in BEHIND
        if _prompt(job, at):
            continue
        if not known and (leads(first) or (rest and option)) and (rest or words[at + 1 :]):
            if rest:
                sound(job, text)
            else:
                job.run(words[at:])
            if first != "ssh":  # which is also a verb, with the command right behind it
                return


UNGUARDED = ("--dangerously", "--yolo")
"""Options by which a program says of itself that it asks nobody."""


def unknown(job: Job) -> None:
    """We know nothing of the program: it may do anything to what it was told, and run it if it is a command."""
    if not job.words[0].isascii() and "/" not in job.words[0]:
        job.fault(f"{job.words[0]!a} only looks like the name of a program")
    if any(word.startswith(UNGUARDED) for word in job.words):
        job.note("privilege", "nobody would be asked any more", act="unguarded")
    job.sure = False
    job.note("unknown", f"no knowledge of {job.name}")
    told_to_run(job, False)
