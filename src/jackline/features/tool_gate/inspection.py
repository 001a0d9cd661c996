"""Commands of which not all is known, and yet that they change no file of the project: what they do lies elsewhere, or
they only look.

Of three kinds: programs that are called after looking (`yamllint`), statements for a database that only ask, and
programs in the command itself that use nothing but names by which one reads.
"""

from __future__ import annotations

from jackline.shell.model import UNKNOWN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from jackline.shell.model import Command

# --- linters -------------------------------------------------------------------------------------------------------

CHANGING = ("fix", "write", "format", "correct", "update", "output", "init", "apply", "repair", "replace", "generate")
"""What the name of an option or of a verb holds by which a linter changes what it looks at, or writes a file."""
LETTERS = frozenset("aAFiowx")
"""Short options that may mean the same."""


def _is_linter(words: Sequence[str]) -> bool:
    """Whether a program is called after looking, and nothing it is told says that it changes what it finds."""
    if not words[0].endswith("lint"):
        return False
    for word in words[1:]:
        name = word.lstrip("-").partition("=")[0].lower()
        if word[:2] == "--" or word[:1] != "-":
            if any(one in name for one in CHANGING) and (word[:1] == "-" or word.isalpha()):
                return False
        elif not LETTERS.isdisjoint(word[1:]):
            return False
    return True


# --- databases -----------------------------------------------------------------------------------------------------

GIVEN = {
    "psql": ("-c", "--command"),
    **dict.fromkeys(("mysql", "mariadb"), ("-e", "--execute")),
    **dict.fromkeys(("clickhouse-client", "clickhouse"), ("-q", "--query")),
    "trino": ("--execute",),
}
"""By client of a database, the options with its statements."""
FILES = ("--file", "--output", "--log-file", "--tee", "--source", "--queries-file")
LETTERS_OF_FILES = frozenset("foL")
ASKING = ("select", "show", "explain", "describe", "desc", "values", "table")
"""How statements begin that only ask."""
DOING = frozenset(("into", "analyze", "insert", "update", "delete", "copy", "call", "do", "set", "program", "outfile"))
"""Words of a statement that does more."""


def _asks(statement: str) -> bool:
    words = "".join([char.lower() if char.isalnum() or char == "_" else " " for char in statement]).split()
    plain = "\\" not in statement and not any(one.startswith(("lo_", "pg_", "dblink", "load_")) for one in words)
    return not words or (plain and words[0] in ASKING and DOING.isdisjoint(words))


def _statements(words: Sequence[str], options: Sequence[str]) -> list[str]:
    """The statements that a command is given."""
    found = []
    for at, word in enumerate(words):
        name, mark, value = word.partition("=")
        if word in options:
            found.append("".join(words[at + 1 : at + 2]))
        elif (mark and name in options) or (name[:2] in options and len(word) > 2 and word[1:2] != "-"):
            found.append(value if mark and name in options else word[2:])
        elif word[:1] == "-" and word[1:].isalpha() and f"-{word[-1]}" in options:  # -Atc
            found.append("".join(words[at + 1 : at + 2]))
    return found


def _names_a_file(word: str) -> bool:
    """Whether an option may name a file that is read or written."""
    return word.startswith(FILES) or (word[:1] == "-" != word[1:2] and not LETTERS_OF_FILES.isdisjoint(word[1:]))


def _is_question(words: Sequence[str]) -> bool:
    """Whether a client of a database is given statements, and all of them only ask."""
    options = GIVEN.get(words[0])
    if options is None or any(_names_a_file(word) for word in words[1:]):
        return False
    found = _statements(words[1:], options)
    return bool(found) and all(_asks(one) for text in found for one in text.split(";"))


def looks(command: Command) -> bool:
    """Whether this command certainly changes no file of the project, though not all that it does is known."""
    words = command.words
    if command.fed or command.assigns or command.given or any(UNKNOWN in word for word in words) or "/" in words[0]:
        return False
    return _is_linter(words) or _is_question(words)
