"""From a tool call to the class of its change: texts where they are known, else what the call says by itself."""

from __future__ import annotations

from collections.abc import Iterable

from jackline.mutation.asked import asked
from jackline.mutation.fragments import code_of
from jackline.mutation.judge import judge
from jackline.mutation.languages import language_of
from jackline.mutation.model import EVOLUTION, LIMIT, REFACTOR, UNKNOWN, Asked, Mutation, Proposed
from jackline.mutation.notebook import code
from jackline.mutation.texts import texts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jackline.model import Event

NOTHING = Mutation(UNKNOWN, 0.0, ("no text to compare",))
Texts = tuple[str, str | None, str | None]
"""Path, text before, text after; None is an absent file."""


def _one(path: str, before: str | None, after: str | None) -> Mutation:
    """One file."""
    if path.endswith(".ipynb"):
        before, after = (None if text is None else code(text) for text in (before, after))
        path += ".py"
    if before is None and after is None:
        return NOTHING
    if before is None or after is None:
        text = before or after or ""
        empty = judge(path, "", text)
        if empty.kind == REFACTOR and empty.confidence > 0.8:
            return Mutation(REFACTOR, 0.7, ("a file without code",))
        return Mutation(
            EVOLUTION, 0.9 if empty.confidence > 0.6 else 0.6, ("a new file" if before is None else "a file removed",)
        )
    return judge(path, before, after)


def _together(found: list[Mutation]) -> Mutation:
    """The class of several changes in one call: of the strongest that changes behaviour, if any does."""
    known = [one for one in found if one.kind != UNKNOWN]
    if not known:
        return found[0] if found else NOTHING
    evolving = [one for one in known if one.kind == EVOLUTION]
    signals = tuple(dict.fromkeys(sign for one in evolving or known for sign in one.signals))[:8]
    if evolving:
        return Mutation(EVOLUTION, max(one.confidence for one in evolving), signals)
    sure = min(one.confidence for one in known)
    if len(known) < len(found):
        return Mutation(UNKNOWN, 0.3, ("not all texts are known", *signals))
    return Mutation(REFACTOR, sure, signals)


def of_texts(given: Iterable[Texts]) -> Mutation:
    """The class of changes of texts."""
    found = [(path, before, after) for path, before, after in given if before != after or before is None]
    if len(found) > 1 and any(before is None or after is None for _, before, after in found):
        joined = _joined(found)
        if joined is not None:
            return joined
    if not found:
        return NOTHING
    return _together([_one(*one) for one in found])


def _joined(given: list[Texts]) -> Mutation | None:
    """Code that moved between files: a refactoring when all files together say so."""
    if len({path.rpartition(".")[2] for path, _, _ in given}) > 1:
        return None
    whole = judge(
        given[0][0], "\n".join(before or "" for _, before, _ in given), "\n".join(after or "" for _, _, after in given)
    )
    if whole.kind == REFACTOR:
        return whole._replace(signals=(*whole.signals, "between files"), confidence=min(whole.confidence, 0.8))
    return None


def _piece(path: str, old: str, new: str) -> Mutation:
    """The class of a change of a piece of a file."""
    language = language_of(path)
    if language.family in ("prose", "data", "markup"):
        return judge(path, old, new)
    one, two = code_of(old, language), code_of(new, language)
    return judge(path, one, two) if one != two else Mutation(REFACTOR, 0.9, ("comments or layout only",))


def _said(request: Asked) -> Mutation:
    """The class of a request whose file is not known, by its own texts."""
    if request.gone:
        return Mutation(EVOLUTION, 0.6, ("a file removed",))
    if request.opaque or not request.swaps:
        return Mutation(UNKNOWN, 0.0, (request.opaque,) if request.opaque else NOTHING.signals)
    found = [_piece(request.path, swap.old[:LIMIT], swap.new[:LIMIT]) for swap in request.swaps]
    made = _together(found)
    if len(found) > 1 and made.kind == EVOLUTION:
        whole = _piece(
            request.path,
            "\n".join(swap.old for swap in request.swaps)[:LIMIT],
            "\n".join(swap.new for swap in request.swaps)[:LIMIT],
        )
        made = whole if whole.kind == REFACTOR else made
    return made._replace(confidence=round(made.confidence * 0.9, 2), signals=(*made.signals, "by the call alone"))


def _event(event: Event) -> Mutation:
    files = texts(event)
    known = [one for one in files if one.after is not None or (one.gone and one.before is not None)]
    if files and len(known) == len(files):
        return of_texts(_pairs(files))
    requests = asked(event)
    if not requests:
        return NOTHING
    whole = [(one.path, one.before, one.after) for one in known]
    lacking = [one for one in requests if one.whole is None]
    found = [of_texts(whole)] if whole else []
    return _together([*found, *[_said(one) for one in lacking]])


def _pairs(files: tuple[Proposed, ...]) -> list[Texts]:
    """Texts to compare; a moved file is compared with itself."""
    moved = {one.source for one in files if one.source}
    return [(one.path, one.before, one.after) for one in files if not (one.gone and one.path in moved)]


def of_event(event: Event) -> Mutation:
    """The class of what a call would change. Never raises."""
    try:
        return _event(event)
    except (ValueError, TypeError, AttributeError, IndexError, KeyError, RecursionError, MemoryError):
        return Mutation(UNKNOWN, 0.0, ("not readable",))  # input of any shape
