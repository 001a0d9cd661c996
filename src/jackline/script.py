"""The words of scripts: a `Script` as wired, and the `Outcome` of one run. Hot: data only."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal, NamedTuple

    Type = Literal["event", "session", "file", "pre-commit"]
else:
    from jackline._record import NamedTuple

TYPES = ("event", "session", "file", "pre-commit")
"""What makes a script run: a lifecycle event, the session's start, changed files at the end of a turn, a commit."""

TIMEOUTS = {"event": 10.0, "session": 300.0, "file": 900.0, "pre-commit": 0.0}
"""Seconds a script of each type has when it names none; 0 = no deadline (design section 2, "Three clocks")."""

CHANGED = "changed since it was compiled"
"""Why a script is not run whose file holds other bytes."""


class Script(NamedTuple):
    """One script as wired: what its front matter declared, defaults filled in.

    `key` is its id (slug of the file name), made unique over all roots of the worktree: it names files and columns.
    `digest` is the content's (`staleness.content`): a file of other bytes is not run. `argv` goes before `path`:
    () = the file is executed itself, else an interpreter and its words. `folder` is the root it was found in, as shown.
    """

    key: str
    type: Type
    path: str  # absolute
    digest: bytes
    name: str = ""  # for show; the file's name by default
    description: str = ""
    argv: tuple[str, ...] = ()
    origin: str = "project"  # managed | user | project
    folder: str = ""  # ".ai/hooks/scripts", ".discobot/hooks", ".config" …
    events: tuple[str, ...] = ()  # canonical names; of `event` scripts
    order: float = 50
    block: bool = False
    tools: tuple[str, ...] = ()  # native names; both empty: every tool
    kinds: tuple[str, ...] = ()
    run: str = "always"  # always | if-allowed: skipped after a denial
    when: str = "stop"  # stop | after: detached, reported at the next event
    timeout: float = 0.0  # seconds; 0 = none
    env: tuple[str, ...] = ()  # variables it asked for although they look secret
    sandbox: str = ""  # "" | project
    run_as: str = "user"  # user | root; of `session` scripts
    sources: tuple[str, ...] = ("startup",)  # `on:`; of `session` scripts
    pattern: tuple[str, ...] = ()  # of `file` scripts; `!` first: taken out again
    exclude: tuple[str, ...] = ()
    baseline: str = "uncommitted"  # uncommitted | session
    notify: bool = True  # `notify_llm`
    mode: str = "enforce"  # enforce | warn | observe; of `event` scripts
    base: str = ""  # the sub-folder that brings it, absolute; "" = the root: it runs there, over the files below it

    def wants(self, tool: str, kind: str) -> bool:
        """Whether this script asked for calls of such a tool."""
        return not (self.tools or self.kinds) or kind in self.kinds or tool in self.tools

    @property
    def prefix(self) -> str:
        """The name that a message to the model begins with (design section 13, row 001)."""
        return "Discobot" if self.folder.startswith(".discobot") else "Jackline"


class Outcome(NamedTuple):
    """One run of a script. `exit` is the status, -N for signal N, 126/127 when it could not be started.

    `out` and `err` are what was kept of both streams (`cut`: there was more), `late`: its deadline ended it,
    `stopped`: we ended it because nobody wants it any more, `fault`: why it was not run at all. Only what an event
    script prints is read apart; of the others `out` is both streams. `both`: they in the order they came, where they
    were read apart and both said something.
    """

    exit: int = 0
    out: bytes = b""
    err: bytes = b""
    ms: float = 0.0
    cut: bool = False
    late: bool = False
    stopped: bool = False
    fault: str = ""
    both: bytes = b""

    @property
    def ok(self) -> bool:
        return self.exit == 0 and not (self.late or self.stopped or self.fault)

    def after(self, earlier: Outcome) -> Outcome:
        """This run as the next part of a whole: files that are too many for one run are given in batches."""
        return self._replace(out=earlier.out + self.out, err=earlier.err + self.err, ms=earlier.ms + self.ms)
