"""Read compound commands: groups, conditions, loops, cases, functions. Each is called behind its first word."""

from __future__ import annotations

from jackline.shell.lexis import ENDS, Word
from jackline.shell.nodes import Assign, Node, Redir
from jackline.shell.programs import HOMES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from jackline.shell.grammar import Grammar


def until(reader: Grammar, close: str) -> Node:
    """The commands up to a word, which is consumed."""
    body = reader.commands((close,))
    reader.expect(close)
    return body


def conditional(reader: Grammar) -> Node:
    branches: list[tuple[Node | None, Node]] = []
    word = "if"
    while word != "fi":
        condition = until(reader, "then") if word != "else" else None
        body = reader.commands(("elif", "else", "fi") if word != "else" else ("fi",))
        branches.append((condition, body))
        word = reader.expect("elif", "else", "fi")
    return Node("if", tuple(branches))


def loop(reader: Grammar) -> Node:
    condition = reader.commands(("do",))
    return Node("while", (condition, do(reader)))


def do(reader: Grammar) -> Node:
    """`do … done`, or the braces that bash takes in a `for` as well."""
    return until(reader, {"do": "done", "{": "}"}[reader.expect("do", "{")])


def repeat(reader: Grammar) -> Node:
    """`for` and `select`."""
    reader.blanks()
    node = Node("for")
    if reader.look(2) == "((":
        node.parts = reader.arithmetic()
    else:
        node.name = reader.name()
        if not node.name or reader.look() not in ENDS:
            raise reader.fail("a loop without a variable")
        node.words = values(reader)
    reader.blanks()
    if reader.look() == ";":
        reader.i += 1
    node.items = (do(reader),)
    return node


def values(reader: Grammar) -> tuple[Word, ...] | None:
    reader.breaks()
    if reader.reserved() != "in":
        return None
    reader.i += 2
    words: list[Word] = []
    while not words or words[-1].parts:
        reader.blanks()
        words.append(reader.word())
    if reader.look() not in (";", "\n"):
        raise reader.fail("a loop we cannot read")
    return tuple(words[:-1])


def case(reader: Grammar) -> Node:
    reader.blanks()
    node = Node("case", words=(reader.word(),))
    reader.expect("in")
    branches: list[tuple[tuple[Word, ...], Node]] = []
    while True:
        reader.breaks()
        if reader.reserved() == "esac":
            reader.i += 4
            node.items = tuple(branches)
            return node
        if reader.look() == "(":
            reader.i += 1
        patterns: list[Word] = []
        while True:
            reader.blanks()
            patterns.append(reader.word())
            reader.blanks()
            char = reader.look()
            reader.i += 1
            if char == ")" and patterns[-1].parts:
                break
            if char != "|":
                raise reader.fail("a case we cannot read")
        body = reader.commands(("esac",))
        if reader.look(3) == ";;&":
            reader.i += 3
        elif reader.look(2) in (";;", ";&"):
            reader.i += 2
        branches.append((tuple(patterns), body))


def _parentheses(reader: Grammar) -> None:
    """The `()` behind a function's name."""
    reader.i += 1
    reader.blanks()
    if reader.look() != ")":
        raise reader.fail("an unexpected (")
    reader.i += 1


def named(reader: Grammar) -> Node:
    """`function name [()] body`."""
    reader.blanks()
    name = reader.word().bare
    reader.blanks()
    if reader.look() == "(":
        _parentheses(reader)
    reader.breaks()
    if not name:
        raise reader.fail("a function without a name")
    node = Node("function", (reader.command(),), name=name)
    node.words = (Word((), -1, -1),)  # dash would run its body where it stands
    return node


def test(reader: Grammar) -> Node:
    """`[[ … ]]`. For dash this is a list of commands: its targets are kept as such, its later parts name none."""
    node, begins = Node("test"), False
    while True:
        reader.breaks()
        if reader.reserved() == "]]":
            reader.i += 2
            return node
        two = reader.look(2)
        if not two:
            raise reader.fail("no closing ]]")
        if two in ("&&", "||"):
            reader.i += 2
        elif two[:1] in "()<>|&" and two not in ("<(", ">("):
            reader.i += 1
            reader.blanks()
            if two[:1] == ">" and (word := reader.word()).parts:
                node.redirs += (Redir("", ">", word),)
                node.parts += word.parts
        else:
            word = reader.word()
            if not word.parts:
                raise reader.fail("a test we cannot read")
            node.parts += word.parts
            if begins and word.bare in HOMES:
                raise reader.fail("a test that dash reads as commands,")
        begins = two in ("&&", "||")


def defined(reader: Grammar, words: list[Word | Assign]) -> Node:
    """`name () body`, at the parenthesis."""
    if len(words) != 1 or not isinstance(words[0], Word) or not words[0].bare:
        raise reader.fail("an unexpected (")
    _parentheses(reader)
    reader.breaks()
    return Node("function", (reader.command(),), name=words[0].bare)


def parenthesis(reader: Grammar) -> Node:
    """`(…)` and `((…))`."""
    if reader.look(2) == "((":
        here = reader.i + 2
        node = Node("sum")
        node.parts = reader.arithmetic()
        if reader.text[here : reader.i - 2].split(" ")[0] in HOMES:
            raise reader.fail("arithmetic that dash reads as commands,")
        return node
    reader.i += 1
    body = reader.commands(())
    if reader.look() != ")":
        raise reader.fail("no closing )")
    reader.i += 1
    return Node("subshell", (body,))


COMPOUND: dict[str, Callable[[Grammar], Node]] = {
    "{": lambda reader: Node("group", (until(reader, "}"),)),
    "if": conditional,
    "while": loop,
    "until": lambda reader: Node("until", loop(reader).items),
    "for": repeat,
    "select": repeat,
    "case": case,
    "function": named,
    "[[": test,
}
