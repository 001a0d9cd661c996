"""Patterns over tokens: what one of them matches is said in another way. A table of pairs is read once and applied.

A pattern is written in pieces with blanks between them. A plain piece stands for itself; `;?` may be absent; `&,}`
looks ahead for one of these signs; `NL`, `IN` and `OUT` are layout. `$a` is one name, and the same wherever it stands
again. Behind it: `:str` a text, `:id` a text that is a name, `:open` a brace or comma, `:end` what an operand ends
with, `:cmp` a comparison, `:bind` a word that binds; `~` an operand, `^` a dotted name, `..` an expression, `*` one or
nothing, `...` statements.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from jackline.mutation.lexer import IN, LINE, NAME, NUMBER, OUT, SIGN, STRING, VALUES, WORD, WORDS, Token

PIECE = re.compile(r"\$(\w+)(?::(\w+)|(\.\.\.|\.\.|\*|~|\^))?$")
IDENTIFIER = re.compile(r"[A-Za-z_]\w*$")
LAYOUT = {"NL": LINE, "IN": IN, "OUT": OUT}
OPENING, CLOSING = frozenset("([{"), frozenset(")]}")
SETS = {
    "open": frozenset("{,"),
    "cmp": frozenset(("<", "<=", ">", ">=")),
    "bind": frozenset(("var", "let", "const")),
}
SELVES = ("self", "this", "super", "Self")
FAR = {"..": 120, "*": 120, "...": 400, "~": 60, "^": 12}
"""Tokens that each sort may take."""
STEPS = 80_000
"""Pieces that are tried in one text; behind it the rest stays as it is."""
PASSES = 6


class Piece(NamedTuple):
    """One piece of a pattern: `sort` is `is`, `may`, `look`, `layout`, or a variable's; `text` its name or text."""

    sort: str
    text: str


class Rule(NamedTuple):
    """What is looked for, what stands in its place; `anchor` is the first plain piece and `at` the pieces before it."""

    look: tuple[Piece, ...]
    put: tuple[Piece, ...]
    anchor: str
    at: int


Held = dict[str, tuple[Token, ...]]


def _piece(text: str) -> Piece:
    found = PIECE.match(text)
    if found:
        return Piece(found[2] or found[3] or "name", found[1])
    if text in LAYOUT:
        return Piece("layout", LAYOUT[text])
    if len(text) > 1 and text[0] == "&" and text != "&&":
        return Piece("look", text[1:])
    if len(text) > 1 and text[-1] == "?" and text[:-1] in (";", ","):
        return Piece("may", text[:-1])
    return Piece("is", text)


def rules(table: str) -> tuple[Rule, ...]:
    """The rules of a table: each line a pattern, `=>>`, and what is put in its place."""
    made = []
    for line in filter(None, table.split("\n")):
        left, _, right = line.partition("=>>")
        look = tuple(_piece(one) for one in left.split())
        at = next(at for at, one in enumerate(look) if one.sort == "is")
        made.append(Rule(look, tuple(_piece(one) for one in right.split()), look[at].text, at))
    return tuple(made)


class Matcher:
    """Looks for rules in one stream; gives up when it has tried too much."""

    def __init__(self, stream: list[Token], skips: bool, steps: int) -> None:
        self.stream = stream
        self.skips = skips
        self.steps = steps

    def _operand(self, at: int, dotted: bool) -> Iterator[int]:
        """Where an operand that begins here may end, the shortest first."""
        stream, size = self.stream, len(self.stream)
        if at >= size:
            return
        first = stream[at]
        if first.text == "(" and first.kind == SIGN and not dotted:
            end = self._closed(at)
        elif first.kind in (NAME, NUMBER, STRING) or first.text in SELVES or first.text in VALUES:
            end = at + 1
        else:
            return
        while end and end - at <= FAR["^" if dotted else "~"]:
            yield end
            if end >= size or stream[end].kind != SIGN:
                return
            text = stream[end].text
            if text in (".", "::", "?.", "->") and end + 1 < size and stream[end + 1].kind in (NAME, WORD):
                end += 2
            elif text in ("(", "[") and not dotted:
                end = self._closed(end)
            else:
                return

    def _closed(self, at: int) -> int:
        """Behind the bracket that closes the one at `at`, 0 when there is none."""
        depth = 0
        for end in range(at, min(at + FAR["..."], len(self.stream))):
            if self.stream[end].kind == SIGN:
                depth += (self.stream[end].text in OPENING) - (self.stream[end].text in CLOSING)
            if not depth:
                return end + 1
        return 0

    def _balanced(self, at: int, sort: str) -> Iterator[int]:
        """Where an expression, or statements, that begin here may end, the shortest first."""
        depth = inner = 0
        if sort == "*":
            yield at
        for end in range(at, min(at + FAR[sort], len(self.stream))):
            token = self.stream[end]
            if token.kind == SIGN:
                depth += (token.text in OPENING) - (token.text in CLOSING)
            elif token.kind in LAYOUT.values() and not depth and sort != "...":
                return
            elif token.kind in (IN, OUT):
                inner += (token.kind == IN) - (token.kind == OUT)
            if depth < 0 or inner < 0 or (token.text == ";" and token.kind == SIGN and not depth and sort != "..."):
                return
            if not depth and not inner:
                yield end + 1

    def _ends(self, piece: Piece, at: int) -> Iterator[int]:
        """Where a variable that begins here may end."""
        sort = piece.sort
        if sort in ("~", "^"):
            yield from self._operand(at, sort == "^")
        elif sort in FAR:
            yield from self._balanced(at, sort)
        elif at < len(self.stream):
            token = self.stream[at]
            fits = {
                "name": token.kind == NAME,
                "str": token.kind == STRING,
                "id": token.kind == STRING and bool(IDENTIFIER.match(token.text)),
                "end": token.kind == NAME or (token.kind == SIGN and token.text in (")", "]")),
            }
            if fits.get(sort, token.kind != STRING and token.text in SETS.get(sort, ())):
                yield at + 1

    def match(self, look: tuple[Piece, ...], at: int, held: Held) -> tuple[int, Held] | None:
        """Where a pattern that begins here ends, and what its variables hold."""
        self.steps -= 1
        if self.steps < 0:
            return None
        if not look:
            return at, held
        piece, rest = look[0], look[1:]
        stream, size = self.stream, len(self.stream)
        if self.skips and piece.sort != "layout":
            while at < size and stream[at].kind == LINE:
                at += 1
        token = stream[at] if at < size else None
        if piece.sort in ("is", "may"):
            if token is not None and token.text == piece.text and token.kind != STRING:
                return self.match(rest, at + 1, held)
            return self.match(rest, at, held) if piece.sort == "may" else None
        if piece.sort == "layout":
            return self.match(rest, at + 1, held) if token is not None and token.kind == piece.text else None
        if piece.sort == "look":
            fits = token is None or (token.kind == SIGN and token.text in piece.text) or token.kind == LINE
            return self.match(rest, at, held) if fits else None
        known = held.get(piece.text)
        if known is not None:
            same = tuple(stream[at : at + len(known)]) == known
            return self.match(rest, at + len(known), held) if same else None
        for end in self._ends(piece, at):
            found = self.match(rest, end, {**held, piece.text: tuple(stream[at:end])})
            if found is not None:
                return found
        return None


def _put(pieces: tuple[Piece, ...], held: Held, family: str) -> list[Token]:
    """The tokens that stand in the place of a match."""
    made: list[Token] = []
    for piece in pieces:
        if piece.sort == "layout":
            made.append(Token(piece.text, "\n" if piece.text == LINE else ""))
        elif piece.sort == "id":
            made.append(Token(NAME, held[piece.text][0].text))
        elif piece.sort != "is":
            made.extend(held[piece.text])
        elif IDENTIFIER.match(piece.text):
            made.append(Token(WORD if piece.text in WORDS[family] else NAME, piece.text))
        else:
            made.append(Token(NUMBER if piece.text.isdigit() else SIGN, piece.text))
    return made


def _pass(stream: list[Token], table: dict[str, list[Rule]], family: str, steps: int) -> tuple[list[Token], bool, int]:
    """Once through a stream; the steps that are left."""
    matcher = Matcher(stream, family in ("script", "go"), steps)
    found: list[Token] = []
    done = 0
    for at, token in enumerate(stream):
        if at < done or token.kind == STRING:
            continue
        for rule in table.get(token.text, ()):
            hit = _hit(matcher, rule, at, done)
            if hit is not None:
                start, (end, held) = hit
                found.extend(stream[done:start])
                found.extend(_put(rule.put, held, family))
                done = end
                break
    found.extend(stream[done:])
    return found, done > 0, matcher.steps


def _hit(matcher: Matcher, rule: Rule, anchor: int, done: int) -> tuple[int, tuple[int, Held]] | None:
    """A match whose first plain piece stands at `anchor`; what stands before it may be longer than one token."""
    if not rule.at:
        found = matcher.match(rule.look, anchor, {})
        return (anchor, found) if found else None
    far = anchor - sum(FAR.get(piece.sort, 1) for piece in rule.look[: rule.at]) * (2 if matcher.skips else 1)
    for start in range(max(done, far, 0), anchor):
        if matcher.stream[start].kind == LINE and rule.look[0].sort != "layout":
            continue
        if start and rule.look[0].sort == "~" and _inside(matcher.stream, start):
            continue
        found = matcher.match(rule.look, start, {})
        if found and found[0] > anchor:
            return start, found
    return None


def _inside(stream: list[Token], at: int) -> bool:
    """Whether an operand that would begin here goes on from before."""
    before = stream[at - 1]
    called = stream[at].text in ("(", "[") and (before.kind == NAME or before.text in (")", "]"))
    return called or (before.kind == SIGN and before.text in (".", "::", "?.", "->"))


def rewritten(stream: list[Token], told: tuple[Rule, ...], family: str) -> list[Token]:
    """A stream with every idiom that a table knows in the one form."""
    table: dict[str, list[Rule]] = {}
    for rule in told:
        table.setdefault(rule.anchor, []).append(rule)
    steps = STEPS
    for _ in range(PASSES):
        stream, changed, steps = _pass(stream, table, family, steps)
        if not changed:
            break
    return stream
