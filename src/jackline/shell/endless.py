"""Loops without an end that start a job in every round and wait for none: the machine runs full of them."""

from __future__ import annotations

from jackline.shell.lexis import TEXT, Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jackline.shell.lexis import Parts
    from jackline.shell.nodes import Node

BRAKES = frozenset(["wait", "sleep", "usleep", "read", "inotifywait", "fg"])
"""Programs that hold a round up until something happens."""

LEAVES = frozenset(["break", "exit", "return", "exec"])
"""Programs that end the loop."""


def bare(node: Node) -> list[str]:
    """The words of a simple command that stand there as they are; [] when one of them does not."""
    if node.kind != "simple" or not node.words or node.assigns:
        return []
    found = [word.bare for word in node.words if isinstance(word, Word)]
    return found if len(found) == len(node.words) and all(found) else []


def head(node: Node) -> str:
    """The word of a simple command, where it stands there as it is."""
    first = node.words[0] if node.kind == "simple" and node.words else None
    return first.bare if isinstance(first, Word) else ""


def _text(parts: Parts) -> str | None:
    """What parts say that are nothing but text."""
    return "".join([part[1] for part in parts]) if all(part[0] is TEXT for part in parts) else None


def _number(text: str | None) -> bool | None:
    """A number as a condition."""
    text = (text or "").strip()
    return int(text) != 0 if text.isdecimal() else None


def constant(node: Node) -> bool | None:
    """Whether a condition always holds, or never; None when it depends."""
    if node.kind == "list":
        return constant(node.items[0][1]) if len(node.items) == 1 and not node.name else None
    if node.kind == "sum":
        return _number(_text(node.parts))
    if node.kind == "test":
        return True if len(node.parts) == 1 and not node.items and _text(node.parts) else None
    words = bare(node) or [""]
    name = words[0].rpartition("/")[2]
    if name in ("true", ":") or (name, len(words)) in (("[", 3), ("test", 2)):
        return True
    return False if name == "false" else None


def forever(node: Node) -> bool:
    """The loop has no end of its own."""
    if node.kind == "for":
        fields = (_text(node.parts) or "").split(";")
        return len(fields) == 3 and (not fields[1].strip() or _number(fields[1]) is True)
    return constant(node.items[0]) is (node.kind == "while")


def starts(node: Node) -> bool:
    """A loop that goes on forever, and leaves a job behind in every round."""
    body = node.items[-1]
    if not forever(node) or _ends(body):
        return False
    # Nobody can wait for a job that a subshell leaves behind: only something else may hold every round up.
    lost = any(item.kind == "subshell" and _left(item.items[0], False) for _, item in body.items)
    slow = any(head(item) in BRAKES - {"wait"} for _, item in body.items)
    return (_left(body, False) and not _first(body)) or (lost and not slow)


def _first(body: Node) -> bool:
    """The round begins by waiting for the jobs of the last one; what is disowned is waited for no more."""
    opening = head(body.items[0][1]) if body.items else ""
    return opening == "wait" and all(head(item) != "disown" for _, item in body.items)


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
    if node.kind != "list":
        return open_
    for at, (before, item) in enumerate(node.items):
        ending = node.items[at + 1][0] if at + 1 < len(node.items) else node.name
        if ending == "&":
            open_ = True
        elif before not in ("&&", "||") and head(item) in BRAKES:
            open_ = False
        else:
            open_ = _left(item, open_)
    return open_
