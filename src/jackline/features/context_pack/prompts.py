"""Whether a prompt asks for a pack."""

from __future__ import annotations

WORDS = 3
"""A prompt of no more words asks for no pack: `yes`, `go on`, `why so?`."""


def asks_for_work(prompt: str) -> bool:
    """Whether a prompt says what to do: more than a few words, and no command of a client or of ours."""
    first = prompt.lstrip()[:1]
    return len(prompt.split()) > WORDS and first not in ("/", "!") and not prompt.startswith("jackline ")
