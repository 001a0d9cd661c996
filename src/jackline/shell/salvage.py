"""Find what can be found in a command that `Grammar` refuses: other shells' syntax, an open quote, a missing `fi`.

It is cut at the signs that separate commands, and each piece that our own grammar can read is walked. The command
stays "not understood" whatever is found: this adds effects, it never takes doubt away.

No tolerant parser points at the pieces. The one there is (tree-sitter's) dies on a brace before some letters and does
not end on some pipes, and a guard that is dead lets pass what it was asked about.
"""

from __future__ import annotations

from jackline.shell.grammar import Grammar
from jackline.shell.lexis import WORDS
from jackline.shell.model import Unreadable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jackline.shell.scene import Scene
    from jackline.shell.walk import Walk

PIECES = 64
LIMIT = 4_096

_OPENERS = frozenset(["do", "then", "else", "elif", "if", "while", "until", "!", "{", "time", "coproc"])
"""Words behind which a command begins."""


def _bare(piece: str) -> str:
    """The piece without the words that only open it."""
    piece = piece.strip(" \t\n")
    while piece.partition(" ")[0] in _OPENERS:
        piece = piece.partition(" ")[2].lstrip(" \t\n")
    return piece


def pieces(command: str) -> list[str]:
    """What stands between the signs that separate commands; an open quote hides all that follows it, so none counts."""
    for mark in ("&&", "||", ";", "|", "&", "(", ")", "`", "{", "}"):
        command = command.replace(mark, "\n")
    return [piece for piece in map(_bare, command.split("\n")) if piece][:PIECES]


def salvage(walk: Walk, command: str, scene: Scene) -> None:
    """Walk every piece that our grammar can read."""
    command = command[:LIMIT]
    budget = WORDS
    for piece in dict.fromkeys(pieces(command)):
        if budget < 0:
            return
        for text in (piece, piece + "'", piece + '"', piece.replace("'", "").replace('"', "")):
            reader = Grammar(text, literal=False)
            try:
                node = reader.script()
            except Unreadable:
                continue
            finally:
                budget -= reader.count
            try:
                walk.run(node, scene.fork())
            except Unreadable:
                pass
            break
