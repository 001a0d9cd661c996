"""A first look at a command that holds the name of a search program: most are plainly none; the tables stay shut."""

from __future__ import annotations

from jackline.shell.screen import plain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from jackline.shell.screen import Simple

LISTERS = frozenset(("ls", "exa", "eza", "lsd"))
GREPS = frozenset(("grep", "egrep", "fgrep", "zgrep", "ggrep"))
DUMPERS = frozenset(("cat", "tac", "nl", "less", "more"))
ALWAYS = frozenset(
    (
        *("rg", "ripgrep", "rgrep", "ag", "ack", "ack-grep", "find", "gfind", "fd", "fdfind", "tree", "du"),
        *(
            "most",
            "bat",
            "batcat",
            "xxd",
            "od",
            "hexdump",
            "hd",
            "base64",
            "strings",
            "zcat",
            "gzcat",
            "bzcat",
            "xzcat",
        ),
    )
)
QUIET = frozenset(
    (
        *(
            "echo",
            "printf",
            "git",
            "cd",
            "test",
            "[",
            "true",
            "pwd",
            "head",
            "tail",
            "wc",
            "sort",
            "uniq",
            "mkdir",
            "rm",
        ),
        *(
            "cp",
            "mv",
            "touch",
            "npm",
            "npx",
            "pnpm",
            "yarn",
            "cargo",
            "go",
            "make",
            "pytest",
            "python",
            "python3",
            "node",
        ),
        *(
            "sed",
            "awk",
            "cut",
            "tr",
            "which",
            "export",
            "chmod",
            "ruff",
            "mypy",
            "tsc",
            "eslint",
            "kill",
            "sleep",
            "jq",
        ),
    )
)
"""Command words behind which no other command stands (git's own search is told by its word)."""


def _is_quiet(one: Simple, cwd: str, most: int) -> bool:
    words = one.words
    name = words[0].rpartition("/")[2] if words else ""
    if name in GREPS:
        return not any(_recursive(word) for word in words[1:])
    if name in LISTERS:
        return not any(word[:1] == "-" and ("R" in word or "T" in word or "re" in word) for word in words[1:])
    if name in DUMPERS:
        return not _large(one, cwd, most)
    return name in QUIET and not (name == "git" and "grep" in words)


def _recursive(word: str) -> bool:
    """Whether a word may make grep walk folders."""
    if word[:1] != "-":
        return word == "recurse"
    return "r" in word or "R" in word or "recurse" in word


def _large(one: Simple, cwd: str, most: int) -> bool:
    from jackline.system import size_of

    files: Sequence[str] = [word for word in one.words[1:] if word[:1] != "-"] + [
        target for operator, target in one.redirs if operator[-1:] == "<"
    ]
    return any(size_of(file if file[:1] == "/" else f"{cwd}/{file}") > most for file in files)


def is_plain(command: str, cwd: str, most: int) -> bool:
    """Whether no simple command of the text can be an unbounded search. False only means: look closer."""
    found = plain(command)
    return found is not None and all(_is_quiet(one, cwd, most) for one in found)
