"""What `echo` and `printf` print, where that is certain: it may be what a shell runs next."""

from __future__ import annotations

from jackline.shell.model import UNKNOWN
from jackline.shell.quoting import unescape
from jackline.shell.scene import SOME

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from jackline.shell.job import Job


def echo(job: Job) -> str | None:
    words, end, escapes = job.words[1:], "\n", False
    while words and words[0][:1] == "-" and words[0][1:] and set(words[0][1:]) <= set("neE"):
        end = "" if "n" in words[0] else end
        escapes = escapes or "e" in words[0]
        words = words[1:]
    text = " ".join(words)
    if "\\" in text or (escapes and UNKNOWN in text):
        # dash decodes always, bash when it is told to: where that matters we do not know.
        decoded = unescape(text, "echo") if escapes and UNKNOWN not in text else None
        return None if decoded is None else decoded + end
    return text + end


def number(text: str) -> str:
    """What `%d` prints."""
    return text if text.removeprefix("-").isdecimal() and text.isascii() and str(int(text)) == text else SOME


CONVERSIONS: dict[str, Callable[[str], str | None]] = {
    "s": str,
    "d": number,
    "b": lambda text: None if UNKNOWN in text else unescape(text, "%b"),
}
PERCENT = "\5"  # stands for `%%` while the format is taken apart; `unescape` makes none


def formatted(words: list[str]) -> str | None:
    """What `printf` prints, None when nobody can say: a format that only the running shell knows may take words."""
    form = words[0] if words else ""
    if UNKNOWN in form or SOME in form or PERCENT in form:
        return None
    pieces = []
    for piece in form.replace("%%", PERCENT).split("%"):
        plain = unescape(piece, "format")
        if plain is None:
            return None
        pieces.append(plain)
    args, out = words[1:], ""
    while True:
        out += pieces[0]
        for piece in pieces[1:]:
            told = CONVERSIONS[piece[:1]](args.pop(0) if args else "") if piece[:1] in CONVERSIONS else None
            if told is None:
                return None
            out += told + piece[1:]
        if not args or len(pieces) == 1:
            return out.replace(PERCENT, "%")


def printf(job: Job) -> str | None:
    words = job.words[1:]
    if words[:1] == ["--"]:
        words = words[1:]
    if words[:1] and words[0].startswith("-v"):
        name = words[0][2:] or (words[1] if len(words) > 1 else "")
        rest = words[1:] if words[0][2:] else words[2:]
        if not name.isidentifier():
            job.fault("printf -v evaluates a name we cannot read")
        job.scene.hold(name, formatted(rest[1:] if rest[0] == "--" else rest) if rest else None)
        return ""
    return formatted(words)
