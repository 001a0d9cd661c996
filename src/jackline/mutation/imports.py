"""What a text brings in: the names that its imports bind, and calls that only go by another module's name."""

from __future__ import annotations

from collections import Counter

from jackline.mutation.languages import Language, words
from jackline.mutation.lexer import NAME, SIGN, STRING, WORD, Token
from jackline.mutation.model import EVOLUTION, REFACTOR, Mutation
from jackline.mutation.units import Block, Unit

IMPORTS = words("import from use require require_relative extern include package")
ENTRIES = ("__init__", "mod.rs", "lib.rs", "index.")
"""Files that hand names on to whoever uses the package."""


def importing(unit: Unit) -> bool:
    """Whether a unit only brings names in."""
    heads = [token.text for token in unit.tokens[:3]]
    if heads[:1] == ["#"]:
        return heads[1:2] == ["include"]
    if heads and heads[0] in IMPORTS and unit.tokens[0].kind == WORD:
        return True
    texts = {token.text for token in unit.tokens}
    return "require" in texts and "=" in texts and len(unit.tokens) < 16 and "exports" not in texts


def _names(unit: Unit, language: Language) -> list[str]:
    """The names that one import binds, or what it names in a language where that cannot be told."""
    tokens = list(unit.tokens)
    if language.family == "python" and tokens[0].text == "from":
        at = next((at for at, token in enumerate(tokens) if token.text == "import"), 0)
        tokens = tokens[at:]
    found = []
    for at, token in enumerate(tokens):
        after = tokens[at + 1].text if at + 1 < len(tokens) else ""
        if token.kind == NAME and after not in (".", "::", "as", "/"):
            found.append(token.text)
        elif token.kind == STRING and language.family in ("go", "c", "ruby"):
            found.append(token.text.rpartition("/")[2])
    return found


def names(units: list[Unit], language: Language) -> Counter[str]:
    """The names that imports bind."""
    return Counter(name for unit in units for name in _names(unit, language))


def judged(old: list[Unit], new: list[Unit], language: Language, after: Counter[str], path: str) -> Mutation:
    """The class of a change of imports alone."""
    one, two = names(old, language), names(new, language)
    came, gone = two - one, one - two
    if not came and not gone:
        texts = [Counter(token.text for unit in side for token in unit.tokens) for side in (old, new)]
        if texts[0] == texts[1]:
            return Mutation(REFACTOR, 0.93, ("imports rearranged",))
        return Mutation(REFACTOR, 0.65, ("the same names imported from elsewhere",))
    if path.rpartition("/")[2].startswith(ENTRIES) and came:
        return Mutation(EVOLUTION, 0.7, ("other names handed on",))
    if not came:
        if any(after[name] for name in gone):
            return Mutation(EVOLUTION, 0.55, ("an import removed that is still named",))
        return Mutation(REFACTOR, 0.8, ("unused imports removed",))
    return Mutation(EVOLUTION, 0.6 if gone else 0.55, ("imported from elsewhere" if gone else "imports added",))


def replaced(blocks: tuple[Block, ...], old: str, new: str) -> bool:
    """Whether a name that a script imports gave way to another one, of another package: no rename."""
    sides = []
    for name, units in ((old, [u for b in blocks for u in b.old]), (new, [u for b in blocks for u in b.new])):
        told = [unit for unit in units if importing(unit) and any(token.text == name for token in unit.tokens[:4])]
        sides.append([token.text for unit in told for token in unit.tokens if token.kind == STRING])
    packages = [[text for text in side if text[:1] != "."] for side in sides]
    return bool(packages[0]) and bool(packages[1]) and packages[0] != packages[1]


def _qualified(units: tuple[Unit, ...]) -> Counter[tuple[str, str]]:
    """Each `module.name` in units."""
    found: Counter[tuple[str, str]] = Counter()
    for unit in units:
        for at in range(len(unit.tokens) - 2):
            one, dot, two = unit.tokens[at : at + 3]
            if one.kind == NAME and two.kind == NAME and dot.text in (".", "::"):
                found[one.text, two.text] += 1
    return found


def _told(unit: Unit, moved: dict[tuple[str, str], str]) -> Unit:
    tokens = list(unit.tokens)
    for at in range(len(tokens) - 2):
        new = moved.get((tokens[at].text, tokens[at + 2].text))
        if new and tokens[at + 1].kind == SIGN and tokens[at + 1].text in (".", "::"):
            tokens[at] = Token(NAME, new)
    return unit._replace(tokens=tuple(tokens))


def _bare(unit: Unit, brought: Counter[str]) -> Unit:
    """A unit in which names that another text imports stand without their module."""
    tokens: list[Token] = []
    for token in unit.tokens:
        if token.kind == NAME and brought[token.text]:
            while len(tokens) > 1 and tokens[-1].text in (".", "::") and tokens[-2].kind in (NAME, WORD):
                del tokens[-2:]
        tokens.append(token)
    return unit._replace(tokens=tuple(tokens))


def unqualified(blocks: tuple[Block, ...], language: Language) -> tuple[Block, ...] | None:
    """The places with names that one side imports, and the other one calls by their module, alike; None if none is."""
    old = [unit for block in blocks for unit in block.old if importing(unit)]
    new = [unit for block in blocks for unit in block.new if importing(unit)]
    came, gone = names(new, language), names(old, language)
    first, second = came - gone, gone - came
    told = tuple(
        block._replace(
            old=tuple(unit if importing(unit) else _bare(unit, first) for unit in block.old),
            new=tuple(unit if importing(unit) else _bare(unit, second) for unit in block.new),
        )
        for block in blocks
    )
    return told if told != blocks else None


def requalified(blocks: tuple[Block, ...], language: Language) -> tuple[Block, ...] | None:
    """The places with each `old.name` as the `new.name` that it became, where `new` is newly imported; None if none."""
    old = [unit for block in blocks for unit in block.old]
    new = [unit for block in blocks for unit in block.new]
    came = names([unit for unit in new if importing(unit)], language)
    came -= names([unit for unit in old if importing(unit)], language)
    if not came:
        return None
    gone = _qualified(tuple(unit for unit in old if not importing(unit)))
    fresh = _qualified(tuple(unit for unit in new if not importing(unit)))
    lost, won = gone - fresh, fresh - gone
    moved = {
        (module, name): other
        for (module, name), count in lost.items()
        for (other, same), more in won.items()
        if same == name and more == count and came[other] and other != module
    }
    if not moved:
        return None
    return tuple(
        block._replace(old=tuple(unit if importing(unit) else _told(unit, moved) for unit in block.old))
        for block in blocks
    )
