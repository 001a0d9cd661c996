"""The class of one text's change, by its structure: what remains when all is taken away that changes no behaviour."""

from __future__ import annotations

from collections import Counter

from jackline.mutation.canon import exported, plain, untyped
from jackline.mutation.expand import expanded
from jackline.mutation.idioms import one_form
from jackline.mutation.imports import importing, replaced, requalified, unqualified
from jackline.mutation.languages import Language, language_of
from jackline.mutation.lexer import IN, LINE, NAME, OUT, Token, tokens
from jackline.mutation.model import EVOLUTION, REFACTOR, Mutation
from jackline.mutation.names import renamed, renames
from jackline.mutation.order import spread
from jackline.mutation.units import Changed, cancelled, compare, units
from jackline.mutation.weigh import WEIGHED, weigh

LARGE = 200_000
"""Characters of a text that is read whole; of a longer one only the part that differs."""
MARGIN = 2_000
SURE = 0.6
"""How sure a refactoring must be that is only seen when the texts are told in another way."""
MANY = 40_000
"""Tokens that may differ; with more of them nothing is weighed."""


def _cut(before: str, after: str) -> tuple[str, str]:
    """Of long texts, the parts that differ and some lines around them."""
    if len(before) + len(after) <= LARGE:
        return before, after
    limit = min(len(before), len(after))
    start = 0
    step = 1 << 16
    while step:
        while start + step <= limit and before[start : start + step] == after[start : start + step]:
            start += step
        step >>= 1
    end = 0
    step = 1 << 16
    while step:
        while (
            end + step <= limit - start
            and before[len(before) - end - step : len(before) - end]
            == after[len(after) - end - step : len(after) - end]
        ):
            end += step
        step >>= 1
    start = before.rfind("\n", 0, max(start - MARGIN, 0)) + 1
    end = max(end - MARGIN, 0)
    return before[start : len(before) - end][:LARGE], after[start : len(after) - end][:LARGE]


def _words(text: str) -> list[str]:
    return text.split()


def _prose(before: str, after: str) -> Mutation:
    """Texts that no program runs."""
    if _words(before) == _words(after):
        return Mutation(REFACTOR, 0.95, ("layout only",))
    if not before.strip():
        return Mutation(EVOLUTION, 0.6, ("a new document",))
    return Mutation(REFACTOR, 0.6, ("prose only",))


def _names(stream: list[Token]) -> Counter[str]:
    return Counter(token.text for token in stream if token.kind == NAME)


def _bare(stream: list[Token]) -> list[Token]:
    return [token for token in stream if token.kind not in (LINE, IN, OUT)]


def _early(before: str, after: str, old: list[Token], new: list[Token], language: Language) -> Mutation | None:
    """The answer when the streams do not differ once layout and types are gone."""
    if old == new or (not language.lines and _bare(old) == _bare(new)):
        commented = "".join(before.split()) != "".join(after.split())
        return Mutation(REFACTOR, 0.97, ("comments or layout only" if commented else "layout only",))
    old, new = untyped(old, language), untyped(new, language)
    if old == new or (not language.lines and _bare(old) == _bare(new)):
        return Mutation(REFACTOR, 0.9, ("types, visibility or annotations only",))
    return None


def _moves(found: Changed, language: Language) -> Mutation:
    """Only places changed: how much their order matters."""
    if language.family == "data":
        return Mutation(REFACTOR, 0.7, ("entries reordered",))
    heads = [unit.tokens[0].text for unit in found.moved if unit.tokens]
    importing = [head in ("import", "from", "use", "include", "#", "require", "package", "extern") for head in heads]
    if all(importing):
        return Mutation(REFACTOR, 0.93, ("imports reordered",))
    top = min((unit.depth for unit in found.moved), default=0)
    outer = [unit for unit in found.moved if unit.depth == top]
    opening = {
        "def",
        "class",
        "fn",
        "func",
        "function",
        "impl",
        "struct",
        "type",
        "interface",
        "module",
        "const",
        "async",
        "enum",
        "@",
    }
    if any(unit.tokens[0].text in opening or unit.tokens[-1].text == "{" or unit.depth == 0 for unit in outer):
        return Mutation(REFACTOR, 0.85, ("declarations moved",))
    calls = any(token.text == "(" for unit in found.moved for token in unit.tokens)
    if calls:
        return Mutation(EVOLUTION, 0.6, ("statements in another order",))
    return Mutation(REFACTOR, 0.65, ("entries or plain statements moved",))


def _renamed(found: Changed, old: list[Token], new: list[Token]) -> tuple[Changed, dict[str, str], float]:
    """What is left when the old side bears the new names."""
    told = renames(found.blocks, _names(old), _names(new))
    names = {one: two for one, two in told.names.items() if not replaced(found.blocks, one, two)}
    if not names:
        return found, {}, 1.0
    blocks = tuple(renamed(block, names) for block in found.blocks)
    return cancelled(blocks), names, told.sure


def _judged(path: str, old: list[Token], new: list[Token], language: Language) -> Mutation:
    """The class of a change between two streams."""
    found = compare(units(old, language), units(new, language))
    if not found.blocks:
        return _placed(found, old, new, language)
    if sum(len(unit.tokens) for block in found.blocks for unit in (*block.old, *block.new)) > MANY:
        return Mutation(EVOLUTION, 0.7, ("a large change",))
    renaming = language.family not in ("data", "markup", "style")
    left, names, sure = _renamed(found, old, new) if renaming else (found, {}, 1.0)
    signals = (f"{len(names)} names changed throughout",) if names else ()
    if not left.blocks:
        if left.moved and not names:
            return _moves(left, language)
        return Mutation(REFACTOR, sure, (*signals, *(("parts moved",) if found.moved else ())))
    told = requalified(left.blocks, language)
    if told is not None:
        left = cancelled(told)
        signals, sure = (*signals, "found in another module"), min(sure, 0.7)
        if all(importing(unit) for block in left.blocks for unit in (*block.old, *block.new)):
            return Mutation(REFACTOR, sure, signals)
    made = weigh(left, found, language, old, new, path)
    if made.kind == EVOLUTION and renaming and (told := unqualified(left.blocks, language)):
        left = cancelled(told)
        if not [unit for block in left.blocks for unit in (*block.old, *block.new) if not importing(unit)]:
            return Mutation(REFACTOR, 0.7, (*signals, "found in another module"))
        again = weigh(left, found, language, old, new, path)
        made = again if again.kind == REFACTOR else made
    if made.kind == EVOLUTION and renaming:
        told_out = expanded(left, units(old, language), units(new, language), language)
        if told_out is not None:
            again = _again(told_out, found, language, old, new, path)
            made = again if _certain(again) else made
    return made._replace(
        confidence=min(made.confidence, sure) if made.kind == REFACTOR else made.confidence,
        signals=(*signals, *made.signals),
    )


def _certain(made: Mutation) -> bool:
    """Whether a refactoring is one without what is tolerated."""
    return made.kind == REFACTOR and made.confidence >= SURE and made.signals[-1] not in WEIGHED


def _again(
    left: Changed, found: Changed, language: Language, old: list[Token], new: list[Token], path: str
) -> Mutation:
    """The class when names are told by what they stand for."""
    if not left.blocks:
        return Mutation(REFACTOR, 0.75, ("expressions named, or named no more",))
    made = weigh(left, found, language, old, new, path)
    return made._replace(confidence=min(made.confidence, 0.7), signals=("expressions named", *made.signals))


def judge(path: str, before: str, after: str) -> Mutation:
    """The class of a change of one text."""
    if before == after:
        return Mutation(REFACTOR, 1.0, ("no change",))
    language = language_of(path, after or before)
    if language.family == "prose":
        return _prose(before, after)
    if path.endswith((".d.ts", ".pyi")) and before.strip() and after.strip():
        return Mutation(REFACTOR, 0.6, ("declarations of types only",))
    before, after = _cut(before, after)
    old, new = plain(tokens(before, language), language), plain(tokens(after, language), language)
    if language.name == "typescript" and exported(old) != exported(new):
        return Mutation(EVOLUTION, 0.7, ("other types exported",))
    early = _early(before, after, old, new, language)
    if early is not None:
        return early
    bare = untyped(old, language), untyped(new, language)
    made = _judged(path, *bare, language)
    typed = Counter(old) - Counter(bare[0]) != Counter(new) - Counter(bare[1])
    if made.kind == EVOLUTION and typed and made.signals == ("imports added",):
        return Mutation(REFACTOR, 0.6, ("types, and what they need imported",))
    if made.kind == EVOLUTION and bare != (old, new):  # what was taken for types may have been more
        whole = _judged(path, old, new, language)
        if whole.kind == REFACTOR:
            return whole
    return _otherwise(path, *bare, language) or made if made.kind == EVOLUTION else made


def _otherwise(path: str, old: list[Token], new: list[Token], language: Language) -> Mutation | None:
    """The answer when idioms in one form make a refactoring of it."""
    one, two = one_form(old, new, language)
    if (one, two) == (old, new):
        return None
    if _bare(one) == _bare(two):
        return Mutation(REFACTOR, 0.75, ("the same said otherwise",))
    made = _judged(path, one, two, language)
    if not _certain(made):
        return None
    return made._replace(confidence=min(made.confidence, 0.7), signals=("the same said otherwise", *made.signals))


def _placed(found: Changed, old: list[Token], new: list[Token], language: Language) -> Mutation:
    """All units are the same; their order, or their depth, is not."""
    if _bare(old) == _bare(new):
        return Mutation(EVOLUTION, 0.75, ("statements moved into or out of a block",))
    if not found.moved:
        return Mutation(REFACTOR, 0.7, ("brackets only",))
    if spread(old) != spread(new):
        return Mutation(EVOLUTION, 0.6, ("spread in another place",))
    return _moves(found, language)
