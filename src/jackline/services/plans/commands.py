"""The commands that messages about plans name, as a shell and `jackline` read them back: whatever a node is called."""

from __future__ import annotations

SKIP = "WHY"
"""What stands for the reason of a node that is left out."""
SUBMIT = "jackline plan submit FILE"


def quoted(text: str) -> str:
    """A text in quotes, in which a shell changes nothing."""
    return "'" + text.replace("'", "'\\''") + "'"


def word(text: str) -> str:
    """A word of a command as a shell reads it back."""
    plain = text.isascii() and all(char.isalnum() or char in "/._-" for char in text)
    return text if plain and text[:1] not in ("", "-") else quoted(text)


def argument(text: str) -> str:
    """A word that is no option, whatever it begins with; it stands last in its command."""
    return f"{'-- ' if text[:1] == '-' else ''}{word(text)}"


def of_node(verb: str, name: str) -> str:
    """The command that does this to a node: `start`, `done` or `skip`."""
    reason = f' --reason "{SKIP}"' if verb == "skip" else ""
    return f"jackline plan node {verb}{reason} {argument(name)}"
