"""Weigh what remains of a change when moves, renames, types and layout are taken away: does it alter what is done?"""

from __future__ import annotations

import re
from collections import Counter

from jackline.mutation.languages import Language, words
from jackline.mutation.lexer import NAME, NUMBER, SIGN, STRING, VALUES, WORD, Token
from jackline.mutation.model import EVOLUTION, REFACTOR, Mutation
from jackline.mutation.names import bound, called
from jackline.mutation.units import Changed, Unit

NEUTRAL_WORDS = words(
    "def function fn func fun let var const val local import from as end then do begin self this pass class new "
    "static return struct impl type interface where move ref mut in lambda include use require crate void auto "
    "done fi esac nonlocal global using namespace"
)
"""Words that arrange; alone they do nothing."""
NEUTRAL_SIGNS = words("( ) [ ] { } , ; : . -> => :: = := @ # $ \\ ` ' \"")
DOUBTFUL = words("< > & * | ?")
"""Signs that are operators here and arrange there."""
SAME = {"not": "!", "and": "&&", "or": "||", "===": "==", "!==": "!=", "elsif": "elif", "is": "==", "unless": "if"}
"""What is said otherwise and means the same."""
NEGATIONS = words("! == != < >= > <= else return continue break if")
EXITS = frozenset(("return", "continue", "else", "break"))
PLACES = re.compile(r"%\([\w.]+\)[\w.]*|%[-+#0 \d.*]*[a-zA-Z]|\{[\w.!:>,+-]*\}|\0")
IMPORTS = words("import from use require require_relative extern include package")
WEIGHTS = {
    "string": 3.0,
    "number": 3.0,
    "value": 2.5,
    "control": 2.5,
    "sign": 2.0,
    "call": 2.0,
    "name": 1.25,
    "doubtful": 0.5,
}
TOLERATED = 0.12
"""Weight that may remain for each piece of content that stayed: a helper's new signature, a result handed back."""


def content(stream: list[Token]) -> Counter[tuple[str, str]]:
    """The pieces of a stream that do something."""
    found: Counter[tuple[str, str]] = Counter()
    for at, token in enumerate(stream):
        text = SAME.get(token.text, token.text)
        after = stream[at + 1] if at + 1 < len(stream) else Token(SIGN, "")
        if token.kind == STRING:
            found["string", PLACES.sub("\0", token.text)] += 1
        elif token.kind == NUMBER:
            found["number", text] += 1
        elif token.kind == NAME:
            found["call" if after.text == "(" and after.kind == SIGN else "name", text] += 1
        elif token.kind == WORD:
            if text in VALUES:
                found["value", text] += 1
            elif text not in NEUTRAL_WORDS:
                found["control", text] += 1
        elif token.kind == SIGN and text not in NEUTRAL_SIGNS:
            found["doubtful" if text in DOUBTFUL else "sign", text] += 1
    return found


def flat(units: list[Unit]) -> list[Token]:
    """All tokens of units, a sign between them so that nothing runs together."""
    gap = Token(SIGN, ";")
    return [token for unit in units for token in (*unit.tokens, gap)]


def importing(unit: Unit) -> bool:
    """Whether a unit only brings names in."""
    words = [token.text for token in unit.tokens[:3]]
    if words[:1] == ["#"]:
        return words[1:2] == ["include"]
    if words and words[0] in IMPORTS:
        return True
    texts = {token.text for token in unit.tokens}
    return "require" in texts and "=" in texts and len(unit.tokens) < 16


def exporting(unit: Unit) -> bool:
    words = [token.text for token in unit.tokens]
    return "export" in words[:3] or "exports" in words[:3] or "__all__" in words[:1]


def _imports(old: list[Unit], new: list[Unit], before: Counter[str], after: Counter[str], path: str) -> Mutation:
    """Only what is brought in differs."""
    names = [Counter(token.text for token in flat(side) if token.kind in (NAME, STRING)) for side in (old, new)]
    came, gone = names[1] - names[0], names[0] - names[1]
    if not came and not gone:
        return Mutation(REFACTOR, 0.93, ("imports rearranged",))
    entry = path.rpartition("/")[2].startswith(("__init__", "mod.rs", "lib.rs", "index."))
    if entry:
        return Mutation(EVOLUTION, 0.7, ("other names handed on",))
    if not came:
        used = [name for name in gone if after[name]]
        if used:
            return Mutation(EVOLUTION, 0.55, ("an import removed that is still named",))
        return Mutation(REFACTOR, 0.8, ("unused imports removed",))
    if all(name not in after or after[name] <= came[name] for name in came) and not gone:
        return Mutation(EVOLUTION, 0.55, ("imports added",))
    if gone and all(before[name] and not after[name] for name in gone):
        return Mutation(EVOLUTION, 0.6, ("imported from elsewhere",))
    return Mutation(EVOLUTION, 0.55, ("other imports",))


def _unused(units: list[Unit], after: Counter[str]) -> bool:
    """Whether removed units only bind names that nobody mentions any more, and do nothing besides."""
    for unit in units:
        names = bound(unit.tokens)
        local = unit.depth > 0 or unit.tokens[0].text in ("local", "let", "static")
        if not names or any(after[name] for name in names) or called(unit.tokens) or not local:
            return False
        if any(token.text == "(" for token in unit.tokens):
            return False
    return True


def _hard(came: Counter[tuple[str, str]], gone: Counter[tuple[str, str]]) -> list[str]:
    """Signs of another behaviour, in words."""
    told = []
    for sort, word in (
        ("control", "branches, loops or errors"),
        ("sign", "operators"),
        ("string", "texts"),
        ("number", "numbers"),
        ("value", "values"),
        ("call", "calls"),
        ("name", "names"),
    ):
        more = sum(count for (kind, _), count in came.items() if kind == sort)
        less = sum(count for (kind, _), count in gone.items() if kind == sort)
        if more and less:
            told.append(f"other {word}")
        elif more:
            told.append(f"new {word}")
        elif less:
            told.append(f"removed {word}")
    return told


def _inverted(came: Counter[tuple[str, str]], gone: Counter[tuple[str, str]], kept: float) -> bool:
    """Whether only negations and exits differ: a guard instead of a nested branch."""
    texts = {text for _, text in (*came, *gone)}
    return (
        bool(texts)
        and texts <= NEGATIONS
        and bool(texts & (EXITS - {"return"}) or "!" in texts)
        and kept >= 4
        and (
            bool({text for _, text in came} & EXITS) != bool({text for _, text in gone} & EXITS)
            or bool(texts & {"else"})
        )
    )


def weigh(
    left: Changed,
    found: Changed,
    language: Language,
    old: list[Token],
    new: list[Token],
    signals: tuple[str, ...],
    sure: float,
    path: str = "",
) -> Mutation:
    """The class of what remains in `left` of the change `found` between the streams `old` and `new`."""
    before = Counter(token.text for token in old if token.kind == NAME)
    after = Counter(token.text for token in new if token.kind == NAME)
    removed = [unit for block in left.blocks for unit in block.old]
    added = [unit for block in left.blocks for unit in block.new]
    out = [unit for unit in removed if not importing(unit)]
    into = [unit for unit in added if not importing(unit)]
    if not out and not into:
        return _imports(removed, added, before, after, path)
    if language.family in ("data", "markup", "style"):
        return Mutation(EVOLUTION, 0.9, ("other entries or values",))
    if not into and _unused(out, after):
        return Mutation(REFACTOR, 0.75, (*signals, "unused names removed"))
    old_content, new_content = content(flat(out)), content(flat(into))
    introduced = {name for name in bound(flat(into)) if not before[name]}
    retired = {name for name in bound(flat(out)) if not after[name]}
    came, gone = new_content - old_content, old_content - new_content
    for name in introduced:
        del came["name", name], came["call", name]
    for name in retired:
        del gone["name", name], gone["call", name]
    kept = float(sum((old_content & new_content).values())) + sum(content(flat(list(left.moved))).values())
    whole_old, whole_new = (
        content(flat([u for b in found.whole for u in b.old])),
        content(flat([u for b in found.whole for u in b.new])),
    )
    score = 0.0
    for side, other in ((came, whole_old), (gone, whole_new)):
        for (sort, text), count in side.items():
            known = 0.25 if (sort, text) in other else 1.0
            score += WEIGHTS[sort] * known * min(count, 4)
    definitions = _definitions(into, before) - _definitions(out, after)
    if _inverted(came, gone, kept):
        return Mutation(REFACTOR, 0.6, (*signals, "a condition turned round"))
    told = _hard(came, gone)
    if not came and not gone:
        if not removed or (not (out and into) and kept == 0):
            return Mutation(EVOLUTION, 0.6, (*signals, "definitions added or removed"))
        return Mutation(REFACTOR, min(sure, 0.8), (*signals, "the same content, arranged otherwise"))
    room = TOLERATED * kept
    if score <= room:
        word = "a part extracted" if definitions else "a part inlined" if definitions < 0 else "mostly rearranged"
        return Mutation(REFACTOR, round(max(0.55, 0.85 - 0.3 * score / max(room, 0.01)), 2), (*signals, word))
    margin = min((score - room) / 8, 1.0)
    return Mutation(EVOLUTION, round(0.6 + 0.38 * margin, 2), (*signals, *told))


def _definitions(units: list[Unit], others: Counter[str]) -> int:
    heads = ("def", "function", "fn", "func", "class")
    return sum(
        any(token.text in heads for token in unit.tokens[:4]) and not all(others[name] for name in bound(unit.tokens))
        for unit in units
    )
