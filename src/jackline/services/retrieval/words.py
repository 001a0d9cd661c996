"""Words of code and prose as an index compares them: parts of identifiers, light stems, the whole identifier too.

`getUserNames`, `get_user_names` and "get user names" have the words `get user nam` in common; the first two also share
`getusernames`. A prompt and a file go through the same function, so it matters only that both sides agree.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import NamedTuple

IDENTIFIER = re.compile(r"\w+")
PART = re.compile(r"[A-Z]+(?![^\W\d_A-Z])|[A-Z]?[^\W\d_A-Z]+|\d+")
LONGEST = 64
"""Letters of a word that is still one: longer ones are data."""

STOP_WORDS = (
    "a about above after again all also am an and any are as at be because been before being below between both but "
    "by can cannot could did do does doing down during each few for from further had has have having he her here him "
    "his how i if in into is it its itself let me more most my no nor not now of off on once only or other our out "
    "over own same she should so some such than that the their them then there these they this those through to too "
    "under until up very was we were what when where which while who whom why will with would you your via vs etc ie eg"
)
STOP = frozenset(STOP_WORDS.split())
"""Words that say nothing of a subject. They still count where a file is called so."""

VAGUE_WORDS = (
    "add added adds allow better bug change changed changes cleanup correct ensure error fix fixed fixes fixing "
    "handle implement improve improved issue make makes minor move new refactor remove removed rename "
    "replace simplify support tweak update updated updates use used uses using work works"
)
VAGUE = frozenset(VAGUE_WORDS.split())
"""What most commits say of themselves: words of a prompt that count for names of files only."""

SILENT = STOP | VAGUE

SUFFIXES = ("ingly", "edly", "ations", "ation", "ings", "ing", "ers", "ies", "ied", "ed", "es", "er", "ly", "s")
KEEPS_S = ("ss", "us", "is")


def stem(word: str) -> str:
    """A word in small letters without its ending, lightly: what stays need not be a word, three letters stay."""
    if len(word) < 4 or not word.isalpha():
        return word
    for suffix in SUFFIXES:
        if word.endswith(suffix) and len(word) - len(suffix) >= 3:
            if suffix == "s" and word.endswith(KEEPS_S):
                break
            word = word[: -len(suffix)] + ("y" if suffix in ("ies", "ied") else "")
            break
    if len(word) > 4 and word[-1] == word[-2] and word[-1] not in "aeiouls":
        word = word[:-1]
    return word[:-1] if len(word) > 3 and word[-1] == "e" else word


def split(identifier: str) -> list[str]:
    """The words of one identifier: its parts, stemmed, and behind them the whole, where it has several parts."""
    if len(identifier) > LONGEST:
        return []
    parts = PART.findall(identifier)
    found = [stem(part.lower()) for part in parts]
    if len(parts) > 1:
        found.append("".join(parts).lower())
    return found


class Splitter(dict[str, str]):
    """Identifier → its words with blanks between, each split once: a file says the same name many times."""

    def __missing__(self, identifier: str) -> str:
        found = self[identifier] = " ".join(split(identifier))
        return found


def text(source: str, splitter: Splitter | None = None, most: int = 0) -> str:
    """The words of a text with blanks between, for a full-text index. `most`: how often one identifier is said."""
    split_of = Splitter() if splitter is None else splitter
    if not most:
        return " ".join([split_of[one] for one in IDENTIFIER.findall(source)])
    counted = Counter(IDENTIFIER.findall(source))
    return " ".join([" ".join([split_of[one]] * min(times, most)) for one, times in counted.items()])


class Query(NamedTuple):
    """Words to look for, each once, in order: those that tell a subject, those of them in the first line, all."""

    telling: tuple[str, ...]
    first: tuple[str, ...]
    every: tuple[str, ...]


def _telling(prompt: str) -> dict[str, None]:
    found: dict[str, None] = {}
    for identifier in IDENTIFIER.findall(prompt):
        if identifier.lower() not in SILENT:
            found.update(dict.fromkeys([word for word in split(identifier) if len(word) > 1]))
    return found


def query(prompt: str) -> Query:
    """What a prompt says: stop words tell nothing, vague ones nothing but names of files."""
    every: dict[str, None] = {}
    for identifier in IDENTIFIER.findall(prompt):
        if identifier.lower() not in STOP:
            every.update(dict.fromkeys(split(identifier)))
    first = prompt.strip().partition("\n")[0]
    return Query(tuple(_telling(prompt)), tuple(_telling(first)), tuple(every))
