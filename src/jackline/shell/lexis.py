"""Read words as bash does: quotes, expansions, substitutions. Knows nothing of commands but where they begin.

A word is a tuple of parts, each a tuple that begins with its kind:

    TEXT   text, quoted             literal text
    PARAM  name, quoted, op, word   `$name`, `${name op word}`; op "?" is any other operation
    RUN    node, quoted             `$(…)` and backticks
    SUM    word                     arithmetic
    PIPE   operator, node           `<(…)` and `>(…)`

What bash would not read the same way for certain raises `Unreadable`.
"""

from __future__ import annotations

from jackline.shell.model import Unreadable
from jackline.shell.quoting import unescape

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    Part = tuple[Any, ...]
    Parts = tuple[Part, ...]

TEXT, PARAM, RUN, SUM, PIPE = "text", "param", "run", "sum", "pipe"

DEPTH = 40
WORDS = 12_000
SUMS = 4_096
"""Limits: of nesting, of words and pieces of words, of characters in arithmetic. Beyond them nothing is understood."""

ENDS = frozenset(" \t\n;&|<>()")
BEHIND = frozenset(" \t\n;&|)")
"""What ends a word; of these, what stands behind one that is plain so far."""
LETTERS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_")
DIGITS = frozenset("0123456789")
NAME = LETTERS | DIGITS
BRACED = ((TEXT, "", True),)
"""The word of `${name}`, which tells it from `$name`: that one goes on where braces put a letter behind it."""
QUALIFIERS, NARROWS = frozenset("./N@oOnDLmhaxrw0123456789,[]-^"), frozenset("./N@")
"""What says in zsh which files a glob means, and runs nothing; what stands in nearly every such text."""
STOPS = ENDS | frozenset("\\'\"$`")
TAME = frozenset("*?[{~").isdisjoint

_STOPS = bytes.maketrans(b"\0 \t\n;&|<>()\\'\"$`", b"\1" + bytes(15))
_CLOSERS = bytes.maketrans(b"\0\\'\"$`[]}", b"\1" + bytes(8))
"""`STOPS` and what may end or begin something in quotes as 0, any other byte as something else."""


class Word:
    """One word: its parts, and where it stands in the text.

    `bare`: the text of a word that has no quotes and no expansions, else "". `plain`: the one field that a word becomes
    which stands there as it is, else None.
    """

    __slots__ = ("bare", "end", "parts", "plain", "start")

    def __init__(self, parts: Parts, start: int, end: int) -> None:
        self.parts = parts
        self.start = start
        self.end = end
        self.bare = ""
        self.plain: str | None = None
        if len(parts) == 1 and parts[0][0] is TEXT:
            _, text, quoted = parts[0]
            self.bare = "" if quoted else text
            self.plain = text if quoted or TAME(text) else None


def marked(text: str, table: bytes) -> bytes:
    """A byte for each character, 0 for those that the table names: `find` is quicker than to look at each."""
    return text.encode("latin-1", "replace").translate(table)


class Lexis:
    """A place in a text, and the words that can be read from there. `Grammar` adds the commands.

    `nested`: those from here to a sign, which is consumed. `inner`: those of a text of its own (backticks).
    """

    nested: Callable[[str], Any]
    inner: Callable[[str], Any]

    def __init__(self, text: str, depth: int = 0) -> None:
        self.text = text
        self.stops = marked(text, _STOPS)
        self.closers = b""
        self.size = len(text)
        self.i = 0
        self.depth = depth
        self.count = 0

    def tick(self, steps: int = 1) -> None:
        self.count += steps
        if self.count > WORDS:
            raise Unreadable("more words than we read")

    def look(self, size: int = 1) -> str:
        return self.text[self.i : self.i + size]

    def fail(self, why: str) -> Unreadable:
        return Unreadable(f"{why} at character {self.i}")

    def name(self) -> str:
        """The variable name that begins here, or ""."""
        start = end = self.i
        if self.look() in LETTERS:
            while end < self.size and self.text[end] in NAME:
                end += 1
        self.i = end
        return self.text[start:end]

    # --- expansions ------------------------------------------------------------------------------------------------

    def dollar(self, quoted: bool) -> Part:
        """The expansion that begins with the `$` here."""
        self.i += 1
        char = self.look()
        if self.look(2) == "\\\n":
            raise self.fail("an expansion over two lines")
        if char == "(":
            if self.look(2) == "((":
                return (SUM, self.arithmetic())
            self.i += 1
            return (RUN, self.nested(")"), quoted)
        if char == "{":
            return self._braces(quoted)
        if char == "[":
            self.i += 1
            return (SUM, self.until("]", quoted=True))
        if char == "'" and not quoted:
            end = self.text.find("'", self.i + 1)
            text = unescape(self.text[self.i + 1 : end])
            if end < 0 or text is None or (self.text[end - 1] == "\\" and end - 1 > self.i):
                raise self.fail("no closing ', or an escape that shells read in different ways,")
            self.i = end + 1
            return (TEXT, text, True)
        if char == '"' and not quoted:
            return (TEXT, "", True)  # a translated string: the quotes follow
        if char and char in "@*#?-$!0123456789":
            self.i += 1
            return (PARAM, char, quoted, "", ())
        name = self.name()
        if not name:
            if char and char in "=~^+" and self.text[self.i + 1 : self.i + 2] in LETTERS:
                return (PARAM, char, quoted, "?", ())  # zsh expands it in another way, bash does not
            return (TEXT, "$", quoted)
        following = self.look(2)
        # zsh would take a subscript or a modifier here; bash goes on reading the name behind a line continuation.
        strange = following[:1] == "[" or (following[:1] == ":" and following[1:].isalpha()) or following == "\\\n"
        return (PARAM, name, quoted, "?" if strange else "", ())

    def arithmetic(self) -> Parts:
        """The inside of the `((…))` that begins here. What bash would then read as two parentheses is refused."""
        parts: list[Part] = []
        open_, end = 0, min(self.size, self.i + SUMS)
        self.i += 2
        begin = self.i
        while self.i < end:
            char = self.text[self.i]
            if char == ")" and not open_:
                break
            if char in "$`\"'\\":
                parts.append((TEXT, self.text[begin : self.i], False))
                parts.extend(self.piece(quoted=False))
                begin = self.i
                continue
            open_ += (char == "(") - (char == ")")
            self.i += 1
        if self.look(2) != "))":
            raise self.fail("two parentheses, and no arithmetic")
        self.i += 2
        return (*parts, (TEXT, self.text[begin : self.i - 2], False))

    def _braces(self, quoted: bool) -> Part:
        """`${…}`."""
        self.i += 1
        op = ""
        if self.look() in "#!" and self.look(2)[1:] not in ("}", ":", "-", "=", "+", "?", "%", "#", "/", ""):
            op = "?"
            self.i += 1
        start = self.i
        if not self.name():
            while self.look() in DIGITS:
                self.i += 1
        name = self.text[start : self.i]
        if not name:
            name = self.look()
            if not name or name not in "@*#?-$!":
                raise self.fail("an expansion we do not know")
            self.i += 1
        inside: Parts = ()
        if self.look() == "[":
            self.i += 1
            inside, op = self.until("]", quoted), "?"
        for known in (":-", "-", ":=", "=", ":+", "+", ":?", "##", "#", "%%", "%"):
            if not op and self.text.startswith(known, self.i):
                self.i += len(known)
                start = self.i
                word = self.until("}", quoted)
                quotes = known[0] in "#%" and any(char in self.text[start : self.i] for char in "'\"\\")
                return (PARAM, name, quoted, "?" if quotes else known, word)
        if self.text.startswith("@P", self.i):
            raise self.fail("an expansion that runs what a variable holds")
        if self.look() != "}":
            op = "?"
        return (PARAM, name, quoted, op, inside + self.until("}", quoted) or BRACED)

    def backticks(self, quoted: bool) -> Part:
        start = self.i = self.i + 1
        while self.look() != "`":
            if self.i >= self.size:
                raise self.fail("no closing `")
            self.i += 2 if self.look() == "\\" else 1
        text = self.text[start : self.i]
        self.i += 1
        pieces = [piece.replace("\\`", "`").replace("\\$", "$") for piece in text.split("\\\\")]
        text = "\\".join([piece.replace('\\"', '"') if quoted else piece for piece in pieces])
        return (RUN, self.inner(text), quoted)

    # --- pieces of words -------------------------------------------------------------------------------------------

    def piece(self, quoted: bool) -> Parts:
        """The quoted or expanded piece that begins here with one of \\ ' " $ `."""
        self.tick()
        char = self.text[self.i]
        if char == "$":
            return (self.dollar(quoted),)
        if char == "`":
            return (self.backticks(quoted),)
        if char == "'":
            start, close = self.i + 1, self.text.find("'", self.i + 1)
            if close < 0:
                raise self.fail("no closing '")
            self.i = close + 1
            return ((TEXT, self.text[start:close], True),)
        if char == '"':
            self.i += 1
            return self.until('"', quoted=True) or ((TEXT, "", True),)
        following = self.text[self.i + 1 : self.i + 2]
        if not following:
            raise self.fail("a backslash at the end")
        self.i += 2
        return () if following == "\n" else ((TEXT, following, True),)

    def until(self, close: str, quoted: bool) -> Parts:
        """Parts up to `close`, which is consumed. `quoted`: as inside double quotes; "" as `close` is the end."""
        parts: list[Part] = []
        begin = self.i

        def flush() -> None:
            if self.i > begin:
                parts.append((TEXT, self.text[begin : self.i], quoted))

        open_ = 0
        closers = self.closers = self.closers or marked(self.text, _CLOSERS)
        while self.i < self.size:
            at = closers.find(0, self.i)
            if at != self.i:
                self.i = at if at >= 0 else self.size
                continue
            char = self.text[at]
            if char == close and not open_:
                flush()
                self.i += 1
                return tuple(parts)
            if char == "[" and close == "]":
                open_ += 1
            elif char == "]" and close == "]":
                open_ -= 1
            if char == "\\" and quoted:
                following = self.text[self.i + 1 : self.i + 2]
                if following in ("$", "`", "\\", "\n") or (following == close and close):
                    flush()
                    if following != "\n":
                        parts.append((TEXT, following, True))
                    self.i += 2
                    begin = self.i
                else:
                    self.i += 1
                continue
            if char in "$`" or (char in "\\'" and not quoted) or (char == '"' and close and close != '"'):
                flush()
                parts.extend(self.piece(quoted))
                begin = self.i
                continue
            self.i += 1
        if close:
            raise self.fail(f"no closing {close}")
        flush()
        return tuple(parts)

    def _qualifiers(self, before: Part) -> bool:
        """Behind a glob of zsh stands which of its files are meant (`*.ts(.N)`): no other shell reads that."""
        close = self.text.find(")", self.i)
        inside = self.text[self.i + 1 : close]
        bare = before[0] is TEXT and before[1][-1] not in "?*+@!="
        if not (bare and close > 0 and inside and QUALIFIERS.issuperset(inside) and not NARROWS.isdisjoint(inside)):
            return False
        self.i = close + 1
        return True

    def word(self) -> Word:
        """The word that begins here; an empty one where none does."""
        self.count += 1
        if self.count > WORDS:
            raise Unreadable("more words than we read")
        text, size = self.text, self.size
        start = self.i
        end = self.stops.find(0, start)
        if end < 0:
            end = size
        if end > start and (end == size or text[end] in BEHIND):
            self.i = end
            return Word(((TEXT, text[start:end], False),), start, end)
        parts: list[Part] = []
        while self.i < size:
            char = text[self.i]
            if char not in STOPS:
                begin = self.i
                end = self.stops.find(0, begin)
                self.i = end if end >= 0 else size
                parts.append((TEXT, text[begin : self.i], False))
            elif char in "\\'\"$`":
                parts.extend(self.piece(quoted=False))
            elif char in "<>" and text[self.i + 1 : self.i + 2] == "(":
                self.i += 2
                parts.append((PIPE, char, self.nested(")")))
            elif not (char == "(" and parts and self._qualifiers(parts[-1])):
                break
        return Word(merged(parts), start, self.i)


def merged(parts: list[Part]) -> Parts:
    """Neighbouring texts of the same kind as one (a line continuation leaves two)."""
    out: list[Part] = []
    for part in parts:
        if out and part[0] is TEXT and out[-1][0] is TEXT and part[2] == out[-1][2]:
            out[-1] = (TEXT, out[-1][1] + part[1], part[2])
        else:
            out.append(part)
    return tuple(out)
