"""Files that a command names for execution, as text: what this session wrote is walked as if it stood in the command.

What was there before is the project's own: it is walked apart, and of it only what this session wrote counts in full.
Imports and the tests of a known runner are not named, and not read.
"""

from __future__ import annotations

from jackline.file_stat import modified_ms
from jackline.folders import entries
from jackline.globs import match
from jackline.shell.model import UNKNOWN, Text, Unreadable
from jackline.system import read, size_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from jackline.shell.command_call import Job


MOST = 131_072
"""Bytes of a file that we read whole."""

DEEP = 3
MANY = 24
FOLDERS = 200
HEAPS = ("node_modules", ".git")
"""Files that lead to one another, files of one command; folders that a glob is looked up in, and those it is not."""

BUILT = (b"\x7fELF", b"\xcf\xfa\xed\xfe", b"\xce\xfa\xed\xfe", b"\xca\xfe\xba\xbe", b"MZ", b"\0asm")
"""How programs begin that were built; their first line holds a NUL byte, so no shell takes them for a script."""

MAKES = ("builds it", "an output")
"""Notes of effects of what builds a program."""

CARRIES = ("cp", "mv", "install", "ln", "ditto")
"""Programs that bring a file as it is: what this session wrote goes with it."""

FETCHED = ("/node_modules/", "/site-packages/")
"""Folders that package managers fill: they are read, but nobody is asked about what cannot be."""


class Read(str):
    """The text of a file; `own`: this session wrote it."""

    __slots__ = ("changed", "own", "path")
    changed: bool
    own: bool
    path: str

    def becomes(self, text: str) -> Read:
        """What is run of it."""
        made = Read(text)
        made.own, made.path, made.changed = self.own, self.path, self.changed
        return made


def text_at(job: Job, path: str, run: bool = True) -> str:
    """What the file at a path holds that `job` is about to `run`, a `Read`; "" when there is no text to be read, and
    `UNKNOWN` for what is not run, and was not wholly read.

    A file that this session wrote and that is not wholly read is a fault: nobody knows what it does.
    """
    size, since = size_of(path), job.walk.since
    if since is None:
        return ""
    writes = [one for one in job.walk.effects.values() if (one.kind, one.path) == ("write", path) and since > 0]
    changed = any(one.act != "mode" and one.note not in MAKES and one.program not in CARRIES for one in writes)
    if size <= 0:
        if run and changed:
            unread(job, path, "is written by the same command")
        return ""
    own = changed or 0 < since <= modified_ms(path)
    try:
        data = read(path, limit=MOST + 1)
    except OSError:
        data, why = b"", "may not be read"
    else:
        why = "holds NUL bytes" if b"\0" in data else f"is longer than {MOST} bytes" if len(data) > MOST else ""
    if why:
        built = data.startswith(BUILT) and b"\0" in data.partition(b"\n")[0]
        if run and own and not built and not any(folder in path for folder in FETCHED):
            unread(job, path, why)
        return UNKNOWN if own and not run and not built else ""
    made = Read(data.decode("utf-8", "replace"))
    made.own, made.path, made.changed = own, path, changed
    return made


def content(path: str, limit: int = 1 << 20) -> str:
    """What a file holds now, "" when there is none to be read, or it is larger."""
    try:
        return read(path, limit=limit).decode("utf-8", "replace")
    except (OSError, ValueError):
        return ""


def matching(job: Job, pattern: str) -> list[str]:
    """The files of this session that a glob means, those that are there and not too deep."""
    parts = pattern.split("/")
    at = next(at for at, part in enumerate(parts) if any(char in part for char in "*?["))
    todo, found, since = ["/".join(parts[:at])], [], job.walk.since or 0
    for folder in todo if since and at > 1 else ():
        for name, kind in entries(folder):
            path = f"{folder}/{name}"
            if kind == "f" and match(pattern, path) and modified_ms(path) >= since:
                found.append(path)
            elif kind == "d" and name not in HEAPS and len(todo) < FOLDERS:
                todo.append(path)
    return found


SEARCHED = ("PYTHONPATH", "NODE_PATH", "RUBYLIB", "PERL5LIB")
"""Variables of folders in which interpreters look for what is told by its name alone."""
ENDS = (".py", "/__init__.py", "/__main__.py", ".js", ".mjs", ".cjs", ".ts", "/index.js", ".rb", ".pm", ".php")


def by_name(job: Job, name: str) -> list[str]:
    """The files of this session that a name may stand for: `app.main:create`, `App::Main`.

    They lie where the call runs, or in a folder that it or a variable names.
    """
    since, scene = job.walk.since or 0, job.scene
    plain = name.removeprefix("./").replace("::", ".").partition(":")[0].replace(".", "/")
    if not since or not scene.cwd or not all(part.replace("-", "_").isidentifier() for part in plain.split("/")):
        return []
    said = [*job.words[1:], *[value or "" for _, value in job.assigns], *[scene.value(one) or "" for one in SEARCHED]]
    words = [one for word in said for one in word.rpartition("=")[2].split(":")]
    folders = ["", *dict.fromkeys([one for word in words for one in (word, word[2:])])][:MANY]
    paths = [scene.places(folder or ".")[0].path for folder in folders if UNKNOWN not in folder]
    plains = [plain, plain.rpartition("/")[0] or plain]  # the last part may be a name in it
    every = [f"{folder}/{one}{end}" for folder in dict.fromkeys(paths) for one in dict.fromkeys(plains) for end in ENDS]
    return [one for one in every if modified_ms(one) >= since]


def unread(job: Job, path: str, why: str) -> None:
    """A file of this session that is not wholly read."""
    walk = job.walk
    around = walk.source, walk.program
    walk.source, walk.program = path, False
    walk.texts.append(Text(path))
    job.fault(f"{path.rpartition('/')[2]} was written in this session and {why}", act="text.unread")
    walk.source, walk.program = around


def reading(job: Job, text: Read, run: Callable[[Job], str | None], language: str = "") -> str | None:
    """Walk the text of a file: as a part of the command, or, when it was there before, apart."""
    walk = job.walk
    if text in walk.within:
        return None  # it runs itself
    paths = {one.path for one in walk.within}
    if text.path not in paths and (len(paths) >= DEEP or len(walk.texts) >= MANY):
        if text.own:
            unread(job, text.path, f"is more than {DEEP} files deep, or one of too many")
        return None
    around = walk.within, walk.source, walk.program
    walk.within = (*walk.within, text)
    try:
        if not text.own:
            _apart(job, text, run, language)
            return None
        if text.changed and not language:
            unread(job, text.path, "is changed by the same command")
        walk.source, walk.program = text.path, bool(language)
        walk.texts.append(Text(text.path, language, str(text)))
        return run(job)
    finally:
        walk.within, walk.source, walk.program = around


def _apart(job: Job, text: Read, run: Callable[[Job], str | None], language: str) -> None:
    """What a file of the project does: none of it is told among the effects of the command."""
    around = job.walk
    walk = around.__class__()
    walk.since, walk.within, walk.texts = around.since, around.within, around.texts
    walk.depth, walk.steps, walk.remote, walk.mounts = around.depth, around.steps, around.remote, around.mounts
    walk.program = bool(language)
    own = job.inside(job.words, scene=job.scene.fork())
    own.walk, own.wrappers, own.assigns, own.feed = walk, job.wrappers, job.assigns, job.feed
    try:
        run(own)
    except Unreadable as fault:
        walk.fault(str(fault))
    around.texts.append(Text(text.path, language, str(text), walk.answer(True), walk.answer(True, own=True)))
