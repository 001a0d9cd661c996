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


def unbased(text: str, given: Given, width: int = 64) -> str | None:
    """`base64 -d`, `basenc --base64 -d`, `base32 -d`."""
    if not given.has("d", "D", "decode") or given.has("o", "output"):
        return None
    if given.has("i", "ignore-garbage"):
        text = "".join(one for one in text if one.isalnum() or one in "+/-_=")
    return unpacked(text, 32 if given.has("base32") else width)


def openssl(job: Job) -> str | None:
    """`openssl base64 -d`, `openssl enc -base64 -d`."""
    words = job.words[1:]
    plain = words[:1] == ["base64"] or (words[:1] == ["enc"] and not {"-a", "-base64"}.isdisjoint(words))
    if not plain or "-d" not in words or not set(words[1:]) <= {"-d", "-A", "-a", "-base64"}:
        return None
    return unpacked(job.feed) if job.feed and len(job.feed) <= LIMIT and not marked(job.feed) else None


def unhexed(text: str, given: Given) -> str | None:
    """`xxd -r -p`."""
    if not (given.has("r", "revert") and given.has("p", "ps", "plain", "postscript")):
        return None
    return unhex(text)


def translated(text: str, sets: list[str], *, delete: bool) -> str | None:
    """What `tr` makes of a text: sets of characters and ranges, no classes."""
    known = [spread(one) for one in sets]
    if None in known or len(known) != (1 if delete else 2):
        return None
    first, second = known[0] or "", "" if delete else known[1] or ""
    if not delete and (not second or not first):
        return None
    second += second[-1:] * (len(first) - len(second))
    table = {ord(one): None if delete else second[at] for at, one in reversed(list(enumerate(first)))}
    return text.translate(table)


def spread(given: str) -> str | None:
    """The characters of a set of `tr`; None where it names classes, counts or escapes that we do not know."""
    from jackline.shell.rules.printing import unescape

    if "[" in given:
        return None
    plain = unescape(given, "%b")
    if plain is None or marked(plain):
        return None
    told, at = [], 0
    while at < len(plain):
        if plain[at + 1 : at + 2] == "-" and at + 2 < len(plain):
            told += [chr(code) for code in range(ord(plain[at]), ord(plain[at + 2]) + 1)]
            at += 3
        else:
            told.append(plain[at])
            at += 1
    return "".join(told)


def tr(job: Job) -> str | None:
    given = job.given()
    told = {name for name, _ in given.options}
    text = job.feed
    if not text or len(text) > LIMIT or marked(text) or any(map(marked, given.operands)) or told - {"d", "delete"}:
        return None
    return translated(text, given.operands, delete=bool(told))


base64 = filtering(out("wob", "wrap output", "o output"), "w", "wrap", unbased)
basenc = filtering(reader("w", "wrap"), "w", "wrap", unbased)
base32 = filtering(reader("w", "wrap"), "w", "wrap", lambda text, given: unbased(text, given, 32))
xxd = filtering(pair, "cglos", "", unhexed)
rev = filtering(reader(), "", "", lambda text, given: "".join(line[::-1] + "\n" for line in text.splitlines()))
