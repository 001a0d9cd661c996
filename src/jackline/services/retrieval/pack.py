"""A context pack: what of a repository belongs to a prompt, with reasons, within a budget, the same bytes everywhere.

A pack holds no time, no absolute path and nothing of the machine. Two packs of one state and one prompt are equal to
the byte, so that a hash tells whether something changed.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from jackline.services.retrieval import words
from jackline.services.retrieval.content import masked, text_of, whole
from jackline.services.retrieval.search import Candidate, Reader
from jackline.services.retrieval.tiers import Tiers, card, cut, excerpt, tokens
from jackline.services.retrieval.tree import Tree, contents

FORMAT = 1
DIGITS = 6
SMALLEST = 20
"""Tokens below which no further file is tried."""

Lines = tuple[tuple[int, int], ...]


class Item(NamedTuple):
    """One file of a pack. `lines`: those of the file that `text` shows, first and last, none for a card."""

    path: str
    form: str
    """`excerpt` or `card`."""
    score: float
    why: tuple[tuple[str, int, str], ...]
    """Rule, the file's place in its order, what the place goes back to: a commit, a file, a word of the prompt."""
    content: str
    """Git's id of the content."""
    lines: Lines
    tokens: int
    text: str


class Pack(NamedTuple):
    """Items in order, best first, and what they cost. `ambiguous`: names in the prompt that mean several files;
    `absent`: names of files in it that are not there.
    """

    items: tuple[Item, ...]
    tokens: int
    budget: int
    ambiguous: Mapping[str, Sequence[str]]
    current: bool = True
    """False when another process was writing the index, and an older state of it was asked."""
    absent: tuple[str, ...] = ()

    def document(self) -> dict[str, Any]:
        """The pack as JSON has it."""
        return {
            "format": FORMAT,
            "budget": self.budget,
            "tokens": self.tokens,
            "absent": [*self.absent],
            "ambiguous": {name: [*paths] for name, paths in self.ambiguous.items()},
            "items": [
                {
                    **item._asdict(),
                    "score": round(item.score, DIGITS),
                    "why": [{"rule": rule, "rank": rank, "detail": detail} for rule, rank, detail in item.why],
                    "lines": [[first, last] for first, last in item.lines],
                }
                for item in self.items
            ],
        }

    def canonical(self) -> bytes:
        """The pack's bytes: JSON in one order of keys, ASCII, no blanks, a line end."""
        return json.dumps(self.document(), sort_keys=True, separators=(",", ":")).encode() + b"\n"

    @property
    def hash(self) -> str:
        """The hash of these bytes."""
        return hashlib.blake2b(self.canonical(), digest_size=16).hexdigest()


class Texts:
    """What files of one state say to one prompt: each read, masked and cut once, however often it is asked for."""

    def __init__(self, root: str, tree: Tree, reader: Reader, prompt: str) -> None:
        self.root, self.tree, self.reader = root, tree, reader
        self.terms = frozenset(words.query(prompt).telling)
        self.splitter = words.Splitter()
        self.texts: dict[str, str | None] = {}
        self.made: dict[tuple[str, int], tuple[str, Lines]] = {}

    def read(self, paths: Sequence[str]) -> None:
        """Read files at once whose text will be asked for."""
        new = [path for path in paths if path not in self.texts]
        found = dict(contents(self.root, self.tree, new, fit=True))
        for path in new:
            data = found.get(path)
            text = None if data is None else text_of(data)
            self.texts[path] = None if text is None else whole(path, text)

    def excerpt(self, path: str, most: int) -> tuple[str, Lines]:
        """A file's path and what of it fits into so many tokens; "" where there is no text or no room."""
        if (path, most) not in self.made:
            text, head = self.texts.get(path), f"{path}\n"
            room = most - tokens(head)
            if text is None or room <= 0:
                return "", ()
            body, lines = excerpt(text, self.terms, room, self.splitter)
            self.made[path, most] = cut(head + masked(body), most), tuple(lines)
        return self.made[path, most]

    def card(self, path: str, most: int) -> str:
        """A file in two lines, without secrets."""
        details = self.reader.details(path)
        return masked(card(path, details.summary, details.names, most))


def assemble(texts: Texts, found: Sequence[Candidate], tiers: Tiers) -> tuple[Item, ...]:
    """Cut candidates to a budget: the first files as excerpts, further ones as cards, until nothing fits."""
    here = [one for one in found if one.path in texts.tree.files]
    # The smallest excerpt has some twenty tokens: more files than this never fit.
    first = len(here) if tiers.files is None else tiers.files
    texts.read([one.path for one in here[: min(first, tiers.budget // SMALLEST)]])
    items: list[Item] = []
    room = tiers.budget
    for at, one in enumerate(here):
        form = "excerpt" if at < first else "card"
        lines: Lines = ()
        most = min(tiers.per_file if at < first else tiers.card, room)
        if at < first:
            text, lines = texts.excerpt(one.path, most)
        else:
            text = texts.card(one.path, most)
        if text and tokens(text) <= most:
            why = tuple((rule.name, rule.rank, rule.detail) for rule in one.rules)
            items.append(Item(one.path, form, one.score, why, texts.tree.files[one.path], lines, tokens(text), text))
            room -= tokens(text)
        elif room < SMALLEST:
            break
    return tuple(items)
