"""Names of programs that search or print: a command with none of them needs no look."""

from __future__ import annotations

NAMES = (
    *("grep", "rg", "ag", "ack", "find", "fd", "tree", "du", "ls", "exa", "eza", "cat", "tac", "nl", "less", "more"),
    *("most", "bat", "xxd", "od", "hexdump", "hd", "base64", "strings"),
)
"""Command words worth a look, shortest forms (`grep` stands for `egrep` too; held by tests/features)."""


def worth_a_look(command: str) -> bool:
    """Whether one of the names stands anywhere in the text, quotes and backslashes taken away."""
    if "'" in command or '"' in command or "\\" in command:
        command = command.replace("'", "").replace('"', "").replace("\\\n", "").replace("\\", "")
    return any(name in command for name in NAMES)
