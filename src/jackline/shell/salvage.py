"""Find what can be found in a command that `Grammar` refuses: other shells' syntax, an open quote, a missing `fi`.

The tolerant parser (tree-sitter) only points at simple commands; each is then read by our own grammar. The command
stays "not understood" whatever is found: this adds effects, it never takes doubt away.
"""

from __future__ import annotations

from jackline.shell.grammar import Grammar
from jackline.shell.lexis import WORDS, Unreadable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from jackline.shell.scene import Scene
    from jackline.shell.walk import Walk

_kept: list[Any] = []
"""The parser, once it was made."""

PIECES = 64
LIMIT = 4_096


def parser() -> Any:
    """A parser for bash, its extension modules loaded without their packages, which import half the library."""
    import sys
    from _frozen_importlib import _load  # type: ignore[attr-defined]
    from _frozen_importlib_external import PathFinder

    from jackline.roots import ROOTS

    made = []
    for package in ("tree_sitter", "tree_sitter_bash"):
        name = package + "._binding"
        found = sys.modules.get(name)
        if found is None:
            places = [f"{root}/{package}" for root in [*sys.path, *ROOTS] if root]
            spec = PathFinder.find_spec(name, places)
            if spec is None:
                raise ImportError(name)
            found = _load(spec)
        made.append(found)
    binding, bash = made
    return binding.Parser(binding.Language(bash.language()))


def _parser() -> Any:
    if not _kept:
        _kept.append(parser())
    return _kept[0]


def pointed(command: str) -> list[str]:
    """Texts of the simple commands that the tolerant parser sees."""
    raw = command.encode("utf-8", "replace")
    found: list[str] = []
    todo = [_parser().parse(raw).root_node]
    while todo and len(found) < PIECES:
        node = todo.pop()
        if node.type in ("command", "declaration_command", "redirected_statement"):
            found.append(raw[node.start_byte : node.end_byte].decode("utf-8", "replace"))
        todo.extend(reversed(node.children))
    return found


def lines(command: str) -> list[str]:
    """Without the parser: the pieces between line breaks and operators."""
    for mark in ("&&", "||", ";", "|", "&", "(", ")", "`", "{", "}"):
        command = command.replace(mark, "\n")
    return [piece for piece in command.split("\n") if piece.strip()][:PIECES]


def salvage(walk: Walk, command: str, scene: Scene) -> None:
    """Walk every piece that our grammar can read."""
    command = command[:LIMIT]
    budget = WORDS
    try:
        pieces = pointed(command)
    except ImportError:
        pieces = []
    for piece in dict.fromkeys([*pieces, *lines(command)]):
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
