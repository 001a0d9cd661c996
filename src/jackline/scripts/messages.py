"""What the model reads when a file script failed: the message of 001, to the letter. Cold."""

from __future__ import annotations

import re

from jackline import unicode_escape
from jackline.scripts import status

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from jackline.script import Outcome, Script

LINES = 200
BYTES = 5 * 1024
"""Output of more lines or bytes is not given but pointed at."""
NAMES = 50
"""Changed files that are named; of more the number is told."""
COLOUR = re.compile(r"\x1b\[[0-9;:]*[mK]")


def output(outcome: Outcome) -> str:
    """What a script printed as the model may read it: secrets masked, colours gone, controls by their number."""
    return unicode_escape.shown_lines(COLOUR.sub("", status.words(outcome))).rstrip("\n")


def _named(files: Sequence[str]) -> str:
    names = ", ".join([unicode_escape.escape_line(name) for name in files[:NAMES]])
    return names if len(files) <= NAMES else f"{names} and {len(files) - NAMES} more"


def failure(
    script: Script, outcome: Outcome, files: Sequence[str], *, path: str, attempt: int = 0, attempts: int = 0
) -> str:
    """The message. `path`: where the whole output is; without `attempts` nothing is said of them."""
    text = output(outcome)
    lines = text.count("\n") + 1
    count = f" (Attempt {attempt}/{attempts})" if attempts else ""
    head = (
        f'[{script.prefix} Hook Failed] "{unicode_escape.escape_line(script.name or script.key)}"'
        f" (pattern: {unicode_escape.escape_line(', '.join(script.pattern))})\n\n"
        f"Files: {_named(files)}\nExit code: {outcome.exit}\n\n"
    )
    if not outcome.cut and lines <= LINES and len(text.encode("utf-8", "replace")) <= BYTES:
        said = text or "(it printed nothing)"
        return f"{head}Output:\n{said}\n\nPlease fix the issues and ensure the hook passes.{count}"
    size = f"more than {lines}" if outcome.cut else str(lines)
    return (
        f"{head}Output is large ({size} lines). Full output saved to:\n  {path}\n\n"
        f"Please read the file to see the full output and address the issues.{count}"
    )
