"""What a call asks of a file, and the texts before and after it."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, NamedTuple
else:
    from jackline._record import NamedTuple

LIMIT = 1_000_000
"""Characters of one file that are looked at; a longer text is unknown."""
FILES = 200
"""Files of one call that are looked at."""
TOTAL = 16_000_000
"""Characters of one call that are looked at."""


class Swap(NamedTuple):
    """One replacement: `old` gives way to `new`. `every`: wherever it stands; else it must stand once.

    `line` (1 and up, 0 = not told) says where it starts; with an empty `old` it says before which line `new` goes
    (-1 = at the end). `loose`: whole lines, found by their order and, if need be, without their outer blanks, as
    patches are. `anchor` is a line that stands above.
    """

    old: str
    new: str
    every: bool = False
    line: int = 0
    loose: bool = False
    anchor: str = ""


class FileEdit(NamedTuple):
    """What a call asks of one file, as its input wrote it: a whole text, or swaps in order, or that it goes.

    `moved` is the path it shall have afterwards. `opaque` says why the text afterwards cannot be known.
    `cell` are the arguments of a call that changes one cell of a notebook.
    """

    path: str
    whole: str | None = None
    swaps: tuple[Swap, ...] = ()
    gone: bool = False
    moved: str = ""
    opaque: str = ""
    cell: Mapping[str, Any] | None = None


class Proposed(NamedTuple):
    """One file's text before and after a call; None is absent or unknown, and then `why` says which.

    `path` is relative to the event's root when inside, else absolute, links resolved. `gone`: the call removes it.
    `source`: the path whose text this is, when the call moves a file here (`before` is then the source's text).
    """

    path: str
    before: str | None
    after: str | None
    why: str = ""
    gone: bool = False
    source: str = ""
