"""Loops without an end that start a job in every round and wait for none: the machine runs full of them."""

from __future__ import annotations

from jackline.shell.lexis import TEXT, Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jackline.shell.nodes import Node

BRAKES = frozenset(["sleep", "usleep", "read", "inotifywait", "fg"])
"""Programs that hold a round up until something happens; `wait` does so for jobs of the same shell."""

LEAVES = frozenset(["break", "exit", "return", "exec"])
"""Programs that end the loop."""


def head(node: Node) -> str:
    """The word of a simple command, where it stands there as it is."""
    first = node.words[0] if node.kind == "simple" and node.words else None
    return first.bare if isinstance(first, Word) else ""


def _condition(node: Node) -> list[str]:
    """The words of a condition, "" for those that do not stand there as they are."""
    if node.kind == "test":
        return ["test", *(part[1] if part[0] is TEXT else "" for part in node.parts)]
    if node.kind == "sum":
        return node.name.split()
    return [word.bare if isinstance(word, Word) else "" for word in node.words or ()]


def constant(node: Node) -> bool | None:
    """Whether a condition always holds, or never; None when it depends."""
    if node.kind == "list":
        return constant(node.items[0][1]) if len(node.items) == 1 and not node.name else None
    words = _condition(node)
    name = words[0].rpartition("/")[2] if words else ""
    if name in ("false", "0"):
        return False
    one = name in ("true", ":") or name.isdecimal() or (name, len(words)) in (("[", 3), ("test", 2))
    return True if one and all(words) and not node.items else None


def forever(node: Node) -> bool:
    """The loop has no end of its own."""
    if node.kind == "for":
        fields = "".join([str(part[1]) for part in node.parts]).split(";")
        return len(fields) == 3 and (not fields[1].strip() or fields[1].strip().isdecimal())
    return constant(node.items[0]) is (node.kind == "while")


def starts(node: Node) -> bool:
    """A loop that goes on forever, and leaves a job behind in every round."""
    body = node.items[-1]
    if not forever(node) or _ends(body):
        return False
    heads = [head(item) for _, item in body.items]
    # Nobody can wait for a job that a subshell leaves behind, nor for one that is disowned.
    lost = any(item.kind == "subshell" and _left(item.items[0], False) for _, item in body.items)
    waits = heads[:1] == ["wait"] and "disown" not in heads
    return (_left(body, False) and not waits) or (lost and BRAKES.isdisjoint(heads))


def _ends(node: Node) -> bool:
    """Something in here may end the loop."""
    if node.kind == "group":
        return _ends(node.items[0])
    if node.kind in ("list", "case"):
        return any(_ends(inner) for _, inner in node.items)
    if node.kind == "if":
        return any(_ends(body) for test, body in node.items if test is None or constant(test) is not False)
    return head(node) in LEAVES


def _left(node: Node, open_: bool) -> bool:
    """A job goes on when this is done; `open_`: one did before."""
    if node.kind in ("group", "subshell"):
        inner = _left(node.items[0], open_ and node.kind == "group")
        return inner or (open_ and node.kind == "subshell")
    for at, (before, item) in enumerate(node.items if node.kind == "list" else ()):
        ending = node.items[at + 1][0] if at + 1 < len(node.items) else node.name
        if ending == "&":
            open_ = True
        elif before not in ("&&", "||") and head(item) in BRAKES | {"wait"}:
            open_ = False
        else:
            open_ = _left(item, open_)
    return open_
