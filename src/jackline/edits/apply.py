"""Apply what a call asks to a text: swaps by their search text, hunks by their lines. Pure."""

from __future__ import annotations

from jackline.edits.model import LIMIT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from jackline.edits.model import Swap

CURLY = str.maketrans("‘’“”", "''\"\"")
FITS: tuple[Callable[[str], str], ...] = (
    lambda line: line,
    lambda line: line.rstrip(),
    lambda line: line.strip(),
    lambda line: line.strip().translate(CURLY),
)
"""How alike two lines must be, the strictest way first, as clients try them."""


def _seek(lines: list[str], wanted: list[str], start: int, near: int = -1) -> int:
    """Where `wanted` stands in `lines` from `start` on; nearest to `near` when that is told; -1 when nowhere."""
    last = len(lines) - len(wanted)
    for fit in FITS:
        there = [fit(line) for line in lines]
        need = [fit(line) for line in wanted]
        first = need[0]
        found = [at for at in range(start, last + 1) if there[at] == first and there[at : at + len(need)] == need]
        if found:
            return found[0] if near < 0 else min(found, key=lambda at: abs(at - near))
    return -1


def _placed(lines: list[str], swap: Swap, start: int) -> int:
    """Where lines without any old ones go: at their line, after their anchor, else at the end."""
    if swap.line:
        return min(swap.line, len(lines))
    if swap.anchor:
        at = _seek(lines, [swap.anchor], start)
        return at + 1 if at >= 0 else -1
    return len(lines) - 1 if lines and not lines[-1] else len(lines)


def _loose(text: str, swaps: tuple[Swap, ...]) -> str | None:
    """`text` after hunks, each found behind the one before it (from the top when it is not there)."""
    lines = text.split("\n")
    start = shift = 0
    for swap in swaps:
        old = swap.old.split("\n") if swap.old else []
        new = swap.new.split("\n") if swap.new else []
        if not old:
            at = _placed(lines, swap._replace(line=swap.line + shift) if swap.line else swap, start)
        else:
            if swap.anchor and not swap.line:
                above = _seek(lines, [swap.anchor], start)
                start = above + 1 if above >= 0 else start
            near = swap.line - 1 + shift if swap.line else -1
            at = _seek(lines, old, start, near)
            if at < 0 and start:
                at = _seek(lines, old, 0, near)
            if at < 0 and not old[-1]:  # the last, empty line of a hunk is the end of the file
                old = old[:-1]
                new = new[:-1] if new and not new[-1] else new
                at = _seek(lines, old, 0, near) if old else -1
        if at < 0:
            return None
        lines[at : at + len(old)] = new
        start = at + len(new)
        shift += len(new) - len(old)
    return "\n".join(lines)


def _between(text: str, swap: Swap) -> str:
    """`text` with a new one before line `swap.line` (-1: at the end)."""
    lines = text.split("\n")
    new = swap.new.removesuffix("\n").split("\n")
    if swap.line < 0:
        at = len(lines) - 1 if lines and not lines[-1] else len(lines)
    else:
        at = min(swap.line - 1, len(lines))
    lines[at:at] = new
    return "\n".join(lines)


def _exact(text: str, swap: Swap) -> str | None:
    """`text` with `old` replaced; None when it does not stand there, or more than once and not all are meant."""
    if swap.line and not swap.old:
        return _between(text, swap)
    if not swap.old:
        return swap.new if not text.strip() else None
    old, plain = swap.old, text
    if old not in text:
        plain = text.translate(CURLY)
        old = old.translate(CURLY)
    count = plain.count(old)
    if not count or (count > 1 and not swap.every) or len(text) + count * len(swap.new) > 2 * LIMIT:
        return None
    if plain is text:
        return text.replace(old, swap.new)
    parts: list[str] = []
    at = 0
    while (found := plain.find(old, at)) >= 0:
        parts.extend((text[at:found], swap.new))
        at = found + len(old)
    return "".join([*parts, text[at:]])


def apply(text: str, swaps: tuple[Swap, ...]) -> str | None:
    """`text` after all swaps in order, None when one does not fit. The file's line ends stay as they are."""
    ends = "\r\n" in text
    now: str | None = text.replace("\r\n", "\n") if ends else text
    at = 0
    while at < len(swaps) and now is not None:
        if swaps[at].loose:
            upto = at
            while upto < len(swaps) and swaps[upto].loose:
                upto += 1
            if upto == at + 1 and not swaps[at].old and not swaps[at].line and not swaps[at].anchor:
                now = swaps[at].new if not now.strip() else _loose(now, swaps[at:upto])
            else:
                now = _loose(now, swaps[at:upto])
            at = upto
        else:
            swap = swaps[at]
            if "\r" in swap.old or "\r" in swap.new:
                swap = swap._replace(old=swap.old.replace("\r\n", "\n"), new=swap.new.replace("\r\n", "\n"))
            now = _exact(now, swap)
            at += 1
    if now is None or len(now) > LIMIT:
        return None
    return now.replace("\n", "\r\n") if ends else now
