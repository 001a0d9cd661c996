"""Cut a budget of tokens: the first files with text, the further ones as cards, nothing above what was asked for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from jackline.services.retrieval import words

LETTERS = 4
"""Bytes of a text that are counted as one token, as nobody's tokeniser is here: code has three to four."""
CONTEXT = 3
"""Lines that are shown around one that says the prompt's words."""
GAP = "…\n"


class Tiers(NamedTuple):
    """Tokens of a whole pack, of one file in it, of one card, and how many files come with text (None: all do)."""

    budget: int = 8000
    per_file: int = 800
    card: int = 120
    files: int | None = 5


FLAT = Tiers(files=None)
"""Ten files or more, each with text, and no cards."""


def tokens(text: str) -> int:
    """Tokens of a text, as this budget counts them: its bytes by four, rounded up."""
    return -(-len(text.encode("utf-8", "surrogatepass")) // LETTERS)


def cut(text: str, most: int) -> str:
    """The beginning of a text that has at most so many tokens, with no half letter."""
    if tokens(text) <= most:
        return text
    return text.encode("utf-8", "surrogatepass")[: max(most, 0) * LETTERS].decode("utf-8", "ignore")


def card(path: str, summary: str, names: Sequence[str], most: int) -> str:
    """A file in one or two lines: its path, what it says of itself, names it defines, as many as there is room for."""
    head = f"{path}: {summary}\n" if summary else f"{path}\n"
    text = head if tokens(head) <= most else path + "\n"
    line = ""
    for name in names:
        longer = f"{line}, {name}" if line else f"  {name}"
        if tokens(f"{text}{longer}\n") > most:
            break
        line = longer
    return f"{text}{line}\n" if line else text


def _weights(lines: Sequence[str], terms: frozenset[str], splitter: words.Splitter) -> list[float]:
    """How much each line says of the prompt: a word that the file says often counts less."""
    hits: dict[str, frozenset[str]] = {}
    said: list[frozenset[str]] = []
    for line in lines:
        names = words.IDENTIFIER.findall(line)
        for name in names:
            if name not in hits:
                hits[name] = terms.intersection(splitter[name].split())
        said.append(frozenset().union(*[hits[name] for name in names]))
    counted = Counter(word for found in said for word in found)
    return [sum(1 / counted[word] for word in sorted(found)) for found in said]


def _spans(chosen: Iterable[int]) -> list[tuple[int, int]]:
    """Runs of line numbers, from 1, first and last."""
    spans: list[tuple[int, int]] = []
    for at in sorted(chosen):
        if spans and spans[-1][1] == at:
            spans[-1] = (spans[-1][0], at + 1)
        else:
            spans.append((at + 1, at + 1))
    return spans


def excerpt(text: str, terms: frozenset[str], most: int, splitter: words.Splitter) -> tuple[str, list[tuple[int, int]]]:
    """What of a text fits into so many tokens, and its lines: all, else those around lines that say the `terms`."""
    lines = text.splitlines(keepends=True)
    if tokens(text) <= most:
        return text, [(1, len(lines))] if lines else []
    weights = _weights(lines, terms, splitter)
    order = sorted(range(len(lines)), key=lambda at: (-weights[at], at))
    sizes = [tokens(line) for line in lines]
    chosen: set[int] = set()
    room = most
    for best in order:
        around = [at for at in range(max(best - CONTEXT, 0), min(best + CONTEXT + 1, len(lines))) if at not in chosen]
        cost = sum(sizes[at] for at in around) + tokens(GAP)
        if cost <= room:
            chosen.update(around)
            room -= cost
        elif room < most // 10:
            break
    if not chosen:
        return cut(text, most), [(1, max(cut(text, most).count("\n"), 1))]
    spans = _spans(chosen)
    return GAP.join("".join(lines[first - 1 : last]) for first, last in spans), spans
