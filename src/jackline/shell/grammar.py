"""Read commands as bash does: lists, pipelines, compounds, functions, here-documents. Strict: in doubt, `Unreadable`.

A command that we read otherwise than the shell does would be judged as something it is not. So every construct is
read here exactly or refused; `tests/laws` compare with bash itself.
"""

from __future__ import annotations

from jackline.shell.compounds import COMPOUND, defined, parenthesis
from jackline.shell.lexis import DEPTH, DIGITS, ENDS, LETTERS, TEXT, Lexis, Word
from jackline.shell.model import Unreadable
from jackline.shell.nodes import EMPTY, Assign, Node, Redir

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from jackline.shell.lexis import Parts

WORDS = "if then elif else fi for while until do done case esac select function { } ! [[ ]] coproc time in"
RESERVED = frozenset(WORDS.split())
FIRSTS = frozenset([word[0] for word in RESERVED])
DECLARE = frozenset(["declare", "typeset", "export", "readonly", "local", "integer", "float"])
BLANK, SKIPPED = " \t", frozenset(" \t\\#")
CONTINUED = "\\\n"
CLOSES = ENDS | {""}
BEHIND = frozenset("\n;&|)") | {""}
"""What ends a command."""

OPERATORS = ("&>>", "&>", "<<<", "<<-", "<<", ">>", ">|", ">&", "<&", "<>", "<", ">")
STARTS = frozenset("<>&{0123456789")
"""Characters with which a redirection may begin."""


class Grammar(Lexis):
    """Reads `text` as a script. `literal` is False when places in it mean nothing to the caller."""

    def __init__(self, text: str, depth: int = 0, literal: bool = True) -> None:
        super().__init__(text, depth)
        self.literal = literal
        self.pending: list[Redir] = []

    def deeper(self) -> None:
        self.depth += 1
        if self.depth > DEPTH:
            raise Unreadable("nested too deeply")

    def inner(self, text: str, read: Callable[[Grammar], Any] | None = None) -> Any:
        reader = Grammar(text, self.depth, literal=False)
        reader.deeper()
        reader.count = self.count
        found = read(reader) if read else reader.script()
        self.count = reader.count
        return found

    def nested(self, close: str) -> Node:
        pending, self.pending = self.pending, []
        self.deeper()
        node = self.commands(())
        self.depth -= 1
        if self.look() != close:
            raise self.fail(f"no closing {close}")
        if self.pending:
            raise self.fail("a here-document without its text")
        self.i += 1
        self.pending = pending
        return node

    def script(self) -> Node:
        """The whole text."""
        node = self.commands(())
        if self.i < self.size:
            raise self.fail(f"an unexpected {self.look()}")
        if self.pending:
            self.bodies()
        return node

    # --- blanks, line breaks, here-documents -----------------------------------------------------------------------

    def blanks(self) -> None:
        """Skip blanks, continued lines and a comment."""
        text, i, size = self.text, self.i, self.size
        while i < size:
            char = text[i]
            if char not in SKIPPED:
                break
            if char in BLANK:
                i += 1
            elif char == "\\" and text[i + 1 : i + 2] == "\n":
                i += 2
            elif char == "#":
                end = text.find("\n", i)
                i = size if end < 0 else end
            else:
                break
        self.i = i

    def breaks(self) -> None:
        """Skip blanks and line breaks; here-documents begin behind the latter."""
        self.blanks()
        while self.i < self.size and self.text[self.i] == "\n":
            self.i += 1
            if self.pending:
                self.bodies()
            self.blanks()

    def bodies(self) -> None:
        for redir in self.pending:
            parts = redir.target.parts
            if any(part[0] is not TEXT for part in parts):
                raise Unreadable("a here-document's delimiter with an expansion")
            quoted = any(part[2] for part in parts)
            body = self.body("".join([part[1] for part in parts]), redir.op == "<<-", quoted)
            if not quoted and CONTINUED in body and ("$(" in body or "`" in body):
                raise self.fail("a continued line in a here-document that runs commands: shells join it or not")
            if quoted or not ("$" in body or "`" in body or "\\" in body):
                redir.body = ((TEXT, body, True),)
            else:
                redir.body = self.inner(body, lambda reader: reader.until("", quoted=True))
        self.pending = []

    def body(self, delimiter: str, tabs: bool, quoted: bool) -> str:
        lines: list[str] = []
        while self.i < self.size:
            end = self.text.find("\n", self.i)
            line = self.text[self.i : end if end >= 0 else self.size]
            self.i = end + 1 if end >= 0 else self.size
            if tabs:
                line = line.lstrip("\t")
            if line == delimiter:
                if not quoted and lines and lines[-1].endswith(CONTINUED):
                    raise self.fail("a here-document whose end may belong to the line before it")
                break
            lines.append(line + "\n")
        else:
            if self.depth:
                raise self.fail("a here-document without its end")
        return "".join(lines)

    # --- lists and pipelines ---------------------------------------------------------------------------------------

    def reserved(self) -> str:
        """The reserved word that stands here, not consumed, or ""."""
        text = self.text
        start = end = self.i
        if text[start : start + 1] not in FIRSTS:
            return ""
        while end < self.size and text[end] not in ENDS:
            end += 1
            if end - start > 8:
                return ""
        word = text[start:end]
        return word if word in RESERVED else ""

    def expect(self, *words: str) -> str:
        self.breaks()
        word = self.reserved()
        if word not in words:
            raise self.fail(f"no {' or '.join(words)}")
        self.i += len(word)
        return word

    def commands(self, stops: tuple[str, ...]) -> Node:
        """Commands up to a closing parenthesis, `;;`, the end, or one of the reserved words in `stops`."""
        items: list[tuple[str, Node]] = []
        before = ""
        while True:
            self.breaks()
            two = self.look(2)
            if two[:1] in ("", ")") or two in (";;", ";&") or (stops and self.reserved() in stops):
                if before in ("&&", "||"):
                    raise self.fail(f"nothing behind {before}")
                return Node("list", tuple(items), (), before if before == "&" else "")
            items.append((before, self.pipeline()))
            two = self.look(2)
            if two in ("&&", "||"):
                before = two
                self.i += 2
            elif two[:1] in ("", "\n", ")") or two in (";;", ";&"):
                before = ";"
            elif two[:1] in (";", "&") and two not in ("&|", "&!"):
                before = two[:1]
                self.i += 1
            else:
                raise self.fail(f"an unexpected {two[:1]}")

    def pipeline(self) -> Node:
        stages: list[Node] = []
        word: str | None
        while (word := self.reserved()) in ("!", "time"):
            self.i += len(word)
            self.blanks()
            while word == "time" and self.look(2) in ("-p", "--") and self.text[self.i + 2 : self.i + 3] in " \t\n":
                self.i += 2
                self.blanks()
            if self.look() in ("", "\n", ";", "&", "|", ")"):
                return EMPTY
        while True:
            stages.append(self.command(word))
            self.blanks()
            if self.look() != "|" or self.look(2) == "||":
                break
            self.i += 2 if self.look(2) == "|&" else 1
            self.breaks()
            word = None
        return stages[0] if len(stages) == 1 else Node("pipeline", tuple(stages))

    # --- commands --------------------------------------------------------------------------------------------------

    def command(self, word: str | None = None) -> Node:
        """One command; `word` is the reserved word that stands here, where somebody looked."""
        self.deeper()
        if word is None:
            word = self.reserved()
        if self.text[self.i : self.i + 1] == "(":
            node = parenthesis(self)
        elif word in COMPOUND:
            self.i += len(word)
            node = COMPOUND[word](self)
        elif word:
            raise self.fail(f"an unexpected {word}")
        else:
            node = self.simple()
        if node.kind != "simple":
            self.blanks()
            while (redir := self.redirection()) is not None:
                node.redirs += (redir,)
                self.blanks()
        self.depth -= 1
        return node

    def redirection(self) -> Redir | None:
        """The redirection that begins here, or None and nothing is read."""
        if self.text[self.i : self.i + 1] not in STARTS:
            return None
        here = self.i
        if self.look() == "{":
            self.i += 1
            name = self.name()
            if not name or self.look() != "}" or self.look(2)[1:] not in ("<", ">"):
                self.i = here
                return None
            self.i += 1
        while self.look() in DIGITS:
            self.i += 1
        fd = self.text[here : self.i]
        op = next((one for one in OPERATORS if self.text.startswith(one, self.i)), "")
        if not op or (fd and op[0] == "&") or (op in ("<", ">") and self.look(2)[1:] == "("):
            self.i = here
            return None
        self.i += len(op)
        if op[0] != "<" and self.look() in ("!", "|"):
            if self.look(2)[1:] in ENDS:
                raise self.fail("a redirection that zsh reads in another way")
            self.i += self.look() == "|"  # zsh writes `>>|` and `>!` for "even if it exists"
        self.blanks()
        if op in (">&", "<&") and self.look() == "-" and self.look(2)[1:] not in CLOSES:
            raise self.fail("a word behind a closed descriptor")
        target = self.word()
        if not target.parts:
            raise self.fail(f"nothing behind {op}")
        redir = Redir(fd, op, target)
        if op in ("<<", "<<-"):
            self.pending.append(redir)
        return redir

    def assignment(self) -> Assign | None:
        """The assignment that begins here, or None and nothing is read."""
        here = self.i
        name = self.name()
        if not name:
            return None
        subscript: Parts | None = None
        if self.look() == "[":
            self.i += 1
            subscript = self.until("]", quoted=False)
            if any(part[0] is TEXT and not part[2] and not ENDS.isdisjoint(part[1]) for part in subscript):
                raise self.fail("a subscript with blanks or operators")
        append = self.look(2) == "+="
        if not append and self.look() != "=":
            self.i = here
            return None
        self.i += 2 if append else 1
        if self.look() == "(":
            self.i += 1
            parts, sums = self.array()
            return Assign(name, None, parts, append, (subscript or ()) + sums)
        value = self.word()
        if subscript is not None:
            return Assign(name, None, value.parts, append, subscript)
        return Assign(name, value, (), append)

    def array(self) -> tuple[Parts, Parts]:
        """The values of an array, and those that begin with a subscript."""
        parts: Parts = ()
        sums: Parts = ()
        while True:
            self.breaks()
            if self.look() == ")":
                self.i += 1
                return parts, sums
            subscript = self.look() == "["
            word = self.word()
            if not word.parts:
                raise self.fail("an array we cannot read")
            if subscript:
                sums += word.parts
            else:
                parts += word.parts

    def simple(self) -> Node:
        node = Node("simple")
        words: list[Word | Assign] = []
        assigns: list[Assign] = []
        redirs: list[Redir] = []
        node.start = node.end = self.i
        declares = False
        text = self.text
        while True:
            char = text[self.i : self.i + 1]
            if char in STARTS and (redir := self.redirection()) is not None:
                redirs.append(redir)
                node.end = self.i
                self.blanks()
                continue
            if char in BEHIND or (char in "<>" and self.look(2)[1:] != "("):
                break
            assign = None
            if (declares or not words) and char in LETTERS:
                end = self.stops.find(0, self.i)
                name = text[self.i : end if end >= 0 else self.size]
                assign = self.assignment() if "=" in name or "[" in name else None
            if assign is not None:
                (words if words else assigns).append(assign)
            elif char == "(":
                return defined(self, words)
            else:
                word = self.word()
                if not word.parts:
                    self.blanks()  # only a line continuation stood here
                    continue
                words.append(word)
                bare = word.bare
                if len(words) <= 2:
                    declares = declares or bare in DECLARE
                    if len(words) == 1:
                        node.after = self.i
                        name, equals, _ = bare.partition("=")
                        if equals and name.rstrip("+").isidentifier():
                            raise self.fail("an assignment over two lines")
                        if bare in RESERVED and not assigns and not redirs:
                            raise self.fail(f"an unexpected {bare}")
            node.end = self.i
            if text[self.i : self.i + 1] == " " and text[self.i + 1 : self.i + 2] not in SKIPPED:
                self.i += 1  # as between most words
            else:
                self.blanks()
        if not words and not assigns and not redirs:
            raise self.fail("no command")
        node.words, node.assigns, node.redirs = tuple(words), tuple(assigns), tuple(redirs)
        if not self.literal:
            node.start = node.after = node.end = -1
        return node
