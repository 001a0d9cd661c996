"""Read commands as bash does: lists, pipelines, compounds, functions, here-documents. Strict: in doubt, `Unreadable`.

A command that we read otherwise than the shell does would be judged as something it is not. So every construct is
read here exactly or refused; `tests/laws` compare with bash itself.
"""

from __future__ import annotations

from jackline.shell.lexis import DEPTH, DIGITS, ENDS, TEXT, Lexis, Unreadable, Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from jackline.shell.lexis import Parts

WORDS = "if then elif else fi for while until do done case esac select function { } ! [[ ]] coproc time in"
RESERVED = frozenset(WORDS.split())
DECLARE = frozenset(["declare", "typeset", "export", "readonly", "local", "integer", "float"])
BLANK = " \t"


class Redir:
    """One redirection. `fd`: the descriptor as written; `body`: contents of a here-document."""

    __slots__ = ("body", "fd", "op", "target")

    def __init__(self, fd: str, op: str, target: Word) -> None:
        self.fd = fd
        self.op = op
        self.target = target
        self.body: Parts = ()


class Assign:
    """`name=value`; `value` is None for an array or a subscript, whose words are in `parts`."""

    __slots__ = ("append", "name", "parts", "value")

    def __init__(self, name: str, value: Word | None, parts: Parts = (), append: bool = False) -> None:
        self.name = name
        self.value = value
        self.parts = parts
        self.append = append


class Node:
    """One command. `kind` says which; the other fields are what that kind needs.

    simple    words, assigns (those before it, and in `words` for declarations), start, after, end
    list      items: (operator before, node)
    pipeline  items: nodes
    group subshell while coproc   items: nodes
    if        items: (condition, body) …, the condition None for else
    for       name, words (None: the positional parameters), items: body
    case      words: the subject; items: (patterns, body)
    function  name, items: body
    sum test  parts
    """

    __slots__ = ("after", "assigns", "end", "items", "kind", "name", "parts", "redirs", "start", "words")

    def __init__(self, kind: str, items: tuple = (), words: tuple | None = (), name: str = "") -> None:  # type: ignore[type-arg]
        self.kind = kind
        self.items = items
        self.words = words
        self.name = name
        self.parts: Parts = ()
        self.assigns: tuple[Assign, ...] = ()
        self.redirs: tuple[Redir, ...] = ()
        self.start = self.after = self.end = -1


EMPTY = Node("list")


def unquoted(word: Word) -> tuple[str, bool]:
    """The delimiter of a here-document, and whether any of it is quoted."""
    text, quoted = "", False
    for part in word.parts:
        if part[0] is not TEXT:
            raise Unreadable("a here-document's delimiter with an expansion")
        text += part[1]
        quoted = quoted or part[2]
    return text, quoted


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

    def inner(self, text: str) -> Node:
        reader = Grammar(text, self.depth + 1, literal=False)
        reader.count = self.count
        if reader.depth > DEPTH:
            raise Unreadable("nested too deeply")
        node = reader.script()
        self.count = reader.count
        return node

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
        self.bodies()
        return node

    # --- blanks, line breaks, here-documents -----------------------------------------------------------------------

    def blanks(self) -> None:
        """Skip blanks, continued lines and a comment."""
        while self.i < self.size:
            char = self.text[self.i]
            if char in BLANK:
                self.i += 1
            elif char == "\\" and self.look(2) == "\\\n":
                self.i += 2
            elif char == "#":
                end = self.text.find("\n", self.i)
                self.i = self.size if end < 0 else end
            else:
                return

    def breaks(self) -> None:
        """Skip blanks and line breaks; here-documents begin behind the latter."""
        self.blanks()
        while self.look() == "\n":
            self.i += 1
            self.bodies()
            self.blanks()

    def bodies(self) -> None:
        for redir in self.pending:
            delimiter, quoted = unquoted(redir.target)
            body = self.body(delimiter, redir.op == "<<-")
            if quoted or not ("$" in body or "`" in body or "\\" in body):
                redir.body = ((TEXT, body, True),)
            else:
                reader = Grammar(body, self.depth + 1, literal=False)
                reader.count = self.count
                redir.body = reader.until("", quoted=True)
                self.count = reader.count
        self.pending = []

    def body(self, delimiter: str, tabs: bool) -> str:
        lines: list[str] = []
        while self.i < self.size:
            end = self.text.find("\n", self.i)
            line = self.text[self.i : end if end >= 0 else self.size]
            self.i = end + 1 if end >= 0 else self.size
            if tabs:
                line = line.lstrip("\t")
            if line == delimiter:
                break
            lines.append(line + "\n")
        else:
            if self.depth:
                raise self.fail("a here-document without its end")
        return "".join(lines)

    # --- lists and pipelines ---------------------------------------------------------------------------------------

    def reserved(self) -> str:
        """The reserved word that stands here, not consumed, or ""."""
        end = self.i
        while end < self.size and self.text[end] not in ENDS:
            end += 1
            if end - self.i > 8:
                return ""
        word = self.text[self.i : end]
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
            char = self.look()
            if not char or char == ")" or self.look(2) in (";;", ";&") or (stops and self.reserved() in stops):
                if before in ("&&", "||"):
                    raise self.fail(f"nothing behind {before}")
                return Node("list", tuple(items))
            items.append((before, self.pipeline()))
            self.blanks()
            two = self.look(2)
            if two in ("&&", "||"):
                before = two
                self.i += 2
            elif two[:1] == "\n":
                before = ";"
            elif two[:1] in (";", "&") and two not in (";;", ";&", "&|", "&!"):
                before = two[:1]
                self.i += 1
            elif two[:1] in ("", ")") or two in (";;", ";&"):
                before = ";"
            else:
                raise self.fail(f"an unexpected {two[:1]}")

    def pipeline(self) -> Node:
        stages: list[Node] = []
        while self.reserved() in ("!", "time"):
            word = self.reserved()
            self.i += len(word)
            self.blanks()
            while word == "time" and self.look(2) in ("-p", "--") and self.text[self.i + 2 : self.i + 3] in " \t\n":
                self.i += 2
                self.blanks()
            if self.look() in ("", "\n", ";", "&", "|", ")"):
                return EMPTY
        while True:
            stages.append(self.command())
            self.blanks()
            if self.look() != "|" or self.look(2) == "||":
                break
            self.i += 2 if self.look(2) == "|&" else 1
            self.breaks()
        return stages[0] if len(stages) == 1 else Node("pipeline", tuple(stages))

    # --- commands --------------------------------------------------------------------------------------------------

    def command(self) -> Node:
        self.deeper()
        char = self.look()
        word = self.reserved()
        if char == "(":
            node = self.parenthesis()
        elif word in COMPOUND:
            self.i += len(word)
            node = COMPOUND[word](self)
        elif word:
            raise self.fail(f"an unexpected {word}")
        else:
            node = self.simple()
        if node.kind != "simple":
            node.redirs += self.redirections()
        self.depth -= 1
        return node

    def redirections(self) -> tuple[Redir, ...]:
        found: list[Redir] = []
        while True:
            self.blanks()
            redir = self.redirection()
            if redir is None:
                return tuple(found)
            found.append(redir)

    def redirection(self) -> Redir | None:
        """The redirection that begins here, or None and nothing is read."""
        here, fd = self.i, ""
        if self.look() == "{":
            self.i += 1
            name = self.name()
            if name and self.look() == "}" and self.look(2)[1:] in ("<", ">") and self.look(2)[1:]:
                self.i += 1
                fd = "{" + name + "}"
            else:
                self.i = here
                return None
        else:
            while self.look() in DIGITS:
                self.i += 1
            fd = self.text[here : self.i]
        for op in ("&>>", "&>", "<<<", "<<-", "<<", ">>", ">|", ">&", "<&", "<>", "<", ">"):
            if self.text.startswith(op, self.i):
                break
        else:
            self.i = here
            return None
        if (fd and op[0] == "&") or (op in ("<", ">") and self.look(2)[1:] == "("):
            self.i = here
            return None
        self.i += len(op)
        if op[-1] in ">&" and self.look() and self.look() in "!|" and op != "<&":
            self.i += 1  # zsh writes `>!` and `>>|` for "even if it exists"
        self.blanks()
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
            try:
                subscript = self.until("]", quoted=False)
            except Unreadable:
                self.i = here
                return None
        append = self.look(2) == "+="
        if not append and self.look() != "=":
            self.i = here
            return None
        self.i += 2 if append else 1
        if self.look() == "(":
            self.i += 1
            return Assign(name, None, self.array(), append)
        value = self.word()
        if subscript is not None:
            return Assign(name, None, subscript + value.parts, append)
        return Assign(name, value, (), append)

    def array(self) -> Parts:
        parts: Parts = ()
        while True:
            self.breaks()
            if self.look() == ")":
                self.i += 1
                return parts
            word = self.word()
            if not word.parts:
                raise self.fail("an array we cannot read")
            parts += word.parts

    def simple(self) -> Node:
        node = Node("simple")
        words: list[Word | Assign] = []
        assigns: list[Assign] = []
        redirs: list[Redir] = []
        node.start = node.end = self.i
        declares = False
        while True:
            redir = self.redirection()
            if redir is not None:
                redirs.append(redir)
                node.end = self.i
                self.blanks()
                continue
            char = self.look()
            if not char or char in "\n;&|)" or (char in "<>" and self.look(2)[1:] != "("):
                break
            assign = self.assignment() if declares or not words else None
            if assign is not None:
                (words if words else assigns).append(assign)
            elif char == "(":
                return self.function(words)
            else:
                word = self.word()
                if not word.parts:
                    # Only a line continuation stood here.
                    self.blanks()
                    continue
                words.append(word)
                if len(words) == 1:
                    node.after = self.i
                declares = declares or (word.bare in DECLARE and len(words) <= 2)
                if word.bare in RESERVED and len(words) == 1 and not assigns and not redirs:
                    raise self.fail(f"an unexpected {word.bare}")
            node.end = self.i
            if self.look() == "(":
                continue
            self.blanks()
        if not words and not assigns and not redirs:
            raise self.fail("no command")
        node.words, node.assigns, node.redirs = tuple(words), tuple(assigns), tuple(redirs)
        if not self.literal:
            node.start = node.after = node.end = -1
        return node

    def function(self, words: list[Word | Assign]) -> Node:
        """`name () body`, at the parenthesis."""
        if len(words) != 1 or not isinstance(words[0], Word) or not words[0].bare:
            raise self.fail("an unexpected (")
        self.i += 1
        self.blanks()
        if self.look() != ")":
            raise self.fail("an unexpected (")
        self.i += 1
        self.breaks()
        return Node("function", (self.command(),), name=words[0].bare)

    def parenthesis(self) -> Node:
        if self.look(2) == "((":
            parts = self.arithmetic()
            if parts is not None:
                node = Node("sum")
                node.parts = parts
                return node
        self.i += 1
        body = self.commands(())
        if self.look() != ")":
            raise self.fail("no closing )")
        self.i += 1
        return Node("subshell", (body,))

    # --- compounds: each is called behind its first word -----------------------------------------------------------

    def group(self) -> Node:
        body = self.commands(("}",))
        self.expect("}")
        return Node("group", (body,))

    def conditional(self) -> Node:
        branches: list[tuple[Node | None, Node]] = []
        word = "if"
        while word != "fi":
            condition = None
            if word != "else":
                condition = self.commands(("then",))
                self.expect("then")
            body = self.commands(("elif", "else", "fi") if word != "else" else ("fi",))
            branches.append((condition, body))
            word = self.expect("elif", "else", "fi")
        return Node("if", tuple(branches))

    def loop(self) -> Node:
        condition = self.commands(("do",))
        return Node("while", (condition, self.do()))

    def do(self) -> Node:
        """`do … done`, or the braces that bash takes in a `for` as well."""
        close = {"do": "done", "{": "}"}[self.expect("do", "{")]
        body = self.commands((close,))
        self.expect(close)
        return body

    def repeat(self) -> Node:
        """`for` and `select`."""
        self.blanks()
        node = Node("for")
        if self.look(2) == "((":
            parts = self.arithmetic()
            if parts is None:
                raise self.fail("a loop we cannot read")
            node.parts = parts
        else:
            node.name = self.name()
            if not node.name or self.look() not in ENDS:
                raise self.fail("a loop without a variable")
            node.words = self.values()
        self.blanks()
        if self.look() == ";":
            self.i += 1
        node.items = (self.do(),)
        return node

    def values(self) -> tuple[Word, ...] | None:
        self.breaks()
        if self.reserved() != "in":
            return None
        self.i += 2
        words: list[Word] = []
        while True:
            self.blanks()
            word = self.word()
            if not word.parts:
                if self.look() not in (";", "\n"):
                    raise self.fail("a loop we cannot read")
                return tuple(words)
            words.append(word)

    def case(self) -> Node:
        self.blanks()
        node = Node("case", words=(self.word(),))
        self.expect("in")
        branches: list[tuple[tuple[Word, ...], Node]] = []
        while True:
            self.breaks()
            if self.reserved() == "esac":
                self.i += 4
                node.items = tuple(branches)
                return node
            if self.look() == "(":
                self.i += 1
            patterns: list[Word] = []
            while True:
                self.blanks()
                patterns.append(self.word())
                self.blanks()
                char = self.look()
                self.i += 1
                if char == ")" and patterns[-1].parts:
                    break
                if char != "|":
                    raise self.fail("a case we cannot read")
            body = self.commands(("esac",))
            if self.look(3) == ";;&":
                self.i += 3
            elif self.look(2) in (";;", ";&"):
                self.i += 2
            branches.append((tuple(patterns), body))

    def named(self) -> Node:
        """`function name [()] body`."""
        self.blanks()
        name = self.word().bare
        self.blanks()
        if self.look() == "(":
            self.i += 1
            self.blanks()
            if self.look() != ")":
                raise self.fail("an unexpected (")
            self.i += 1
        self.breaks()
        if not name:
            raise self.fail("a function without a name")
        return Node("function", (self.command(),), name=name)

    def test(self) -> Node:
        """`[[ … ]]`."""
        node = Node("test")
        pattern = False
        while True:
            self.breaks()
            if self.reserved() == "]]":
                self.i += 2
                return node
            char = self.look()
            if not char:
                raise self.fail("no closing ]]")
            if char in "()<>|&" and not (char in "<>" and self.look(2)[1:] == "(") and not pattern:
                self.i += 1
                continue
            word = self.pattern() if pattern else self.word()
            if not word.parts:
                raise self.fail("a test we cannot read")
            node.parts += word.parts
            pattern = word.bare in ("=~", "==", "=", "!=")

    def pattern(self) -> Word:
        """The right side of `=~` or `==`, where parentheses and bars are text."""
        start, open_, parts = self.i, 0, ()  # type: tuple[int, int, Parts]
        while self.i < self.size:
            char = self.text[self.i]
            if char == "(":
                open_ += 1
            elif char == ")":
                if not open_:
                    break
                open_ -= 1
            elif char in "\n" or (char in BLANK and not open_) or (char in "&;<>" and not open_):
                break
            elif char in "\\'\"$`":
                parts += self.piece(quoted=False)
                continue
            self.i += 1
        return Word(parts or ((TEXT, self.text[start : self.i], False),) if self.i > start else (), start, self.i)

    def coproc(self) -> Node:
        """`coproc [NAME] command`."""
        self.blanks()
        here = self.i
        if self.name() and self.look() in BLANK:
            self.blanks()
            if self.reserved() in COMPOUND or self.look() == "(":
                return Node("coproc", (self.command(),))
        self.i = here
        return Node("coproc", (self.command(),))


COMPOUND: dict[str, Callable[[Grammar], Node]] = {
    "{": Grammar.group,
    "if": Grammar.conditional,
    "while": Grammar.loop,
    "until": Grammar.loop,
    "for": Grammar.repeat,
    "select": Grammar.repeat,
    "case": Grammar.case,
    "function": Grammar.named,
    "[[": Grammar.test,
    "coproc": Grammar.coproc,
}
