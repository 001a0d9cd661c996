"""Programs that turn a text into another: what they print is told where the text is known, since a shell may run it."""

from __future__ import annotations

from jackline.shell.rules.encoded import unhex, unpacked
from jackline.shell.rules.files import out, pair, reader
from jackline.shell.scene import marked

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from jackline.shell.job import Job, Rule
    from jackline.shell.options import Given

LIMIT = 1 << 16
"""Characters of a text that we follow."""


def filtering(effects: Rule, short: str, long: str, turn: Callable[[str, Given], str | None]) -> Rule:
    """A rule that tells the effects, and what `turn` makes of the text: of the input, or of the one file named."""

    def rule(job: Job) -> str | None:
        effects(job)
        given = job.given(short, long)
        named = [one for one in given.operands if one != "-"]
        text = job.feed if not named else job.kept(named[0]) if len(named) == 1 else None
        if not text or len(text) > LIMIT or marked(text):
            return None
        printed = turn(text, given)
        return None if printed is None or marked(printed) else printed

    return rule


def unbased(text: str, given: Given) -> str | None:
    """`base64 -d`, `basenc --base64 -d`."""
    if not given.has("d", "D", "decode") or given.has("o", "output"):
        return None
    if given.has("i", "ignore-garbage"):
        text = "".join(one for one in text if one.isalnum() or one in "+/-_=")
    return None if given.has("base32") else unpacked(text)


def unhexed(text: str, given: Given) -> str | None:
    """`xxd -r -p`."""
    if not (given.has("r", "revert") and given.has("p", "ps", "plain", "postscript")):
        return None
    return unhex(text)


base64 = filtering(out("wob", "wrap output", "o output"), "w", "wrap", unbased)
basenc = filtering(reader("w", "wrap"), "w", "wrap", unbased)
xxd = filtering(pair, "cglos", "", unhexed)
