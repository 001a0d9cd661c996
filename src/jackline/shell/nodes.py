"""What `grammar` reads a script into: commands, their assignments and redirections."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NamedTuple

    from jackline.shell.lexis import Parts, Word
else:
    from jackline._record import NamedTuple


class Redir:
    """One redirection. `fd`: the descriptor as written; `body`: contents of a here-document."""

    __slots__ = ("body", "fd", "op", "target")

    def __init__(self, fd: str, op: str, target: Word) -> None:
        self.fd = fd
        self.op = op
        self.target = target
        self.body: Parts = ()


class Assign(NamedTuple):
    """`name=value`; `value` is None for an array or an element of one: words in `parts`, subscripts in `sums`."""

    name: str
    value: Word | None
    parts: Parts = ()
    append: bool = False
    sums: Parts = ()


class Node:
    """One command. `kind` says which; the other fields are what that kind needs.

    simple    words, assigns (those before it, and in `words` for declarations), start, after, end
    list      items: (operator before, node); name: `&` where it ends with that
    pipeline  items: nodes
    group subshell while until   items: nodes
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
