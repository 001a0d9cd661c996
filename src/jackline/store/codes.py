"""One-time codes in `codes/` of the store: by one a person shows at another terminal that a client told it to them.

A code itself is stored nowhere, only a keyed hash of it: what reads the store learns nothing. It counts once, for some
minutes, and three wrong tries end every code that could have been meant. A word bound to a command line (`bound`) is
given to the process that a typed prompt starts, and counts for that line alone.
"""

from __future__ import annotations

from jackline import system
from jackline.jsonio import dumps, loads
from jackline.store.approvals import CODE, LETTERS, LIFE_MS, TRIES, plain
from jackline.store.keyed_hash import keyed_digest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import NamedTuple
else:
    from jackline._record import NamedTuple

FOLDER = "codes"
FORMAT = 1
BOUND_MS = 60_000
"""How long a word for one command line counts: its process starts at once."""


class Code(NamedTuple):
    """A code as it is kept: who was shown it, its hash, until when (milliseconds since 1970), and for what alone."""

    name: str
    sid: str
    digest: str
    until: int
    bound: str = ""


def _path(store: str, name: str) -> str:
    return f"{store}/{FOLDER}/{name}"


def _hash(store: str, name: str, text: str) -> str:
    return keyed_digest(store, f"code {name} {text}")


def line(root: str, words: Sequence[str]) -> str:
    """A command line in a project, as a word is bound to it."""
    return dumps([root, *words])


def _kept(store: str) -> Iterator[Code]:
    for name in sorted(system.names(f"{store}/{FOLDER}")):
        if "." in name:
            continue
        try:
            told = loads(system.read(_path(store, name), limit=1 << 16, follow=False).decode("utf-8"))
            if told.pop("v") == FORMAT:
                yield Code(name, **told)
        except (OSError, ValueError, TypeError, KeyError, AttributeError):
            continue


def _remove(store: str, name: str) -> None:
    for end in (".use", *[f".try{at}" for at in range(1, TRIES + 1)], ""):
        system.unlink(_path(store, name + end))


def _make(store: str, sid: str, text: str, draw: Callable[[int], bytes], until: int, bound: str) -> None:
    system.make_dirs(f"{store}/{FOLDER}")
    name = draw(8).hex()
    bound = _hash(store, name, bound) if bound else ""
    told = {"v": FORMAT, "sid": sid, "digest": _hash(store, name, text), "until": until, "bound": bound}
    if not system.claim(_path(store, name), dumps(told).encode("ascii") + b"\n"):
        raise OSError(17, "the code's name is taken", name)


def show(store: str, sid: str, draw: Callable[[int], bytes], now_ms: int) -> str:
    """A new code for the person at a session, `BCD-FGH`; an older one of theirs ends."""
    for one in list(_kept(store)):
        if now_ms >= one.until or (one.sid == sid and not one.bound):
            _remove(store, one.name)
    number, letters = int.from_bytes(draw(16), "big"), ""
    for _ in range(CODE):
        number, at = divmod(number, len(LETTERS))
        letters += LETTERS[at]
    _make(store, sid, letters, draw, now_ms + LIFE_MS, "")
    return f"{letters[: CODE // 2]}-{letters[CODE // 2 :]}"


def vouch(store: str, sid: str, bound: str, draw: Callable[[int], bytes], now_ms: int) -> str:
    """A word for one command line, which a person typed as a prompt of a session."""
    text = draw(16).hex()
    _make(store, sid, text, draw, now_ms + BOUND_MS, bound)
    return text


def _counts(store: str, one: Code, now_ms: int) -> bool:
    return now_ms < one.until and not system.exists(_path(store, f"{one.name}.try{TRIES}"))


def _spent(store: str, fits: Sequence[Code]) -> Code | None:
    """The first of these that nobody has used: it is used up now."""
    return next((one for one in fits if system.claim(_path(store, one.name + ".use"))), None)


def spend(store: str, text: str, now_ms: int) -> Code | None:
    """Use up the code that somebody typed; None when none counts under these letters, which is a wrong try."""
    typed = plain(text)
    open_ = [one for one in _kept(store) if not one.bound and _counts(store, one, now_ms)]
    found = _spent(store, [one for one in open_ if one.digest == _hash(store, one.name, typed)]) if typed else None
    if found is None:
        for one in open_:
            any(system.claim(_path(store, f"{one.name}.try{at}")) for at in range(1, TRIES + 1))
    return found


def honour(store: str, text: str, bound: str, now_ms: int) -> Code | None:
    """Use up the word that a prompt's process was given for this command line."""
    fits = [
        one
        for one in _kept(store)
        if one.bound == _hash(store, one.name, bound) and one.digest == _hash(store, one.name, text)
    ]
    return _spent(store, [one for one in fits if now_ms < one.until])
