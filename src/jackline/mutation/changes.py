"""From a tool call to the class of its change: trees that are equal, trees that are not, or nothing to compare."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from jackline.edits.arguments import file_edits
from jackline.edits.notebook import code
from jackline.edits.texts import texts
from jackline.mutation import data, grammars, python, tree
from jackline.mutation.model import EVOLUTION, REFACTOR, UNKNOWN, Mutation

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jackline.edits.model import FileEdit
    from jackline.model import Event

LONG, LONG_YAML = 150_000, 40_000
"""Characters of a text that is parsed; a person waits for the answer, and the reader of YAML is slow."""
TOTAL = 2 * LONG
"""Characters of one call that are parsed."""
SAME, OTHER = 0.95, 0.8
"""How sure equal trees are, and other ones: as often as the labelled changes say so (docs/classification.md)."""
BY_CALL = 0.9
"""Of that remains so much where the file is not known."""

Texts = tuple[str, str | None, str | None]
"""Path, text before, text after; None is an absent file."""


def _unknown(why: str) -> Mutation:
    return Mutation(UNKNOWN, 0.0, (why,))


def _lines(text: str) -> list[str]:
    """Lines without what only lays them out, in any language."""
    return [line.rstrip() for line in text.splitlines() if line.strip()]


def _parsed(text: str, end: str) -> Any:
    """What a text is to its language, None where it cannot be read."""
    if end in data.FORMATS:
        return data.read(text, end)
    return grammars.read(text, grammars.GRAMMARS[end]) if end in grammars.GRAMMARS else python.read(text)


def _unreadable(end: str, size: int) -> str:
    """Why a text of this sort is not parsed, "" where it is."""
    if size > (LONG_YAML if end in ("yml", "yaml") else LONG):
        return "too long to be parsed"
    if end in grammars.GRAMMARS and grammars.parser(grammars.GRAMMARS[end]) is None:
        return f"no grammar for .{end} files: install {grammars.EXTRA}"
    known = end in grammars.GRAMMARS or end in data.FORMATS or end in python.ENDS
    return "" if known else "no syntax to compare in files of this sort"


def _told_apart(path: str, end: str, before: str, after: str) -> Mutation:
    """The class that two texts come to as they are parsed."""
    old, new = _parsed(before, end), _parsed(after, end)
    if old is None or new is None:
        return _unknown("it does not parse")
    if end in data.FORMATS:
        return (
            Mutation(REFACTOR, SAME, ("the same data",)) if old == new else Mutation(EVOLUTION, SAME, ("other data",))
        )
    how = tree.alike(old, new, exports=path.endswith("__init__.py"))
    return Mutation(REFACTOR, SAME, (how,)) if how else Mutation(EVOLUTION, OTHER, ("the syntax trees differ",))


def _compared(path: str, before: str, after: str) -> Mutation:
    """The same, or why it cannot be told."""
    end = path.rpartition(".")[2].lower()
    why = _unreadable(end, max(len(before), len(after)))
    try:
        return _unknown(why) if why else _told_apart(path, end, before, after)
    except (RecursionError, MemoryError):
        return _unknown("nested too deeply")


def judge(path: str, before: str, after: str) -> Mutation:
    """The class of a change of one text."""
    if before == after:
        return Mutation(REFACTOR, 1.0, ("no change",))
    made = _compared(path, before, after)
    if made.kind == UNKNOWN and _lines(before) == _lines(after):
        return Mutation(REFACTOR, SAME, ("only blanks at line ends or blank lines differ",))
    return made


def _one(path: str, before: str | None, after: str | None) -> Mutation:
    """One file."""
    if path.endswith(".ipynb"):
        before, after = (None if text is None else code(text) for text in (before, after))
        path += ".py"
    if before is None and after is None:
        return _unknown("no text to compare")
    if before is None or after is None:
        return Mutation(EVOLUTION, SAME, ("a new file" if before is None else "a file removed",))
    return judge(path, before, after)


def _together(found: list[Mutation]) -> Mutation:
    """The class of several changes in one call: one that changes what is done makes the call one."""
    if not found:
        return _unknown("no text to compare")
    evolving = [one for one in found if one.kind == EVOLUTION]
    if evolving:
        return max(evolving, key=lambda one: one.confidence)
    return min(found, key=lambda one: (one.kind != UNKNOWN, one.confidence))


def of_texts(given: Iterable[Texts]) -> Mutation:
    """The class of changes of texts, as many of them as are parsed in time."""
    found, size = [], 0
    for path, before, after in given:
        size += len(before or "") + len(after or "")
        if size > TOTAL:
            found.append(_unknown("too much to be parsed"))
        elif before != after or before is None:
            found.append(_one(path, before, after))
    return _together(found)


def _by_call(edit: FileEdit) -> Mutation:
    """The class of an edit whose file is not known, by the pieces that it names."""
    if edit.gone:
        return Mutation(EVOLUTION, OTHER, ("a file removed",))
    if edit.opaque or not edit.swaps:
        return _unknown(edit.opaque or "no text to compare")
    made = of_texts([(edit.path, swap.old, swap.new) for swap in edit.swaps])
    return made._replace(confidence=round(made.confidence * BY_CALL, 2), signals=(*made.signals, "by the call alone"))


def _event(event: Event) -> Mutation:
    files = texts(event)
    if not files or any(one.after is None and not (one.gone and one.before is not None) for one in files):
        return _together([_by_call(one) for one in file_edits(event)])
    moved = {one.source for one in files if one.source}  # a moved file is compared with itself
    return of_texts([(one.path, one.before, one.after) for one in files if not (one.gone and one.path in moved)])


def of_event(event: Event) -> Mutation:
    """The class of what a call would change. Never raises."""
    try:
        return _event(event)
    except (ValueError, TypeError, AttributeError, IndexError, KeyError, RecursionError, MemoryError):
        return _unknown("not readable")  # input of any shape
