"""The texts before and after a call: files are read as they stand, and what the call asks is applied to them."""

from __future__ import annotations

from jackline.edits.apply import apply
from jackline.edits.arguments import file_edits
from jackline.edits.model import FILES, LIMIT, TOTAL, FileEdit, Proposed
from jackline.edits.notebook import edited
from jackline.paths import path_of_address, resolve, within
from jackline.system import content, exists

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jackline.model import Event

ABSENT, UNREADABLE, BINARY = "absent", "unreadable or too large", "not a text"
UNFIT = "the text to be replaced does not stand in the file, or not once"


class Files:
    """The files of one call as they stand, and as earlier parts of the call leave them."""

    def __init__(self, event: Event) -> None:
        self.root = event.root
        self.cwd = event.cwd or event.root or "/"
        self.home = event.home
        self.left = TOTAL
        self.held: dict[str, tuple[str | None, str]] = {}

    def path(self, told: str) -> str:
        """An absolute path, links resolved."""
        return resolve(self.cwd, path_of_address(told), self.home)

    def text(self, path: str) -> tuple[str | None, str]:
        """A file's text, or None and why there is none."""
        if path not in self.held:
            self.held[path] = self._read(path)
        return self.held[path]

    def _read(self, path: str) -> tuple[str | None, str]:
        try:
            data = content(path, min(LIMIT * 4, max(self.left, 0)))
        except (OSError, ValueError):
            return None, UNREADABLE if exists(path) else ABSENT
        if data is None:
            return None, UNREADABLE
        self.left -= len(data)
        try:
            text = data.decode()
        except UnicodeDecodeError:
            return None, BINARY
        if "\0" in text:
            return None, BINARY
        return (text, "") if len(text) <= LIMIT else (None, UNREADABLE)

    def named(self, path: str) -> str:
        return within(self.root, path)


def _after(one: FileEdit, before: str | None, why: str) -> tuple[str | None, str]:
    """The text that a call leaves, or None and why it is not known."""
    if one.opaque:
        return None, one.opaque
    if one.whole is not None:
        if len(one.whole) > LIMIT or "\0" in one.whole:
            return None, UNREADABLE if len(one.whole) > LIMIT else BINARY
        return one.whole, ""
    if before is None and why != ABSENT:
        return None, why
    if one.cell is not None:
        after = edited(before or "", one.cell)
    elif before is None and any(swap.old for swap in one.swaps):
        return None, ABSENT
    else:
        after = apply(before or "", one.swaps)
    return after, "" if after is not None else UNFIT


def _proposals(one: FileEdit, files: Files) -> list[Proposed]:
    """What comes of one file; of a moved one, what comes of both its places."""
    path = files.path(one.path)
    before, why = files.text(path)
    if one.gone:
        files.held[path] = (None, ABSENT)
        return [Proposed(files.named(path), before, None, why, True)]
    after, fault = _after(one, before, why)
    target = files.path(one.moved) if one.moved else path
    if target == path:
        files.held[path] = (after, fault)
        return [Proposed(files.named(path), before, after, fault)]
    files.held[path] = (None, ABSENT)
    files.held[target] = (after, fault)
    return [
        Proposed(files.named(path), before, None, why, True),
        Proposed(files.named(target), before, after, fault, False, files.named(path)),
    ]


def texts(event: Event) -> tuple[Proposed, ...]:
    """Every file that a call would change, each once: before the call, and after all that it asks of it."""
    try:
        return _texts(event)
    except (ValueError, TypeError, AttributeError, RecursionError, MemoryError):  # input of any shape
        return ()


def _texts(event: Event) -> tuple[Proposed, ...]:
    files = Files(event)
    found: dict[str, Proposed] = {}
    for one in file_edits(event)[:FILES]:
        if not one.path:
            continue
        for new in _proposals(one, files):
            first = found.get(new.path)
            found[new.path] = new if first is None or new.source else new._replace(before=first.before)
    return tuple(found.values())
