"""What came of validators, by the row that ran and the content it judged: nothing is computed twice.

One small file a result in `<store>/validators/<slot>/`; what a program printed is masked before it gets there.
"""

from __future__ import annotations

from jackline import file_stat, system
from jackline.jsonio import dumps, loads
from jackline.services.validators.place import place

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NamedTuple

    from jackline.services.validators.listing import Validator
else:
    from jackline._record import NamedTuple

FORMAT = 1
MOST = 400
"""Results of a worktree that are kept; the oldest go first."""
LINES, CHARACTERS = 15, 1_500
"""Of what a program printed, as it is shown; its end says the most."""
KEPT = 20_000
"""Characters of it that are kept."""


class Result(NamedTuple):
    """One run. `content`: what it judged; `ms`: how long it took; `at`: when it ended, in milliseconds. `late`: its
    deadline ended it; `fault`: why it could not be run, which is no verdict on the content.
    """

    id: str
    content: str
    ok: bool
    exit: int = 0
    ms: int = 0
    at: int = 0
    late: bool = False
    fault: str = ""
    output: str = ""

    @property
    def word(self) -> str:
        """How it ended, in few words."""
        if self.ok:
            return "passed"
        if self.fault:
            return self.fault
        if self.late:
            return f"did not end in {self.ms / 1000:.0f} s"
        return f"signal {-self.exit}" if self.exit < 0 else f"exit {self.exit}"

    @property
    def digest(self) -> str:
        """The end of what it printed."""
        lines = self.output.rstrip("\n").split("\n")[-LINES:]
        return "\n".join(lines)[-CHARACTERS:]


def _path(store: str, root: str, one: Validator, content: str) -> str:
    return f"{place(store, root)}/{one.digest[:16]}-{content}"


def lock_path(store: str, root: str, one: Validator) -> str:
    """The lock of whoever runs a validator in a worktree."""
    return f"{place(store, root)}/{one.digest[:16]}.lock"


def read(store: str, root: str, one: Validator, content: str) -> Result | None:
    """What came of a validator on some content; None where it never ran on it."""
    if not content:
        return None
    try:
        found = loads(system.read(_path(store, root, one, content), limit=1 << 20).decode())
        return Result(*found[1:]) if found[0] == FORMAT else None
    except (OSError, ValueError, TypeError, IndexError, RecursionError):
        return None


def _prune(folder: str) -> None:
    names = [name for name in system.names(folder) if name[:1] != "." and not name.endswith(".lock")]
    if len(names) > MOST + MOST // 4:
        times = sorted((file_stat.of(f"{folder}/{name}")[1], name) for name in names)
        for _, name in times[:-MOST]:
            system.unlink(f"{folder}/{name}")


def write(store: str, root: str, one: Validator, made: Result) -> None:
    """Keep a result. OSError when the store cannot be written."""
    folder = place(store, root)
    system.make_dirs(folder)
    data = dumps([FORMAT, *made._replace(output=made.output[-KEPT:])]).encode("ascii")
    system.replace(_path(store, root, one, made.content), data)
    _prune(folder)


def is_running(store: str, root: str, one: Validator) -> bool:
    """Whether some process runs this validator in this worktree now."""
    path = lock_path(store, root, one)
    if not system.exists(path):
        return False
    held = system.lock(path, 0)
    if held >= 0:
        system.close(held)
    return held < 0
